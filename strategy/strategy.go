// Package strategy decides what a conversation can do without.
//
// A [Strategy] is a value: a name, a sentence, and a pure function from an
// [Input] to edits with reasons. It reads no file, no clock and no environment,
// and it changes nothing: [Run] applies its edits, drops those that save
// nothing, and checks the result. So whatever a strategy proposes, a run never
// makes a conversation larger and never breaks it.
//
//	result, err := strategy.Run(ctx, conv, strategy.Hybrid, &opts, env)
//
// Strategies stand in explicit lists: [All] in the order of help, [Hybrid] in
// the order in which it runs them.
package strategy

import (
	"context"
	"fmt"
	"strings"

	notes "condense/strategy/summary"
	"condense/transcript"
)

// Strategy is one way to make a conversation smaller.
type Strategy struct {
	Name string
	Doc  string // one sentence: what it does
	// Loses is what its output has no longer, in a few words.
	Loses string
	// Flags are the names of the options that say how it works, but for those that
	// matter to all: the target, the trigger, and what is kept.
	Flags []string
	// Model is set when it asks a language model, and can do nothing without one.
	Model bool
	// Aims is set when it works towards a budget. Others do all they can, and
	// stop early only when a budget was asked for.
	Aims bool
	// Whole is set when it drops and inserts whole messages only, so that a format
	// can hide them instead of deleting them.
	Whole bool
	// Demanded is set for what a flag asks for: it runs within a budget too.
	Demanded bool
	// Windowed is set when shares of Options.Window, where one is given, say how
	// far it goes: then it needs no budget.
	Windowed bool
	// Pieces is set when it keeps the lines that Options.Protect names and may leave
	// out what stands around them. For others, blocks with such a line are pinned.
	Pieces bool
	// Typed is set when it may shorten what the user typed, because the user asked for it.
	Typed bool
	// Foreign is set when another program proposes the edits: those that the
	// conversation refuses are left out and named, and are no fault of ours.
	Foreign bool
	// Retells is set when it may put what a person typed, word for word, into a
	// message of the user's in the same group as the drops of it, and summaries of
	// ours into a new one. These are not pinned for it as Options.Layout demands.
	Retells bool
	// Run proposes edits. A *SkipError says that there is nothing to do, and why; a
	// *FailedError that it failed, which does not end the run.
	Run func(ctx context.Context, in *Input) ([]transcript.Edit, error)
	// Layers are set instead of Run for a strategy of several steps. Each is a
	// stage of its own.
	Layers []*Strategy
}

// Input is all that a strategy sees.
type Input struct {
	Conv   *transcript.Conversation // with pins
	Opts   *Options
	Budget int // tokens that the effective view may have; 0 when nothing is aimed at
	Need   int // tokens still over the budget; 0 or less when within it or without one
	Env

	asked    *notes.Summary // what came of [Input.Notes]
	planned  bool           // it would have asked, but for a dry run
	fallback string         // why that gave none, when the strategy does without
}

// Env is everything impure, injected.
type Env struct {
	// Tokens counts a block. It is pure: the same block has the same count.
	Tokens func(*transcript.Block) int
	// Ask puts a prompt to a model; nil when none is configured.
	Ask func(context.Context, Prompt) (Reply, error)
	// Model is what is known of that model.
	Model Model
	// Watch, when set, is told when a stage begins, and what it gives is told when the
	// stage is over, unless it ended the run. It is for clocks and logs: nothing is
	// decided by it.
	Watch func(stage string) (over func(*Stage))
}

// SkipError is a strategy's word that there is nothing for it to do.
type SkipError struct{ Reason string }

func (e *SkipError) Error() string { return e.Reason }

// FailedError is a strategy's word that it failed, and that the stages behind it
// are to do what they can.
type FailedError struct{ Err error }

func (e *FailedError) Error() string { return "failed: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.Err }

// All lists the strategies in the order of help.
var All = []*Strategy{&Dedupe, &Mask, &Smart, &Progressive, &Summarize, &Truncate}

// Names lists what --strategy takes: the preset first, then All.
func Names() []string {
	names := []string{HybridName}
	for _, s := range All {
		names = append(names, s.Name)
	}
	return names
}

// Parse reads a pipeline: names of strategies or of the preset, separated by commas.
func Parse(list string) ([]*Strategy, error) {
	var stages []*Strategy
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if name == HybridName {
			stages = append(stages, Hybrid...)
			continue
		}
		s := byName(name)
		if s == nil {
			return nil, &UnknownStrategy{name, Names()}
		}
		stages = append(stages, s)
	}
	return stages, nil
}

// UnknownStrategy is a name that no strategy has.
type UnknownStrategy struct {
	Name  string
	Known []string
}

func (e *UnknownStrategy) Error() string {
	return fmt.Sprintf("unknown strategy %q, expected one of %s", e.Name, strings.Join(e.Known, ", "))
}

// Unknown returns the name and those that there are, for a suggestion.
func (e *UnknownStrategy) Unknown() (name string, known []string) { return e.Name, e.Known }

func byName(name string) *Strategy {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}
