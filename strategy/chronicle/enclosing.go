package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/squeeze"
)

// This file finds the lines that a record quotes so that a reader sees what its other lines belong to: the line around a
// line of code, and the heading of a section.

// enclosing follows the lines that a record quotes of a text.
type enclosing struct {
	t       *text
	last    int     // the last quoted piece, or squeeze.None
	heading int     // the last quoted heading, or squeeze.None
	level   int     // that of this heading
	ended   bool    // its section has ended
	code    []bool  // by piece: whether it is in a block of code; nil if the text is code
	depths  []int32 // by piece: the number of blanks in front of the code; -1 for a line without code
	parents []int32 // by piece: the last line before it with fewer blanks, or squeeze.None
	quoted  []int32 // the quoted lines that may enclose the next one, each deeper than the one before
}

// enclosingOf returns an enclosing for a result that is code or prose, and nil for another text.
func enclosingOf(t *text) *enclosing {
	if t.form != result || t.cut.Kind != squeeze.Code && !t.isProse() {
		return nil
	}
	e := &enclosing{t: t, last: squeeze.None, heading: squeeze.None}
	if t.isProse() {
		if e.code = t.codePieces(); e.code == nil {
			return e
		}
	}
	e.depths, e.parents = make([]int32, len(t.cut.Pieces)), make([]int32, len(t.cut.Pieces))
	var open []int32 // the lines that may enclose the next one
	for i := range e.depths {
		e.depths[i], e.parents[i] = depthOf(withoutNumber(t.source(i, i+1))), squeeze.None
		if e.code != nil && !e.code[i] { // prose ends all blocks
			e.depths[i], open = -1, open[:0]
		}
		if e.depths[i] < 0 {
			continue
		}
		for len(open) > 0 && e.depths[open[len(open)-1]] > e.depths[i] {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && e.depths[open[len(open)-1]] == e.depths[i] {
			if endsParameters(withoutNumber(t.source(i, i+1))) {
				e.parents[i] = open[len(open)-1]
				continue
			}
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			e.parents[i] = open[len(open)-1]
		}
		open = append(open, int32(i))
	}
	return e
}

// endsParameters reports whether a line ends a list of parameters, and opens the body of their function.
func endsParameters(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || !strings.HasSuffix(line, "{") && !strings.HasSuffix(line, ":") {
		return false
	}
	return line[0] == ')' || strings.HasPrefix(line, "})") || strings.HasPrefix(line, "}:")
}

// depthOf returns the number of blanks at the beginning of a line, or -1 for a blank line.
func depthOf(line string) int32 {
	if strings.TrimSpace(line) == "" {
		return -1
	}
	return int32(indentOf(line))
}

// add notes that the record quotes a piece.
func (e *enclosing) add(i int) {
	if e == nil {
		return
	}
	e.last = i
	switch {
	case e.t.isProse() && !e.parts(i):
		e.quoted = e.quoted[:0]
		if level := headingLevel(withoutNumber(e.t.source(i, i+1))); level > 0 {
			e.heading, e.level, e.ended = i, level, false
		}
		return
	case e.depths[i] < 0:
		return
	}
	begins := int32(e.opener(i))
	for n := len(e.quoted); n > 0 && e.depths[e.quoted[n-1]] >= e.depths[i]; n-- {
		if e.quoted[n-1] == begins {
			return
		}
		e.quoted = e.quoted[:n-1]
	}
	e.quoted = append(e.quoted, int32(i))
}

// parts reports whether a piece is in a block of code of a text that is none: a reader would take it for the next line
// of the one before.
func (e *enclosing) parts(i int) bool { return e != nil && e.code != nil && e.code[i] }

// missing returns the line to quote in front of a piece: the declaration around it if no quoted line seems to enclose it
// and it declares nothing, and a line around it if one does seem so that does not, or if the last quoted line of its depth
// stands in another block. It returns squeeze.None if there is none.
func (e *enclosing) missing(i int) int {
	if e == nil || e.depths == nil || e.depths[i] <= 0 {
		return squeeze.None
	}
	seems := squeeze.None // the last quoted line with fewer blanks
	for _, at := range slices.Backward(e.quoted) {
		switch {
		case at == e.parents[i]:
			return squeeze.None
		case e.depths[at] == e.depths[i] && e.parents[at] != e.parents[i] && speaks(e.t.source(i, i+1)): // not the end of a block
			return int(e.parents[i])
		case e.depths[at] < e.depths[i]:
			seems = e.opener(int(at))
		}
		if seems != squeeze.None {
			break
		}
	}
	for at := int(e.parents[i]); at != squeeze.None && at != seems; at = int(e.parents[at]) {
		if seems == squeeze.None && e.t.cut.Pieces[at].Cue >= leastDeclared && e.t.cut.Pieces[i].Cue < leastDeclared || seems != squeeze.None && e.depths[at] <= e.depths[seems] {
			return at
		}
	}
	return squeeze.None
}

// opener returns the line at which a line begins that ends a list of parameters, and otherwise the line itself.
func (e *enclosing) opener(i int) int {
	if at := e.parents[i]; at != squeeze.None && e.depths[at] == e.depths[i] {
		return int(at)
	}
	return i
}

// pass notes that the record has come to a piece, quoted or not.
func (e *enclosing) pass(i int) {
	if e == nil || e.heading == squeeze.None || e.ended || !e.t.isProse() {
		return
	}
	level := headingLevel(withoutNumber(e.t.source(i, i+1)))
	e.ended = level > 0 && level <= e.level && !e.parts(i)
}

// section returns the heading to quote in front of a piece of prose, because the piece would seem to stand under another
// one. It returns squeeze.None for other pieces.
func (e *enclosing) section(i int) int {
	if e == nil || !e.ended {
		return squeeze.None
	}
	return int(e.t.cut.Pieces[i].Under)
}

// enclose appends the lines that e misses in front of a piece to list, as a record quotes them. marked says that the
// record marks a gap in front of the piece.
func (w *writer) enclose(list []string, e *enclosing, i int, marked bool, outcome string) []string {
	if at := e.section(i); at != squeeze.None && at > e.last && !e.t.idle(at) {
		list = w.quote(list, e.t, at, outcome, false)
		e.add(at)
	}
	return w.encloseCode(list, e, i, marked, outcome)
}

// encloseCode is enclose for code. The line around a piece has its own around it.
func (w *writer) encloseCode(list []string, e *enclosing, i int, marked bool, outcome string) []string {
	at := e.missing(i)
	if at == squeeze.None || at <= e.last || e.t.idle(at) || e.t.isDead(at) { // the lines stay in order
		return list
	}
	list = w.encloseCode(list, e, at, marked, outcome)
	n := len(list)
	if list = w.quote(list, e.t, at, outcome, false); len(list) == n {
		return list
	}
	e.add(at)
	if marked && at+1 < i && strings.TrimSpace(e.t.source(at+1, i)) != "" {
		list = append(list, gapLine)
	}
	return list
}

// sayNothing reports whether a kept line of prose is only a rule between sections, or a heading under which no line is
// kept.
func (e *enclosing) sayNothing(i int) bool {
	t := e.t
	line := strings.TrimSpace(withoutNumber(t.source(i, i+1)))
	if e.parts(i) {
		return false
	}
	if len(line) >= 3 && strings.Trim(line, "-") == "" {
		return true
	}
	level := headingLevel(line)
	if level == 0 {
		return false
	}
	for k := i + 1; k < len(t.cut.Pieces); k++ {
		if t.kept[k] && !t.idle(k) && speaksOfGap(t.source(k, k+1)) {
			below := headingLevel(withoutNumber(t.source(k, k+1)))
			return below > 0 && below <= level && !e.parts(k)
		}
	}
	return true
}

// isDead reports whether a line of a result is no longer in its file.
func (t *text) isDead(i int) bool { return t.seldom != nil && t.seldom.dead != nil && t.seldom.dead[i] }
