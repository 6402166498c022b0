package token

import "condense/transcript"

// MediaTokens is what an image, a document or a recording counts in the units
// of real encodings, whatever its size. It is the middle of what the APIs bill
// for a picture of 1024×1024 pixels: 765 (GPT-4o), 1032 (Gemini 2), 1369 (Claude).
const MediaTokens = 1000

// The answers of [Counter.Method].
const (
	Exact    = "exact"    // the unit is the model's own, or no model was named
	Estimate = "estimate" // the model's tokenizer is not public, or not built in
)

// Counter counts texts and blocks in one unit. [New] and [ForModel] make one;
// the zero value is not usable. It is safe for concurrent use, and keeps no text.
type Counter struct {
	unit   *unit
	engine engine
	model  string
	method string
}

// Name gives the unit: one of [Names].
func (c *Counter) Name() string { return c.unit.name }

// Model gives the name of the model as [ForModel] was given it, or "".
func (c *Counter) Model() string { return c.model }

// Method tells how the unit relates to the model: [Exact] or [Estimate].
func (c *Counter) Method() string { return c.method }

// Text counts s, in tokens. Names of special tokens such as <|endoftext|> count
// as the text they are, and bytes that are not UTF-8 as U+FFFD each.
func (c *Counter) Text(s string) int { return c.engine(s) }

// Block counts a block, in tokens: the sum over its parts. It depends on
// nothing but the block.
func (c *Counter) Block(b *transcript.Block) int {
	sum := 0
	for i := range b.Parts {
		if p := &b.Parts[i]; p.Media != nil {
			sum += c.unit.media
		} else {
			sum += c.Text(p.Text)
		}
	}
	return sum
}
