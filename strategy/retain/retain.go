// Package retain measures what a condensed conversation still holds of the original.
//
// [Of] looks up every fact of the effective view before in the effective view after. Facts are paths,
// names, numbers, commands and sentences with a demand; see package fact. A fact can be present, and it
// can be bound: in the neighbourhood that determines its meaning. In a list of all names, every fact is
// present and hardly any is bound. Rare facts weigh more: ln(1+N/n) for a fact in n of N messages.
//
// A fact is bound where, in both conversations, one of these holds:
//
//   - The whole text around it is the same.
//   - Its line is the same, line numbers aside; in a line of more than 240 bytes, the
//     20 bytes on each side are.
//   - Its line consists of facts, as in a listing, and still belongs to the same call, the same argument,
//     or the same line above it.
//   - At least half of the words of its line, and at least three, are within 150 bytes of it. In a long
//     line, these are the words of 100 bytes on each side.
//
// A command is bound while a shell call still runs it, and a constraint while its sentence is present
// anywhere. Markers of omitted text hold no facts, before or after.
//
// Of also compares the dialogue. A request is a typed text, and its turn is everything up to the next
// request. Where a new text quotes a request, as a summary does, the text after the quote is the turn
// of the request. A sentence ends at a line break, or at a full stop, a colon or a similar mark before
// white space. A sentence of fewer than 20 characters does not count, unless all of the text is
// shorter. Code in fences belongs to no paragraph.
//
// [Cuts] and [Cut.Recall] measure recall instead: which facts from before a place the model used after
// it, and how many of them a condensed first part still holds.
//
// The package compares two conversations without regard to the strategy. Time and memory are linear in
// the two conversations. All shares are from 0 to 1.
package retain

import (
	"sync"

	"condense/transcript"
	"condense/transcript/fact"
)

// A Retention measures how much of the effective view of a conversation is left. The zero Retention is
// that of no conversation.
type Retention struct {
	Facts FactCount                      // of all kinds
	kinds [fact.Constraint + 1]FactCount // by kind
	Typed Count                          // bytes of typed texts that are present word for word
	Todos Count                          // open items of the newest todo list or plan

	Answered   Count // requests that the model answered, and those of them that still have an answer or a text that stands for it
	Closing    Count // closing answers, and those of them with at least one whole sentence left at its place
	Sentences  Count // of the closing answers, and those of them at their place
	Last       Count // 1 for a conversation with a last answer, and 1 where it is left word for word
	Paragraphs Count // of texts of the model of which something is left, and those of them that are whole

	Gaps    int // markers of omitted text that were not there before
	Records int // records of calls that were not there before
}

// Kind returns the retention of one kind of fact.
func (r *Retention) Kind(kind fact.Kind) FactCount { return r.kinds[kind] }

// A FactCount measures how many facts are left, by weight.
type FactCount struct {
	Facts   int     // number of facts before
	Weight  float64 // weight of all facts
	Absent  float64 // weight of the facts that are not present
	Unbound float64 // weight of the facts that are not bound, absent ones included
}

// fewestFacts is the number of facts from which on their share is measurable. Fewer say
// nothing about a conversation: it can lose nearly all of its text and none of them.
const fewestFacts = 20

// Measurable reports whether there are enough facts for a share of them.
func (s FactCount) Measurable() bool { return s.Facts >= fewestFacts }

// Present returns the share of the weight that is present, from 0 to 1. It is 1 only
// when nothing is lost, and for no facts.
func (s FactCount) Present() float64 { return left(s.Absent, s.Weight) }

// Bound returns the share of the weight that is bound, from 0 to Present. It is 1 only
// when every fact is bound, and for no facts.
func (s FactCount) Bound() float64 { return left(s.Unbound, s.Weight) }

// left returns the share that is not lost.
func left(lost, of float64) float64 {
	if lost == 0 {
		return 1
	}
	return max(0, 1-lost/of)
}

func (s *FactCount) add(o FactCount) {
	s.Facts += o.Facts
	s.Weight += o.Weight
	s.Absent += o.Absent
	s.Unbound += o.Unbound
}

// A Count holds how many of some things are left.
type Count struct{ Of, Kept int }

// Share returns Kept/Of, from 0 to 1. It is 1 only when all are left, and for no
// things.
func (c Count) Share() float64 { return left(float64(c.Of-c.Kept), float64(c.Of)) }

// add counts one more thing, which is left or not.
func (c *Count) add(left bool) {
	c.Of++
	if left {
		c.Kept++
	}
}

func (c *Count) sum(o Count) { c.Of, c.Kept = c.Of+o.Of, c.Kept+o.Kept }

// Add adds the retention of another conversation.
func (r *Retention) Add(o *Retention) {
	r.Facts.add(o.Facts)
	for i := range o.kinds {
		r.kinds[i].add(o.kinds[i])
	}
	r.Typed.sum(o.Typed)
	r.Todos.sum(o.Todos)
	r.Answered.sum(o.Answered)
	r.Closing.sum(o.Closing)
	r.Sentences.sum(o.Sentences)
	r.Last.sum(o.Last)
	r.Paragraphs.sum(o.Paragraphs)
	r.Gaps += o.Gaps
	r.Records += o.Records
}

// Of compares the effective views of a conversation before and after.
func Of(before, after *transcript.Conversation) *Retention {
	r := &Retention{}
	var dialogue sync.WaitGroup
	dialogue.Go(func() { // it sets other fields than the facts below
		r.Typed, r.Todos = typed(before, after), todos(before, after)
		r.answers(before, after)
		r.Gaps, r.Records = gaps(before, after)
	})
	now := readAfter(before, after)
	table := readBefore(before, now)
	for i := range table.facts {
		f := &table.facts[i]
		one := table.share(i, rarity(int(f.messages), table.messages), now)
		r.Facts.add(one)
		r.kinds[f.kind].add(one)
	}
	dialogue.Wait()
	return r
}
