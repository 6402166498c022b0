package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
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

// presets, from the one that takes least. The shares of the target are for what a
// reader can do without: at 70 % it is mostly what came twice and old output that
// goes; at 20 % what is named again is mostly there, and much else is not. 10
// messages are some five tool rounds, the last thing that was worked on.
var presets = []preset{
	{"conservative", "to look things up in later: little goes, nothing new is hard to find", []setting{
		{"strategy", "dedupe,smart-compress", "without truncate, which takes whole turns"},
		{"target", "70%", "mostly repeated and old output goes"},
		{"keep-last", "10", "the last few rounds stay word for word"},
		{"keep-rounds", "20", "should mask or progressive be asked for"},
		{"thinking", "keep", "in progressive, too"},
	}},
	{"balanced", "to go on with the work: what a run does without flags, and the last round stays", []setting{
		{"strategy", "hybrid", "each stage only while still over the target"},
		{"target", "50%", "as without a preset"},
		{"keep-last", "4", "the last round and what was said of it stay word for word"},
		{"keep-rounds", "10", "as without a preset"},
	}},
	{"aggressive", "when the window is full: what is likely to be needed, and little else", []setting{
		{"strategy", "hybrid", "each stage only while still over the target"},
		{"target", "20%", "room for four times as much as there is now"},
		{"keep-rounds", "3", "should mask or progressive be asked for"},
		{"thinking", "drop-old", "few models see the thinking of earlier turns again"},
		{"images", "last 1", "an image is a thousand tokens or more, and an old one has been described"},
	}},
}

// yields are flags that, when given, leave no room for one of a preset: they say how
// far to go, or that nothing is removed.
var yields = map[string][]string{
	"target":   {"fraction", "window"},
	"thinking": {"tag"},
	"images":   {"tag"},
}

func parsePreset(name string) (*preset, error) {
	var names []string
	for i := range presets {
		if presets[i].name == name {
			return &presets[i], nil
		}
		names = append(names, presets[i].name)
	}
	return nil, fmt.Errorf("expected one of %s", strings.Join(names, ", "))
}

// apply sets the flags of the preset that were not given.
func (p *preset) apply(fs *pflag.FlagSet) error {
	for _, s := range p.sets {
		given := fs.Changed(s.flag)
		for _, other := range yields[s.flag] {
			given = given || fs.Changed(other)
		}
		if given {
			continue
		}
		if err := fs.Lookup(s.flag).Value.Set(s.value); err != nil { // so that it does not count as given
			return fmt.Errorf("preset %s: --%s: %w", p.name, s.flag, err)
		}
	}
	return nil
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
