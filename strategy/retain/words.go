package retain

import (
	"strings"

	"condense/transcript/fact"
)

// Numbers of bytes around a fact whose words count: in a long line before, and in the view after.
const (
	contextBefore = 100
	contextAfter  = 150
)

// Words of a neighbourhood: fewer than fewestWords are too few to compare; words
// shorter than shortestWord bytes are too common.
const (
	fewestWords  = 3
	shortestWord = 4
)

// reworded reports whether a fact stands, in the view after, among words like those
// around one of its places before.
func (a *factTable) reworded(id int, h *afterView) bool {
	for _, now := range h.places[a.facts[id].key] {
		text := now.s.p.Text
		around := text[max(0, int(now.at)-contextAfter):min(len(text), int(now.end)+contextAfter)]
		var words map[string]bool
		for _, was := range a.places[int32(id)] {
			core, context := was.cut(beside), was.s.p.Text[was.lo:was.hi]
			if len(context) > longLine {
				context = was.cut(contextBefore)
			}
			if hasWordsBeside(core) && strings.Contains(around, core) {
				return true
			}
			want := wordsOf(context)
			if len(want) < fewestWords {
				continue
			}
			if words == nil {
				words = wordsOf(around)
			}
			if halfOf(want, words) {
				return true
			}
		}
	}
	return false
}

// cut returns up to n bytes on each side of a place, within its line.
func (p occurrence) cut(n int) string {
	return strings.TrimSpace(p.s.p.Text[max(int(p.lo), int(p.at)-n):min(int(p.hi), int(p.end)+n)])
}

// hasWordsBeside reports whether a text has words besides facts.
func hasWordsBeside(text string) bool {
	facts := 0
	spans(text, func(at, end int) { facts += end - at })
	return solid(text, facts+leastPieceWords)
}

func halfOf(want, there map[string]bool) bool {
	n := 0
	for w := range want {
		if there[w] {
			n++
		}
	}
	return 2*n >= len(want)
}

// wordsOf returns the words of a text that are not facts, in lower case.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	from := 0
	spans(text, func(at, end int) {
		addWords(words, text[from:at])
		from = end
	})
	addWords(words, text[from:])
	return words
}

func addWords(to map[string]bool, text string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r < 0x80 && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if len(w) >= shortestWord {
			to[strings.ToLower(w)] = true
		}
	}
}

// spans calls yield for the range of each fact of a text.
func spans(text string, yield func(at, end int)) {
	fact.Each(text, func(at int, key string) { yield(at, wordEnd(text, at, key)) })
}
