package condense

import (
	"context"
	"slices"

	"condense/strategy"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// A run condenses one source.
type run struct {
	o      *Options
	owned  bool // nobody else uses the conversations of the file
	src    []byte
	file   *format.File // prepared
	picked []bool       // the conversations that Select selects

	budgets []int // tokens that each conversation may have, in place of the target; nil for the target

	cleaned  []format.Mended
	session  string         // the new id of the session; "" if it did not change
	convs    []Conversation // results for the conversations of file
	changed  []int          // conversations with changes to encode
	good     []int          // conversations whose changes are in the output
	out      []byte
	decoded  *format.File      // out, decoded
	warnings []rules.Finding   // new ones about out
	kept     []keeping         // for further decisions, by conversation
	tries    int               // number of failed encodings
	sought   bool              // the run has looked for an anchor
	wholes   int               // number of conversations decided again with all messages
	replies  [][]reply         // of the model, by conversation
	ids      map[string]string // numbers of removed texts, by id

	shorter bool // rows were left out

	failed int   // number of failed conversations
	first  error // error of the first of them
}

// start prepares a file for a run: its dialect repairs what would hinder the run.
func start(o *Options, f *format.File) (*run, error) {
	picked, err := Pick(f.Convs, o.Select)
	if err != nil {
		return nil, err
	}
	r := &run{o: o, src: f.Source(), out: f.Source(), decoded: f, picked: picked, ids: map[string]string{}}
	if f, r.cleaned, err = f.Prepare(picked); err != nil {
		return nil, &RefusedError{Err: err}
	}
	if o.SessionID != "" && (!f.Dialect.Sessions() || len(f.Convs) == 0) {
		_, err := f.Rename(o.SessionID)
		return nil, err
	}
	if o.Hide {
		if f, err = f.With(format.Options{Tag: o.Hide}); err != nil {
			return nil, err
		}
	}
	r.file = f
	r.convs = make([]Conversation, len(f.Convs))
	r.replies = make([][]reply, len(f.Convs))
	r.kept = make([]keeping, len(f.Convs))
	for i, conv := range f.Convs {
		r.convs[i].Final = conv
	}
	return r, nil
}

// elsewhere reports whether the output changes outside of conversations.
func (r *run) elsewhere() bool { return r.session != "" || len(r.cleaned) > 0 }

// rename changes the id of the session in the output, if the options ask for that.
func (r *run) rename() error {
	id := r.o.SessionID
	if id == "new" {
		id = r.decoded.NewSessionID()
	}
	if id == "" || r.decoded.Convs[0].ID == id {
		return nil
	}
	out, err := r.decoded.Rename(id)
	if err != nil {
		return err
	}
	again, err := r.decoded.Verify(r.decoded.Convs, out)
	if err != nil {
		return &RefusedError{Err: err}
	}
	if !r.readable(again) {
		return &format.UnsupportedError{Dialect: r.file.Dialect.Name, Option: "SessionID", Missing: "other sign in this file than its session id"}
	}
	r.session, r.out, r.decoded = id, out, again
	for i := range r.convs {
		r.convs[i].Final = again.Convs[i]
	}
	return nil
}

// decide runs the stages on each picked conversation.
func (r *run) decide(ctx context.Context) error {
	for i, conv := range r.file.Convs {
		if !r.picked[i] {
			continue
		}
		implied, options, err := r.implied(ctx, i)
		if err != nil {
			return err
		}
		result, err := strategy.Run(ctx, conv, options.Pipeline, &implied, r.env(i))
		switch {
		case err != nil && ends(err):
			return err
		case err != nil:
			if err := r.fail(ctx, i, err); err != nil {
				return err
			}
			continue
		}
		r.convs[i].Result = result
		for _, removed := range result.Removed {
			r.ids[removed.ID] = removed.Number
		}
		if edited(result) {
			r.changed = append(r.changed, i)
		}
	}
	return nil
}

// edited reports whether a stage has edits.
func edited(r *strategy.Result) bool {
	return slices.ContainsFunc(r.Stages, func(s strategy.Stage) bool { return len(s.Edits) > 0 })
}

// implied returns the options for conversation i, and what they imply for its strategies.
func (r *run) implied(ctx context.Context, i int) (implied strategy.Options, options *Options, err error) {
	if options, err = r.options(ctx, r.file.Convs[i]); err != nil {
		return implied, nil, err
	}
	implied = options.Implied()
	switch {
	case r.budgets != nil:
		implied.Target = strategy.Target{Tokens: r.budgets[i]}
		implied.Trigger.Always = true
	case options.bytesOnly():
		implied.Target = strategy.Target{Share: 1}
	}
	return implied, options, nil
}

// options returns the options for a conversation: those of the run, with the stages that Choose
// returns for it.
func (r *run) options(ctx context.Context, c *transcript.Conversation) (*Options, error) {
	if r.o.Choose == nil {
		return r.o, nil
	}
	stages, err := r.o.Choose(ctx, c, r.file.Dialect.Name)
	if err != nil || stages == nil {
		return r.o, err
	}
	chosen := *r.o
	chosen.Pipeline = stages
	return &chosen, chosen.Validate()
}

// env returns the environment of the strategies for conversation i.
func (r *run) env(i int) strategy.Env {
	env := strategy.Env{Tokens: r.o.Tokens, Model: r.o.Model, Owned: r.owned && r.convs[i].Result == nil}
	env.EndsWithUser = r.file.Dialect.Target().EndsWithUser()
	env.Pinned = func(c *transcript.Conversation) { r.file.Convs[i], r.convs[i].Final = c, c }
	if taken := r.o.IDs; taken != nil {
		env.IDs = func(id, number string) bool {
			other, used := r.ids[id]
			return used && other != number || taken(id, number)
		}
	}
	if r.o.Ask != nil {
		env.Ask = func(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
			answer, err := r.o.Ask(ctx, p)
			r.replies[i] = append(r.replies[i], reply{answer, err})
			return answer, err
		}
	}
	if watch := r.o.Watch; watch != nil {
		env.Watch = func(stage string) func(*strategy.Stage) { return watch(i, stage) }
	}
	return env
}

// A reply is what a model answered.
type reply struct {
	answer notes.Reply
	err    error
}

// envAgain is env for a second decision about conversation i. It repeats the replies of the model in their
// order before it asks again: the questions are nearly the same, and each costs money.
func (r *run) envAgain(i int) strategy.Env {
	env, again := r.env(i), r.replies[i]
	if ask := env.Ask; ask != nil {
		env.Ask = func(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
			if len(again) == 0 {
				return ask(ctx, p)
			}
			first := again[0]
			again = again[1:]
			return first.answer, first.err
		}
	}
	return env
}

// fail leaves a conversation alone because of err. It returns an error if that ends the run: with
// Strict, or when every picked conversation has failed.
func (r *run) fail(ctx context.Context, i int, err error) error {
	if r.first == nil {
		r.first = err
	}
	r.failed++
	if r.o.Strict || r.failed == count(r.picked) {
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

// count counts the picked conversations.
func count(picked []bool) (n int) {
	for _, p := range picked {
		if p {
			n++
		}
	}
	return n
}

// outcome returns the results of the run.
func (r *run) outcome() *Outcome {
	return &Outcome{
		File: r.file, Out: r.out, Decoded: r.decoded, Warnings: r.warnings, Changed: len(r.good) > 0 || r.shorter || r.elsewhere(),
		Conversations: r.convs, Prepared: r.cleaned, SessionID: r.session, Counter: r.o.Counter,
	}
}
