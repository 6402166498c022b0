package strategy

import "condense/strategy/squeeze"

// Shares of the budget that are set aside, at most, for what nothing that follows
// may ever mention, before the rest competes: the constraints and the beginning of
// instructions that are too long to stay, and what says how things ended. A quarter
// more for constraints would cost one in a hundred of the facts that are needed again.
const (
	framingPart  = 0.25
	answersShare = 0.25 // what the model said at the end of each turn
	signalsShare = 0.25 // messages of errors, failed tests, failed rows
)

// Limits of what is worth setting aside for.
const (
	answerPart  = 0.5 // an answer takes no more than this part of what is left for answers
	signalLimit = 200 // tokens that a signal takes with all that has to come with it
)

// reserve takes constraints, then instructions from the first on, then answers and
// signals from the newest on, within their shares.
func (a *allocation) reserve() {
	framing := float64(a.Left * framingPart)
	framing -= a.constraints(framing)
	a.instructions(framing)
	a.newest(answersShare, a.wholeAnswer)
	a.newest(signalsShare, a.signalsOf)
}

// constraints takes the sentences of instructions, and of what clients put in, that
// say what must be or must not be, in order: all that fit. Nothing that follows may
// ever mention a prohibition, and it holds all the same.
func (a *allocation) constraints(left float64) (spent float64) {
	for k := range a.units {
		for j := a.units[k].from; j < a.units[k].to; j++ {
			p := &a.excerpts[j]
			for _, i := range p.demands {
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

// newest calls take for excerpts from the newest on, with the tokens that may
// still be spent; it gives those that it spent.
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

// signalsOf takes the pieces of a result that say what went wrong, each once.
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

// entrance is what it costs to have a unit there; 0 when it is.
func (a *allocation) entrance(k int) float64 {
	if a.units[k].in {
		return 0
	}
	return a.least(&a.units[k])
}
