package condense

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"condense/strategy"
	"condense/strategy/expand"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
)

// Options describe how to condense a source. The zero value is not useful; start from [Defaults].
type Options struct {
	// Options configure the strategies: the target, the pins, the trigger. Hide needs a format
	// that can hide messages by tags.
	strategy.Options

	Pipeline []*strategy.Strategy // the stages, in order; nil for strategy.Hybrid
	// Choose returns the stages for one conversation of a file in the named format, or nil for
	// those of Pipeline. It is nil if all conversations have the same stages. Its error ends the
	// run.
	Choose func(ctx context.Context, c *transcript.Conversation, format string) ([]*strategy.Strategy, error)

	Format    string // name of the dialect; "" to detect it, also in the output
	Column    string // path to the conversations in each row of the source, as format.DecodeColumn takes it; "" if there are none around them
	Select    string // the only conversation to condense: its id, or its number from 1; "" for all
	SessionID string // new id of the session, for a format that records one; "" to keep the old one; "new" for one made from the output
	Strict    bool   // set if one failed conversation fails the whole source
	DropRows  bool   // with Training, leave out rows that do not fit, instead of copying them
	// MaxBytes limits the bytes of the output; 0 for no limit. If the target leaves more, the
	// conversations are condensed further, at most six times in all. Without a target and a
	// window, as many tokens stay as fit.
	MaxBytes int

	// Counter counts tokens as a model does, and knows the context window of the model.
	// If it is nil, tokens are those of the model that the source names ([token.Models.Of]); if the source
	// names none, they are those of o200k_base, and no window is known.
	Counter *token.Counter
	// Tokens, if not nil, counts a block in place of Counter. It must return the same
	// for the same block, and be safe for concurrent use.
	Tokens func(*transcript.Block) int
	// Ask puts a prompt to a language model, and Model describes that model. If Ask is
	// nil, no model is asked.
	Ask   func(context.Context, notes.Prompt) (notes.Reply, error)
	Model strategy.Model
	// IDs, if not nil, makes markers carry ids of the text that they stand for, and fills
	// strategy.Result.Removed. The function reports whether an id belongs to another text.
	IDs expand.Taken
	// Watch, if not nil, is called before each stage with the index of the conversation.
	// The function that it returns is called after the stage, unless the stage ended the
	// run. Watch serves clocks and logs: no result depends on it.
	Watch func(conv int, stage string) (over func(*strategy.Stage))
}

// Defaults returns the options that condense every conversation of any format to
// half of its tokens.
func Defaults() Options {
	return Options{Options: strategy.Defaults(), Pipeline: strategy.Hybrid}
}

// Validate returns an error for the first invalid option: a *strategy.OptionError, or a
// *ConflictError if it contradicts another option.
func (o *Options) Validate() error {
	if err := o.Options.Validate(); err != nil {
		return err
	}
	if o.Hide {
		if err := o.validateHide(); err != nil {
			return err
		}
	}
	if o.Training {
		if err := o.validateTraining(); err != nil {
			return err
		}
	}
	switch {
	case o.DropRows && !o.Training:
		return &strategy.OptionError{Field: "DropRows", Problem: "leaves out rows of training sets: it goes only with --for training"}
	case o.MaxBytes < 0:
		return &strategy.OptionError{Field: "MaxBytes", Problem: "takes a number of bytes from 0 up"}
	case o.MaxBytes > 0 && o.Hide:
		return &ConflictError{"MaxBytes", "Hide"}
	case o.MaxBytes > 0 && o.Training:
		return &ConflictError{"MaxBytes", "Training"}
	case o.DropHidden && len(o.Only) > 0:
		return &ConflictError{"DropHidden", "Only"}
	case o.DropHidden && o.Messages != strategy.Range{}:
		return &ConflictError{"DropHidden", "Messages"}
	}
	return nil
}

// validateHide returns an error for options that need more than hiding whole messages.
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

// validateTraining returns an error for options that change more than the results and
// injected texts of a training set.
func (o *Options) validateTraining() error {
	for _, s := range o.stages() {
		if slices.Contains(s.Options, "Layout") {
			return &strategy.OptionError{Field: "Training", Problem: "keeps all messages of a row, which " + s.Name + " replaces"}
		}
	}
	for _, also := range []struct {
		field string
		set   bool
	}{
		{"Hide", o.Hide},
		{"Unpin", o.UnpinUser || o.UnpinLast},
		{"Fraction", o.Fraction > 0},
		{"Thinking", o.Thinking != "" && o.Thinking != strategy.ThinkingKeep},
		{"TargetModel", o.TargetModel != ""},
		{"DropHidden", o.DropHidden},
		{"Tags", o.Tags != ""},
	} {
		if also.set {
			return &ConflictError{"Training", also.field}
		}
	}
	return nil
}

// Implied returns the options of the strategies that a Condenser uses. Some options imply others:
//
//   - Fraction is 0 if no stage uses it.
//   - Fraction implies UnpinUser, since typed texts are removed with their messages.
//   - An option of Trigger that refers to a window implies Window, which is that of Counter if it
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

// stages returns the pipeline.
func (o *Options) stages() []*strategy.Strategy {
	if o.Pipeline == nil {
		return strategy.Hybrid
	}
	return o.Pipeline
}

// A Condenser condenses sources with one set of options. [New] returns one. It is safe for concurrent
// use if the functions of its options are.
type Condenser struct {
	o     Options
	table token.Models // of the models that sources name; nil if o says how to count
}

// New returns a Condenser. Its error is that of [Options.Validate].
func New(o Options) (*Condenser, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Pipeline = o.stages()
	c := &Condenser{o: o}
	if o.Counter == nil && o.Tokens == nil {
		c.table = token.BuiltIn()
	}
	return c, nil
}

// counted returns the options of c with a counter for the conversations of a source.
func (c *Condenser) counted(convs []*transcript.Conversation) (o Options, err error) {
	if o = c.o; o.Tokens != nil {
		return o, nil
	}
	if c.table != nil {
		if o.Counter, _, err = c.table.Of(convs); err != nil {
			return o, err
		}
	}
	if o.Counter == nil {
		if o.Counter, err = token.New(""); err != nil {
			return o, err
		}
	}
	o.Tokens = o.Counter.Block
	return o, nil
}

// Condense condenses src with the options o: it calls [New] and [Condenser.Condense].
func Condense(ctx context.Context, src []byte, o Options) (*Outcome, error) {
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	return c.Condense(ctx, src)
}

// Condense condenses src, which must not change afterwards. Its error is one of [Condenser.File], or a
// *format.Error if src is not a conversation in the format.
func (c *Condenser) Condense(ctx context.Context, src []byte) (*Outcome, error) {
	f, err := format.DecodeColumn(src, c.o.Format, c.o.Column)
	if err != nil {
		return nil, err
	}
	return c.Consume(ctx, f)
}

// Consume is [Condenser.File] for a source that nobody else uses. It needs less memory, and changes the
// conversations of f.
func (c *Condenser) Consume(ctx context.Context, f *format.File) (*Outcome, error) {
	if c.o.MaxBytes > 0 { // it may be condensed several times
		return c.File(ctx, f)
	}
	return c.once(ctx, f, nil, true)
}

// File condenses a decoded source. It does not change f.
//
// Its error is a *SelectError, a *format.UnsupportedError, an *UnfitError, or that of ctx. If no conversation could be
// condensed, or with Strict if one could not, it is a *RefusedError, a *strategy.StageError or a
// *strategy.AskError.
func (c *Condenser) File(ctx context.Context, f *format.File) (*Outcome, error) {
	out, err := c.once(ctx, f, nil, false)
	if err != nil || c.o.MaxBytes == 0 || len(out.Out) <= c.o.MaxBytes {
		return out, err
	}
	return c.fit(ctx, f, out)
}

// once is [Condenser.File] without MaxBytes. budgets, if not nil, holds the tokens that each
// conversation may have; they replace the target. owned reports that nobody else uses f.
func (c *Condenser) once(ctx context.Context, f *format.File, budgets []int, owned bool) (*Outcome, error) {
	o, err := c.counted(f.Convs)
	if err != nil {
		return nil, err
	}
	r, err := start(&o, f)
	if err != nil {
		return nil, err
	}
	r.budgets, r.owned = budgets, owned
	if err := r.decide(ctx); err != nil {
		return nil, err
	}
	if err := r.encode(ctx); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	if err := r.dropRows(); err != nil {
		return nil, err
	}
	if err := r.rename(); err != nil {
		return nil, err
	}
	return r.outcome(), nil
}

// Pick reports for each conversation whether name selects it: by its id or, if no conversation has that
// id, by its number from 1. The empty name selects all. Its error is a *SelectError.
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

// An Outcome is the result for a source.
type Outcome struct {
	// File is the prepared source, with the conversations before the run.
	File *format.File
	// Out holds the output, which is the source itself if Changed is false.
	Out     []byte
	Changed bool
	// Decoded is Out, decoded again; nil if rows were left out.
	Decoded *format.File
	// Warnings lists the warnings about the output by the rules of the format's reader that the source does not
	// have. New errors are none of them: an output with one is not used.
	Warnings []rules.Finding
	// Conversations holds an entry for each conversation of File, in the same order.
	Conversations []Conversation
	// Prepared lists the repairs of the source before it was condensed.
	Prepared []format.Mended
	// SessionID is the new id of the session; "" if it did not change.
	SessionID string
	// Counter counted the tokens, unless Options.Tokens did.
	Counter *token.Counter
	// Least is 0, or the bytes of the smallest output that was found, if that is more than
	// Options.MaxBytes. The output is then the one without that limit.
	Least int
}

// A Conversation is the result for one conversation.
type Conversation struct {
	// Result holds the decision and the edits; it is nil if Select does not select the
	// conversation. It holds no edits if Err is not nil.
	Result *strategy.Result
	// Final is the conversation as decoded from Out; it has no messages when it was dropped.
	Final *transcript.Conversation
	// Dropped is set for a row that does not fit and was left out.
	Dropped bool
	// Err is the error for which the conversation was left alone: a *strategy.StageError or
	// a *RefusedError. It is nil for other conversations, also for unchanged ones.
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

// ends reports whether an error of one conversation ends the run for all conversations.
func ends(err error) bool {
	var stage *strategy.StageError
	return !errors.As(err, &stage) || errors.As(err, new(*strategy.AskError))
}

// A ConflictError reports an option that contradicts another. Both are names of fields of Options.
type ConflictError struct{ Field, With string }

func (e *ConflictError) Error() string { return e.Field + " does not go with " + e.With }

// A SelectError reports an Options.Select that selects no conversation of the source.
type SelectError struct {
	Select string
	Of     int // number of conversations in the source
}

func (e *SelectError) Error() string {
	return fmt.Sprintf("no conversation %q among %d", e.Select, e.Of)
}

// A RefusedError reports an output that would break a guarantee. The output is discarded.
type RefusedError struct {
	Err error
	// Damage describes the first fault of a damaged source, "" if there is none. What belongs
	// together is not certain in such a source, and an edit may change what a reader finds.
	Damage string
}

func (e *RefusedError) Error() string { return "output refused: " + e.Reason() }

// Reason returns the text of Err, and the fault of the source.
func (e *RefusedError) Reason() string {
	if e.Damage == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + "; the source is damaged: " + e.Damage
}

// Unwrap returns the error that describes the broken guarantee.
func (e *RefusedError) Unwrap() error { return e.Err }
