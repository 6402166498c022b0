package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// show writes a conversation with a line for each message, hidden ones in
// parentheses, and what is in it between bars:
//
//	user: typed "fix it" | injected "<system-reminder>…</system-reminder>"
//	assistant: model "Reading." | call c1 Read path="a.go" limit=5
//	user: result c1 Read "package a"
//
// A call without a result is open, a result without a call is an orphan.
func show(c *transcript.Conversation) (lines []string) {
	for _, m := range c.Messages {
		var blocks []string
		for _, b := range m.Blocks {
			_, paired := c.Partner(transcript.Ref{Msg: m.ID, Block: b.ID})
			blocks = append(blocks, showBlock(b, paired))
		}
		line := m.Role.String() + ": " + strings.Join(blocks, " | ")
		if m.Hidden {
			line = "(" + line + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func showBlock(b *transcript.Block, paired bool) string {
	var words []string
	switch {
	case b.Kind == transcript.Text:
		words = append(words, b.Origin.String())
	case b.Kind == transcript.ToolCall && !paired:
		words = append(words, "open call")
	case b.Kind == transcript.ToolCall:
		words = append(words, "call")
	case b.Kind == transcript.ToolResult && !paired:
		words = append(words, "orphan result")
	case b.Kind == transcript.ToolResult:
		words = append(words, "result")
	default:
		words = append(words, b.Kind.String())
	}
	if b.Kind == transcript.ToolResult && b.Origin == transcript.Typed {
		words[0] = "typed " + words[0]
	}
	for _, name := range []string{b.Call, b.Tool} {
		if name != "" {
			words = append(words, name)
		}
	}
	for _, p := range b.Parts {
		words = append(words, showPart(p))
	}
	return strings.Join(words, " ")
}

func showPart(p transcript.Part) string {
	text := fmt.Sprintf("%q", p.Text)
	switch {
	case p.Media != nil:
		text = p.Media.Type
	case p.Number:
		text = p.Text
	}
	if p.Name != "" {
		return p.Name + "=" + text
	}
	return text
}

// decoded decodes a source and checks that it is encoded without change.
func decoded(t *testing.T, src string) *File {
	t.Helper()
	f, err := Decode([]byte(src), "")
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	var out bytes.Buffer
	if _, err := f.Encode(&out, f.Convs); err != nil || out.String() != src {
		t.Errorf("written without a change: %v\n%s", err, out.String())
	}
	return f
}

// shows fails the test when a conversation is not as wanted.
func shows(t *testing.T, c *transcript.Conversation, want ...string) {
	t.Helper()
	if got := show(c); !slices.Equal(got, want) {
		t.Errorf("decoded as\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// rewritten returns the source after one block or part got another text.
func rewritten(t *testing.T, f *File, at transcript.Ref, text string) string {
	t.Helper()
	final := slices.Clone(f.Convs)
	next, err := f.Convs[0].Apply([]transcript.Edit{{At: at, Op: transcript.Rewrite, Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	final[0] = next
	var out bytes.Buffer
	if _, err := f.Encode(&out, final); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Verify(final, out.Bytes()); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	return out.String()
}

// edited returns the source after edits of its first conversation, and checks it.
func edited(t *testing.T, f *File, edits ...transcript.Edit) string {
	t.Helper()
	next, err := f.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	final := slices.Clone(f.Convs)
	final[0] = next
	out, err := f.Bytes(final)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Verify(final, out); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

func drop(msg int) transcript.Edit {
	return transcript.Edit{At: transcript.At(msg), Op: transcript.Drop}
}

func dropBlock(msg, block int) transcript.Edit {
	return transcript.Edit{At: transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}, Op: transcript.Drop}
}

// insert inserts a message of one text in front of another message, or at the end.
func insert(at int, role transcript.Role, text string) transcript.Edit {
	return transcript.Edit{At: transcript.At(at), Op: transcript.Insert, New: &transcript.Message{
		Role: role, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}, Origin: transcript.Generated}},
	}}
}

// dropped returns the source after messages were dropped.
func dropped(t *testing.T, f *File, refs ...transcript.Ref) string {
	t.Helper()
	var edits []transcript.Edit
	for _, at := range refs {
		at.Block, at.Part = transcript.Whole, transcript.Whole
		edits = append(edits, transcript.Edit{At: at, Op: transcript.Drop})
	}
	return edited(t, f, edits...)
}

// contains fails the test unless the output holds all texts of the first list and none of the others.
func contains(t *testing.T, out string, want []string, gone ...string) {
	t.Helper()
	for _, s := range want {
		if !strings.Contains(out, s) {
			t.Errorf("no %s in\n%s", s, out)
		}
	}
	for _, s := range gone {
		if strings.Contains(out, s) {
			t.Errorf("%s is still in\n%s", s, out)
		}
	}
}
