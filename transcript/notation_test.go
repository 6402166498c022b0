package transcript

import (
	"fmt"
	"slices"
	"strings"
)

// The tests write conversations in a notation:
//
//	U:hello | A:+a(Read a.go) | T:-a body | A:done
//
// Messages are parted by " | ", their blocks by " & ". The letter is the role
// (S, U, A, T), with "~" in front when hidden. A block is text unless it begins with
//
//	+id(Tool value name=value name:=3)  a call; ":=" is a number, a bare value is named "path"
//	-id one/two/%png                    a result; parts are parted by "/", "%" is media
//	?text   %png   #blob                thinking, media, opaque content
//
// after "!" (pinned Present), "!!" (pinned Verbatim) or "=" (Fixed).
func conv(notation string) *Conversation {
	return New("c", messages(notation))
}

func messages(notation string) []*Message {
	var msgs []*Message
	for _, s := range split(notation, " | ") {
		m := &Message{}
		s, m.Hidden = strings.CutPrefix(s, "~")
		role, blocks, _ := strings.Cut(s, ":")
		m.Role = Role(strings.Index("SUAT", role))
		for i, b := range split(blocks, " & ") {
			m.Blocks = append(m.Blocks, block(b, m.Role))
			m.Blocks[i].ID = i
		}
		msgs = append(msgs, m)
	}
	return msgs
}

func block(s string, role Role) *Block {
	b := &Block{Origin: [...]Origin{Injected, Typed, ByModel, ByTool}[role]}
	rest := strings.TrimLeft(s, "!=")
	b.Pin = Pin(strings.Count(s[:len(s)-len(rest)], "!"))
	b.Fixed = strings.Contains(s[:len(s)-len(rest)], "=")
	kind := Text
	if rest != "" {
		kind = Kind(1 + strings.IndexByte("?+-%#", rest[0])) // 1 + -1 is Text
	}
	b.Kind = kind
	switch kind {
	case ToolCall:
		call, args, _ := strings.Cut(rest[1:], "(")
		b.Call = call
		fields := strings.Fields(strings.TrimSuffix(args, ")"))
		b.Tool = fields[0]
		for _, f := range fields[1:] {
			b.Parts = append(b.Parts, argument(f))
		}
	case ToolResult:
		call, body, _ := strings.Cut(rest[1:], " ")
		b.Call, b.Origin, b.Parts = call, ByTool, parts(body)
	case Media:
		b.Parts = parts(rest)
	case Opaque:
		b.Opaque = len(rest) - 1
	case Thinking:
		b.Parts = parts(rest[1:])
	default:
		b.Parts = parts(rest)
	}
	return b
}

func argument(s string) Part {
	name, value, named := strings.Cut(s, "=")
	if !named {
		return Part{Name: "path", Text: s}
	}
	name, number := strings.CutSuffix(name, ":")
	return Part{Name: name, Text: value, Number: number}
}

func parts(s string) (list []Part) {
	for _, p := range split(s, "/") {
		if media, ok := strings.CutPrefix(p, "%"); ok {
			list = append(list, Part{Media: &Medium{Type: media}})
		} else {
			list = append(list, Part{Text: p})
		}
	}
	return list
}

// split is strings.Split except for the empty string, which has no elements.
func split(s, sep string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, sep)
}

// show writes a conversation in the notation, with the identity before each message, and after each
// block whose position differs from its identity.
func show(c *Conversation) string {
	var msgs []string
	for _, m := range c.Messages {
		var blocks []string
		for i, b := range m.Blocks {
			s := showBlock(b)
			if b.ID != i {
				s += fmt.Sprintf("@%d", b.ID)
			}
			blocks = append(blocks, s)
		}
		hidden := ""
		if m.Hidden {
			hidden = "~"
		}
		msgs = append(msgs, fmt.Sprintf("%d%s%c:%s", m.ID, hidden, "SUAT"[m.Role], strings.Join(blocks, " & ")))
	}
	return strings.Join(msgs, " | ")
}

func showBlock(b *Block) string {
	var texts []string
	for _, p := range b.Parts {
		switch {
		case p.Media != nil:
			texts = append(texts, "%"+p.Media.Type+p.Text)
		case p.Number:
			texts = append(texts, p.Name+":="+p.Text)
		case p.Name != "" && p.Name != "path":
			texts = append(texts, p.Name+"="+p.Text)
		default:
			texts = append(texts, p.Text)
		}
	}
	s := strings.Repeat("!", int(b.Pin))
	if b.Fixed {
		s += "="
	}
	switch b.Kind {
	case Thinking:
		s += "?"
	case ToolCall:
		return fmt.Sprintf("%s+%s(%s)", s, b.Call, strings.Join(append([]string{b.Tool}, texts...), " "))
	case ToolResult:
		s += "-" + b.Call + " "
	case Opaque:
		s += "#" + strings.Repeat("o", b.Opaque)
	}
	return s + strings.Join(texts, "/")
}

// The edits of the tests.

func drop(msg int) Edit { return Edit{At: At(msg), Op: Drop} }

func dropBlock(msg, block int) Edit { return Edit{At: Ref{msg, block, Whole}, Op: Drop} }

func rewrite(msg, block int, text string) Edit {
	return Edit{At: Ref{msg, block, Whole}, Op: Rewrite, Text: text}
}

func rewritePart(msg, block, part int, text string) Edit {
	return Edit{At: Ref{msg, block, part}, Op: Rewrite, Text: text}
}

func insert(before int, message string) Edit {
	return Edit{At: At(before), Op: Insert, New: messages(message)[0]}
}

// deepCopy returns messages that share nothing with msgs, so that reflect.DeepEqual shows changes.
func deepCopy(msgs []*Message) []*Message {
	var list []*Message
	for _, m := range msgs {
		n := *m
		n.Blocks = nil
		for _, b := range m.Blocks {
			nb := *b
			nb.Parts = slices.Clone(b.Parts)
			for i, p := range nb.Parts {
				if p.Media != nil {
					media := *p.Media
					nb.Parts[i].Media = &media
				}
			}
			n.Blocks = append(n.Blocks, &nb)
		}
		list = append(list, &n)
	}
	return list
}
