package chronicle

import "strings"

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
