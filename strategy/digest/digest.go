// Package digest writes a summary of a part of a conversation without a model. It lists
// open requests, constraints, files and commands with their results, and texts of the
// conversation. Every line is quoted word for word.
//
// The caller passes the value of each fact that a line mentions, which is lower for a fact
// that is kept elsewhere, and the value of the line itself. The package chooses the lines
// with the most value for their tokens, and their places.
//
// A digest is recognised by its first line. A digest among the messages is read back into
// its entries, which compete with the others, so that digests never nest.
package digest

import (
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// Source is what a digest is made of.
type Source struct {
	Conv   *transcript.Conversation
	Gone   map[transcript.Ref]bool // the blocks that the digest stands for; Ref.Part is transcript.Whole
	Untold bool                    // what a person typed in them is told nowhere else
	Survey *fact.Survey            // of Conv

	Worth []float64 // by fact of Survey: what a line gains by mentioning it
	Again float64   // share of that which is left where the fact is kept elsewhere once; where twice, nothing is
	// Line is what a line of a block is worth besides its facts, given its tokens.
	Line func(ref transcript.Ref, line string, tokens float64) float64
	// Faults are the pieces of a part of a result that say what went wrong, in order.
	Faults func(ref transcript.Ref, part int) []Span
	// Subject is what a call is about in a few words: the path it reads, the
	// command it runs. "" when nothing says.
	Subject func(call *transcript.Block) string

	State bool   // write it as a state in XML, for a model that is told to go on from there
	Skip  string // a text among Gone that says nothing

	Tokens  func(text string) int
	PerByte func(b *transcript.Block) float64 // tokens for each byte of a block's texts, for estimates
	Budget  int                               // tokens that the digest may have
}

// Span is a piece of the text of a part, in bytes.
type Span struct{ Start, End int }

// How digests begin: with words by which clients that condense know summaries of
// their own, so that what reads these takes ours for one.
const (
	opening      = "## Conversation Summary: lines of it, word for word"
	openingState = stateElement + "\n<notice>lines of the conversation so far, word for word</notice>"
	stateElement = "<state_snapshot>"
)

// Is reports whether a text is a digest.
func Is(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return line == opening || line == openingNotes || strings.HasPrefix(text, openingState) || strings.HasPrefix(text, openingNotesState)
}

// Write returns the digest; "" when not even one line fits or is worth anything.
// It depends on nothing but the source.
func (s *Source) Write() string {
	c := newCollection(s)
	for ref, b := range s.Conv.Blocks() {
		switch {
		case !s.Gone[ref] || b.Origin == transcript.Typed && !s.Untold:
			c.stays(b)
		case b.Text() != s.Skip:
			c.add(ref, b)
		}
	}
	c.tasks()
	return newChoice(c).land()
}
