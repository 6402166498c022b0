package format

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// A wrong is one way in which an output can differ from the decided conversation. It changes
// block b of message m of c in place, or the message if b is nil. It reports whether the change
// applies there.
type wrong struct {
	name string
	// everywhere is set if the change applies to every format.
	everywhere bool
	change     func(f *File, c *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool
}

var wrongs = []wrong{
	{"a text", true, func(_ *File, _ *transcript.Conversation, _ *transcript.Message, b *transcript.Block) bool {
		if b == nil || len(b.Parts) == 0 || b.Kind == transcript.Media || b.Kind == transcript.Opaque {
			return false
		}
		i := slices.IndexFunc(b.Parts, func(p transcript.Part) bool { return p.Text != "" })
		if i < 0 {
			return false
		}
		b.Parts[i].Text = "Q" + b.Parts[i].Text
		return true
	}},
	{"a last text", true, func(_ *File, _ *transcript.Conversation, _ *transcript.Message, b *transcript.Block) bool {
		if b == nil || len(b.Parts) == 0 || b.Kind == transcript.Media || b.Kind == transcript.Opaque {
			return false
		}
		p := &b.Parts[len(b.Parts)-1]
		p.Text += ". Q"
		return p.Media == nil
	}},
	{"a name", false, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.ToolCall || b.Call == "" || hasMadeIDs(m) {
			return false
		}
		b.Tool += "Q"
		return true
	}},
	{"the name of an argument", false, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.ToolCall || b.Call == "" || hasMadeIDs(m) || len(b.Parts) == 0 || b.Parts[0].Text == "" {
			return false
		}
		b.Parts[0].Name += "Q"
		return true
	}},
	{"an id", false, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Call == "" || hasMadeIDs(m) {
			return false
		}
		b.Call += "Q"
		return true
	}},
	{"an error flag", false, func(f *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.ToolResult || b.Call == "" || hasMadeIDs(m) || f.Dialect.fails != nil {
			return false
		}
		b.Error = !b.Error
		return true
	}},
	{"a kind", true, func(_ *File, _ *transcript.Conversation, _ *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.Text || strings.TrimSpace(b.Text()) == "" {
			return false
		}
		b.Kind = transcript.Thinking
		return true
	}},
	{"the size of an image", false, func(_ *File, _ *transcript.Conversation, _ *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.Media || len(b.Parts) == 0 || b.Parts[0].Media == nil {
			return false
		}
		other := *b.Parts[0].Media
		other.Bytes++
		b.Parts[0].Media = &other
		return true
	}},
	{"one block less", true, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		if b == nil || b.Kind != transcript.ToolCall && strings.TrimSpace(withoutFences(b.Text())) == "" || repeatsCall(m.Blocks, b) {
			return false
		}
		m.Blocks = slices.DeleteFunc(m.Blocks, func(o *transcript.Block) bool { return o == b })
		return true
	}},
	{"a role", true, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		m.Role = (m.Role + 1) % 4
		return b == nil
	}},
	{"a hidden flag", true, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		m.Hidden = !m.Hidden
		return b == nil
	}},
	{"a flag of a marker", true, func(_ *File, _ *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		m.Hides = !m.Hides
		return b == nil
	}},
	{"one message less", true, func(_ *File, c *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		c.Messages = slices.DeleteFunc(c.Messages, func(o *transcript.Message) bool { return o == m })
		return b == nil
	}},
	{"one message more", true, func(_ *File, c *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		c.Messages = slices.Insert(c.Messages, slices.Index(c.Messages, m), m)
		return b == nil
	}},
	{"the order", true, func(_ *File, c *transcript.Conversation, m *transcript.Message, b *transcript.Block) bool {
		i := slices.Index(c.Messages, m)
		if b != nil || i+1 == len(c.Messages) {
			return false
		}
		next := c.Messages[i+1]
		c.Messages[i], c.Messages[i+1] = next, m
		made := hasMadeIDs(m) || hasMadeIDs(next)
		return len(next.Blocks) > 0 && fingerprint(m, made, true) != fingerprint(next, made, true)
	}},
}

// sourcesByDialect returns the inputs of the archives and the fixtures by the dialect that reads
// them. TestArchives checks that every dialect has an archive.
func sourcesByDialect(t testing.TB) map[*Dialect][]*File {
	t.Helper()
	all := map[*Dialect][]*File{}
	for _, src := range sources(t) {
		if f, err := Decode(src, ""); err == nil {
			all[f.Dialect] = append(all[f.Dialect], f)
		}
	}
	return all
}

// copyOf returns a conversation that shares nothing with c that a wrong changes.
func copyOf(c *transcript.Conversation) *transcript.Conversation {
	var messages []*transcript.Message
	for _, m := range c.Messages {
		own := *m
		own.Blocks = nil
		for _, b := range m.Blocks {
			block := *b
			block.Parts = slices.Clone(b.Parts)
			own.Blocks = append(own.Blocks, &block)
		}
		messages = append(messages, &own)
	}
	return transcript.New(c.ID, messages)
}

// TestVerifyRefuses checks for every dialect that an output is refused that differs from the decided
// conversations in one thing. The output is the source; the decision is changed.
func TestVerifyRefuses(t *testing.T) {
	sources := sourcesByDialect(t)
	for _, d := range Dialects {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, w := range wrongs {
				n := 0
				for _, f := range sources[d] {
					n += w.tryAll(t, f)
				}
				if n == 0 && w.everywhere {
					t.Errorf("no source has a place for %s", w.name)
				}
			}
		})
	}
}

// tryAll makes the change at every place of a file, one at a time, and returns the number of places.
func (w *wrong) tryAll(t *testing.T, f *File) (n int) {
	for i, c := range f.Convs {
		for j, m := range c.Messages {
			if len(m.Blocks) == 0 {
				continue
			}
			for k := -1; k < len(m.Blocks); k++ {
				want := copyOf(c)
				var b *transcript.Block
				if k >= 0 {
					b = want.Messages[j].Blocks[k]
				}
				if !w.change(f, want, want.Messages[j], b) {
					continue
				}
				n++
				final := slices.Clone(f.Convs)
				final[i] = want
				if _, err := f.Verify(final, f.src); err == nil {
					t.Errorf("%s is wrong in message %d, block %d of conversation %d, and the output is accepted:\n%.600s", w.name, j, k, i, f.src)
					return n
				}
			}
		}
	}
	return n
}

// TestVerifyOutputs checks for every dialect that the output of one decision is refused for another:
// one text rewritten, one message dropped, one conversation left out.
func TestVerifyOutputs(t *testing.T) {
	sources := sourcesByDialect(t)
	for _, d := range Dialects {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for _, f := range sources[d] {
				if len(f.Convs) == 0 {
					continue
				}
				if _, err := f.Verify(f.Convs[1:], f.src); err == nil {
					t.Error("one conversation less is accepted")
				}
				for _, edited := range editedOnce(f) {
					n++
					refuseOther(t, f, edited)
				}
			}
			if n == 0 {
				t.Error("no source can be edited")
			}
		})
	}
}

// editedOnce returns the first conversation of a file after one edit: for every block after it was
// rewritten, and for every message after it was dropped.
func editedOnce(f *File) (list []*transcript.Conversation) {
	c := f.Convs[0]
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			at := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			if next, err := c.Apply([]transcript.Edit{{At: at, Op: transcript.Rewrite, Text: "[other words]"}}); err == nil {
				list = append(list, next)
			}
		}
		if next, err := c.Apply(dropMessage(c, m)); err == nil && len(next.Messages) > 0 && len(m.Blocks) > 0 {
			list = append(list, next)
		}
	}
	return list
}

// refuseOther checks that the source is refused as the output of the edited conversation, and its output
// as that of the source.
func refuseOther(t *testing.T, f *File, edited *transcript.Conversation) {
	t.Helper()
	final := slices.Clone(f.Convs)
	final[0] = edited
	out, err := f.Bytes(final)
	if err != nil || bytes.Equal(out, f.src) {
		t.Fatalf("the edit changed no byte (%v)", err)
	}
	if _, err := f.Verify(final, f.src); err == nil {
		t.Errorf("an output without the edit is accepted:\n%.600s", f.src)
	}
	if _, err := f.Verify(f.Convs, out); err == nil {
		t.Errorf("an output with another edit is accepted:\n%.600s", out)
	}
}
