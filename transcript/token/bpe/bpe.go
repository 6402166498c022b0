package bpe

import (
	_ "embed"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// scripts/gen-vocab writes the tables with [Build].
//
//go:embed o200k_base.bin
var o200kTables string

//go:embed cl100k_base.bin
var cl100kTables string

// Encoding counts and encodes text. It is safe for concurrent use.
type Encoding struct {
	vocab   vocab
	next    next
	near    sync.Pool // workers that a processor used last
	workers [mostWorkers]atomic.Pointer[worker]
}

// O200kBase returns the encoding o200k_base. It takes no time: the tables are read in
// place. An Encoding keeps scratch space, so a program should share one.
func O200kBase() *Encoding { return newEncoding(o200kTables, o200k) }

// CL100kBase returns the encoding cl100k_base; see [O200kBase].
func CL100kBase() *Encoding { return newEncoding(cl100kTables, cl100k) }

func newEncoding(tables string, pattern next) *Encoding {
	return &Encoding{vocab: open(tables), next: pattern}
}

// mostWorkers is the number of workers that an Encoding keeps. Their caches make counting faster, so the
// garbage collector must not empty them, as it does a sync.Pool.
const mostWorkers = 16

// take returns a worker that is not in use, if possible the one that this processor used last: its own cache
// still has the content of that.
func (e *Encoding) take() *worker {
	if w, ok := e.near.Get().(*worker); ok && w.used.CompareAndSwap(false, true) {
		return w
	}
	for i := range e.workers {
		w := e.workers[i].Load()
		if w == nil {
			w = new(worker)
			w.used.Store(true)
			if e.workers[i].CompareAndSwap(nil, w) {
				return w
			}
			w = e.workers[i].Load()
		}
		if w.used.CompareAndSwap(false, true) {
			return w
		}
	}
	w := new(worker) // beyond those that are kept
	w.used.Store(true)
	return w
}

// leave makes a worker free for the next call.
func (e *Encoding) leave(w *worker) {
	w.used.Store(false)
	e.near.Put(w)
}

// Count returns the number of tokens of s. Names of special tokens such as
// <|endoftext|> are ordinary text, and each byte that is not UTF-8 is U+FFFD.
func (e *Encoding) Count(s string) int {
	w := e.take()
	n := w.count(e, s)
	e.leave(w)
	return n
}

// AppendTokens appends the numbers of the tokens of s to dst and returns the result.
// It appends [Encoding.Count] numbers.
func (e *Encoding) AppendTokens(dst []uint32, s string) []uint32 {
	w := e.take()
	for i := 0; i < len(s); {
		end := e.next(&w.scanner, s, i)
		dst = append(dst, w.merge(&e.vocab, w.piece(s, i, end))...)
		i = end
	}
	e.leave(w)
	return dst
}

// Vocabulary returns the tokens in the order of their numbers.
func (e *Encoding) Vocabulary() []string {
	words := make([]string, len(e.vocab.tokens)/8)
	for b := range 256 {
		word := string([]byte{byte(b)})
		id, _ := e.vocab.longest(word)
		words[id] = word
	}
	for id := range words {
		if r := e.vocab.record(uint32(id)); r.length() > 1 {
			words[id] = words[r.left()] + words[r.right()] // both have lower numbers
		}
	}
	return words
}

// worker is the scratch space of one call of Count or AppendTokens.
type worker struct {
	scanner
	merger
	cache cache
	used  atomic.Bool // by a call
}

// piece returns s[i:end], in UTF-8.
func (w *worker) piece(s string, i, end int) string {
	s = s[i:end]
	if w.broken {
		w.broken = false
		return string([]rune(s)) // turns each broken byte into U+FFFD
	}
	return s
}

// count returns the number of tokens of s.
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
				n -= n % 3 // the last piece may continue
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
	slot := k.slot()
	entry, other := &w.cache[slot], &w.cache[slot^1]
	if entry.low == k.low && entry.high&^countMask == k.high {
		return int(entry.high & countMask >> countAt)
	}
	if other.low == k.low && other.high&^countMask == k.high {
		return int(other.high & countMask >> countAt)
	}
	n := len(w.merge(v, s[i:end]))
	if entry.low != 0 {
		*other = *entry
	}
	*entry = key{k.low, k.high | uint64(n)<<countAt}
	return n
}

// cache has the counts of short pieces that were counted before, each in the slot of its key or, after
// another took that, in the one beside it. Most of a text consists of few words, and a lookup here is one
// access to near memory. The zero value is empty.
type cache [1 << slotBits]key

const (
	slotBits  = 15 // 512 KB: a smaller cache misses more, a larger one is slower
	cached    = 15 // bytes of the longest piece that has a key
	countAt   = 56 // bit of high where an entry has its count
	lengthBit = 60 // bit of high where a key has its length
	countMask = 0xf << countAt
)

// key is the bytes of a piece, the first in the lowest bits of low, and their
// number. An entry of the cache is a key and its count. An empty entry equals no key.
type key struct{ low, high uint64 }

// masks has the bits of a piece among its first 16 bytes, by its length.
var masks = [cached + 1]key{
	{0, 0}, {1<<8 - 1, 0}, {1<<16 - 1, 0}, {1<<24 - 1, 0}, {1<<32 - 1, 0}, {1<<40 - 1, 0}, {1<<48 - 1, 0}, {1<<56 - 1, 0},
	{1<<64 - 1, 0}, {1<<64 - 1, 1<<8 - 1}, {1<<64 - 1, 1<<16 - 1}, {1<<64 - 1, 1<<24 - 1},
	{1<<64 - 1, 1<<32 - 1}, {1<<64 - 1, 1<<40 - 1}, {1<<64 - 1, 1<<48 - 1}, {1<<64 - 1, 1<<56 - 1},
}

// keyOf returns the key of s[i:end], of at most cached bytes.
func keyOf(s string, i, end int) key {
	if i+16 > len(s) {
		var b [16]byte
		n := copy(b[:], s[i:end])
		last := string(b[:])
		return key{load64(last, 0), load64(last, 8) | uint64(n)<<lengthBit}
	}
	n := end - i
	keep := &masks[n&cached]
	return key{load64(s, i) & keep.low, load64(s, i+8)&keep.high | uint64(n)<<lengthBit}
}

// slot returns the index of the key in the cache.
func (k key) slot() uint64 {
	return (k.low ^ k.high*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - slotBits)
}
