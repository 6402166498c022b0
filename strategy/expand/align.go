package expand

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/marker"
)

// markers matches what may be a marker of omitted text.
var markers = regexp.MustCompile(`\[[^\[\]\n]+ omitted\]`)

// amount matches the number of lines or characters in a marker.
var amount = regexp.MustCompile(`\A\[([\d,]+) (line|character)s? omitted\]`)

// mark is a new marker in a text of the output.
type mark struct {
	end   int    // byte of the text before which an id goes
	text  string // the marker
	whole bool   // it stands for whole lines
}

// part compares part i of a block with the text before the run. It adds the text of each new marker,
// and the new records.
func (f *finder) part(b *transcript.Block, at transcript.Ref, i int, before string) {
	at.Part = i
	after := b.Parts[i].Text
	if before == after {
		f.events = append(f.events, event{kind: kept})
		return
	}
	pieces, marks := f.cut(b, at, before)
	signs := signable(b, i)
	removed, ok := align(before, pieces, marks)
	switch {
	case len(marks) == 0:
		return
	case !ok: // the run wrote the text in another form: one id for all of it
		removed, marks = []string{before}, []mark{largest(marks)}
	}
	for k, text := range removed {
		if strings.TrimSpace(text) == "" {
			continue
		}
		index := f.remove(at, text)
		if len(text) >= least && signs {
			f.sites = append(f.sites, site{at: at, end: marks[k].end, removal: index, size: len(text)})
		}
	}
}

// cut returns the text of a part without its new records, in pieces between its new markers. It adds
// the records to the events, and what was removed beside them, if the text has no markers.
func (f *finder) cut(b *transcript.Block, at transcript.Ref, before string) (pieces []string, marks []mark) {
	after := b.Parts[at.Part].Text
	var rest strings.Builder // of the piece
	plain, seen := "", 0     // text without records; bytes of after that were read
	var behind []event
	take := func(upTo int) {
		more, found := splitMarks(after[seen:upTo], seen, before)
		for k, piece := range more {
			rest.WriteString(piece)
			plain += piece
			if k < len(found) {
				pieces, marks = append(pieces, rest.String()), append(marks, found[k])
				rest.Reset()
			}
		}
		seen = upTo
	}
	for from, to := range transcript.Records(after) {
		was := len(f.events)
		if !f.record(b, at, from, to, before) {
			continue
		}
		take(from)
		seen = to
		if strings.TrimSpace(plain) != "" || len(marks) > 0 {
			behind = append(behind, f.events[was])
			f.events = f.events[:was]
		}
	}
	take(len(after))
	pieces = append(pieces, rest.String())
	if len(marks) == 0 {
		f.unmarked(at, before, plain)
	}
	if strings.TrimSpace(plain) != "" || len(marks) > 0 {
		f.events = append(f.events, event{kind: kept})
	}
	f.events = append(f.events, behind...)
	return pieces, marks
}

// splitMarks returns a text in pieces between its markers that are not in before. offset is the place
// of the text in its part.
func splitMarks(after string, offset int, before string) (pieces []string, marks []mark) {
	at := 0
	for _, m := range markers.FindAllStringIndex(after, -1) {
		found := after[m[0]:m[1]]
		if _, id := marker.CutID(found); id != "" || !transcript.IsMarker(found) || strings.HasPrefix(found, "[repeated") || strings.Contains(before, found) {
			continue
		}
		from, to := m[0], m[1]
		ends := to == len(after) || after[to] == '\n' || strings.HasPrefix(after[to:], "\r\n")
		whole := ends && (from == 0 || after[from-1] == '\n')
		if whole && to < len(after) {
			to += strings.IndexByte(after[to:], '\n') + 1
		}
		pieces = append(pieces, after[at:from])
		marks = append(marks, mark{offset + m[1] - len(" omitted]"), found, whole})
		at = to
	}
	return append(pieces, after[at:]), marks
}

// unmarked adds what is gone from a text without a marker.
func (f *finder) unmarked(at transcript.Ref, before, plain string) {
	left := strings.TrimSpace(plain)
	i := strings.Index(before, left)
	switch {
	case left == "" || i < 0:
		f.gone(at, before)
	default:
		f.gone(at, before[:i])
		f.gone(at, before[i+len(left):])
	}
}

// most is the number of places that are compared for one piece.
const most = 64

// align returns the text that each marker stands for: what is between the pieces in before. ok is
// false if the pieces are not there in this order.
func align(before string, pieces []string, marks []mark) (removed []string, ok bool) {
	if len(marks) == 0 || !strings.HasPrefix(before, pieces[0]) {
		return nil, false
	}
	at := len(pieces[0])
	for i, m := range marks {
		next := pieces[i+1]
		from, ok := find(before, at, next, m)
		if i == len(marks)-1 {
			from, ok = findEnd(before, at, next)
		}
		if !ok {
			return nil, false
		}
		removed = append(removed, before[at:from])
		at = min(from+len(next), len(before))
	}
	return removed, true
}

// find returns the place of a piece behind the text of a marker: the first where the amount is that of
// the marker, or else the first.
func find(before string, at int, piece string, m mark) (from int, ok bool) {
	if strings.TrimSpace(piece) == "" { // it is everywhere
		return 0, false
	}
	first := -1
	for from, n := at, 0; n < most; n++ {
		i := strings.Index(before[from:], piece)
		if i < 0 {
			break
		}
		if from += i; !m.whole || from == 0 || before[from-1] == '\n' {
			if fits(before[at:from], m) {
				return from, true
			}
			if first < 0 {
				first = from
			}
		}
		from++
	}
	return first, first >= 0
}

// findEnd returns the place of the last piece, which ends the text. White space at the end does not
// count.
func findEnd(before string, at int, piece string) (from int, ok bool) {
	trimmed := strings.TrimRight(piece, " \t\r\n")
	body := strings.TrimRight(before, " \t\r\n")
	if trimmed == "" {
		return len(before), true
	}
	from = len(body) - len(trimmed)
	return from, from >= at && body[from:] == trimmed
}

// fits reports whether a text has the amount of a marker.
func fits(text string, m mark) bool {
	found := amount.FindStringSubmatch(m.text)
	if found == nil {
		return true
	}
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	if found[2] == "character" {
		return err == nil && utf8.RuneCountInString(text) == n
	}
	return err == nil && strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1 == n
}

// largest returns the marker with the largest number, or the first without numbers.
func largest(marks []mark) mark {
	best, biggest := marks[0], -1
	for _, m := range marks {
		if found := amount.FindStringSubmatch(m.text); found != nil {
			if n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", "")); err == nil && n > biggest {
				best, biggest = m, n
			}
		}
	}
	return best
}
