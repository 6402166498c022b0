// Package report is what a run did, as data: a [Report] of one file, filled from the outcome by
// [Filling]. The packages below it hold what other commands report: survey, gate and inventory.
// How a result looks is for package ui.
//
// Every number is counted on the output as it was decoded again, never taken from what a strategy
// claims. The comments of members are also the descriptions in the JSON Schemas of this folder,
// which describe what [JSON] writes.
package report

import (
	"runtime/debug"
	"slices"
)

// ReportVersion is the version of the JSON report. It rises when a member
// changes its meaning or goes away.
const ReportVersion = 1

// Report holds the results of one run over one file.
type Report struct {
	Version       int            `json:"version"`             // version of this report format
	Condense      string         `json:"condense"`            // version of the program
	Input         string         `json:"input"`               // as the user wrote it; "-" for standard input
	Output        string         `json:"output"`              // where the result was written; "-" for standard output, "" when nothing was written
	Backup        string         `json:"backup,omitempty"`    // where the original is kept, when it was replaced
	Format        string         `json:"format"`              // dialect of the file
	Strategy      string         `json:"strategy"`            // as asked for
	Target        string         `json:"target"`              // as asked for; "" for none
	Notes         []string       `json:"notes"`               // what the options imply: "--fraction implies --unpin user"
	Tokenizer     Tokenizer      `json:"tokenizer"`           // how tokens were counted
	DryRun        bool           `json:"dry_run"`             // nothing was to be written
	Changed       bool           `json:"changed"`             // the output differs from the input
	Unchanged     string         `json:"unchanged,omitempty"` // why nothing was done, when nothing was
	Bytes         Change         `json:"bytes"`               // size of the file
	Tokens        Change         `json:"tokens"`              // of all conversations
	Framing       Change         `json:"framing"`             // tokens that an API adds around messages and calls, an estimate; not part of tokens
	Messages      Change         `json:"messages"`            // of all conversations
	Retained      *Retained      `json:"retained,omitempty"`  // what is left of all conversations; absent when nothing changed
	Conversations []Conversation `json:"conversations"`       // in the order of the file
	Faults        []Fault        `json:"faults"`              // wrong with the bytes of the input, and carried along
}

// CondenseVersion returns the version of the build.
func CondenseVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// Tokenizer says how tokens were counted.
type Tokenizer struct {
	Name   string  `json:"name"`             // encoding or unit: o200k_base, bytes4
	Model  string  `json:"model,omitempty"`  // the model whose tokenizer was asked for
	Method string  `json:"method"`           // exact, calibrated or estimate
	Factor float64 `json:"factor"`           // tokens for each of the unit; 1 when exact
	Band   float64 `json:"band"`             // percent by which counts of texts are known to be off, either way; 0 when exact or not known
	Source string  `json:"source,omitempty"` // who says so
	Flat   int     `json:"flat"`             // images of unknown size, documents and recordings of the result, which count the same each
	Window int     `json:"context_window"`   // tokens that the model takes, request and answer; 0 when not known
}

// Change is a number before and after.
type Change struct {
	Before int `json:"before"` // in the input
	After  int `json:"after"`  // in the output
}

// Conversation holds the results for one conversation of the file. All counts are
// of its effective view.
type Conversation struct {
	ID           string  `json:"id"`               // as the file names it; may be ""
	Budget       int     `json:"budget"`           // tokens aimed at, 0 for none
	Raised       bool    `json:"raised,omitempty"` // the budget is what --min-tokens allows, more than the target
	Reached      bool    `json:"reached"`          // the budget is met, or there is none
	Failed       string  `json:"failed,omitempty"` // why it was left as it is, though the other conversations were condensed
	Tokens       Change  `json:"tokens"`           // of the conversation
	Framing      Change  `json:"framing"`          // tokens that an API adds around messages and calls, an estimate; not part of tokens
	Usage        Usage   `json:"usage"`            // what the file records of its last request
	Messages     Change  `json:"messages"`         // of the conversation
	Hidden       int     `json:"hidden"`           // messages outside the effective view that were so before, copied
	NewlyHidden  int     `json:"newly_hidden"`     // messages that were tagged, and are outside the effective view now
	UnitsRemoved int     `json:"units_removed"`    // prompts, answers and tool rounds that went whole
	UnitsHidden  int     `json:"units_hidden"`     // prompts, answers and tool rounds that were tagged whole
	FirstChanged int     `json:"first_changed"`    // number of the first changed message, from 1; 0 for none
	Cache        *Cache  `json:"cache,omitempty"`  // what it means for a cached prompt; absent when no tokens are saved
	Kinds        []Kind  `json:"kinds"`            // tokens by kind of content
	Stages       []Stage `json:"stages"`           // in the order they ran
	Floor        []Floor `json:"floor"`            // what is kept by rule, when the budget was not reached
	Faults       []Fault `json:"faults"`           // wrong with the conversation before we came
	Edits        []Edit  `json:"edits"`            // every change
	Kept         []Kept  `json:"kept,omitempty"`   // blocks that stay as they were; with --explain

	Decision *Decision `json:"decision,omitempty"` // whether to condense at all; absent when only the target was given
	Retained *Retained `json:"retained,omitempty"` // what is left; absent when nothing changed

	Number int    `json:"-"` // in the file, from 1: a run can be of some of its conversations
	Turns  []Turn `json:"-"` // every message of the effective view, for [HTML] alone
}

// Decision reports whether a conversation had to be condensed, and why.
type Decision struct {
	Rule   string `json:"rule"`   // always, threshold, full, fits, few-messages, few-tokens, recent, small-gain
	Act    bool   `json:"act"`    // it was condensed, as far as the strategies could
	Why    string `json:"why"`    // for people
	Tokens int    `json:"tokens"` // of the conversation, the last message included

	Window    int     `json:"window"`    // of the model; 0 when it did not decide
	Reserve   int     `json:"reserve"`   // tokens of it that stay free for the answer
	Allowed   int     `json:"allowed"`   // tokens that it has room for: nine tenths of it less the reserve
	Threshold float64 `json:"threshold"` // percent of it from which on to act
}

// Cache says what condensing does to a prompt that a provider has cached.
type Cache struct {
	Prefix    int     `json:"prefix_tokens"`    // tokens in front of the first message that changed, which stay cached
	BreakEven float64 `json:"break_even_turns"` // turns after which writing the rest again has paid; 0 for at once
}

// Usage compares what a provider counted with what is counted here.
type Usage struct {
	Measured int `json:"measured"` // tokens of the last request by the provider; 0 when the file does not tell
	Counted  int `json:"counted"`  // tokens of the same messages here, with framing
}

// Kind is one kind of content: user, assistant, thinking, tool calls, tool results, images, …
type Kind struct {
	Name   string `json:"name"`   // for people, in the plural where that makes sense
	Tokens Change `json:"tokens"` // of this kind
}

// Stage holds the results of one strategy.
type Stage struct {
	Name    string `json:"name"`              // of the strategy
	Tokens  Change `json:"tokens"`            // of the conversation
	Edits   int    `json:"edits"`             // changes made
	Refused int    `json:"refused"`           // edits that would not have saved anything
	Skipped string `json:"skipped,omitempty"` // why it did nothing, when it did nothing
	Failed  bool   `json:"failed,omitempty"`  // it did nothing because it failed, and those behind it went on

	Planned  bool   `json:"planned,omitempty"`  // a model would be asked, which a dry run does not
	Fallback string `json:"fallback,omitempty"` // why it did without a model that was to be asked

	Refusals []string `json:"refusals,omitempty"` // edits of another program that were refused, each with the reason
	Metrics  *Metrics `json:"metrics,omitempty"`  // what it took; absent where nothing was measured
}

// Metrics holds the cost and the savings of a stage.
type Metrics struct {
	Milliseconds float64  `json:"milliseconds"`    // by the clock
	Saved        int      `json:"tokens_saved"`    // of the conversation
	Cost         *float64 `json:"cost"`            // of a model, in US dollars; null when none was asked or its price is not known
	Asked        *Asked   `json:"asked,omitempty"` // what a model was asked; absent when none was to be asked
}

// Asked counts the questions of a stage to a model. Answers from the cache count apart:
// they took nothing.
type Asked struct {
	Questions int            `json:"questions"`     // answered by the model, those asked again included
	Cached    int            `json:"cached"`        // answered from the cache
	In        int            `json:"input_tokens"`  // of questions, as the server counted them, or else as they are counted here
	Out       int            `json:"output_tokens"` // of answers
	Redacted  map[string]int `json:"redactions"`    // secrets that were replaced on the way, by kind
	Removed   int            `json:"removed_lines"` // of the answers: they quoted what nobody had said
	Notes     []string       `json:"notes"`         // what is less than asked for, for people
}

// Floor is a part of what is kept by rule.
type Floor struct {
	What   string `json:"what"`   // the rule: "typed by the user", "last unit"
	Tokens int    `json:"tokens"` // that it keeps
}

// Fault is something wrong with the input.
type Fault struct {
	Line    int    `json:"line,omitempty"`    // of the file, from 1
	Message int    `json:"message,omitempty"` // of the conversation, from 1
	Rule    string `json:"rule,omitempty"`    // name of the broken rule
	Text    string `json:"text"`              // what is wrong, for people
}

// Skipped is a file that was found in a folder and is no conversation.
type Skipped struct {
	Input string `json:"input"` // below the folder
	Why   string `json:"why"`   // what it is, or what is wrong with it
}

// Kept is one block that stays as it was.
type Kept struct {
	Message int    `json:"message"` // number in the conversation as it was, from 1
	Block   int    `json:"block"`   // number in the message, from 1
	What    string `json:"what"`    // kind and tool: "tool result Read"
	Tokens  int    `json:"tokens"`  // of the block
	Why     string `json:"why"`     // the rule that keeps it, or that none does
}

// Edit is one change, for people.
type Edit struct {
	Message int     `json:"message"`         // number in the conversation as it was, from 1; of the one behind an insertion
	Block   int     `json:"block"`           // number in the message, from 1; 0 for the whole message
	Stage   string  `json:"stage"`           // strategy that made it
	Op      string  `json:"op"`              // rewrite, drop, insert, hide, untag
	What    string  `json:"what"`            // kind and tool: "tool result Read"
	Tokens  Change  `json:"tokens"`          // of the block or message
	Left    Left    `json:"left"`            // what is left of it
	Why     string  `json:"why"`             // the reason, short
	Lines   *Change `json:"lines,omitempty"` // lines before, and those of them that are left; with --explain, when a part is
	// Before and After are the texts, for the diff. They are not part of the JSON report.
	Before string `json:"-"`
	After  string `json:"-"`
}

// Left says what is left of a block.
type Left string

// What can be left.
const (
	LeftAll     Left = "all"     // it was only in the way of a tag that went
	LeftPart    Left = "part"    // some of its text
	LeftMarker  Left = "marker"  // one line that says what was there
	LeftNothing Left = "nothing" // it went, or is hidden
	LeftNew     Left = "new"     // it was not there before
)

// Turn is one message before and after, for the timeline of a page. It is no part of
// the JSON report.
type Turn struct {
	Message int    // number in the conversation as it was, from 1; 0 for one that was inserted
	Role    string // who sends it
	Kind    string // of content that most of its tokens are of, as in [Conversation.Kinds]
	Tokens  Change // of the message
}

// Planned reports whether a model would be asked about the conversation if this were not a dry run.
func (c *Conversation) Planned() bool {
	return slices.ContainsFunc(c.Stages, func(s Stage) bool { return s.Planned })
}

// LeftAlone reports whether it was decided not to condense a conversation at all.
func (c *Conversation) LeftAlone() bool { return c.Decision != nil && !c.Decision.Act }

// Missed reports whether a conversation is over its budget still.
func (c *Conversation) Missed() bool { return c.Budget > 0 && !c.Reached }
