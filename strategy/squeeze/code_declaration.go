package squeeze

import "strings"

// maxModifiers is the largest number of words before the one that declares.
const maxModifiers = 5

// declaration reports whether a line of code declares something that has a body, and
// returns the cue of the line.
func declaration(text string, indent int) (cue float32, holds bool) {
	if text == "" || len(text) > scanned {
		return none, false
	}
	switch text[0] {
	case '}', '{', ')', '(', '*', '"', '\'', '<', '-':
		return none, false
	case '#', '/':
		return remarkCue(text, indent), false
	}
	cue = outline
	if indent > 0 {
		cue = context
	}
	rest := text
	for range maxModifiers {
		w, after := firstWord(rest)
		switch leading := leadingOf(w); {
		case leading == modifies:
			rest = strings.TrimLeft(after, " ")
			if strings.HasPrefix(rest, "(") { // pub(crate)
				_, rest, _ = strings.Cut(rest, ")")
				rest = strings.TrimLeft(rest, " ")
			}
		case leading == hides:
			cue = context
			rest = strings.TrimLeft(after, " ")
		case leading != 0:
			return leading.declares(text, after, cue)
		case states(w):
			return none, false
		default:
			return method(text, rest, cue)
		}
	}
	return method(text, rest, cue)
}

// declares is declaration for a line whose first word, modifiers aside, is l. The argument after
// is the text behind that word.
func (l leading) declares(text, after string, cue float32) (_ float32, holds bool) {
	switch l {
	case names:
		if after == "" || after[0] != ' ' && after[0] != '(' && after[0] != '*' && after[0] != '!' {
			return none, false
		}
		if name := strings.TrimLeft(after, " (*"); strings.HasPrefix(name, "_") {
			cue = min(cue, context)
		}
		return cue, true
	case fixes:
		if bindsFunction(after) || strings.HasSuffix(text, "(") {
			return cue, true
		}
		return cue / 2, strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[")
	case binds:
		if bindsFunction(after) {
			return cue, true
		}
	case types:
		if strings.HasPrefix(after, " ") {
			return cue, true
		}
	}
	return none, false
}

// method is declaration for a line without a word that declares. The argument rest is the text
// behind the modifiers.
func method(text, rest string, cue float32) (_ float32, holds bool) {
	if strings.HasSuffix(rest, "{") && strings.Contains(rest, "(") && !strings.Contains(rest, "=") && strings.Contains(rest, ")") { // a method in Java, C and similar languages
		return cue, true
	}
	if paren := strings.IndexByte(rest, '('); rest != text && paren > 0 && !strings.Contains(rest[:paren], "=") { // public void run()
		return cue, true
	}
	return none, false
}

// remarkCue returns the cue of a line that begins with # or /: a comment, a heading, a
// definition for the preprocessor.
func remarkCue(text string, indent int) float32 {
	switch {
	case strings.HasPrefix(text, "#define "),
		indent == 0 && hasAny(text, "# ", "## ", "### ", "#### "),
		strings.Contains(text, "TODO"), strings.Contains(text, "FIXME"):
		return context
	}
	return none
}

// bindsFunction reports whether the text after const, let or var is a function.
func bindsFunction(after string) bool {
	return strings.Contains(after, "=>") || strings.Contains(after, "function")
}

// leading is the meaning of the first word of a line of code.
type leading uint8

const (
	_        leading = iota // nothing
	modifies                // a modifier: the declaration follows
	hides                   // a modifier: the declaration is private to its file or class
	names                   // something with a name and a body
	fixes                   // const: a value, a table, a function
	binds                   // a variable, or a function in one
	types                   // a type
)

func leadingOf(word string) leading {
	switch word {
	case "export", "default", "pub", "public", "protected", "internal", "static", "abstract", "final", "async", "unsafe", "open", "override",
		"extern", "inline", "virtual", "sealed", "partial", "declare", "readonly", "suspend", "data", "constexpr", "template":
		return modifies
	case "private", "fileprivate":
		return hides
	case "func", "def", "class", "interface", "struct", "enum", "impl", "trait", "fn", "module", "namespace", "function",
		"protocol", "extension", "object", "record", "union", "macro_rules", "describe", "contract", "defmodule", "defp", "sub", "proc",
		"CREATE", "create", "resource", "message", "service":
		return names
	case "const":
		return fixes
	case "let", "var", "val":
		return binds
	case "type":
		return types
	}
	return 0
}

// states reports whether a word begins a statement, which declares nothing.
func states(w string) bool {
	switch w {
	case "package", "import", "from", "use", "using", "return", "if", "for", "while", "switch", "else", "try", "catch", "with", "elif", "await", "throw", "new", "case", "do", "require", "include":
		return true
	}
	return false
}

// heads reports whether the unindented line that ends at byte end has lines under it:
// a declaration, in any language.
func (t *Text) heads(text string, end int) bool {
	if text == "" || !letter(text[0]) && text[0] != '_' {
		return false
	}
	if w, _ := firstWord(text); states(w) {
		return false
	}
	for line := range strings.Lines(t.Source[end:]) {
		if t.gutter() != "" {
			line = line[gutterLen(line, t.gutter()):]
		}
		if text := strings.TrimSpace(line); text != "" {
			return indentation(line) > 0
		}
	}
	return false
}

// firstWord splits off the first word of s.
func firstWord(s string) (word, rest string) {
	i := 0
	for i < len(s) && (letter(s[i]) || s[i] == '_') {
		i++
	}
	return s[:i], s[i:]
}
