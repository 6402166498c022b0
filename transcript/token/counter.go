package token

import (
	"fmt"

	"condense/transcript"
)

// Counter counts texts and blocks for one model, or in one unit. [New], [ForModel]
// and [Models.Named] return one; the zero value is not usable. It is safe for
// concurrent use and keeps no text.
type Counter struct {
	unit       *unit
	engine     engine
	scale      Scale
	millionths int // of the factor of scale

	model          string
	named          bool // set if a file named the model
	window, output int
	images         *rule
	framing        Framing
}

// Name returns the unit that texts are counted in: one of [Names].
func (c *Counter) Name() string { return c.unit.name }

// Model returns the name of the model as passed to [ForModel], or "".
func (c *Counter) Model() string { return c.model }

// Named reports whether the conversations named the model: whether [Models.Of] returned c, or a
// Counter that c was made from.
func (c *Counter) Named() bool { return c.named }

// Method returns how the count relates to the model: [Exact], [Calibrated] or
// [Estimate].
func (c *Counter) Method() string { return c.scale.Method }

// Scale returns the factor between the unit and the tokens of the model.
func (c *Counter) Scale() Scale { return c.scale }

// Window returns the context window of the model and the longest answer, in tokens;
// 0 without a model or when the table does not know it.
func (c *Counter) Window() (window, output int) { return c.window, c.output }

// Text counts s, in tokens. Names of special tokens such as <|endoftext|> count as
// ordinary text, and each byte that is not UTF-8 counts as U+FFFD.
func (c *Counter) Text(s string) int { return c.scaled(c.units(s)) }

// Block counts a block, in tokens: its texts, scaled together, its media and
// encrypted thinking. The result depends on the block alone. A sum of blocks differs
// from the scaled sum of their texts by at most half a token for each block, and is
// equal without a factor.
func (c *Counter) Block(b *transcript.Block) int {
	texts, rest := c.block(b)
	return c.scaled(texts) + rest
}

// block counts the texts of a block, in tokens of the unit, and the rest, in
// tokens of the model.
func (c *Counter) block(b *transcript.Block) (texts, rest int) {
	for i := range b.Parts {
		if p := &b.Parts[i]; p.Media != nil {
			rest += c.medium(p.Media)
		} else {
			texts += c.units(p.Text)
		}
	}
	if b.Kind == transcript.Thinking && c.unit.real && sealed(b.Opaque) > texts {
		texts, rest = 0, rest+sealed(b.Opaque)
	}
	return texts, rest
}

// sealed estimates the tokens of thinking of which a file holds only the ciphertext:
// three bytes for each four of base64, less the envelope, at four bytes a token. It
// is the estimate of Codex (codex-rs, context_manager, estimate_reasoning_length),
// whose server returns such thinking and bills it.
func sealed(bytes int) int {
	const envelope = 650
	return (max(0, bytes*3/4-envelope) + 3) / 4
}

// Encode returns the tokens of s by their numbers in the vocabulary. Their number is
// that of [Counter.Text] without a factor. As there, nothing in s is a special token.
// It returns an error for a unit that is not an encoding.
func (c *Counter) Encode(s string) ([]int, error) {
	if c.engine.tokens == nil {
		return nil, fmt.Errorf("%s has no vocabulary, and so no tokens to list", c.unit.name)
	}
	tokens := c.engine.tokens(nil, s)
	ids := make([]int, len(tokens))
	for i, id := range tokens {
		ids[i] = int(id)
	}
	return ids, nil
}

// units counts s, in tokens of the unit.
func (c *Counter) units(s string) int { return c.engine.count(s) }
