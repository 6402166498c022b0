package token

import (
	"fmt"
	"slices"
	"strings"
)

// unit is one way to count.
type unit struct {
	name  string
	media int // what a media part counts
	load  func() engine
}

// units lists the units in the order of the help; the first is the default.
var units = []unit{
	{name: "o200k_base", media: MediaTokens, load: o200k},
	{name: "cl100k_base", media: MediaTokens, load: cl100k},
	{name: "bytes4", load: bytes4},
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
// is an [*UnknownName].
func New(name string) (*Counter, error) {
	if name == "" {
		name = units[0].name
	}
	i := slices.IndexFunc(units, func(u unit) bool { return u.name == name })
	if i < 0 {
		return nil, &UnknownName{name, Names()}
	}
	return &Counter{unit: &units[i], engine: units[i].load(), method: Exact}, nil
}

// UnknownName is a name that no unit has.
type UnknownName struct {
	Name  string
	Known []string
}

func (e *UnknownName) Error() string {
	return fmt.Sprintf("unknown tokenizer %q: there are %s", e.Name, strings.Join(e.Known, ", "))
}

// Unknown gives the name and those that there are, for a suggestion.
func (e *UnknownName) Unknown() (name string, known []string) { return e.Name, e.Known }
