package stash

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
	if err := home.Trim(1 << 30); err == nil {
		t.Error("no error")
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
