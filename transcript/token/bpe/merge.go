package bpe

import "strings"

// merger finds the tokens of pieces. The zero value is ready; it is for one
// goroutine at a time.
type merger struct {
	tokens []uint32
	dead   []uint64 // bit i: no tokens of what follows byte i fit what is before it
	fits   [1 << fitBits]uint32
}

const (
	fitBits = 16 // 256 KB
	longRun = 16 // bytes of a token that is likely one of a run: of spaces, of dashes
)

// merge returns the tokens of piece, which is not empty, until the next call.
//
// Byte pair encoding joins, of all neighbours that are a token together, those
// with the lowest number first, until there are none. The same tokens come out,
// in time that grows with the length of the piece and no faster, by looking for
// them from left to right: of all ways to write a piece in tokens only one has
// no two neighbours that joining would have written otherwise. Take the longest
// token; if it does not go with the one before, a shorter one; if none does, the
// one before was wrong. In what order they are tried is free: in a run of one
// character, where there are tokens of dozens of lengths, the one before is
// tried again first, for runs are made of one token and a rest. (Hendrik van
// Antwerpen and Alexander Neubeck, "So many tokens, so little time", github.blog,
// 2024; their crate is bpe.)
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
	early := false // token is tried before its turn
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
		// Back to the token before, and through all that can stand there: those that
		// were tried lead to here or do not fit still.
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

// revive makes nothing dead in a piece of n bytes.
func (m *merger) revive(n int) {
	words := n>>6 + 1
	if words > cap(m.dead) {
		m.dead = make([]uint64, words)
		return
	}
	m.dead = m.dead[:words]
	clear(m.dead)
}

// fit is [vocab.fit], which it asks once for what comes often. An entry of fits is
// the bits of the pair's hash that its place does not tell: no two pairs have the
// same hash, so it is that pair's.
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

// fit reports whether joining the bytes of left and right gives left and right. It
// undoes the joins of both, the latest first; between what lies at the border at
// each step there must not have been a join that would have come sooner.
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
