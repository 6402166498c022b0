package strategy_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"strings"

	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/notes"
	"condense/transcript"
)

func message(role transcript.Role, origin transcript.Origin, text string) *transcript.Message {
	block := &transcript.Block{Kind: transcript.Text, Origin: origin, Parts: []transcript.Part{{Text: text}}}
	return &transcript.Message{Role: role, Blocks: []*transcript.Block{block}}
}

// chat returns a conversation of a user and a model.
func chat() *transcript.Conversation {
	return transcript.New("", []*transcript.Message{
		message(transcript.User, transcript.Typed, "Why does the pump stop?"),
		message(transcript.Assistant, transcript.ByModel, "Hm, let me think about it. The valve closes when it is hot."),
		message(transcript.User, transcript.Typed, "And now?"),
		message(transcript.Assistant, transcript.ByModel, "Replace the valve."),
	})
}

// words counts words instead of tokens.
func words(b *transcript.Block) int { return len(strings.Fields(b.Text())) }

// A pipeline is a list of strategies. Each runs only if the conversation is still over the
// target. The last one removes whole units, if nothing else helps.
func ExampleRun() {
	pipeline := []*strategy.Strategy{&strategy.Dedupe, &strategy.Mask, &strategy.Smart, &strategy.Truncate}
	o := strategy.Defaults()
	o.Target = strategy.Target{Share: 0.6}
	result, err := strategy.Run(context.Background(), chat(), pipeline, &o, strategy.Env{Tokens: words})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Before, "tokens before,", result.After, "after")
	for _, s := range result.Stages {
		fmt.Printf("%s: %s\n", s.Name, cmp.Or(s.Skipped, fmt.Sprint(len(s.Edits), " edits")))
	}
	// Output:
	// 23 tokens before, 10 after
	// dedupe: nothing is repeated
	// mask: 0 tool rounds, the last 10 are kept
	// smart-compress: every message is kept by rule
	// truncate: 1 edits
}

// A strategy of a caller is a value and needs no registration. It proposes edits. The run
// discards those that save nothing, and refuses those that break a rule.
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
	o.UnpinUser = true // otherwise typed text stays
	out, err := condense.Condense(context.Background(), src, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", out.Out)
	// Output: [{"role": "user", "content": "Is it Friday?"}, {"role": "assistant", "content": "Yes."}, {"role": "assistant", "content": "Enjoy it."}]
}

// A strategy that asks a model must also handle runs without one.
func ExampleInput_Notes() {
	minutes := strategy.Strategy{Name: "minutes", Run: func(ctx context.Context, in *strategy.Input) (strategy.Proposal, error) {
		if in.Ask == nil {
			return strategy.Skip("no model is configured"), nil
		}
		made, skip, err := in.Notes(ctx, in.Conv.Messages, "", 200)
		if made == nil {
			return strategy.Skip(skip), err
		}
		return strategy.Skip("noted: " + made.Text), nil
	}}
	env := strategy.Env{Tokens: words}
	env.Model.Prompt = "Write one sentence."
	env.Ask = func(context.Context, notes.Prompt) (notes.Reply, error) {
		return notes.Reply{Text: "The valve is hot, and nobody has opened it so far."}, nil
	}
	o := strategy.Defaults()
	result, err := strategy.Run(context.Background(), chat(), []*strategy.Strategy{&minutes}, &o, env)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Stages[0].Skipped)
	// Output:
	// noted: The valve is hot, and nobody has opened it so far.
}

// Options of single strategies are fields of Options, too. Validate names the field with an
// invalid value.
func ExampleOptions_Validate() {
	o := strategy.Defaults()
	o.Layout = strategy.LayoutFresh // of strategy.Summarize
	o.L3 = -0.5                     // of strategy.Progressive
	fmt.Println(o.Validate())
	fmt.Println(strategy.Summarize.Options[0], strategy.Progressive.Options[3])
	// Output:
	// L3 takes a share of the window from 0 up, such as 0.4
	// Layout L3
}
