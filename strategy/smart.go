package strategy

import (
	"context"
	"math"

	"condense/strategy/allocate"
	"condense/transcript"
	"condense/transcript/fact"
)

// Smart shortens inside messages.
var Smart = Strategy{
	Name:    "smart-compress",
	Doc:     "every text keeps the lines that what follows is most likely to need, as many as the target allows; what holds none goes whole",
	Loses:   "the lines least likely to be needed",
	Options: []string{"Protect"},
	Aims:    true, Access: AccessLines,
	Run: smart,
}

// smart offers every text that need not stay whole, piece by piece, and keeps
// those with the most value for their tokens.
func smart(_ context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 { // nothing at all would fit
		return Skip(noTarget), nil
	}
	survey := fact.Of(in.Conv)
	a := newAllocation(in, worths(survey))
	d := draft{in: in, survey: survey, a: a, age: ages(in.Conv), answers: answers(in.Conv), framing: framing(in), ruled: map[string]bool{}}
	units := in.Conv.Units()
	d.cut(units)
	for _, u := range units {
		d.unit(u)
	}
	edits := a.land()
	if len(edits) == 0 {
		return Skip(allKept), nil
	}
	return Proposal{Edits: edits}, nil
}

// noTarget is why what works towards a target does nothing where the rule of truncate
// takes its place.
const noTarget = "a fraction stands in for the target that it works towards"

// ages returns for each visible message how many come after it.
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

// answers are the messages of the model that close a turn: the last with text
// before a person speaks again, and the last of all.
func answers(c *transcript.Conversation) map[int]bool {
	const none = -1
	of, last := map[int]bool{}, none
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			switch {
			case b.Kind == transcript.Text && b.Origin == transcript.ByModel:
				last = m.ID
			case b.Kind == transcript.Text && b.Origin == transcript.Typed && last != none:
				of[last], last = true, none
			}
		}
	}
	if last != none {
		of[last] = true
	}
	return of
}

// framingShare is how much of the budget, after what stays word for word,
// instructions may have before they are shortened like everything else.
const framingShare = 0.5

// framing reports whether instructions are to be shortened too: not in vain, where
// what stays word for word is over the budget without them.
func framing(in *Input) bool {
	instructions, rest := 0, in.Budget
	for _, u := range in.Conv.Units() {
		for _, id := range u.Msgs {
			m := in.Conv.Message(id)
			for _, b := range m.Blocks {
				switch {
				case staysWhole(b), u.Open:
					rest -= in.Tokens(b)
				case m.Role == transcript.System:
					instructions += in.Tokens(b)
				}
			}
		}
	}
	return rest > 0 && float64(instructions) > framingShare*float64(rest)
}

// How likely it is that what follows needs a fact. The shape of these numbers was
// measured on public sessions of coding agents: which of the facts that stood
// before a place did the agent use behind it before it was told them again?
//   - Two thirds, by weight, it had named itself before, and the more often the
//     likelier. What only tools had said is ten times less likely to be needed.
//   - Of what only tools had said, likelier is what stood in a text of which the
//     agent took other facts up.
//   - When it was named tells next to nothing beside how often: what is recent is
//     mostly named again anyway. With a chance that faded with age, far more was lost
//     of what is old than was won of what is new.
const (
	likeliest  = 0.7  // no fact is surer to be needed than this
	standing   = 0.1  // of the chance is left where instructions say it anyway
	company    = 0.3  // chance of a fact whose whole company was taken up
	companions = 10.0 // weight of facts not taken up that every text is taken to have besides
)

// chances are those of a fact, by how many messages of the model name it: none, one,
// two, three and more.
var chances = [...]float64{0.012, 0.25, 0.4, 0.65}

// fading is how the worth of words falls with the messages since, whatever they
// mention: to the power of minus this.
const fading = 0.1

// recency is how much of its worth is left to what is that many messages old.
func recency(age int) float64 { return math.Pow(float64(1+age), -fading) }

// worths says what each fact is worth: how rare it is times how likely it is to
// be needed.
func worths(s *fact.Survey) []float64 {
	rarity := make([]float64, len(s.Facts))
	for i, f := range s.Facts {
		rarity[i] = math.Log(1 + float64(s.Visible)/float64(f.Messages))
	}
	all := make([]float64, len(s.Facts))
	for i, taken := range takenUp(s, rarity) {
		f := &s.Facts[i]
		chance := chances[0] + float64(company*taken)
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

// takenUp gives for each fact how much of its company the model took up, from 0
// to 1: in that one of the tool results that mention it where most was.
func takenUp(s *fact.Survey, rarity []float64) []float64 {
	most := make([]float64, len(s.Facts))
	counted := make([]int32, len(s.Facts)) // number of the text that counted it last
	var n int32
	for t := range s.Texts() {
		if t.Block.Kind != transcript.ToolResult {
			continue
		}
		n++
		taken, all := 0.0, companions
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
