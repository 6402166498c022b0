package strategy

import (
	"math"

	"condense/strategy/allocate"
	"condense/transcript"
	"condense/transcript/fact"
)

// How likely it is that a fact will be needed. The numbers follow measurements on
// public sessions of coding agents: which facts from before a place did the agent use
// after it, before the transcript repeated them?
//
//   - Two thirds of them, by weight, the agent had named itself, and the more often,
//     the likelier. A fact that only tools had named was ten times less likely to be
//     needed.
//   - Of facts that only tools had named, those were likelier that came with facts
//     that the agent used later.
//   - The age of a fact adds next to nothing to the number of times: recent facts are
//     mostly named again anyway. A chance that faded with age lost far more old facts
//     than it kept new ones.
const (
	likeliest          = 0.7  // no fact has a greater chance
	standing           = 0.1  // factor where instructions hold the fact anyway
	chanceOfNeighbours = 0.3  // chance of a fact whose neighbours the model all used
	otherWeight        = 10.0 // weight of unused neighbours that every text is taken to have in addition
)

// chances are those of a fact by the number of messages of the model that name it:
// none, one, two, three and more.
var chances = [...]float64{0.012, 0.25, 0.4, 0.65}

// factValues returns the value of each fact: its rarity times the chance that it is
// needed.
func factValues(s *fact.Survey) []float64 {
	rarity := make([]float64, len(s.Facts))
	for i, f := range s.Facts {
		rarity[i] = math.Log(1 + float64(s.Visible)/float64(f.Messages))
	}
	all := make([]float64, len(s.Facts))
	for i, taken := range uptake(s, rarity) {
		f := &s.Facts[i]
		chance := chances[0] + float64(chanceOfNeighbours*taken)
		if f.Said > 0 {
			chance = max(chance, chances[min(f.Said, len(chances)-1)])
		}
		if f.Standing {
			chance *= standing
		}
		all[i] = allocate.Exact(min(chance, likeliest) * rarity[i])
	}
	return all
}

// uptake returns for each fact the share of its neighbours that the model used later,
// from 0 to 1, in the tool result where most were used. Neighbours are the facts in the
// same result.
func uptake(s *fact.Survey, rarity []float64) []float64 {
	most := make([]float64, len(s.Facts))
	counted := make([]int32, len(s.Facts)) // number of the text that counted the fact last
	var n int32
	for t := range s.Texts() {
		if t.Block.Kind != transcript.ToolResult {
			continue
		}
		n++
		taken, all := 0.0, otherWeight
		for _, m := range t.Mentions {
			if counted[m.Fact] == n {
				continue
			}
			counted[m.Fact] = n
			all += rarity[m.Fact]
			if s.Facts[m.Fact].NewestSaid > t.Message {
				taken += rarity[m.Fact]
			}
		}
		for _, m := range t.Mentions {
			most[m.Fact] = max(most[m.Fact], taken/all)
		}
	}
	return most
}

// ages returns for each visible message the number of visible messages after it.
func ages(c *transcript.Conversation) map[int]int {
	of := map[int]int{}
	for m := range c.Visible() {
		of[m.ID] = len(of)
	}
	last := len(of) - 1
	for id, at := range of {
		of[id] = last - at
	}
	return of
}

// fading is the exponent with which the value of words falls with the messages after
// them, whatever they mention.
const fading = 0.1

// recency returns the factor for the value of words in a message of an age.
func recency(age int) float64 { return math.Pow(float64(1+age), -fading) }

// Values of a token, whatever it mentions, and of a cue of 1, in the newest message.
// They decide between pieces that mention no facts. Cues do not help agents to find
// facts again: they are for people who read the result.
const (
	valueOfOutput = 0.0005 // in results, and in texts of clients
	valueOfProse  = 0.0025 // in texts, thinking and calls of the model
	valueOfCue    = 0.03
)
