package fact

import "math/bits"

// Index numbers keys from 0 in the order in which they first come. The zero
// Index is empty; it is for one goroutine at a time.
//
// Nearly all mentions are of facts that were met before. A map would compare the
// key with where it was first met, somewhere in the source, far from any cache;
// here a key of up to 16 bytes, as nearly all are, lies in the table itself.
type Index struct {
	slots []slot           // a power of two, at most half of them taken
	taken int              // of slots
	long  map[string]int32 // the longer keys
}

// slot holds a key: its length, and its first and last eight bytes, which are all
// of it.
type slot struct {
	first, last uint64
	length      uint32
	number      int32 // 1 + that of the key; 0 in a free slot
}

const (
	inSlot = 16   // length of the longest key that a slot holds, in bytes
	fewest = 1024 // slots, a power of two
)

// Len is how many keys there are.
func (x *Index) Len() int { return x.taken + len(x.long) }

// ID gives the number of a key: the value of Len before, when it is new.
func (x *Index) ID(key string) int {
	if len(key) > inSlot {
		return x.longID(key)
	}
	if 2*x.taken >= len(x.slots) {
		x.grow()
	}
	s := slotOf(key)
	there := x.place(&s)
	if there.number == 0 {
		s.number = int32(x.Len()) + 1
		*there = s
		x.taken++
	}
	return int(there.number) - 1
}

// Find gives the number of a key that there is; false when there is none such.
func (x *Index) Find(key string) (id int, found bool) {
	if len(key) > inSlot {
		id, found := x.long[key]
		return int(id), found
	}
	if len(x.slots) == 0 {
		return 0, false
	}
	s := slotOf(key)
	there := x.place(&s)
	return int(there.number) - 1, there.number != 0
}

func (x *Index) longID(key string) int {
	id, known := x.long[key]
	if !known {
		id = int32(x.Len())
		if x.long == nil {
			x.long = map[string]int32{}
		}
		x.long[key] = id
	}
	return int(id)
}

// place is the slot that holds the same key as s, or is free for it.
func (x *Index) place(s *slot) *slot {
	for at := s.hash(); ; at++ {
		there := &x.slots[at&uint64(len(x.slots)-1)]
		if there.number == 0 || there.first == s.first && there.last == s.last && there.length == s.length {
			return there
		}
	}
}

// grow doubles the table. It begins small: what fits a cache is not missed there.
func (x *Index) grow() {
	old := x.slots
	x.slots = make([]slot, max(fewest, 2*len(old)))
	for i := range old {
		if old[i].number != 0 {
			*x.place(&old[i]) = old[i]
		}
	}
}

// hash mixes all of a key: the two halves of a product, folded.
func (s *slot) hash() uint64 {
	high, low := bits.Mul64(s.first^0x9e3779b97f4a7c15, s.last^0xd6e8feb86659fd93+uint64(s.length))
	return high ^ low
}

// slotOf gives a key of up to inSlot bytes as a slot holds it. Of a short key the
// first and the last bytes overlap.
func slotOf(key string) slot {
	n := len(key)
	s := slot{length: uint32(n)}
	switch {
	case n >= 8:
		s.first, s.last = load64(key), load64(key[n-8:])
	case n >= 4:
		s.first, s.last = load32(key), load32(key[n-4:])
	default:
		for i := range n {
			s.first |= uint64(key[i]) << (8 * i)
		}
	}
	return s
}

// load64 gives the first eight bytes of s, the first in the lowest bits. The
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
