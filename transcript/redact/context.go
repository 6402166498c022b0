package redact

import "strings"

// Limits of the text before a value, in bytes and in words, in which its names are searched for.
const (
	maxBefore = 120
	maxWords  = 6
)

// context describes the text before a value.
type context struct {
	words    []string       // nearest first, without words such as "value" that only describe a structure
	joined   [maxWords]bool // only spaces and quotes are between this word and the next
	assigned bool           // an operator, a tag or a cell border is between the first word and the value
	from     int            // start of the earliest word
}

// structure lists words between a name and its value that name nothing: <add key="token" value="…"/>.
var structure = map[string]bool{
	"value": true, "val": true, "string": true, "data": true, "default": true, "text": true, "content": true,
	"td": true, "th": true, "tr": true, "code": true, "span": true, "b": true, "strong": true, "em": true, "li": true, "p": true,
	"key": true, "name": true, "entry": true, "var": true, "str": true, "plain": true, "is": true, "was": true,
	"setting": true, "property": true, "env": true, "variable": true, "bearer": true,
}

// nouns lists words of structure that only an operator after them makes so.
var nouns = map[string]bool{"key": true, "name": true, "data": true, "string": true, "value": true}

// before reads the context of a value at from.
func (c *cursor) before(from int) (x context) {
	s := c.s
	least := max(c.done, from-maxBefore)
	x.from = from
	for j, skipped := from, false; len(x.words) < maxWords; {
		gap, op, near, ok := c.gap(j, least, len(x.words) == 0, skipped)
		if !ok {
			break
		}
		end := gap
		for gap > least && (wordByte(s[gap-1]) || s[gap-1] == '-' || s[gap-1] == '.') {
			gap--
		}
		start := gap + escapeInto(s, gap, end, least)
		word := s[start:end]
		if betweenWords(word[0]) || betweenWords(word[len(word)-1]) {
			word = strings.Trim(word, ".-")
		}
		if word == "" {
			break
		}
		x.assigned = x.assigned || op && len(x.words) == 0
		x.from, j = start, start
		lower := ""
		if len(word) < 10 {
			lower = strings.ToLower(word)
		}
		if structure[lower] && (op || !nouns[lower]) {
			x.assigned = x.assigned || lower == "is" && len(x.words) == 0
			skipped = true
			continue
		}
		x.joined[len(x.words)] = near
		x.words, skipped = append(x.words, word), false
	}
	return x
}

// gap returns the end of the word before j, and reports whether an operator is between, or only
// spaces and quotes are. ok is false at the start of the line, unless lines may be crossed, and the
// line before ends in an operator or a word of structure follows.
func (c *cursor) gap(j, least int, cross, structural bool) (end int, op, joined, ok bool) {
	s := c.s
	lines := 0
	joined = true
	for j > least {
		n, b := escapeBefore(s, j, least)
		if n == 0 {
			n, b = 1, s[j-1]
		}
		switch {
		case n > 1 && b == 0: // a colour
		case n > 1 && (b == '&' || b == ';'):
			return j, op, joined, false
		case n == 1 && wordByte(b):
			return j, op, joined && !op, lines == 0 || op || structural
		case b == '=' || b == ':' || b == '>' || b == '|' || b == ',':
			op = true
		case b == '\n' || b == '\r':
			if !cross || lines == 2 {
				return j, op, joined, false
			}
			if b == '\n' {
				lines++
			}
		case kinds[b]&isGap == 0:
			return j, op, joined, false
		case b != ' ' && b != '"' && b != '\'' && b != '`' && b != '*' && b != '\t' && b != '\\':
			joined = false
		}
		j -= n
	}
	return j, op, joined, false
}

// escapeBefore returns the length of the escape that ends before i, and the character that it stands
// for; 0 for a colour. It knows %3D, \n, \u003d, &quot; and colours with real or escaped ESC.
func escapeBefore(s string, i, begin int) (n int, c byte) {
	if i-2 < begin {
		return 0, 0
	}
	last := s[i-1]
	if last == ' ' || last == '"' || last == ',' {
		return 0, 0
	}
	text := s[max(begin, i-16):i]
	k := len(text)
	switch {
	case last == 'm':
		return colour(text), 0
	case last == ';':
		return entity(text)
	case !hex(last) && last != 'n' && last != 't' && last != 'r':
		return 0, 0
	case k >= 3 && text[k-3] == '%' && hex(text[k-2]) && hex(last):
		return 3, hexByte(text[k-2:])
	case k >= 6 && text[k-6] == '\\' && text[k-5] == 'u' && text[k-4:k-2] == "00" && hex(text[k-2]) && hex(last):
		return 6, hexByte(text[k-2:])
	case k >= 4 && text[k-4] == '\\' && text[k-3] == 'x' && hex(text[k-2]) && hex(last):
		return 4, hexByte(text[k-2:])
	case text[k-2] == '\\' && (last == 'n' || last == 'r'):
		return 2, '\n'
	case text[k-2] == '\\' && last == 't':
		return 2, ' '
	}
	return 0, 0
}

// colour returns the length of the colour code at the end of a text, or 0.
func colour(text string) int {
	k := len(text) - 1
	for k > 0 && (digit(text[k-1]) || text[k-1] == ';') {
		k--
	}
	if k == 0 || text[k-1] != '[' {
		return 0
	}
	for _, esc := range []string{"\x1b", `\x1b`, `\x1B`, `\u001b`, `\u001B`, `\033`, `\e`, "\u241b", "^["} {
		if strings.HasSuffix(text[:k-1], esc) {
			return len(text) - (k - 1) + len(esc)
		}
	}
	return 0
}

// entity returns the length of the XML entity at the end of a text and its character, or 0.
func entity(text string) (n int, c byte) {
	for _, e := range []struct {
		text string
		c    byte
	}{{"&quot;", '"'}, {"&apos;", '\''}, {"&gt;", '>'}, {"&lt;", '<'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&#x3D;", '='}, {"&#61;", '='}} {
		if strings.HasSuffix(text, e.text) {
			return len(e.text), e.c
		}
	}
	return 0, 0
}

// escapeInto returns the number of bytes at the start of a word that belong to an escape which
// begins before it, such as the n of \nTOKEN or the 3D of %3Dvalue.
func escapeInto(s string, start, end, begin int) int {
	if start == begin || s[start-1] != '%' && s[start-1] != '\\' && s[start-1] != '[' && s[start-1] != ';' {
		return 0
	}
	for n := 1; n <= 5 && start+n < end; n++ {
		if e, _ := escapeBefore(s, start+n, begin); e > n {
			return n
		}
	}
	return 0
}

func hex(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func hexByte(s string) byte {
	value := func(c byte) byte {
		if digit(c) {
			return c - '0'
		}
		return c | 0x20 - 'a' + 10
	}
	return value(s[0])<<4 | value(s[1])
}

// header is the header of a table of text.
type header struct {
	to      int    // the start of the line below it
	columns uint64 // columns whose names are those of secrets
}

// newLine notes the line that begins at i. A line of dashes makes the line before it a header.
func (c *cursor) newLine(i int) {
	s, last := c.s, c.line
	c.line = i
	line := firstLine(s[i:min(len(s), i+maxTableLine)])
	if border(line) {
		c.header = header{to: i}
		for n, cell := range cells(firstLine(s[last:min(i, last+maxTableLine)])) {
			if n < 64 && classOf(strings.TrimSpace(cell)).secretColumn() {
				c.header.columns |= 1 << n
			}
		}
		return
	}
	if c.header.columns != 0 && !strings.Contains(line, "|") {
		c.header = header{}
	}
}

// firstLine returns a text up to its first line break, which may be escaped.
func firstLine(text string) string {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	if n := strings.Index(text, `\n`); n >= 0 {
		text = text[:n]
	}
	return text
}

// maxTableLine limits the number of bytes of a row of a table that are read.
const maxTableLine = 512

// border reports whether a line separates the header of a table: |---|---| or ---+---. Other
// characters may precede it, such as the number of the line.
func border(line string) bool {
	line = strings.TrimRight(line, " \r\\\"")
	rule := line[len(strings.TrimRight(line, "|+-=: ")):]
	return strings.Contains(rule, "--") && strings.ContainsAny(rule, "|+")
}

// cells splits a row of a table.
func cells(row string) []string { return strings.Split(strings.Trim(row, " \t"), "|") }

// column reports whether a value at i begins a cell in a column with secrets.
func (c *cursor) column(i int) bool {
	if c.header.columns == 0 || c.line < c.header.to || i-c.line > maxTableLine {
		return false
	}
	row := cells(strings.TrimLeft(c.s[c.line:i], " \t"))
	n := len(row) - 1
	return n < 64 && c.header.columns&(1<<n) != 0 && (n == 0 || strings.Trim(row[n], " \t`*'") == "")
}
