package strategy_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// TestCountedOnce checks that measuring the input and the output of a run counts no block
// again that the run has counted, and that the numbers are those of the written bytes.
func TestCountedOnce(t *testing.T) {
	counter, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../testdata/sessions/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	spared := 0
	for _, path := range files {
		for _, p := range pipelines(t) {
			o := strategy.Defaults()
			if p.set != nil {
				p.set(&o)
			}
			if o.UnpinUser {
				continue // outputs may be refused: see promise.verify
			}
			t.Run(filepath.Base(path)+"/"+p.name, func(t *testing.T) {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				spared += countedOnce(t, decode(t, src), p.stages, &o, counter)
			})
		}
	}
	if spared == 0 {
		t.Error("no run left a block unchanged, so nothing was tested")
	}
}

// countedOnce returns the number of blocks of the output that were not counted again.
func countedOnce(t *testing.T, file *format.File, stages []*strategy.Strategy, o *strategy.Options, counter *token.Counter) (spared int) {
	var counted atomic.Int64
	tokens := func(b *transcript.Block) int {
		counted.Add(1)
		return counter.Block(b)
	}
	var results []*strategy.Result
	var decided []*transcript.Conversation
	for _, c := range file.Convs {
		r, err := strategy.Run(t.Context(), c, stages, o, strategy.Env{Tokens: tokens})
		if err != nil {
			t.Fatal(err)
		}
		results, decided = append(results, r), append(decided, r.Conv)
	}
	out, err := file.Bytes(decided)
	if err != nil {
		t.Fatal(err)
	}
	again, err := file.Verify(decided, out)
	if err != nil {
		t.Fatal(err)
	}
	decoded := decode(t, out)
	for i, r := range results {
		counted.Store(0)
		if before, _ := r.Measure(r.From); before != r.Before || counted.Load() > 0 {
			t.Errorf("the input has %d tokens, want %d; %d blocks were counted again", before, r.Before, counted.Load())
		}
		total, shares := r.Measure(again.Convs[i])
		blocks, touched := 0, 0
		for m := range r.Conv.Visible() {
			blocks += len(m.Blocks)
			if !slices.Contains(r.From.Messages, m) {
				touched += len(m.Blocks)
			}
		}
		if int(counted.Load()) > touched {
			t.Errorf("%d of %d blocks were counted again, but changed messages have only %d", counted.Load(), blocks, touched)
		}
		spared += blocks - int(counted.Load())
		if want, wantShares := breakdown.Measure(decoded.Convs[i], counter.Block); total != want || !slices.Equal(shares, wantShares) {
			t.Errorf("%d tokens %v, but the written file has %d %v", total, shares, want, wantShares)
		}
	}
	return spared
}
