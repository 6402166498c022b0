package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestStructure checks that every kind of value is read as it was written, in lists and maps of any length.
func TestStructure(t *testing.T) {
	numbers := func(n int) *list {
		l := &list{elem: typeInt64}
		for i := range n {
			l.items = append(l.items, int64(i)<<40-7)
		}
		return l
	}
	s := &structure{}
	for i, v := range []struct {
		typ   byte
		value any
	}{
		{typeTrue, true}, {typeFalse, false}, {typeByte, []byte{9}}, {typeInt32, int64(-70000)}, {typeInt64, int64(1) << 60},
		{typeDouble, []byte("8 bytes.")}, {typeBinary, []byte("text")}, {typeBinary, []byte{}},
		{typeList, &list{elem: typeInt64}}, {typeList, numbers(1)}, {typeList, numbers(14)}, {typeList, numbers(15)}, {typeList, numbers(16)}, {typeSet, numbers(200)},
		{typeList, &list{elem: typeTrue, items: []any{true, false, true}}},
		{typeMap, &list{}}, {typeMap, &list{elem: typeBinary, value: typeInt32, items: []any{[]byte("one"), int64(1), []byte("two"), int64(2)}}},
		{typeStruct, &structure{[]field{{1, typeInt32, int64(5)}, {200, typeBinary, []byte("far")}, {-3, typeTrue, true}}}},
		{typeList, &list{elem: typeStruct, items: []any{&structure{}, &structure{[]field{{16, typeFalse, false}}}}}},
	} {
		s.fields = append(s.fields, field{int16(1 + i*i), v.typ, v.value})
	}
	got, rest, err := readStructure(append(s.append(nil), "rest"...))
	if err != nil || string(rest) != "rest" {
		t.Fatalf("%q is left, %v", rest, err)
	}
	for i, f := range s.fields {
		if !reflect.DeepEqual(got.fields[i], f) {
			t.Errorf("field %d: %+v, want %+v", i, got.fields[i], f)
		}
	}
	whole := s.append(nil)
	for i := range whole {
		if _, _, err := readStructure(whole[:i]); err == nil {
			t.Errorf("cut off at byte %d of %d, and no error", i, len(whole))
		}
	}
}

// TestSet checks that fields are written in the order of their ids, in whatever order they are set.
func TestSet(t *testing.T) {
	for _, ids := range [][]int16{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}, {1, 3, 2}, {1, 2, 2, 3}} {
		s := &structure{}
		for _, id := range ids {
			s.set(id, typeInt32, int64(id))
		}
		if got, want := s.append(nil), []byte{0x15, 2, 0x15, 4, 0x15, 6, 0}; !bytes.Equal(got, want) {
			t.Errorf("fields set in the order %d are written as % x, want % x", ids, got, want)
		}
	}
}

// refooted returns a file with another footer, which change has changed.
func refooted(t *testing.T, file []byte, change func(footer *structure)) []byte {
	t.Helper()
	length := int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	footer, _, err := readStructure(file[len(file)-8-length : len(file)-8])
	if err != nil {
		t.Fatal(err)
	}
	change(footer)
	data := footer.append(slices.Clone(file[:len(file)-8-length]))
	data = binary.LittleEndian.AppendUint32(data, uint32(len(data)-(len(file)-8-length)))
	return append(data, Magic...)
}

// TestFooters checks the errors for files whose metadata says what cannot be read.
func TestFooters(t *testing.T) {
	file := shapes(t)["row-groups"]
	column := func(footer *structure) *structure { return footer.subs(fileGroups)[1].subs(groupColumns)[1] }
	for _, test := range []struct {
		want   string
		change func(*structure)
	}{
		{"", func(*structure) {}},
		{"the file is encrypted", func(f *structure) {
			column(f).set(chunkCrypto, typeStruct, &structure{})
		}},
		{"its columns are in other files", func(f *structure) {
			column(f).set(chunkPath, typeBinary, []byte("other.parquet"))
		}},
		{"row group 2, column 2: the compression 99 is not supported", func(f *structure) {
			column(f).sub(chunkMeta).setInt(metaCodec, 99)
		}},
		{"has no columns", func(f *structure) {
			root := f.subs(fileSchema)[0]
			root.setInt(elemChildren, root.int(elemChildren)+1)
			schema := f.get(fileSchema).(*list)
			schema.items = append(schema.items, &structure{[]field{{elemName, typeBinary, []byte("none")}, {elemChildren, typeInt32, int64(0)}}})
		}},
		{errMetadata.Error(), func(f *structure) {
			column(f).sub(chunkMeta).setInt(metaCompressed, int64(len(file)))
		}},
		{errMetadata.Error(), func(f *structure) { // more columns than the schema has
			columns := f.subs(fileGroups)[1].get(groupColumns).(*list)
			columns.items = append(columns.items, columns.items[0])
		}},
		{errMetadata.Error(), func(f *structure) {
			f.subs(fileGroups)[1].setInt(groupRows, -1)
		}},
		{"row group 2, column 2: a page is damaged", func(f *structure) { // a column has more values than its pages
			meta := column(f).sub(chunkMeta)
			meta.setInt(metaValues, meta.int(metaValues)+1)
		}},
		{`the column "id" has an unknown type`, func(f *structure) {
			f.subs(fileSchema)[1].setInt(elemType, physFixed+1)
		}},
	} {
		rows, err := Unpack(refooted(t, file, test.change))
		if err == nil {
			_, err = io.Copy(io.Discard, rows)
		}
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestIndexWithoutLength checks that a file is written although the metadata of a column names an index without
// its length.
func TestIndexWithoutLength(t *testing.T) {
	for name, file := range shapes(t) {
		odd := refooted(t, file, func(footer *structure) {
			for _, g := range footer.subs(fileGroups) {
				for _, c := range g.subs(groupColumns) {
					c.drop(chunkOffsetIndexLen, chunkColumnIndexLen)
					c.set(chunkOffsetIndex, typeInt64, int64(len(Magic)))
				}
			}
		})
		rows := rowsOf(t, file)
		out, err := Pack(odd, rows)
		if err != nil || !bytes.Equal(rowsOf(t, out), rows) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOffsets checks that the metadata of each written column leads to its pages: to a dictionary if there is
// one, and to the data. Offsets that are not set stay so, and the others move with the column.
func TestOffsets(t *testing.T) {
	plain := 0
	for name, file := range shapes(t) {
		out, err := Pack(file, changedRows(t, rowsOf(t, file)))
		if err != nil {
			t.Fatal(err)
		}
		a, errA := Open(bytes.NewReader(file), int64(len(file)))
		b, errB := Open(bytes.NewReader(out), int64(len(out)))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i := range b.groups {
			before := a.groups[i].subs(groupColumns)
			for j, c := range b.groups[i].subs(groupColumns) {
				meta, was := c.sub(chunkMeta), before[j].sub(chunkMeta)
				if from, to := before[j].int(chunkOffset), c.int(chunkOffset); (from == 0) != (to == 0) || before[j].has(chunkOffset) != c.has(chunkOffset) {
					t.Errorf("%s: column %d: its offset was %d, and is %d", name, j, from, to)
				}
				if meta.int(metaValues) == 0 {
					continue
				}
				page := func(at int64) int64 {
					header, _, err := readStructure(out[at:])
					if err != nil {
						t.Fatalf("%s: column %d: no page at %d: %v", name, j, at, err)
					}
					return header.int(1)
				}
				start, _ := extent(meta)
				dict := page(start) == pageDict
				if at := meta.int(metaDictPage); dict != (at > 0 && at == start) && !(was.int(metaDictPage) == 0 && dict) {
					t.Errorf("%s: column %d: a dictionary: %v, and its offset is %d", name, j, dict, at)
				}
				if kind := page(meta.int(metaDataPage)); kind != pageData && kind != pageDataV2 && !dict {
					t.Errorf("%s: column %d: a page of type %d is at the offset of the data", name, j, kind)
				}
				if !dict {
					plain++
				}
			}
		}
	}
	if plain == 0 {
		t.Error("no column has no dictionary")
	}
}

// TestEmptyGroups checks row groups without rows: they are read, and written again.
func TestEmptyGroups(t *testing.T) {
	file := shapes(t)["row-groups"]
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var last []byte
	for line := range bytes.Lines(rowsOf(t, file)) {
		last = bytes.Clone(line)
	}
	var some bytes.Buffer
	row := int64(0)
	if _, err := f.Rewrite(&some, func(line []byte) ([]byte, error) {
		if row++; row < f.Rows() {
			return nil, nil
		}
		return line, nil
	}); err != nil {
		t.Fatal(err)
	}
	few, err := Open(bytes.NewReader(some.Bytes()), int64(some.Len()))
	if err != nil || len(few.groups) != len(f.groups) || len(few.groups) < 3 || few.Rows() != 1 || few.groups[0].int(groupRows) != 0 {
		t.Fatalf("%d row groups, %d rows, %v", len(few.groups), few.Rows(), err)
	}
	var again bytes.Buffer
	if _, err := few.Rewrite(&again, func(line []byte) ([]byte, error) { return line, nil }); err != nil {
		t.Fatal(err)
	}
	for _, out := range [][]byte{some.Bytes(), again.Bytes()} {
		if got := rowsOf(t, out); !bytes.Equal(got, last) {
			t.Errorf("the rows are %.200q, want %.200q", got, last)
		}
		if f, err := Open(bytes.NewReader(out), int64(len(out))); err != nil || len(f.groups) != len(few.groups) {
			t.Errorf("%d row groups, %v", len(f.groups), err)
		}
	}
}
