package parquet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shapes returns the files of testdata by name.
func shapes(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimSuffix(filepath.Base(p), ".parquet")] = data
	}
	return files
}

func rowsOf(t *testing.T, file []byte) []byte {
	t.Helper()
	r, err := Unpack(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestUnchanged checks that a file without changes is written byte for byte.
func TestUnchanged(t *testing.T) {
	for name, file := range shapes(t) {
		out, err := Pack(file, rowsOf(t, file))
		if err != nil || !bytes.Equal(out, file) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(out), len(file), err)
		}
	}
}

// conversations lists the columns of the shapes that hold conversations.
var conversations = []string{"messages", "conversations", "trajectory", "prompt", "completion"}

// shortened returns a value with shorter texts and lists. It leaves out what is null.
func shortened(v any) any {
	switch v := v.(type) {
	case string:
		var parsed any
		if strings.HasPrefix(v, "[") || strings.HasPrefix(v, "{") {
			if json.Unmarshal([]byte(v), &parsed) == nil {
				text, _ := json.Marshal(shortened(parsed))
				return string(text)
			}
		}
		if len(v) > 30 && !strings.HasPrefix(v, "call_") {
			return v[:12] + "…"
		}
	case []any:
		items := []any{}
		for i, item := range v {
			if i%3 != 1 || len(v) < 3 {
				items = append(items, shortened(item))
			}
		}
		return items
	case map[string]any:
		members := map[string]any{}
		for name, m := range v {
			if m != nil {
				members[name] = shortened(m)
			}
		}
		return members
	}
	return v
}

// changedRows shortens the conversations of all rows but each third.
func changedRows(t *testing.T, rows []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	i := 0
	for line := range bytes.Lines(rows) {
		if i++; i%3 == 0 {
			out.Write(line)
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		row := map[string]any{}
		if err := dec.Decode(&row); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		for _, name := range conversations {
			if v, ok := row[name]; ok {
				row[name] = shortened(v)
			}
		}
		data, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(data, '\n'))
	}
	return out.Bytes()
}

func values(t *testing.T, rows []byte) (all []any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(rows))
	dec.UseNumber()
	for {
		var v any
		if err := dec.Decode(&v); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
}

// TestChanged changes conversations, and checks the rows, the row groups, the codecs, the metadata, and the
// bytes of all other columns.
func TestChanged(t *testing.T) {
	for name, file := range shapes(t) {
		want := changedRows(t, rowsOf(t, file))
		out, err := Pack(file, want)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := rowsOf(t, out); !reflect.DeepEqual(values(t, got), values(t, want)) {
			t.Errorf("%s: rows\n%.500s\nexpected\n%.500s", name, got, want)
		}
		checkKept(t, name, file, out)
		again, err := Pack(out, rowsOf(t, out))
		if err != nil || !bytes.Equal(again, out) {
			t.Errorf("%s: written again: %d bytes of %d, %v", name, len(again), len(out), err)
		}
	}
}

// checkKept checks what stays of a file whose conversations changed.
func checkKept(t *testing.T, name string, file, out []byte) {
	t.Helper()
	a, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.groups) != len(b.groups) || a.Rows() != b.Rows() {
		t.Fatalf("%s: %d row groups of %d", name, len(b.groups), len(a.groups))
	}
	rest := func(f *File) []byte {
		footer := f.footer.clone()
		footer.drop(fileGroups)
		return footer.append(nil)
	}
	if !bytes.Equal(rest(a), rest(b)) {
		t.Errorf("%s: schema or metadata differ", name)
	}
	for i := range a.groups {
		if a.groups[i].int(groupRows) != b.groups[i].int(groupRows) {
			t.Errorf("%s: row group %d has other rows", name, i)
		}
		for j, chunkA := range a.groups[i].subs(groupColumns) {
			chunkB := b.groups[i].subs(groupColumns)[j]
			column := string(chunkA.sub(chunkMeta).get(3).(*list).items[0].([]byte))
			if chunkA.sub(chunkMeta).int(metaCodec) != chunkB.sub(chunkMeta).int(metaCodec) {
				t.Errorf("%s: column %s has another codec", name, column)
			}
			if slices.Contains(conversations, column) {
				continue
			}
			dataA, errA := a.chunk(chunkA)
			dataB, errB := b.chunk(chunkB)
			if errA != nil || errB != nil || !bytes.Equal(dataA, dataB) {
				t.Errorf("%s: column %s has other bytes, %v, %v", name, column, errA, errB)
			}
		}
	}
}

// TestDuckDB lets DuckDB read files whose conversations changed. DuckDB compares all other columns, the
// types and the metadata with those of the original.
func TestDuckDB(t *testing.T) {
	modules := os.Getenv("CONDENSE_NODE_MODULES") // folder in which @duckdb/node-api is installed
	if _, err := exec.LookPath("node"); err != nil || modules == "" {
		t.Skip("no duckdb")
	}
	script, err := filepath.Abs("testdata/duckdb.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{script}
	var want []any
	for name, file := range shapes(t) {
		rows := changedRows(t, rowsOf(t, file))
		out, err := Pack(file, rows)
		if err != nil {
			t.Fatal(err)
		}
		before, err := filepath.Abs("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		after := filepath.Join(dir, name+".parquet")
		if err := os.WriteFile(after, out, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		for _, n := range f.root.children {
			if slices.Contains(conversations, n.name) {
				named = append(named, n.name)
			}
		}
		args = append(args, before, after, strings.Join(named, ","))
		for _, v := range values(t, rows) {
			row := map[string]any{}
			for _, n := range named {
				if x := v.(map[string]any)[n]; x != nil {
					row[n] = full(x)
				}
			}
			want = append(want, row)
		}
	}
	c := exec.Command("node", args...)
	c.Dir, c.Stderr = modules, os.Stderr
	got, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := values(t, got)
	if len(all) != len(want) {
		t.Fatalf("DuckDB reads %d rows of %d", len(all), len(want))
	}
	for i := range all {
		if got := full(all[i]); !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("DuckDB reads %v, expected %v", got, want[i])
		}
	}
}

// full returns a value without members that are null, and reads texts that hold JSON as DuckDB shows its
// type JSON.
func full(v any) any {
	switch v := v.(type) {
	case string:
		var parsed any
		dec := json.NewDecoder(strings.NewReader(v))
		dec.UseNumber()
		if strings.HasPrefix(v, "[") && dec.Decode(&parsed) == nil {
			return full(parsed)
		}
	case []any:
		items := []any{}
		for _, item := range v {
			items = append(items, full(item))
		}
		return items
	case map[string]any:
		members := map[string]any{}
		for name, m := range v {
			if m != nil {
				members[name] = full(m)
			}
		}
		return members
	}
	return v
}

// TestLeftOut leaves out rows, of which all columns are written again.
func TestLeftOut(t *testing.T) {
	for name, file := range shapes(t) {
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var out, want bytes.Buffer
		s, err := NewStream(f, &out)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(s)
		for i := 0; ; i++ {
			row, err := in.ReadBytes('\n')
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if i%2 == 1 {
				row = []byte("\n")
			} else {
				want.Write(row)
			}
			if _, err := s.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(t, out.Bytes()); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: rows %.300s, expected %.300s", name, got, want.Bytes())
		}
	}
}

// TestLarger checks that a row group that would become larger is copied.
func TestLarger(t *testing.T) {
	file := shapes(t)["row-groups"]
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	i := 0
	copied, err := f.Rewrite(&out, func(row []byte) ([]byte, error) {
		if i++; i > 100 {
			return row, nil
		}
		return bytes.Replace(row, []byte("Hi "), fmt.Appendf(nil, "Hi %x ", i*7919*7919), 1), nil
	})
	if err != nil || copied != 100 || !bytes.Equal(out.Bytes(), file) {
		t.Errorf("%d rows copied, %d bytes of %d, %v", copied, out.Len(), len(file), err)
	}
	if _, err := f.Rewrite(&out, func([]byte) ([]byte, error) { return nil, io.ErrNoProgress }); err != io.ErrNoProgress {
		t.Errorf("%v, expected the error of the function", err)
	}
}

// TestParts writes each row group to a file of its own. The columns have the bytes of the whole file, and the rows
// are its rows.
func TestParts(t *testing.T) {
	for name, file := range shapes(t) {
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var rows []byte
		var size int64
		for i, n := range f.Sizes() {
			part := f.Part(i, i+1)
			var out bytes.Buffer
			if _, err := part.Rewrite(&out, func(row []byte) ([]byte, error) { return row, nil }); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkPart(t, name, part, out.Bytes())
			rows = append(rows, rowsOf(t, out.Bytes())...)
			size += n
		}
		if !bytes.Equal(rows, rowsOf(t, file)) || size > int64(len(file)) || f.Rows() != f.Part(0, len(f.groups)).Rows() {
			t.Errorf("%s: %d bytes of rows, row groups of %d bytes", name, len(rows), size)
		}
	}
}

// checkPart checks that a file of one row group has its columns and its number.
func checkPart(t *testing.T, name string, part *File, file []byte) {
	t.Helper()
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(f.groups) != 1 || f.Rows() != part.Rows() || f.groups[0].int(groupOrdinal) != 0 {
		t.Fatalf("%s: %d rows, %v", name, f.Rows(), err)
	}
	for i, c := range f.groups[0].subs(groupColumns) {
		got, errGot := f.chunk(c)
		want, errWant := part.chunk(part.groups[0].subs(groupColumns)[i])
		if errGot != nil || errWant != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: column %d has other bytes, %v, %v", name, i, errGot, errWant)
		}
	}
}

// TestRefused checks errors for rows that have no place in the columns.
func TestRefused(t *testing.T) {
	file := shapes(t)["arrow-rs"]
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ row, want string }{
		{`{"id":0,"messages":[{"role":"user","content":"x"}]}`, ""},
		{`{"id":0,"messages":[{"role":"user","content":"x","name":"Ada"}]}`, `messages cannot be written to its column: there is no column for its member "name"`},
		{`{"id":0,"messages":[{"content":"x"}]}`, "messages.role cannot be written to its column: it has no value, which its column requires"},
		{`{"id":"zero"}`, "id cannot be written to its column: its type is another one"},
		{`{"id":1.5}`, "id cannot be"},
		{`{"id":0,"messages":{}}`, "messages cannot be written to its column: it is not an array"},
		{`{"id":0,"messages":["x"]}`, "it is not an object"},
		{`{"id":0}{}`, "something follows"},
		{`{"id"`, "not JSON"},
		{`[]`, "the row cannot be written"},
	} {
		err := f.Check([]byte(test.row))
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: %v, expected %q", test.row, err, test.want)
		}
	}
	rows := rowsOf(t, file)
	if _, err := Pack(file, rows[:bytes.IndexByte(rows, '\n')+1]); err == nil || !strings.Contains(err.Error(), "1 rows are left of 5") {
		t.Errorf("rows are missing: %v", err)
	}
}

// TestEnds checks the errors for files whose end is not that of a readable file.
func TestEnds(t *testing.T) {
	file := shapes(t)["arrow-rs"]
	whole := string(file)
	body := whole[:len(whole)-8]
	for _, test := range []struct{ file, want string }{
		{whole, "<nil>"},
		{whole[:len(whole)-4] + "PARE", "the file is encrypted"},
		{whole[:len(whole)-4] + "PARQ", "the file has no footer at its end"},
		{whole[:len(whole)-1], "the file has no footer at its end"},
		{body + "\xff\xff\xff\x7f" + Magic, "the file has no footer at its end"},
		{"PAR1\x00\x00\x00PAR1", "the file is too short"},
		{"", "the file is too short"},
	} {
		_, err := Open(strings.NewReader(test.file), int64(len(test.file)))
		if got := fmt.Sprint(err); !strings.HasPrefix(got, test.want) {
			t.Errorf("a file that ends with %q: %s, want %s", test.file[max(0, len(test.file)-8):], got, test.want)
		}
	}
}

// TestDamaged reads files with changed bytes and files that are cut off. There may be an error, but no
// panic.
func TestDamaged(t *testing.T) {
	for _, file := range shapes(t) {
		step := max(1, len(file)/100)
		for i := 0; i < len(file); i += step {
			damaged := slices.Clone(file)
			damaged[i] ^= 0x2b
			for _, data := range [][]byte{damaged, file[:i]} {
				if r, err := Unpack(data); err == nil {
					_, _ = io.Copy(io.Discard, r)
				}
			}
		}
	}
}
