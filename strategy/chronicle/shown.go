package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
)

// This file finds lines that calls or results have, too: of code in answers, and of diffs.

// shownShare is the share of the lines of a block of code from which on a text of the model only shows what tools
// returned or wrote.
const shownShare = 0.7

// leastShown is the number of lines from which on a block of code is examined for that.
const leastShown = 3

// markShown marks the blocks of code in text of the model that only show lines which calls or results have, too: a
// reader can see these again, but not what the model says about them.
func (d *draft) markShown() {
	seen := map[uint64]bool{} // by hash: whether a call or a result has a line of a block
	blocks := func(yield func(t *text, i int)) {
		for k := range d.texts {
			if t := &d.texts[k]; t.form == prose {
				for i := range t.cut.Pieces {
					if strings.HasPrefix(strings.TrimLeft(t.source(i, i+1), " \t\r\n"), "```") {
						yield(t, i)
					}
				}
			}
		}
	}
	blocks(func(t *text, i int) {
		eachCodeLine(t.source(i, i+1), func(hash uint64) { seen[hash] = false })
	})
	if len(seen) == 0 {
		return
	}
	for k := range d.texts {
		if t := &d.texts[k]; t.form == result || t.form == hunks {
			eachCodeLine(t.cut.Source, func(hash uint64) {
				if _, known := seen[hash]; known {
					seen[hash] = true
				}
			})
		}
	}
	blocks(func(t *text, i int) {
		lines, shown := 0, 0
		eachCodeLine(t.source(i, i+1), func(hash uint64) {
			if lines++; seen[hash] {
				shown++
			}
		})
		if lines < leastShown || float64(shown) < float64(shownShare*float64(lines)) {
			return
		}
		own := t.seldoms()
		if own.shown == nil {
			own.shown = make([]bool, len(t.cut.Pieces))
		}
		own.shown[i] = true
	})
}

// markOwn marks the lines of diffs that calls wrote, or removed: the others are changes that the model did not make, which
// a commit may have to leave out.
func (d *draft) markOwn() {
	var own map[uint64]bool // by hash: the lines that calls wrote or removed
	for k := range d.texts {
		t := &d.texts[k]
		if t.form != result || t.cut.Kind != squeeze.Diff {
			continue
		}
		if own == nil {
			own = d.changedLines()
		}
		shown, any := make([]bool, len(t.cut.Pieces)), false
		for i := range shown {
			if line := t.source(i, i+1); isChange(line) {
				eachCodeLine(line[1:], func(hash uint64) { shown[i] = own[hash] })
				any = any || shown[i]
			}
		}
		if any {
			t.seldoms().shown = shown
		}
	}
}

// isForeign reports whether a line of a diff is a change that no call made, or names a file.
func (t *text) isForeign(i int) bool {
	if t.form != result || t.seldom == nil || t.seldom.shown == nil || t.seldom.shown[i] {
		return false
	}
	line := t.source(i, i+1)
	return isChange(line) || strings.HasPrefix(line, "diff --git ")
}

// changedLines returns the hashes of the lines that calls wrote to files, or removed from them.
func (d *draft) changedLines() map[uint64]bool {
	own := map[uint64]bool{}
	for k := range d.texts {
		if t := &d.texts[k]; t.form == hunks && (t.file || t.sign == removed) {
			patch := isPatch(t.cut.Source)
			for line := range strings.Lines(t.cut.Source) {
				if patch && isChange(line) {
					line = line[1:]
				}
				eachCodeLine(line, func(hash uint64) { own[hash] = true })
			}
		}
	}
	return own
}

// eachCodeLine calls yield with the hash of each line of a text, without its number and the blanks around it. It skips
// short lines.
func eachCodeLine(source string, yield func(hash uint64)) {
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(withoutNumber(line))
		if len(line) < leastDraft {
			continue
		}
		yield(squeeze.Hash(line))
	}
}

// isShown reports whether most of the pieces in [from, to), or of the changes in them, is code that markShown or markOwn
// marked.
func (t *text) isShown(from, to int) bool {
	if t.seldom == nil || t.seldom.shown == nil {
		return false
	}
	shown, all := int32(0), int32(0)
	for i := from; i < to; i++ {
		size := t.cut.Pieces[i].End - t.cut.Pieces[i].Start
		if t.form == result && !isChange(t.source(i, i+1)) { // what is around a change
			continue
		}
		if all += size; t.seldom.shown[i] {
			shown += size
		}
	}
	return 2*shown > all
}
