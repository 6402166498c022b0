package strategy_test

import (
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestReports checks that no text of the model stays alone where the calls in front of it go: a call stays, or
// a record, a marker or a summary describes them. Progressive leaves a line for whole turns alone, and
// truncate none.
func TestReports(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	reports, hybrid := 0, strategy.Strategy{Name: strategy.HybridName}
	for name, src := range transcripttest.Fixtures(t, "../testdata") {
		file, err := format.Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range append(strategy.All[:len(strategy.All)-1:len(strategy.All)-1], &hybrid) {
			if s == &strategy.Progressive {
				continue
			}
			stages := []*strategy.Strategy{s}
			if s == &hybrid {
				stages = strategy.Hybrid
			}
			for _, share := range []float64{0.25, 0.1} {
				o := strategy.Defaults()
				o.Target.Share, o.KeepRounds = share, 2
				for i, c := range file.Convs {
					r, err := strategy.Run(t.Context(), c, stages, &o, strategy.Env{Tokens: counter.Block})
					if err != nil {
						t.Fatal(err)
					}
					lone, n := loneReports(c, r.Conv)
					reports += n
					for _, ref := range lone {
						b := r.Conv.Block(ref)
						if s != &strategy.Summarize || !summarized(r.Conv) {
							t.Errorf("%s, conversation %d, %s at %.0f %%: the calls in front of %s are gone: %.200q", name, i, s.Name, 100*share, ref, b.Text())
						}
					}
				}
			}
		}
	}
	if reports < 1000 {
		t.Errorf("only %d texts follow calls", reports)
	}
}

// summarized reports whether a conversation has a summary.
func summarized(c *transcript.Conversation) bool {
	for m := range c.Visible() {
		if standsFor(m.Blocks) {
			return true
		}
	}
	return false
}

// loneReports returns the texts of the model that stay although all calls between them and the text before
// them are gone, and nothing stands in place of these.
func loneReports(before, after *transcript.Conversation) (lone []transcript.Ref, reports int) {
	var left []*transcript.Block // the blocks of after
	place := map[transcript.Ref]int{}
	for m := range after.Visible() {
		for _, b := range m.Blocks {
			place[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}] = len(left)
			left = append(left, b)
		}
	}
	from, calls, real := 0, 0, false // the calls since the last text, and the place of what is left before them
	for m := range before.Visible() {
		for _, b := range m.Blocks {
			at, stays := place[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}]
			switch {
			case b.Kind == transcript.ToolCall:
				calls++
				real = real || stays
			case b.Kind == transcript.Text && stays && (m.Role == transcript.Assistant && says(left[at]) || m.Role == transcript.User):
				if m.Role == transcript.Assistant && calls > 0 {
					reports++
					if !real && !standsFor(left[from:at+1]) {
						lone = append(lone, transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
					}
				}
				calls, real = 0, false
			}
			if stays && calls == 0 {
				from = at
			}
		}
	}
	return lone, reports
}

// says reports whether a text holds anything but records and markers.
func says(b *transcript.Block) bool {
	for line := range strings.Lines(transcript.WithoutRecords(b.Text())) {
		if line = strings.TrimSpace(line); line != "" && !transcript.IsMarker(line) {
			return true
		}
	}
	return false
}

// standsFor reports whether some of the blocks hold a record, a marker or a summary.
func standsFor(list []*transcript.Block) bool {
	for _, b := range list {
		if b.Origin == transcript.Generated || strings.Contains(b.Text(), transcript.RecordOpening) || strings.Contains(b.Text(), " omitted]") {
			return true
		}
	}
	return false
}
