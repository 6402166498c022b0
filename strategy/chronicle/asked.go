package chronicle

import (
	"math"
	"slices"
	"unicode/utf8"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/lazyregexp"
)

// This file finds the words of requests in the pieces of texts.

// leastAsked is the length in bytes from which a word of a request counts.
const leastAsked = 4

// requests holds the words that people typed, and the names of code in which words are joined, such as
// contextFiles or read_file. A piece of a result that contains them is likely to be the subject of the
// request.
type requests struct {
	words  map[uint64]int32 // by hash of the word: its number
	likely likely           // a set bit for the last bits of each hash: most words are not in words
	turns  []int            // by number: the newest turn in which the word was typed
	joined []bool           // by number: whether it is a name of joined words, or was typed as code
	pieces []int32          // by number: the pieces of texts that contain the word
	rarity []float64        // by number, above commonAsked; nil before all texts are counted
	all    int              // pieces
}

// likely has a power of two elements, one for every four words or so, but at most mostLikely.
type likely []uint64

const (
	leastLikely = 1 << 3
	mostLikely  = 1 << 10

	bytesPerWord = 12 // usual amount of typed text for each different word
)

// requestTexts calls yield with the texts that people typed, and their messages.
func (d *draft) requestTexts(yield func(*transcript.Message, *transcript.Block) bool) {
	for m := range d.Conv.Visible() {
		for _, b := range m.Blocks {
			if b.Kind == transcript.Text && b.Origin == transcript.Typed && m.Role == transcript.User && !yield(m, b) {
				return
			}
		}
	}
}

// requested returns the words that were typed in a conversation.
func (d *draft) requested() requests {
	var r requests
	bytes := 0
	for _, b := range d.requestTexts {
		bytes += len(b.Text())
	}
	size := leastLikely
	for size < mostLikely && size*4*leastAsked < bytes {
		size *= 2
	}
	r.likely = make(likely, size)
	r.words = make(map[uint64]int32, min(bytes/bytesPerWord, mostLikely))
	r.turns = make([]int, 0, bytes/bytesPerWord)
	for m, b := range d.requestTexts {
		eachName(b.Text(), func(word uint64, joined bool) { r.add(word, joined, int(d.turns[m.ID])) })
		for _, code := range inlineCode.FindAllString(b.Text(), -1) {
			eachName(code, func(word uint64, _ bool) {
				if number, known := r.words[word]; known {
					r.joined[number] = true
				}
			})
		}
	}
	for text := range d.openTasks {
		eachName(text, func(word uint64, joined bool) { r.add(word, joined, d.lastTurn) })
	}
	r.pieces = make([]int32, len(r.turns))
	return r
}

// openTasks calls yield with the texts of the calls of the last turn that set or add tasks.
func (d *draft) openTasks(yield func(string) bool) {
	for m := range d.Conv.Visible() {
		if int(d.turns[m.ID]) != d.lastTurn {
			continue
		}
		for _, b := range m.Blocks {
			if b.Kind != transcript.ToolCall || fact.ToolOf(b.Tool) != fact.TodoTool && !isPlanned(b.Tool) {
				continue
			}
			for i := range b.Parts {
				if !yield(b.Parts[i].Text) {
					return
				}
			}
		}
	}
}

// inlineCode matches a name that Markdown marks as code, such as `gate`, `<Gate>` and `gate()`.
var inlineCode = lazyregexp.New("`<?([A-Za-z]{4,40})>?(?:\\(\\))?`")

// add adds a word or a name that was typed in a turn.
func (r *requests) add(word uint64, joined bool, turn int) {
	number, known := r.words[word]
	if !known {
		r.words[word] = int32(len(r.turns))
		r.turns, r.joined = append(r.turns, turn), append(r.joined, joined)
		at, bit := r.likely.bitOf(word)
		r.likely[at] |= bit
		return
	}
	r.turns[number] = turn
}

// bitOf returns the element of likely for a hash, and its bit in it.
func (l likely) bitOf(word uint64) (at int, bit uint64) {
	return int(word>>6) & (len(l) - 1), 1 << (word & 63)
}

// hit is a word of a request in a piece.
type hit struct{ piece, word int32 }

// hits returns the words of requests in the pieces of a text, each once per piece. It uses
// the space of list.
func (r *requests) hits(t *text, list []hit) []hit {
	list = list[:0]
	if len(r.words) == 0 {
		return list
	}
	for i, p := range t.cut.Pieces {
		from := len(list)
		eachName(t.cut.Source[p.Start:p.End], func(word uint64, _ bool) {
			if at, bit := r.likely.bitOf(word); r.likely[at]&bit == 0 {
				return
			}
			if number, ok := r.words[word]; ok && !slices.Contains(list[from:], hit{int32(i), number}) {
				list = append(list, hit{int32(i), number})
			}
		})
	}
	return list
}

// count counts the hits of a text.
func (r *requests) count(t *text) {
	r.all += len(t.cut.Pieces)
	for _, h := range t.hits() {
		r.pieces[h.word]++
	}
}

// names reports whether a request has a word of a name.
func (r *requests) names(name string) (named bool) {
	eachName(name, func(word uint64, _ bool) {
		_, known := r.words[word]
		named = named || known
	})
	return named
}

// counted computes the rarity of all words, after the last text was counted.
func (r *requests) counted() {
	r.rarity = make([]float64, len(r.pieces))
	for i, n := range r.pieces {
		r.rarity[i] = math.Log(float64(r.all)/float64(n)) - commonAsked
	}
}

// olderRequest is the factor of the weight of a word that was last typed before the last
// two turns, and not in the turn of the text.
const olderRequest = 0.3

// value returns the value of a hit, beside the facts of the piece: the rarity of the word above commonAsked,
// times valueAsked, or valueNamed for a name in a text that is due. turn is the turn of the text, last the last
// turn of the conversation.
func (r *requests) value(h hit, due bool, turn, last int) float64 {
	rare, at := max(0, r.rarity[h.word]), r.turns[h.word]
	if at != turn && at < last-1 {
		rare = float64(rare * olderRequest)
	}
	if due && r.joined[h.word] {
		return float64(valueNamed * rare)
	}
	return float64(valueAsked * rare)
}

// commonAsked corresponds to commonWord, for the words of requests.
const commonAsked = 2.5

// eachName calls yield with the hash of each word of a text in lower case, and of each name of joined
// words as it is written. It splits names into their words, and skips words of fewer than leastAsked bytes.
func eachName(text string, yield func(word uint64, joined bool)) {
	word, letters, lower := squeeze.HashStart, 0, false
	name, words := squeeze.HashStart, 0 // the name around the word, and its words before this one
	for i := range len(text) {
		c := text[i]
		small := c | 0x20 // of a letter
		isLetter := c >= utf8.RuneSelf || 'a' <= small && small <= 'z'
		capital := isLetter && c < 'a'
		if letters > 0 && (!isLetter || capital && lower) {
			if letters >= leastAsked {
				yield(word, false)
			}
			word, letters, lower = squeeze.HashStart, 0, false
			words++
		}
		switch {
		case isLetter:
			word, name = squeeze.HashByte(word, small), squeeze.HashByte(name, c)
			letters++
			lower = !capital
		case c == '_' || '0' <= c && c <= '9':
			name = squeeze.HashByte(name, c)
		default:
			if words > 1 {
				yield(name, true)
			}
			name, words = squeeze.HashStart, 0
		}
	}
	if letters >= leastAsked {
		yield(word, false)
	}
	if words > 1 || words == 1 && letters > 0 {
		yield(name, true)
	}
}
