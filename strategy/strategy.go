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

	"condense/transcript"
)

// A Strategy is one way to make a conversation smaller.
type Strategy struct {
	Name  string
	Doc   string // one sentence: what it does
	Loses string // what its output has no longer, in a few words
	// Options are the fields of [Options] and of [Model] ("Model.Focus") that say how it
	// works, except those that matter to all: the target, the trigger, the pins.
	Options []string

	// Aims reports that it works towards a budget: half of the tokens when no target is
	// set. Others do all they can, and stop early only when there is a target.
	Aims bool
	// Windowed reports that shares of Options.Window, where one is set, decide whether
	// and how far it goes. Then it needs no budget.
	Windowed bool
	// Access says how it treats what is pinned.
	Access Access

	// Run proposes edits. An error ends the run.
	Run func(ctx context.Context, in *Input) (Proposal, error)
	// Layers are set instead of Run for a strategy of several steps. Each is a stage
	// of its own.
	Layers []*Strategy
}

// Access says how a strategy treats what is pinned: what it keeps by itself need not
// be pinned for it.
type Access uint8

const (
	// AccessBlocks is for a strategy that sees blocks. A block with a line that
	// Options.Protect names is pinned.
	AccessBlocks Access = iota
	// AccessLines is for one that keeps the lines that Options.Protect names, and may
	// leave out what stands around them.
	AccessLines
	// AccessQuote is for one that keeps such lines, too, and may put what a person typed,
	// word for word, into a message of the user's in the same group as the drops of
	// it, and earlier summaries into a new one. Options.Layout says which of these are
	// pinned for it.
	AccessQuote
	// accessTyped is for a preparation that may shorten what the user typed.
	accessTyped
)

// A Proposal is what a strategy would do: edits, or the reason for none.
type Proposal struct {
	Edits   []transcript.Edit
	Skipped string // why there are no edits; "" when there are, or when no reason is known
	Left    bool   // with Skipped: the work is left to the stages that follow
	Failed  bool   // with Skipped: it failed, and the run goes on without it
	// Foreign reports that another program proposed the edits. Those that the
	// conversation refuses are left out and named, and do not end the run.
	Foreign bool
}

// Skip returns a proposal without edits, for a reason.
func Skip(reason string) Proposal { return Proposal{Skipped: reason} }

// Input is all that a strategy sees.
type Input struct {
	Conv   *transcript.Conversation // with pins
	Opts   *Options
	Budget int // tokens that the effective view may have; 0 when nothing is aimed at
	Need   int // tokens still over the budget; 0 or less when within it or without one
	Env

	notes *noted
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
