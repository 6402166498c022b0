package bpe

import "math/bits"

// The tables are strings of little-endian numbers, read where they lie: the
// compiler makes one load and one check of each of these.

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
