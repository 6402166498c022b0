package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/squeeze"
)

// This file finds the lines of code that a record quotes so that a reader sees what block its other lines belong to.

// enclosing follows the lines that a record quotes of a text of code.
type enclosing struct {
	t       *text
	depths  []int32 // by piece: the number of blanks in front of the code; -1 for a blank line
	parents []int32 // by piece: the last line before it with fewer blanks, or squeeze.None
	quoted  []int32 // the quoted lines that may enclose the next one, each deeper than the one before
}

// enclosingOf returns an enclosing for a result that holds code, and nil for another text.
func enclosingOf(t *text) *enclosing {
	if t.form != result || t.cut.Kind != squeeze.Code {
		return nil
	}
	e := &enclosing{t: t, depths: make([]int32, len(t.cut.Pieces)), parents: make([]int32, len(t.cut.Pieces))}
	var open []int32 // the lines that may enclose the next one
	for i := range e.depths {
		e.depths[i], e.parents[i] = depthOf(withoutNumber(t.source(i, i+1))), squeeze.None
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
	if e == nil || e.depths[i] < 0 {
		return
	}
	for n := len(e.quoted); n > 0 && e.depths[e.quoted[n-1]] >= e.depths[i]; n-- {
		e.quoted = e.quoted[:n-1]
	}
	e.quoted = append(e.quoted, int32(i))
}

// missing returns the line to quote in front of a piece: the declaration around it if no quoted line seems to enclose it
// and it declares nothing, and a line around it if one does seem so that does not. It returns squeeze.None if there is none.
func (e *enclosing) missing(i int) int {
	if e == nil || e.depths[i] <= 0 {
		return squeeze.None
	}
	seems := squeeze.None // the last quoted line with fewer blanks
	for _, at := range slices.Backward(e.quoted) {
		if e.depths[at] < e.depths[i] {
			seems = int(at)
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

// enclose appends the line that e misses in front of a piece to list, as a record quotes it. marked says that the record
// marks a gap in front of the piece.
func (w *writer) enclose(list []string, e *enclosing, i int, marked bool, outcome string) []string {
	at := e.missing(i)
	if at == squeeze.None || e.t.idle(at) || e.t.isDead(at) {
		return list
	}
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

// isDead reports whether a line of a result is no longer in its file.
func (t *text) isDead(i int) bool { return t.seldom != nil && t.seldom.dead != nil && t.seldom.dead[i] }
