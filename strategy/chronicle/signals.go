package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript/lazyregexp"
)

// This file sets parts of the budget aside for errors, and for options that the user chose.

// signals keeps the pieces of results that report an error, the newest result first. In the first pass, each
// result gets at most half of what is left, since one may hold hundreds of diagnostics.
func (c *choice) signals(left float64) {
	for _, part := range []float64{0.5, 1} {
		for k := len(c.texts) - 1; k >= 0; k-- {
			if t := &c.texts[k]; t.form == result {
				left -= c.keepErrors(t, float64(left*part))
			}
		}
	}
}

// keepErrors keeps the pieces of a result that report an error, for no more than left tokens, and returns their
// cost.
func (c *choice) keepErrors(t *text, left float64) (spent float64) {
	for _, i := range c.errorsOf(t) {
		cost, _ := c.takeItem(i, left-spent)
		spent += cost
	}
	return spent
}

// errorsOf returns the items of the pieces of a result that report an error. That of the last error of a log comes
// first: it often says why a command failed in the end, and the record has the first one. Of pieces that differ only in
// numbers and say that the command tries again, it returns one.
func (c *choice) errorsOf(t *text) (items []int) {
	seen := map[uint64]bool{}
	for i := t.begin + len(t.starts); i < t.end; i++ {
		n := int(c.items.at(i).n)
		if t.cut.Pieces[n].Cue < 1 || c.items.at(i).size > signalLimit {
			continue
		}
		line := t.source(n, n+1)
		if shape, ok := squeeze.Shape(line); ok && retries.MatchString(line) {
			if seen[shape] {
				continue
			}
			seen[shape] = true
		}
		items = append(items, i)
	}
	if n := len(items); n > 1 && t.cut.Kind == squeeze.Log {
		return append(items[n-1:n:n], items[:n-1]...)
	}
	return items
}

// retries matches a line that says that a command tries again.
var retries = lazyregexp.New(`(?i)\bretry`)

// optionItem matches the beginning of an option in a list.
var optionItem = lazyregexp.New(`\A\s*(?:[-*#]+ )?(?:\*\*)?(?:Option )?([1-9A-E])(?:[.):]|\*\*)`)

// options keeps the chosen options of the lists in closing answers, the newest first.
func (c *choice) options(left float64) {
	for k := len(c.texts) - 1; k >= 0; k-- {
		t := &c.texts[k]
		chosen := c.chosen[int(t.msg)]
		if !t.closing || chosen == "" {
			continue
		}
		for i := range t.cut.Pieces {
			m := optionItem.FindStringSubmatch(t.source(i, i+1))
			if m == nil || !strings.Contains(chosen, m[1]) {
				continue
			}
			if at, ok := c.itemOf(t, i, i+1); ok {
				spent, _ := c.takeItem(at, left)
				left -= spent
			}
		}
	}
}
