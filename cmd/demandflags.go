package cmd

import (
	"strings"

	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/strategy"
)

// addDemandFlags adds the flags that ask for something of single texts, whatever
// the target, and the presets.
func (o *runOptions) addDemandFlags(fs *pflag.FlagSet) {
	s := &o.strategy
	fs.Var(&parsed[*config.Preset]{to: &o.preset, parse: config.ParsePreset, kind: strings.Join(config.PresetNames(), "|")},
		"preset", "a set of the other flags, see above; what is given besides wins")
	fs.Var(&repeated[strategy.Cap]{to: &s.Caps, parse: strategy.ParseCap, kind: "GLOB=TOKENS"},
		"cap", "keep no more tokens than that of any result of tools with such a name, within the target too (repeatable)")
	fs.Var(&parsed[strategy.Tags]{to: &s.Tags, parse: strategy.ParseTags, kind: "typed|all"},
		"tags", "keep what stands between <keep> and </keep>, and remove what stands between <drop> and </drop>: "+
			"typed, in what the user typed; all, in what tools and the model wrote, too")
}
