package strategy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// The tests write conversations as
//
//	conv(user("fix it"), model("I'll look.", call("1", "Read", "path=a.go")), tool("1", "package a"))
//
// and read them back with show, edits with showEdits.

var (
	conv     = transcripttest.Conversation
	system   = transcripttest.System
	user     = transcripttest.User
	model    = transcripttest.Model
	tool     = transcripttest.Tool
	hidden   = transcripttest.Hidden
	text     = transcripttest.Text
	thinking = transcripttest.Thinking
	call     = transcripttest.Call
	prose    = transcripttest.Prose
	result   = transcripttest.Result
	empty    = transcripttest.EmptyResult
	withText = transcripttest.WithText
	failing  = transcripttest.Failing
)

// announced returns an attachment of a client, such as a list of its tools.
func announced(kind, s string) *transcript.Block {
	b := injected(s)
	b.Tool = kind
	return b
}

func injected(s string) *transcript.Block {
	b := text(s)
	b.Origin = transcript.Injected
	return b
}

func summary(s string) *transcript.Block {
	b := text(s)
	b.Origin = transcript.Generated
	return b
}

// projectRules returns a text of a client that instructs the model.
func projectRules(rules string) *transcript.Block {
	return injected("# AGENTS.md instructions\n\n" + rules)
}

// ours returns a message that this program wrote, as a file with ids shows it.
func ours(blocks ...*transcript.Block) *transcript.Message {
	return &transcript.Message{Role: transcript.User, Blocks: blocks, Marked: true}
}

// headed returns a result as Cline writes it: a header that a rewrite keeps, and a body.
func headed(id, header, body string) *transcript.Block {
	b := result(id, header)
	b.Parts[0].Head = int32(len(header))
	return withText(b, body)
}

// quoting marks a result that has words of the user.
func quoting(b *transcript.Block) *transcript.Block {
	b.Origin = transcript.Typed
	return b
}

func fixed(b *transcript.Block) *transcript.Block {
	b.Fixed = true
	return b
}

// withImage adds a picture of 1,000 bytes to a result.
func withImage(b *transcript.Block) *transcript.Block {
	b.Parts = append(b.Parts, transcript.Part{Media: &transcript.Medium{Type: "image/png", Bytes: 1000}})
	return b
}

func image() *transcript.Block { return withImage(&transcript.Block{Kind: transcript.Media}) }

// round returns a tool round: a call and its result.
func round(id, tool, arg, text string) []*transcript.Message {
	return []*transcript.Message{model(call(id, tool, arg)), user(result(id, text))}
}

// lines returns n lines of four words.
func lines(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "this is line %d\n", i+1)
	}
	return s.String()
}

// words counts a block by its words, and an image as 50, so that a reader can check the
// numbers in the tests.
func words(b *transcript.Block) int {
	n := 0
	for _, p := range b.Parts {
		if p.Media != nil {
			n += 50
		}
		n += len(strings.Fields(p.Text))
	}
	return n
}

func total(c *transcript.Conversation) int {
	n, _ := breakdown.Measure(c, words)
	return n
}

// pinned returns the conversation with the pins that smart-compress sees, except that of
// the last answer.
func pinned(c *transcript.Conversation, o *Options) *transcript.Conversation {
	free := *o
	free.UnpinLast = true // the pin of the last answer has tests of its own
	return c.WithPins(pinsOf(c, &free, transcript.Present).of)
}

// inputFor returns the input that a run passes to a stage: with pins, and with a budget
// if it is more than 0.
func inputFor(c *transcript.Conversation, o Options, budget int) *Input {
	in := &Input{Conv: pinned(c, &o), Opts: &o, Budget: budget, Env: Env{Tokens: words}, notes: &noted{}}
	if budget > 0 {
		in.Need = total(c) - budget
	}
	return in
}

// propose returns the edits of a strategy, which may skip, but must not fail.
func propose(t *testing.T, s *Strategy, in *Input) []transcript.Edit {
	t.Helper()
	p, err := s.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return p.Edits
}

// wantSkip checks that a strategy proposes nothing, for the given reason.
func wantSkip(t *testing.T, s *Strategy, in *Input, reason string) {
	t.Helper()
	if p, err := s.Run(t.Context(), in); err != nil || p.Skipped != reason || p.Edits != nil {
		t.Errorf("%s: got %v, skipped %q, %v; want a skip: %s", s.Name, showEdits(p.Edits), p.Skipped, err, reason)
	}
}

// apply returns the conversation after the edits.
func apply(t *testing.T, c *transcript.Conversation, edits []transcript.Edit) *transcript.Conversation {
	t.Helper()
	next, err := c.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// show returns the visible messages, each with its id: "0:fix it | 1:I'll look. & +1 | 2:-1 package a".
func show(c *transcript.Conversation) string {
	var msgs []string
	for m := range c.Visible() {
		var blocks []string
		for _, b := range m.Blocks {
			s := b.Text()
			switch b.Kind {
			case transcript.ToolCall:
				s = "+" + b.Call
			case transcript.ToolResult:
				s = "-" + b.Call + " " + s
			case transcript.Thinking:
				s = "?" + s
			case transcript.Media:
				s = "%"
			}
			blocks = append(blocks, s)
		}
		msgs = append(msgs, fmt.Sprintf("%d:%s", m.ID, strings.Join(blocks, " & ")))
	}
	return strings.Join(msgs, " | ")
}

// showEdits returns a line for each edit: "drop 3.0", "2.0 [Read a.go: ok, 20 lines omitted]".
func showEdits(edits []transcript.Edit) (list []string) {
	for _, e := range edits {
		at := fmt.Sprintf("%d.%d", e.At.Msg, e.At.Block)
		switch e.Op {
		case transcript.Drop:
			list = append(list, "drop "+at)
		case transcript.Rewrite:
			list = append(list, at+" "+e.Text)
		case transcript.Insert:
			list = append(list, "insert before "+at)
		}
	}
	return list
}

func wantEdits(t *testing.T, edits []transcript.Edit, want ...string) {
	t.Helper()
	if got := showEdits(edits); !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// concat joins lists of messages.
func concat(lists ...[]*transcript.Message) []*transcript.Message { return slices.Concat(lists...) }
