// Package strategy makes conversations smaller.
//
// A [Strategy] is a pure function from an [Input] to a [Proposal]: edits with reasons, or
// the reason for none. [Run] applies the edits of a list of strategies, drops those that
// save nothing, and checks the result. So a run never makes a conversation larger and
// never breaks it, whatever a strategy proposes.
//
// Sizes are tokens by Env.Tokens, of the effective view. Shares are fractions from 0 to
// 1. [Options.Validate] reports invalid options; Run does not check them.
package strategy

import (
	"context"
	"fmt"
	"strings"

	"condense/strategy/notes"
	"condense/transcript"
)

// A Strategy is one way to make a conversation smaller.
type Strategy struct {
	Name  string
	Doc   string // one sentence: what it does
	Loses string // what its output lacks, in a few words
	// Options names the fields of [Options], [Env] ("Ask") and [Model] ("Model.Focus")
	// that change what it does, except those that all strategies go by: the target, the
	// trigger, the pins.
	Options []string

	// Aims reports that it works towards a budget: half of the tokens when no target is
	// set. Others do all they can, and stop early only for a target.
	Aims bool
	// Windowed reports that shares of Options.Window, where one is set, decide whether
	// it runs, and how far it goes. Then it needs no budget.
	Windowed bool
	access   access // what is pinned for it

	// Run proposes edits. An error ends the run.
	Run func(ctx context.Context, in *Input) (Proposal, error)
	// Layers are set in place of Run for a strategy of several steps. Each is a stage
	// of its own.
	Layers []*Strategy
}

// access says what is pinned for a strategy: blocks that it keeps by itself need no
// pin. The zero value is for a strategy that edits whole blocks: a block with a line
// that Options.Protect names is pinned.
type access uint8

const (
	// accessLines is for one that keeps such lines by itself, and may remove what is
	// around them.
	accessLines access = iota + 1
	// accessQuote is for one that also may move typed text, word for word, into a
	// message of the user in the same group as the drops of it, and earlier summaries
	// into a new one. Options.Layout says what is still pinned.
	accessQuote
	// accessTyped is for a preparation that may shorten typed text.
	accessTyped
)

// A Proposal is the result of a strategy: edits, or the reason for none.
type Proposal struct {
	Edits   []transcript.Edit
	Skipped string // why there are no edits; "" when there are, or without a reason
	Left    bool   // with Skipped: the stages that follow do the work
	Failed  bool   // with Skipped: it failed, and the run continues without it
	// Foreign reports that another program proposed the edits. Invalid ones are left
	// out and reported, and do not end the run.
	Foreign bool
}

// Skip returns a proposal without edits, and the reason.
func Skip(reason string) Proposal { return Proposal{Skipped: reason} }

// Input is what a strategy sees.
type Input struct {
	Conv   *transcript.Conversation // with pins
	Opts   *Options
	Budget int // tokens that the effective view may have; 0 without a budget
	Need   int // tokens over the budget; 0 or less when within it or without one
	Env

	notes *noted
}

// Env holds what is impure. Only Tokens is required.
type Env struct {
	// Tokens counts a block. It is pure, and safe for concurrent use.
	Tokens func(*transcript.Block) int
	// Ask asks a model; nil when there is none.
	Ask func(context.Context, notes.Prompt) (notes.Reply, error)
	// Model describes that model.
	Model Model
	// Watch, if not nil, is called when a stage begins. The function that it returns is
	// called when the stage is over, unless the stage ended the run. It is for clocks
	// and logs.
	Watch func(stage string) (over func(*Stage))
}

// All holds the strategies in the order of help.
var All = []*Strategy{&Dedupe, &Mask, &Smart, &Progressive, &Summarize, &Truncate}

// Names returns the names that [Parse] takes: the preset first, then those of All.
func Names() []string {
	names := []string{HybridName}
	for _, s := range All {
		names = append(names, s.Name)
	}
	return names
}

// Parse parses a pipeline: names of strategies or of the preset, separated by commas.
// The error is an *[UnknownStrategy].
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

// Unknown returns the name and the known names, for a suggestion.
func (e *UnknownStrategy) Unknown() (name string, known []string) { return e.Name, e.Known }

func byName(name string) *Strategy {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}
