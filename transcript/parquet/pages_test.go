package parquet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

// TestText checks that each text becomes a JSON string with the same characters.
func TestText(t *testing.T) {
	var all strings.Builder
	for c := range rune(0x100) {
		all.WriteRune(c)
	}
	for _, text := range []string{all.String(), "", "one\ntwo\r\n\tthree", `"\`, "\x00\x01\x1f\x7f", "a\x1b[0mb", "é日本😀\u2028"} {
		data, got := appendText(nil, []byte(text)), ""
		if err := json.Unmarshal(data, &got); err != nil || got != text {
			t.Errorf("%q became %s, %v", text, data, err)
		}
	}
	if got, want := string(appendText(nil, []byte("a\nb\rc\td\x01e\"\\"))), `"a\nb\rc\td\u0001e\"\\"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNumbers checks which numbers have a place in columns of each type.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		phys int
		text string
		ok   bool
	}{
		{physInt32, "2147483647", true}, {physInt32, "-2147483648", true}, {physInt32, "2147483648", false}, {physInt32, "9999999999", false}, {physInt32, "1.5", false},
		{physInt64, "9223372036854775807", true}, {physInt64, "9223372036854775808", false},
		{physFloat, "1.5", true}, {physFloat, "1e39", false}, {physDouble, "1e39", true}, {physDouble, "1e309", false}, {physInt96, "1", false},
	} {
		l := &leaf{phys: tt.phys, width: 8}
		data, err := l.number(tt.text)
		if (err == nil) != tt.ok {
			t.Errorf("type %d: %s: %v", tt.phys, tt.text, err)
		}
		if !tt.ok {
			continue
		}
		var was, is json.Number
		if err := json.Unmarshal(l.appendJSON(nil, data), &is); err != nil {
			t.Fatal(err)
		}
		if was = json.Number(tt.text); was != is {
			a, _ := was.Float64()
			if b, _ := is.Float64(); a != b {
				t.Errorf("type %d: %s became %s", tt.phys, was, is)
			}
		}
	}
}

// TestNoNumbers checks that floating-point values that JSON has no numbers for are texts, which keep each bit.
func TestNoNumbers(t *testing.T) {
	for _, tt := range []struct {
		phys int
		raw  string
		want string
	}{
		{physFloat, "\x00\x00\x80\x7f", `"\u00000000807f"`},                          // ∞
		{physFloat, "\x00\x00\x80\xff", `"\u0000000080ff"`},                          // -∞
		{physFloat, "\x01\x00\xc0\x7f", `"\u00000100c07f"`},                          // not a number
		{physDouble, "\x00\x00\x00\x00\x00\x00\xf0\x7f", `"\u0000000000000000f07f"`}, // ∞
		{physDouble, "\x00\x00\x00\x00\x00\x00\xf0\xff", `"\u0000000000000000f0ff"`}, // -∞
		{physDouble, "\x01\x00\x00\x00\x00\x00\xf8\x7f", `"\u0000010000000000f87f"`}, // not a number
	} {
		l := &leaf{phys: tt.phys, width: len(tt.raw)}
		data := l.appendJSON(nil, []byte(tt.raw))
		if string(data) != tt.want {
			t.Errorf("type %d: % x became %s, want %s", tt.phys, tt.raw, data, tt.want)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		if back, err := l.parse(v); err != nil || string(back) != tt.raw {
			t.Errorf("type %d: % x came back as % x, %v", tt.phys, tt.raw, back, err)
		}
	}
}

// TestPageEnd checks that a page ends between two rows, also where rows have many values.
func TestPageEnd(t *testing.T) {
	const rows, each = pageRows + 10, 3
	l := &leaf{phys: physInt32, width: 4, maxDef: 1, maxRep: 1}
	c := &column{leaf: l, n: rows * each, dict: true, pool: pool{width: 4, data: make([]byte, 4)}}
	for i := range c.n {
		c.rep = append(c.rep, uint8(min(i%each, 1)))
		c.def = append(c.def, 1)
		c.index = append(c.index, 0)
	}
	end, values := c.pageEnd(0, 0)
	if end != pageRows*each || values != end {
		t.Errorf("the first page ends at level %d with %d values, want %d", end, values, pageRows*each)
	}
	if end, values = c.pageEnd(end, values); end != c.n || values != 10*each {
		t.Errorf("the second page ends at level %d with %d values", end, values)
	}
	large := &column{leaf: l, n: 4 * each, pool: pool{data: make([]byte, pageBytes), ends: []uint32{pageBytes}}}
	for i := range large.n {
		large.rep, large.def, large.index = append(large.rep, uint8(min(i%each, 1))), append(large.def, 1), append(large.index, 0)
	}
	if end, _ := large.pageEnd(0, 0); end != each {
		t.Errorf("the page of a large row ends at level %d, want %d", end, each)
	}
}

// pageOf returns a page without compression. Its header has the given numbers of the field id.
func pageOf(kind int64, id int16, numbers map[int16]int64, body string) string {
	header, page := &structure{}, &structure{}
	for n, v := range numbers {
		header.set(n, typeInt32, v)
	}
	for n, v := range []int64{kind, int64(len(body)), int64(len(body))} {
		page.set(int16(n+1), typeInt32, v)
	}
	page.set(id, typeStruct, header)
	return string(page.append(nil)) + body
}

// TestPages checks the values of pages in forms that few writers use, and the errors for damaged ones.
func TestPages(t *testing.T) {
	prefixes, err := new(delta.ByteArrayEncoding).EncodeFixedLenByteArray(nil, []byte("reefreed"), 4)
	if err != nil {
		t.Fatal(err)
	}
	number := &leaf{phys: physInt32, width: 4}
	optional := &leaf{phys: physInt32, width: 4, maxDef: 1}
	v1 := func(n, encoding int64, body string) string {
		return pageOf(pageData, 5, map[int16]int64{1: n, 2: encoding, 3: encRLE, 4: encRLE}, body)
	}
	v2 := func(n, def int64, body string) string {
		return pageOf(pageDataV2, 8, map[int16]int64{1: n, 4: encPlain, 5: def, 6: 0}, body)
	}
	for _, tt := range []struct {
		name string
		leaf *leaf
		n    int64 // levels
		data string
		want []string // the levels and the values; nil for a damaged page
	}{
		{"no levels", number, 2, v2(2, 0, "one.two."), []string{"", "one.", "two."}},
		{"nulls alone", optional, 3, v2(3, 2, "\x06\x00"), []string{"\x00\x00\x00"}},
		{"a null and a value", optional, 2, v2(2, 2, "\x03\x02one."), []string{"\x00\x01", "one."}},
		{"levels that are longer than the page", optional, 2, v2(2, 7, "\x03\x02one."), nil},
		{"levels of a negative length", optional, 2, v2(2, -1, "\x03\x02one."), nil},
		{"texts of one length with prefixes", &leaf{phys: physFixed, width: 4}, 2, v1(2, encDeltaByteArray, string(prefixes)), []string{"", "reef", "reed"}},
		{"numbers with prefixes", number, 2, v1(2, encDeltaByteArray, string(prefixes)), nil},
		{"two pages", number, 2, v1(1, encPlain, "one.") + v1(1, encPlain, "two."), []string{"", "one.", "two."}},
		{"a page that is cut off", number, 2, v1(2, encPlain, "one.two"), nil},
		{"a page is missing", number, 2, v1(1, encPlain, "one."), nil},
	} {
		meta := &structure{}
		meta.set(metaValues, typeInt64, tt.n)
		c, err := readColumn(tt.leaf, []byte(tt.data), meta)
		if err != nil || tt.want == nil {
			if tt.want != nil || err != errPage {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		got := []string{string(c.def)}
		for _, i := range c.index {
			got = append(got, string(c.pool.at(i)))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestHybrid checks numbers in runs and in packs, and the errors for those that are cut off.
func TestHybrid(t *testing.T) {
	for _, tt := range []struct {
		name  string
		raw   []byte
		width int
		n     int
		want  []int32 // nil for an error
	}{
		{"a run", []byte{4 << 1, 7}, 3, 4, []int32{7, 7, 7, 7}},
		{"a run of two bytes", []byte{2 << 1, 1, 2}, 10, 2, []int32{513, 513}},
		{"a run that is longer", []byte{9 << 1, 1}, 1, 2, []int32{1, 1}},
		{"two runs", []byte{1 << 1, 1, 1 << 1, 0}, 1, 2, []int32{1, 0}},
		{"a pack", []byte{1<<1 | 1, 0b10_00_01_11, 0b00_00_00_01}, 2, 5, []int32{3, 1, 0, 2, 1}},
		{"no bits", []byte{3 << 1}, 0, 3, []int32{0, 0, 0}},
		{"nothing", nil, 1, 1, nil},
		{"a run without its number", []byte{4 << 1}, 3, 4, nil},
		{"a run with half of its number", []byte{2 << 1, 1}, 10, 2, nil},
		{"a run of nothing", []byte{0, 1, 2, 3}, 3, 1, nil},
		{"a pack that is cut off", []byte{1<<1 | 1}, 2, 5, nil},
		{"a pack without its last byte", []byte{1<<1 | 1, 1, 2, 3, 4, 5, 6, 7}, 8, 8, nil},
		{"too few", []byte{1 << 1, 1}, 1, 2, nil},
		{"too wide", []byte{1 << 1, 1, 1, 1, 1, 1}, 33, 1, nil},
	} {
		got, err := readHybrid(nil, tt.raw, tt.width, tt.n)
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
	if levels, err := readLevels([]byte{4 << 1, 1}, 1, 4); err != nil || !slices.Equal(levels, []uint8{1, 1, 1, 1}) {
		t.Errorf("levels %v, %v", levels, err)
	}
	if levels, err := readLevels([]byte{4 << 1}, 1, 4); err == nil {
		t.Errorf("levels that are cut off: %v", levels)
	}
	if levels, err := readLevels(nil, 0, 4); err != nil || levels != nil {
		t.Errorf("no levels: %v, %v", levels, err)
	}
}

// TestWrittenInPieces checks that lines may be written in any pieces.
func TestWrittenInPieces(t *testing.T) {
	file := shapes(t)["row-groups"]
	rows := changedRows(t, rowsOf(t, file))
	want, err := Pack(file, rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, sizes := range [][2]int{{1, 1}, {7, 7}, {50, 50}, {1, len(rows)}, {len(rows), 1}} { // of the first piece of a row, and the others
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		s, err := NewStream(f, &out)
		if err != nil {
			t.Fatal(err)
		}
		s.whole = true
		in := bufio.NewReader(s)
		for row := range bytes.Lines(rows) {
			if _, err := in.ReadBytes('\n'); err != nil {
				t.Fatal(err)
			}
			first := min(sizes[0], len(row))
			for _, piece := range append([][]byte{row[:first]}, slices.Collect(slices.Chunk(row[first:], sizes[1]))...) {
				if n, err := s.Write(piece); err != nil || n != len(piece) {
					t.Fatalf("in pieces of %d bytes: wrote %d, %v", sizes, n, err)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("in pieces of %d bytes: %d bytes, want %d", sizes, out.Len(), len(want))
		}
	}
}
