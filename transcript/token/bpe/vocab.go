package bpe

import "math/bits"

// vocab is a vocabulary in tables that are used in place; [Build] writes them. The
// number of a token is its rank: tokens are merged in the order of their numbers.
type vocab struct {
	units  string // the trie
	tokens string // a record for each token
	pairs  string // the hash table of pairs
	filter string // a bit for each hash of a pair in the table, which other pairs may share
	shift  int    // of the hash of a pair
}

// The tables begin with the lengths of the four, in bytes.
const headerSize = 4 * 4

// open returns the vocabulary in these tables.
func open(tables string) vocab {
	units, tokens, pairs, filter := int(load32(tables, 0)), int(load32(tables, 4)), int(load32(tables, 8)), int(load32(tables, 12))
	rest := tables[headerSize:]
	return vocab{
		units:  rest[:units],
		tokens: rest[units:][:tokens],
		pairs:  rest[units+tokens:][:pairs],
		filter: rest[units+tokens+pairs:][:filter],
		shift:  64 - (bits.Len(uint(pairs/4)) - 1), // 2^n entries, and some after the end
	}
}

// A unit of the trie is a byte on the path to a token. Its children are at base + 1 +
// their byte. No two units share a base, so the byte identifies the parent. At base
// itself is the number of the token that ends here, when the unit has children. A unit
// without children has the number instead of the base.
const (
	unitByte  = 0xff
	unitChild = 1 << 8  // a byte leads here; it is not the number at a base
	unitLeaf  = 1 << 9  // the base is a number
	unitToken = 1 << 10 // a token ends here, its number is at the base
	unitBase  = 11      // the base begins at this bit
)

// record describes a token in 64 bits: the two tokens that are merged into it last
// (itself twice for a byte), the longest other token that it begins with (itself for
// a byte), the length, and whether it is ever merged with a token on its right or left.
type record uint64

const (
	idBits = 18
	idMask = 1<<idBits - 1

	rightAt  = idBits
	prefixAt = 2 * idBits
	lengthAt = 3 * idBits
	grows    = record(1) << 62 // merged with one on its right
	ends     = record(1) << 63 // merged with one on its left
)

func (r record) left() uint32   { return uint32(r) & idMask }
func (r record) right() uint32  { return uint32(r>>rightAt) & idMask }
func (r record) prefix() uint32 { return uint32(r>>prefixAt) & idMask }
func (r record) length() int    { return int(r>>lengthAt) & 0xff }

func (v *vocab) record(id uint32) record { return record(load64(v.tokens, int(id)*8)) }

// longest returns the longest token at the start of s, which must not be empty, and
// its length.
func (v *vocab) longest(s string) (id uint32, length int) {
	var (
		base  = 0 // of the root
		found = 0 // the slot with the number of the longest so far
	)
	for i := range len(s) {
		c := s[i]
		unit := load32(v.units, (base+1+int(c))*4)
		if unit&(unitByte|unitChild) != unitChild|uint32(c) {
			break
		}
		base = int(unit >> unitBase)
		if unit&unitLeaf != 0 {
			return uint32(base), i + 1
		}
		if unit&unitToken != 0 {
			found, length = base, i+1
		}
	}
	return load32(v.units, found*4) >> unitBase, length
}

// joins reports whether left and right are joined to a token below limit.
func (v *vocab) joins(left, right, limit uint32) bool {
	h := hashPair(left, right)
	if bit := h >> (v.shift - filterBits); v.filter[bit>>3]>>(bit&7)&1 == 0 {
		return false
	}
	for at := int(h >> v.shift); ; at++ {
		entry := load32(v.pairs, at*4)
		if entry == 0 {
			return false
		}
		if id := entry & idMask; entry>>idBits == tag(h) && id < limit {
			if r := v.record(id); r.left() == left && r.right() == right {
				return true
			}
		}
	}
}

const none = 1<<32 - 1

// filterBits is the binary logarithm of the bits in the filter for each entry of the
// table of pairs. At a quarter of a byte the filter of o200k_base has 128 KB and fits
// a cache, unlike the table. Of 100 pairs that are not a token, 19 pass the filter.
const filterBits = 1

// An entry of the pair table is the number of a token, and above it a part of the
// hash, so that most lookups of pairs that are not a token end at the entry. The table
// is never full, and a search does not wrap around its end.
func hashPair(left, right uint32) uint64 {
	return (uint64(left)<<idBits | uint64(right)) * 0x9e3779b97f4a7c15 // 2^64 / golden ratio
}

// tag is never 0, and neither is an entry.
func tag(h uint64) uint32 { return uint32(h>>20)&(1<<(32-idBits)-1) | 1 }

// The tables are strings of little-endian numbers that are read in place. The compiler
// turns each of these functions into one load with one bounds check.

func load32(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// firstByte returns the index of the lowest byte of v whose high bit is set.
func firstByte(v uint64) int { return bits.TrailingZeros64(v) >> 3 }
