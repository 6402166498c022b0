package squeeze

import "strings"

// What commands print: logs, test runs, compilers, stack traces, and several of
// these one after the other, as a shell gives them. All are cut by lines, and a
// line says by itself what it is.

// role is what a line does in the output of a command.
type role uint8

const (
	plainLine role = iota
	passLine       // a test that passed, a step that went well
	failLine       // a test that failed
	sumLine        // counts at the end
	headLine       // a heading that what follows belongs to
	diagLine       // a diagnostic, by place and severity
	frameLine      // a frame of a stack trace
	farLine        // a frame in a library
	moreLine       // details of the line before: indented under a failure or a diagnostic
)

// maxDetails is how many lines of a failure or diagnostic say more than other lines.
const maxDetails = 30

// cutRun cuts the output of a command.
func (t *Text) cutRun() {
	shapes := shapes{t: t, first: map[uint64]int32{}}
	lead, details, framed := int32(None), 0, false // the line that details belong to, how many it has; the last line was a frame
	t.each(func(start, end int) {
		line := t.Source[start:end]
		what, cue := judge(line, lead != None, framed)
		framed = what == frameLine || what == farLine || what == moreLine && framed
		under := int32(None)
		switch what {
		case frameLine, farLine, moreLine:
			under = lead
			if details++; details > maxDetails && cue < message {
				cue = none
			}
		case plainLine:
			if cue < message {
				lead = None
			}
		}
		marks := len(t.marks)
		i := t.add(start, end, cue, under)
		if len(t.marks) > marks {
			return // an earlier run has been at it
		}
		for k := int(i); k < len(t.Pieces); k++ {
			switch p := t.Pieces[k]; {
			case what == passLine || what == farLine:
				shapes.class(int32(k), what)
			case p.Cue < message:
				shapes.line(int32(k), t.Source[p.Start:p.End])
			}
		}
		switch {
		case what == failLine, what == diagLine, what == headLine, cue == message && what != moreLine:
			lead, details = i, 0
		}
	})
	if t.Kind != Binary {
		t.edges()
	}
}

// judge says what a line is, and its cue; led tells that the lines before are a
// failure and its details, framed that the last of them was a frame of a trace.
func judge(line string, led, framed bool) (role, float32) {
	text := uncoloured(line)
	if timed(text) { // a line of a log is nothing else
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

// follows judges a line that may be a detail of the failure or diagnostic above.
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

// detail reports whether an indented line says what was wrong, as assertions do.
func detail(text string) bool {
	for _, word := range [...]string{"expected", "Expected", "received", "Received", "actual", "Actual", "got", "want", "assert", "left:", "right:", "- ", "+ ", "E  ", "> "} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// edges gives a little weight to the first and the last lines of an output.
func (t *Text) edges() {
	for _, i := range [...]int{0, 1, len(t.Pieces) - 3, len(t.Pieces) - 2, len(t.Pieces) - 1} {
		if i >= 0 && i < len(t.Pieces) && t.Pieces[i].Like == None {
			t.Pieces[i].Cue = max(t.Pieces[i].Cue, context)
		}
	}
}
