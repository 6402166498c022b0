package squeeze

import "strings"

// diagnostic reports whether a line is a finding of a compiler or linter at a place
// (a.go:12:3: …, a.ts(12,3): …, 12:3 error …), and returns the cue of its severity.
func diagnostic(text string) (place bool, severity float32) {
	if hasAny(text, "error: ", "error[", "fatal error: ") {
		return true, message
	} else if hasAny(text, "warning: ", "warning[") {
		return true, context
	}
	i := strings.IndexByte(text, ' ')
	if i < 0 || i+1 == len(text) || len(text) > scanned {
		return false, none
	}
	head := text[:i]
	if !strings.HasSuffix(head, ":") {
		if !position(head) || len(text) < i+6 {
			return false, none
		}
		rest := strings.TrimLeft(text[i:], " ")
		switch {
		case strings.HasPrefix(rest, "error"):
			return true, message
		case strings.HasPrefix(rest, "warn"):
			return true, context
		}
		return false, none
	}
	head = strings.TrimSuffix(head, ":")
	if c := strings.IndexAny(head, ":("); c <= 0 || c+1 >= len(head) || !digit(head[c+1]) || !position(strings.TrimSuffix(head[c+1:], ")")) {
		return false, none
	}
	rest := text[i+1:]
	if !letter(rest[0]) && rest[0] != '[' && rest[0] != '\'' && rest[0] != '"' && rest[0] != '`' {
		return false, none // indented: lines of code that a search found
	}
	if hasAny(rest, "warning", "note", "info", "hint", "help", "style", "W") {
		return true, context
	}
	return true, message
}

// position reports whether s is a line number, alone or with a column.
func position(s string) bool {
	seen := false
	for i := range len(s) {
		switch c := s[i]; {
		case digit(c):
			seen = true
		case (c == ':' || c == ',') && seen && i+1 < len(s):
		default:
			return false
		}
	}
	return seen
}

// snippet reports whether a line is quoted source: "40 | return x".
func snippet(text string) bool {
	n := numberLen(text)
	return n > 0 && hasAny(text[n:], " |", "|", " │")
}
