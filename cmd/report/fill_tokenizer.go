package report

import "condense/transcript/token"

// TokenizerOf tells how a Counter counted so far.
func TokenizerOf(c *token.Counter) Tokenizer {
	scale := c.Scale()
	window, _ := c.Window()
	return Tokenizer{
		Name: c.Name(), Model: c.Model(), Method: scale.Method, Factor: scale.Factor, Band: scale.Band, Source: scale.Source,
		Window: window,
	}
}
