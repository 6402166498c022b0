package squeeze

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// omitJSON returns the replacement of the pieces from..to of JSON: brackets whose
// partner stays remain, and the entries between them become one entry with their
// number. root is the piece that opens the outermost value, None in a stream; the
// pieces outside of root, and from tail on, are text.
func omitJSON(t *Text, from, to int, root, tail int32) string {
	var b strings.Builder
	stays := func(i int) bool {
		under := t.Pieces[i].Under
		return int32(i) == root || t.closes(i) && (int(under) < from || under == root)
	}
	for i := from; i < to; {
		p := t.Pieces[i]
		if stays(i) {
			b.WriteString(t.Source[p.Start:p.End])
			i++
			continue
		}
		kind := t.opener(i)
		if p.Under == None && root == None && int32(i) < tail {
			kind = stream
		}
		j := i + 1
		for j < to && !stays(j) && int32(j) != tail {
			j++
		}
		if gone := t.Source[p.Start:t.Pieces[j-1].End]; kind == 0 {
			t.lines(&b, gone, linesGone)
		} else {
			b.WriteString(omission(gone, kind))
		}
		i = j
	}
	return b.String()
}

// opener returns the byte that opens the value that the piece stands under, 0 for
// text.
func (t *Text) opener(i int) byte {
	under := t.Pieces[i].Under
	if under == None {
		return 0
	}
	p := t.Pieces[under]
	open := strings.TrimRight(t.Source[p.Start:p.End], " \t\r\n")
	return open[len(open)-1]
}

// closes reports whether the piece is the closing bracket or quote of the value that
// it stands under. No entry, and no part of a string, begins with such a byte.
func (t *Text) closes(i int) bool {
	switch first := t.Source[t.Pieces[i].Start]; t.opener(i) {
	case '[':
		return first == ']'
	case '{':
		return first == '}'
	case '"':
		return first == '"'
	}
	return false
}

// omission returns the replacement of entries of one array, object, string or stream.
// It is never longer than they are.
func omission(gone string, kind byte) string {
	phrase := ""
	switch kind {
	case '[', '{', stream:
		n, key := countEntries(gone, kind == '{')
		space := gone[len(strings.TrimRight(gone, ", \t\r\n")):]
		if kind == '{' {
			phrase = `"` + strings.TrimSuffix(key, ellipsis) + ellipsis + `":"` + marker(n, "key") + `"` + space
		} else {
			phrase = `"` + marker(n, "element") + `"` + space
		}
	case '"':
		phrase = gapEscaped(gone)
	}
	if len(phrase) >= len(gone) {
		return gone
	}
	return phrase
}

// ellipsis ends the key of a member that replaces omitted ones. The key begins with
// the first of theirs, so that no key occurs twice.
const ellipsis = "…"

// countEntries returns the number of entries in a part of an array, an object or a
// stream, with those that markers of an earlier run replaced. first is the first key.
func countEntries(gone string, object bool) (n int, first string) {
	cursor := int32(0)
	for at := skipSpace(gone, 0); at < len(gone); {
		e := entryAt(gone, at, object, nil, &cursor)
		if n == 0 {
			first = e.key
		}
		if earlier, ok := earlierEntries(gone, e); ok {
			n += earlier
		} else {
			n++
		}
		at = e.next
	}
	return n, first
}

// earlierEntries reports whether an entry is the marker of an earlier run, and of how
// many entries.
func earlierEntries(s string, e item) (n int, ok bool) {
	value := s[e.value:e.end]
	if value[0] != '"' || value[1] != '[' {
		return 0, false
	}
	if e.key == "" {
		return earlier(value[1:len(value)-1], "element")
	}
	if !strings.HasSuffix(e.key, ellipsis) {
		return 0, false
	}
	return earlier(value[1:len(value)-1], "key")
}

// gapEscaped returns the marker for a part of a JSON string.
func gapEscaped(gone string) string {
	lines, whole, ended, characters := 0, false, false, 0
	for at := 0; at < len(gone); lines++ {
		end, isLine := escapedLine(gone, at)
		line := gone[at:end]
		at, ended = end, isLine
		if isLine {
			whole = true
			line = line[:len(line)-len(`\n`)]
		}
		if n, form := readMark(line); n > 0 && form != charsGone {
			whole = true
			lines += n - 1
			continue
		}
		for characters += countEscaped(line); ; {
			from, behind, n := findMark(line)
			if n == 0 {
				break
			}
			characters += n - (behind - from)
			line = line[behind:]
		}
	}
	if !whole {
		return marker(characters, "character")
	}
	if ended {
		return marker(lines, "line") + `\n`
	}
	return marker(lines, "line")
}

// countEscaped returns the number of characters in a part of a JSON string.
func countEscaped(s string) (n int) {
	for at := 0; at < len(s); n++ {
		switch {
		case s[at] != '\\':
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
		case s[at+1] == 'u':
			at += 6
		default:
			at += 2
		}
	}
	return n
}

// marker returns the phrase for n omitted things.
func marker(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("[%d %s omitted]", n, of)
}

// earlier reads a phrase of marker.
func earlier(s, of string) (n int, ok bool) {
	inside, ok := strings.CutPrefix(withoutID(s), "[")
	if !ok {
		return 0, false
	}
	inside, ok = strings.CutSuffix(inside, omitted)
	if !ok {
		return 0, false
	}
	count, what, _ := strings.Cut(inside, " ")
	n, err := strconv.Atoi(count)
	return n, err == nil && n > 0 && n <= mostGone && strings.TrimSuffix(what, "s") == of
}
