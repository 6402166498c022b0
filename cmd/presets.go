package cmd

import (
	"fmt"
	"strings"
)

// preset is a name for a set of flags. What is given by a flag or by its variable in
// the environment wins over it.
type preset struct {
	name string
	why  string // what it is for
	sets []setting
}

// setting is the value of one flag in a preset, as it would be typed.
type setting struct{ flag, value, why string }

// presets, from the one that takes least. Of what an agent named in its next 40
// messages, .96, .91 and .83 was still there in its context at their targets: the mean
// of 12 real sessions. No --keep-last is among them, because it holds whole tool
// rounds: 10 put the target out of reach at 28 of 135 places, and 4 at 15. Dropping old
// thinking is not either: at the same target it gained nothing.
var presets = []preset{
	{"conservative", "little goes, and nothing for its age alone", []setting{
		{"strategy", "dedupe,smart-compress", "without truncate, which takes whole turns"},
		{"target", "70%", "mostly repeated and old output goes"},
		{"keep-rounds", "20", "should mask or progressive be asked for"},
		{"thinking", "keep", "in progressive, too"},
	}},
	{"balanced", "what a run does without flags", []setting{
		{"strategy", "hybrid", "each stage only while still over the target"},
		{"target", "50%", "as without a preset"},
		{"keep-rounds", "10", "as without a preset"},
	}},
	{"aggressive", "when the window is full: what is likely to be needed, and little else", []setting{
		{"strategy", "hybrid", "each stage only while still over the target"},
		{"target", "20%", "room for four times as much as is left"},
		{"keep-rounds", "3", "should mask or progressive be asked for"},
		{"images", "last 1", "an image is a thousand tokens or more, and an old one has been described"},
	}},
}

// yields are flags that, when given, leave no room for one of a preset: they say how
// far to go, or that nothing is removed.
var yields = map[string][]string{
	"target": {"fraction", "window"},
	"images": {"tag"},
}

func presetNames() (names []string) {
	for i := range presets {
		names = append(names, presets[i].name)
	}
	return names
}

func parsePreset(name string) (*preset, error) {
	for i := range presets {
		if presets[i].name == name {
			return &presets[i], nil
		}
	}
	names := presetNames()
	return nil, &unknownName{fmt.Errorf("expected one of %s", strings.Join(names, ", ")), name, names}
}

// flags are the settings as they would be typed.
func (p *preset) flags() string {
	var list []string
	for _, s := range p.sets {
		value := s.value
		if strings.Contains(value, " ") {
			value = "'" + value + "'"
		}
		list = append(list, "--"+s.flag+" "+value)
	}
	return strings.Join(list, " ")
}

// presetHelp is a paragraph for each preset.
func presetHelp() string {
	var text strings.Builder
	for _, p := range presets {
		fmt.Fprintf(&text, "  %-12s %s:\n  %-12s %s\n", p.name, p.why, "", p.flags())
	}
	return strings.TrimSuffix(text.String(), "\n")
}
