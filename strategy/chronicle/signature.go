package chronicle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript/lazyregexp"
)

// Declarations in the text that a call writes to a file are groups of their own: the next
// steps need the signature of a function more often than its body.
const (
	mostSignature  = 10   // largest number of lines of a signature
	leastDeclared  = 0.25 // least cue of a declaration in a class
	leastExported  = 0.5  // least cue of one that other files can use
	valueSignature = 8    // of a declaration, times its cue
	leastShared    = 3    // number of files from which a line that all of them have is no declaration
	headShare      = 0.4  // of valueSignature, for the head of a type without its body
)

// declares reports whether a piece of a text that a call writes to a file declares a type, a
// function or a method. Comments and the variables of a function do not count.
func (t *text) declares(i int) bool {
	if t.form != hunks || !t.file || t.cut.Kind != squeeze.Code || t.cut.Pieces[i].Cue < leastDeclared {
		return false
	}
	line := strings.TrimSpace(t.source(i, i+1))
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "/") || strings.HasPrefix(line, "*") {
		return false
	}
	first, rest, _ := strings.Cut(line, " ")
	switch first {
	case "func", "def":
		return !strings.HasPrefix(rest, "Test") && !strings.HasPrefix(rest, "test_") // nothing calls a test
	case "function", "async":
		return !strings.HasPrefix(t.source(i, i+1), " ") && !strings.HasPrefix(t.source(i, i+1), "\t") // other files cannot call a function in a function
	case "const", "let", "var", "val", "local", "final", "auto":
		return t.cut.Pieces[i].Cue >= leastExported
	}
	return true
}

// findDeclared finds the files in which calls wrote each line that declares something. A file that is written again
// counts once.
func (c *choice) findDeclared() {
	c.declared = map[string][]string{}
	for k := range c.texts {
		t := &c.texts[k]
		file := ""
		for i := range t.cut.Pieces {
			if !t.declares(i) {
				continue
			}
			if file == "" {
				file = cmp.Or(tail(subject.Path(t.block)), strconv.Itoa(k)) // a patch has no path, or several
			}
			line := strings.TrimSpace(t.source(i, i+1))
			if files := c.declared[line]; len(files) < leastShared && !slices.Contains(files, file) {
				c.declared[line] = append(files, file)
			}
		}
	}
}

// splitSignatures makes each signature in the text a group of its own.
func (t *text) splitSignatures() {
	var more []int
	for i := 0; i < len(t.cut.Pieces); i++ {
		if !t.declares(i) {
			continue
		}
		end := t.signatureEnd(i)
		more = append(more, i)
		if end < len(t.cut.Pieces) {
			more = append(more, end)
		}
		i = end - 1
	}
	if len(more) == 0 {
		return
	}
	t.starts = append(t.starts, more...)
	slices.Sort(t.starts)
	t.starts = slices.Compact(t.starts)
}

// signatureEnd returns the index of the piece after the signature that begins at a piece. A
// signature ends with the line that opens its body, or ends the statement. That of a short type
// has its fields.
func (t *text) signatureEnd(first int) int {
	if t.opensType(first) {
		return max(first+1, t.typeEnd(first))
	}
	depth := 0
	for i := first; i < len(t.cut.Pieces) && i < first+mostSignature; i++ {
		line := t.source(i, i+1)
		depth += strings.Count(line, "(") - strings.Count(line, ")")
		if depth <= 0 {
			return i + 1
		}
	}
	return first + 1
}

// opensType reports whether a piece is only the head of a type: its name, and the brace that opens the body.
func (t *text) opensType(i int) bool {
	line := strings.TrimSpace(t.source(i, i+1))
	if !strings.HasSuffix(line, "{") || strings.Contains(line, "(") {
		return false
	}
	for word := range strings.FieldsSeq(line) {
		switch word {
		case "type", "struct", "interface", "enum", "class", "impl", "trait", "record", "object", "namespace", "mod", "module", "protocol", "extension":
			return true
		}
	}
	return false
}

// typeEnd returns the index of the piece after the brace that closes a type, or 0 if the type has more than
// mostSignature lines, or functions.
func (t *text) typeEnd(first int) int {
	head := t.source(first, first+1)
	indent := head[:len(head)-len(strings.TrimLeft(head, " \t"))]
	for i := first + 1; i < len(t.cut.Pieces) && i < first+mostSignature; i++ {
		line := t.source(i, i+1)
		switch rest, same := strings.CutPrefix(line, indent); {
		case same && strings.HasPrefix(rest, "}"):
			return i + 1
		case strings.HasSuffix(strings.TrimSpace(line), "{"):
			return 0
		}
	}
	return 0
}

// lists reports whether most lines of the pieces in [from, to) are imports or single names,
// which say little about a file.
func (t *text) lists(from, to int) bool {
	plain, all := 0, 0
	for i := from; i < to; i++ {
		line := strings.TrimSpace(t.source(i, i+1))
		if line == "" {
			continue
		}
		all++
		if bare(line) || imports(line) {
			plain++
		}
	}
	return 4*plain >= 3*all
}

// imports reports whether a line of code imports something.
func imports(line string) bool {
	first, rest, _ := strings.Cut(line, " ")
	switch first {
	case "import", "#include", "using", "use":
		return true
	case "from":
		return strings.Contains(rest, "import ")
	}
	return strings.HasPrefix(line, "} from ")
}

// literal matches a text in quotes, or a number of several digits.
var literal = lazyregexp.New("\"[^\"]+\"|'[^']{2,}'|`[^`]+`|\\b[0-9]{2,}\\b")

// hasLiteral reports whether a line of code holds a literal beside other code. A reader can work out most of
// the lines around it, but not its words and numbers.
func hasLiteral(line string) bool {
	line = strings.Trim(line, " \t\r\n,;")
	if !strings.ContainsAny(line, "\"'`0123456789") || imports(line) {
		return false
	}
	at := literal.FindStringIndex(line)
	return at != nil && at[1]-at[0] < len(line)
}

// isValue reports whether a line that a call wrote may be quoted without its neighbours: it holds a literal.
func (t *text) isValue(i int) bool {
	line := t.source(i, i+1)
	return !t.repeated(i) && len(line) <= longestQuote && speaks(line) && hasLiteral(line)
}
