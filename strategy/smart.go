package strategy

import (
	"context"

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
