package retain

import (
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/fact"
)

// A Cut is a place at which a conversation is cut in two. The part before it is condensed. The part after
// it shows which facts of the first were needed. Every strategy condenses the same first part without
// seeing the second.
type Cut struct {
	At     int                      // number of messages of the effective view before it
	Typed  bool                     // before a typed message; otherwise within a turn
	Tokens int                      // tokens of the part before it
	Before *transcript.Conversation // the part before it, to be condensed; it shares no message with the whole

	needed []need
}

// A need is a fact that the model used after the cut and could only know from before it.
type need struct {
	key    string
	weight float64 // ln(1+N/n) when n of N messages before the cut name it
	far    bool    // not named in the newest quarter of the tokens before the cut
}

// Limits of a conversation that can be cut, and of a cut.
const (
	leastMessages = 40    // messages of a conversation
	leastTokens   = 20000 // tokens of a conversation
	leastNeeded   = 10    // facts that are needed after a cut
	horizon       = 40    // messages after the cut that are read
	farShare      = 4     // the newest quarter of the tokens is near
)

// cutShares are the percentages of the tokens near which cuts of each kind are made.
var cutShares = []int{30, 44, 57, 71, 85}

// Cuts returns up to five cuts within turns, where automatic compaction happens, and
// up to five before typed messages, oldest first. tokens returns the tokens of a block
// and must be pure. Without any cut, the error states why: the conversation is too
// short, was condensed before, or needed too few facts.
func Cuts(c *transcript.Conversation, tokens func(*transcript.Block) int) ([]*Cut, error) {
	msgs := visible(c)
	sums := make([]int, len(msgs)+1) // tokens before each message
	for i, m := range msgs {
		sums[i+1] = sums[i]
		for _, b := range m.Blocks {
			sums[i+1] += tokens(b)
		}
	}
	if total := sums[len(msgs)]; len(msgs) < leastMessages || total < leastTokens {
		return nil, fmt.Errorf("it has %d messages and %d tokens; cutting it in two takes %d messages and %d tokens", len(msgs), total, leastMessages, leastTokens)
	}
	if slices.ContainsFunc(msgs, isGenerated) {
		return nil, fmt.Errorf("it was condensed before: the messages after a cut follow another summary")
	}
	var cuts []*Cut
	for _, typed := range []bool{false, true} {
		for _, at := range nearest(msgs, sums, typed) {
			cut := newCut(c, msgs, at, typed)
			cut.findNeeded(msgs, sums)
			if len(cut.needed) >= leastNeeded {
				cuts = append(cuts, cut)
			}
		}
	}
	if cuts == nil {
		return nil, fmt.Errorf("there is no place after which %d facts from before were used", leastNeeded)
	}
	slices.SortStableFunc(cuts, func(a, b *Cut) int { return a.At - b.At })
	return cuts, nil
}

func isGenerated(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Origin == transcript.Generated })
}

// nearest returns the places of one kind that are nearest to cutShares, each once.
func nearest(msgs []*transcript.Message, sums []int, typed bool) (places []int) {
	for _, share := range cutShares {
		best, far := -1, 0
		for i := 1; i < len(msgs); i++ {
			if typed && !isTyped(msgs[i]) || !typed && !(msgs[i].Role == transcript.Assistant && hasResult(msgs[i-1])) {
				continue
			}
			off := sums[i] - sums[len(msgs)]*share/100
			if off = max(off, -off); best < 0 || off < far {
				best, far = i, off
			}
		}
		if best > 0 && !slices.Contains(places, best) {
			places = append(places, best)
		}
	}
	return places
}

func isTyped(m *transcript.Message) bool {
	return m.Role == transcript.User && slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
		return b.Kind == transcript.Text && b.Origin == transcript.Typed
	})
}

func hasResult(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Kind == transcript.ToolResult })
}

// newCut copies the messages before the one at at: a new conversation assigns
// identities to its messages.
func newCut(c *transcript.Conversation, msgs []*transcript.Message, at int, typed bool) *Cut {
	before := make([]*transcript.Message, at)
	for i, m := range msgs[:at] {
		one := *m
		one.Blocks = make([]*transcript.Block, len(m.Blocks))
		for j, b := range m.Blocks {
			copied := *b
			one.Blocks[j] = &copied
		}
		before[i] = &one
	}
	return &Cut{At: at, Typed: typed, Before: transcript.New(c.ID, before)}
}

// findNeeded finds the needed facts: those that the model was the first to mention
// after the cut, and that stand before it, outside of instructions.
func (c *Cut) findNeeded(msgs []*transcript.Message, sums []int) {
	c.Tokens = sums[c.At]
	known := readBefore(c.Before, readAfter(c.Before, c.Before))
	standing := map[string]bool{}
	passages(c.Before, visible(c.Before), 0, func(n int, s *passage) {
		if msgs[n].Role == transcript.System {
			s.facts(func(key string) { standing[key] = true })
		}
	})
	seen := map[string]bool{}
	passages(c.Before, msgs[c.At:min(len(msgs), c.At+horizon)], 0, func(_ int, s *passage) {
		s.facts(func(key string) {
			if seen[key] {
				return
			}
			seen[key] = true
			id, before := known.ids.Find(key)
			if s.b.Origin != transcript.ByModel || !before || standing[key] {
				return
			}
			f := &known.facts[id]
			c.needed = append(c.needed, need{key, rarity(int(f.messages), known.messages), sums[f.last] < c.Tokens-c.Tokens/farShare})
		})
	})
}

// facts calls yield for the facts and commands of a passage. It omits constraints, which are hardly
// ever repeated.
func (s *passage) facts(yield func(key string)) {
	fact.Each(s.p.Text, func(_ int, key string) { yield(key) })
	s.others(func(key string, kind fact.Kind) {
		if kind == fact.Command {
			yield(key)
		}
	})
}
