package squeeze

import (
	"strings"

	"condense/transcript/fact"
)

// This file cuts source code and configuration. By indentation, a line stands under the declaration
// around it, so that lines of a body keep their outline.

// declared is a declaration that may have lines under it.
type declared struct {
	piece  int32
	indent int
}

// cutCode cuts source code.
func (t *Text) cutCode(h Hint) {
	t.findGutter(h)
	keyed := hasSuffixAny(strings.ToLower(h.Path), ".yml", ".yaml", ".toml", ".ini")
	var open []declared // the declarations around the line, outermost first
	t.each(func(start, end int) {
		from := start
		if t.gutter() != "" {
			from += gutterLen(t.Source[start:end], t.gutter())
		}
		line := t.Source[from:end]
		text := strings.TrimSpace(line)
		indent := indentation(line)
		for len(open) > 0 && (open[len(open)-1].indent > indent || open[len(open)-1].indent == indent && !closing(text)) {
			open = open[:len(open)-1]
		}
		under := int32(None)
		if len(open) > 0 {
			under = open[len(open)-1].piece
		}
		cue, holds := declaration(text, indent)
		if keyed && !holds && (strings.HasSuffix(text, ":") || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]")) {
			cue, holds = context, true
		}
		if !holds && cue == none && indent == 0 && t.heads(text, end) {
			cue, holds = outline, true
		}
		before := len(t.marks())
		i := t.add(start, end, cue, under)
		if holds && len(t.marks()) == before {
			open = append(open, declared{i, indent})
		}
	})
}

// closing reports whether a line ends the declaration at its indentation.
func closing(text string) bool {
	return text == "" || text[0] == '}' || text[0] == ')' || text[0] == ']' || text[0] == '{' || text == "end" || strings.HasPrefix(text, "</")
}

// indentation returns the width of the white space before a line; a tab counts as
// four.
func indentation(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// gutters are the signs that tools write between a line number and its line.
var gutters = [...]string{"→", "\t", " | ", "| ", "|", ": "}

// sampled is the number of lines from which the style of a text is learned.
const sampled = 200

// findGutter decides whether the lines begin with numbers that a tool added and that
// may be removed. Elsewhere a number at the beginning of a line may belong to the
// text.
func (t *Text) findGutter(h Hint) {
	gutter := gutterOf(t.Source)
	if gutter != "" {
		t.specials().gutter = gutter
	}
	t.Gutter = gutter == gutters[0] || gutter != "" && h.Arg == "" && (h.Path != "" || fact.ToolOf(h.Tool) == fact.ReadTool || numbering(h.Command))
}

// numbering reports whether a program in a command line numbers lines.
func numbering(command string) bool {
	for _, pipeline := range split(unwrap(command), true) {
		for _, part := range split(pipeline, false) {
			words := strings.Fields(strings.TrimLeft(part, "&|("))
			if len(words) > 0 && words[0] == "nl" || len(words) > 1 && words[0] == "cat" && words[1] == "-n" {
				return true
			}
		}
	}
	return false
}

// gutterOf returns the sign between line numbers and lines when most lines have
// numbers, each higher than the one before; otherwise "". Several ranges may follow
// each other.
func gutterOf(source string) string {
	lines := 0
	var room [sampled]string
	numbered := room[:0]
	for line := range strings.Lines(source) {
		if lines++; lines > sampled {
			break
		}
		if numberEnd(line) > 0 {
			numbered = append(numbered, line)
		}
	}
	for _, sep := range gutters {
		numbers, last := 0, -1
		for _, line := range numbered {
			if n := gutterLen(line, sep); n > 0 {
				at := lineNumber(line)
				if at > last {
					numbers++
				}
				last = at
			}
		}
		if numbers >= 3 && numbers*10 >= lines*6 || numbers > 0 && numbers == lines {
			return sep
		}
	}
	return ""
}

// gutterLen returns the length of the line number at the beginning of a line, with the
// signs around it; 0 without one.
func gutterLen(line, sep string) int {
	i := numberEnd(line)
	if i == 0 {
		return 0
	}
	if strings.HasPrefix(line[i:], sep) {
		return i + len(sep)
	}
	// An empty line may have lost the space after the sign.
	short := strings.TrimSuffix(sep, " ")
	if rest, ok := strings.CutPrefix(line[i:], short); ok && short != "" && strings.Trim(rest, "\r\n") == "" {
		return i + len(short)
	}
	return 0
}

// numberEnd returns the end of the number that a line begins with, after blanks and an
// optional L; 0 without one.
func numberEnd(line string) int {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	if i < len(line) && line[i] == 'L' {
		i++
	}
	n := numberLen(line[i:])
	if n == 0 || n > 9 {
		return 0
	}
	return i + n
}

// lineNumber returns the number in the gutter of a line.
func lineNumber(line string) int {
	n := 0
	for _, c := range []byte(strings.TrimLeft(line, " L")) {
		if !digit(c) {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
