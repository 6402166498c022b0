package strategy

import (
	"slices"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
)

// The values and costs of pieces and units of an [allocation].

// again is the share of its value that a second mention of a fact has: it may connect
// the fact with something else.
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

// value returns what keeping a piece adds.
func (a *allocation) value(i int) float64 { return a.values.Add(a.pieces[i].extra, a.mentions(i)) }

// rest returns the cost of an excerpt of which nothing is kept.
func (a *allocation) rest(p *excerpt) float64 {
	if p.drops {
		return 0
	}
	return min(a.gap, float64(p.tokens))
}

// least returns the cost of a unit of which nothing optional is kept.
func (a *allocation) least(u *candidate) float64 {
	tokens := u.tokens
	for j := u.from; j < u.to; j++ {
		tokens += a.rest(&a.excerpts[j])
	}
	return tokens
}

// cost returns the tokens that keeping a piece adds, with the change in markers.
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

// above returns the piece that another needs, if it is not kept yet.
func (a *allocation) above(item int32) (up int32, ok bool) {
	if item < 0 {
		return 0, false
	}
	up = a.pieces[item].under
	return up, up != squeeze.None && !a.kept[up]
}

// gain returns the value and the cost of a piece with those that it needs.
func (a *allocation) gain(i int) (value, cost float64) {
	p := &a.excerpts[a.pieces[i].of]
	value, cost = a.value(i), a.cost(p, i)
	for up, ok := a.above(int32(i)); ok; up, ok = a.above(up) {
		value += a.value(int(up))
		cost += a.pieces[up].size + a.gap
	}
	return value, cost
}

// looked is the number of a unit's pieces, densest first, that decide whether it is
// worth its cost.
const looked = 24

// gain is the value and the cost of an item.
type gain struct{ value, cost float64 }

// entry returns the best density with which a unit can be taken: with what is fixed in
// it and the best of its pieces. cost is the tokens without these.
func (a *allocation) entry(u *candidate) (density, cost float64) {
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

// Shares of the budget that are reserved, at most, for things that may be needed though
// nothing later mentions them: constraints and the beginning of instructions that are
// too long to stay, closing answers, and failures. A quarter more for constraints would
// cost one in a hundred of the facts that are needed again.
const (
	framingPart  = 0.25
	answersShare = 0.25 // closing answers of turns
	signalsShare = 0.25 // messages of errors, failed tests, failed rows
)

// Limits for what is reserved.
const (
	answerPart  = 0.5 // of what is left for answers, at most this share goes to one
	signalLimit = 200 // tokens of a failure with all the pieces that it needs, at most
)

// reserve takes constraints, then instructions from the first on, then answers and
// failures from the newest on, within their shares.
func (a *allocation) reserve() {
	framing := float64(a.Left * framingPart)
	framing -= a.constraints(framing)
	a.instructions(framing)
	a.newest(answersShare, a.wholeAnswer)
	a.newest(signalsShare, a.signalsOf)
}

// constraints takes the sentences with constraints in instructions and in texts of
// clients, in order, as long as they fit. A prohibition holds though nothing later
// mentions it.
func (a *allocation) constraints(left float64) (spent float64) {
	for k := range a.units {
		for j := a.units[k].from; j < a.units[k].to; j++ {
			p := &a.excerpts[j]
			for _, i := range p.constraints {
				if a.kept[p.begin+int(i)] {
					continue
				}
				_, cost := a.gain(p.begin + int(i))
				if all := cost + a.entrance(k); all <= left-spent {
					a.admit(k)
					a.Take(int32(p.begin)+i, cost)
					spent += all
				}
			}
		}
	}
	return spent
}

// instructions takes the pieces of instructions in order.
func (a *allocation) instructions(left float64) {
	for k := range a.units {
		for j := a.units[k].from; j < a.units[k].to; j++ {
			p := &a.excerpts[j]
			for i := p.begin; p.frames && i < p.begin+p.pieces; i++ {
				if a.kept[i] {
					continue
				}
				_, cost := a.gain(i)
				if cost > left {
					return
				}
				left -= cost
				a.Take(int32(i), cost)
			}
		}
	}
}

// newest calls take for excerpts from the newest on, with the tokens that it may spend.
// take returns those that it spent.
func (a *allocation) newest(share float64, take func(k int, p *excerpt, left float64) float64) {
	left := float64(a.Left * share)
	for k := len(a.units) - 1; k >= 0; k-- {
		for j := a.units[k].from; j < a.units[k].to && left > 0; j++ {
			left -= take(k, &a.excerpts[j], min(left, a.Left))
		}
	}
}

// wholeAnswer takes an answer from the first piece to the last.
func (a *allocation) wholeAnswer(k int, p *excerpt, left float64) float64 {
	cost := a.entrance(k) + float64(p.tokens)
	if !p.answer || cost > float64(left*answerPart) {
		return 0
	}
	a.admit(k)
	for i := p.begin; i < p.begin+p.pieces; i++ {
		if !a.kept[i] {
			a.Take(int32(i), a.cost(p, i))
		}
	}
	return cost
}

// signalsOf takes the pieces of a result that report failures, each text once.
func (a *allocation) signalsOf(k int, p *excerpt, left float64) (spent float64) {
	if !p.signals || p.whole {
		return 0
	}
	for i := p.begin; i < p.begin+p.pieces; i++ {
		if pc := &p.cut.Pieces[i-p.begin]; pc.Cue < 1 || pc.Like != squeeze.None || a.kept[i] {
			continue
		}
		_, cost := a.gain(i)
		if all := cost + a.entrance(k); all <= min(left-spent, signalLimit) {
			a.admit(k)
			a.Take(int32(i), cost)
			spent += all
		}
	}
	return spent
}

// entrance returns the cost of taking a unit; 0 when it was taken.
func (a *allocation) entrance(k int) float64 {
	if a.units[k].in {
		return 0
	}
	return a.least(&a.units[k])
}
