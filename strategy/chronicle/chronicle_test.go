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

// TestHiddenMessages checks that messages outside the effective view do not change what is kept: of a
// list of paths, the ones that the model named later.
func TestHiddenMessages(t *testing.T) {
	say := func(role transcript.Role, b transcript.Block) *transcript.Message {
		return &transcript.Message{Role: role, Blocks: []*transcript.Block{&b}}
	}
	text := func(s string) []transcript.Part { return []transcript.Part{{Text: s}} }
	condensed := func(hidden, share int) (texts []string) {
		var messages []*transcript.Message
		for range hidden {
			old := say(transcript.User, transcript.Block{Parts: text("an old message")})
			old.Hidden = true
			messages = append(messages, old)
		}
		round := func(i int, path, result string) {
			id := fmt.Sprint("call", i)
			messages = append(messages,
				say(transcript.Assistant, transcript.Block{Kind: transcript.ToolCall, Call: id, Tool: "bash", Origin: transcript.ByModel, Parts: []transcript.Part{{Name: "command", Text: "cat " + path}}}),
				say(transcript.Tool, transcript.Block{Kind: transcript.ToolResult, Call: id, Tool: "bash", Origin: transcript.ByTool, Parts: text(result)}))
		}
		list := ""
		for i := range 60 {
			list += fmt.Sprintf("internal/part%d/reader%d.go holds the reader of part number %d\n", i, i, i)
		}
		messages = append(messages, say(transcript.User, transcript.Block{Parts: text("Read them."), Pin: transcript.Verbatim}))
		round(0, "list.txt", list)
		for i := 1; i < 40; i++ {
			round(i, fmt.Sprintf("internal/part%d/reader%d.go", i%20, i%20), fmt.Sprintf("the reader of part %d reads its %d rows\n", i, i*37))
		}
		messages = append(messages, say(transcript.Assistant, transcript.Block{Parts: text("They are read."), Origin: transcript.ByModel}))
		c := transcript.New("", messages)
		survey := fact.Of(c)
		s := chronicle.Source{
			Conv: c, Budget: tokens(c) / share, Survey: survey, Value: slices.Repeat([]float64{1}, survey.Len()), Tokens: blockTokens,
			Hint: func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} },
		}
		next, err := c.Apply(s.Edits())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range next.Blocks() {
			texts = append(texts, b.Text())
		}
		return texts
	}
	for _, share := range []int{2, 3, 5, 8, 12} {
		if got, want := condensed(200, share), condensed(0, share); !slices.Equal(got, want) {
			t.Errorf("1/%d: %q with hidden messages, %q without", share, got, want)
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
