// Package reading has the words of a view of conversations, which text, Markdown and pages share. As in
// package content, an escaper makes strings of a file safe for their place.
package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"condense/cmd/report/survey"
	"condense/strategy/subject"
	"condense/transcript"
)

const (
	markerEnd     = " omitted]"
	longestMarker = 410 // bytes; package transcript cuts longer ones
)

// Condensed returns the places of a text, in bytes and in order, that a run of this program wrote:
// markers of removed content, and records of removed calls.
func Condensed(text string) (places [][2]int) {
	if !strings.Contains(text, markerEnd) && !strings.Contains(text, transcript.RecordOpening) {
		return nil
	}
	done := 0
	for start, end := range transcript.Records(text) {
		places = appendMarkers(places, text, done, start)
		places = append(places, [2]int{start, end})
		done = end
	}
	return appendMarkers(places, text, done, len(text))
}

// appendMarkers appends the places of the markers in text[from:to].
func appendMarkers(places [][2]int, text string, from, to int) [][2]int {
	for {
		i := strings.Index(text[from:to], markerEnd)
		if i < 0 {
			return places
		}
		end := from + i + len(markerEnd)
		first := max(from, end-longestMarker)
		if open := strings.LastIndexAny(text[first:end-1], "[]\n"); open >= 0 && text[first+open] == '[' {
			places = append(places, [2]int{first + open, end})
		}
		from = end
	}
}

// Gutter begins each line of a record in a view. The kept lines of a removed result stand in a record, which
// can be in a text of the model, and must not be read as words of the model.
const Gutter = "┆ "

// GutterNote explains the Gutter.
const GutterNote = "┆ begins what condense wrote in place of removed calls, with lines of their results"

// Marked returns a text with the Gutter in front of each line of a record.
func Marked(text string) string {
	if !strings.Contains(text, transcript.RecordOpening) {
		return text
	}
	var b strings.Builder
	done := 0
	for start, end := range transcript.Records(text) {
		b.WriteString(text[done:start])
		for line := range strings.Lines(text[start:end]) {
			b.WriteString(Gutter + line)
		}
		done = end
	}
	return b.String() + text[done:]
}

// HasRecords reports whether a view shows a record.
func HasRecords(v *survey.View) bool {
	has := func(p survey.ViewPart) bool { return len(Marked(p.Text)) > len(p.Text) }
	for i := range v.Conversations {
		for j := range v.Conversations[i].Messages {
			for _, b := range v.Conversations[i].Messages[j].Blocks {
				if slices.ContainsFunc(b.Parts, has) || slices.ContainsFunc(b.Before, has) {
					return true
				}
			}
		}
	}
	return false
}

// ByCondenser reports whether this program or another condenser wrote a block or a part of it.
func ByCondenser(b *survey.ViewBlock) bool {
	return b.Origin == transcript.Generated.String() || slices.ContainsFunc(b.Parts, func(p survey.ViewPart) bool { return Condensed(p.Text) != nil })
}

// IsTool reports whether a block is a call or a result.
func IsTool(b *survey.ViewBlock) bool {
	return b.Kind == transcript.ToolCall.String() || b.Kind == transcript.ToolResult.String()
}

// Shortens reports whether a view may show only the ends of a block: calls and results, unless a
// person typed them.
func Shortens(b *survey.ViewBlock) bool {
	return IsTool(b) && b.Origin != transcript.Typed.String()
}

// BlockHead describes a block of a view in a few words. It returns "" for texts that the role of
// their message describes.
func BlockHead(m *survey.ViewMessage, b *survey.ViewBlock, esc func(string) string) string {
	var words []string
	switch b.Kind {
	case transcript.ToolCall.String():
		words = append(words, "→ "+esc(b.Name))
	case transcript.ToolResult.String():
		words = append(words, "← "+esc(b.Name))
		if !ByCondenser(b) { // otherwise it would be the size of what is left
			words = append(words, sized(subject.Size(PartsText(b, b.Parts))))
		}
	case transcript.Text.String():
		switch {
		case b.Origin == transcript.Generated.String():
			words = append(words, "written by a condenser")
		case b.Origin == transcript.Injected.String() && m.Role != transcript.System.String():
			words = append(words, "added by the client")
			if len(b.Parts) == 1 && b.Parts[0].Name != "" {
				words = append(words, esc(b.Parts[0].Name))
			}
		}
	case transcript.Opaque.String():
		words = append(words, "not readable")
	default:
		words = append(words, b.Kind)
	}
	if b.Opaque > 0 && b.Kind == transcript.Opaque.String() {
		words = append(words, transcript.Plural(b.Opaque, "byte"))
	}
	if b.Failed {
		words = append(words, "failed")
	}
	if b.Kind != transcript.Text.String() && ByCondenser(b) {
		words = append(words, "condensed")
	}
	if b.Change != "" && m.Number > 0 && m.Was > 0 { // otherwise the heading of the message says it
		words = append(words, b.Change)
	}
	return strings.Join(words, " · ")
}

// WithoutText reports whether a block of a view is thinking of which nothing can be read, such as
// thinking that the provider has encrypted. A view leaves it out, and the head of its message names it
// if nothing else is there.
func WithoutText(b *survey.ViewBlock) bool {
	return b.Kind == transcript.Thinking.String() && b.Change == "" && strings.TrimSpace(PartsText(b, b.Parts)) == ""
}

// withoutText reports whether a view leaves out all blocks of a message.
func withoutText(m *survey.ViewMessage) bool {
	for i := range m.Blocks {
		if !WithoutText(&m.Blocks[i]) {
			return false
		}
	}
	return len(m.Blocks) > 0
}

// sized returns a size with its noun in the plural: "80 lines".
func sized(n int, nouns string) string { return transcript.Plural(n, strings.TrimSuffix(nouns, "s")) }

// PartsText returns the text of parts of a block: results and texts as they are, the arguments of a
// call below their names, and a line for each medium. Arguments that the name of the block has are
// left out.
func PartsText(b *survey.ViewBlock, parts []survey.ViewPart) string {
	var list []string
	for _, p := range parts {
		switch {
		case p.Medium != nil:
			list = append(list, MediumName(p.Medium))
		case b.Kind != transcript.ToolCall.String() || p.Name == "":
			list = append(list, p.Text)
		case p.Text == "" || strings.HasSuffix(b.Name, " "+p.Text):
		case strings.Contains(p.Text, "\n"):
			list = append(list, p.Name+":\n"+p.Text)
		default:
			list = append(list, p.Name+": "+p.Text)
		}
	}
	return strings.Join(list, "\n")
}

// MediumName describes a medium in brackets: "[image/png, 800 × 600, 12,345 bytes]".
func MediumName(m *survey.ViewMedium) string {
	name := m.Type
	if name == "" {
		name = "medium"
	}
	if m.Width > 0 && m.Height > 0 {
		name += ", " + strconv.Itoa(m.Width) + " × " + strconv.Itoa(m.Height)
	}
	if m.Bytes > 0 {
		name += ", " + transcript.Plural(m.Bytes, "byte")
	}
	return "[" + name + "]"
}

// FileHead returns the facts about the file of a view: its format and, for a single conversation, its
// messages and its model.
func FileHead(v *survey.View, esc func(string) string) string {
	words := []string{esc(v.Format)}
	if len(v.Conversations) != 1 {
		return strings.Join(append(words, transcript.Plural(len(v.Conversations), "conversation")), ", ")
	}
	return strings.Join(append(words, conversationFacts(&v.Conversations[0], esc)...), ", ")
}

// ConversationHead names a conversation of a view of several, with its messages and its model.
func ConversationHead(c *survey.ViewConversation, esc func(string) string) string {
	name := "conversation " + strconv.Itoa(c.Number)
	if c.ID != "" && c.ID != strconv.Itoa(c.Number) {
		name += ", " + esc(c.ID)
	}
	return name + ": " + strings.Join(conversationFacts(c, esc), ", ")
}

func conversationFacts(c *survey.ViewConversation, esc func(string) string) []string {
	words := []string{transcript.Plural(c.Of, "message")}
	if c.Model != "" {
		words = append(words, esc(c.Model))
	}
	return words
}

// HiddenNote returns a sentence about the hidden messages that a view leaves out, or "".
func HiddenNote(c *survey.ViewConversation) string {
	if c.Hidden == 0 {
		return ""
	}
	return transcript.Plural(c.Hidden, "message") + " that the model does not see: --hidden shows them"
}

// MessageHead returns the number, role and time of a message.
func MessageHead(m *survey.ViewMessage, compared bool, esc func(string) string) string {
	number := strconv.Itoa(m.Number)
	switch {
	case m.Number == 0:
		number = "removed, was " + strconv.Itoa(m.Was)
	case compared && m.Was == 0:
		number += " (new)"
	case compared && m.Was != m.Number:
		number += " (was " + strconv.Itoa(m.Was) + ")"
	}
	words := []string{number, esc(m.Role)}
	if m.Hidden {
		words = append(words, "hidden from the model")
	}
	if m.Time != "" {
		words = append(words, strings.TrimSuffix(strings.Replace(m.Time, "T", " ", 1), "Z"))
	}
	if withoutText(m) {
		words = append(words, "thinking without readable text")
	}
	return strings.Join(words, " · ")
}

// Lines compares two texts line by line, and returns all lines of both. It ignores whether the last
// line ends in a line feed.
func Lines(before, after string) ([]udiff.Line, error) {
	from, to := strings.TrimSuffix(before, "\n")+"\n", strings.TrimSuffix(after, "\n")+"\n"
	d, err := udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), strings.Count(from, "\n"))
	if err != nil || len(d.Hunks) == 0 {
		return nil, err
	}
	return d.Hunks[0].Lines, nil
}
