package fact

import "strings"

// Limits of what counts as a fact, in bytes. Shorter words are too common to
// refer to anything; longer ones are data.
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
	joint // . / - : and what else stands inside a word
)

// class gives the class of a byte, 0 for what ends a word. Bytes beyond ASCII
// do: scripts without spaces would make words of whole sentences.
var class = [256]byte{
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower, 'h': lower, 'i': lower, 'j': lower, 'k': lower, 'l': lower, 'm': lower,
	'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower, 's': lower, 't': lower, 'u': lower, 'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper, 'J': upper, 'K': upper, 'L': upper, 'M': upper,
	'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper, 'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'_': under, '$': under,
	'.': joint, '/': joint, '-': joint, ':': joint, '@': joint, '#': joint, '~': joint, '+': joint, '\\': joint,
}

// Each calls yield for every fact of text, in order: where its word starts, and
// its key, a substring by which other mentions of the same thing are known. The
// key of a path is its last two elements, so that an absolute path, a relative
// one and one with a line number are the same fact.
func Each(text string, yield func(at int, key string)) {
	fresh := true // at the start of a line
	for i := 0; i < len(text); {
		if fresh {
			i += gutter(text[i:])
			fresh = false
			continue
		}
		if class[text[i]] == 0 {
			fresh = text[i] == '\n'
			i++
			continue
		}
		start, seen := i, byte(0)
		for i < len(text) && class[text[i]] != 0 {
			seen |= class[text[i]]
			i++
		}
		if seen&(digit|upper|under|joint) == 0 || i-start < shortest {
			continue // a plain word
		}
		split(text[start:i], start, yield)
	}
}

// gutter is the length of the line number that a line begins with, blanks
// included: what editors and tools put in front (12→, 12|, 12 and a tab).
func gutter(line string) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '	') {
		i++
	}
	digits := i
	for i < len(line) && class[line[i]] == digit {
		i++
	}
	for _, end := range [...]string{"	", "→", "|"} {
		if i > digits && strings.HasPrefix(line[i:], end) {
			return i + len(end)
		}
	}
	return 0
}

// split yields the facts of a word: the word, or the sides of a colon that is
// not part of an address, a drive or a scope.
func split(w string, at int, yield func(int, string)) {
	for from := 0; ; {
		i := strings.IndexByte(w[from:], ':')
		if i < 0 {
			break
		}
		i += from
		rest := w[i+1:]
		switch {
		case strings.HasPrefix(rest, "//"): // an address: one fact to its end
			one(w, at, yield)
			return
		case strings.HasPrefix(rest, ":"):
			from = i + 2
			continue
		case i == 1 && strings.HasPrefix(rest, `\`):
			from = i + 1
			continue
		}
		one(w[:i], at, yield)
		w, at, from = rest, at+i+1, 0
	}
	one(w, at, yield)
}

// one yields w if it has the shape of a fact.
func one(w string, at int, yield func(int, string)) {
	trimmed := strings.TrimLeft(w, `.+\@`)
	if cut := len(w) - len(trimmed); cut > 0 && strings.HasPrefix(trimmed, "/") {
		at, w = at+cut, trimmed
	} else if cut > 0 && w[0] != '.' {
		at, w = at+cut, trimmed
	}
	w = strings.TrimRight(w, `./-+\@#~`)
	if len(w) < shortest || len(w) > longest {
		return
	}
	if key := key(w); key != "" {
		yield(at, key)
	}
}

// key gives the key of a word that refers to something, or "".
func key(w string) string {
	var s shape
	s.read(w)
	switch {
	case s.slashes > 0:
		return pathKey(w, &s)
	case s.letters == 0:
		if s.digits >= 3 || s.digits >= 2 && (s.dots > 0 || w[0] == '#') {
			return w
		}
		return ""
	case s.unders > 0, s.humps > 0, s.dots > 0 && len(w) >= 5, s.scopes > 0:
		return w
	case s.digits > 0, s.dashes >= 2, s.capitals == s.letters && s.letters >= 4:
		return w
	}
	return ""
}

// pathKey gives the last two elements of a path, or "" for "and/or".
func pathKey(w string, s *shape) string {
	if s.letters == 0 {
		return ""
	}
	rooted := w[0] == '/' || w[0] == '~' || w[0] == '.'
	if s.slashes == 1 && s.dots == 0 && s.digits == 0 && s.unders == 0 && !rooted {
		return ""
	}
	if i := strings.LastIndexAny(w, `/\`); i > 0 {
		if j := strings.LastIndexAny(w[:i], `/\`); j >= 0 {
			return w[j+1:]
		}
	}
	return strings.TrimLeft(w, `/.~`)
}

// shape is what a word is made of.
type shape struct {
	letters, capitals, digits, unders, humps, slashes, dots, dashes, scopes int
}

func (s *shape) read(w string) {
	for i := 0; i < len(w); i++ {
		c := w[i]
		switch class[c] {
		case lower:
			s.letters++
			if i >= 1 && class[w[i-1]] == upper && s.letters > s.capitals+1 {
				s.humps++ // SomeName, someName
			}
		case upper:
			s.letters++
			s.capitals++
			if i >= 1 && class[w[i-1]] == lower {
				s.humps++
			}
		case digit:
			s.digits++
		case under:
			s.unders++
		case joint:
			switch c {
			case '/', '\\':
				s.slashes++
			case '.':
				s.dots++
			case '-':
				s.dashes++
			case ':':
				s.scopes++
			}
		}
	}
}
