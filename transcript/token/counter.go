package token

import (
	"sync/atomic"

	"condense/transcript"
)

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
// the zero value is not usable. It is safe for concurrent use.
//
// Except in bytes4 it remembers every text of 64 bytes or more, in about 60
// bytes and the text itself. The text is not copied: it keeps alive whatever it
// is a part of, which for a decoded file is the file. So make a Counter per
// file. Only the first one costs anything.
type Counter struct {
	unit   *unit
	engine engine
	model  string
	method string

	memo memo
	seen atomic.Int64 // bytes counted
	cut  atomic.Int64 // bytes of them in runs that were cut
}

// Name gives the unit: one of [Names].
func (c *Counter) Name() string { return c.unit.name }

// Model gives the name of the model as [ForModel] was given it, or "".
func (c *Counter) Model() string { return c.model }

// Method tells how the unit relates to the model: [Exact] or [Estimate].
func (c *Counter) Method() string { return c.method }

// Text counts s, in tokens. Names of special tokens such as <|endoftext|> count
// as the text they are, and bytes that are not UTF-8 as U+FFFD each.
func (c *Counter) Text(s string) int {
	n := c.count(s)
	c.seen.Add(int64(len(s)))
	if n.cut > 0 {
		c.cut.Add(int64(n.cut))
	}
	return n.tokens
}

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

// Approximate gives the share, from 0 to 1, of the bytes counted so far that
// lay in runs too long to be counted whole. It is 0 in bytes4, and before
// anything was counted.
func (c *Counter) Approximate() float64 {
	seen := c.seen.Load()
	if seen == 0 {
		return 0
	}
	return float64(c.cut.Load()) / float64(seen)
}

func (c *Counter) count(s string) count {
	if c.unit.cheap || len(s) < memoFrom {
		return c.engine(s)
	}
	if n, ok := c.memo.get(s); ok {
		return n
	}
	n := c.engine(s)
	c.memo.put(s, n)
	return n
}
