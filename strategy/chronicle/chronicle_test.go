package chronicle_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"condense/strategy/chronicle"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/format"
)

// TestEdits checks that a session at half of its tokens is smaller and valid, and keeps the
// typed text, which is pinned.
func TestEdits(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/pi/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	c := f.Convs[0]
	survey := fact.Of(c)
	last := fact.ID(0)
	for text := range survey.Texts() {
		for _, m := range text.Mentions {
			last = max(last, m.Fact)
		}
	}
	for _, b := range c.Blocks() {
		if b.Origin == transcript.Typed {
			b.Pin = transcript.Verbatim
		}
	}
	before := tokens(c)
	s := chronicle.Source{
		Conv: c, Budget: before / 2, Survey: survey, Value: slices.Repeat([]float64{1}, int(last)+1),
		Tokens: blockTokens,
		Hint:   func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} },
	}
	next, err := c.Apply(s.Edits())
	if err != nil {
		t.Fatal(err)
	}
	if after := tokens(next); after >= before {
		t.Errorf("%d tokens before, %d after", before, after)
	}
	for ref, b := range c.Blocks() {
		if b.Origin == transcript.Typed && (next.Block(ref) == nil || next.Block(ref).Text() != b.Text()) {
			t.Errorf("typed text %v changed: %q", ref, b.Text())
		}
	}
}

// The example shortens a session to half of its tokens.
func ExampleSource_Edits() {
	src, err := os.ReadFile("../../testdata/sessions/pi/session.jsonl")
	if err != nil {
		panic(err)
	}
	f, err := format.Decode(src, "")
	if err != nil {
		panic(err)
	}
	c := f.Convs[0]
	s := chronicle.Source{
		Conv: c, Budget: tokens(c) / 2, Tokens: blockTokens, Survey: fact.Of(c), Value: make([]float64, 1000),
		Hint: func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} },
	}
	next, err := c.Apply(s.Edits())
	if err != nil {
		panic(err)
	}
	fmt.Println(tokens(next) < tokens(c))
	// Output: true
}

// tokens returns the tokens of the effective view of a conversation.
func tokens(c *transcript.Conversation) (n int) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			n += blockTokens(b)
		}
	}
	return n
}

// blockTokens counts four bytes as one token.
func blockTokens(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }
