// Package chronicle shortens a conversation in place and in order, so that what is
// left reads as the conversation: what was asked, what was done, what came of it, and
// what is open.
//
// Each element has levels of detail. Typed text and the last answer stay whole. A
// closing answer keeps at least one sentence. Other prose of the model is kept by
// paragraphs. A call stays with its result, which may be shortened by regions of
// connected lines, or it becomes a record of one line ([condensed: Read a.go (214
// lines); `go test ./...` failed: …]), with the lines of its result or its edit
// that matter under it. Injected text and thinking stay whole or go.
//
// One choice under the budget, by value per token, decides on the levels: see
// package allocate.
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
	Worth  []float64                                                 // by fact: the value of its first mention, rounded by allocate.Exact
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
	return allocate.NewMarginal[fact.ID](s.Worth, again)
}
