// Package redact finds secrets in text and replaces them.
//
// A table of rules, most of them from gitleaks, describes the keys of known providers. Other secrets
// are found by their context: a value is a secret if it looks random and follows a name such as
// api_key or GITHUB_TOKEN. The name may be in a variable, a header, an XML tag, a cookie, a table or
// a sentence, and colours or escapes such as %3D may be between. Passwords in URLs, passwords after
// their names, private keys and signed tokens are found too. Text that only might be a secret stays:
// a UUID, a commit, a hash, an image in base64. [Text] makes one pass whose time is proportional to
// the length of the text.
package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Counts is the number of replaced secrets of each kind. The zero Counts is empty.
type Counts map[string]int

// Add adds the counts of another text.
func (c *Counts) Add(more Counts) {
	if *c == nil && len(more) > 0 {
		*c = Counts{}
	}
	for kind, n := range more {
		(*c)[kind] += n
	}
}

// Total returns the number of secrets of all kinds.
func (c Counts) Total() (n int) {
	for _, of := range c {
		n += of
	}
	return n
}

// String returns the kinds with their counts, the most frequent first: "2 GitHub
// tokens, 1 JWT"; "" for none.
func (c Counts) String() string {
	kinds := make([]string, 0, len(c))
	for kind := range c {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(c[b]-c[a], strings.Compare(a, b)) })
	for i, kind := range kinds {
		words := kind
		if c[kind] != 1 { // "passwords in a URL"
			noun, _, _ := strings.Cut(kind, " in ")
			words = noun + "s" + kind[len(noun):]
		}
		kinds[i] = fmt.Sprintf("%d %s", c[kind], words)
	}
	return strings.Join(kinds, ", ")
}

// Opening begins the replacement of a secret: "[redacted: JWT]".
const Opening = "[redacted: "

// Text returns s with [redacted: kind] in place of each secret, and the number of
// secrets of each kind. Without secrets it returns s itself. Its own replacements are
// not secrets, so that a second pass changes nothing.
func Text(s string) (string, Counts) {
	return known().redact(s)
}

func (t *table) redact(s string) (string, Counts) {
	var out strings.Builder
	var counts Counts
	c := cursor{table: t, s: s}
	for i := 0; i < len(s); {
		found, ok := c.at(i)
		if !ok {
			i++
			continue
		}
		if counts == nil {
			counts = Counts{}
			out.Grow(len(s))
		}
		counts[found.kind]++
		out.WriteString(s[c.done:found.from])
		out.WriteString(Opening + found.kind + "]")
		c.done, i = found.to, found.to
	}
	if counts == nil {
		return s, nil
	}
	out.WriteString(s[c.done:])
	return out.String(), counts
}

// secret is a range of a text.
type secret struct {
	kind     string
	from, to int
}

// cursor is the state of one pass over a text.
type cursor struct {
	table  *table
	s      string
	done   int    // bytes before it are in the output, and are not read again
	run    int    // end of the last run of bytes that was read as a value
	line   int    // start of the line
	header header // of the table that the line belongs to
}

// at finds the secret that byte i of the text begins or announces.
func (c *cursor) at(i int) (secret, bool) {
	s := c.s
	b := s[i]
	if i+2 < len(s) {
		if h := uint16(b&31)<<10 | uint16(s[i+1]&31)<<5 | uint16(s[i+2]&31); c.table.likely[h>>6]&(1<<(h&63)) != 0 {
			if found, ok := c.table.starting(h, s, i, c.done); ok {
				return found, true
			}
		}
	}
	if kinds[b]&isValue != 0 {
		switch b {
		case '-':
			if found, ok := privateKey(s, i); ok {
				return found, true
			}
		case 'e':
			if found, ok := webToken(s, i, c.done); ok {
				return found, true
			}
		}
		if i >= c.run {
			return c.value(i)
		}
		return secret{}, false
	}
	switch b {
	case '\n':
		c.newLine(i + 1)
	case '\\':
		if i+1 < len(s) && s[i+1] == 'n' {
			c.newLine(i + 2)
		}
	case ':':
		if found, ok := inURL(s, i, c.done); ok {
			return found, true
		}
		return c.password(i)
	case '=', '>', '|':
		return c.password(i)
	case ',':
		if i > c.done && (s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '`') {
			return c.password(i)
		}
	case ' ':
		if i-2 >= c.done && optionEnd(s[i-2:i]) {
			return c.password(i)
		}
	}
	return secret{}, false
}

// The kinds of bytes.
const (
	isWord  = 1 << iota // letters, digits and _
	isValue             // of which random values consist
	isDigit
	isUpper
	isGap // between a name, an operator and a value
)

const (
	aDigit   = isWord | isValue | isDigit
	aCapital = isWord | isValue | isUpper
	aLetter  = isWord | isValue
	aSign    = isValue | isGap
)

var kinds = [256]uint8{
	'0': aDigit, '1': aDigit, '2': aDigit,
	'3': aDigit, '4': aDigit, '5': aDigit,
	'6': aDigit, '7': aDigit, '8': aDigit,
	'9': aDigit,
	'A': aCapital, 'B': aCapital, 'C': aCapital,
	'D': aCapital, 'E': aCapital, 'F': aCapital,
	'G': aCapital, 'H': aCapital, 'I': aCapital,
	'J': aCapital, 'K': aCapital, 'L': aCapital,
	'M': aCapital, 'N': aCapital, 'O': aCapital,
	'P': aCapital, 'Q': aCapital, 'R': aCapital,
	'S': aCapital, 'T': aCapital, 'U': aCapital,
	'V': aCapital, 'W': aCapital, 'X': aCapital,
	'Y': aCapital, 'Z': aCapital,
	'a': aLetter, 'b': aLetter, 'c': aLetter, 'd': aLetter, 'e': aLetter,
	'f': aLetter, 'g': aLetter, 'h': aLetter, 'i': aLetter, 'j': aLetter,
	'k': aLetter, 'l': aLetter, 'm': aLetter, 'n': aLetter, 'o': aLetter,
	'p': aLetter, 'q': aLetter, 'r': aLetter, 's': aLetter, 't': aLetter,
	'u': aLetter, 'v': aLetter, 'w': aLetter, 'x': aLetter, 'y': aLetter,
	'z': aLetter, '_': aLetter,
	'-': aSign, '+': aSign, '/': aSign, '.': aSign,
	'~': isValue,
	' ': isGap, '\t': isGap, '"': isGap, '\'': isGap, '`': isGap, '*': isGap, '\\': isGap, '<': isGap, '(': isGap,
	')': isGap, '{': isGap, '}': isGap, '[': isGap, ']': isGap, '#': isGap, '$': isGap, '@': isGap, '!': isGap,
	'?': isGap,
}

func letter(c byte) bool    { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool     { return '0' <= c && c <= '9' }
func wordByte(c byte) bool  { return kinds[c]&isWord != 0 }
func valueByte(c byte) bool { return kinds[c]&isValue != 0 }
