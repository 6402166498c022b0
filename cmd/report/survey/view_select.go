package survey

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/diff"
)

// Ranges are ranges of the numbers of messages, as the user writes them: "3", "10-20", "10-", "-5".
// The nil value selects every message.
type Ranges []messageRange

// A messageRange is a range of numbers from 1. A negative number counts from the end: -1 is the
// last message.
type messageRange struct{ first, last int }

// rangeText matches one range: a number, the sign of a range, and a number, each optional.
var rangeText = regexp.MustCompile(`^(-?\d+)?(-|:|\.\.)?(-?\d+)?$`)

// ParseRanges parses ranges with commas between them. "10-20" and "10:20" are all messages from 10 to
// 20, "10-" is all from 10, "-5" the last five, and "-10:-5" counts both from the end.
func ParseRanges(text string) (list Ranges, err error) {
	for one := range strings.SplitSeq(text, ",") {
		m := rangeText.FindStringSubmatch(strings.TrimSpace(one))
		if m == nil || m[1] == "" && m[3] == "" {
			return nil, fmt.Errorf("malformed range %q, expected 12, 10-20, 10- or -5 (the last five)", one)
		}
		r := messageRange{1, -1}
		for _, end := range []struct {
			text string
			to   *int
		}{{m[1], &r.first}, {m[3], &r.last}} {
			if end.text == "" {
				continue
			}
			if *end.to, err = strconv.Atoi(end.text); err != nil || *end.to == 0 {
				return nil, fmt.Errorf("malformed range %q: messages are numbered from 1", one)
			}
		}
		if m[2] == "" && r.first > 0 {
			r.last = r.first
		}
		list = append(list, r)
	}
	return list, nil
}

// have reports whether the ranges hold message number n of a conversation of the given length.
func (l Ranges) have(n, length int) bool {
	from := func(end int) int {
		if end < 0 {
			return length + 1 + end
		}
		return end
	}
	for _, r := range l {
		if from(r.first) <= n && n <= from(r.last) {
			return true
		}
	}
	return l == nil
}

// compare adds the messages of two conversations, with what differs. Ranges select by the numbers of
// the second. A message that only the first has is selected with the message behind it.
func (b *viewBuilder) compare(old, c *transcript.Conversation) {
	next := 1 // number of the message of c behind the last one
	for _, p := range diff.Pairs(old, c) {
		number := min(next, max(1, len(c.Messages)))
		if p.To >= 0 {
			number, next = p.To+1, p.To+2
		}
		switch {
		case !b.Messages.have(number, len(c.Messages)):
		case p.To < 0:
			b.one(old, p.From, ViewRemoved)
		case p.From < 0:
			b.one(c, p.To, ViewNew)
		case !b.leavesOut(c.Messages[p.To]):
			out := newViewMessage(c.Messages[p.To])
			out.Number, out.Was = p.To+1, p.From+1
			blocks := changedBlocks(old, c, &p)
			for _, x := range blocks {
				b.add(&out, x)
			}
			b.append(out, len(blocks))
		}
	}
}

// one adds a message that only one side has.
func (b *viewBuilder) one(c *transcript.Conversation, at int, change string) {
	m := c.Messages[at]
	if m.Hidden && !b.Hidden {
		if change == ViewNew {
			b.to.Hidden++
		}
		return
	}
	out := newViewMessage(m)
	out.Number = at + 1
	if change == ViewRemoved {
		out.Number, out.Was = 0, at+1
	}
	for _, x := range m.Blocks {
		block := newViewBlock(c, m, x)
		block.Change = change
		b.add(&out, block)
	}
	b.append(out, len(m.Blocks))
}

// changedBlocks returns the blocks of two messages that are a pair, in the order of the second. A
// removed block stands in front of the block that follows it.
func changedBlocks(old, c *transcript.Conversation, p *diff.Pair) (blocks []ViewBlock) {
	was, m := old.Messages[p.From], c.Messages[p.To]
	changed := map[*transcript.Block]*diff.Change{} // by the block of the second message
	gone := map[*transcript.Block]bool{}            // the blocks that only the first message has
	for i := range p.Changes {
		if x := &p.Changes[i]; x.B != nil {
			changed[x.B] = x
		} else if x.A != nil {
			gone[x.A] = true
		}
	}
	removed := map[int][]*transcript.Block{} // by the number of paired blocks before them
	n := 0
	for _, x := range was.Blocks {
		if gone[x] {
			removed[n] = append(removed[n], x)
		} else {
			n++
		}
	}
	add := func(list []*transcript.Block) {
		for _, x := range list {
			block := newViewBlock(old, was, x)
			block.Change = ViewRemoved
			blocks = append(blocks, block)
		}
	}
	n = 0
	for _, x := range m.Blocks {
		block := newViewBlock(c, m, x)
		switch change := changed[x]; {
		case change == nil || change.A != nil:
			add(removed[n])
			n++
			if change != nil {
				block.Change, block.Before = ViewChanged, viewParts(change.A)
			}
		default:
			block.Change = ViewNew
		}
		blocks = append(blocks, block)
	}
	add(removed[n])
	return blocks
}
