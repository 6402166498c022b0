package strategy

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// shortNotes are notes of some 200 words.
var shortNotes = strings.Replace(sections, "## Decisions\nNone.", "## Decisions\n"+strings.Repeat("The valves are opened by hand. ", 24), 1)

// valveWork is a conversation of n turns with a request, a read of 40 lines and an answer.
func valveWork(n int) *transcript.Conversation {
	list := msgs(user("Mend all valves."))
	for i := range n {
		id := fmt.Sprint("c", i)
		var file strings.Builder
		for line := range 40 {
			fmt.Fprintf(&file, "func openValve%d_%d() error { return ErrStuck%d } // it waits %d seconds\n", i, line, line, i)
		}
		list = append(list, model(call(id, "Read", fmt.Sprintf("path=pkg/valve_%d.go", i))), tool(id, file.String()),
			model(fmt.Sprintf("Valve %d waited for the pump, because its queue was full; I shortened the queue.", i)), user(fmt.Sprintf("Now step %d.", i+1)))
	}
	return conv(append(list, model("All of it is done."))...)
}

// TestNotesFill checks that the newest turns use what short notes leave of the budget, and
// that the budget holds.
func TestNotesFill(t *testing.T) {
	c := valveWork(60)
	total := 0
	for _, b := range c.Blocks() {
		total += words(b)
	}
	for _, share := range []float64{0.1, 0.25, 0.5, 0.75} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			target := int(share * float64(total))
			res, asked := noting(t, c, shortNotes, func(o *Options, _ *Env) { o.Target.Tokens = target })
			after := 0
			for m := range res.Conv.Visible() {
				for _, b := range m.Blocks {
					after += words(b)
				}
			}
			if after > target || float64(after) < 0.9*float64(target) {
				t.Errorf("%d of %d tokens are used", after, target)
			}
			text := all(res.Conv)
			if res.Stages[0].Fallback != "" || len(asked) == 0 || strings.Count(text, "are opened by hand") == 0 {
				t.Fatalf("%d questions, %+v", len(asked), res.Stages[0])
			}
			if !strings.Contains(text, "Valve 59 waited for the pump, because its queue was full") || share <= 0.5 && strings.Contains(text, "Valve 0 waited") {
				t.Errorf("the newest turn is not there, or the oldest is:\n%s", show(res.Conv))
			}
			for i := range 60 {
				if !strings.Contains(text, fmt.Sprintf("Now step %d.", i+1)) {
					t.Errorf("request %d is gone", i+1)
				}
			}
			if first := strings.Index(text, "are opened by hand"); first > strings.Index(text, "Valve 59 waited") {
				t.Error("the notes stand behind the newest turn")
			}
		})
	}
	t.Run("other layouts", func(t *testing.T) { // they have nothing beside the notes
		for _, layout := range []Layout{LayoutFresh, LayoutFork} {
			res, _ := noting(t, c, shortNotes, func(o *Options, _ *Env) { o.Target.Tokens, o.Layout = total/4, layout })
			if text := all(res.Conv); !strings.Contains(text, "are opened by hand") || strings.Contains(text, "Valve 58 waited") {
				t.Errorf("%s: left %s", layout, show(res.Conv))
			}
		}
	})
}
