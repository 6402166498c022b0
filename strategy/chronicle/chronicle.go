// Package chronicle shortens a conversation in place and in order, so that the result still
// reads as the conversation: the requests, the work, its outcome, and what is open.
//
// Each element has levels of detail:
//
//   - Typed text, pinned blocks and the last answer of the model stay whole.
//   - The answer that closes a turn keeps at least one paragraph or sentence.
//   - Other text of the model is kept by paragraphs and sentences, or removed.
//   - A call stays with its result, which may be shortened by regions of connected
//     lines, or it becomes a record.
//   - Instructions stay whole unless they would take more than half of the budget.
//   - Thinking and short texts of clients stay whole or are removed. Long texts of
//     clients are shortened.
//
// A record is a bracketed note in the place of calls:
//
//	[condensed: Read a.go (214 lines); `go test ./...` failed: a_test.go:12: want 3]
//
// Lines of a result, or lines that a call wrote, may stand below the words for that
// call. Records stand beside text of the model or results that stay there, or in a
// message of their own. A later run reads them back, merges them and shortens them.
// Package transcript finds them: see [transcript.Records].
//
// One choice under the budget, by value per token, decides on the levels: see package
// allocate.
package chronicle

import (
	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// Source is a conversation to shorten, and what is known of it.
type Source struct {
	Conv   *transcript.Conversation                                  // with pins, which are obeyed
	Budget int                                                       // tokens that the effective view may have
	Tokens func(*transcript.Block) int                               // pure
	Survey *fact.Survey                                              // of Conv
	Value  []float64                                                 // by fact: the value of its first mention, rounded by allocate.Exact
	Hint   func(transcript.Ref, *transcript.Block, int) squeeze.Hint // what is known of the text of a part
	Held   func(*transcript.Block, *squeeze.Text) []int              // pieces that the user protects; may be nil
}

// Edits returns the edits that bring the conversation to the budget, or as near to it
// as the pins and the rules of this package allow. Edits that belong together are one
// group.
func (s *Source) Edits() []transcript.Edit {
	d := newDraft(s)
	d.layOut()
	c := newChoice(d)
	return c.land()
}

// again is the share of its value that a fact has when it is kept once already: the
// second place may set it into another context.
const again = 0.4

// marginal returns the values of the facts of which nothing is kept.
func (s *Source) marginal() *allocate.Marginal[fact.ID] {
	return allocate.NewMarginal[fact.ID](s.Value, again)
}
