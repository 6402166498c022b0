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
// is "" when there are none. Notes needs in.Ask. When the model fails, it asks
// the substitute.
//
// Without notes, made is nil. If skip is not empty, the strategy then returns [Skip] with
// it: it is the plan in a dry run, or the failure with [FallbackTruncate]. If skip is
// empty, as with [FallbackDigest], the strategy works without a model. The error is
// ctx.Err() or an *[AskError], and ends the run.
//
// A strategy calls Notes at most once in a run: a [Stage] holds the outcome of one call.
func (in *Input) Notes(ctx context.Context, messages []*transcript.Message, previous string, room int) (made *notes.Result, skip string, err error) {
	m := &in.Model
	req := notes.Request{
		Messages: messages, Previous: previous, Focus: m.Focus, Prompt: m.Prompt, Room: room,
		Behind: behind(in.Conv, messages), Latest: latestRequest(in.Conv), Typed: in.Opts.UnpinUser,
	}
	if m.DryRun {
		plan, err := in.planOf(req)
		if err != nil {
			skip, err = in.without(err)
			return nil, skip, err
		}
		in.record().planned = true
		return nil, "would ask " + m.Name + ": " + plan, nil
	}
	made, err = notes.Write(ctx, in.askOf(&in.Env), in.fitted(m, req))
	if second := m.Substitute; err != nil && second != nil && ctx.Err() == nil {
		failed, why := made, err
		made, err = notes.Write(ctx, in.askOf(second), in.fitted(&second.Model, req))
		made.Add(failed)
		if err == nil {
			made.Remarks = append(made.Remarks, fmt.Sprintf("%s failed, and %s was asked: %s", m.Name, second.Model.Name, why))
		} else {
			err = fmt.Errorf("%w; %s, which was asked then: %w", why, second.Model.Name, err)
		}
	}
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

// askOf returns what package notes needs to ask a model.
func (in *Input) askOf(e *Env) notes.Env {
	m := &e.Model
	env := notes.Env{Ask: e.Ask, Tokens: m.Tokens, Price: m.Price, Afford: m.Afford, Shorten: in.shortener()}
	if env.Tokens == nil {
		env.Tokens = in.textTokens
	}
	return env
}

// Limits of a model's notes. mostNotes is in tokens, about as many as people read. The others
// divide the model's window, which also has to hold the messages. wantedOfAWindow applies
// with [Model].MaxNotes.
const (
	mostNotes       = 4_000
	notesOfAWindow  = 8
	wantedOfAWindow = 4
)

// fitted returns a request with the window of a model, and the room that it has.
func (in *Input) fitted(m *Model, req notes.Request) notes.Request {
	most, share := mostNotes, notesOfAWindow
	if in.Model.MaxNotes > 0 {
		most, share = in.Model.MaxNotes, wantedOfAWindow
	}
	req.Room, req.Window = min(req.Room, most), m.Window
	if m.Window > 0 {
		req.Room = min(req.Room, max(leastNotes, m.Window/share))
	}
	return req
}

// behind returns the visible messages of a conversation that follow the last of the given ones.
func behind(c *transcript.Conversation, messages []*transcript.Message) (rest []*transcript.Message) {
	if len(messages) == 0 {
		return nil
	}
	last := c.Position(messages[len(messages)-1].ID)
	for m := range c.Visible() {
		if c.Position(m.ID) > last && m.Role != transcript.System {
			rest = append(rest, m)
		}
	}
	return rest
}

// latestRequest returns the last text that the user typed; "" for none.
func latestRequest(c *transcript.Conversation) (text string) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			if m.Role == transcript.User && b.Kind == transcript.Text && b.Origin == transcript.Typed && strings.TrimSpace(b.Text()) != "" {
				text = b.Text()
			}
		}
	}
	return text
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

// planOf returns the plan of a request in words, with that of the substitute.
func (in *Input) planOf(req notes.Request) (string, error) {
	plan, err := notes.PlanOf(in.askOf(&in.Env), in.fitted(&in.Model, req))
	if err == nil && in.Model.Afford != nil {
		err = in.Model.Afford(plan.In, plan.Out)
	}
	if err != nil {
		return "", err
	}
	sends := in.sends(plan.Sends)
	text := planned(plan) + "; an answer that cannot be used is asked for once more"
	second := in.Model.Substitute
	if second == nil {
		return text + sends, nil
	}
	text += "; if that fails, " + second.Model.Name + ": "
	if plan, err = notes.PlanOf(in.askOf(second), in.fitted(&second.Model, req)); err != nil {
		return text + "nothing, because " + err.Error() + sends, nil
	}
	return text + planned(plan) + sends, nil
}

// sends describes what questions send, and the secrets in it.
func (in *Input) sends(c notes.Contents) string {
	text := "; it sends " + c.String()
	switch n := c.Secrets.Total(); {
	case n > 1 && in.Model.NoRedact:
		text += fmt.Sprintf(", with %s as they are", c.Secrets)
	case n == 1 && in.Model.NoRedact:
		text += fmt.Sprintf(", with %s as it is", c.Secrets)
	case n > 0:
		text += fmt.Sprintf(", with %s replaced", c.Secrets)
	}
	return text
}

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
