package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"condense/transcript"
)

// Verify decodes out, the encoded form of final, and compares the two: conversations,
// messages, visibility, roles, kinds and texts must be equal. It returns the decoded
// output, so that callers can count its tokens. After an error, out must not be used.
func (f *File) Verify(final []*transcript.Conversation, out []byte) (*File, error) {
	again, differs, err := f.Compare(final, out)
	if err != nil {
		return nil, err
	}
	for _, err := range differs {
		if err != nil {
			return nil, err
		}
	}
	return again, nil
}

// Compare is Verify for each conversation: differs[i] describes how conversation i of out
// differs from final[i]; nil when they are equal. err is about out as a whole.
func (f *File) Compare(final []*transcript.Conversation, out []byte) (again *File, differs []error, err error) {
	again, err = f.decodeAgain(out)
	if err != nil {
		return nil, nil, fmt.Errorf("the output does not decode: %w", err)
	}
	if len(again.Convs) != len(final) {
		return nil, nil, fmt.Errorf("the output has %d conversations, expected %d", len(again.Convs), len(final))
	}
	differs = make([]error, len(final))
	for i, c := range final {
		if f.options.Tag {
			c = tagged(f.Convs[i], c)
		}
		differs[i] = sameConversation(c, again.Convs[i], f.Dialect)
	}
	return again, differs, nil
}

func sameConversation(want, got *transcript.Conversation, d *Dialect) error {
	a, b := withBlocks(want), withBlocks(got)
	if d.attaches {
		a, b = runs(a), runs(b)
	}
	for i := range min(len(a), len(b)) {
		if slices.EqualFunc(a[i], b[i], sameMessage) {
			continue
		}
		madeIDs := slices.ContainsFunc(a[i], hasMadeIDs) || slices.ContainsFunc(b[i], hasMadeIDs)
		w, g := fingerprints(a[i], madeIDs, d.fails == nil), fingerprints(b[i], madeIDs, d.fails == nil)
		if w != g {
			return fmt.Errorf("message %d of the output differs from the edited conversation: %s", got.Position(b[i][0].ID)+1, difference(w, g))
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("the output has %d messages, expected %d", len(b), len(a))
	}
	return nil
}

// withBlocks returns the messages that have blocks, each as a run of one. Not every format
// can write a message without blocks.
func withBlocks(c *transcript.Conversation) [][]*transcript.Message {
	out := make([][]*transcript.Message, 0, len(c.Messages))
	for i, m := range c.Messages {
		if len(m.Blocks) > 0 {
			out = append(out, c.Messages[i:i+1])
		}
	}
	return out
}

// runs joins the user messages of every run that holds an attachment. Which of them an
// attachment belongs to depends on the records around it.
func runs(msgs [][]*transcript.Message) (out [][]*transcript.Message) {
	for len(msgs) > 0 {
		first := msgs[0][0]
		n, attaches := 1, holdsAttachment(first)
		for ; n < len(msgs) && first.Role == transcript.User; n++ {
			m := msgs[n][0]
			if m.Role != first.Role || m.Hidden != first.Hidden || m.Hides != first.Hides {
				break
			}
			attaches = attaches || holdsAttachment(m)
		}
		if attaches {
			out = append(out, slices.Concat(msgs[:n]...))
		} else {
			out = append(out, msgs[:n]...)
		}
		msgs = msgs[n:]
	}
	return out
}

// holdsAttachment reports whether a message has the text of an attachment.
func holdsAttachment(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Kind == transcript.Text && b.Tool != "" })
}

// hasMadeIDs reports whether calls or results of a message were paired without ids in the
// file. The output may pair them differently, so only their texts are compared.
func hasMadeIDs(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return strings.HasPrefix(b.Call, proseID) })
}

// sameMessage reports whether two messages have equal roles, visibility and blocks. Their
// fingerprints are then equal, too, and need not be made.
func sameMessage(a, b *transcript.Message) bool {
	return a.Role == b.Role && a.Hidden == b.Hidden && a.Hides == b.Hides && slices.EqualFunc(a.Blocks, b.Blocks, func(a, b *transcript.Block) bool {
		return a.Kind == b.Kind && a.Call == b.Call && a.Tool == b.Tool && a.Error == b.Error &&
			slices.EqualFunc(a.Parts, b.Parts, equalParts)
	})
}

func equalParts(a, b transcript.Part) bool {
	medium := a.Media == b.Media || a.Media != nil && b.Media != nil && a.Media.Bytes == b.Media.Bytes
	return medium && a.Name == b.Name && a.Text == b.Text
}

// fingerprints returns the fingerprints of a run of messages with equal roles, joined.
func fingerprints(run []*transcript.Message, madeIDs, flags bool) string {
	m := run[0]
	s := fmt.Sprintf("%s hidden=%t hides=%t\n", m.Role, m.Hidden, m.Hides)
	for _, m := range run {
		s += fingerprint(m, madeIDs, flags)
	}
	return s
}

// fingerprint returns a text that is the same for the blocks of a message before and after
// writing. Texts are joined without white space, because a string that lost a segment may
// be cut into other segments when it is decoded again. flags reports whether the file
// records failures beside the texts; otherwise an edit may remove the words that state one.
func fingerprint(m *transcript.Message, madeIDs, flags bool) string {
	var s, prose strings.Builder
	for i, b := range m.Blocks {
		if repeatsCall(m.Blocks[:i], b) {
			continue
		}
		inProse := b.Kind == transcript.Text || b.Call == "" || madeIDs
		if inProse && b.Kind != transcript.Thinking && b.Kind != transcript.Media && b.Kind != transcript.Opaque {
			for _, p := range b.Parts {
				writeWithoutSpace(&prose, withoutFences(p.Text))
			}
			if len(b.Parts) == 0 && b.Kind == transcript.ToolCall {
				fmt.Fprintf(&s, "%s %s\n", b.Kind, b.Tool) // it has no words to compare
			}
			continue
		}
		tool := b.Tool
		if b.Kind == transcript.ToolResult {
			tool = "" // a result may get it from its call
		}
		fmt.Fprintf(&s, "%s %s %s %t\n", b.Kind, b.Call, tool, flags && b.Error)
		for _, p := range b.Parts {
			if p.Text == "" && p.Media == nil {
				continue // left behind where a text was removed from a structure
			}
			s.WriteString(p.Name)
			s.WriteByte('=')
			if p.Media != nil {
				fmt.Fprintf(&s, "media %d", p.Media.Bytes)
			}
			s.WriteString(p.Text)
			s.WriteByte('\n')
		}
	}
	s.WriteString(prose.String())
	return s.String()
}

// repeatsCall reports whether a call with an id equals an earlier one of its message.
// Decoded again, it would become a copy.
func repeatsCall(before []*transcript.Block, b *transcript.Block) bool {
	return b.Kind == transcript.ToolCall && b.Call != "" && slices.ContainsFunc(before, func(a *transcript.Block) bool {
		return a.Kind == b.Kind && a.Call == b.Call && a.Tool == b.Tool && slices.Equal(a.Parts, b.Parts)
	})
}

// withoutFences removes the fences from a text. The fences around a call belong to no
// block. When the call is removed, an earlier fence could be taken for one of a call.
func withoutFences(text string) string {
	for _, fence := range []string{"<command>", "</command>"} {
		text = strings.ReplaceAll(text, fence, "")
	}
	var out strings.Builder
	for {
		before, behind, found := strings.Cut(text, "```")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		text = strings.TrimLeft(behind, "`")
		rest := strings.TrimLeftFunc(text, func(r rune) bool { return r < unicode.MaxASCII && isWordByte(byte(r)) })
		if rest == "" || rest[0] == '\n' || rest[0] == '`' { // the word is a language
			text = rest
		}
	}
}

// writeWithoutSpace writes a text without its white space.
func writeWithoutSpace(to *strings.Builder, text string) {
	for len(text) > 0 {
		i := strings.IndexFunc(text, unicode.IsSpace)
		if i < 0 {
			i = len(text)
		}
		to.WriteString(text[:i])
		text = strings.TrimLeftFunc(text[i:], unicode.IsSpace)
	}
}

// difference describes where two texts begin to differ.
func difference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	return fmt.Sprintf("expected %q, found %q", clip(want, i), clip(got, i))
}

// clip returns the part of a text around an offset.
func clip(s string, at int) string {
	return s[max(0, at-20):min(len(s), at+40)]
}

// tagged returns the conversation that a tagged output decodes to: final, with the
// dropped messages hidden in their places.
func tagged(from, final *transcript.Conversation) *transcript.Conversation {
	var messages []*transcript.Message
	rest := final.Messages
	inserted := func() {
		for len(rest) > 0 && from.Message(rest[0].ID) == nil {
			messages, rest = append(messages, rest[0]), rest[1:]
		}
	}
	for _, m := range from.Messages {
		if final.Message(m.ID) == nil {
			hidden := *m
			hidden.Hidden = true
			messages = append(messages, &hidden)
			continue
		}
		inserted()
		messages, rest = append(messages, rest[0]), rest[1:]
	}
	inserted()
	return &transcript.Conversation{ID: final.ID, Messages: messages}
}
