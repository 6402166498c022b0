package strategy

import (
	"context"
	"fmt"
	"strings"

	"condense/strategy/notes"
	"condense/transcript"
)

// What a strategy may ask a model, through [Env].Ask. The types are those of
// package summary, which writes the prompts and reads the replies.
type (
	Prompt = notes.Prompt
	Reply  = notes.Reply
)

// Model is what is known of the model behind [Env].Ask, and how it is to be
// used. The zero value knows nothing and refuses nothing.
type Model struct {
	Name   string
	Window int                        // its context window in tokens; 0: not known
	Tokens func(string) int           // counts a text; nil: as Env.Tokens counts a block of it
	Price  func(in, out int) *float64 // USD of so many tokens; nil, or a nil result: not known
	Afford func(in, out int) error    // refuses questions of so many tokens; nil: none

	Focus    string   // what summaries keep above all, in the user's words
	Prompt   string   // instructions for summaries, in place of the built-in ones
	Fallback Fallback // what to do when it cannot be had; "": FallbackDigest
	DryRun   bool     // ask nothing, say what would be asked
}

// Fallback is what a run does when no model could be had.
type Fallback string

// The fallbacks.
const (
	FallbackDigest   Fallback = "digest"   // a summary without a model
	FallbackTruncate Fallback = "truncate" // none: the strategies that follow drop what is too much
	FallbackFail     Fallback = "fail"     // the run ends with an *AskError
)

// Fallbacks lists what --fallback takes, the default first.
func Fallbacks() []string {
	return []string{string(FallbackDigest), string(FallbackTruncate), string(FallbackFail)}
}

// AskError is a model that could not be had, or gave nothing that can be used,
// where [FallbackFail] rules out doing without.
type AskError struct{ Err error }

func (e *AskError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AskError) Unwrap() error { return e.Err }

// noted is what the runner has to know of a call of [Input.Notes].
type noted struct {
	made     *notes.Result
	planned  bool   // a model would have been asked, which a dry run does not
	fallback string // why there are no notes, when the strategy does without
}

// Notes has the model write notes of at most room tokens on messages, oldest first.
// They carry on previous, the notes on what came before, "" for none. It needs in.Ask.
//
// Without notes made is nil. Then the strategy returns [Skip] of the reason skip: the
// plan in a dry run, or why there is no model by [FallbackTruncate]. With skip "" it does
// without a model, by [FallbackDigest]. The error is ctx's own or an *[AskError], and
// ends the run.
//
// The [Stage] holds what was spent, and why there are no notes, for one call of Notes
// in each.
func (in *Input) Notes(ctx context.Context, messages []*transcript.Message, previous string, room int) (made *notes.Result, skip string, err error) {
	m := &in.Model
	env := notes.Env{Ask: in.Ask, Tokens: m.Tokens, Price: m.Price, Afford: m.Afford}
	if env.Tokens == nil {
		env.Tokens = func(text string) int {
			return in.Tokens(&transcript.Block{Kind: transcript.Text, Parts: []transcript.Part{{Text: text}}})
		}
	}
	req := notes.Request{Messages: messages, Previous: previous, Focus: m.Focus, Prompt: m.Prompt, Room: room, Window: m.Window}
	if m.DryRun {
		plan, err := notes.PlanOf(env, req)
		if err != nil {
			skip, err = in.without(err)
			return nil, skip, err
		}
		in.notes.planned = true
		return nil, "would ask " + m.Name + ": " + planned(plan), nil
	}
	made, err = notes.Write(ctx, env, req)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	in.notes.made = made
	if err != nil {
		skip, err = in.without(err)
		return nil, skip, err
	}
	return made, "", nil
}

// without returns what the fallback makes of a model that gave no notes: the reason to
// skip the stage, "" to do without, or an *AskError.
func (in *Input) without(cause error) (skip string, err error) {
	if in.Model.Fallback == FallbackFail {
		return "", &AskError{cause}
	}
	in.notes.fallback = cause.Error()
	if in.Model.Fallback == FallbackTruncate {
		return "no summary: " + cause.Error(), nil
	}
	return "", nil
}

// maxListed is how many questions a plan names one by one.
const maxListed = 8

// planned is a plan in words.
func planned(p notes.Plan) string {
	var what []string
	most := 0
	for _, call := range p.Calls {
		what = append(what, fmt.Sprintf("%s (up to %s tokens)", call.What, thousands(call.In)))
		most = max(most, call.In)
	}
	if len(what) > maxListed {
		what = []string{fmt.Sprintf("%s, one after the other, of up to %s tokens each", plural(len(what), "question"), thousands(most))}
	}
	cost := "at a price that is not known"
	if p.Cost != nil {
		cost = fmt.Sprintf("for up to $%.4f", *p.Cost)
	}
	text := fmt.Sprintf("%s; up to %s tokens in and %s out, %s", strings.Join(what, ", "), thousands(p.In), thousands(p.Out), cost)
	if p.Assumed {
		text += fmt.Sprintf("; a context window of %s tokens is assumed", thousands(p.Window))
	}
	return text
}
