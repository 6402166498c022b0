package condense

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"condense/strategy"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// Options says how a source is condensed. The zero value is not useful; start
// from [Defaults].
type Options struct {
	// Options say how the strategies work, how small a conversation is to become,
	// and what is kept. Hide needs a format that can hide messages by tags.
	strategy.Options

	Pipeline []*strategy.Strategy // the stages, in order; nil: strategy.Hybrid

	Format    string // name of the dialect; "": it is detected
	Select    string // the only conversation to condense: its id, or its number from 1; "": all
	SessionID string // new id of the session, for a format that records one; "": it stays
	Strict    bool   // one conversation that fails, fails the whole source

	// Counter counts tokens as a model does, and knows the context window of the model.
	// Nil: tokens of o200k_base, and no window.
	Counter *token.Counter
	// Tokens, if not nil, counts a block in place of Counter. It must return the same
	// for the same block, and be safe for concurrent use.
	Tokens func(*transcript.Block) int
	// Ask puts a prompt to a language model, and Model describes that model. Nil:
	// no model is asked.
	Ask   func(context.Context, notes.Prompt) (notes.Reply, error)
	Model strategy.Model
	// Watch, if not nil, is called before each stage with the index of the
	// conversation; the function that it returns is called after the stage, unless
	// the stage ended the run. It is for clocks and logs: nothing depends on it.
	Watch func(conv int, stage string) (over func(*strategy.Stage))
}

// Defaults returns the options that condense every conversation of any format to
// half of its tokens.
func Defaults() Options {
	return Options{Options: strategy.Defaults(), Pipeline: strategy.Hybrid}
}

// Validate returns an error for the first option that makes no sense, a
// *strategy.OptionError, or that contradicts another, a *ConflictError.
func (o *Options) Validate() error {
	if err := o.Options.Validate(); err != nil {
		return err
	}
	if o.Hide {
		if err := o.validateHide(); err != nil {
			return err
		}
	}
	switch {
	case o.DropHidden && len(o.Only) > 0:
		return &ConflictError{"DropHidden", "Only"}
	case o.DropHidden && o.Messages != strategy.Range{}:
		return &ConflictError{"DropHidden", "Messages"}
	}
	return nil
}

// validateHide refuses what hiding whole messages cannot do.
func (o *Options) validateHide() error {
	for _, s := range o.stages() {
		hides := slices.Contains(s.Options, "Hide")
		if summarizes := slices.Contains(s.Options, "Layout"); !hides || summarizes && o.Layout != strategy.LayoutFresh {
			return &strategy.OptionError{Field: "Hide", Problem: "hides whole messages: " + s.Name + " does more than that"}
		}
	}
	for _, also := range []struct {
		field string
		set   bool
	}{
		{"Thinking", o.Thinking != "" && o.Thinking != strategy.ThinkingKeep},
		{"TargetModel", o.TargetModel != ""},
		{"Images", o.Images.Limited},
		{"DropHidden", o.DropHidden},
		{"Caps", len(o.Caps) > 0},
		{"Tags", o.Tags != ""},
	} {
		if also.set {
			return &ConflictError{"Hide", also.field}
		}
	}
	return nil
}

// Implied returns the options of the strategies, completed by what others imply. A
// Condenser goes by them:
//
//   - Fraction is 0 if no stage takes it.
//   - Fraction implies UnpinUser: a typed text goes with its message.
//   - An option of Trigger that is about a window implies Window: that of Counter, if it
//     knows one.
func (o *Options) Implied() strategy.Options {
	all := o.Options
	if !slices.ContainsFunc(o.stages(), func(s *strategy.Strategy) bool { return slices.Contains(s.Options, "Fraction") }) {
		all.Fraction = 0
	}
	all.UnpinUser = all.UnpinUser || all.Fraction > 0
	if all.Window == 0 && all.Trigger.Asked() && o.Counter != nil {
		all.Window, _ = o.Counter.Window()
	}
	return all
}

func (o *Options) stages() []*strategy.Strategy {
	if o.Pipeline == nil {
		return strategy.Hybrid
	}
	return o.Pipeline
}

// Condenser condenses sources by one set of options. Make it with [New]. It is safe
// for concurrent use if the functions of its options are.
type Condenser struct{ o Options }

// New returns a Condenser. The error is that of [Options.Validate].
func New(o Options) (*Condenser, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Options, o.Pipeline = o.Implied(), o.stages()
	if o.Counter == nil && o.Tokens == nil {
		counter, err := token.New("")
		if err != nil {
			return nil, err
		}
		o.Counter = counter
	}
	if o.Tokens == nil {
		o.Tokens = o.Counter.Block
	}
	return &Condenser{o}, nil
}

// Condense condenses src by o: it is New and [Condenser.Condense] in one.
func Condense(ctx context.Context, src []byte, o Options) (*Outcome, error) {
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	return c.Condense(ctx, src)
}

// Condense condenses src, which must not change afterwards. Besides the errors of
// [Condenser.File], the error can be a *format.Error: src is no conversation in the
// format.
func (c *Condenser) Condense(ctx context.Context, src []byte) (*Outcome, error) {
	f, err := format.Decode(src, c.o.Format)
	if err != nil {
		return nil, err
	}
	return c.File(ctx, f)
}

// File is Condense of a source that is decoded already. It does not change f.
//
// The error is a *SelectError, a *format.UnsupportedError, or that of ctx. It is a
// *RefusedError, a *strategy.StageError or a *strategy.AskError if no conversation
// could be condensed, and with Strict if one could not.
func (c *Condenser) File(ctx context.Context, f *format.File) (*Outcome, error) {
	r, err := start(&c.o, f)
	if err != nil {
		return nil, err
	}
	if err := r.decide(ctx); err != nil {
		return nil, err
	}
	if err := r.encode(ctx); err != nil {
		return nil, err
	}
	return r.outcome(), nil
}

// Pick reports for each conversation whether it is the one with that id or, if none
// has it, with that number, from 1. All are if name is "". The error is a *SelectError.
func Pick(convs []*transcript.Conversation, name string) ([]bool, error) {
	picked := make([]bool, len(convs))
	found := false
	for i, c := range convs {
		picked[i] = name == "" || c.ID == name
		found = found || picked[i]
	}
	if n, err := strconv.Atoi(name); err == nil && !found && 1 <= n && n <= len(convs) {
		picked[n-1], found = true, true
	}
	if !found && name != "" {
		return nil, &SelectError{name, len(convs)}
	}
	return picked, nil
}

// Outcome is what became of a source.
type Outcome struct {
	// File is the source, as it was prepared. Its conversations are those before.
	File *format.File
	// Out is what to write: the source itself if Changed is false.
	Out     []byte
	Changed bool
	// Conversations are as many as File has, in the same order.
	Conversations []Conversation
	// Prepared lists what was put right in the source before it was condensed.
	Prepared []format.Mended
	// SessionID is the new id of the session; "" if it is the old one.
	SessionID string
}

// Conversation is what became of one conversation.
type Conversation struct {
	// Result is what was decided; nil if Select does not name the conversation. It
	// holds no edits if Err is not nil.
	Result *strategy.Result
	// Final is the conversation as decoded from Out.
	Final *transcript.Conversation
	// Err is why the conversation was left alone: a *strategy.StageError or a
	// *RefusedError. Nil if it was not, or if there was nothing to do.
	Err error
}

// Left returns the indexes of the conversations that failed and were left alone.
func (o *Outcome) Left() (list []int) {
	for i := range o.Conversations {
		if o.Conversations[i].Err != nil {
			list = append(list, i)
		}
	}
	return list
}

// ends reports whether an error of one conversation ends the run for all of them.
func ends(err error) bool {
	var stage *strategy.StageError
	return !errors.As(err, &stage) || errors.As(err, new(*strategy.AskError))
}

// ConflictError is an option that contradicts another. Both are named by their fields in
// Options.
type ConflictError struct{ Field, With string }

func (e *ConflictError) Error() string { return e.Field + " does not go with " + e.With }

// SelectError is an Options.Select that names no conversation of the source.
type SelectError struct {
	Select string
	Of     int // conversations in the source
}

func (e *SelectError) Error() string {
	return fmt.Sprintf("no conversation %q among %d", e.Select, e.Of)
}

// RefusedError is an output that would break a promise. It is not used.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return "output refused: " + e.Err.Error() }

// Unwrap returns the broken promise.
func (e *RefusedError) Unwrap() error { return e.Err }
