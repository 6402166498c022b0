package chronicle

import (
	"cmp"
	"slices"
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

// listItem matches the beginning of an item of a list.
var listItem = lazyregexp.New(`\A\s*(?:[-*+•] |\d{1,2}[.)] )`)

// options keeps the chosen options of the lists in closing answers, the newest first, for no more than left tokens. If
// the last request agrees to all options of the answer before it, they are the request: it keeps those for no more than
// all tokens, the shortest first.
func (c *choice) options(left, all float64) {
	for k := len(c.texts) - 1; k >= 0; k-- {
		t := &c.texts[k]
		chosen := c.chosen[int(t.msg)]
		switch {
		case !t.closing || chosen == "":
		case chosen != everyOption:
			left -= c.keepOptions(t, chosen, left)
		case int(c.turns[t.msg]) == c.lastTurn-1:
			c.keepOptions(t, chosen, all)
		}
	}
}

// keepOptions keeps the chosen options of a text, the shortest first, for no more than left tokens, and returns their
// cost.
func (c *choice) keepOptions(t *text, chosen string, left float64) (spent float64) {
	var items []int
	for i := range t.cut.Pieces {
		if at, ok := c.itemOf(t, i, i+1); ok && isChosen(t.source(i, i+1), chosen) {
			items = append(items, at)
		}
	}
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(c.items.at(a).size, c.items.at(b).size) })
	for _, at := range items {
		cost, _ := c.takeItem(at, left-spent)
		spent += cost
	}
	return spent
}

// isChosen reports whether a piece begins one of the options, or is a heading of all.
func isChosen(piece, options string) bool {
	if options == everyOption {
		return listItem.MatchString(piece) || isHeading(piece)
	}
	m := optionItem.FindStringSubmatch(piece)
	return m != nil && strings.Contains(options, m[1])
}
