package cmd

import (
	"condense/cmd/report"
	"condense/transcript/token"
)

// tokenizerOf tells how a Counter counted so far.
func tokenizerOf(c *token.Counter) report.Tokenizer {
	scale := c.Scale()
	window, _ := c.Window()
	return report.Tokenizer{
		Name: c.Name(), Model: c.Model(), Method: scale.Method, Factor: scale.Factor, Band: scale.Band, Source: scale.Source,
		Window: window,
	}
}
