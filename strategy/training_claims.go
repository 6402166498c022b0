package strategy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/fact"
)

// A claim is content of a label that a model would have to invent if it did not stand in
// front of the label: a fact, a name, a number, a value of an argument, or quoted words.
// Claims are compared by their hashes.

// Kinds of claims. Equal words of two kinds are two claims.
const (
	factClaim  = 'f'
	wordClaim  = 'w'
	quoteClaim = 'q' // words that follow each other
	lineClaim  = 'l'
)

const (
	quoteWords = 4  // words of a quote
	leastLine  = 12 // bytes from which a line is a claim
	fewWords   = 4  // most words of an argument each of which is a claim
)

// hashOf returns the hash of a claim, by FNV-1a.
func hashOf(kind byte, text string) uint64 {
	h := (14695981039346656037 ^ uint64(kind)) * 1099511628211
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// claims calls yield with everything in a text that may be a claim of a label, perhaps
// several times with the same.
func claims(text string, yield func(uint64)) {
	fact.Each(text, func(_ int, key string) { yield(hashOf(factClaim, key)) })
	eachWord(text, func(w term) { yield(hashOf(wordClaim, w.plain())) })
	quotes(text, yield)
}

// labelClaims calls yield with the claims of a part of a label.
func labelClaims(p *transcript.Part, b *transcript.Block, yield func(uint64)) {
	fact.Each(p.Text, func(_ int, key string) { yield(hashOf(factClaim, key)) })
	value := b.Kind == transcript.ToolCall && len(strings.Fields(p.Text)) <= fewWords
	eachWord(p.Text, func(w term) {
		if value && len(w.text) >= quoteWords || w.number() && len(w.text) > 1 || w.named() {
			yield(hashOf(wordClaim, w.plain()))
		}
	})
	quotes(p.Text, yield)
}

// quotes calls yield with the lines of a text, and with each run of quoteWords words in
// a line.
func quotes(text string, yield func(uint64)) {
	var run [quoteWords]string
	for line := range strings.Lines(text) {
		if bare := strings.TrimSpace(line); len(bare) >= leastLine {
			yield(hashOf(lineClaim, bare))
		}
		n := 0
		eachWord(line, func(w term) {
			copy(run[:], run[1:])
			run[quoteWords-1] = w.plain()
			if n++; n >= quoteWords {
				yield(hashOf(quoteClaim, strings.Join(run[:], " ")))
			}
		})
	}
}

// term is a run of letters and digits in a text.
type term struct {
	text  string
	first bool // it begins a line or a sentence
}

// plain returns the word without the commas of a number.
func (w term) plain() string {
	if w.number() {
		return strings.ReplaceAll(w.text, ",", "")
	}
	return w.text
}

// number reports whether the word begins with a digit.
func (w term) number() bool { return '0' <= w.text[0] && w.text[0] <= '9' }

// named reports whether the word has the form of a name: it has a capital that its place
// does not require.
func (w term) named() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return !w.first && len(w.text) >= 3 && unicode.IsUpper(r)
}

// eachWord calls yield for the words of a text. A point or comma between digits belongs
// to the word.
func eachWord(text string, yield func(term)) {
	start, first := -1, true
	for i, r := range text + "\n" {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
			if start < 0 {
				start = i
			}
			continue
		case (r == '.' || r == ',') && start >= 0 && digitAt(text, i-1) && digitAt(text, i+1):
			continue
		}
		if start >= 0 {
			yield(term{text[start:i], first})
			start, first = -1, false
		}
		if strings.ContainsRune(".!?\n", r) {
			first = true
		}
	}
}

func digitAt(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
