package strategy

import (
	"slices"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
)

// What pieces and units of an [allocation] are worth, and what they cost.

// again is what is left of the worth of a fact that is kept once already: the
// second place may bind it to something else.
const again = 0.2

// price returns what taking a piece or a unit would add now.
func (a *allocation) price(item int32) (density, cost float64, ok bool) {
	if item < 0 {
		u := &a.units[^item]
		if u.in {
			return 0, 0, false
		}
		density, cost = a.entry(u)
		return density, cost, true
	}
	if i := int(item); !a.kept[i] && a.units[a.excerpts[a.pieces[i].of].unit].in {
		value, cost := a.gain(i)
		return allocate.Density(value, cost), cost, true
	}
	return 0, 0, false
}

// value is what keeping a piece adds.
func (a *allocation) value(i int) float64 { return a.values.Add(a.pieces[i].extra, a.mentions(i)) }

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

// above returns the piece without which another makes no sense and which is not
// kept yet.
func (a *allocation) above(item int32) (up int32, ok bool) {
	if item < 0 {
		return 0, false
	}
	up = a.pieces[item].under
	return up, up != squeeze.None && !a.kept[up]
}

// gain is the value and the cost of a piece with those above it.
func (a *allocation) gain(i int) (value, cost float64) {
	p := &a.excerpts[a.pieces[i].of]
	value, cost = a.value(i), a.cost(p, i)
	for up, ok := a.above(int32(i)); ok; up, ok = a.above(up) {
		value += a.value(int(up))
		cost += a.pieces[up].size + a.gap
	}
	return value, cost
}

// looked is how many pieces of a unit, the densest, say whether it is worth having.
const looked = 24

// gain is what taking something adds.
type gain struct{ value, cost float64 }

// entry is the best value for each token at which a unit can come in: with what is
// fixed in it and the best of its pieces. cost is the tokens without these.
func (a *allocation) entry(u *share) (density, cost float64) {
	cost = a.least(u)
	sum := gain{a.values.Add(0, u.facts), cost}
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
	density = allocate.Density(sum.value, max(sum.cost, 1))
	for _, g := range best {
		sum = gain{sum.value + g.value, sum.cost + g.cost}
		now := allocate.Density(sum.value, max(sum.cost, 1))
		if now < density {
			break
		}
		density = now
	}
	return density, cost
}
