// Package strategy makes conversations smaller.
//
// A [Strategy] is a pure function from an [Input] to a [Proposal]: edits with reasons, or
// the reason for none. [Run] applies the edits, drops those that save nothing, and checks
// the result. It never makes a conversation larger and never breaks it.
//
// Sizes are tokens by Env.Tokens, of the effective view. Shares are fractions from 0 to
// 1. [Options.Validate] reports invalid options; Run does not check them.
package strategy

import (
	"context"

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

	// Aims reports that it works towards a budget: without a target, what the window has
	// room for, or half of the tokens. Others do all they can, and stop early only for a target.
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

// Stage holds the results of one stage.
type Stage struct {
	Name    string
	Skipped string // why it did nothing; "" when it has edits
	Edits   []transcript.Edit
	Failed  bool // it did nothing because it failed
	Left    bool // it did nothing because the stages that follow do it
	Refused int  // edits dropped because they saved nothing
	// Refusals are the edits of another program that were refused, each with the reason.
	Refusals []string
	// Asked is the result and the cost of asking a model, also where the stage did not
	// use it; nil when none was asked. Fallback is why the model failed, or its answer
	// cannot be used; "" otherwise.
	Asked    *notes.Result
	Planned  bool // a dry run did not ask the model
	Fallback string
	From     *transcript.Conversation // the state to which Edits apply
	Before   int                      // tokens
	After    int
}

// Input is the view of a conversation that a strategy gets.
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

// Model describes the model behind [Env].Ask, and how to use it. With the zero value
// nothing is known and no question is refused.
type Model struct {
	Name   string
	Window int                        // its context window in tokens; 0: not known
	Tokens func(string) int           // counts a text; nil: Env.Tokens counts a block of it
	Price  func(in, out int) *float64 // USD for in and out tokens; nil, or a nil result: not known
	Afford func(in, out int) error    // refuses questions of in and out tokens; nil: refuses none

	Focus    string   // what summaries keep above all, in the user's words
	Prompt   string   // instructions for summaries, in place of the built-in ones
	Fallback Fallback // what to do when the model fails; "": FallbackDigest
	DryRun   bool     // ask nothing; skip stages with the questions as the reason
}

// Fallback says what a run does when the model fails.
type Fallback string

// The fallbacks.
const (
	FallbackDigest   Fallback = "digest"   // a summary without a model
	FallbackTruncate Fallback = "truncate" // none: the strategies that follow drop what is too much
	FallbackFail     Fallback = "fail"     // the run ends with an *AskError
)

// noted is the report of a call of [Input.Notes] to the runner.
type noted struct {
	made     *notes.Result
	planned  bool   // a dry run did not ask the model
	fallback string // why there are no notes, when the strategy works without
}
