package strategy

import (
	"math"
	"slices"

	"condense/strategy/squeeze"
	"condense/transcript/fact"
)

// What pieces and units of an [allocation] are worth, and what they cost.

// again is what is left of the worth of a fact that is kept once already: the
// second place may bind it to something else.
const again = 0.2

// mention counts that facts are mentioned by one more, or one less, that is there.
func (a *allocation) mention(facts []fact.ID, step int32) {
	for _, f := range facts {
		a.held[f] += step
		switch a.held[f] {
		case 0:
			a.marginal[f] = a.worth[f]
		case 1:
			a.marginal[f] = float64(again * a.worth[f])
		default:
			a.marginal[f] = 0
		}
	}
}

// value is what keeping a piece adds.
func (a *allocation) value(i int) float64 {
	v := a.pieces[i].extra
	for _, f := range a.mentions(i) {
		v += a.marginal[f]
	}
	return v
}

// rest is what an excerpt costs when nothing of it is kept.
func (a *allocation) rest(p *excerpt) float64 {
	if p.drops {
		return 0
	}
	return min(a.gap, float64(p.tokens))
}

// least is what a unit costs when nothing optional of it is kept.
func (a *allocation) least(u *share) float64 {
	tokens := u.tokens
	for j := u.from; j < u.to; j++ {
		tokens += a.rest(&a.excerpts[j])
	}
	return tokens
}

// cost is the tokens that keeping a piece adds, with the change in markers.
func (a *allocation) cost(p *excerpt, i int) float64 {
	if p.whole {
		return float64(p.tokens) - a.rest(p)
	}
	gaps := 0.0
	if p.count > 0 || !p.drops {
		gaps--
	}
	if i > p.begin && !a.kept[i-1] {
		gaps++
	}
	if i+1 < p.begin+p.pieces && !a.kept[i+1] {
		gaps++
	}
	return a.pieces[i].size + float64(gaps*a.gap)
}

// above returns the piece without which piece i makes no sense and which is not
// kept yet; -1 without.
func (a *allocation) above(i int) int {
	if up := a.pieces[i].under; up != squeeze.None && !a.kept[up] {
		return int(up)
	}
	return -1
}

// gain is the value and the cost of a piece with those above it.
func (a *allocation) gain(i int) (value, cost float64) {
	p := &a.excerpts[a.pieces[i].of]
	value, cost = a.value(i), a.cost(p, i)
	for up := a.above(i); up >= 0; up = a.above(up) {
		value += a.value(up)
		cost += a.pieces[up].size + a.gap
	}
	return value, cost
}

func (a *allocation) density(i int) float64 {
	value, cost := a.gain(i)
	return density(value, cost)
}

// density is value for each token; what costs nothing is the densest.
func density(value, cost float64) float64 {
	if cost <= 0 {
		return math.MaxFloat64
	}
	return value / cost
}

// looked is how many pieces of a unit, the densest, say whether it is worth having.
const looked = 24

// gain is what taking something adds.
type gain struct{ value, cost float64 }

// entry is the best value for each token at which a unit can come in: with what is
// fixed in it and the best of its pieces.
func (a *allocation) entry(u *share) float64 {
	sum := gain{cost: a.least(u)}
	for _, f := range u.facts {
		sum.value += a.marginal[f]
	}
	best := a.best[:0]
	for k := u.from; k < u.to; k++ {
		p := &a.excerpts[k]
		for i := p.begin; i < p.begin+p.pieces; i++ {
			g := gain{a.value(i), a.cost(p, i)}
			at, end := 0, len(best)
			for at < end {
				mid := (at + end) / 2
				if x := best[mid]; float64(x.value*g.cost) >= float64(g.value*x.cost) {
					at = mid + 1
				} else {
					end = mid
				}
			}
			if at < looked {
				best = slices.Insert(best[:min(len(best), looked-1)], at, g)
			}
		}
	}
	top := density(sum.value, max(sum.cost, 1))
	for _, g := range best {
		sum = gain{sum.value + g.value, sum.cost + g.cost}
		now := density(sum.value, max(sum.cost, 1))
		if now < top {
			break
		}
		top = now
	}
	return top
}
