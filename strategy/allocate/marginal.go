package allocate

import (
	"math"
	"slices"
)

// A Marginal holds the values of things that items mention, such as the facts in
// a text. The first mention that is kept has the full value; the second has a share
// of it, because it may set the thing into another context; any more have none. ID is
// the index of a thing. The zero Marginal has no things.
type Marginal[ID ~int32] struct {
	full   []float64
	second float64 // share
	held   []int32 // mentions that are kept
	now    []float64
}

// NewMarginal returns the values of things of which nothing is kept. full are their
// values, rounded by [Exact]; second is the share of it, 0 to 1, that a second mention has.
func NewMarginal[ID ~int32](full []float64, second float64) *Marginal[ID] {
	return &Marginal[ID]{full, second, make([]int32, len(full)), slices.Clone(full)}
}

// Keep counts one more mention of each thing that is kept.
func (m *Marginal[ID]) Keep(mentioned []ID) { m.count(mentioned, 1) }

// Drop counts one mention less.
func (m *Marginal[ID]) Drop(mentioned []ID) { m.count(mentioned, -1) }

func (m *Marginal[ID]) count(mentioned []ID, step int32) {
	for _, id := range mentioned {
		m.held[id] += step
		switch m.held[id] {
		case 0:
			m.now[id] = m.full[id]
		case 1:
			m.now[id] = float64(m.second * m.full[id])
		default:
			m.now[id] = 0
		}
	}
}

// Add returns a value and, added to it one by one, what another mention of each
// thing is worth now. mentioned holds each thing once.
func (m *Marginal[ID]) Add(value float64, mentioned []ID) float64 {
	for _, id := range mentioned {
		value += m.now[id]
	}
	return value
}

// Density returns a value per token of a cost. What costs nothing is the densest.
func Density(value, cost float64) float64 {
	if cost <= 0 {
		return math.MaxFloat64
	}
	return value / cost
}

// Exact rounds a value to a multiple of 2⁻³⁰, so that sums of values are the same in any
// order, and products the same on any machine.
func Exact(value float64) float64 { return math.Round(value*(1<<30)) / (1 << 30) }
