package digest

import (
	"math"
	"strings"

	"condense/strategy/allocate"
)

// Shares of the budget that are set aside before the rest competes: for what the
// model said at the end of each turn, for what went wrong, and for rules. Open tasks
// always stand.
const (
	closingShare = 0.25 // all answers of a session of many turns, where they fit
	faultShare   = 0.25 // all failed rows of a table, where they fit
	rulesShare   = 0.05
)

// choice takes the lines with the most value for their tokens, one after the other
// (lazy greedy). The value of a line is marginal: a fact that is there counts little.
type choice struct {
	c     *collection
	held  []int8
	frame [sections]float64 // tokens that a section takes to be there
	taken [sections]int     // lines in it
	texts map[string]bool   // lines that are there
	left  float64           // tokens, estimated
	trail []int32           // what was taken, in order
	queue allocate.Queue
}

func newChoice(c *collection) *choice {
	h := &choice{c: c, held: c.held, texts: map[string]bool{}}
	for _, e := range c.entries {
		e.size = len(e.head())
	}
	for s := range sections {
		h.frame[s] = float64(c.s.Tokens("\n" + s.heading(c.s.State) + "\n" + s.closing(c.s.State)))
	}
	return h
}

// land fills the budget: by estimate first, then by counting what is written.
func (h *choice) land() string {
	frame := h.c.s.Tokens(h.write())
	h.left = float64(h.c.s.Budget - frame)
	h.rules(h.left * rulesShare)
	h.newest(h.left*closingShare, func(p *piece) bool { return p.close })
	h.newest(h.left*faultShare, func(p *piece) bool { return p.fault })
	h.fill()
	text := h.write()
	for range 8 {
		over := h.c.s.Tokens(text) - h.c.s.Budget
		if over <= 0 && (-over <= max(h.c.s.Budget/100, 8) || len(h.queue) == 0) {
			break
		}
		if over > 0 {
			h.giveBack(float64(over))
		} else {
			h.left = float64(-over)
			h.fill()
		}
		text = h.write()
	}
	for h.c.s.Tokens(text) > h.c.s.Budget && len(h.trail) > 0 {
		h.giveBack(1)
		text = h.write()
	}
	if len(h.trail) == 0 && len(h.c.open) == 0 || h.c.s.Tokens(text) > h.c.s.Budget {
		return ""
	}
	return text
}

// rules takes what is demanded, the newest last.
func (h *choice) rules(share float64) {
	for i := range h.c.pieces {
		p := &h.c.pieces[i]
		if h.c.entries[p.entry].section == rules && !h.texts[p.text] && h.price(i) <= share {
			share -= h.price(i)
			h.take(i)
		}
	}
}

// newest takes the lines of a kind, from the newest entry on, the first of each
// first, until the share is spent.
func (h *choice) newest(share float64, kind func(*piece) bool) {
	for k := len(h.c.entries) - 1; k >= 0; k-- {
		for _, i := range h.c.entries[k].pieces {
			p := &h.c.pieces[i]
			if kind(p) && !p.kept && !h.texts[p.text] {
				if share -= h.price(int(i)); share < 0 {
					return
				}
				h.take(int(i))
			}
		}
	}
}

// closeth is the part of the budget that is not worth looking for lines that fit it.
const closeth = 200

// fill takes the densest lines until the budget is spent, or nearly, or none fits any more.
func (h *choice) fill() {
	h.queue = h.queue[:0]
	for i := range h.c.pieces {
		p := &h.c.pieces[i]
		if p.kept || h.c.entries[p.entry].section == rules {
			continue
		}
		if price := h.price(i); price <= h.left {
			h.queue = append(h.queue, allocate.Item{Density: h.density(i, price), ID: ^int32(i)}) // of equals, the first
		}
	}
	h.queue.Order()
	for len(h.queue) > 0 && h.left > float64(h.c.s.Budget)/closeth {
		top := h.queue[0]
		i := int(^top.ID)
		price := h.price(i)
		if price > h.left {
			h.queue.Pop()
			continue
		}
		switch now := h.density(i, price); {
		case now <= 0:
			h.queue.Pop()
		case now < top.Density:
			h.queue.Lower(now)
		default:
			h.queue.Pop()
			if !h.texts[h.c.pieces[i].text] {
				h.take(i)
			}
		}
	}
}

// density is value for each token of a price.
func (h *choice) density(i int, price float64) float64 {
	p := &h.c.pieces[i]
	value := p.extra
	for _, f := range p.facts {
		switch h.held[f] {
		case 0:
			value += h.c.s.Values[f]
		case 1:
			value += float64(h.c.s.Second * h.c.s.Values[f])
		}
	}
	return value / price
}

// price is the tokens that a line adds, with those of the head where it is not there yet.
func (h *choice) price(i int) float64 {
	p := &h.c.pieces[i]
	e := h.c.entries[p.entry]
	price := max(p.cost, 1)
	if !e.in && e.headed() {
		price += float64(float64(e.size+1) * p.cost / float64(len(p.text)+2))
	}
	if h.taken[e.section] == 0 {
		price += h.frame[e.section]
	}
	return price
}

func (h *choice) take(i int) {
	p := &h.c.pieces[i]
	h.left -= h.price(i)
	p.kept, h.texts[p.text] = true, true
	e := h.c.entries[p.entry]
	e.in = true
	h.taken[e.section]++
	for _, f := range p.facts {
		h.held[f] = min(h.held[f]+1, math.MaxInt8)
	}
	h.trail = append(h.trail, int32(i))
}

// giveBack leaves out what was taken last, as many tokens of it.
func (h *choice) giveBack(tokens float64) {
	for tokens > 0 && len(h.trail) > 0 {
		i := h.trail[len(h.trail)-1]
		h.trail = h.trail[:len(h.trail)-1]
		p := &h.c.pieces[i]
		p.kept = false
		delete(h.texts, p.text)
		for _, f := range p.facts {
			h.held[f]--
		}
		tokens -= p.cost
		e := h.c.entries[p.entry]
		h.taken[e.section]--
		e.in = false
		for _, k := range e.pieces {
			e.in = e.in || h.c.pieces[k].kept
		}
	}
}

// write returns the digest with what is taken.
func (h *choice) write() string {
	var out strings.Builder
	if h.c.s.State {
		out.WriteString(openingState)
	} else {
		out.WriteString(opening)
		out.WriteString("\nIndented lines are quotations; what stood between them is left out.")
	}
	for s := range sections {
		h.section(&out, s)
	}
	if h.c.s.State {
		out.WriteString("\n</state_snapshot>")
	}
	return out.String()
}

func (h *choice) section(out *strings.Builder, s section) {
	begun := false
	line := func(text string) {
		if !begun {
			out.WriteString("\n" + s.heading(h.c.s.State))
			begun = true
		}
		out.WriteString("\n" + text)
	}
	if s == tasks {
		for _, item := range h.c.open {
			if h.c.s.State {
				item = strings.ReplaceAll(item, dataEnd, dataEndQuoted)
			}
			line(" " + strings.ReplaceAll(item, "\n", "\n "))
		}
	}
	for _, e := range h.c.entries {
		if e.section != s || !e.in {
			continue
		}
		if head := e.head(); head != "" {
			line(head)
		}
		last := int32(-1)
		for _, i := range e.pieces {
			p := &h.c.pieces[i]
			switch {
			case !p.kept:
				continue
			case p.joins && last == i-1:
				out.WriteString(p.gap + p.text)
			default:
				line(" " + p.text)
			}
			last = i
		}
	}
	if end := s.closing(h.c.s.State); begun && end != "" {
		out.WriteString("\n" + end)
	}
}
