package bpe

// cache has the counts of short pieces that were counted before. Most of a text
// is made of few words, and they are found here with one look at memory that is
// near. The zero value is empty.
type cache [1 << slotBits]key

const (
	slotBits  = 15 // 512 KB: with less, more is counted again; with more, it is further away
	cached    = 15 // bytes of the longest piece that has a key
	countAt   = 56 // bit of high where an entry has its count
	lengthBit = 60 // bit of high where a key has its length
	countMask = 0xf << countAt
)

// key is the bytes of a piece, the first in the lowest bits of low, and their
// number. An entry of the cache is a key and its count; an empty one is no key's.
type key struct{ low, high uint64 }

// masks has what to keep of the 16 bytes at the beginning of a piece, by its length.
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

// slot returns where in the cache it is, if it is.
func (k key) slot() uint64 {
	return (k.low ^ k.high*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93 >> (64 - slotBits)
}
