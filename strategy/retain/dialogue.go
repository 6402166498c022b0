package retain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
)

// element is one step of a dialogue.
type element struct {
	kind elementKind
	text string // of a request and of a note with white space folded; "" for calls and marks
}

type elementKind uint8

const (
	request elementKind = iota // text that a person typed
	said                       // text of the model, without records
	note                       // text of a condenser
	acted                      // a call
	marked                     // another text with a marker or a record
)

// elements returns the dialogue of the effective view.
func elements(c *transcript.Conversation) (list []element) {
	for _, b := range c.Blocks() {
		switch {
		case b.Kind == transcript.ToolCall:
			list = append(list, element{acted, ""})
		case b.Kind != transcript.Text || b.Origin == transcript.Injected:
			if slices.ContainsFunc(b.Parts, func(p transcript.Part) bool { return hasGap(p.Text) }) {
				list = append(list, element{marked, ""})
			}
		case isBlank(b.Text()):
		case b.Origin == transcript.Typed:
			list = append(list, element{request, folded(b.Text())})
		case b.Origin == transcript.Generated:
			list = append(list, element{note, folded(b.Text())})
		default:
			rest := transcript.WithoutRecords(b.Text())
			if len(rest) < len(b.Text()) {
				list = append(list, element{marked, ""})
			}
			if !isBlank(rest) {
				list = append(list, element{said, rest})
			}
		}
	}
	return list
}

// hasGap reports whether a text may have a marker or a record.
func hasGap(text string) bool {
	return strings.Contains(text, omittedEnd) || strings.Contains(text, transcript.RecordOpening)
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// turn is a request, and what stands between it and the next one.
type turn struct {
	request string   // "" for what stands before the first one
	said    []string // texts of the model
	notes   []string // texts of condensers
	acted   bool     // it has a call
	marked  bool     // another text of it has a marker or a record
}

// answered reports whether the request has an answer of the model: a text or a call.
func (t *turn) answered() bool { return t.acted || len(t.said) > 0 }

// stands reports whether an answer is left, or a text that stands for it.
func (t *turn) stands() bool { return t.answered() || t.marked || len(t.notes) > 0 }

// turns groups a dialogue by its requests. The first turn has none.
func turns(list []element) []turn {
	all := []turn{{}}
	for _, e := range list {
		t := &all[len(all)-1]
		switch e.kind {
		case request:
			all = append(all, turn{request: e.text})
		case said:
			t.said = append(t.said, e.text)
		case note:
			t.notes = append(t.notes, e.text)
		case acted:
			t.acted = true
		case marked:
			t.marked = true
		}
	}
	return all
}

// separated returns the dialogue after, in which the requests before stand apart that a
// new text quotes: those of a summary, and those that a file joins with another text. A
// new typed text that is not a part of a request before is a note. The region has the new
// texts.
func separated(before, after []element) ([]element, *region) {
	left := map[string]int{} // requests before that are not there as texts of their own
	for _, e := range before {
		if e.kind == request {
			left[e.text]++
		}
	}
	isNew := make([]bool, len(after))
	for i, e := range after {
		if e.kind != request || left[e.text] == 0 {
			isNew[i] = e.kind == request || e.kind == note
		} else {
			left[e.text]--
		}
	}
	missing := requestsOf(left)
	q := newQuotes(after, isNew)
	parts := q.find(missing)
	requests := newRegion(missing)
	var list []element
	for i, e := range after {
		switch {
		case !isNew[i]:
			list = append(list, e)
		case len(parts[i]) > 0:
			list = append(list, parts[i]...)
		case e.kind == request && requests.hasSome(e.text):
			list = append(list, e)
		default:
			list = append(list, element{note, e.text})
		}
	}
	return list, &q.region
}

// requestsOf returns the texts as often as they are left, the longest first.
func requestsOf(left map[string]int) (missing []string) {
	for text, n := range left {
		for range n {
			missing = append(missing, text)
		}
	}
	slices.SortFunc(missing, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return missing
}

// quotes are the new texts of a dialogue, in which requests are searched.
type quotes struct {
	texts []element // new texts
	at    []int     // index of each in the dialogue
	from  []int     // offset of each in the region
	region
}

func newQuotes(list []element, isNew []bool) *quotes {
	q := &quotes{}
	for i, e := range list {
		if isNew[i] {
			q.texts, q.at, q.from = append(q.texts, e), append(q.at, i), append(q.from, len(q.all))
			q.all = append(append(q.all, e.text...), '\n')
		}
	}
	return q
}

// span is a range of bytes.
type span struct{ lo, hi int }

// find searches the requests, the longest first. It returns the parts of each text with
// a request, by the index of the text in the dialogue.
func (q *quotes) find(requests []string) map[int][]element {
	if len(requests) == 0 || len(q.all) == 0 {
		return nil
	}
	index := q.suffixes()
	taken := make([]bool, len(q.all))
	found := make([][]span, len(q.texts))
	for _, text := range requests {
		places := index.Lookup([]byte(text), placesTried)
		slices.Sort(places)
		for _, at := range places {
			n, exact := slices.BinarySearch(q.from, at)
			if !exact {
				n--
			}
			s := span{at, at + len(text)}
			if taken[s.lo] || taken[s.hi-1] || !q.isQuote(n, s) {
				continue
			}
			for i := s.lo; i < s.hi; i++ {
				taken[i] = true
			}
			found[n] = append(found[n], s)
			break
		}
	}
	parts := map[int][]element{}
	for n, spans := range found {
		if len(spans) > 0 {
			parts[q.at[n]] = q.cut(n, spans)
		}
	}
	return parts
}

// isQuote reports whether a request that was found in text n is meant: it is whole words,
// and in a text of a condenser it is long enough that it does not stand there by chance.
func (q *quotes) isQuote(n int, s span) bool {
	if q.texts[n].kind == note && utf8.RuneCount(q.all[s.lo:s.hi]) < fewestRunes {
		return false
	}
	return edge(q.all[:s.lo], utf8.DecodeLastRune) && edge(q.all[s.hi:], utf8.DecodeRune)
}

// cut returns the parts of text n: the requests at the spans, and notes between them.
func (q *quotes) cut(n int, spans []span) (parts []element) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	from, end := q.from[n], q.from[n]+len(q.texts[n].text)
	rest := func(to int) {
		if text := string(q.all[from:to]); strings.ContainsFunc(text, unicode.IsLetter) {
			parts = append(parts, element{note, text})
		}
	}
	for _, s := range spans {
		rest(s.lo)
		parts = append(parts, element{request, string(q.all[s.lo:s.hi])})
		from = s.hi
	}
	rest(end)
	return parts
}

// align returns the index in after of each turn before, -1 where its request is gone. The
// first turns belong together. Of equal requests of which some are gone, the newest that
// fit between their neighbours are taken as left.
func align(before, after []turn) []int {
	home := make([]int, len(after)) // index in before
	at := make([]int, len(before))
	places := map[string][]int{}
	for i := range before {
		at[i] = -1
		if i > 0 {
			places[before[i].request] = append(places[before[i].request], i)
		}
	}
	here := map[string][]int{}
	for j := range after {
		home[j] = -1
		if j > 0 {
			here[after[j].request] = append(here[after[j].request], j)
		}
	}
	at[0], home[0] = 0, 0
	for text, js := range here {
		if is := places[text]; len(is) == len(js) {
			for n, j := range js {
				at[is[n]], home[j] = j, is[n]
			}
		}
	}
	low := make([]int, len(after)) // home of the nearest turn with one, before
	for j := 1; j < len(after); j++ {
		low[j] = max(low[j-1], home[j-1])
	}
	high := len(before)
	for j := len(after) - 1; j > 0; j-- {
		if home[j] >= 0 {
			high = home[j]
			continue
		}
		is := places[after[j].request]
		for len(is) > 0 && (is[len(is)-1] >= high || at[is[len(is)-1]] >= 0) {
			is = is[:len(is)-1]
		}
		places[after[j].request] = is
		if len(is) > 0 && is[len(is)-1] > low[j] {
			high = is[len(is)-1]
			at[high], home[j] = j, high
		}
	}
	return at
}
