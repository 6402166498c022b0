// Package chronicle shortens a conversation in place and in order, so that the result still
// reads as the conversation: the requests, the work, its outcome, and the open tasks.
//
// Each element has levels of detail:
//
//   - Typed text, pinned blocks and the last answer of the model stay whole.
//   - The answer that closes a turn keeps at least one paragraph or sentence.
//   - Other text of the model is kept by paragraphs and sentences, or removed.
//   - A call stays with its result, which may be shortened by regions of connected
//     lines, or it becomes a record.
//   - Instructions stay whole unless they would take more than half of the budget.
//   - Thinking stays whole or is removed. Under a small budget, records quote its
//     sentences.
//   - Short texts of clients stay whole or are removed. Long ones are shortened.
//
// A record is a bracketed note in the place of calls:
//
//	[condensed: Read a.go (214 lines); `go test ./...` failed: a_test.go:12: want 3]
//
// Lines of a result, or lines that a call wrote, may follow the words for that call. A
// record is part of a text of the model or of a result that stays, or a message of its
// own. A later run reads records back, merges them and shortens them.
// Package transcript finds them: see [transcript.Records].
//
// A greedy selection by value per token chooses the levels under the budget: see package
// allocate.
package chronicle

import (
	"regexp"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// Source is a conversation to shorten, with the functions and data that the choice needs.
type Source struct {
	Conv   *transcript.Conversation                                  // its pins are respected
	Budget int                                                       // most tokens of the effective view after the edits
	Tokens func(*transcript.Block) int                               // counts the tokens of a block; must be pure
	Survey *fact.Survey                                              // the facts of Conv
	Value  []float64                                                 // by fact ID: the value of its first mention, rounded by allocate.Exact
	Hint   func(transcript.Ref, *transcript.Block, int) squeeze.Hint // describes the text of a part, given by its index
	Held   func(*transcript.Block, *squeeze.Text) []int              // returns the pieces that the user protects; may be nil
	// Unpinned reports that the user allows to remove typed text. The choice is then among
	// its statements.
	Unpinned bool
	Tags     *regexp.Regexp // matches elements that have an effect on the next run, so records hold none; nil for none
	Stays    map[int]bool   // by ID: messages that a story leaves out, because they stay beside it
	// Original, if not nil, returns a block of Conv as it was before earlier stages of the run, which may have
	// left a marker of it, or nil. Records tell the outcome of a call by it.
	Original func(transcript.Ref) *transcript.Block
	// Instructs has the texts of clients that an earlier summary quotes as instructions, in
	// addition to those that [fact.Instructs] recognises.
	Instructs map[*transcript.Block]bool
}

// Edits returns the edits that bring the conversation to the budget, or as near to it
// as the pins and the rules of this package allow. Edits that depend on each other
// have the same group.
func (s *Source) Edits() []transcript.Edit {
	return s.edits(len(s.Conv.Messages) >= manyMessages)
}

// edits is Edits, with brief answers or without. The edits are the same.
func (s *Source) edits(briefs bool) []transcript.Edit {
	own := *s
	d := newDraft(&own)
	if briefs {
		d.briefs = 0
	}
	d.layOut()
	c := newChoice(d)
	d.forget()
	return c.land()
}

// again is the factor of the value of a fact that is already kept once. The second
// mention has some value because its context may differ.
const again = 0.4

// marginal returns the values of the facts while none is kept.
func (s *Source) marginal() *allocate.Marginal[fact.ID] {
	return allocate.NewMarginal[fact.ID](s.Value, again)
}
