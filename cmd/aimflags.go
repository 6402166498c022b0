package cmd

import (
	"github.com/spf13/pflag"

	"condense/strategy"
)

// addAimFlags adds the flags that say by which strategies to condense, and how far.
func (o *runOptions) addAimFlags(fs *pflag.FlagSet) {
	fs.VarP(o.pipeline, "strategy", "s", "strategy, or several separated by commas")
	fs.VarP(&parsed[strategy.Target]{to: &o.strategy.Target, parse: strategy.ParseTarget, kind: "TOKENS|PERCENT"},
		"target", "t", "how far to go: tokens (20000, 20k) or a share of the input (50%)")
}
