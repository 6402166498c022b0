// Package redact finds secrets in text and replaces them.
//
// It knows secrets by what cannot be anything else: the prefixes that providers
// give their keys, the lines around private keys, the form of a token that signs
// itself, passwords in URLs, and values that a name such as api_key is given, when
// they look drawn by lot. What only might be a secret (a UUID, a commit, a hash, a
// picture as base64) stays. It is one pass, linear in the text.
package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Counts are how many secrets of each kind were replaced. The zero value is none.
type Counts map[string]int

// Add adds those of another text.
func (c *Counts) Add(more Counts) {
	if *c == nil && len(more) > 0 {
		*c = Counts{}
	}
	for kind, n := range more {
		(*c)[kind] += n
	}
}

// Total is the number of secrets of all kinds.
func (c Counts) Total() (n int) {
	for _, of := range c {
		n += of
	}
	return n
}

// String lists the kinds, most first: "2 GitHub token, 1 JWT"; "" for none.
func (c Counts) String() string {
	kinds := make([]string, 0, len(c))
	for kind := range c {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(c[b]-c[a], strings.Compare(a, b)) })
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", c[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// Opening begins what stands in place of a secret: "[redacted: JWT]".
const Opening = "[redacted: "

// Text is s with [redacted: kind] in place of each secret, and how many there
// were of each kind. Without any it is s itself. What it wrote it leaves alone:
// a second time changes nothing.
func Text(s string) (string, Counts) {
	var out strings.Builder
	var counts Counts
	done := 0 // bytes of s that are in out
	for i := 0; i < len(s); {
		found, ok := at(s, i, done)
		if !ok {
			i++
			continue
		}
		if counts == nil {
			counts = Counts{}
		}
		counts[found.kind]++
		out.WriteString(s[done:found.from])
		out.WriteString(Opening + found.kind + "]")
		done, i = found.to, max(found.to, i+1)
	}
	if counts == nil {
		return s, nil
	}
	out.WriteString(s[done:])
	return out.String(), counts
}

// secret is a stretch of a text.
type secret struct {
	kind     string
	from, to int
}

// at finds the secret that byte i of s gives away: a key that begins there, or
// the sign between a name and its value. Nothing before the byte begin counts.
func at(s string, i, begin int) (secret, bool) {
	switch s[i] {
	case '=', ':':
		if found, ok := inURL(s, i, begin); ok {
			return found, true
		}
		return assigned(s, i, begin)
	case '-':
		return privateKey(s, i)
	}
	if !wordByte(s[i]) || i > 0 && wordByte(s[i-1]) {
		return secret{}, false
	}
	return known(s, i)
}

// known finds a secret of a known form that begins at i.
func known(s string, i int) (secret, bool) {
	if found, ok := webToken(s, i); ok {
		return found, true
	}
	if s[i] >= byte(len(keys)) {
		return secret{}, false
	}
	for _, k := range keys[s[i]] {
		if to, ok := k.at(s, i); ok {
			return secret{k.kind, i, to}, true
		}
	}
	return secret{}, false
}

func letter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool    { return '0' <= c && c <= '9' }
func wordByte(c byte) bool { return letter(c) || digit(c) || c == '_' }
