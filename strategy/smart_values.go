package strategy

import (
	"math"

	"condense/strategy/allocate"
	"condense/transcript"
	"condense/transcript/fact"
)

// Parameters of the chance that a fact will be needed. They follow measurements on public
// sessions of coding agents. At a place in a session, a fact counted as needed if the
// agent used it again after that place, and before the transcript repeated it.
//
//   - The agent itself had named two thirds of the needed facts, by weight. The more
//     often it had named a fact, the likelier it needed the fact. Facts that only tools
//     had named were ten times less likely to be needed.
//   - Facts that only tools had named were likelier to be needed if the agent later used
//     other facts of the same result.
//   - The age of a fact says almost nothing beyond the number of times, because the
//     transcript mostly repeats recent facts anyway. A chance that fell with age lost far
//     more old facts than it kept new ones.
const (
	maxChance       = 0.7  // limit for the chance of every fact
	standingFactor  = 0.1  // factor for a fact that instructions have anyway
	passingFactor   = 0.1  // factor for a time, a duration or a mode of a file that the model did not name
	neighbourChance = 0.3  // chance of a fact if the model used all of its neighbours
	writtenChance   = 0.08 // chance of a fact that the model named only in long text that a call writes
	otherWeight     = 10.0 // weight of unused neighbours that is added to those of each result
)

// chances holds the chance of a fact by the number that namings returns: 0, 1, 2, and 3 or more.
var chances = [...]float64{0.012, 0.25, 0.4, 0.65}

// factValues returns the value of each fact: its rarity times the chance that it is
// needed.
func factValues(s *fact.Survey) []float64 {
	rarity := raritiesOf(s)
	seen := make([]int32, s.Len()) // space, for both
	named := namings(s, seen)
	values := usedNeighbours(s, rarity, seen) // a source has a fact for every few bytes: there is one list
	for i, used := range values {
		f := s.Fact(fact.ID(i))
		chance := chances[0] + float64(neighbourChance*used)
		switch n := named[i]; {
		case n > 0:
			chance = max(chance, chances[n])
		case f.NewestSaid >= 0:
			chance = max(chance, writtenChance)
		case f.Passing:
			chance *= passingFactor
		}
		if f.Standing {
			chance *= standingFactor
		}
		values[i] = allocate.Exact(min(chance, maxChance) * rarity.of(f))
	}
	return values
}

// rarities holds the rarity of a fact by the number of messages that mention it.
type rarities []float64

func raritiesOf(s *fact.Survey) rarities {
	most := int32(0)
	for id := range fact.ID(s.Len()) {
		most = max(most, s.Fact(id).Messages)
	}
	r := make(rarities, most+1)
	for n := range r {
		r[n] = math.Log(1 + float64(s.Visible)/float64(n))
	}
	return r
}

func (r rarities) of(f *fact.Fact) float64 { return r[f.Messages] }

// usedNeighbours returns for each fact the share of its neighbours that the model used
// later, from 0 to 1 and weighted by rarity. Neighbours are the facts in the same tool
// result. For a fact in several results, the largest share holds.
func usedNeighbours(s *fact.Survey, rarity rarities, counted []int32) []float64 {
	most := make([]float64, s.Len())
	clear(counted) // by fact: the last result that counted it
	var n int32    // the current result, from 1
	for t := range s.Texts() {
		if t.Block.Kind != transcript.ToolResult {
			continue
		}
		n++
		used, all := 0.0, otherWeight
		for _, m := range t.Mentions {
			if counted[m.Fact] == n {
				continue
			}
			counted[m.Fact] = n
			f := s.Fact(m.Fact)
			all += rarity.of(f)
			if f.NewestSaid > int32(t.Message) {
				used += rarity.of(f)
			}
		}
		for _, m := range t.Mentions {
			most[m.Fact] = max(most[m.Fact], used/all)
		}
	}
	return most
}

// longArguments is the size in bytes from which the arguments of a call are a text, such as a file, rather
// than names.
const longArguments = 2000

// namings returns for each fact the number of messages in which the model names it, except in long
// arguments of calls. It counts no further than chances does.
func namings(s *fact.Survey, last []int32) []uint8 {
	n := make([]uint8, s.Len())
	clear(last) // the last message that was counted, from 1
	var block *transcript.Block
	says := false // whether the block is one of the model, without long arguments
	for t := range s.Texts() {
		if t.Block != block { // a call can have very many texts
			block = t.Block
			says = block.Origin == transcript.ByModel && (block.Kind != transcript.ToolCall || bytes(block) <= longArguments)
		}
		if !says {
			continue
		}
		for _, m := range t.Mentions {
			if at := int32(t.Message + 1); last[m.Fact] != at {
				last[m.Fact] = at
				n[m.Fact] = min(n[m.Fact]+1, uint8(len(chances)-1))
			}
		}
	}
	return n
}
