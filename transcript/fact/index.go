package fact

import (
	"math"
	"math/bits"
	"slices"
)

// An Index numbers keys from 0 in the order of their first appearance. The zero Index is empty. It
// is not safe for concurrent use.
//
// Most lookups are of known keys. A map would compare a key with its first appearance somewhere in
// the source, far from any cache. An Index stores keys of up to 15 bytes, as most are, itself. Keys
// are stored in the order of their numbers, so that the keys of one text are adjacent.
type Index struct {
	slots []slot // their number is a power of two, and at most three quarters of them are taken
	keys  []shortKey
	long  map[string]int32 // longer keys; their elements of keys are not compared
}

// slot is 0 when it is free; otherwise the upper half of the hash of a key, and 1 +
// its number.
type slot uint64

func slotOf(hash uint64, number int) slot { return slot(hash>>32<<32 | uint64(number+1)) }

func (s slot) half() uint32 { return uint32(s >> 32) }
func (s slot) number() int  { return int(uint32(s)) - 1 }

// shortKey is a key of up to longestHeld bytes: its bytes, zeros, and its length in the
// highest byte of last. There is one for each fact of a source, so it is small.
type shortKey struct{ first, last uint64 }

// notHeld stands for a longer key.
var notHeld = shortKey{last: math.MaxUint64}

const (
	longestHeld = 15 // length in bytes of a key that is held
	fewest      = 64 // least number of slots, a power of two
)

// ID returns the number of a key. A new key is added and has the next number.
func (x *Index) ID(key string) int {
	if len(key) > longestHeld {
		return x.longID(key)
	}
	if 4*len(x.keys) >= 3*len(x.slots) {
		x.grow()
	}
	k := short(key)
	there := x.place(&k)
	if *there == 0 {
		*there = slotOf(k.hash(), len(x.keys))
		x.keys = append(x.keys, k)
	}
	return there.number()
}

// Find returns the number of a key; found is false when the key was never added.
func (x *Index) Find(key string) (id int, found bool) {
	if len(key) > longestHeld {
		id, found := x.long[key]
		return int(id), found
	}
	if len(x.slots) == 0 {
		return 0, false
	}
	k := short(key)
	there := x.place(&k)
	return there.number(), *there != 0
}

// Grow makes room for n more keys.
func (x *Index) Grow(n int) { x.keys = slices.Grow(x.keys, n) }

func (x *Index) longID(key string) int {
	id, known := x.long[key]
	if !known {
		id = int32(len(x.keys))
		if x.long == nil {
			x.long = map[string]int32{}
		}
		x.long[key] = id
		x.keys = append(x.keys, notHeld)
	}
	return int(id)
}

// place returns the slot of a key, or the free slot where it belongs.
func (x *Index) place(k *shortKey) *slot {
	hash := k.hash()
	for at := hash; ; at++ {
		there := &x.slots[at&uint64(len(x.slots)-1)]
		if *there == 0 || there.half() == uint32(hash>>32) && x.keys[there.number()] == *k {
			return there
		}
	}
}

// grow doubles the table. The table starts small, because a small table stays in the
// cache.
func (x *Index) grow() {
	x.slots = make([]slot, max(fewest, 2*len(x.slots)))
	for i := range x.keys {
		if k := &x.keys[i]; *k != notHeld {
			*x.place(k) = slotOf(k.hash(), i)
		}
	}
}

// hash mixes all bits of a key: it folds the two halves of a product.
func (k *shortKey) hash() uint64 {
	high, low := bits.Mul64(k.first^0x9e3779b97f4a7c15, k.last^0xd6e8feb86659fd93)
	return high ^ low
}

// short returns a key of up to longestHeld bytes in the form in which it is held.
func short(key string) shortKey {
	n := len(key)
	k := shortKey{last: uint64(n) << 56}
	switch {
	case n > 8:
		k.first = load64(key)
		k.last |= load64(key[n-8:]) >> (8 * (16 - n))
	case n == 8:
		k.first = load64(key)
	case n >= 4:
		k.first = load32(key) | load32(key[n-4:])<<(8*(n-4))
	default:
		for i := range n {
			k.first |= uint64(key[i]) << (8 * i)
		}
	}
	return k
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
