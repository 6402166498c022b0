package allocate

import "math"

// A Marginal holds the values of things that items mention, such as the facts in a text. The first kept
// mention of a thing has the full value. The second has a share of it, because it may show the thing in
// another context. Further mentions have no value. ID is the index of a thing. The zero Marginal has no
// things.
type Marginal[ID ~int32] struct {
	full   []float64
	second float64 // share of a second mention
	held   []int32 // number of kept mentions
}

// NewMarginal returns a Marginal without kept mentions. The slice full holds the values of the things,
// rounded by [Exact]. A second mention has the share second of them, from 0 to 1.
func NewMarginal[ID ~int32](full []float64, second float64) *Marginal[ID] {
	return &Marginal[ID]{full, second, make([]int32, len(full))}
}

// Keep counts one more mention of each thing that is kept.
func (m *Marginal[ID]) Keep(mentioned []ID) { m.count(mentioned, 1) }

// Drop counts one mention less.
func (m *Marginal[ID]) Drop(mentioned []ID) { m.count(mentioned, -1) }

// count adds step to the mentions of each thing.
func (m *Marginal[ID]) count(mentioned []ID, step int32) {
	for _, id := range mentioned {
		m.held[id] += step
	}
}

// Add adds to value, one by one, the values of another mention of each thing. The slice mentioned holds
// each thing once.
func (m *Marginal[ID]) Add(value float64, mentioned []ID) float64 {
	for _, id := range mentioned {
		switch m.held[id] {
		case 0:
			value += m.full[id]
		case 1:
			value += float64(m.second * m.full[id])
		}
	}
	return value
}

// Density returns value per token. Without a cost, the density is the largest possible one.
func Density(value, cost float64) float64 {
	if cost <= 0 {
		return math.MaxFloat64
	}
	return value / cost
}

// Exact rounds a value to a multiple of 2⁻³⁰, so that sums of values are the same in any
// order, and products the same on any machine.
func Exact(value float64) float64 { return math.Round(value*(1<<30)) / (1 << 30) }
