package bpe

import "strings"

// merger finds the tokens of pieces. The zero value is ready; it is for one
// goroutine at a time.
type merger struct {
	tokens []uint32
	dead   []uint64 // bit i: no tokens from byte i on fit those before it
	fits   [1 << fitBits]uint32
}

const (
	fitBits = 16 // 256 KB
	longRun = 16 // bytes of a token that is probably part of a run of spaces or dashes
)

// merge returns the tokens of piece, which must not be empty. The result is valid until
// the next call.
//
// Byte pair encoding joins neighbours that form a token, the lowest number first, until
// there are none. A search from left to right finds the same tokens in linear time,
// because only one sequence of tokens for a piece has no two neighbours that joining
// would have split otherwise. It tries the longest token first. If that does not fit
// the token before it, it tries a shorter one, and if none fits, the token before was
// wrong. The order of trials is free. A run of one character has tokens of dozens of
// lengths; there the token before is tried again first, because a run consists of one
// repeated token and a rest. (Hendrik van Antwerpen and Alexander Neubeck on
// github.blog, 2024, and their crate bpe.)
func (m *merger) merge(v *vocab, piece string) []uint32 {
	m.tokens = m.tokens[:0]
	token, length := v.longest(piece)
	if length == len(piece) {
		m.tokens = append(m.tokens, token)
		return m.tokens
	}
	m.revive(len(piece))
	pos := 0
	last := uint32(none)
	early := false // token is tried before the longest
	for {
		end := pos + length
		if m.dead[end>>6]>>(end&63)&1 == 0 && (last == none || m.fit(v, last, token)) {
			m.tokens = append(m.tokens, token)
			if end == len(piece) {
				return m.tokens
			}
			pos, last = end, token
			next, n := v.longest(piece[pos:])
			if early = n >= longRun && n != length && strings.HasPrefix(piece[pos:], piece[pos-length:pos]); !early {
				token, length = next, n
			}
			continue
		}
		if early {
			early = false
			token, length = v.longest(piece[pos:])
			continue
		}
		if shorter := v.record(token).prefix(); shorter != token {
			token, length = shorter, v.record(shorter).length()
			continue
		}
		// Go back to the token before and try others in its place. Those that were
		// tried before fail again.
		m.dead[pos>>6] |= 1 << (pos & 63)
		pos -= v.record(last).length()
		m.tokens = m.tokens[:len(m.tokens)-1]
		last = none
		if n := len(m.tokens); n > 0 {
			last = m.tokens[n-1]
		}
		token, length = v.longest(piece[pos:])
	}
}

// revive clears dead for a piece of n bytes.
func (m *merger) revive(n int) {
	words := n>>6 + 1
	if words > cap(m.dead) {
		m.dead = make([]uint64, words)
		return
	}
	m.dead = m.dead[:words]
	clear(m.dead)
}

// fit is [vocab.fit] with a cache. An entry of fits has the bits of the pair's hash that
// are not in its index. No two pairs have the same hash, so an entry identifies its
// pair.
func (m *merger) fit(v *vocab, left, right uint32) bool {
	const (
		rest  = 2*idBits - fitBits
		known = 1 << 31
		yes   = 1 << 30
	)
	h := hashPair(left, right) & (1<<(2*idBits) - 1)
	entry := &m.fits[h>>rest]
	pair := known | uint32(h)&(1<<rest-1)
	if *entry&^yes == pair {
		return *entry != pair
	}
	ok := v.fit(left, right)
	if *entry = pair; ok {
		*entry |= yes
	}
	return ok
}

// fit reports whether joining the bytes of left and right results in left and right. It
// undoes the joins of both, the latest first. At no step may the two tokens at the
// border form a token that would have been joined earlier.
func (v *vocab) fit(left, right uint32) bool {
	limit := uint32(none) - 1
	l, r := v.record(left), v.record(right)
	for {
		if l&grows != 0 && r&ends != 0 && v.joins(left, right, limit) {
			return false
		}
		if left > right {
			limit = left
			if left = l.right(); left == limit { // a byte: undo the other
				limit = right + 1
				if right = r.left(); right+1 == limit {
					return true
				}
				r = v.record(right)
				continue
			}
			l = v.record(left)
		} else {
			limit = right + 1
			if right = r.left(); right+1 == limit {
				limit = left
				if left = l.right(); left == limit {
					return true
				}
				l = v.record(left)
				continue
			}
			r = v.record(right)
		}
	}
}
