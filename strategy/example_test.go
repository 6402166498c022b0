package strategy_test

import (
	"context"
	"fmt"
	"log"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
)

// A strategy of one's own is a value, which needs no registration. It proposes edits;
// the run drops those that save nothing, and refuses those that break a rule.
func ExampleStrategy() {
	withoutThanks := &strategy.Strategy{
		Name: "without-thanks", Doc: "removes messages that only say thanks", Loses: "politeness",
		Run: func(_ context.Context, in *strategy.Input) (strategy.Proposal, error) {
			var p strategy.Proposal
			for m := range in.Conv.Visible() {
				if len(m.Blocks) == 1 && m.Blocks[0].Text() == "Thanks!" {
					p.Edits = append(p.Edits, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop, Why: "it says thanks"})
				}
			}
			return p, nil
		},
	}
	src := []byte(`[{"role": "user", "content": "Is it Friday?"}, {"role": "assistant", "content": "Yes."},` +
		` {"role": "user", "content": "Thanks!"}, {"role": "assistant", "content": "Enjoy it."}]`)
	o := condense.Defaults()
	o.Pipeline = []*strategy.Strategy{withoutThanks}
	o.UnpinUser = true // what the user typed stays otherwise
	out, err := condense.Condense(context.Background(), src, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", out.Out)
	// Output: [{"role": "user", "content": "Is it Friday?"}, {"role": "assistant", "content": "Yes."}, {"role": "assistant", "content": "Enjoy it."}]
}
