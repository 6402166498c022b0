package token

import (
	"fmt"
	"slices"
	"strings"
)

// unit is one way to count.
type unit struct {
	name   string
	real   bool   // an encoding of a model: what is not text counts too
	images string // rule for images where no model says another
	load   func() engine
}

// units lists the units in the order of the help; the first is the default.
var units = []unit{
	{name: "o200k_base", real: true, images: "tiles-85-170", load: o200k},
	{name: "cl100k_base", real: true, images: "tiles-85-170", load: cl100k},
	{name: "bytes4", images: flat, load: bytes4},
	{name: "chars", images: flat, load: chars},
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

// isReal reports whether a unit is an encoding of a model.
func isReal(name string) bool {
	return slices.ContainsFunc(units, func(u unit) bool { return u.name == name && u.real })
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
	c := &Counter{
		unit: &units[i], engine: units[i].load(), scale: Scale{Method: Exact, Factor: 1}, millionths: million,
		images: imageRule(units[i].images),
	}
	if c.unit.real {
		c.framing = openAIFraming(7)
	}
	return c, nil
}

// ForModel makes a Counter for a model by the table of this version; see
// [Models.Counter].
func ForModel(model string) (*Counter, error) { return BuiltIn().Counter(model) }

// Counter makes a Counter for a model, named as [Models.Find] takes it. "" is the
// default of [New]. A model that is not in the table is an error that tells
// people how to choose.
func (t Models) Counter(model string) (*Counter, error) {
	if model == "" {
		return New("")
	}
	m, ok := t.Find(model)
	if !ok {
		return nil, fmt.Errorf("no tokenizer is known for model %q: choose one with --tokenizer (%s)",
			model, strings.Join(Names(), ", "))
	}
	c, err := New(m.Tokenizer)
	if err != nil {
		return nil, err
	}
	c.model, c.window, c.output = model, m.Window, m.Output
	if c.unit.real {
		c.images, c.framing = imageRule(m.Images), m.Framing
	}
	c.rescale(Scale{Method: m.Method, Factor: m.Factor, Band: m.Band, Source: m.Source})
	return c, nil
}

// Named makes a Counter for the name of a unit or of a model, "" for the default.
func (t Models) Named(name string) (*Counter, error) {
	if slices.Contains(Names(), name) {
		return New(name)
	}
	if _, ok := t.Find(name); !ok && name != "" {
		return nil, fmt.Errorf("%w, and the names of models (condense models)", &UnknownName{name, Names()})
	}
	return t.Counter(name)
}

// UnknownName is a name that no unit has.
type UnknownName struct {
	Name  string
	Known []string
}

func (e *UnknownName) Error() string {
	return fmt.Sprintf("unknown tokenizer %q: there are %s", e.Name, strings.Join(e.Known, ", "))
}

// Unknown returns the name and those that there are, for a suggestion.
func (e *UnknownName) Unknown() (name string, known []string) { return e.Name, e.Known }
