package squeeze

import "strings"

const (
	groupSize = 80 // bytes up to which small neighbours are one piece: a marker would cost as much
)

// cutJSON cuts a JSON value, with or without lines of text around it, and reports
// whether the text is one.
//
// The pieces are elements and members, each with the comma and the space after it. A
// large value becomes three kinds of pieces: everything up to its first entry (the key
// and the bracket), its entries, which stand under that piece, and the closing
// bracket. Render keeps a closing bracket when the opening one stays, and the
// outermost in any case, so that JSON stays JSON whatever is left out. Long strings
// are cut in the same way: their quotes are the brackets, their lines the entries.
func cutJSON(t *Text) bool {
	start, boxes, end, ok := findJSON(t.Source)
	after := strings.TrimLeft(t.Source[end:], " \t\r\n")
	next := len(t.Source) - len(after)
	if !ok || end-start < len(t.Source)/2 || after != "" && (t.Source[next-1] != '\n' || strings.IndexByte("{[]},\"", after[0]) >= 0) {
		return false
	}
	e := item{start: start, value: start, end: end, next: next, box: None}
	if len(boxes) > 0 {
		e.box = 0
	} else if !parts(t.Source, start+1) || !parts(t.Source, end-1) {
		return false
	}
	t.Kind = JSON
	t.addLines(0, start)
	root := int32(len(t.Pieces))
	c := jsonCut{t: t, boxes: boxes, shapes: map[uint64]int32{}}
	c.enter(e, None, 0, nil)
	t.addLines(e.next, len(t.Source))
	t.specials().omit = func(t *Text, from, to int) string { return omitJSON(t, from, to, root, 0) }
	return true
}

// cutNDJSON cuts a stream of JSON arrays and objects, each on lines of its own. An
// incomplete value at the end is text.
func cutNDJSON(t *Text) bool {
	s := t.Source
	start := skipSpace(s, 0)
	var boxes []box
	values, end := 0, start
	for at := start; at < len(s); values++ {
		known := len(boxes)
		more, to, ok := scanValue(s, at, boxes)
		next := skipSpace(s, to)
		if ok && len(more) == known { // neither an array nor an object
			_, ok = earlierEntries(s, item{value: at, end: to})
		}
		if !ok || next < len(s) && (!strings.Contains(s[to:next], "\n") || s[next] == ',') {
			boxes = more[:known]
			break
		}
		boxes = more
		if to-at <= cutAfter {
			boxes = boxes[:known]
		} else if len(boxes) > known {
			boxes[known].next = int32(len(boxes))
		}
		at, end = next, next
	}
	if values < 2 || end-start < len(s)/2 {
		return false
	}
	t.Kind = NDJSON
	t.addLines(0, start)
	c := jsonCut{t: t, boxes: boxes, shapes: map[uint64]int32{}, end: end}
	c.entries(start, stream, None, 0, nil)
	tail := int32(len(t.Pieces))
	t.addLines(end, len(s))
	t.specials().omit = func(t *Text, from, to int) string { return omitJSON(t, from, to, None, tail) }
	return true
}

// findJSON finds the JSON that begins at the first bracket, or after a few lines of
// text, and its boxes.
func findJSON(s string) (start int, boxes []box, end int, ok bool) {
	at := 0
	for tries := 0; tries < 4 && at < min(len(s)/2+1, 2048); {
		at = skipSpace(s, at)
		if c := byteAt(s, at); c == '[' || c == '{' || c == '"' && at == 0 && len(s) > cutAfter {
			if boxes, end, ok = scanValue(s, at, nil); ok {
				return at, boxes, end, true
			}
			tries++
		}
		line := strings.IndexByte(s[at:], '\n')
		if line < 0 {
			break
		}
		at += line + 1
	}
	return 0, nil, 0, false
}

// stream is the kind of a sequence of values; the kind of an array, object or string
// is the byte that opens it.
const stream = '\n'

type jsonCut struct {
	t      *Text
	boxes  []box
	cursor int32            // index of the first box that has not been entered
	shapes map[uint64]int32 // the first piece of each shape
	end    int              // of a stream
}

// enter cuts an array, an object or a string. path is a hash of the keys that lead to
// it; in, when set, counts the members of it and of its siblings.
func (c *jsonCut) enter(e item, under int32, path uint64, in *census) {
	s := c.t.Source
	open := int32(len(c.t.Pieces))
	if e.box == None {
		c.add(e.start, e.value+1, 0, under, hash(path, `"`))
		c.lines(e.value+1, e.end-1, open, path)
		c.add(e.end-1, e.next, 0, open, 0)
		return
	}
	c.cursor = e.box + 1
	first := skipSpace(s, e.value+1)
	c.add(e.start, first, 0, under, hash(path, s[e.value:e.value+1]))
	last := c.entries(first, s[e.value], open, path, in)
	c.add(last, e.next, 0, open, 0)
}

// entries cuts the inside of an array, an object or a stream, and returns its end: the
// index of the closing bracket.
func (c *jsonCut) entries(at int, kind byte, under int32, path uint64, in *census) int {
	s, object := c.t.Source, kind == '{'
	var rows *census
	if !object {
		rows = c.survey(at, kind)
	}
	var group struct {
		start, end int
		cue        float32
		shape      uint64
	}
	flush := func() {
		if group.end > group.start {
			c.add(group.start, group.end, group.cue, under, group.shape)
		}
		group.start, group.shape = group.end, 0
	}
	for !c.closes(at, kind) {
		e := entryAt(s, at, object, c.boxes, &c.cursor)
		at = e.next
		own := hash(path, e.key)
		large := e.box != None || s[e.value] == '"' && e.end-e.value > longest && parts(s, e.value+1) && parts(s, e.end-1)
		if group.end != e.start {
			group.start, group.end = e.start, e.start
		}
		if large {
			flush()
			c.enter(e, under, own, rows)
			continue
		}
		_, marker := earlierEntries(s, e)
		cue, shape := c.judge(e, in, rows), shapeOf(s, e, own)
		if marker || cue != group.cue || e.next-group.start > groupSize {
			flush()
			group.start = e.start
		}
		group.end, group.cue, group.shape = e.next, cue, hash(group.shape, "")^shape
		if marker {
			c.t.mark(len(c.t.Pieces))
			flush() // a marker is a piece of its own
		}
	}
	flush()
	return at
}

func (c *jsonCut) closes(at int, kind byte) bool {
	if kind == stream {
		return at >= c.end
	}
	return c.t.Source[at] == kind+2 // ']' and '}' are '[' and '{' plus two
}

// add adds a piece. A piece of the same shape as an earlier one (0 aside) is marked as
// like it, unless it stands out.
func (c *jsonCut) add(start, end int, cue float32, under int32, shape uint64) {
	p := Piece{Start: int32(start), End: int32(end), Cue: cue, Under: under, Like: None}
	if first, ok := c.shapes[shape]; ok && cue == 0 {
		p.Like = first
	} else if !ok && shape != 0 && len(c.shapes) < maxShapes {
		c.shapes[shape] = int32(len(c.t.Pieces))
	}
	c.t.Pieces = append(c.t.Pieces, p)
}

// survey counts what the elements of an array or stream have in common.
func (c *jsonCut) survey(at int, kind byte) *census {
	s, cursor := c.t.Source, c.cursor
	rows := &census{}
	for rows.rows < maxRows && !c.closes(at, kind) {
		inner := cursor
		e := entryAt(s, at, false, c.boxes, &cursor)
		at = e.next
		rows.rows++
		if s[e.value] != '{' {
			rows.add("", s[e.value:e.end])
			continue
		}
		if e.box != None {
			inner++
		}
		for m := skipSpace(s, e.value+1); s[m] != '}'; {
			member := entryAt(s, m, true, c.boxes, &inner)
			rows.add(member.key, s[member.value:member.end])
			m = member.next
		}
	}
	return rows
}

// judge returns the cue of a small entry: of a member compared with its siblings
// elsewhere, of an element compared with the others.
func (c *jsonCut) judge(e item, in, rows *census) float32 {
	s := c.t.Source
	cue := memberCue(e.key, s[e.value:e.end])
	if in != nil && in.odd(e.key, s[e.value:e.end]) {
		cue = max(cue, oddCue)
	}
	if rows == nil {
		return max(cue, innerCue(s, e, nil))
	}
	if s[e.value] != '{' && rows.odd("", s[e.value:e.end]) {
		cue = max(cue, oddCue)
	}
	return max(cue, innerCue(s, e, rows))
}

// innerCue returns the highest cue inside a small value.
func innerCue(s string, e item, rows *census) (cue float32) {
	if c := s[e.value]; c != '{' && c != '[' {
		return 0
	}
	cursor := int32(0)
	for at := skipSpace(s, e.value+1); at < e.end-1; {
		m := entryAt(s, at, s[e.value] == '{', nil, &cursor)
		at = m.next
		cue = max(cue, memberCue(m.key, s[m.value:m.end]), innerCue(s, m, nil))
		if rows != nil && s[e.value] == '{' && rows.odd(m.key, s[m.value:m.end]) {
			cue = max(cue, oddCue)
		}
	}
	return cue
}
