package strategy

import (
	"context"
	"fmt"
	"strings"

	"condense/strategy/notes"
	"condense/transcript"
)

// AskError is a model that failed, or whose answer cannot be used, when [FallbackFail]
// is set.
type AskError struct{ Err error }

func (e *AskError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AskError) Unwrap() error { return e.Err }

// record returns what is recorded for the runner. Copies of an Input share it.
func (in *Input) record() *noted {
	if in.notes == nil {
		in.notes = &noted{}
	}
	return in.notes
}

// Notes has a model write notes of at most room tokens on messages, oldest first. They
// continue previous, the notes on earlier messages, "" for none. Notes needs in.Ask.
//
// made is nil when there are no notes. Then the strategy returns [Skip] with the reason
// skip: the plan in a dry run, or the failure with [FallbackTruncate]. With an empty
// skip, by [FallbackDigest], it works without a model. The error is ctx's own or an
// *[AskError], and ends the run.
//
// A strategy calls Notes at most once in a run: the [Stage] holds the cost, and why
// there are no notes, of one call.
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
		in.record().planned = true
		return nil, "would ask " + m.Name + ": " + planned(plan), nil
	}
	made, err = notes.Write(ctx, env, req)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	in.record().made = made
	if err != nil {
		skip, err = in.without(err)
		return nil, skip, err
	}
	return made, "", nil
}

// without returns what follows from a model that failed: the reason to skip the stage,
// "" to work without a model, or an *AskError.
func (in *Input) without(cause error) (skip string, err error) {
	if in.Model.Fallback == FallbackFail {
		return "", &AskError{cause}
	}
	in.record().fallback = cause.Error()
	if in.Model.Fallback == FallbackTruncate {
		return "no summary: " + cause.Error(), nil
	}
	return "", nil
}

// maxListed is the number of questions that a plan names one by one.
const maxListed = 8

// planned returns a plan in words.
func planned(p notes.Plan) string {
	var what []string
	most := 0
	for _, call := range p.Calls {
		what = append(what, fmt.Sprintf("%s (up to %s tokens)", call.What, transcript.Number(call.In)))
		most = max(most, call.In)
	}
	if len(what) > maxListed {
		what = []string{fmt.Sprintf("%s, one after the other, of up to %s tokens each", transcript.Plural(len(what), "question"), transcript.Number(most))}
	}
	cost := "at a price that is not known"
	if p.Cost != nil {
		cost = fmt.Sprintf("for up to $%.4f", *p.Cost)
	}
	text := fmt.Sprintf("%s; up to %s tokens in and %s out, %s", strings.Join(what, ", "), transcript.Number(p.In), transcript.Number(p.Out), cost)
	if p.Assumed {
		text += fmt.Sprintf("; a context window of %s tokens is assumed", transcript.Number(p.Window))
	}
	return text
}
