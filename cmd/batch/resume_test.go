package batch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file below dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUpToDate checks when --resume skips a file: while the program, the options, the input
// and the output are those of the entry.
func TestUpToDate(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, dir, "in.json", "input"), write(t, dir, "out.json", "output")
	base := Entry{Condense: "v1", Options: "o", Input: in, Output: out, Read: HashOf([]byte("input")), Written: HashOf([]byte("output")), Status: Condensed}
	now := Now{Condense: "v1", Options: "o", Output: out, Folder: true}
	for _, tt := range []struct {
		name   string
		change func(e *Entry, it *Item, n *Now)
		want   bool
	}{
		{"nothing has changed", func(*Entry, *Item, *Now) {}, true},
		{"another version", func(_ *Entry, _ *Item, n *Now) { n.Condense = "v2" }, false},
		{"other options", func(_ *Entry, _ *Item, n *Now) { n.Options = "p" }, false},
		{"another place", func(_ *Entry, _ *Item, n *Now) { n.Output = in }, false},
		{"another input", func(e *Entry, _ *Item, _ *Now) { e.Read = HashOf([]byte("x")) }, false},
		{"another output", func(e *Entry, _ *Item, _ *Now) { e.Written = HashOf([]byte("x")) }, false},
		{"no input", func(_ *Entry, it *Item, _ *Now) { it.Path = filepath.Join(dir, "none") }, false},
		{"refused", func(e *Entry, _ *Item, _ *Now) { e.Status = Refused }, false},
		{"failed", func(e *Entry, _ *Item, _ *Now) { e.Status = Failed }, false},
		{"missed the target", func(e *Entry, _ *Item, _ *Now) { e.Status = MissedTarget }, true},
		{"in part", func(e *Entry, _ *Item, _ *Now) { e.Status = PartFailed }, true},
		{"left out", func(e *Entry, _ *Item, _ *Now) { e.Status, e.Written, e.Output = LeftOut, "", "" }, true},
		{"left out, and the input has changed", func(e *Entry, _ *Item, _ *Now) { e.Status, e.Written, e.Read = LeftOut, "", "x" }, false},
		{"not written", func(e *Entry, _ *Item, _ *Now) { e.Written = "" }, false},
		{"no transcript in a folder", func(e *Entry, _ *Item, _ *Now) { e.Status, e.Written = NotTranscript, "" }, true},
		{"no transcript, and named now", func(e *Entry, it *Item, _ *Now) { e.Status, e.Written, it.Named = NotTranscript, "", true }, false},
		{"no transcript, and named then", func(e *Entry, it *Item, _ *Now) { e.Status, e.Written, it.Named, e.Exit = NotTranscript, "", true, 3 }, true},
		{"in place", func(e *Entry, _ *Item, n *Now) {
			n.InPlace, n.Folder, e.Output, e.Written = true, false, plainName(in), HashOf([]byte("input"))
		}, true},
		{"in place, and changed since", func(e *Entry, _ *Item, n *Now) { n.InPlace, n.Folder, e.Output = true, false, plainName(in) }, false},
	} {
		e, it, n := base, Item{Path: in}, now
		e.Output, n.Output = plainName(out), out
		tt.change(&e, &it, &n)
		if got := e.UpToDate(&it, n); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestMakePlace checks that folders are made, and that nothing but a regular file is in the
// place of an output.
func TestMakePlace(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	there := write(t, dir, "a/there.json", "x")
	write(t, dir, "file", "x")
	if err := os.MkdirAll(filepath.Join(dir, "b", "folder.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rel   string
		there bool
		want  string // part of the error
	}{
		{"a/there.json", true, ""},
		{"a/new.json", false, ""},
		{"new/folder/x.json", false, ""},
		{"b/folder.json", false, "--out-dir: " + filepath.Join("b", "folder.json") + " is not a regular file"},
		{"file/x.json", false, "--out-dir: "},
		{strings.Repeat("long", 100) + ".json", false, "--out-dir: "}, // more than names of files may have
	} {
		got, err := MakePlace(root, &Item{Path: tt.rel, Rel: tt.rel})
		var place *PlaceError
		if got != tt.there || (err == nil) != (tt.want == "") || err != nil && (!errors.As(err, &place) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, %v", tt.rel, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "new", "folder")); err != nil || !info.IsDir() {
		t.Errorf("no folder was made: %v", err)
	}
	for _, tt := range []struct {
		packed string
		prior  *Entry
		force  bool
		want   error
	}{
		{"y", nil, false, &TakenError{there}},
		{"y", nil, true, nil},
		{"y", &Entry{Written: HashOf([]byte("x"))}, false, nil},
		{"y", &Entry{Written: HashOf([]byte("z"))}, false, &TakenError{there}},
		{"x", nil, false, ErrSame},
	} {
		err := MayReplace(there, []byte(tt.packed), tt.prior, tt.force)
		if (err == nil) != (tt.want == nil) || err != nil && err.Error() != tt.want.Error() {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	if ErrSame.Error() != "the output exists already" || (&TakenError{there}).Hint() != "use --force, or another --out-dir; --manifest FILE --resume skips what an earlier run with that manifest has done" {
		t.Errorf("the errors are %q, %q", ErrSame, (&TakenError{there}).Hint())
	}
	if err := (&TakenError{"a"}).Error(); err != "a: exists with other bytes, and is not overwritten without --force" {
		t.Error(err)
	}
	var place *PlaceError
	if err := MayReplace(filepath.Join(dir, "none"), nil, nil, false); !errors.As(err, &place) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// TestClash checks that two items with one output are found, whatever the case of letters.
func TestClash(t *testing.T) {
	items := []Item{{Path: "x/a.json", Rel: "a.json"}, {Path: "y/b.json", Rel: "b.json"}}
	if got := Clash(items); got != "" {
		t.Errorf("got %q", got)
	}
	items = append(items, Item{Path: "y/A.json", Rel: "A.json"})
	if got := Clash(items); got != "x/a.json and y/A.json would both be written to A.json" {
		t.Errorf("got %q", got)
	}
}

// TestManifest checks that entries are read back, the last one of each input, and that other
// files are refused.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "manifest.jsonl")
	m, err := OpenManifest(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Entry{{Input: "a", Status: Failed}, {Input: "b", Status: Condensed}, {Input: "a", Status: Unchanged}} {
		if err := m.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	var fault *ManifestError
	if err := m.Add(Entry{}); !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), "--manifest "+path+": ") {
		t.Errorf("writing to a closed manifest: %v", err)
	}
	if err := m.Close(); !errors.As(err, &fault) {
		t.Errorf("closing it twice: %v", err)
	}
	if m, err = OpenManifest(path); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if a, b := m.Last("a"), m.Last("b"); a == nil || a.Status != Unchanged || b == nil || b.Status != Condensed || m.Last("c") != nil {
		t.Errorf("got %+v and %+v", a, b)
	}
	for text, want := range map[string]string{
		"hello\n": "not a manifest", `{"manifest":99}` + "\n": "unknown version 99", "[1]\n": "not a manifest", "": "", `{"manifest":`: "",
	} {
		_, err := OpenManifest(write(t, dir, "other", text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := OpenManifest(dir); !errors.As(err, &fault) {
		t.Errorf("a folder: %v", err)
	}
	if m, err := OpenManifest(""); m != nil || err != nil || m.Add(Entry{}) != nil || m.Close() != nil || m.Last("a") != nil {
		t.Error("there is a manifest without a path")
	}
	if HashFile(write(t, dir, "f", "x")) != HashOf([]byte("x")) || HashFile(dir) != "" || HashFile(filepath.Join(dir, "none")) != "" {
		t.Error("the hash of a file is not that of its bytes")
	}
}

// TestGatherFailures checks that a pattern without a match, and a folder that cannot be listed,
// are reported, and that the other paths are still found.
func TestGatherFailures(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "a.json", "x")
	g := &Gathering{}
	g.Gather([]string{filepath.Join(dir, "*.none"), filepath.Join(dir, "none", "*.json"), file})
	if len(g.Items) != 1 || g.Items[0].Path != file || g.Items[0].Size != 1 {
		t.Errorf("found %+v", g.Items)
	}
	if len(g.Failed) != 2 || !strings.HasSuffix(g.Failed[0].Error(), "*.none matches no file") || g.Failed[1].Error() == "" {
		t.Errorf("failed %v", g.Failed)
	}
}

// TestSameFile checks that standard output and no file are never the same as a file.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a", "x")
	if err := os.Link(a, filepath.Join(dir, "b")); err != nil {
		t.Skip("no links here: ", err)
	}
	for b, want := range map[string]bool{"": false, "-": false, a: true, dir + "/./a": true, filepath.Join(dir, "b"): true, filepath.Join(dir, "c"): false} {
		if got := SameFile(a, b); got != want {
			t.Errorf("%s: %v", b, got)
		}
	}
	if SameFile("", "") || SameFile("-", "-") {
		t.Error("no file, or standard output, is the same file")
	}
}

// TestNoShard checks that without parts every file belongs to the only one, and that of two
// parts each has some.
func TestNoShard(t *testing.T) {
	n := 0
	for i := range 100 {
		name := strings.Repeat("x", i)
		if !(Shard{}).Has(name) || !(Shard{index: 1, of: 1}).Has(name) {
			t.Errorf("%q is in no part", name)
		}
		if (Shard{index: 1, of: 2}).Has(name) {
			n++
		}
	}
	if n < 20 || n > 80 {
		t.Errorf("the first of two parts has %d of 100 files", n)
	}
	env := func(name string) string {
		return map[string]string{"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "many"}[name]
	}
	if _, err := (Shard{auto: true}).Resolve(env); err == nil || err.Error() != `--shard auto: SLURM_ARRAY_TASK_COUNT is "many", not a number` {
		t.Errorf("got %v", err)
	}
}
