package squeeze

import "strconv"

// census counts what the rows of a table, or the elements of an array, have in common,
// so that unusual ones can be found. The zero value is empty.
type census struct {
	rows    int
	columns map[string]*column
}

// column counts the values of one column.
type column struct {
	n       int
	classes [classes]int
	values  map[string]int // of short texts; nil when there are many
	many    bool

	// Sums over the numbers, each reduced by the first: the squares of large numbers that
	// are close together, such as times, would lose the digits in which they differ.
	first, sum, squares float64
}

// class is the type of a value.
type class uint8

const (
	null class = iota
	yes
	no
	number
	text
	array
	object
	classes
)

func classOf(value string) class {
	switch value[0] {
	case 'n':
		return null
	case 't':
		return yes
	case 'f':
		return no
	case '"':
		return text
	case '[':
		return array
	case '{':
		return object
	}
	return number
}

const (
	maxColumns = 256
	maxValues  = 8       // different values of a column with a fixed choice of values
	shortValue = 34      // bytes
	fewRows    = 10      // with fewer rows nothing is odd
	maxRows    = 1 << 14 // rows that are counted; the others are compared with them
)

// add counts a JSON value.
func (c *census) add(name, value string) {
	c.count(name, classOf(value), value)
}

func (c *census) count(name string, of class, value string) {
	t := c.columns[name]
	if t == nil {
		if len(c.columns) == maxColumns {
			return
		}
		if c.columns == nil {
			c.columns = map[string]*column{}
		}
		t = &column{values: map[string]int{}}
		c.columns[name] = t
	}
	t.n++
	t.classes[of]++
	switch of {
	case number:
		x := quantity(value)
		if t.classes[number] == 1 {
			t.first = x
		}
		x -= t.first
		t.sum += x
		t.squares += float64(x * x)
	case text:
		if _, known := t.values[value]; !known && (len(value) > shortValue || len(t.values) == maxValues) {
			t.many, t.values = true, nil
		}
		if !t.many {
			t.values[value]++
		}
	}
}

// odd reports whether a JSON value differs from those that other rows have in the
// column. It returns false for a column that was not counted for lack of room.
func (c *census) odd(name, value string) bool {
	return c.oddValue(name, classOf(value), value)
}

func (c *census) oddValue(name string, of class, value string) bool {
	t := c.columns[name]
	switch {
	case c.rows < fewRows, t == nil && len(c.columns) == maxColumns:
		return false
	case t == nil, rare(t.n, c.rows), rare(t.classes[of], t.n):
		return true
	}
	switch of {
	case number:
		n := float64(t.classes[number])
		mean := t.sum / n
		variance := t.squares/n - float64(mean*mean)
		off := quantity(value) - t.first - mean
		return variance > 0 && off*off > 16*variance // four deviations
	case text:
		return !t.many && rare(t.values[value], t.n) && t.usual()
	}
	return false
}

// rare reports whether n is at most a tenth of total.
func rare(n, total int) bool { return n*10 <= total }

// usual reports whether most rows have the same value.
func (t *column) usual() bool {
	for _, n := range t.values {
		if n*2 >= t.n {
			return true
		}
	}
	return false
}

// quantity returns the value of a number. Only long numbers and those with exponents
// need strconv.
func quantity(s string) float64 {
	digits, scale, point := 0, 1.0, false
	negative := s != "" && s[0] == '-'
	for i := range len(s) {
		switch c := s[i]; {
		case digit(c) && len(s) <= 15:
			digits = digits*10 + int(c-'0')
			if point {
				scale *= 10
			}
		case c == '.' && !point:
			point = true
		case c != '-' || i > 0:
			x, _ := strconv.ParseFloat(s, 64)
			return x
		}
	}
	if negative {
		digits = -digits
	}
	return float64(digits) / scale
}
