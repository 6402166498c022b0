// Package retain tells what a condensed conversation still holds of the one that
// it was made from.
//
// [Of] takes every fact of the effective view before (a path, a name, a number,
// a command, a sentence that demands something: package transcript/fact) and
// asks two things of the effective view after: is it present, and is it bound,
// that is, does it stand in the neighbourhood that gave it its meaning. A list of
// all names has everything present and next to nothing bound. Rare facts weigh
// more: ln(1+N/n) for a fact in n of N messages.
//
// It knows two conversations and nothing of how one became the other, so that it
// can judge what any strategy did. It measures what is still there to be read; no
// future is known to it, so it cannot tell what will be needed.
//
// A fact is bound where, in both conversations,
//
//   - the whole text around it is the same; or
//   - its line is the same, numbers of lines aside; in lines of more than 240
//     bytes, the 20 bytes on each side are; or
//   - its line has nothing but facts, as in a listing, and it is still said in
//     answer to the same call, as the same argument, or under the same line; or
//   - of the words of its line, or of 100 bytes on each side in a long one, half
//     stand within 150 bytes of it, and there are at least three.
//
// A command is bound while a shell call still runs it, a constraint while its
// sentence stands somewhere; neither has another neighbourhood.
//
// Markers of what was omitted hold nothing, before or after. Time and memory are
// linear in the two conversations.
package retain

import (
	"condense/transcript"
	"condense/transcript/fact"
)

// Retention is what is left of the effective view of a conversation.
type Retention struct {
	Facts Share                      // of all kinds
	kinds [fact.Constraint + 1]Share // by kind
	Typed Count                      // bytes that a person typed, in texts that are there word for word
	Todos Count                      // open items of the newest todo list or plan
}

// Kind returns what is left of one kind of facts.
func (r *Retention) Kind(kind fact.Kind) Share { return r.kinds[kind] }

// Share is how much of some facts is left, by weight.
type Share struct {
	Facts   int     // how many there were
	Weight  float64 // of all of them
	Absent  float64 // weight of those that are not there any more
	Unbound float64 // weight of those, and of those without their neighbourhood
}

// Present is the share of the weight that is still there: 0 to 1, and 1 only when
// nothing is lost. Of no facts, nothing is lost.
func (s Share) Present() float64 { return left(s.Absent, s.Weight) }

// Bound is the share of the weight that is still there with its neighbourhood:
// never more than Present, and 1 only when all is.
func (s Share) Bound() float64 { return left(s.Unbound, s.Weight) }

func left(lost, of float64) float64 {
	if lost == 0 {
		return 1
	}
	return max(0, 1-lost/of)
}

func (s *Share) add(o Share) {
	s.Facts += o.Facts
	s.Weight += o.Weight
	s.Absent += o.Absent
	s.Unbound += o.Unbound
}

// Count is how many of some things are left.
type Count struct{ Of, Kept int }

// Share is the part that is left: 1 only when all are. Of nothing, nothing is lost.
func (c Count) Share() float64 { return left(float64(c.Of-c.Kept), float64(c.Of)) }

// Add adds what is left of another conversation. The zero Retention is a sum of none.
func (r *Retention) Add(o *Retention) {
	r.Facts.add(o.Facts)
	for i := range o.kinds {
		r.kinds[i].add(o.kinds[i])
	}
	r.Typed.Of, r.Typed.Kept = r.Typed.Of+o.Typed.Of, r.Typed.Kept+o.Typed.Kept
	r.Todos.Of, r.Todos.Kept = r.Todos.Of+o.Todos.Of, r.Todos.Kept+o.Todos.Kept
}

// Of compares the effective views of a conversation before and after.
func Of(before, after *transcript.Conversation) *Retention {
	r := &Retention{
		Typed: typed(before, after),
		Todos: todos(before, after),
	}
	said := hear(before, after)
	asked := ask(before, said)
	for i := range asked.facts {
		f := &asked.facts[i]
		one := asked.share(f, rarity(int(f.messages), asked.messages), said)
		r.Facts.add(one)
		r.kinds[f.kind].add(one)
	}
	return r
}
