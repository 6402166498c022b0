package condense

import (
	"context"
	"slices"

	"condense/strategy"
	"condense/transcript/format"
)

// run is one source on its way.
type run struct {
	o        *Options
	src      []byte
	file     *format.File
	picked   []bool
	selected int // how many of picked are true

	cleaned []format.Mended
	session string // the new id of the session; "": it stays
	convs   []Conversation
	changed []int // the conversations that are to change

	failed int   // conversations
	first  error // of these

	good  []int // the conversations that do change
	out   []byte
	tries int // of encoding that failed
}

// prepare readies the file for the run: the dialect puts right what would hinder it.
func (r *run) prepare(f *format.File) (err error) {
	if f, r.cleaned, err = f.WithoutOrphanTags(r.picked); err != nil {
		return &RefusedError{err}
	}
	if r.o.SessionID != "" && (len(f.Convs) == 0 || f.Convs[0].ID != r.o.SessionID) {
		r.session = r.o.SessionID
	}
	if r.o.Hide || r.session != "" {
		if f, err = f.With(format.Options{Tag: r.o.Hide, SessionID: r.session}); err != nil {
			return err
		}
	}
	r.file = f
	return nil
}

// decide runs the stages on each picked conversation.
func (r *run) decide(ctx context.Context) error {
	r.convs = make([]Conversation, len(r.file.Convs))
	for i, conv := range r.file.Convs {
		r.convs[i].Final = conv
		if !r.picked[i] {
			continue
		}
		result, err := strategy.Run(ctx, conv, r.o.Pipeline, &r.o.Options, r.env(i))
		if err != nil {
			if ends(err) {
				return err
			}
			if err := r.fail(ctx, i, err); err != nil {
				return err
			}
			continue
		}
		r.convs[i].Result = result
		if slices.ContainsFunc(result.Stages, func(s strategy.Stage) bool { return len(s.Edits) > 0 }) {
			r.changed = append(r.changed, i)
		}
	}
	return nil
}

// env returns what the strategies need of the world for conversation i.
func (r *run) env(i int) strategy.Env {
	env := strategy.Env{Tokens: r.o.Tokens, Ask: r.o.Ask, Model: r.o.Model}
	if watch := r.o.Watch; watch != nil {
		env.Watch = func(stage string) func(*strategy.Stage) { return watch(i, stage) }
	}
	return env
}

// fail leaves a conversation alone because of err. It returns an error where that
// ends the run: with Strict, or when no conversation is left.
func (r *run) fail(ctx context.Context, i int, err error) error {
	if r.first == nil {
		r.first = err
	}
	r.failed++
	if r.o.Strict || r.failed == r.selected {
		return r.first
	}
	left, none := strategy.Run(ctx, r.file.Convs[i], nil, &strategy.Options{}, strategy.Env{Tokens: r.o.Tokens})
	if none != nil {
		return none
	}
	if was := r.convs[i].Result; was != nil {
		left.Budget, left.Raised = was.Budget, was.Raised
	}
	r.convs[i] = Conversation{Result: left, Final: r.file.Convs[i], Err: err}
	return nil
}

// outcome is what there is to hand back.
func (r *run) outcome() *Outcome {
	return &Outcome{
		File: r.file, Out: r.out, Changed: len(r.good) > 0 || r.session != "" || len(r.cleaned) > 0,
		Conversations: r.convs, Prepared: r.cleaned, SessionID: r.session,
	}
}
