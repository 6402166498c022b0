package token

import (
	"fmt"

	"condense/transcript"
)

// Counter counts texts and blocks for one model, or in one unit. [New],
// [ForModel] and [Models.Named] make one; the zero value is not usable. It is safe
// for concurrent use, and keeps no text.
type Counter struct {
	unit       *unit
	engine     engine
	scale      Scale
	millionths int // of the factor of scale

	model          string
	window, output int
	images         *rule
	framing        Framing
}

// Name returns the unit that texts are counted in: one of [Names].
func (c *Counter) Name() string { return c.unit.name }

// Model returns the name of the model as [ForModel] was given it, or "".
func (c *Counter) Model() string { return c.model }

// Method tells how the count relates to the model: [Exact], [Calibrated] or
// [Estimate].
func (c *Counter) Method() string { return c.scale.Method }

// Scale returns what becomes of a count of the unit.
func (c *Counter) Scale() Scale { return c.scale }

// Window returns the context window of the model and the longest answer, in tokens;
// 0 when no model was named or the table does not say.
func (c *Counter) Window() (window, output int) { return c.window, c.output }

// Text counts s, in tokens. Names of special tokens such as <|endoftext|> count
// as the text they are, and bytes that are not UTF-8 as U+FFFD each.
func (c *Counter) Text(s string) int { return c.scaled(c.units(s)) }

// Block counts a block, in tokens: its texts, scaled as one, its media and sealed
// thinking. It depends on nothing but the block. A sum of blocks differs from the
// scaled sum of their texts by half a token for each block at most, and not at
// all without a factor.
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

// sealed estimates the tokens of thinking of which a file holds nothing but the
// sealed form: three bytes for each four of base64, less what surrounds the text,
// at four bytes a token. It is the estimate of Codex (codex-rs, context_manager,
// estimate_reasoning_length), whose server returns such thinking and bills it.
func sealed(bytes int) int {
	const envelope = 650
	return (max(0, bytes*3/4-envelope) + 3) / 4
}

// Encode returns the tokens of s as the vocabulary numbers them, as many as
// [Counter.Text] counts without a factor. As there, nothing in s is a special
// token. Units that are no encoding have no tokens: that is an error.
func (c *Counter) Encode(s string) ([]int, error) {
	if c.engine.tokens == nil {
		return nil, fmt.Errorf("%s has no vocabulary: it counts, but there are no tokens", c.unit.name)
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
