package retain

import "condense/transcript"

// A Recall measures how many of the facts that were needed after a cut are left in a condensed
// conversation. It is an approximation: the continuation is that of a model that saw everything, and a
// model may overlook a fact that is present.
type Recall struct {
	Needed int       // number of needed facts
	Over   bool      // set by the caller if the condensed part is over the target, and so could keep more than others
	All    FactCount // of all needed facts
	Far    FactCount // of the needed facts that the newest quarter of the tokens does not name
}

// Needed returns the number of facts from before the cut that were needed after it.
func (c *Cut) Needed() int { return len(c.needed) }

// Recall measures how many of the needed facts are left in after, the condensed form of c.Before.
func (c *Cut) Recall(after *transcript.Conversation) Recall {
	now := readAfter(c.Before, after)
	table := readBefore(c.Before, now)
	r := Recall{Needed: len(c.needed)}
	for _, n := range c.needed {
		id, _ := table.ids.Find(n.key) // every needed fact was named before
		one := table.share(id, n.weight, now)
		r.All.add(one)
		if n.far {
			r.Far.add(one)
		}
	}
	return r
}

// A Recalled is the mean over cuts. Each cut counts the same, whatever the number of its needed facts.
type Recalled struct {
	Cuts, Needed   int     // number of cuts; sum of their needed facts
	Bound, Present float64 // shares of the weight, 0 to 1
	Over           int     // cuts over the target
	Within         float64 // Bound, with the cuts over the target counted as 0
	FarCuts        int     // cuts with needed facts from far before
	Far            float64 // bound share of those; 0 when FarCuts is 0
}

// Mean returns the mean over all; the zero Recalled for none.
func Mean(all []Recall) (m Recalled) {
	for _, r := range all {
		m.Cuts++
		m.Needed += r.Needed
		m.Bound += r.All.Bound()
		if r.Over {
			m.Over++
		} else {
			m.Within += r.All.Bound()
		}
		m.Present += r.All.Present()
		if r.Far.Facts > 0 {
			m.FarCuts++
			m.Far += r.Far.Bound()
		}
	}
	if m.Cuts > 0 {
		m.Bound /= float64(m.Cuts)
		m.Present /= float64(m.Cuts)
		m.Within /= float64(m.Cuts)
	}
	if m.FarCuts > 0 {
		m.Far /= float64(m.FarCuts)
	}
	return m
}
