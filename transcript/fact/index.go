package fact

import "math/bits"

// An Index numbers keys from 0 in the order of their first appearance. The zero Index is empty. It
// is not safe for concurrent use.
//
// It stores a hash of 64 bits of each key, because a source can have a key for every few bytes. Two keys
// with the same hash would have the same number: among a million keys, the chance of that is one in
// thirty million. Hashes are stored in the order of the numbers, so that the keys of one text are adjacent.
type Index struct {
	slots  []uint32       // 0 when it is free; otherwise 1 + the number of a key
	hashes chunks[uint64] // by number
}

// The number of slots is a power of two, and at most three quarters of them are taken.
const fewest = 64 // slots

// ID returns the number of a key. A new key is added and has the next number.
func (x *Index) ID(key string) int {
	if 4*x.hashes.count >= 3*len(x.slots) {
		x.grow()
	}
	hash := hashOf(key)
	there := x.place(hash)
	if *there == 0 {
		*there = uint32(x.hashes.count + 1)
		x.hashes.add(hash)
	}
	return int(*there) - 1
}

// Find returns the number of a key; found is false when the key was never added.
func (x *Index) Find(key string) (id int, found bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	there := *x.place(hashOf(key))
	return int(there) - 1, there != 0
}

// Reset removes all keys. Later keys take the room of the earlier ones, unless that is large.
func (x *Index) Reset() {
	const large = 1 << 12
	if len(x.slots) > large {
		*x = Index{}
		return
	}
	clear(x.slots)
	x.hashes.count = 0
	for i := range x.hashes.all {
		x.hashes.all[i] = x.hashes.all[i][:0]
	}
}

// place returns the slot of a hash, or the free slot where it belongs.
func (x *Index) place(hash uint64) *uint32 {
	for at := hash; ; at++ {
		there := &x.slots[at&uint64(len(x.slots)-1)]
		if *there == 0 || *x.hashes.at(int(*there) - 1) == hash {
			return there
		}
	}
}

// grow doubles the table. The table starts small, because a small table stays in the
// cache.
func (x *Index) grow() {
	x.slots = make([]uint32, max(fewest, 2*len(x.slots)))
	for i := range x.hashes.count {
		*x.place(*x.hashes.at(i)) = uint32(i + 1)
	}
}

// chunks is a list that grows without a copy of its elements.
type chunks[E any] struct {
	all   [][]E // all but the last have perChunk elements
	count int
}

// The number of elements of a chunk, a power of two.
const (
	chunkBits = 12
	perChunk  = 1 << chunkBits
)

// at returns an element by its index.
func (l *chunks[E]) at(i int) *E { return &l.all[i>>chunkBits][i&(perChunk-1)] }

// add appends an element.
func (l *chunks[E]) add(e E) {
	last := l.count >> chunkBits
	if last == len(l.all) {
		l.all = append(l.all, nil)
		if last > 0 {
			l.all[last] = make([]E, 0, perChunk)
		}
	}
	l.all[last] = append(l.all[last], e)
	l.count++
}

// room makes room for up to n elements in an empty list.
func (l *chunks[E]) room(n int) { l.all = append(l.all, make([]E, 0, min(n, perChunk))) }

// hashOf returns a hash of a key of any length.
func hashOf(key string) uint64 {
	n := len(key)
	first, last := uint64(0), uint64(n)<<56 // up to 15 bytes, these two hold the key
	switch {
	case n > 15:
		first, last = uint64(n), load64(key[n-8:])
		for ; len(key) > 8; key = key[8:] {
			first = fold(first^load64(key)^firstMix, lastMix)
		}
	case n > 8:
		first = load64(key)
		last |= load64(key[n-8:]) >> (8 * (16 - n))
	case n == 8:
		first = load64(key)
	case n >= 4:
		first = load32(key) | load32(key[n-4:])<<(8*(n-4))
	default:
		for i := range n {
			first |= uint64(key[i]) << (8 * i)
		}
	}
	return fold(first^firstMix, last^lastMix)
}

// Numbers with many different bits.
const (
	firstMix = 0x9e3779b97f4a7c15
	lastMix  = 0xd6e8feb86659fd93
)

// fold mixes all bits of two numbers: it folds the halves of their product.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// load64 returns the first eight bytes of s, the first in the lowest bits. The
// compiler makes one load of it.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}
