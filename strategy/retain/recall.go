package retain

import "condense/transcript"

// Recall is how much of what was needed after a cut a condensed conversation still
// holds. It is measured inside one file: the continuation is that of a model that
// saw everything, and being there to be read is not being remembered.
type Recall struct {
	Needed int   // facts
	Over   bool  // set by who condensed: what is left is over the target, so that it had more room than others
	All    Share // of them
	Far    Share // of those that the newest quarter of the tokens does not name
}

// Needed is how many facts from before the cut were needed after it.
func (c *Cut) Needed() int { return len(c.needed) }

// Recall asks after what was needed in after, which is what became of c.Before.
func (c *Cut) Recall(after *transcript.Conversation) Recall {
	said := hear(c.Before, after)
	asked := ask(c.Before, said)
	r := Recall{Needed: len(c.needed)}
	for _, n := range c.needed {
		id, _ := asked.ids.Find(n.key) // what was needed was named before
		one := asked.share(&asked.facts[id], n.weight, said)
		r.All.add(one)
		if n.far {
			r.Far.add(one)
		}
	}
	return r
}

// Recalled is the mean over cuts: each cut counts the same, however many facts were
// needed after it.
type Recalled struct {
	Cuts, Needed   int     // cuts, and facts over all of them
	Bound, Present float64 // shares of the weight, 0 to 1
	Over           int     // cuts over the target
	Within         float64 // Bound, with the cuts over the target counted as 0
	FarCuts        int     // cuts after which something from far before was needed
	Far            float64 // bound share of that; 0 when FarCuts is
}

// Mean is the mean of what was recalled at each cut.
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
