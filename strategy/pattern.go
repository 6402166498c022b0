package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Glob is a pattern of names or paths. "*" matches any characters except "/", "**" any
// characters, "?" one character except "/", "[a-z]" one character of a set, and "[!a-z]"
// one character outside it. The zero Glob matches nothing.
type Glob struct {
	text        string
	whole, tail *regexp.Regexp
}

// UnmarshalText parses a pattern. It returns an error for an empty pattern, and for a set
// that is malformed.
func (g *Glob) UnmarshalText(text []byte) (err error) {
	*g, err = parseGlob(string(text))
	return err
}

func parseGlob(s string) (Glob, error) {
	if s == "" {
		return Glob{}, fmt.Errorf("an empty pattern matches nothing")
	}
	var re strings.Builder
	for rest := s; rest != ""; {
		n := 1
		switch set := globSet.FindString(rest); {
		case set != "":
			n = len(set)
			re.WriteString(strings.NewReplacer(`\`, `\\`, "[!", "[^").Replace(set))
		case strings.HasPrefix(rest, "**/"): // also matches no folder
			n = 3
			re.WriteString("(?:.*/)?")
		case strings.HasPrefix(rest, "**"):
			n = 2
			re.WriteString(".*")
		case rest[0] == '*':
			re.WriteString("[^/]*")
		case rest[0] == '?':
			re.WriteString("[^/]")
		case rest[0] == '[':
			return Glob{}, fmt.Errorf("malformed pattern %q: no ] for its [", s)
		default:
			n = len(literal.FindString(rest))
			re.WriteString(regexp.QuoteMeta(rest[:n]))
		}
		rest = rest[n:]
	}
	whole, err := regexp.Compile(`(?s)^(?:` + re.String() + `)$`)
	if err != nil {
		return Glob{}, fmt.Errorf("malformed pattern %q", s)
	}
	tail := regexp.MustCompile(`(?s)(?:^|/)(?:` + re.String() + `)$`) // compiles, because whole does
	if strings.HasPrefix(s, "/") {
		tail = whole
	}
	return Glob{s, whole, tail}, nil
}

// The elements of a pattern: a set of characters, and characters that match themselves.
var (
	globSet = regexp.MustCompile(`^\[!?(?:\][^\]/]*|[^\]/]+)\]`)
	literal = regexp.MustCompile(`^[^*?\[]+`)
)

// String returns the pattern as it was written.
func (g Glob) String() string { return g.text }

// Name reports whether the pattern matches a whole name.
func (g Glob) Name(name string) bool { return g.whole != nil && g.whole.MatchString(name) }

// Path reports whether the pattern matches a path, or the rest of it after one of its
// slashes: "*.go" and "src/*.go" match "/home/a/src/main.go". A pattern that begins
// with a slash must match the whole path. A backslash in a path counts as a slash.
func (g Glob) Path(path string) bool {
	return g.tail != nil && g.tail.MatchString(strings.ReplaceAll(path, `\`, "/"))
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

var rangeForm = regexp.MustCompile(`^(\d*)(\.\.)?(\d*)$`)

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
