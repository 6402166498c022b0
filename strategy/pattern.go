package strategy

import (
	"fmt"
	"regexp"
	"strings"
)

// Glob is a pattern of names or paths. "*" stands for any characters but "/",
// "**" for any at all, "?" for one that is not "/", and "[a-z]" for one of those.
// The zero Glob matches nothing.
type Glob struct {
	text        string
	whole, tail *regexp.Regexp
}

// ParseGlob reads a pattern. The error says that it is empty or that brackets do
// not close.
func ParseGlob(s string) (Glob, error) {
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
		case strings.HasPrefix(rest, "**/"): // no folder, too
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

// What a pattern is made of: a set of characters, and what stands for itself.
var (
	globSet = regexp.MustCompile(`^\[!?(?:\][^\]/]*|[^\]/]+)\]`)
	literal = regexp.MustCompile(`^[^*?\[]+`)
)

// String returns the pattern as it was written.
func (g Glob) String() string { return g.text }

// Name reports whether the pattern matches a name from the first to the last character.
func (g Glob) Name(name string) bool { return g.whole != nil && g.whole.MatchString(name) }

// Path reports whether the pattern matches a path, or what follows one of its
// slashes: "*.go" and "src/*.go" match "/home/a/src/main.go". A pattern that
// begins with a slash has to match all of it. Backslashes of Windows are slashes.
func (g Glob) Path(path string) bool {
	return g.tail != nil && g.tail.MatchString(strings.ReplaceAll(path, `\`, "/"))
}
