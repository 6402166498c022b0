package strategy

import (
	"context"
	"fmt"
	"strings"

	"condense/strategy/notes"
	"condense/transcript"
)

// AskError is the error of a run with [FallbackFail] when the model fails, or when its
// answer cannot be used.
type AskError struct{ Err error }

func (e *AskError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *AskError) Unwrap() error { return e.Err }

// record returns the outcome that [Input.Notes] writes for the runner. Copies of an Input
// share it.
func (in *Input) record() *noted {
	if in.notes == nil {
		in.notes = &noted{}
	}
	return in.notes
}

// Notes asks the model for notes on messages, which are sorted from old to new. The notes
// have at most room tokens. They continue previous, the notes on earlier messages, which
// is "" when there are none. Notes needs in.Ask.
//
// Without notes, made is nil. If skip is not empty, the strategy then returns [Skip] with
// it: it is the plan in a dry run, or the failure with [FallbackTruncate]. If skip is
// empty, as with [FallbackDigest], the strategy works without a model. The error is
// ctx.Err() or an *[AskError], and ends the run.
//
// A strategy calls Notes at most once in a run: a [Stage] holds the outcome of one call.
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

// without decides how a stage goes on after the model failed. It returns the reason to
// skip the stage, "" to work without a model, or an *AskError to end the run.
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

// maxListed is the largest number of questions that a plan lists one by one.
const maxListed = 8

// planned describes a plan in words.
func planned(p notes.Plan) string {
	var questions []string
	most := 0
	for _, call := range p.Calls {
		questions = append(questions, fmt.Sprintf("%s (up to %s tokens)", call.What, transcript.Number(call.In)))
		most = max(most, call.In)
	}
	if len(questions) > maxListed {
		questions = []string{fmt.Sprintf("%s, one after the other, of up to %s tokens each", transcript.Plural(len(questions), "question"), transcript.Number(most))}
	}
	cost := "at a price that is not known"
	if p.Cost != nil {
		cost = fmt.Sprintf("for up to $%.4f", *p.Cost)
	}
	text := fmt.Sprintf("%s; up to %s tokens in and %s out, %s", strings.Join(questions, ", "), transcript.Number(p.In), transcript.Number(p.Out), cost)
	if p.Assumed {
		text += fmt.Sprintf("; a context window of %s tokens is assumed", transcript.Number(p.Window))
	}
	return text
}
