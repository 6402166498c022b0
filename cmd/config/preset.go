package config

import (
	"fmt"
	"strings"
)

// Preset is a named set of flags. Flags on the command line and variables in the environment
// win over it.
type Preset struct {
	Name string
	Why  string // purpose
	Sets []setting
}

// setting is the value of one flag in a preset, as it would be typed, with the reason.
type setting struct{ Flag, value, Why string }

// Presets lists the presets, from the one that removes least. In 12 real sessions, their
// targets left .96, .91 and .83 (means) of the facts that the agent named in its next 40
// messages. The presets do not set --keep-last, because it pins whole tool rounds: with 10, the
// target could not be reached at 28 of 135 cuts, with 4 at 15. They do not drop old thinking
// either, because that gained nothing at the same target.
var Presets = []Preset{
	{"conservative", "removes little, and nothing only because it is old", []setting{
		{"strategy", "dedupe,smart-compress", "leaves out truncate, which removes whole turns"},
		{"target", "70%", "removes mostly repeated and old output"},
		{"keep-rounds", "20", "for mask and progressive"},
		{"thinking", "keep", "also in progressive"},
	}},
	{"balanced", "the defaults of a run", []setting{
		{"strategy", "hybrid", "each stage runs only while over the target"},
		{"target", "50%", "as without a preset"},
		{"keep-rounds", "10", "as without a preset"},
	}},
	{"aggressive", "for a full window: keeps what is likely to be needed, and little else", []setting{
		{"strategy", "hybrid", "each stage runs only while over the target"},
		{"target", "20%", "frees four fifths of the context"},
		{"keep-rounds", "3", "for mask and progressive"},
		{"images", "last 1", "an image takes a thousand tokens or more, and the model has described old ones"},
	}},
}

// yields lists, for a flag of a preset, the other flags to which it yields if they are given.
var yields = map[string][]string{
	"target": {"window"}, // and to fraction, which takes its place
	"images": {"tag"},
}

// PresetNames returns the names of the presets in the order of the help.
func PresetNames() (names []string) {
	for i := range Presets {
		names = append(names, Presets[i].Name)
	}
	return names
}

// ParsePreset returns the preset with this name.
func ParsePreset(name string) (*Preset, error) {
	for i := range Presets {
		if Presets[i].Name == name {
			return &Presets[i], nil
		}
	}
	names := PresetNames()
	return nil, Unknown(fmt.Errorf("expected one of %s", strings.Join(names, ", ")), name, names)
}

// Flags returns the settings as they would be typed on a command line.
func (p *Preset) Flags() string {
	var list []string
	for _, s := range p.Sets {
		value := s.value
		if strings.Contains(value, " ") {
			value = "'" + value + "'"
		}
		list = append(list, "--"+s.Flag+" "+value)
	}
	return strings.Join(list, " ")
}

// PresetHelp returns a paragraph for each preset.
func PresetHelp() string {
	var text strings.Builder
	for _, p := range Presets {
		fmt.Fprintf(&text, "  %-12s %s:\n  %-12s %s\n", p.Name, p.Why, "", p.Flags())
	}
	return strings.TrimSuffix(text.String(), "\n")
}
