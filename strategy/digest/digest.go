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

// Source is the material of a digest.
type Source struct {
	Conv   *transcript.Conversation
	Gone   map[transcript.Ref]bool // the blocks that the digest stands for; Ref.Part is transcript.Whole
	Typed  bool                    // the digest may hold typed text, because no message holds it
	Survey *fact.Survey            // of Conv

	Values []float64 // by fact of Survey: what a line gains by mentioning it
	Second float64   // share of that for a fact that is kept elsewhere once; for more, nothing is gained
	// Line returns the value of a line of a block, without its facts, given its tokens.
	Line func(ref transcript.Ref, line string, tokens float64) float64
	// Faults returns the pieces of a part of a result that report failures, in order.
	Faults func(ref transcript.Ref, part int) []Span
	// Subject returns what a call is about: the path that it reads, or the command that it
	// runs; "" when no argument says so.
	Subject func(call *transcript.Block) string

	State bool   // write it as a state in XML, for a model that is asked to continue from there
	Skip  string // a text among Gone that is left out

	Tokens  func(text string) int
	PerByte func(b *transcript.Block) float64 // tokens for each byte of a block's texts, for estimates
	Budget  int                               // tokens that the digest may have
}

// Span is a piece of the text of a part, in bytes.
type Span struct{ Start, End int }

// The first lines of digests. Clients recognise their own summaries by these words, and
// so they recognise ours.
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

// Write returns the digest; "" when no line fits or has a value. It is pure.
func (s *Source) Write() string {
	c := newCollection(s)
	for ref, b := range s.Conv.Blocks() {
		switch {
		case !s.Gone[ref] || b.Origin == transcript.Typed && !s.Typed:
			c.stays(b)
		case b.Text() != s.Skip:
			c.add(ref, b)
		}
	}
	c.tasks()
	return newChoice(c).land()
}
