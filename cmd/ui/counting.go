package ui

import (
	"fmt"
	"math"
	"strconv"

	"condense/transcript/token"
)

// telling is the share by which a provider's count must differ from ours to be
// told.
const telling = 0.15

// counting says how far the numbers of a report can be trusted.
func counting(r *Report, esc escaper) []remark {
	var out []remark
	t := &r.Tokenizer
	switch {
	case t.Method == token.Estimate:
		out = append(out, remark{warn, "tokens are estimated by " + esc(t.Name) + ", not counted" + because(t, esc)})
	case t.Method == token.Calibrated:
		out = append(out, remark{plain, "tokens are those of " + esc(t.Name) + " times " + factor(t.Factor) + because(t, esc)})
	}
	if t.Flat > 0 {
		out = append(out, remark{plain, "images, documents and recordings of unknown size: " + number(t.Flat) + ", at " + number(token.MediaTokens) + " tokens each"})
	}
	if len(r.Conversations) == 1 {
		out = append(out, window(r)...)
		out = append(out, measured(t, &r.Conversations[0])...)
	}
	return out
}

// because is ", ±5 %: who says so", as far as it is known.
func because(t *Tokenizer, esc escaper) string {
	text := ""
	if t.Band > 0 {
		text = ", ±" + factor(t.Band) + " %"
	}
	if t.Source != "" {
		text += ": " + esc(t.Source)
	}
	return text
}

// window compares the result with what the model takes.
func window(r *Report) []remark {
	size, full := r.Tokenizer.Window, r.Tokens.After+r.Framing.After
	if size == 0 {
		return nil
	}
	text := fmt.Sprintf("with %s tokens of framing (an estimate), %s of the context window of %s",
		number(r.Framing.After), number(full), number(size))
	if full > size {
		return []remark{{warn, text + ": too much"}}
	}
	return []remark{{plain, text}}
}

// measured tells what the provider counted, where that is far from what we count.
func measured(t *Tokenizer, c *Conversation) []remark {
	provider, ours := float64(c.Usage.Measured), float64(c.Usage.Counted)
	if math.Abs(provider-ours) <= telling*provider {
		return nil
	}
	text := fmt.Sprintf("the provider counted %s tokens for the last request, and the messages in it count %s here: "+
		"the rest is what the file does not hold, or the tokenizer", number(c.Usage.Measured), number(c.Usage.Counted))
	if t.Factor == 1 {
		text += " (--calibrate auto)"
	}
	return []remark{{plain, text}}
}

// factor writes a number without zeros at its end.
func factor(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
