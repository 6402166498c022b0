package config

import (
	"fmt"
	"strings"
)

// Preset is a name for a set of flags. What is given by a flag or by its variable in
// the environment wins over it.
type Preset struct {
	Name string
	Why  string // what it is for
	Sets []setting
}

// setting is the value of one flag in a preset, as it would be typed.
type setting struct{ Flag, value, Why string }

// Presets are the presets, from the one that removes least. Of what an agent named in its next 40
// messages, .96, .91 and .83 was still there in its context at their targets: the mean
// of 12 real sessions. No --keep-last is among them, because it holds whole tool
// rounds: 10 put the target out of reach at 28 of 135 places, and 4 at 15. Dropping old
// thinking is not either: at the same target it gained nothing.
var Presets = []Preset{
	{"conservative", "removes little, and nothing only for its age", []setting{
		{"strategy", "dedupe,smart-compress", "without truncate, which removes whole turns"},
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
		{"target", "20%", "leaves room for four times as much"},
		{"keep-rounds", "3", "for mask and progressive"},
		{"images", "last 1", "an image is a thousand tokens or more, and an old one has been described"},
	}},
}

// yields are flags that, when given, leave no room for one of a preset: they say how
// far to go, or that nothing is removed.
var yields = map[string][]string{
	"target": {"fraction", "window"},
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

// Flags are the settings as they would be typed.
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

// PresetHelp is a paragraph for each preset.
func PresetHelp() string {
	var text strings.Builder
	for _, p := range Presets {
		fmt.Fprintf(&text, "  %-12s %s:\n  %-12s %s\n", p.Name, p.Why, "", p.Flags())
	}
	return strings.TrimSuffix(text.String(), "\n")
}
