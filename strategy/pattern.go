package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"condense/transcript/lazyregexp"
)

// Glob is a pattern of names or paths. "*" matches any characters except "/", "**" any
// characters, "?" one character except "/", "[a-z]" one character of a set, "[!a-z]" one
// character outside it, "{a,b}" either of two patterns, and a backslash the character
// after it. The zero Glob matches nothing.
type Glob struct{ text, pattern string }

// UnmarshalText parses a pattern. It returns an error for an empty pattern, and for one
// that is malformed.
func (g *Glob) UnmarshalText(text []byte) (err error) {
	*g, err = parseGlob(string(text))
	return err
}

func parseGlob(s string) (Glob, error) {
	if s == "" {
		return Glob{}, fmt.Errorf("an empty pattern matches nothing")
	}
	var b strings.Builder
	braces := 0
	malformed := func(why string) (Glob, error) { return Glob{}, fmt.Errorf("malformed pattern %q%s", s, why) }
	for i := 0; i < len(s); {
		part := s[i : i+1]
		out := part
		switch {
		case s[i] == '\\':
			part = s[i:min(len(s), i+2)]
			out = part
		case s[i] == '[':
			if part = globSet.FindString(s[i:]); part == "" {
				return malformed(": no ] for its [")
			}
			if out = setOf(part); out == "" {
				return malformed("")
			}
		case s[i] == '{':
			braces++
		case s[i] == '}':
			if braces--; braces < 0 {
				return malformed(": no { for its }")
			}
		case strings.HasPrefix(s[i:], "**"):
			part = "**"
			if out = anything; startsElement(s[:i]) && strings.HasPrefix(s[i+2:], "/") {
				out = part // also matches no folder
			}
		}
		b.WriteString(out)
		i += len(part)
	}
	switch {
	case braces > 0:
		return malformed(": no } for its {")
	case !doublestar.ValidatePattern(b.String()):
		return malformed("")
	case strings.Count(b.String(), "{") > maxBraces:
		return malformed(fmt.Sprintf(": it has more than %d pairs of braces", maxBraces))
	}
	return Glob{s, b.String()}, nil
}

// anything matches any characters. In doublestar, "**" does so only as a whole element of a path.
const anything = "{*,*/**/*}"

// maxBraces limits the pairs of braces: each of them may double the time of a match.
const maxBraces = 8

// globSet matches a set of characters. A bracket at its beginning belongs to it.
var globSet = lazyregexp.New(`^\[[!^]?(?:\][^\]/]*|[^\]/]+)\]`)

// setOf returns a set as doublestar writes it, "" if a range in it is reversed.
func setOf(set string) string {
	inner := strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(set[1 : len(set)-1])
	if strings.HasPrefix(inner, "!") {
		inner = "^" + inner[1:]
	}
	if _, err := regexp.Compile("[" + inner + "]"); err != nil {
		return ""
	}
	return "[" + inner + "]"
}

// startsElement reports whether an element of a path begins after the start of a pattern.
func startsElement(before string) bool {
	return before == "" || strings.IndexByte("/{,", before[len(before)-1]) >= 0
}

// String returns the pattern as it was written.
func (g Glob) String() string { return g.text }

// Name reports whether the pattern matches a whole name.
func (g Glob) Name(name string) bool {
	return g.pattern != "" && doublestar.MatchUnvalidated(g.pattern, name)
}

// Path reports whether the pattern matches a path, or the rest of it after one of its
// slashes: "*.go" and "src/*.go" match "/home/a/src/main.go". A pattern that begins
// with a slash must match the whole path. A backslash in a path counts as a slash.
func (g Glob) Path(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	if g.Name(path) {
		return true
	}
	return g.pattern != "" && g.pattern[0] != '/' && doublestar.MatchUnvalidated("**/"+g.pattern, strings.TrimPrefix(path, "/"))
}

// Range selects messages by number. The numbers are those of reports and findings:
// positions in the conversation, from 1, hidden messages included. The zero Range selects
// all messages.
type Range struct {
	First int // 0 or 1: from the start
	Last  int // 0: to the end
}

// UnmarshalText parses "12..40", "12..", "..40" or "12".
func (r *Range) UnmarshalText(text []byte) (err error) {
	*r, err = parseRange(string(text))
	return err
}

func parseRange(s string) (Range, error) {
	m := rangeForm.FindStringSubmatch(s)
	if m == nil || s == "" || s == ".." {
		return Range{}, fmt.Errorf("malformed range %q, expected numbers of messages (12..40, 12.., ..40)", s)
	}
	first, errFirst := ordinal(m[1], 1)
	last, errLast := ordinal(m[3], 0)
	if m[2] == "" {
		last = first
	}
	switch {
	case errFirst != nil || errLast != nil:
		return Range{}, fmt.Errorf("malformed range %q: messages are numbered from 1", s)
	case last > 0 && last < first:
		return Range{}, fmt.Errorf("the range %s ends before it begins", s)
	}
	return Range{first, last}, nil
}

// String returns the range in the form that UnmarshalText takes, "12..40"; "" for the zero
// Range.
func (r Range) String() string {
	switch {
	case r == Range{}:
		return ""
	case r.First == r.Last:
		return strconv.Itoa(r.First)
	case r.Last == 0:
		return fmt.Sprintf("%d..", r.First)
	}
	return fmt.Sprintf("%d..%d", r.First, r.Last)
}

var rangeForm = lazyregexp.New(`^(\d*)(\.\.)?(\d*)$`)

// ordinal parses a number from 1 up. For "" it returns otherwise.
func ordinal(digits string, otherwise int) (int, error) {
	if digits == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(digits)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	return n, err
}

func (r Range) holds(number int) bool { return number >= r.First && (r.Last == 0 || number <= r.Last) }

// hasProtected reports whether one of the expressions matches a line of a text.
func hasProtected(text string, list []*regexp.Regexp) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(line) }) {
			return true
		}
	}
	return false
}
