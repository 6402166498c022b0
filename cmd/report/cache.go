package report

import (
	"slices"

	"condense/transcript"
	"condense/transcript/token"
)

// newCache returns the effect of condensing on a prompt that a provider has cached, or nil when
// no tokens are saved.
func newCache(before, after *transcript.Conversation, tokens Change, counter *token.Counter) *Cache {
	if tokens.After >= tokens.Before {
		return nil
	}
	prefix := UnchangedPrefix(before, after, counter)
	return &Cache{Prefix: prefix, BreakEven: BreakEven(tokens, prefix)}
}

// UnchangedPrefix counts the tokens of the effective view up to the first message that differs
// before and after.
func UnchangedPrefix(before, after *transcript.Conversation, counter *token.Counter) (tokens int) {
	old, now := slices.Collect(before.Visible()), slices.Collect(after.Visible())
	for i := range min(len(old), len(now)) {
		if old[i].Role != now[i].Role || !slices.EqualFunc(old[i].Blocks, now[i].Blocks, sameBlock) {
			break
		}
		for _, b := range old[i].Blocks {
			tokens += counter.Block(b)
		}
	}
	return tokens
}

// sameBlock reports whether two blocks are the same to a model.
func sameBlock(a, b *transcript.Block) bool {
	return a.Kind == b.Kind && a.Call == b.Call && a.Tool == b.Tool && a.Opaque == b.Opaque &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q transcript.Part) bool {
			return p.Name == q.Name && p.Text == q.Text && (p.Media == nil) == (q.Media == nil) && (p.Media == nil || *p.Media == *q.Media)
		})
}

// BreakEven returns after how many turns, rounded up to a tenth, a shorter prompt has paid for
// being written to the cache once more. It returns 0 when the first turn already costs less. That
// turn writes what follows the prefix and reads less; each turn then saves reading what was removed:
//
//	(1.25·(new − prefix) + 0.1·prefix − 0.1·old) / (0.1·(old − new))
//
// Writing costs 1.25 times and reading 0.1 times the price of input, as Anthropic charges for a
// cache of five minutes. The sums are integers, so that every machine computes the same.
func BreakEven(tokens Change, prefix int) float64 {
	more := 125*(tokens.After-prefix) + 10*prefix - 10*tokens.Before
	saved := tokens.Before - tokens.After // in a tenth of a turn, in hundredths of the price
	if more <= 0 {
		return 0
	}
	return float64((more+saved-1)/saved) / 10
}
