// Package strategy makes conversations smaller.
//
// A [Strategy] is a pure function from an [Input] to a [Proposal]: edits, or the reason
// for none. [Run] discards edits that save nothing, applies the others, and checks the
// result. It never makes a conversation larger and never breaks it.
// Sizes are tokens of the effective view. Shares are fractions from 0 to 1.
// [Options.Validate] reports invalid options; Run does not check them.
package strategy

import (
	"context"

	"condense/strategy/expand"
	"condense/strategy/notes"
	"condense/transcript"
)

// A Strategy is one way to make a conversation smaller.
type Strategy struct {
	Name  string
	Doc   string // what it does, in one sentence
	Loses string // what its output lacks, in a few words
	// Options names the fields of [Options], [Env] ("Ask") and [Model] ("Model.Focus")
	// that change what it does. Fields that change all strategies are not listed: the
	// target, the trigger and the pins.
	Options []string

	// Aims reports that the strategy works towards a budget. A pipeline with such a
	// strategy has a budget even without a target: the room of the window, or half of the
	// tokens. Without a budget, strategies do all they can.
	Aims bool
	// Windowed reports that the strategy needs no budget when Options.Window is set:
	// shares of the window decide whether it runs, and how far it goes.
	Windowed bool
	access   access // selects the pins that it sees

	// Run proposes edits. An error ends the run of all strategies.
	Run func(ctx context.Context, in *Input) (Proposal, error)
	// Layers is set in place of Run for a strategy of several steps. Each layer is a
	// stage of its own.
	Layers []*Strategy
}

// access selects the pins that a strategy sees: content that it keeps by itself needs no
// pin. The zero value is for strategies that edit whole blocks. For them, blocks with a
// protected line are pinned verbatim.
type access uint8

const (
	// accessLines is for strategies that keep protected lines by themselves, and may
	// remove the lines around them.
	accessLines access = iota + 1
	// accessQuote is for strategies that, in addition, move text: typed text, word for
	// word, into a message of the user, and earlier summaries into a new one. The insert
	// is in the same group as the drops. Options.Layout decides which pins remain.
	accessQuote
	// accessTyped is for a preparation that may shorten typed text.
	accessTyped
	// accessRecords is accessLines for strategies that leave a record of the calls that they remove. They
	// may remove the last round if it takes too much of the budget.
	accessRecords
)

// A Proposal is the result of a strategy: edits, or the reason why there are none.
type Proposal struct {
	Edits   []transcript.Edit
	Skipped string // why there are no edits; "" when there are some
	Left    bool   // with Skipped: the strategy left the work to the stages that follow
	Failed  bool   // with Skipped: the strategy failed, and the run continues without it
	// Foreign reports that another program proposed the edits. Invalid ones are left
	// out and reported; they do not end the run.
	Foreign bool
}

// Skip returns a proposal without edits, for the given reason.
func Skip(reason string) Proposal { return Proposal{Skipped: reason} }

// Stage holds the results of one stage.
type Stage struct {
	Name    string
	Skipped string // why it did nothing; "" when it has edits
	Edits   []transcript.Edit
	Failed  bool // it did nothing because it failed
	Left    bool // it did nothing because it left the work to the stages that follow
	Refused int  // number of edits that were discarded because they saved nothing
	// Refusals are the edits of another program that were refused, each with the reason.
	Refusals []string
	// Asked holds the answer of a model and its cost, even if the stage did not use the
	// answer; nil when no model was asked.
	Asked   *notes.Result
	Planned bool // the model was not asked because the run is a dry run
	// Fallback is why there are no notes although there is a model: it failed, or its
	// answer cannot be used; "" otherwise.
	Fallback string
	From     *transcript.Conversation // the state to which Edits apply
	Before   int                      // tokens of From
	After    int                      // tokens after Edits
}

// Input is what a strategy works on: a conversation, and what it needs to edit it.
type Input struct {
	Conv   *transcript.Conversation // with pins
	Opts   *Options
	Budget int // tokens that the effective view may have; 0 without a budget
	Need   int // tokens over the budget; 0 or less when within it or without one
	Env

	original *transcript.Conversation // before the first stage

	notes  *noted
	quotes map[*transcript.Block][]string // pieces that later labels repeat, for Options.Training
}

// Env holds the functions that a run needs from its caller. Only Tokens is required.
type Env struct {
	// Tokens counts the tokens of a block. It must be pure, and safe for concurrent use.
	Tokens func(*transcript.Block) int
	// Ask asks a model; nil when there is none.
	Ask func(context.Context, notes.Prompt) (notes.Reply, error)
	// Model describes that model.
	Model Model
	// Watch, if not nil, is called when a stage begins. The function that it returns is
	// called when the stage ends, unless the stage ended the run. Clocks and logs need it.
	Watch func(stage string) (over func(*Stage))
	// Pinned, if not nil, is called with the conversation and its pins before anything is decided. A
	// caller that holds this one instead of the one that it passed saves memory: both are equal
	// otherwise.
	Pinned func(*transcript.Conversation)
	// Owned is set if the run may set the pins of the conversation itself, because nobody else uses it.
	Owned bool
	// EndsWithUser reports that what reads the conversation sends it as it is, to an API that requires a
	// request to end with the user or a result.
	EndsWithUser bool
	// IDs, if not nil, makes markers carry ids of the text that they stand for. The function reports
	// whether an id belongs to another text. A run for training, or one that hides, writes no ids.
	IDs expand.Taken
}

// Model describes the model behind [Env].Ask, and how to use it. With the zero value
// nothing is known and no question is refused.
type Model struct {
	Name   string
	Window int                        // its context window in tokens; 0: not known
	Tokens func(string) int           // counts a text; nil: Env.Tokens counts a block of it
	Price  func(in, out int) *float64 // USD for in and out tokens; nil, or a nil result: not known
	Afford func(in, out int) error    // reports why in and out tokens cost too much; nil: no limit
	// NoRedact says that Ask sends secrets as they are.
	NoRedact bool

	// Substitute holds the Ask and the Model that are used when this model fails or its
	// answer cannot be used; nil: none. Of that Model, the fields below have no effect.
	Substitute *Env

	MaxNotes int      // most tokens of notes; 0: 4,000, and an eighth of the window
	Focus    string   // what summaries keep above all, in the user's words
	Prompt   string   // instructions for summaries, in place of the built-in ones
	Fallback Fallback // what to do when the model fails; "": FallbackDigest
	DryRun   bool     // do not ask: skip stages, with the planned questions as the reason
}

// Fallback selects what a run does when the model and its substitute fail.
type Fallback string

// The fallbacks.
const (
	FallbackDigest   Fallback = "digest"   // writes a summary without a model
	FallbackTruncate Fallback = "truncate" // writes no summary: the strategies that follow shorten the conversation
	FallbackFail     Fallback = "fail"     // ends the run with an *AskError
)

// noted holds the outcome of [Input.Notes] for the runner.
type noted struct {
	made     *notes.Result
	planned  bool   // a dry run did not ask the model
	fallback string // why there are no notes
}
