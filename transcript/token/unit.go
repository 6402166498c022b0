package token

import (
	"fmt"
	"slices"
	"strings"
)

// unit is one way to count.
type unit struct {
	name  string
	media int  // what a media part counts
	cheap bool // to count costs less than to remember
	load  func() (engine, error)
}

// units lists the units in the order of the help; the first is the default.
var units = []unit{
	{name: "o200k_base", media: MediaTokens, load: o200k},
	{name: "cl100k_base", media: MediaTokens, load: cl100k},
	{name: "bytes4", cheap: true, load: bytes4},
}

// Names lists the units that [New] takes, in the order of the help, the default
// first.
func Names() []string {
	names := make([]string, len(units))
	for i := range units {
		names[i] = units[i].name
	}
	return names
}

// New makes a Counter of the unit with that name, "" for the default. The error
// is for people: it lists the names, and suggests the nearest.
func New(name string) (*Counter, error) {
	if name == "" {
		name = units[0].name
	}
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return nil, unknownUnit(name)
	}
	engine, err := units[i].load()
	if err != nil {
		return nil, err
	}
	return &Counter{unit: &units[i], engine: engine, method: Exact}, nil
}

func unknownUnit(name string) error {
	hint := ""
	if near := nearest(name, Names()); near != "" {
		hint = fmt.Sprintf("did you mean %s? ", near)
	}
	return fmt.Errorf("unknown tokenizer %q: %sthere are %s", name, hint, strings.Join(Names(), ", "))
}

// nearest gives the name that most resembles s, or "" when none does: more than
// half of its letters would have to change.
func nearest(s string, names []string) string {
	s = strings.ToLower(s)
	best, least := "", 0
	for _, name := range names {
		if d := distance(s, name); d <= len(name)/2 && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal
			} else {
				row[j+1] = 1 + min(diagonal, above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
