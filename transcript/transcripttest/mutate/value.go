package mutate

import (
	"bytes"
	"math/rand/v2"
)

// A value is a JSON value with the white space around it.
type value struct {
	before, after string
	text          string // of a scalar, as in the source; "" for an object or an array
	open          byte   // '{' or '[' of an object or an array
	members       []member
}

// A member is a member of an object, or an element of an array, which has no key.
type member struct {
	before, key, after string // the key with its quotation marks, and the white space around it
	value              *value
}

// depthLimit is the depth to which values are parsed. A deeper source is left as it is.
const depthLimit = 500

// A mutation is a source as values: one document, or the lines of a source that are documents.
type mutation struct {
	*rand.Rand
	docs   []*value
	pieces []piece
}

// A piece is a part of a source: a document, or other bytes.
type piece struct {
	doc *value // nil for other bytes
	raw []byte
}

// parse reads a source. Lines that are not JSON are kept as they are.
func parse(r *rand.Rand, src []byte) *mutation {
	m := &mutation{Rand: r}
	bom := []byte("\ufeff")
	rest := bytes.TrimPrefix(src, bom)
	m.pieces = append(m.pieces, piece{raw: src[:len(src)-len(rest)]})
	if doc := document(rest); doc != nil {
		m.docs, m.pieces = []*value{doc}, append(m.pieces, piece{doc: doc})
		return m
	}
	for line := range bytes.Lines(rest) {
		doc := document(line)
		if doc != nil {
			m.docs = append(m.docs, doc)
		}
		m.pieces = append(m.pieces, piece{doc, line})
	}
	return m
}

// source returns the source after the changes.
func (m *mutation) source() []byte {
	var out bytes.Buffer
	for _, p := range m.pieces {
		if p.doc != nil {
			p.doc.write(&out)
		} else {
			out.Write(p.raw)
		}
	}
	return out.Bytes()
}

// document returns the only value of a text, or nil if it is not JSON.
func document(text []byte) *value {
	s := scanner{text: text}
	v := s.value(0)
	if s.failed || s.at != len(text) {
		return nil
	}
	return v
}

// A scanner parses JSON. It accepts some scalars that are not JSON, which does no harm here.
type scanner struct {
	text   []byte
	at     int
	failed bool
}

func (s *scanner) fail() *value {
	s.failed = true
	return &value{}
}

// space returns the white space at the place of the scanner, and skips it.
func (s *scanner) space() string {
	from := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n"), s.text[s.at]) >= 0 {
		s.at++
	}
	return string(s.text[from:s.at])
}

func (s *scanner) next() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// str returns a string with its quotation marks, and skips it.
func (s *scanner) str() string {
	from := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return string(s.text[from:s.at])
		}
	}
	s.failed = true
	return ""
}

func (s *scanner) value(depth int) *value {
	if s.failed || depth > depthLimit {
		return s.fail()
	}
	v := &value{before: s.space()}
	switch c := s.next(); c {
	case '{', '[':
		v.open = c
		s.members(v, depth)
	case '"':
		v.text = s.str()
	default:
		from := s.at
		for s.at < len(s.text) && bytes.IndexByte([]byte("+-.0123456789abcdefghijklmnopqrstuvwxyzE"), s.text[s.at]) >= 0 {
			s.at++
		}
		if v.text = string(s.text[from:s.at]); v.text == "" {
			return s.fail()
		}
	}
	v.after = s.space()
	return v
}

// closing returns the bracket that closes a value.
func (v *value) closing() byte { return v.open + 2 } // as in ASCII

// members reads the content of an object or an array, and its closing bracket.
func (s *scanner) members(v *value, depth int) {
	s.at++
	start := s.at
	inner := s.space()
	if s.next() == v.closing() {
		v.text, s.at = inner, s.at+1
		return
	}
	s.at = start
	for {
		var m member
		if v.open == '{' {
			m.before = s.space()
			if s.next() != '"' {
				s.fail()
				return
			}
			m.key = s.str()
			m.after = s.space()
			if s.next() != ':' {
				s.fail()
				return
			}
			s.at++
		}
		m.value = s.value(depth + 1)
		v.members = append(v.members, m)
		if s.failed {
			return
		}
		switch s.next() {
		case ',':
			s.at++
		case v.closing():
			s.at++
			return
		default:
			s.fail()
			return
		}
	}
}

func (v *value) write(out *bytes.Buffer) {
	out.WriteString(v.before)
	if v.open == 0 {
		out.WriteString(v.text)
	} else {
		out.WriteByte(v.open)
		for i, m := range v.members {
			if i > 0 {
				out.WriteByte(',')
			}
			if v.open == '{' {
				out.WriteString(m.before + m.key + m.after + ":")
			}
			m.value.write(out)
		}
		if len(v.members) == 0 {
			out.WriteString(v.text)
		}
		out.WriteByte(v.closing())
	}
	out.WriteString(v.after)
}

// clone returns a copy that shares nothing with v.
func (v *value) clone() *value {
	c := *v
	c.members = make([]member, len(v.members))
	for i, m := range v.members {
		c.members[i] = m
		c.members[i].value = m.value.clone()
	}
	return &c
}

// set makes v a scalar or any other JSON text.
func (v *value) set(text string) { v.text, v.open, v.members = text, 0, nil }

func (v *value) isString() bool { return v.open == 0 && v.text != "" && v.text[0] == '"' }

// member returns the value of the first member with a key, or nil.
func (v *value) member(key string) *value {
	for _, m := range v.members {
		if m.key == `"`+key+`"` {
			return m.value
		}
	}
	return nil
}

// walk calls visit for v and all values in it.
func (v *value) walk(visit func(*value)) {
	visit(v)
	for _, m := range v.members {
		m.value.walk(visit)
	}
}
