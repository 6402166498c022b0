package squeeze

import "strings"

// Output of commands: logs, test runs, compilers, stack traces, and several of these
// one after the other. All are cut by line, and each line shows by itself what it is.

// role is the function of a line in the output of a command.
type role uint8

const (
	plainLine role = iota
	passLine       // a test that passed, a step that went well
	failLine       // a test that failed
	sumLine        // counts at the end
	headLine       // a heading of the lines that follow
	diagLine       // a diagnostic, with a place and a severity
	frameLine      // a frame of a stack trace
	farLine        // a frame in a library
	moreLine       // details of the line before: they are indented under a failure or a diagnostic
)

// maxDetails is the number of lines of a failure or diagnostic that have higher cues
// than other lines.
const maxDetails = 30

// mostCrowded is the most bytes of a piece of a crowded text that holds several lines.
const mostCrowded = 64

// cutRun cuts the output of a command. In a crowded text, a piece holds several lines that are alike.
func (t *Text) cutRun(crowded bool) {
	r := run{t: t, crowded: crowded, shapes: shapes{t: t, first: map[uint64]int32{}}, lead: None, logged: None}
	t.each(r.line)
	if t.Kind != Binary {
		t.edges()
	}
}

// run is the state of cutRun between two lines.
type run struct {
	t       *Text
	shapes  shapes
	lead    int32 // the piece that details belong to, or None
	details int   // the number of details of lead
	framed  bool  // the last line was a frame
	named   int   // the end of the name of a failed test
	logged  int32 // the piece of the last line, if it reported an error; otherwise None
	found   findings
	counted int // the number of lines of the last piece, if it holds counts; otherwise 0

	crowded bool
	joining role    // of the lines of the last piece, if further ones may join it; otherwise failLine
	joined  float32 // their cue
}

// line adds the line between two offsets as a piece, or to the last piece.
func (r *run) line(start, end int) {
	if start < r.named {
		return
	}
	end, what, cue := r.judge(start, end)
	if r.joinsCounts(start, end, what, cue) || r.crowded && r.joinsLines(start, end, what, cue) {
		return
	}
	under := r.under(what, &cue)
	marks := len(r.t.marks())
	i := r.t.add(start, end, cue, under)
	if len(r.t.marks()) > marks {
		r.counted = 0
		return // a marker of an earlier run
	}
	r.shapes.pieces(i, what)
	if what == passLine && r.t.Kind == Test && r.logged != None {
		r.t.Pieces[r.logged].Cue = context // a test that passes provoked it
		r.lead = None
	}
	r.logged = None
	if what == plainLine && cue == message {
		r.logged = i
	}
	switch {
	case what == failLine, what == diagLine, what == headLine, cue == message && what != moreLine:
		r.lead, r.details = i, 0
	}
}

// judge returns the end, the role and the cue of the line between two offsets. A heading with the name of
// a failed test ends where the name ends.
func (r *run) judge(start, end int) (int, role, float32) {
	what, cue := judge(r.t.Source[start:end], r.lead != None, r.framed)
	if what == headLine {
		if next := r.t.testName(start, end); next > end {
			if r.named == 0 {
				r.t.forgetProgress()
			}
			r.named = next
			end, what, cue = next, failLine, message
		}
	}
	switch text := uncoloured(r.t.Source[start:end]); {
	case what == plainLine && r.t.headsDiagnostics(start, end):
		what, cue, r.found = diagLine, message, findings{file: text}
	case what == diagLine:
		cue = r.found.add(text, cue)
	}
	r.framed = what == frameLine || what == farLine || what == moreLine && r.framed
	return end, what, cue
}

// joinsCounts adds a line of counts to the piece of the counts before it. It reports whether it did.
func (r *run) joinsCounts(start, end int, what role, cue float32) bool {
	switch {
	case what != sumLine || cue < outline:
		r.counted = 0
	case r.counted == 0 || r.counted == mostCounts || strings.Contains(r.t.Source[start:end], omitted):
		r.counted = 1
	default:
		r.t.lengthen(end, cue)
		r.counted++
		return true
	}
	return false
}

// joinsLines adds a line of a crowded text to the last piece if that is of short lines of the same role,
// none of which tells more than others. It reports whether it did.
func (r *run) joinsLines(start, end int, what role, cue float32) bool {
	last := len(r.t.Pieces) - 1
	mark := r.t.marked && strings.Contains(r.t.Source[start:end], omitted)
	if last >= 0 && !mark && what == r.joining && cue == r.joined && int(r.t.Pieces[last].End) == start && end-int(r.t.Pieces[last].Start) <= mostCrowded {
		r.t.Pieces[last].End = int32(end)
		return true
	}
	r.joining, r.joined = failLine, cue
	if (what == plainLine || what == passLine) && cue < message && !mark {
		r.joining = what
	}
	return false
}

// under returns the piece that a line belongs to, or None. It lowers the cue of a detail after the first maxDetails.
func (r *run) under(what role, cue *float32) int32 {
	switch what {
	case frameLine, farLine, moreLine:
		if r.details++; r.details > maxDetails && *cue < message {
			*cue = none
		}
		return r.lead
	case plainLine:
		if *cue < message {
			r.lead = None
		}
	}
	return None
}

// lengthen adds the text up to an offset to the last piece, with the higher one of the two cues.
func (t *Text) lengthen(end int, cue float32) {
	last := &t.Pieces[len(t.Pieces)-1]
	last.End, last.Cue = int32(end), max(last.Cue, cue)
}

// pieces enters the pieces of a line from index first on.
func (s *shapes) pieces(first int32, what role) {
	for k := int(first); k < len(s.t.Pieces); k++ {
		switch p := s.t.Pieces[k]; {
		case what == passLine || what == farLine:
			s.class(int32(k), what)
		case p.Cue < message:
			s.line(int32(k), s.t.Source[p.Start:p.End])
		}
	}
}

// judge returns the role and the cue of a line. led reports whether the lines before
// are a failure and its details, framed whether the last of them was a frame of a
// trace.
func judge(line string, led, framed bool) (role, float32) {
	text := uncoloured(line)
	if timed(text) { // a line with a time is a line of a log
		return plainLine, wordCue(text)
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if what := frame(text, indent); what != plainLine {
		if what == farLine {
			return what, none
		}
		return what, context
	}
	if led {
		if what, cue := follows(text, indent, framed); what != plainLine {
			return what, cue
		}
	}
	if what, cue := testLine(text, indent); what != plainLine {
		return what, cue
	}
	cue := wordCue(text)
	if place, severity := diagnostic(text); place {
		return diagLine, max(severity, cue)
	}
	if framed && indent == 0 && raised(text) {
		return plainLine, message
	}
	return plainLine, cue
}

// follows returns the role and the cue of a line that may be a detail of the failure
// or diagnostic above.
func follows(text string, indent int, framed bool) (role, float32) {
	switch {
	case strings.HasPrefix(text, "E   "): // pytest
		return moreLine, message
	case hasAny(text, ">   ", "-->", "> "), indent > 0 && detail(text):
		return moreLine, outline
	case strings.HasPrefix(text, "goroutine "), calls(text) && (indent == 0 || framed):
		return moreLine, none
	case strings.HasPrefix(text, "|"), snippet(text):
		return moreLine, max(min(wordCue(text), outline), context/2)
	case indent > 0:
		if what, cue := testLine(text, indent); what != plainLine {
			return what, cue
		}
		if place, _ := diagnostic(text); place {
			return plainLine, none
		}
		if cue := wordCue(text); cue < message {
			return moreLine, max(cue, context/2)
		}
	}
	return plainLine, none
}

// detail reports whether an indented line describes a difference, as assertions do.
func detail(text string) bool {
	for _, word := range [...]string{"expected", "Expected", "received", "Received", "actual", "Actual", "got", "want", "assert", "left:", "right:", "- ", "+ ", "E  ", "> "} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// edges raises the cues of the first and the last lines of an output a little.
func (t *Text) edges() {
	for _, i := range [...]int{0, 1, len(t.Pieces) - 3, len(t.Pieces) - 2, len(t.Pieces) - 1} {
		if i >= 0 && i < len(t.Pieces) && t.Pieces[i].Like == None {
			t.Pieces[i].Cue = max(t.Pieces[i].Cue, context)
		}
	}
}
