package cmd

import (
	"github.com/spf13/pflag"

	"condense/strategy"
)

// addSummaryFlags adds the flags of summarize.
func addSummaryFlags(s *strategy.Options, fs *pflag.FlagSet) {
	fs.Var(&parsed[strategy.Layout]{to: &s.Layout, parse: strategy.ParseLayout, text: string(strategy.LayoutKeep), kind: "keep|fresh|fork"},
		"layout", "summarize: keep the first message and the last (--keep-last, 3 without), keep nothing (fresh), or go on from a state (fork)")
}
