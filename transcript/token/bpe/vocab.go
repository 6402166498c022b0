package bpe

import "math/bits"

// vocab is a vocabulary in tables that are used as they lie in the program: see
// [Build], which makes them, for what is in them. A token's number is its rank,
// which is the order in which tokens are merged.
type vocab struct {
	units  string // the trie
	tokens string // a record for each token
	pairs  string // the hash table of pairs
	filter string // a bit for each hash of a pair that is in the table, and for some that are not
	shift  int    // of the hash of a pair
}

// The tables begin with the length of each of the four in bytes.
const headerSize = 4 * 4

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

// A unit of the trie is a byte on the way through the tokens. Its children are
// at base + 1 + their byte; no two units have one base, so the byte tells whose
// child it is. At base itself is the number of the token that ends here, when
// the unit has children; a unit without has the number in place of the base.
const (
	unitByte  = 0xff
	unitChild = 1 << 8  // it is reached by a byte, not a number at a base
	unitLeaf  = 1 << 9  // the base is a number
	unitToken = 1 << 10 // a token ends here, its number is at the base
	unitBase  = 11      // the base begins at this bit
)

// A record is 64 bits: of a token, the two tokens that are merged to it last
// (itself twice when it is a byte), the longest token that it begins with, other
// than itself (itself when it is a byte), the length, and whether it is ever
// merged with a token on its right or its left.
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

// longest returns the longest token that s, which is not empty, begins with, and
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

// filterBits is the binary logarithm of the bits in the filter for each entry of
// the table of pairs: a quarter of a byte, 128 KB for o200k_base, which fits a
// cache, as the table does not. Of 100 pairs that are no token it lets 19 through.
const filterBits = 1

// An entry of the pair table is the number of a token, and above it a part of
// the hash, so that most lookups of pairs that are no token end at the entry.
// The table is not full, and its end is not wrapped around.
func hashPair(left, right uint32) uint64 {
	return (uint64(left)<<idBits | uint64(right)) * 0x9e3779b97f4a7c15 // 2^64 / golden ratio
}

// tag is never 0, so an entry never is.
func tag(h uint64) uint32 { return uint32(h>>20)&(1<<(32-idBits)-1) | 1 }
