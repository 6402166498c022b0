package squeeze

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// lines cuts the inside of a JSON string at its line ends.
func (c *jsonCut) lines(at, to int, under int32, path uint64) {
	s := c.t.Source[:to]
	for at < to {
		end, isLine := escapedLine(s, at)
		text := s[at:end]
		if isLine {
			text = text[:len(text)-len(`\n`)]
		}
		if n, _ := readMark(text); n > 0 {
			c.mark(at, end, under)
			at = end
		}
		for at < end && c.t.marked {
			from, behind, n := findMark(s[at:end])
			if n == 0 {
				break
			}
			c.line(at, at+from, under, path)
			c.mark(at+from, at+behind, under)
			at += behind
		}
		c.line(at, end, under, path)
		at = end
	}
}

// mark adds a piece that is a marker of an earlier run.
func (c *jsonCut) mark(start, end int, under int32) {
	c.t.mark(len(c.t.Pieces))
	c.add(start, end, 0, under, 0)
}

// line cuts a line in a JSON string, or a part of it when it is long.
func (c *jsonCut) line(at, end int, under int32, path uint64) {
	text := c.t.Source[at:end]
	said, shape := wordCue(text), uint64(0)
	if len(text) <= longest {
		shape = lineShape(path, text)
	}
	for end-at > longest {
		part := partEnd(c.t.Source[:end], at)
		c.add(at, part, said, under, 0)
		at = part
	}
	if at < end {
		c.add(at, end, said, under, shape)
	}
}

// escapedLine returns the end of the line that starts at s[at] inside a JSON string;
// isLine reports whether it ends with an escaped line break.
func escapedLine(s string, at int) (end int, isLine bool) {
	for {
		i := strings.IndexByte(s[at:], '\\')
		if i < 0 {
			return len(s), false
		}
		at += i + 2
		if s[at-1] == 'n' && parts(s, at) {
			return at, true
		}
	}
}

// partEnd returns the end of the part of a JSON string that starts at s[at]: after a
// space when there is one, and never inside a character or an escape. It is at most
// longest bytes away, unless one character is longer.
func partEnd(s string, at int) int {
	window := s[at:min(at+longest, len(s))]
	if end := plainEnd(window); end > 0 {
		return at + end
	}
	text, from := unescape(window)
	best, end, state := 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		end += len(cluster)
		if rest == "" || from[end] > cutAfter {
			break
		}
		best = from[end]
	}
	if best == 0 {
		return len(s)
	}
	return at + best
}

// plainEnd returns the end of the last word that ends within cutAfter bytes and has
// ASCII around it, otherwise of the last such character; 0 without one.
func plainEnd(window string) (end int) {
	escape := 0 // where the last escape ends
	space := 0
	for i := 0; i < min(cutAfter, len(window)-1); i++ {
		if window[i] == '\\' && i >= escape {
			escape = i + 2
			if window[i+1] == 'u' {
				escape = i + 6
			}
		}
		if i < escape || window[i] >= utf8.RuneSelf || window[i+1] >= utf8.RuneSelf || window[i+1] == '\\' {
			continue
		}
		end = i + 1
		if window[i] == ' ' {
			space = end
		}
	}
	if space > cutAfter/2 {
		return space
	}
	return end
}

// unescape decodes a part of the inside of a JSON string. from holds the source of
// each byte of the text, with one more element for the end. An escape that the end of
// the window cuts is left out.
func unescape(window string) (decoded string, from []int) {
	var b strings.Builder
	at := 0
	put := func(r rune, size int) {
		n := b.Len()
		b.WriteRune(r)
		for ; n < b.Len(); n++ {
			from = append(from, at)
		}
		at += size
	}
	for at < len(window) {
		switch {
		case window[at] != '\\':
			r, size := utf8.DecodeRuneInString(window[at:])
			put(r, size)
		case at+2 > len(window):
			return b.String(), append(from, at)
		case window[at+1] != 'u':
			put(controlOf(window[at+1]), 2)
		default:
			r, size := unicodeEscape(window[at:])
			if size == 0 {
				return b.String(), append(from, at)
			}
			put(r, size)
		}
	}
	return b.String(), append(from, at)
}

func controlOf(escape byte) rune {
	if i := strings.IndexByte("bfnrt", escape); i >= 0 {
		return rune("\b\f\n\r\t"[i])
	}
	return rune(escape)
}

// unicodeEscape decodes the \uXXXX, or pair of them, at the beginning of s; size is 0
// when it is incomplete.
func unicodeEscape(s string) (r rune, size int) {
	unit := func(s string) rune {
		n, _ := strconv.ParseUint(s[2:6], 16, 16)
		return rune(n)
	}
	if len(s) < 6 {
		return 0, 0
	}
	r = unit(s)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) < 12 {
		if len(s) == 6 || strings.HasPrefix(s[6:], `\`) {
			return 0, 0
		}
		return utf8.RuneError, 6
	}
	if strings.HasPrefix(s[6:], `\u`) {
		if pair := utf16.DecodeRune(r, unit(s[6:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// parts reports whether two characters meet at s[at] of which one is ASCII.
func parts(s string, at int) bool {
	if at == 0 || at == len(s) || s[at-1] < utf8.RuneSelf && s[at] < utf8.RuneSelf {
		return true
	}
	_, before := utf8.DecodeLastRuneInString(s[:at])
	_, behind := utf8.DecodeRuneInString(s[at:])
	first, _, _, _ := uniseg.FirstGraphemeClusterInString(s[at-before:at+behind], -1)
	return len(first) == before
}
