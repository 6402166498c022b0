package chronicle

import (
	"condense/strategy/squeeze"
	"condense/transcript"
)

// This file keeps a conversation of very many short messages small: sets of blocks, and brief answers.

// perMessage is a set with at most one block of each message: by message ID, one more than the ID of
// the block.
type perMessage []int32

func (p perMessage) add(ref transcript.Ref) { p[ref.Msg] = int32(ref.Block + 1) }

func (p perMessage) has(ref transcript.Ref) bool { return p[ref.Msg] == int32(ref.Block+1) }

// fewBlocks is a set of blocks, by the IDs of the message and the block.
type fewBlocks map[[2]int]bool

func (f fewBlocks) add(ref transcript.Ref) { f[[2]int{ref.Msg, ref.Block}] = true }

func (f fewBlocks) has(ref transcript.Ref) bool { return f[[2]int{ref.Msg, ref.Block}] }

// perBlock holds a number for some blocks: the step of each call and result. Before the first number, it
// has no lists.
type perBlock struct {
	from []int32 // by message ID: where its blocks begin in next
	next []int32 // by block: one more than its number; 0 for none
}

// set sets the number of a block of c.
func (p *perBlock) set(c *transcript.Conversation, ref transcript.Ref, number int) {
	if p.from == nil {
		blocks := int32(0)
		ids := 0
		for _, m := range c.Messages {
			ids = max(ids, m.ID+1)
		}
		p.from = make([]int32, ids)
		for _, m := range c.Messages {
			if p.from[m.ID] = blocks; len(m.Blocks) > 0 {
				blocks += int32(m.Blocks[len(m.Blocks)-1].ID + 1)
			}
		}
		p.next = make([]int32, blocks)
	}
	p.next[int(p.from[ref.Msg])+ref.Block] = int32(number + 1)
}

// of returns the number of a block; false if it has none.
func (p *perBlock) of(ref transcript.Ref) (number int, ok bool) {
	if p.from == nil {
		return 0, false
	}
	number = int(p.next[int(p.from[ref.Msg])+ref.Block])
	return number - 1, number > 0
}

// manyMessages is the number of messages from which on brief answers are not laid out as texts, each of
// which takes a hundred times the memory of its words.
const manyMessages = 1 << 15

// longestBrief is the most bytes of a brief answer. A conversation of very many short messages has one in most turns. The
// choice would keep it, so it is no text: only its tokens and facts are counted.
const longestBrief = 32

// brief is a brief answer with facts.
type brief struct {
	part     *transcript.Part
	at       int32 // number of texts in front of it
	from, to int32 // its facts in choice.facts
}

// isBrief reports whether a text of the model, which is a part of p, is a single short sentence.
// The choice would keep it whole if one sentence of it must stay.
func (d *draft) isBrief(p *transcript.Part, from, to int) bool {
	if from != int(p.Head) || to != len(p.Text) || to-from > longestBrief {
		return false
	}
	cut, _ := squeeze.Paragraphs(p.Text[from:to])
	return len(cut.Pieces) == 1
}

// addBrief counts a brief answer of the given tokens.
func (d *draft) addBrief(p *transcript.Part, tokens float64) {
	d.briefs++
	d.briefSize += tokens
	if len(d.Survey.Mentions(p)) > 0 {
		d.telling = append(d.telling, brief{part: p, at: int32(len(d.texts))})
	}
}

// addBriefs adds the facts of the brief answers.
func (c *choice) addBriefs() {
	for i := range c.telling {
		b := &c.telling[i]
		b.from, b.to = c.addFacts(c.Survey.Mentions(b.part))
	}
}

// keepBriefs keeps those of some brief answers that stand in front of a text, and returns the others.
func (c *choice) keepBriefs(briefs []brief, text int) []brief {
	for len(briefs) > 0 && int(briefs[0].at) <= text {
		c.marginal.Keep(c.facts[briefs[0].from:briefs[0].to])
		briefs = briefs[1:]
	}
	return briefs
}
