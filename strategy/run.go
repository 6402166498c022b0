package strategy

import (
	"context"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/rules"
)

// StageError is the error of a stage, which ends the run.
type StageError struct {
	Stage string
	Err   error
}

func (e *StageError) Error() string { return fmt.Sprintf("strategy %s: %v", e.Stage, e.Err) }

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Err }

// Run condenses a conversation. It sets the pins and decides by the options whether to
// act. Then it runs the stages in order, each on the state that the one before left. It
// discards rewrites and inserts that save no tokens, alone or with their group. At the
// end it undoes everything if the run saved less than Trigger.MinGain.
//
// The error is ctx.Err() or a *[StageError]: a stage failed, proposed an invalid edit, or
// would break a rule that the input keeps.
func Run(ctx context.Context, c *transcript.Conversation, stages []*Strategy, o *Options, env Env) (*Result, error) {
	r := runner{opts: o, env: env, blocks: pinsOf(c, o, transcript.Verbatim), training: newTraining(c, o)}
	if r.pieces = r.blocks; r.training != nil || protectsLines(o) {
		r.pieces = pinsOf(c, o, transcript.Present)
	}
	r.training.pin(r.pieces, transcript.Present)
	r.training.pin(r.blocks, transcript.Verbatim)
	res := &Result{}
	if o.Tags != "" {
		r.typed = typedPins(c, o)
		res.Notes = tagNotes(c.WithPins(r.typed.of), o)
	}
	r.loose = looseThinking(c, o)
	c = r.pinned(c)
	r.conv, r.original, r.counts = c, c, newCounts(c, env.Tokens)
	r.total = r.counts.conversation(c)
	res.From, res.Before, res.Faults = c, r.total, rules.Check(c)
	r.decision = o.Trigger.decide(c, r.total, triggerWindow(stages, o))
	free := slices.DeleteFunc(slices.Clone(stages), func(s *Strategy) bool { return r.decision.stops(s.Windowed, &o.Trigger) })
	res.Decision = r.decision.forRun(free)
	res.Budget = budget(free, o, r.total)
	if least := min(r.total, o.Trigger.least()); 0 < res.Budget && res.Budget < least {
		res.Budget, res.Raised = least, true
	}
	r.faults = res.Faults
	r.budget = res.Budget
	if r.writesIDs() && r.total > res.Budget {
		r.budget -= forIDs(res.Budget)
	}
	if err := r.steps(ctx, res, steps(c, stages, o)); err != nil {
		return nil, err
	}
	if r.release(o.Free) {
		if err := r.steps(ctx, res, removing(r.conv, o)); err != nil {
			return nil, err
		}
	}
	if err := r.writeIDs(res); err != nil {
		return nil, err
	}
	res.Conv, res.After, res.counts = r.conv, r.total, r.counts
	res.Notes = append(res.Notes, capNotes(r.conv, o, r.counts.block)...)
	if why := res.whyUnfit(o); why != "" {
		res.Floor = floorOf(r.conv, r.counts)
		res.undo(RuleUnfit, why, "given up: the row does not fit")
	} else if why := o.Trigger.tooLittle(res.Before, res.After); why != "" && res.edited() {
		res.undo(RuleSmallGain, why, "given up: it is too little")
	} else if !res.Reached() {
		res.Floor = floorOf(r.conv, r.counts)
	}
	return res, nil
}

// steps runs steps in order, and adds the stages to the result.
func (r *runner) steps(ctx context.Context, res *Result, list []step) error {
	for _, s := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		over := r.env.watch(s.name)
		stage, err := r.stage(ctx, s)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &StageError{s.name, err}
		}
		over(&stage)
		res.Stages = append(res.Stages, stage)
	}
	return nil
}

// release sets the pins again that a run on the current state would have when messages are released. It
// reports whether there are such messages.
func (r *runner) release(free []int) bool {
	if len(free) == 0 {
		return false
	}
	r.conv = r.conv.Released(free)
	r.blocks = pinsOf(r.conv, r.opts, transcript.Verbatim)
	if r.pieces = r.blocks; protectsLines(r.opts) {
		r.pieces = pinsOf(r.conv, r.opts, transcript.Present)
	}
	if r.opts.Tags != "" {
		r.typed = typedPins(r.conv, r.opts)
	}
	r.repinned = true
	return true
}

// pinned returns a conversation with the pins of stages that edit whole blocks.
func (r *runner) pinned(c *transcript.Conversation) *transcript.Conversation {
	if r.env.Owned {
		c.SetPins(r.blocks.of)
	} else {
		c = c.WithPins(r.blocks.of)
	}
	if r.env.Pinned != nil {
		r.env.Pinned(c)
	}
	return c
}

// watch calls Watch, if it is set.
func (e *Env) watch(stage string) (over func(*Stage)) {
	if e.Watch == nil {
		return func(*Stage) {}
	}
	return e.Watch(stage)
}

// step is a stage before it runs: a strategy, a layer of one, or a preparation.
type step struct {
	name     string
	demanded bool // an option demands it: it also runs within the budget
	windowed bool
	access   access
	run      func(context.Context, *Input) (Proposal, error)
}

// steps returns the steps of a run: preparations, then strategies or their layers. Caps
// are the exception. They run after a dedupe at the start of the pipeline, which compares
// whole results. They run before all other strategies, which would spend the budget on
// what the caps remove.
func steps(c *transcript.Conversation, stages []*Strategy, o *Options) (list []step) {
	var caps []step
	for _, p := range preparations {
		switch {
		case !p.demanded(c, o):
		case p == &applyCaps:
			caps = []step{p.step()}
		default:
			list = append(list, p.step())
		}
	}
	for i, s := range stages {
		if s != &Dedupe {
			return slices.Concat(list, caps, strategySteps(stages[i:]))
		}
		list = append(list, strategySteps(stages[i:i+1])...)
	}
	return append(list, caps...)
}

// removing returns the demanded preparations that remove whole messages or blocks.
func removing(c *transcript.Conversation, o *Options) (list []step) {
	for _, p := range []*preparation{&dropHidden, &dropThinking, &applyTags} {
		if p.demanded(c, o) {
			list = append(list, p.step())
		}
	}
	return list
}

func (p *preparation) step() step {
	run := func(_ context.Context, in *Input) (Proposal, error) { return p.run(in), nil }
	return step{name: p.Name, demanded: true, access: p.access, run: run}
}

func strategySteps(stages []*Strategy) (list []step) {
	for _, s := range stages {
		if s.Layers != nil {
			list = append(list, strategySteps(s.Layers)...)
			continue
		}
		list = append(list, step{name: s.Name, windowed: s.Windowed, access: s.access, run: s.Run})
	}
	return list
}

// budget returns the budget of a pipeline, or 0 if it has none. A target sets it. Without
// a target, only a strategy that aims at a budget gets one: the room of the window, or
// half of the tokens. Options.Fraction replaces that budget, and so does a window for
// strategies that are Windowed.
func budget(stages []*Strategy, o *Options, before int) int {
	aims := func(s *Strategy) bool { return s.Aims && o.Fraction == 0 && (!s.Windowed || o.Window == 0) }
	if len(stages) == 0 || !o.Target.set() && !slices.ContainsFunc(stages, aims) {
		return 0
	}
	half := Target{}.Budget(before)
	switch room := o.Trigger.room(o.Window); {
	case o.Target.set():
		return o.Target.Budget(before)
	case o.Window == 0, room >= before:
		return half
	case room < 1: // the reserve is all of the window
		return min(half, o.Window)
	default:
		return room
	}
}

type runner struct {
	opts     *Options
	env      Env
	counts   *counts
	conv     *transcript.Conversation
	original *transcript.Conversation // before the first stage
	faults   []rules.Finding
	total    int // tokens of conv
	budget   int

	decision Decision // whether stages may run

	loose    map[transcript.Ref]bool // thinking that only Options.Only pins
	training *training               // nil unless the run is for training
	pieces   *pinMap                 // for stages that keep protected lines
	blocks   *pinMap                 // for stages that edit whole blocks
	typed    *pinMap                 // for stages that may shorten typed text
	repinned bool                    // an earlier step had the pins of accessQuote
}

// pins sets the pins for a step.
func (r *runner) pins(access access) {
	if r.training != nil && access == accessQuote { // the step is skipped
		return
	}
	heavy := access == accessRecords && r.hasHeavyEnd()
	if len(r.opts.Protect) == 0 && r.opts.Tags == "" && r.training == nil && access != accessQuote && !heavy && !r.repinned {
		return
	}
	pins := r.blocks
	switch access {
	case accessTyped:
		pins = r.typed
	case accessQuote:
		pins = quotingPins(r.conv, r.opts, r.pieces, r.loose)
		r.repinned = true
	case accessLines, accessRecords:
		pins = r.pieces
	}
	if heavy {
		pins = recordingPins(r.conv, r.opts)
		r.repinned = true
	}
	r.conv = r.conv.WithPins(pins.of)
	r.counts.conversation(r.conv) // WithPins copied the blocks with another pin
}

// heavyShare is the share of the budget that the calls and the thinking of the last round may take if they have
// more than leastHeavy tokens: a reader needs the rest of the conversation, too.
const (
	heavyShare = 1.0 / 3
	leastHeavy = 200
)

// hasHeavyEnd reports whether the conversation ends with an answered round that exceeds heavyShare and
// leastHeavy, and that may become a record.
func (r *runner) hasHeavyEnd() bool {
	if r.env.EndsWithUser || r.training != nil || protectsLines(r.opts) || len(r.opts.Stay) > 0 {
		return false
	}
	two := ends(r.conv, r.conv.Units())
	if two == nil || two[1].Kind != transcript.ToolRound || two[1].Open || two[0].Msgs[0] == two[1].Msgs[0] {
		return false
	}
	tokens := 0
	for _, id := range two[1].Msgs {
		for _, b := range r.conv.Message(id).Blocks {
			if b.Kind == transcript.ToolCall || b.Kind == transcript.Thinking {
				tokens += r.counts.block(b)
			}
		}
	}
	return tokens > leastHeavy && float64(tokens) > heavyShare*float64(r.budget)
}

// stopped reports whether the decision keeps a step from running.
func (r *runner) stopped(s step) bool { return r.decision.stops(s.windowed, &r.opts.Trigger) }

// stage runs a step on the current state, and applies its edits.
func (r *runner) stage(ctx context.Context, s step) (Stage, error) {
	if !r.stopped(s) {
		r.pins(s.access)
	}
	stage := Stage{Name: s.name, From: r.conv, Before: r.total, After: r.total}
	p, err := r.propose(ctx, s, &stage)
	if err == nil && p.Skipped == "" {
		p, err = r.apply(p, s.demanded)
	}
	if err != nil {
		return stage, err
	}
	stage.Edits, stage.Skipped, stage.Left, stage.Failed, stage.After = p.Edits, p.Skipped, p.Left, p.Failed, r.total
	return stage, nil
}

// propose runs a step and returns the edits that save something. It records in stage how
// many others there were, or why they were refused.
func (r *runner) propose(ctx context.Context, s step, stage *Stage) (Proposal, error) {
	switch {
	case r.stopped(s):
		return Skip(r.decision.Why), nil
	case r.training != nil && s.access == accessQuote:
		return Skip("it replaces messages, and a training set keeps them"), nil
	case r.budget > 0 && r.total <= r.budget && !s.demanded:
		return Skip(fmt.Sprintf("%s tokens are within the target of %s", transcript.Number(r.total), transcript.Number(r.budget))), nil
	}
	in := r.input()
	p, err := s.run(ctx, in)
	asked := in.record()
	stage.Asked, stage.Planned, stage.Fallback = asked.made, asked.planned, asked.fallback
	if err == nil && p.Foreign {
		p.Edits, stage.Refusals, err = in.screened(r.total, p.Edits)
	}
	if err != nil || p.Skipped != "" {
		return p, err
	}
	p.Edits = r.withDependents(p.Edits)
	in.Conv = r.conv
	saving := saving(in, p.Edits)
	stage.Refused = len(p.Edits) - len(saving)
	if len(saving) == 0 {
		return Skip("nothing that it could do saves tokens"), nil
	}
	p.Edits = in.above(r.total, saving)
	if len(p.Edits) == 0 {
		return r.tooSmall(), nil
	}
	if s.access == accessQuote {
		if err := checkQuotes(in, p.Edits); err != nil {
			return p, err
		}
	}
	p.Edits, err = mendReferences(r.conv, p.Edits)
	return p, err
}

// input returns the input of a strategy for the current state.
func (r *runner) input() *Input {
	in := &Input{Conv: r.conv, Opts: r.opts, Budget: r.budget, Env: r.env, notes: &noted{}, original: r.original}
	in.Tokens, in.quotes = r.counts.proposed, r.training.quotes(r.conv)
	if r.budget > 0 {
		in.Need = r.total - r.budget
	}
	return in
}

// tooSmall returns the reason to skip when edits would leave less than MinTokens.
func (r *runner) tooSmall() Proposal {
	return Skip(fmt.Sprintf("its edits would leave less than the %s tokens that must be left", transcript.Number(r.opts.Trigger.MinTokens)))
}

// apply applies the edits of a proposal, and returns it. It returns a reason to skip if the
// result would be too small, or not small enough, and an error if it would be invalid or
// larger. A demanded preparation may save as little as it can.
func (r *runner) apply(p Proposal, demanded bool) (Proposal, error) {
	next, err := r.conv.Apply(p.Edits)
	if err != nil {
		return p, err
	}
	faults := rules.Check(next)
	if added := rules.New(r.faults, faults); len(added) > 0 {
		return p, fmt.Errorf("it would break the conversation: %s", added[0])
	}
	total := r.counts.conversation(next)
	if total > r.total {
		return p, fmt.Errorf("it would grow the conversation from %d to %d tokens", r.total, total)
	}
	if total < r.opts.Trigger.MinTokens && total < r.total {
		return r.tooSmall(), nil // propose checked it, but edits can change the tokens of other blocks
	}
	if why := r.opts.Trigger.stageTooLittle(r.total, total, r.budget); why != "" && !demanded {
		return Skip(why), nil
	}
	for ref, b := range next.Blocks() {
		if r.conv.Message(ref.Msg) == nil && b.Pin != transcript.Unpinned { // inserted with a pin
			r.pieces.set(ref, b.Pin)
			r.blocks.set(ref, b.Pin)
		}
	}
	r.conv, r.total, r.faults = next, total, faults
	return p, nil
}

// forRun returns the decision about the whole run: to act, without a rule, if some stages
// may run although the trigger decided not to act.
func (d Decision) forRun(free []*Strategy) Decision {
	if !d.Act && len(free) > 0 {
		return Decision{Act: true, Tokens: d.Tokens}
	}
	return d
}

// triggerWindow returns the window for the decision. It returns 0 if every stage has its
// own shares of the window, and no option changes how the window decides.
func triggerWindow(stages []*Strategy, o *Options) int {
	needsTrigger := func(s *Strategy) bool { return !s.Windowed }
	if !o.Trigger.Asked() && !slices.ContainsFunc(stages, needsTrigger) {
		return 0
	}
	return o.Window
}

// preparations holds the preparations in the order in which they run.
var preparations = []*preparation{&dropHidden, &dropThinking, &applyTags, &limitImages, &applyCaps}
