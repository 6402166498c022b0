package chronicle

import (
	"strings"

	"condense/strategy/squeeze"
)

// This file finds the code that the model drafted in its thinking. The last draft is what the next step will write; an
// earlier one, and one that was written, says nothing more.

// markDrafts marks the lines of code in thinking, and as repeated those that a later text has again: the same
// lines, and a declaration of the same name.
func (d *draft) markDrafts() {
	later := drafted{map[string]bool{}, map[string]bool{}}
	any := false
	for k := range d.texts {
		if t := &d.texts[k]; t.form == thought {
			any = t.markCode() || any
		}
	}
	if !any {
		return
	}
	newest := -1 // position of the newest change
	for call := range d.changed {
		newest = max(newest, d.Conv.Position(call.Msg))
	}
	for k := len(d.texts) - 1; k >= 0; k-- {
		switch t := &d.texts[k]; {
		case t.form == hunks && t.file:
			for i := range t.cut.Pieces {
				later.add(t.source(i, i+1))
			}
		case t.form == thought && t.drafts() != nil:
			later.mark(t)
			t.seldom.pending = t.last && d.Conv.Position(int(t.msg)) > newest
		}
	}
}

// markCode marks the lines of code in a thought. It reports whether there are any.
func (t *text) markCode() bool {
	code := t.codePieces()
	if code != nil {
		t.seldoms().drafts = code
	}
	return code != nil
}

// codePieces returns by piece whether it is a line in a block of code, or nil for a text without a fence.
func (t *text) codePieces() []bool {
	if !strings.Contains(t.cut.Source, "```") && !strings.Contains(t.cut.Source, "~~~") {
		return nil
	}
	code := make([]bool, len(t.cut.Pieces))
	inside := ""
	for i := range code {
		for line := range strings.Lines(t.source(i, i+1)) {
			switch line = strings.TrimSpace(withoutNumber(line)); {
			case inside == "" && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")):
				inside = line[:3]
			case inside != "" && strings.HasPrefix(line, inside) && strings.Trim(line, inside[:1]) == "":
				inside = ""
			default:
				code[i] = code[i] || inside != "" && line != ""
			}
		}
	}
	return code
}

// isExcerpt reports whether a piece is a line of code in the answer of another model.
func (t *text) isExcerpt(i int) bool { return t.form == result && t.drafts() != nil && t.drafts()[i] }

// isPending reports whether a piece is code that the model has drafted, and not yet written.
func (t *text) isPending(i int) bool {
	return t.seldom != nil && t.seldom.pending && t.seldom.drafts[i]
}

// drafts returns by piece whether it is code in a thought; nil for other texts.
func (t *text) drafts() []bool {
	if t.seldom == nil {
		return nil
	}
	return t.seldom.drafts
}

// drafted holds lines of code, and the names that they declare.
type drafted struct{ lines, names map[string]bool }

// leastDraft is the least length in bytes of equal lines that are no coincidence.
const leastDraft = 12

// add adds the lines of a text.
func (a *drafted) add(source string) {
	for line := range strings.Lines(source) {
		if m := declaration.FindStringSubmatch(line); m != nil {
			a.names[m[1]] = true
		}
		if line = strings.TrimSpace(line); len(line) >= leastDraft {
			a.lines[line] = true
		}
	}
}

// mark marks the code of a thought that is in a, and then adds it.
func (a *drafted) mark(t *text) {
	code := t.drafts()
	for g := len(t.starts) - 1; g >= 0; g-- {
		first, end := t.starts[g], t.groupEnd(g)
		if !code[first] {
			continue
		}
		m := declaration.FindStringSubmatch(withoutFence(t.source(first, first+1)))
		again := m != nil && a.names[m[1]]
		for i := first; i < end; i++ {
			if again || a.lines[strings.TrimSpace(withoutFence(t.source(i, i+1)))] {
				t.repeat(i)
			}
		}
		a.add(withoutFence(t.source(first, end)))
	}
}

// withoutFence returns a text without the line that begins a block of code.
func withoutFence(source string) string {
	if bare := strings.TrimLeft(source, " \t\r\n"); strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
		_, source, _ = strings.Cut(bare, "\n")
	}
	return source
}

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
		hash := squeeze.HashStart
		for i := range len(line) {
			hash = squeeze.HashByte(hash, line[i])
		}
		yield(hash)
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
