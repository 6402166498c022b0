package stash

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"condense/cmd/source"
)

// readers returns everything that reads or changes a store.
func readers(t *testing.T, s *Store) map[string]func() error {
	return map[string]func() error{
		"entries": func() error { _, err := s.Entries(); return err },
		"look":    func() error { _, _, err := s.Look("abcdef"); return err },
		"restore": func() error { _, err := s.Restore([]byte("x"), ""); return err },
		"session": func() error { _, err := s.Session([]byte("x")); return err },
		"undo":    func() error { _, err := s.Undo("/a", []byte("x"), false); return err },
		"collect": func() error { _, err := s.Collect(CollectOptions{Before: time.Now()}); return err },
		"purge":   func() error { _, err := s.Purge(PurgeOptions{Path: "/a", File: []byte("x")}); return err },
		"trim":    func() error { return s.Trim(1) },
		"put":     func() error { _, err := s.Put(t.Context(), step("a\n", "b\n")); return err },
	}
}

// TestStoreIsAFile checks that a file in the place of a store is an error of everything that needs the store.
func TestStoreIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "undo")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{{Dir: path}, Home(path)} {
		for name, read := range readers(t, s) {
			if err := read(); err == nil {
				t.Errorf("%s, split %v: no error", name, s.split)
			}
		}
	}
}

// TestFolderIsAFile checks that a file in the place of the folder of a file is an error of its undo. It does not
// mean that nothing is to be undone.
func TestFolderIsAFile(t *testing.T) {
	home := Home(t.TempDir())
	own := home.For("/a").Dir
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if u, err := home.Undo("/a", []byte("x"), false); exitCode(err) != exitOutput || !strings.HasPrefix(err.Error(), own+": cannot be read: ") {
		t.Errorf("got %+v, %v", u, err)
	}
}

// TestTallyIsAFolder checks that what Trim cannot remove is an error.
func TestTallyIsAFolder(t *testing.T) {
	home := Home(t.TempDir())
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	tally := filepath.Join(home.Dir, tallyName)
	if err := os.Remove(tally); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(tally, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := home.Trim(1 << 30); err == nil || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("got %v", err)
	}
}

// TestEntryIsAFolder checks that a folder with the name of an entry is no entry, and has no header.
func TestEntryIsAFolder(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"))
	all, err := s.Entries()
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	path := s.path(all[0].file)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if h, err := s.header(all[0].file); err == nil {
		t.Errorf("its header is %+v", h)
	}
	if all, err := s.Entries(); err != nil || len(all) != 0 {
		t.Errorf("got %+v, %v", all, err)
	}
}

// TestExpandPrefersShown checks that the text of an id is the one that an output shows, although another
// text has the same id without being shown.
func TestExpandPrefersShown(t *testing.T) {
	shown := step("input\n", "output\n")
	shown.Texts = []Text{{ID: "111111", Number: "111111000", Text: "the shown one", Shown: true}}
	other := step("input of b\n", "output of b\n")
	other.Texts = []Text{{ID: "111111", Number: "111111999", Text: "another"}}
	original := step("input\n", "input\n")
	s := newStore(t, shown, other, original)
	all, err := s.Entries()
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	if x, ok, err := s.Expand(all, "111111"); err != nil || !ok || len(x.Texts) != 1 || x.Texts[0].Text != "the shown one" {
		t.Errorf("got %+v, %v, %v", x, ok, err)
	}
	if x, ok, err := s.Expand(all, "222222"); err != nil || ok {
		t.Errorf("an unknown id is %+v, %v", x, err)
	}
	ids := s.IDs()
	for number, taken := range map[string]bool{"111111000": false, "111111999": true} {
		if got := ids.Taken("111111", number); got != taken {
			t.Errorf("for %s, the id is taken: %v", number, got)
		}
	}
}

// TestExpandOfDamagedMember checks that a group has an error if a text of it is in an entry that was damaged.
func TestExpandOfDamagedMember(t *testing.T) {
	first := step("input\n", "output\n")
	first.Texts = []Text{{ID: "111111", Number: "111111000", Text: "one", Shown: true}}
	second := step("output\n", "less\n")
	second.Texts = []Text{{ID: "222222", Number: "222222000", Of: []string{"111111"}, Shown: true}}
	s := newStore(t, first, second)
	all, err := s.Entries()
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if x, ok, err := s.Expand(all, "222222"); err != nil || !ok || len(x.Texts) != 1 || x.Texts[0].Text != "one" {
		t.Errorf("got %+v, %v, %v", x, ok, err)
	}
	for _, e := range all {
		if len(e.ids()["111111"]) > 0 {
			if err := os.WriteFile(s.path(e.file), []byte("damaged"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if x, ok, err := s.Expand(all, "222222"); err == nil {
		t.Errorf("got %+v, %v", x, ok)
	}
}

// TestDryCollect checks that a collection that changes nothing leaves the traces of a killed one.
func TestDryCollect(t *testing.T) {
	s := newStore(t, step("ab", "a"))
	entries, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	path := s.path(entries[0].file)
	if err := os.Rename(path, path+aside); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Collect(CollectOptions{DryRun: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + aside); err != nil {
		t.Errorf("the entry was put back: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Collect(CollectOptions{}); err == nil {
		t.Error("an entry that cannot be put back is no error")
	}
}

// TestNeeded checks that an entry that is damaged, or was not used since a time, needs no others.
func TestNeeded(t *testing.T) {
	s := newStore(t, step("abc", "ab"), step("ab", "a"))
	all, err := s.Entries()
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if n := len(reachable(all, time.Time{})); n != 1 {
		t.Errorf("%d entries are needed", n)
	}
	for i := range all {
		all[i].Damaged = true
	}
	if n := len(reachable(all, time.Time{})); n != 0 {
		t.Errorf("%d entries are needed by damaged ones", n)
	}
	if names := Files(all); len(names) != 0 {
		t.Errorf("damaged entries are about %v", names)
	}
}

// TestNamesOfHome checks the folder of a file, which other versions must find again, and the order of entries.
func TestNamesOfHome(t *testing.T) {
	home := Home(t.TempDir())
	if got := filepath.Base(home.For("/a").Dir); got != "6a50dc8584134c7de537c005" {
		t.Errorf("got %s", got)
	}
	for _, path := range []string{"/a", "/b", "/c", "/d", "/e"} {
		replaced(t, home, path, path+" in\n", path+" out\n")
	}
	places, err := home.places()
	if err != nil || len(places) != 5 || !slices.IsSortedFunc(places, func(a, b place) int { return strings.Compare(a.name, b.name) }) {
		t.Errorf("got %v, %v", places, err)
	}
	if p := places[0]; p.id() != p.out || p.id() == "" {
		t.Errorf("its id is %q", p.id())
	}
	if err := (&Undone{}).Forget(); err != nil {
		t.Error(err)
	}
}

// TestNewestEntry checks which of several entries was used last.
func TestNewestEntry(t *testing.T) {
	s := newStore(t, step("abc", "ab"), step("ab", "a"), step("b", "c"))
	places, err := s.places()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, p := range places {
		when := at.Add(-time.Duration((i+2)%3) * time.Hour) // the second is the newest
		if err := os.Chtimes(s.path(p), when, when); err != nil {
			t.Fatal(err)
		}
	}
	if p, used := s.newest(places); p != places[1] || !used.Equal(at) {
		t.Errorf("got %v at %v", p, used)
	}
}

// TestHeaders checks that a header with a size that cannot be is damaged.
func TestHeaders(t *testing.T) {
	e := newEntry([]byte("a\nb\n"), []byte("b\n"), []Edit{{Message: 1, Text: "a <b>"}}, nil, false)
	for _, n := range []int{0, 1, source.DefaultLimit, source.DefaultLimit + 1, -1} {
		h := e.Header
		h.Removed = n
		line, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = parseHeader(append(append([]byte(magic), line...), '\n'))
		if wrong := n < 0 || n > source.DefaultLimit; errors.Is(err, errDelta) != wrong || wrong && err.Error() != "the entry is damaged" {
			t.Errorf("%d: %v", n, err)
		}
	}
	if list := marshal([]Edit{{Message: 1, Text: "a <b>"}}); !strings.Contains(string(list), "a <b>") {
		t.Errorf("got %s", list)
	}
	s := &Store{Dir: "/d"}
	failed := s.damaged("x", errDelta).(*Error)
	if failed.Error() != "/d: the entry x cannot be read: the entry is damaged" || !strings.HasPrefix(failed.Hint(), "restore the directory from a copy") {
		t.Errorf("got %v, %s", failed, failed.Hint())
	}
}

// TestDistinctive checks from which length on a line is looked for elsewhere, and which lines count.
func TestDistinctive(t *testing.T) {
	line := strings.Repeat("x", distinctive)
	set := Lines{}
	set.Add(line + "\n" + line[1:] + "\n" + line + "x")
	if len(set) != 2 || !set[line] {
		t.Errorf("got %v", set)
	}
	for text, want := range map[string]int{"": 0, "a": 1, "a\nb\n": 2, "a\n\n \t\nb": 2, "\n": 0} {
		if got := lines([]byte(text)); got != want {
			t.Errorf("%q has %d lines", text, got)
		}
	}
}

// TestChoose checks that a run is preferred to an entry that only marks an original.
func TestChoose(t *testing.T) {
	original, run, other := place{name: "o", in: "1", out: "1"}, place{name: "r", in: "2", out: "1"}, place{name: "x", in: "3", out: "1"}
	for _, tt := range []struct {
		only       place
		next, want []place
	}{
		{place{}, []place{original, run}, []place{run}},
		{place{}, []place{original}, []place{original}},
		{other, []place{original, run, other}, []place{other}},
		{other, []place{run, original}, []place{run}},
	} {
		if got := (&walk{only: tt.only}).choose(tt.next); !slices.Equal(got, tt.want) {
			t.Errorf("of %v it is %v", tt.next, got)
		}
	}
}

// TestPutFails checks that a run whose old content could not be kept has an error and no entry: in a checkout where
// git would see it, in places that no folder can have, and after an interrupt.
func TestPutFails(t *testing.T) {
	top := t.TempDir()
	if err := os.Mkdir(filepath.Join(top, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file+".none", link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for want, s := range map[string]*Store{
		"cannot be created":         {Dir: link},
		"cannot be hidden from git": {Dir: filepath.Join(top, "undo", "a"), above: filepath.Join(top, "gone")},
		"cannot be read":            {Dir: filepath.Join(file, "undo")},
	} {
		id, err := s.Put(t.Context(), step("a\nb\n", "b\n"))
		if id != "" || exitCode(err) != exitOutput || !strings.HasPrefix(err.Error(), s.Dir+": "+want) {
			t.Errorf("got %q, %v, want an error that it %s", id, err, want)
		}
		if found, _ := filepath.Glob(filepath.Join(s.Dir, "*")); len(found) > 0 {
			t.Errorf("%s: %v is left", want, found)
		}
	}
	for _, when := range []string{"directory", "create", "write"} {
		ctx, cancel := context.WithCancel(t.Context())
		s := &Store{Dir: filepath.Join(t.TempDir(), "undo"), fault: func(step string) error {
			if step == when {
				cancel()
			}
			return nil
		}}
		if id, err := s.Put(ctx, step("a\nb\n", "b\n")); id != "" || err != context.Canceled {
			t.Errorf("interrupted at %s: got %q, %v", when, id, err)
		}
		if list, err := s.Entries(); err != nil || len(list) > 0 {
			t.Errorf("interrupted at %s: %v, %v", when, list, err)
		}
	}
}
