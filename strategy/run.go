package strategy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	notes "condense/strategy/summary"
	"condense/transcript"
	"condense/transcript/rules"
)

// Result is what a run decided.
type Result struct {
	From   *transcript.Conversation // the input, with its pins
	Conv   *transcript.Conversation // the final state
	Before int                      // tokens of the effective view
	After  int
	Budget int  // tokens aimed at; 0 when nothing was
	Raised bool // the budget is what --min-tokens allows, more than the target
	// Decision is whether the conversation was to be condensed at all.
	Decision Decision
	Stages   []Stage
	// Floor says what keeps the conversation over the budget, largest first;
	// empty when the budget is met.
	Floor []FloorItem
	// Notes say where an option had no effect, and why, for people.
	Notes []string
	// Faults are what was wrong with the input already.
	Faults []rules.Finding

	counts *counts
}

// Reached reports whether the budget is met, or none was aimed at.
func (r *Result) Reached() bool { return r.Budget == 0 || r.After <= r.Budget }

// Stage is what one strategy did.
type Stage struct {
	Name    string
	Skipped string // why it did nothing; "" when it did something
	Edits   []transcript.Edit
	Failed  bool // it did nothing because it failed
	Left    bool // it did nothing because it left the work to the stages behind it
	Refused int  // edits dropped because they saved nothing
	// Refusals are the edits of another program that were refused, each with the reason.
	Refusals []string
	// Asked is what came of asking a model, and what was spent on it, also where the
	// stage made no use of it; nil when none was asked. Fallback is why the model
	// could not be had, or gave nothing that can be used; "" otherwise.
	Asked    *notes.Summary
	Planned  bool // a model would have been asked, which a dry run does not
	Fallback string
	From     *transcript.Conversation // the state that Edits were made for
	Before   int                      // tokens
	After    int
}

// StageError names the stage that broke a promise. Nothing of the run is used.
type StageError struct {
	Stage string
	Err   error
}

func (e *StageError) Error() string { return fmt.Sprintf("strategy %s: %v", e.Stage, e.Err) }

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Err }

// Run sets the pins, then runs the stages one after the other, each on the
// state that the one before left. Rewrites and insertions, alone or as a group,
// that save no tokens are dropped; a stage that would leave a new fault is an
// error. What the options say about whether to do anything at all is decided
// first, and whether it was worth it last.
func Run(ctx context.Context, c *transcript.Conversation, stages []*Strategy, o *Options, env Env) (*Result, error) {
	r := runner{opts: o, env: env, pieces: pinsOf(c, o, transcript.Present), blocks: pinsOf(c, o, transcript.Verbatim)}
	res := &Result{}
	if o.Tags != "" {
		r.typed = typedPins(c, o)
		res.Notes = tagNotes(c.WithPins(r.typed), o)
	}
	c = c.WithPins(r.blocks)
	r.conv, r.counts = c, newCounts(c, env.Tokens)
	r.total = r.counts.conversation(c)
	res.From, res.Before, res.Faults = c, r.total, rules.Check(c)
	r.decision = o.Trigger.decide(c, r.total, triggerWindow(stages, o))
	free := slices.DeleteFunc(slices.Clone(stages), r.held)
	res.Decision = r.decision.of(free)
	res.Budget = budget(free, o, r.total)
	if least := min(r.total, o.Trigger.least()); 0 < res.Budget && res.Budget < least {
		res.Budget, res.Raised = least, true
	}
	r.faults = res.Faults
	r.budget = res.Budget
	for _, s := range slices.Concat(preparations(c, o), capped(steps(stages), o)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		over := env.watch(s.Name)
		stage, err := r.stage(ctx, s)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, &StageError{s.Name, err}
		}
		over(&stage)
		res.Stages = append(res.Stages, stage)
	}
	res.Conv, res.After, res.counts = r.conv, r.total, r.counts
	res.Notes = append(res.Notes, capNotes(r.conv, o, r.counts.block)...)
	if why := o.Trigger.tooLittle(res.Before, res.After); why != "" && res.edited() {
		res.undo(why)
	} else if !res.Reached() {
		res.Floor = r.floor()
	}
	return res, nil
}

// watch is Watch, which may not be set.
func (e *Env) watch(stage string) (over func(*Stage)) {
	if e.Watch == nil {
		return func(*Stage) {}
	}
	return e.Watch(stage)
}

// steps puts the layers of stages in their place.
func steps(stages []*Strategy) (list []*Strategy) {
	for _, s := range stages {
		if s.Layers == nil {
			list = append(list, s)
			continue
		}
		list = append(list, s.Layers...)
	}
	return list
}

// budget is what the pipeline aims at: the target, or half where a stage needs
// one and none is given. The classic window rule replaces a budget, and so does
// a window for the stages that go by one. Without stages nothing is aimed at.
func budget(stages []*Strategy, o *Options, before int) int {
	aims := func(s *Strategy) bool { return s.Aims && o.Fraction == 0 && (!s.Windowed || o.Window == 0) }
	if len(stages) == 0 || !o.Target.set() && !slices.ContainsFunc(stages, aims) {
		return 0
	}
	return o.Target.budget(before)
}

type runner struct {
	opts   *Options
	env    Env
	counts *counts
	conv   *transcript.Conversation
	faults []rules.Finding
	total  int // tokens of conv
	budget int

	decision Decision // what holds stages back

	pieces map[transcript.Ref]transcript.Pin // for strategies that keep protected lines
	blocks map[transcript.Ref]transcript.Pin // for those that keep blocks
	typed  map[transcript.Ref]transcript.Pin // for those that may shorten what the user typed
	retold bool                              // a stage had others
}

// pins sets the pins for a strategy.
func (r *runner) pins(s *Strategy) {
	if len(r.opts.Protect) == 0 && r.opts.Tags == "" && !s.Retells && !r.retold {
		return
	}
	pins := r.blocks
	switch {
	case s.Typed:
		pins = r.typed
	case s.Retells:
		pins = retelling(r.conv, r.opts, r.pieces)
		r.retold = true
	case s.Pieces:
		pins = r.pieces
	}
	r.conv = r.conv.WithPins(pins)
	r.counts.conversation(r.conv) // blocks with another pin are other blocks
}

// held reports whether a stage is not to run at all.
func (r *runner) held(s *Strategy) bool { return r.decision.holds(s, &r.opts.Trigger) }

// stage runs a strategy on the state that there is, and takes over what it does.
func (r *runner) stage(ctx context.Context, s *Strategy) (Stage, error) {
	if !r.held(s) {
		r.pins(s)
	}
	stage := Stage{Name: s.Name, From: r.conv, Before: r.total, After: r.total}
	edits, err := r.edits(ctx, s, &stage)
	if err == nil {
		err = r.apply(edits)
	}
	var skip *SkipError
	var failed *FailedError
	switch {
	case errors.As(err, &skip):
		stage.Skipped, stage.Left = skip.Reason, errors.As(err, new(*leftError))
	case errors.As(err, &failed) && ctx.Err() == nil:
		stage.Skipped, stage.Failed = failed.Error(), true
	case err != nil:
		return stage, err
	default:
		stage.Edits, stage.After = edits, r.total
	}
	return stage, nil
}

// edits has a strategy propose edits, gives those that are worth it, and tells the
// stage what came of the others. None is a *SkipError.
func (r *runner) edits(ctx context.Context, s *Strategy, stage *Stage) ([]transcript.Edit, error) {
	switch {
	case r.held(s):
		return nil, &SkipError{r.decision.Why}
	case r.budget > 0 && r.total <= r.budget && !s.Demanded:
		return nil, &SkipError{fmt.Sprintf("%s tokens are within the target of %s", thousands(r.total), thousands(r.budget))}
	}
	in := r.input()
	edits, err := s.Run(ctx, in)
	stage.Asked, stage.Planned, stage.Fallback = in.asked, in.planned, in.fallback
	if err == nil && s.Foreign {
		edits, stage.Refusals, err = in.screened(r.total, edits)
	}
	if err != nil {
		return nil, err
	}
	worth := ratchet(in, edits)
	stage.Refused = len(edits) - len(worth)
	if len(worth) == 0 {
		return nil, &SkipError{"nothing that it could do saves tokens"}
	}
	kept := in.above(r.total, worth)
	if len(kept) == 0 {
		return nil, r.tooSmall()
	}
	if s.Retells {
		if err := retoldWhole(in, kept); err != nil {
			return nil, err
		}
	}
	return settle(r.conv, kept)
}

// input is what a strategy sees of the state that there is.
func (r *runner) input() *Input {
	in := &Input{Conv: r.conv, Opts: r.opts, Budget: r.budget, Env: r.env}
	in.Tokens = r.counts.block
	if r.budget > 0 {
		in.Need = r.total - r.budget
	}
	return in
}

// tooSmall is why edits are not applied that would leave too little.
func (r *runner) tooSmall() error {
	return &SkipError{"what it could do would leave less than --min-tokens " + thousands(r.opts.Trigger.MinTokens)}
}

// apply takes the edits over if the result is valid and smaller. A *SkipError says
// that it would be too small.
func (r *runner) apply(edits []transcript.Edit) error {
	next, err := r.conv.Apply(edits)
	if err != nil {
		return err
	}
	faults := rules.Check(next)
	if added := rules.New(r.faults, faults); len(added) > 0 {
		return fmt.Errorf("it would break the conversation: %s", added[0])
	}
	total := r.counts.conversation(next)
	if total > r.total {
		return fmt.Errorf("it would grow the conversation from %d to %d tokens", r.total, total)
	}
	if total < r.opts.Trigger.MinTokens && total < r.total {
		return r.tooSmall() // what is said of other blocks can change with them
	}
	for ref, b := range next.Blocks() {
		if r.conv.Message(ref.Msg) == nil && b.Pin != transcript.Unpinned { // it was inserted so
			r.pieces[ref], r.blocks[ref] = b.Pin, b.Pin
		}
	}
	r.conv, r.total, r.faults = next, total, faults
	return nil
}
