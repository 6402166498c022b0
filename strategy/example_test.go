package strategy_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"condense/strategy"
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

// words counts words in place of tokens.
func words(b *transcript.Block) int { return len(strings.Fields(b.Text())) }

// A pipeline is a list of strategies. Each runs only while the conversation is over the
// target, and the last one removes whole units when nothing else helps.
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
	// smart-compress: 1 edits
	// truncate: 10 tokens are within the target of 13
}

// A strategy of one's own removes texts that begin with "Hm". Pins, the applying of its
// edits, and the check of the result are up to Run.
func ExampleStrategy() {
	musings := strategy.Strategy{
		Name: "musings", Doc: "texts of the model that begin with Hm go", Loses: "musings",
		Run: func(_ context.Context, in *strategy.Input) (strategy.Proposal, error) {
			var edits []transcript.Edit
			for ref, b := range in.Conv.Blocks() {
				if b.Origin == transcript.ByModel && strings.HasPrefix(b.Text(), "Hm") {
					edits = append(edits, transcript.Edit{At: ref, Op: transcript.Drop, Why: "musing"})
				}
			}
			if edits == nil {
				return strategy.Skip("there are no musings"), nil
			}
			return strategy.Proposal{Edits: edits}, nil
		},
	}
	o := strategy.Defaults()
	result, err := strategy.Run(context.Background(), chat(), []*strategy.Strategy{&musings}, &o, strategy.Env{Tokens: words})
	if err != nil {
		fmt.Println(err)
		return
	}
	for m := range result.Conv.Visible() {
		fmt.Println(m.Role, m.Blocks[0].Text())
	}
	// Output:
	// user Why does the pump stop?
	// user And now?
	// assistant Replace the valve.
}

// A strategy that asks a model says what to do without one.
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
	env.Ask = func(context.Context, strategy.Prompt) (strategy.Reply, error) {
		return strategy.Reply{Text: "The valve is hot."}, nil
	}
	o := strategy.Defaults()
	result, err := strategy.Run(context.Background(), chat(), []*strategy.Strategy{&minutes}, &o, env)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Stages[0].Skipped)
	// Output:
	// noted: The valve is hot.
}

// Options of single strategies are fields of Options, too. Invalid ones are named by
// their field.
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

// Preparations run when an option demands them, whatever the target.
func ExamplePreparation() {
	for _, p := range strategy.Preparations {
		fmt.Printf("%s (%s): %s\n", p.Name, p.Option, p.Doc)
	}
	// Output:
	// drop-hidden (DropHidden): messages that the model does not see go
	// thinking (Thinking): the model's thinking goes, or what is older than the current turn
	// tags (Tags): text between <drop> tags goes
	// images (Images): images except the newest become a line each
	// cap (Caps): results keep the lines with the most value, up to the cap of their tool
}
