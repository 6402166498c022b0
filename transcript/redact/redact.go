// Package redact finds secrets in text and replaces them.
//
// It recognises secrets by forms that no other text has: the prefixes of the keys of
// providers, the lines around private keys, the form of signed tokens, passwords in
// URLs, and random values that are assigned to a name such as api_key. Text that only
// might be a secret (a UUID, a commit, a hash, an image in base64) stays. [Text] makes
// one pass, linear in the text, and needs no configuration.
package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Counts is the number of replaced secrets of each kind. The zero Counts is empty.
type Counts map[string]int

// Add adds the counts of another text.
func (c *Counts) Add(more Counts) {
	if *c == nil && len(more) > 0 {
		*c = Counts{}
	}
	for kind, n := range more {
		(*c)[kind] += n
	}
}

// Total returns the number of secrets of all kinds.
func (c Counts) Total() (n int) {
	for _, of := range c {
		n += of
	}
	return n
}

// String returns the kinds with their counts, the most frequent first: "2 GitHub
// token, 1 JWT"; "" for none.
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

// Opening begins the replacement of a secret: "[redacted: JWT]".
const Opening = "[redacted: "

// Text returns s with [redacted: kind] in place of each secret, and the number of
// secrets of each kind. Without secrets it returns s itself. Its own replacements are
// not secrets, so that a second pass changes nothing.
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

// secret is a range of a text.
type secret struct {
	kind     string
	from, to int
}

// at finds the secret that byte i of s begins: a key that starts there, or the value
// after a sign between a name and its value. Bytes before begin are not read.
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

// known finds a secret with a known form that begins at i.
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
