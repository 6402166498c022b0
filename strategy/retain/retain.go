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
// [Cuts] and [Cut.Recall] measure recall instead: which facts from before a place the model used after
// it, and how many of them a condensed first part still holds.
//
// The package compares two conversations without regard to the strategy. Time and memory are linear in
// the two conversations. All shares are from 0 to 1.
package retain

import (
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

// Add adds the retention of another conversation.
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
	now := readAfter(before, after)
	table := readBefore(before, now)
	for i := range table.facts {
		f := &table.facts[i]
		one := table.share(f, rarity(int(f.messages), table.messages), now)
		r.Facts.add(one)
		r.kinds[f.kind].add(one)
	}
	return r
}
