package redact

import (
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule describes the secrets of one kind. A rule with starts finds them anywhere, and a rule with
// names only in values whose names contain one of these.
type rule struct {
	family  string   // the id of the rule where it is maintained
	kind    string   // stands in place of a secret
	starts  []string // one of them is in every secret
	back    int      // number of bytes of a secret before a start
	fold    bool     // starts are written in any case; they are listed in lower case
	edge    bool     // a secret begins after a byte that is no letter, digit or _
	names   []string // in lower case, without characters between words
	value   string   // the expression of a secret
	most    int      // the greatest length of a secret in bytes
	entropy float64  // the least entropy of a secret in bits a byte, 0 for any
}

// table is a list of rules with indices. It is safe for concurrent use.
type table struct {
	likely [1 << 9]uint64 // the trigrams with which starts begin
	starts map[uint16][]start
	first  [1 << 9]uint64 // the trigrams with which names begin
	names  map[uint16][]name
}

type start struct {
	text string
	rule *compiled
}

type name struct {
	text string
	rule *compiled
}

// compiled is a rule with its expression, which is compiled when it is needed first.
type compiled struct {
	rule
	expr func() *regexp.Regexp
}

// known is the table of all rules.
var known = sync.OnceValue(func() *table { return newTable(slices.Concat(providers, gitleaks)) })

func newTable(rules []rule) *table {
	t := &table{starts: map[uint16][]start{}, names: map[uint16][]name{}}
	for _, r := range rules {
		c := &compiled{rule: r, expr: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + r.value + `)`) })}
		for _, text := range r.starts {
			for _, h := range trigrams(text) {
				t.likely[h>>6] |= 1 << (h & 63)
				t.starts[h] = append(t.starts[h], start{text, c})
			}
		}
		for _, text := range r.names {
			h := trigram(text)
			t.first[h>>6] |= 1 << (h & 63)
			t.names[h] = append(t.names[h], name{text, c})
		}
	}
	return t
}

// trigram returns a number below 1<<15 for the first three bytes of a text, in any case.
func trigram(text string) uint16 {
	return uint16(text[0]&31)<<10 | uint16(text[1]&31)<<5 | uint16(text[2]&31)
}

// trigrams returns the trigrams with which texts that start with a text of two bytes or more begin.
func trigrams(text string) (list []uint16) {
	if len(text) > 2 {
		return []uint16{trigram(text)}
	}
	for c := range byte(32) {
		list = append(list, trigram(text+string(c)))
	}
	return list
}

// starting finds a secret that has a start at byte i, if it begins with the trigram h. Bytes
// before begin are not read.
func (t *table) starting(h uint16, s string, i, begin int) (found secret, ok bool) {
	for _, st := range t.starts[h] {
		r := st.rule
		from := i - r.back
		if from < begin || len(s)-i < len(st.text) || !hasStart(s[i:], st.text, r.fold) || r.edge && !distinct(st.text) && !edge(s, from, begin) {
			continue
		}
		if r.edge && from >= begin+2 && s[from-1] == '+' && valueByte(s[from-2]) {
			continue // in an image
		}
		if len(st.text) == 2 && digits(s[from:min(len(s), from+40, from+r.most)]) < 2 {
			continue // a word is as likely
		}
		if to, ok := r.match(s, from); ok && (!r.edge || r.ends(s, to)) {
			found = longer(found, secret{r.kind, from, wordEnd(s, to)})
		}
	}
	return found, found.to > 0
}

// longer returns the longer of two secrets.
func longer(a, b secret) secret {
	if b.to-b.from > a.to-a.from {
		return b
	}
	return a
}

// ends reports whether a secret may end before byte i: not inside a word or the name of a file.
func (r *compiled) ends(s string, i int) bool {
	switch {
	case i == len(s):
		return true
	case wordByte(s[i]):
		return !wordByte(s[i-1])
	case r.back > 0 && (s[i] == '~' || s[i] == '-'):
		return false
	}
	return s[i] != '.' || i+1 == len(s) || !letter(s[i+1])
}

// leastDistinct is the length in bytes from which a start that ends in punctuation, such as glsa_, is part of no word.
const leastDistinct = 5

// distinct reports whether a secret with a start needs no edge in front of it. Words such as task- and disk- end like
// the start of some keys.
func distinct(start string) bool {
	last := start[len(start)-1]
	return len(start) >= leastDistinct && !letter(last) && !digit(last) && !strings.HasPrefix(start, "sk-")
}

func hasStart(s, text string, fold bool) bool {
	if fold {
		return strings.EqualFold(s[:len(text)], text)
	}
	return s[:len(text)] == text
}

// match reports whether a secret of the rule begins at from, and returns its end.
func (r *compiled) match(s string, from int) (to int, ok bool) {
	window := s[from:min(len(s), from+r.most)]
	if !varied(window) {
		return 0, false
	}
	at := r.expr().FindStringIndex(window)
	if at == nil {
		return 0, false
	}
	value := window[:at[1]]
	if p := profileOf(value); p.digits == 0 && 3*p.upper < p.n && r.names == nil {
		return 0, false // a name in code
	}
	if entropy(value) < r.entropy || variety(value) < 6 || sample(value) {
		return 0, false
	}
	return from + at[1], true
}

// varied reports whether the start of a text has enough different bytes for a secret. It costs less
// than an expression.
func varied(s string) bool {
	var seen uint64
	for i := range min(len(s), 24) {
		seen |= 1 << (s[i] & 63)
	}
	return bits.OnesCount64(seen) >= 7
}

// wordEnd returns the end of the word that a secret ends in.
func wordEnd(s string, to int) int {
	for to < len(s) && wordByte(s[to]) && wordByte(s[to-1]) {
		to++
	}
	return to
}

// named returns the secret at from whose rule has a name in the text that precedes it; the zero secret
// for none.
func (t *table) named(s string, from int, before string) (found secret) {
	var plain [maxBefore]byte // in lower case, without the characters between words
	var at [maxBefore]int     // the places of these bytes
	k := 0
	for i := range min(len(before), maxBefore) {
		if c := before[i]; letter(c) || digit(c) {
			plain[k], at[k] = c, i
			if letter(c) {
				plain[k] |= 0x20
			}
			k++
		}
	}
	for i := 0; i+3 <= k; i++ {
		h := trigram(string(plain[i : i+3]))
		if t.first[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, n := range t.names[h] {
			end := i + len(n.text)
			if end > k || string(plain[i:end]) != n.text || !wordAt(before, at[i], at[end-1]+1) {
				continue
			}
			if to, ok := n.rule.match(s, from); ok && (to == len(s) || !wordByte(s[to]) && s[to] != '-') {
				found = longer(found, secret{n.rule.kind, from, to})
			}
		}
	}
	return found
}

// wordAt reports whether a name from byte i to byte j begins a word; a short one must not be the end
// of one word and the start of another, as in sumOfAll.
func wordAt(s string, i, j int) bool {
	if i > 0 && letter(s[i-1]) && !(upperAt(s, i) && !upperAt(s, i-1)) {
		return false
	}
	if j-i > 5 {
		return true
	}
	for k := i + 1; k < j; k++ {
		if upperAt(s, k) && !upperAt(s, k-1) {
			return false
		}
	}
	return true
}

// edge reports whether a word may begin at i: after no word, after the end of an escape such as %3D
// or \n or a colour, or where the kind of letter changes.
func edge(s string, i, begin int) bool {
	if i <= begin || !wordByte(s[i-1]) {
		return true
	}
	if n, _ := escapeBefore(s, i, begin); n > 0 {
		return true
	}
	before, c := s[i-1], s[i]
	small, capital := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z'
	return before == '_' || small && (digit(before) || 'A' <= before && before <= 'Z') || capital && 'a' <= before && before <= 'z'
}
