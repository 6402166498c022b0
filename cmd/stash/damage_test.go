package stash

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// TestDeltaRefuses checks that operations that this package does not write are damage, whatever they hold.
func TestDeltaRefuses(t *testing.T) {
	const base = "0123456789"
	op := func(insert uint64, distance int64, n uint64) []byte {
		return binary.AppendUvarint(binary.AppendVarint(binary.AppendUvarint(nil, insert), distance), n)
	}
	for _, tt := range []struct {
		name, extra string
		ops         [][]byte
		size        int
		want        string // "!" for damage
	}{
		{"an insertion and a copy", "ab", [][]byte{op(2, 3, 4)}, 6, "ab3456"},
		{"two copies, the second before the first", "", [][]byte{op(0, 8, 2), op(0, -10, 1)}, 3, "890"},
		{"up to the end", "", [][]byte{op(0, 10, 0)}, 0, ""},
		{"nothing", "", nil, 0, ""},
		{"behind the end", "", [][]byte{op(0, 11, 0)}, 0, "!"},
		{"before the beginning", "", [][]byte{op(0, -1, 1)}, 1, "!"},
		{"past the end", "", [][]byte{op(0, 8, 3)}, 3, "!"},
		{"a copy without end", "", [][]byte{op(0, 0, 1<<63)}, 3, "!"},
		{"more extra than there is", "a", [][]byte{op(2, 0, 0)}, 2, "!"},
		{"extra that is left", "ab", [][]byte{op(1, 0, 0)}, 1, "!"},
		{"more than the size", "ab", [][]byte{op(2, 0, 1)}, 2, "!"},
		{"less than the size", "ab", [][]byte{op(2, 0, 1)}, 4, "!"},
		{"no copy", "a", [][]byte{{1}}, 1, "!"},
		{"no number of bytes", "a", [][]byte{{1, 0}}, 1, "!"},
		{"a number without end", "a", [][]byte{{1, 0}, bytes.Repeat([]byte{0xff}, 11)}, 1, "!"},
		{"a distance without end", "a", [][]byte{{1}, bytes.Repeat([]byte{0xff}, 11), {0}}, 1, "!"},
		{"an insertion without end", "a", [][]byte{bytes.Repeat([]byte{0xff}, 11), {0, 0}}, 1, "!"},
	} {
		got, err := delta{bytes.Join(tt.ops, nil), []byte(tt.extra)}.apply([]byte(base), tt.size)
		if damaged := tt.want == "!"; errors.Is(err, errDelta) != damaged || !damaged && string(got) != tt.want {
			t.Errorf("%s: got %q, %v", tt.name, got, err)
		}
	}
}

// TestTextsOfDamage checks that a list without its texts, or with other lines, is damage.
func TestTextsOfDamage(t *testing.T) {
	texts := []Text{{ID: "111111", Number: "111111000", Text: "one\ntwo"}, {ID: "222222", Number: "222222000", Of: []string{"111111"}}}
	e := newEntry([]byte("a\nb\n"), []byte("b\n"), []Edit{{Message: 1, Op: "drop", Text: "a"}, {Message: 2, Op: "drop"}}, texts, false)
	if got, err := e.texts(); err != nil || len(got) != 2 || got[0].Text != texts[0].Text || got[1].Of[0] != "111111" {
		t.Errorf("got %+v, %v", got, err)
	}
	if edits, err := e.edits(); err != nil || len(edits) != 2 || edits[1].Message != 2 {
		t.Errorf("got %+v, %v", edits, err)
	}
	list, err := e.toList.apply(e.toInput.extra, e.List)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{string(list[:len(list)-4]), string(list) + "{", string(list) + "x"} {
		broken := *e
		broken.toList, broken.List = newDelta(e.toInput.extra, []byte(damaged)), len(damaged)
		if got, err := broken.texts(); !errors.Is(err, errDelta) {
			t.Errorf("%q: got %+v, %v", damaged[max(0, len(damaged)-9):], got, err)
		}
	}
	broken := *e
	if broken.List++; broken.List > 0 {
		if got, err := broken.texts(); !errors.Is(err, errDelta) {
			t.Errorf("another size: got %+v, %v", got, err)
		}
	}
	whole := *e
	whole.Whole = true
	if got, err := whole.texts(); err != nil || got != nil {
		t.Errorf("a whole entry has %+v, %v", got, err)
	}
}

// TestDamagedLists checks that an entry whose input is whole and whose list is damaged can be restored, and that no
// part of its list is shown.
func TestDamagedLists(t *testing.T) {
	in, out := []byte("a\nb\n"), []byte("b\n")
	edits, texts := []Edit{{Message: 1, Op: "drop", Text: "a"}, {Message: 2, Op: "drop"}}, []Text{{ID: "111111", Number: "111111000", Text: "a", Shown: true}}
	for name, tt := range map[string]struct {
		damage       func(e *entry)
		edits, texts bool // what is an error
	}{
		"whole":           {func(*entry) {}, false, false},
		"another size":    {func(e *entry) { e.List++ }, true, true},
		"no operations":   {func(e *entry) { e.toList.ops, e.ListOps = nil, 0 }, true, true},
		"bytes missing":   {func(e *entry) { e.toList.extra, e.ListExtra = e.toList.extra[1:], e.ListExtra-1 }, true, true},
		"edits no JSON":   {func(e *entry) { e.toList.extra[0] = 'x' }, true, false},
		"texts no JSON":   {func(e *entry) { e.toList.extra[e.ListExtra-2] = 'x' }, false, true},
		"texts cut short": {func(e *entry) { e.toList.extra[e.ListExtra-2] = ' ' }, false, true},
	} {
		s := newStore(t)
		e := newEntry(in, out, edits, texts, false)
		tt.damage(e)
		file, err := e.bytes()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(s.Dir, 0o700), os.WriteFile(filepath.Join(s.Dir, e.name()), file, 0o600)); err != nil {
			t.Fatal(err)
		}
		all, err := s.Entries()
		if err != nil || len(all) != 1 || all[0].Damaged {
			t.Fatal(name, all, err)
		}
		if r, err := s.Restore(out, ""); err != nil || !bytes.Equal(r.Data, in) {
			t.Errorf("%s: restored %+v, %v", name, r, err)
		}
		if at, got, err := s.Look(all[0].ID); (exitCode(err) == exitInput) != tt.edits || (len(got) == 2) == tt.edits || (at.ID == "") != tt.edits {
			t.Errorf("%s: the edits are %+v of %+v, %v", name, got, at, err)
		}
		if got, err := s.Texts(all[0]); (exitCode(err) == exitInput) != tt.texts || (len(got) == 1) == tt.texts {
			t.Errorf("%s: the texts are %+v, %v", name, got, err)
		}
		if x, ok, err := s.Expand(all, "111111"); (exitCode(err) == exitInput) != tt.texts || ok == tt.texts {
			t.Errorf("%s: expanded to %+v, %v", name, x, err)
		}
		if err := prove(file, in, out); (err != nil) != (tt.edits || tt.texts) {
			t.Errorf("%s: proven: %v", name, err)
		}
	}
	e := newEntry(in, out, edits, nil, false)
	for more := range 3 {
		if got, err := unmarshal(marshal(edits), len(edits)+more); (err != nil) != (more > 0) || err == nil && len(got) != len(edits) {
			t.Errorf("%d more edits than there are: %+v, %v", more, got, err)
		}
		e.Edits = len(edits) + more
		if file, err := e.bytes(); err != nil || (prove(file, in, out) != nil) != (more > 0) {
			t.Errorf("%d more edits than there are are proven: %v", more, err)
		}
	}
}

// TestHeaderRefuses checks which headers are damage.
func TestHeaderRefuses(t *testing.T) {
	e := newEntry([]byte("a\nb\n"), []byte("b\n"), nil, nil, false)
	file, err := e.bytes()
	if err != nil {
		t.Fatal(err)
	}
	if h, packed, err := parseHeader(file); err != nil || h.Output != e.Output || len(packed) == 0 {
		t.Errorf("got %+v, %v", h, err)
	}
	for _, damaged := range []string{
		"", "x" + string(file), strings.Replace(string(file), "{", "[", 1), strings.ReplaceAll(string(file), "\n", ""),
		strings.Replace(string(file), e.Output, e.Output[1:], 1), strings.Replace(string(file), e.Input, e.Input+"0", 1),
	} {
		if _, _, err := parseHeader([]byte(damaged)); !errors.Is(err, errDelta) {
			t.Errorf("%.30q: %v", damaged, err)
		}
	}
}

// TestBegins checks the comparison of what is read with what was written.
func TestBegins(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), 20_000)
	for _, part := range [][]byte{long, long[:1], {}} {
		if !begins(bytes.NewReader(long), part) {
			t.Errorf("%d bytes are not the beginning", len(part))
		}
	}
	other := bytes.Clone(long)
	other[len(other)-1]++
	if begins(bytes.NewReader(long), other) || begins(bytes.NewReader(long[:5]), long) || begins(iotest.ErrReader(errDelta), long) {
		t.Error("other bytes are the beginning")
	}
	if !begins(bytes.NewReader(nil), nil) || begins(bytes.NewReader(long), nil) || begins(iotest.ErrReader(errDelta), nil) {
		t.Error("the end is not found")
	}
}

// TestErrorsOfStore checks the words of errors, and what the ids of entries are.
func TestErrorsOfStore(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"), step("c\nd\n", "d\n"))
	if _, err := s.one(""); err == nil || err.Error() != "2 entries of "+s.Dir+" begin with \"\"" {
		t.Errorf("got %v", err)
	}
	if _, err := s.one("zz"); err == nil || err.Error() != "no entry \"zz\" in "+s.Dir {
		t.Errorf("got %v", err)
	}
	if err := s.failed("cannot be read", os.ErrPermission); err.Error() != s.Dir+": cannot be read: permission denied" {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{file: ": not a stash: it is a file", file + ".none": ": not a stash: "} {
		if _, err := Open(dir); err == nil || !strings.HasPrefix(err.Error(), dir+want) {
			t.Errorf("got %v", err)
		}
	}
	places := []place{{name: "0123456789abcdef"}, {name: "0123456789abffff"}, {name: "f123456789abffff"}}
	for i, want := range []string{"0123456789abc", "0123456789abf", "f1234567"} {
		if got := short(places, i); got != want {
			t.Errorf("%d: got %s", i, got)
		}
	}
}

// TestDropLeavesStore checks that the last entry of a store of the user's own goes without its folder, and that the
// folder of a file in a home goes with its last entry.
func TestDropLeavesStore(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"))
	places, err := s.places()
	if err != nil || s.drop(places[0]) != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Dir); err != nil {
		t.Error(err)
	}
	home := Home(t.TempDir())
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	if places, err = home.places(); err != nil || home.drop(places[0]) != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(home.For("/a").Dir); err == nil {
		t.Error("the empty folder is left")
	}
}
