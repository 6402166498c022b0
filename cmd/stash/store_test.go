package stash

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newStore returns a stash with entries for some runs.
func newStore(t *testing.T, runs ...Run) *Store {
	t.Helper()
	s := &Store{Dir: filepath.Join(t.TempDir(), "undo")}
	for _, r := range runs {
		if _, err := s.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func step(in, out string) Run {
	return Run{File: "s.jsonl", How: "a run", In: []byte(in), Out: []byte(out)}
}

// exitCode returns the exit code of an error, 0 for nil.
func exitCode(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return 0
}

// TestPutInCheckout checks that git does not see a stash in a checkout.
func TestPutInCheckout(t *testing.T) {
	for _, tt := range []struct {
		name, git, ignore string
		want              string // the .gitignore in the stash
	}{
		{"no checkout", "", "", ""},
		{"checkout", ".git/HEAD", "", "*\n"},
		{"work tree", ".git", "", "*\n"},
		{"own rules", ".git/HEAD", "a/undo/keep", "keep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			for path, text := range map[string]string{tt.git: "ref", filepath.Join("a/undo/.gitignore"): filepath.Base(tt.ignore)} {
				if path == "" || strings.HasSuffix(path, ".gitignore") && tt.ignore == "" {
					continue
				}
				path = filepath.Join(top, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := &Store{Dir: filepath.Join(top, "a", "undo")}
			for _, r := range []Run{step("a\nb\n", "b\n"), step("b\nc\n", "c\n")} {
				if _, err := s.Put(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			got, _ := os.ReadFile(filepath.Join(s.Dir, ".gitignore"))
			if string(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if info, err := os.Stat(filepath.Join(s.Dir, ".gitignore")); err == nil && info.Mode().Perm() != 0o600 {
				t.Errorf("its mode is %v", info.Mode())
			}
		})
	}
}

func TestRestore(t *testing.T) {
	tests := []struct {
		name  string
		runs  []Run
		file  string
		want  string
		steps int
		later int
		exit  int // exit code of the error, 0 for none
	}{
		{name: "one run", runs: []Run{step("a\nb\nc\n", "a\nc\n")}, file: "a\nc\n", want: "a\nb\nc\n", steps: 1},
		{name: "a chain", runs: []Run{step("a\nb\nc\n", "a\nc\n"), step("a\nc\n", "c\n")}, file: "c\n", want: "a\nb\nc\n", steps: 2},
		{name: "put in the other order", runs: []Run{step("a\nc\n", "c\n"), step("a\nb\nc\n", "a\nc\n")}, file: "c\n", want: "a\nb\nc\n", steps: 2},
		{name: "nothing changed", runs: []Run{step("a\n", "a\n")}, file: "a\n", want: "a\n"},
		{name: "nothing changed at the end of a chain", runs: []Run{step("a\nb\n", "b\n"), step("b\n", "b\n")}, file: "b\n", want: "a\nb\n", steps: 1},
		{name: "nothing changed at its beginning", runs: []Run{step("a\nb\n", "a\nb\n"), step("a\nb\n", "b\n")}, file: "b\n", want: "a\nb\n", steps: 1},
		{name: "the original itself", runs: []Run{step("a\nb\n", "b\n")}, file: "a\nb\n", want: "a\nb\n"},
		{name: "nothing left", runs: []Run{step("a\n", "")}, file: "", want: "a\n", steps: 1},
		{name: "unknown", runs: []Run{step("a\nb\n", "b\n")}, file: "c\n", exit: exitPolicy},

		{name: "grown", runs: []Run{step("a\nb\n", "b\n")}, file: "b\nnew\nlines\n", want: "a\nb\nnew\nlines\n", steps: 1, later: 2},
		{name: "grown after a chain", runs: []Run{step("a\nb\nc\n", "a\nc\n"), step("a\nc\n", "c\n")}, file: "c\nnew\n", want: "a\nb\nc\nnew\n", steps: 2, later: 1},
		{name: "grown between two runs", runs: []Run{step("a\nb\n", "b\n"), step("b\nnew\nmore\n", "b\nmore\n")}, file: "b\nmore\n", want: "a\nb\nnew\nmore\n", steps: 2, later: 2},
		{name: "grown twice", runs: []Run{step("a\nb\n", "b\n"), step("b\nnew\nmore\n", "b\nmore\n")}, file: "b\nmore\nlast\n", want: "a\nb\nnew\nmore\nlast\n", steps: 2, later: 3},
		{name: "grown, no line feed at the end", runs: []Run{step("a\nb", "b")}, file: "b\nnew\n", want: "a\nb\nnew\n", steps: 1, later: 1},
		{name: "grown, the last line was what went", runs: []Run{step("a\nb", "a\n")}, file: "a\nnew\n", want: "a\nb\nnew\n", steps: 1, later: 1},
		{name: "grown, with carriage returns", runs: []Run{step("a\r\nb", "b")}, file: "b\r\nnew\r\n", want: "a\r\nb\r\nnew\r\n", steps: 1, later: 1},
		{name: "an original that has grown", runs: []Run{step("a\n", "a\n")}, file: "a\nnew\n", want: "a\nnew\n", later: 1},
		{name: "grown in the middle of a line", runs: []Run{step("a\nb", "b")}, file: "bb\n", exit: exitPolicy},
		{name: "a document that has grown", runs: []Run{step(`[1,2]`, `[2]`)}, file: `[2,3]`, exit: exitPolicy},

		{name: "two originals", runs: []Run{step("a\nx\n", "x\n"), step("b\nx\n", "x\n")}, file: "x\n", exit: exitUsage},
		{name: "two ways to one original", runs: []Run{step("a\nb\nc\n", "b\nc\n"), step("a\nb\nc\n", "a\nc\n"), step("b\nc\n", "c\n"), step("a\nc\n", "c\n")}, file: "c\n", want: "a\nb\nc\n", steps: 2},
		{name: "a circle, on it", runs: []Run{step("a\nb\n", "b\n"), step("b\n", "a\nb\n")}, file: "b\n", want: "a\nb\n", steps: 1},
		{name: "a circle, where it began", runs: []Run{step("a\nb\n", "b\n"), step("b\n", "a\nb\n")}, file: "a\nb\n", want: "a\nb\n"},
		{name: "nothing changed of what begins with its own output", runs: []Run{step("a\nb\n", "a\n"), step("a\nb\n", "a\nb\n")}, file: "a\nb\n", want: "a\nb\n"},
		{name: "a circle through what has grown", runs: []Run{step("a\nb\n", "a\n"), step("a\nc\n", "a\nb\n")}, file: "a\nb\n", want: "a\nb\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t, tt.runs...)
			for _, r := range tt.runs {
				if err := s.Verify(r); err != nil && tt.exit != exitUsage {
					t.Errorf("not verified: %v", err)
				}
			}
			r, err := s.Restore([]byte(tt.file), "")
			if exitCode(err) != tt.exit || err != nil && tt.exit == 0 {
				t.Fatalf("got %v, want exit code %d", err, tt.exit)
			}
			if err != nil {
				return
			}
			if string(r.Data) != tt.want || len(r.Way) != tt.steps || r.Later != tt.later {
				t.Errorf("got %q in %d steps with %d later lines, want %q, %d, %d", r.Data, len(r.Way), r.Later, tt.want, tt.steps, tt.later)
			}
			if r.Sum != digest(r.Data) {
				t.Errorf("the hash is %s", r.Sum)
			}
		})
	}
}

// TestJoin checks that one line break is between a file and the lines that were appended to its output, which may
// end in another way than the file.
func TestJoin(t *testing.T) {
	for _, tt := range []struct{ file, later, want string }{
		{"", "b\n", "b\n"}, {"a\n", "b\n", "a\nb\n"}, {"a\n", "\nb\n", "a\nb\n"}, {"a\r\n", "\r\nb", "a\r\nb"}, {"a\n", "\r\nb", "a\nb"},
		{"a", "\nb", "a\nb"}, {"a", "\r\nb", "a\r\nb"}, {"a", "b\n", "a\nb\n"}, {"a\n", "\n\nb", "a\n\nb"},
	} {
		if got := string(join([]byte(tt.file), []byte(tt.later))); got != tt.want {
			t.Errorf("%q and later %q are %q, want %q", tt.file, tt.later, got, tt.want)
		}
	}
}

func TestRestoreVia(t *testing.T) {
	s := newStore(t, step("a\nx\n", "x\n"), step("b\nx\n", "x\n"))
	entries, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, e := range entries {
		r, err := s.Restore([]byte("x\n"), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		got[string(r.Data)] = true
	}
	if !got["a\nx\n"] || !got["b\nx\n"] {
		t.Errorf("got %v, want both originals", got)
	}
}

// TestDamaged checks that errors name a damaged entry, and that Restore never returns wrong bytes.
func TestDamaged(t *testing.T) {
	s := newStore(t, step("a\nb\nc\n", "a\nc\n"), step("a\nc\n", "c\n"))
	names, _ := filepath.Glob(filepath.Join(s.Dir, "*"))
	for _, name := range names {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			broken := bytes.Clone(whole)
			broken[i] ^= 1
			if err := os.WriteFile(name, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := s.Restore([]byte("c\n"), "")
			if err == nil && string(r.Data) != "a\nb\nc\n" {
				t.Fatalf("byte %d of %s: got %q", i, name, r.Data)
			}
			if err != nil && exitCode(err) != exitInput {
				t.Fatalf("byte %d of %s: %v", i, name, err)
			}
		}
		if err := os.WriteFile(name, whole[:len(whole)-3], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Restore([]byte("c\n"), ""); exitCode(err) != exitInput {
			t.Errorf("cut off: %v", err)
		}
		// The next run that needs the entry writes it again.
		for _, r := range []Run{step("a\nb\nc\n", "a\nc\n"), step("a\nc\n", "c\n")} {
			if _, err := s.Put(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := s.Restore([]byte("c\n"), ""); err != nil || string(r.Data) != "a\nb\nc\n" {
			t.Errorf("the entry is still damaged: %v", err)
		}
	}
}

func TestLook(t *testing.T) {
	edits := []Edit{
		{Conversation: 1, Message: 3, Block: 1, What: "tool result Read", Op: "rewrite", Why: "least needed", Text: "one <line>\n\"two\" \\ \u2028 ünï"},
		{Conversation: 2, Message: 1, Op: "drop", Elsewhere: 4},
	}
	r := step("a\nb\n", "b\n")
	r.Edits = edits
	s := newStore(t, r)
	e, got, err := s.Look(digest(r.Out)[:5])
	if err != nil || len(got) != 2 || got[0] != edits[0] || got[1] != edits[1] {
		t.Errorf("got %+v, %v", got, err)
	}
	if e.File != "s.jsonl" || e.InputBytes != 4 || e.OutputBytes != 2 || e.Edits != 2 || len(e.ID) != MinID {
		t.Errorf("got %+v", e)
	}
	for _, id := range []string{"zz", ""} {
		if id == "" { // a prefix of every name
			if _, err := s.Put(t.Context(), step("c\n", "")); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := s.Look(id); exitCode(err) != exitUsage {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestGone(t *testing.T) {
	const long = "a line that is long enough to tell"
	elsewhere := Lines{}
	elsewhere.Add(long + "\nshort")
	tests := []struct {
		name, before, after, want string
		elsewhere                 int
	}{
		{"whole text", "a\nb", "", "a\nb", 0},
		{"some lines", "a\nb\nc", "a\n[1 line omitted]\nc", "b", 0},
		{"one of two", "a\na\nb", "a\nb", "a", 0},
		{"lines that are elsewhere", "a\n" + long + "\n}\n" + long + long, "", "a\n" + long + long, 2},
		{"short lines", "short", "", "short", 0},
		{"nothing", "a", "a", "", 0},
		{"blank lines of a whole text", "a\n\nb", "", "a\n\nb", 0},
		{"blank lines that stay", "a\n\nb", "\n", "a\nb", 0},
	}
	for _, tt := range tests {
		if got, n := elsewhere.Gone(tt.before, tt.after); got != tt.want || n != tt.elsewhere {
			t.Errorf("%s: got %q and %d, want %q and %d", tt.name, got, n, tt.want, tt.elsewhere)
		}
	}
}

// TestUnreadable checks that every use of a directory that cannot be read is an error with its name, the cause
// and a hint.
func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "undo")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Store{Dir: path}
	for name, use := range map[string]func() error{
		"Put":         func() error { _, err := s.Put(t.Context(), step("a\nb\n", "b\n")); return err },
		"Restore":     func() error { _, err := s.Restore([]byte("b\n"), ""); return err },
		"Restore via": func() error { _, err := s.Restore([]byte("b\n"), "01234567"); return err },
		"Verify":      func() error { return s.Verify(step("a\nb\n", "b\n")) },
		"Look":        func() error { _, _, err := s.Look("01234567"); return err },
		"Entries":     func() error { _, err := s.Entries(); return err },
		"Collect":     func() error { _, err := s.Collect(CollectOptions{DryRun: true}); return err },
		"Collect, for real": func() error {
			_, err := s.Collect(CollectOptions{})
			return err
		},
	} {
		err := use()
		var e *Error
		if !errors.As(err, &e) || e.ExitCode() != exitOutput || e.Hint() == "" || errors.Unwrap(err) == nil ||
			err.Error() != path+": cannot be read: "+errors.Unwrap(err).Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(path); exitCode(err) != exitInput || !strings.Contains(err.Error(), "it is a file") {
		t.Errorf("opened: %v", err)
	}
	if _, err := Open(path + ".missing"); exitCode(err) != exitInput || !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), "stat") {
		t.Errorf("opened: %v", err)
	}
	if s, err := Open(filepath.Dir(path)); err != nil || s.Dir != filepath.Dir(path) {
		t.Errorf("not opened: %v", err)
	}
}

// TestEntries checks that only files with the names of entries are entries, and that one whose name does not
// fit its content is damaged.
func TestEntries(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"))
	path, _ := filepath.Glob(filepath.Join(s.Dir, "*"))
	name := filepath.Base(path[0])
	other := strings.Replace(name, digest([]byte("b\n"))[:digits], digest([]byte("c\n"))[:digits], 1)
	for from, to := range map[string]string{"a": "b", "0": "x"} {
		if err := os.Mkdir(filepath.Join(s.Dir, strings.Repeat(from, digits)+"-"+strings.Repeat(to, digits)+"-2"+suffix), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"README", name + ".bak", "x" + name, name[:5] + suffix, strings.Replace(name, "-2.", "--2.", 1), strings.Replace(name, "-2.", "-x.", 1), other} {
		if err := os.WriteFile(filepath.Join(s.Dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Entries()
	if err != nil || len(list) != 2 {
		t.Fatalf("%d entries, %v, want 2", len(list), err)
	}
	for _, e := range list {
		if wrong := e.file.name == other; e.Damaged != wrong || (e.File == "") != wrong || e.Bytes != int64(len(data)) || !strings.HasPrefix(e.file.name, e.ID) || len(e.ID) != MinID {
			t.Errorf("%+v", e)
		}
	}
	if _, err := s.Restore([]byte("c\n"), ""); exitCode(err) != exitInput {
		t.Errorf("restored by an entry of another name: %v", err)
	}
	if _, err := s.read(place{name: "missing" + suffix}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("read an entry that is gone: %v", err)
	}
	if _, _, err := s.Look(other[:MinID]); exitCode(err) != exitInput {
		t.Errorf("read an entry of another name: %v", err)
	}
}

// TestPutUses checks that a run sets the time of last use of all entries that are needed to restore its file,
// and of no others.
func TestPutUses(t *testing.T) {
	chain := []Run{step("a\nb\nc\nd\n", "b\nc\nd\n"), step("b\nc\nd\n", "c\nd\n"), step("c\nd\nmore\n", "d\nmore\n")}
	last := step("d\nmore\n", "more\n")
	s := newStore(t, append([]Run{step("x\ny\n", "y\n")}, chain...)...)
	then := time.Now().Add(-time.Hour)
	list, err := s.Entries()
	if err != nil || len(list) != 4 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	for _, e := range list {
		if err := os.Chtimes(filepath.Join(s.Dir, e.file.name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	id, err := s.Put(t.Context(), last)
	if err != nil || id != digest(last.Out)[:digits] {
		t.Fatalf("%q, %v", id, err)
	}
	list, err = s.Entries()
	if err != nil || len(list) != 5 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	for _, e := range list {
		if used := e.Used.After(then.Add(time.Minute)); used != (e.Output != digest([]byte("y\n"))) {
			t.Errorf("the entry of %s was used %v", e.file.name, e.Used)
		}
	}
	if list[4].Output != digest([]byte("y\n")) {
		t.Error("the entry that was last used longest ago is not the last")
	}
}

// TestUnknown checks that the hint for a file without an entry depends on what it is.
func TestUnknown(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"))
	for file, want := range map[string]string{"c\n": "was condensed without --stash", `{"a":1}`: "in a JSON document", "[1]\n[2]\n": "was condensed without"} {
		_, err := s.Restore([]byte(file), "")
		var e *Error
		if !errors.As(err, &e) || e.ExitCode() != exitPolicy || !strings.Contains(e.Hint(), want) || !strings.Contains(e.Error(), digest([]byte(file))[:12]) {
			t.Errorf("%q: %v", file, err)
		}
	}
	for _, r := range []Run{step("c\n", "c\n"), step("c\n", "d\n"), step("a\n", "b\n")} {
		if err := s.Verify(r); exitCode(err) != exitPolicy {
			t.Errorf("%q to %q without an entry: %v", r.In, r.Out, err)
		}
	}
}

func TestCollect(t *testing.T) {
	now := time.Now()
	old := func(t *testing.T, s *Store, out string) {
		names, _ := filepath.Glob(filepath.Join(s.Dir, digest([]byte(out))[:digits]+"*"))
		for _, name := range names {
			if err := os.Chtimes(name, now, now.Add(-100*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name       string
		runs       []Run
		old        string // outputs, one letter each, whose entries are old
		force      bool
		gone, kept int
	}{
		{"no old entry", []Run{step("ab", "a")}, "", true, 0, 0},
		{"the only entry", []Run{step("ab", "a")}, "a", false, 0, 1},
		{"the only entry, by force", []Run{step("ab", "a")}, "a", true, 1, 0},
		{"an original without other entries", []Run{step("a", "a")}, "a", false, 0, 1},
		{"an original with another entry", []Run{step("a", "a"), step("a", "")}, "a", false, 1, 0},
		{"needed by a younger run", []Run{step("abc", "b"), step("b", "c")}, "b", true, 0, 0},
		{"needs a younger run", []Run{step("abc", "b"), step("b", "c")}, "c", true, 1, 0},
		{"needed by a younger run on a file that grew", []Run{step("a\nb\n", "b\n"), step("b\nc\n", "c\n")}, "b", true, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t, tt.runs...)
			for _, out := range strings.Split(tt.old, "") {
				old(t, s, out)
				old(t, s, out+"\n")
			}
			before, _ := s.Entries()
			for _, dry := range []bool{true, false} {
				c, err := s.Collect(CollectOptions{Before: now.Add(-time.Hour), Force: tt.force, DryRun: dry})
				if err != nil || len(c.Entries) != tt.gone || len(c.Kept) != tt.kept {
					t.Fatalf("dry run %v: got %+v, %v", dry, c, err)
				}
				want := len(before)
				if !dry {
					want -= tt.gone
				}
				if left, _ := os.ReadDir(s.Dir); len(left) != want {
					t.Errorf("dry run %v: %d files are left, want %d", dry, len(left), want)
				}
			}
		})
	}
}

// TestCollectPutsBack checks that an entry that is used while it is removed is kept, and that a removal
// that was killed is undone.
func TestCollectPutsBack(t *testing.T) {
	s := newStore(t, step("ab", "a"))
	entries, _ := s.Entries()
	if s.remove(entries[0], time.Now().Add(-time.Hour)) {
		t.Error("a recently used entry was removed")
	}
	path := filepath.Join(s.Dir, entries[0].file.name)
	if err := os.Rename(path, path+aside); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Collect(CollectOptions{}); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Restore([]byte("a"), ""); err != nil || string(r.Data) != "ab" {
		t.Error("the entry was not put back", err)
	}
}

func FuzzParse(f *testing.F) {
	e := newEntry([]byte("a\nb\n"), []byte("b\n"), []Edit{{Message: 1, Text: "a"}}, nil, false)
	data, _ := e.bytes()
	f.Add(data, []byte("b\n"))
	f.Fuzz(func(t *testing.T, data, out []byte) {
		e, err := parse(data)
		if err != nil {
			return
		}
		if in, err := e.input(out); err == nil && digest(in) != e.Input {
			t.Fatal("restored a wrong input")
		}
		_, _ = e.edits() // must not panic
	})
}

// TestRestoreRefuses checks that nothing is restored from a file that differs from an output in one
// byte, and that no entry is taken for a run whose input or output differs in one byte.
func TestRestoreRefuses(t *testing.T) {
	const before, after = "{\"a\":\"a line that is long enough to be copied\"}\n", "{\"c\":\"another line that is long enough for that\"}\n"
	r := step(before+"{\"b\":\"read\"}\n"+after, before+after)
	s := newStore(t, r)
	e := newEntry(r.In, r.Out, nil, nil, false)
	data, err := e.bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := prove(data, r.In, r.Out); err != nil {
		t.Fatal(err)
	}
	for i := range r.Out {
		other := r
		other.Out = bytes.Clone(r.Out)
		other.Out[i] ^= 1
		if got, err := s.Restore(other.Out, ""); exitCode(err) != exitPolicy {
			t.Errorf("an output with another byte %d is restored: %v, %v", i, got, err)
		}
		if s.Verify(other) == nil || prove(data, r.In, other.Out) == nil {
			t.Errorf("an output with another byte %d is verified", i)
		}
		if in, err := e.input(other.Out); err == nil {
			t.Errorf("an output with another byte %d becomes the input %q", i, in)
		}
	}
	for i := range r.In {
		other := r
		other.In = bytes.Clone(r.In)
		other.In[i] ^= 1
		if s.Verify(other) == nil || prove(data, other.In, r.Out) == nil {
			t.Errorf("an input with another byte %d is verified", i)
		}
	}
	longer := *e
	longer.List++
	if edits, err := longer.edits(); err == nil {
		t.Errorf("a list of another length is read: %v", edits)
	}
	if _, err := s.Restore(r.Out[:len(r.Out)-1], ""); exitCode(err) != exitPolicy {
		t.Errorf("an output that is cut off is restored: %v", err)
	}
}
