package fact

import "strings"

// Lengths of a fact, in bytes. Shorter words are too common to refer to anything;
// longer words are data.
const (
	shortest = 3
	longest  = 200
)

// Class bits of bytes.
const (
	lower = 1 << iota
	upper
	digit
	under // _ or $
	dot
	slash // of either kind
	colon
	other // other bytes inside a word

	joint = dot | slash | other
)

// class holds the class of each byte; 0 ends a word. Bytes outside ASCII do, because
// scripts without spaces would make words of whole sentences.
var class = [256]byte{
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower, 'h': lower, 'i': lower, 'j': lower, 'k': lower, 'l': lower, 'm': lower,
	'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower, 's': lower, 't': lower, 'u': lower, 'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper, 'J': upper, 'K': upper, 'L': upper, 'M': upper,
	'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper, 'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'_': under, '$': under,
	'.': dot, '/': slash, '\\': slash, ':': colon, '-': other, '@': other, '#': other, '~': other, '+': other,
}

// Each calls yield for every fact of text, in order, with the byte offset of its word
// and its key. The key is a substring by which other mentions of the same thing are
// recognised: the key of a path is its last two elements, so that an absolute path, a
// relative path and a path with a line number are one fact.
func Each(text string, yield func(at int, key string)) {
	fresh := true // at the start of a line
	for i := 0; i < len(text); {
		if fresh {
			i += gutter(text[i:])
			fresh = false
			continue
		}
		start, seen := i, byte(0)
		for i < len(text) {
			c := class[text[i]]
			if c == 0 {
				break
			}
			seen |= c
			i++
		}
		switch {
		case seen&^lower == 0 || i-start < shortest: // a plain word, or no word
		case seen&colon != 0:
			split(text[start:i], start, yield)
		default:
			one(text[start:i], start, yield)
		}
		for i < len(text) && !fresh && class[text[i]] == 0 {
			fresh = text[i] == '\n'
			i++
		}
	}
}

// gutter returns the length of the line number at the beginning of a line, blanks
// included, as editors and tools write it (12→, 12|, 12 and a tab); 0 without one.
func gutter(line string) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '	') {
		i++
	}
	digits := i
	for i < len(line) && class[line[i]] == digit {
		i++
	}
	if i == digits {
		return 0
	}
	for _, end := range [...]string{"	", "→", "|"} {
		if strings.HasPrefix(line[i:], end) {
			return i + len(end)
		}
	}
	return 0
}

// split calls yield for the facts of a word with a colon: the whole word, or the two
// sides of a colon that does not belong to an address, a drive or a scope.
func split(w string, at int, yield func(int, string)) {
	for i := 0; i < len(w); i++ {
		if w[i] != ':' {
			continue
		}
		rest := w[i+1:]
		switch {
		case strings.HasPrefix(rest, "//"): // an address is one fact
			one(w, at, yield)
			return
		case strings.HasPrefix(rest, ":"):
			i++
			continue
		case i == 1 && strings.HasPrefix(rest, `\`):
			continue
		}
		one(w[:i], at, yield)
		w, at, i = rest, at+i+1, -1
	}
	one(w, at, yield)
}

// one calls yield for w if it has the shape of a fact.
func one(w string, at int, yield func(int, string)) {
	cut := 0
	for cut < len(w) && leads(w[cut]) {
		cut++
	}
	if cut > 0 && (w[0] != '.' || cut < len(w) && w[cut] == '/') {
		at, w = at+cut, w[cut:]
	}
	for len(w) > 0 && trails(w[len(w)-1]) {
		w = w[:len(w)-1]
	}
	if len(w) < shortest || len(w) > longest {
		return
	}
	if key := key(w); key != "" {
		yield(at, key)
	}
}

// leads reports whether a byte before a word does not belong to it.
func leads(c byte) bool {
	switch c {
	case '.', '+', '\\', '@':
		return true
	}
	return false
}

// trails reports whether a byte after a word does not belong to it.
func trails(c byte) bool {
	return class[c]&joint != 0
}

// key returns the key of a word that refers to something, otherwise "". The word is at
// most longest bytes long.
func key(w string) string {
	s := read(w)
	letters, digits, dots := s.count(lowers)+s.count(capitals), s.count(digits), s.count(dots)
	switch {
	case s.count(slashes) > 0:
		return pathKey(w, s)
	case letters == 0:
		if digits >= 3 || digits >= 2 && (dots > 0 || w[0] == '#') {
			return w
		}
		return ""
	case s.count(unders) > 0, humped(w, s), dots > 0 && len(w) >= 5, s.count(scopes) > 0:
		return w
	case digits > 0, letters >= 4 && s.count(lowers) == 0, strings.Count(w, "-") >= 2:
		return w
	}
	return ""
}

// pathKey returns the last two elements of a path, or "" for "and/or".
func pathKey(w string, s shape) string {
	if s.count(lowers)+s.count(capitals) == 0 {
		return ""
	}
	rooted := w[0] == '/' || w[0] == '~' || w[0] == '.'
	if s.count(slashes) == 1 && s.count(dots)+s.count(digits)+s.count(unders) == 0 && !rooted {
		return ""
	}
	if i := lastSlash(w); i > 0 {
		if j := lastSlash(w[:i]); j >= 0 {
			return w[j+1:]
		}
	}
	return strings.TrimLeft(w, `/.~`)
}

// lastSlash returns the index of the last slash of either kind, -1 without one.
func lastSlash(w string) int {
	i := len(w) - 1
	for i >= 0 && class[w[i]] != slash {
		i--
	}
	return i
}

// shape counts the classes of the bytes of a word of up to 255 bytes, in eight bits
// each, so that counting a byte is one addition.
type shape uint64

// The counts of a shape, by the bit that each starts at.
const (
	lowers = 8 * iota
	capitals
	digits
	unders
	dots
	slashes
	scopes // colons
)

func (s shape) count(of int) int { return int(s >> of & 0xff) }

// counts returns the shape of a byte by its class.
var counts = [...]shape{
	lower: 1 << lowers, upper: 1 << capitals, digit: 1 << digits, under: 1 << unders,
	dot: 1 << dots, slash: 1 << slashes, colon: 1 << scopes, other: 0,
}

func read(w string) (s shape) {
	for i := range len(w) {
		s += counts[class[w[i]]]
	}
	return s
}

// humped reports whether a word of letters and digits has a capital after a lower-case
// letter, or the reverse inside the word: someName, SomeName; not HTTPServer.
func humped(w string, s shape) bool {
	if s.count(lowers) == 0 || s.count(capitals) == 0 {
		return false
	}
	before, lowered := byte(0), false // class of the byte before; a lower letter has come
	for i := range len(w) {
		c := class[w[i]]
		if c == upper && before == lower || c == lower && before == upper && lowered {
			return true
		}
		lowered = lowered || c == lower
		before = c
	}
	return false
}
