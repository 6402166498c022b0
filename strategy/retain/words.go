package retain

import (
	"strings"

	"condense/transcript/fact"
)

// How far the words around a fact count, in bytes: before, in a line that is too
// long; and after.
const (
	contextBefore = 100
	contextAfter  = 150
)

// Words of a neighbourhood: fewer than fewestWords say too little, shorter ones
// than shortestWord (in bytes) are everywhere.
const (
	fewestWords  = 3
	shortestWord = 4
)

// reworded reports whether a fact stands where it is said now in words like those
// around one of its places before.
func (a *asked) reworded(f *held, h *said) bool {
	for _, now := range h.places[f.key] {
		text := now.s.p.Text
		around := text[max(0, now.at-contextAfter):min(len(text), now.end+contextAfter)]
		var words map[string]bool
		for _, was := range f.places {
			core, context := was.cut(beside), was.s.p.Text[was.lo:was.hi]
			if len(context) > longLine {
				context = was.cut(contextBefore)
			}
			if tellsBeside(core) && strings.Contains(around, core) {
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

// cut is the text up to n bytes around a place, within its line.
func (p place) cut(n int) string {
	return strings.TrimSpace(p.s.p.Text[max(p.lo, p.at-n):min(p.hi, p.end+n)])
}

// tellsBeside reports whether a text has more than facts.
func tellsBeside(text string) bool {
	facts := 0
	spans(text, func(at, end int) { facts += end - at })
	return solid(text, facts+tellingPiece)
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

// wordsOf returns the words of a text that are no facts, in lower case.
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

// spans yields where the facts of a text stand.
func spans(text string, yield func(at, end int)) {
	fact.Each(text, func(at int, key string) { yield(at, wordEnd(text, at, key)) })
}
