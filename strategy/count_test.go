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

// TestCountedOnce: what a run counted is not counted again to measure its input
// and what was written, and the numbers are those of the written bytes.
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
		t.Error("no run left a block as it was: nothing was tested")
	}
}

// countedOnce returns how many blocks of what was written were known already.
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
	alone := decode(t, out)
	for i, r := range results {
		counted.Store(0)
		if before, _ := r.Measure(r.From); before != r.Before || counted.Load() > 0 {
			t.Errorf("the input is of %d tokens, was %d; %d blocks were counted again", before, r.Before, counted.Load())
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
			t.Errorf("%d blocks of %d were counted again, in %d that changed or have a neighbour that did", counted.Load(), blocks, touched)
		}
		spared += blocks - int(counted.Load())
		if want, of := breakdown.Measure(alone.Convs[i], counter.Block); total != want || !slices.Equal(shares, of) {
			t.Errorf("%d tokens %v, but what was written has %d %v", total, shares, want, of)
		}
	}
	return spared
}
