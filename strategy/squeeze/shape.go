package squeeze

// shapes finds lines that repeat earlier ones, numbers, times and hashes aside.
type shapes struct {
	t     *Text
	first map[uint64]int32 // by hash of the shape
}

// minShape is the least number of letters of a line that can repeat another.
const minShape = 4

// maxShapes is the largest number of shapes that are remembered. A text with more
// hardly repeats itself.
const maxShapes = 1 << 17

// line records piece i by its first line.
func (s *shapes) line(i int32, line string) {
	if key, ok := Shape(line); ok {
		s.note(i, key)
	}
}

// class records piece i as one of a class of lines.
func (s *shapes) class(i int32, what role) { s.note(i, uint64(what)) }

func (s *shapes) note(i int32, key uint64) {
	if first, ok := s.first[key]; ok {
		s.t.Pieces[i].Like = first
	} else if len(s.first) < maxShapes {
		s.first[key] = i
	}
}

// HashStart is the hash of an empty text by FNV-1a, 64 bits (RFC 9923).
const HashStart uint64 = 14695981039346656037

// HashByte extends a hash by a byte.
func HashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * 1099511628211 }

// Hash returns the hash of a text.
func Hash(text string) uint64 {
	h := HashStart
	for i := range len(text) {
		h = HashByte(h, text[i])
	}
	return h
}

// Shape returns a hash of a line without its numbers. A run of letters and digits with
// a digit in it is a number when the rest are hexadecimal digits. ok is false when
// hardly a word is left.
func Shape(line string) (key uint64, ok bool) {
	if len(line) > scanned {
		line = line[:scanned]
	}
	key = HashStart
	letters := 0
	for i := 0; i < len(line); {
		c := line[i]
		if !letter(c) && !digit(c) {
			if c > ' ' {
				key = HashByte(key, c)
				if c >= 0x80 {
					letters++
				}
			}
			i++
			continue
		}
		start, number, hex := i, false, true
		for i < len(line) && (letter(line[i]) || digit(line[i])) {
			if digit(line[i]) {
				number = true
			} else if line[i]|0x20 > 'f' {
				hex = false
			}
			i++
		}
		if number && (hex || i-start < 8 && digit(line[start])) { // 1f3a, 12ms, 3x
			key = HashByte(key, '0')
			continue
		}
		letters += i - start
		for _, c := range []byte(line[start:i]) {
			if digit(c) {
				c = '0'
			}
			key = HashByte(key, c)
		}
	}
	return key, letters >= minShape
}
