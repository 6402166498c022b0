package bpe

import (
	_ "embed"
	"sync"
	"unicode/utf8"
)

// The tables are made by scripts/gen-vocab, with [Build].
//
//go:embed o200k_base.bin
var o200kTables string

//go:embed cl100k_base.bin
var cl100kTables string

// Encoding counts and encodes text. It is safe for concurrent use.
type Encoding struct {
	vocab   vocab
	next    next
	workers sync.Pool // of *worker
}

// O200kBase gives the encoding o200k_base. It costs nothing: the tables are read
// in place. One Encoding is enough for a program, since it keeps scratch space.
func O200kBase() *Encoding { return newEncoding(o200kTables, o200k) }

// CL100kBase gives the encoding cl100k_base, as [O200kBase] does.
func CL100kBase() *Encoding { return newEncoding(cl100kTables, cl100k) }

func newEncoding(tables string, pattern next) *Encoding {
	e := &Encoding{vocab: open(tables), next: pattern}
	e.workers.New = func() any { return new(worker) }
	return e
}

// Count returns the number of tokens of s. Names of special tokens such as
// <|endoftext|> are the text they are, and each byte that is not UTF-8 is U+FFFD.
func (e *Encoding) Count(s string) int {
	w := e.workers.Get().(*worker)
	n := w.count(e, s)
	e.workers.Put(w)
	return n
}

// AppendTokens appends the tokens of s to dst, by number. There are as many as
// [Encoding.Count] says.
func (e *Encoding) AppendTokens(dst []uint32, s string) []uint32 {
	w := e.workers.Get().(*worker)
	for i := 0; i < len(s); {
		end := e.next(&w.scanner, s, i)
		dst = append(dst, w.merge(&e.vocab, w.piece(s, i, end))...)
		i = end
	}
	e.workers.Put(w)
	return dst
}

// worker is what one call of Count or AppendTokens needs for itself.
type worker struct {
	scanner
	merger
	cache cache
}

// piece returns s[i:end], in UTF-8.
func (w *worker) piece(s string, i, end int) string {
	s = s[i:end]
	if w.broken {
		w.broken = false
		return string([]rune(s)) // makes each broken byte U+FFFD
	}
	return s
}

func (w *worker) count(e *Encoding, s string) int {
	sum := 0
	for i := 0; i < len(s); {
		if s[i]-'0' < 10 {
			// One to three digits are a token in every encoding here.
			n := 1
			for i+n < len(s) && s[i+n]-'0' < 10 {
				n++
			}
			if i+n < len(s) && s[i+n] >= utf8.RuneSelf {
				n -= n % 3 // more of the last piece may follow
			}
			sum += (n + 2) / 3
			if i += n; n > 0 {
				continue
			}
		}
		end := e.next(&w.scanner, s, i)
		if end == i+1 && s[i] < utf8.RuneSelf {
			sum++
		} else if w.broken {
			sum += len(w.merge(&e.vocab, w.piece(s, i, end)))
		} else if end-i <= cached {
			sum += w.short(&e.vocab, s, i, end)
		} else {
			sum += len(w.merge(&e.vocab, s[i:end]))
		}
		i = end
	}
	return sum
}

// short counts s[i:end], of at most cached bytes.
func (w *worker) short(v *vocab, s string, i, end int) int {
	k := keyOf(s, i, end)
	entry := &w.cache[k.slot()]
	if entry.low == k.low && entry.high&^countMask == k.high {
		return int(entry.high & countMask >> countAt)
	}
	n := len(w.merge(v, s[i:end]))
	*entry = key{k.low, k.high | uint64(n)<<countAt}
	return n
}
