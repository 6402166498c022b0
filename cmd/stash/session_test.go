package stash

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestExpandIDs puts runs of two files into a store, and expands the ids of their texts: those that outputs show
// and those that they do not, groups with texts of an earlier run, and one id for two texts.
func TestExpandIDs(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	put := func(file, in, out string, texts ...Text) {
		t.Helper()
		if _, err := s.Put(t.Context(), Run{File: file, Format: "f", How: "h", In: []byte(in), Out: []byte(out), Texts: texts}); err != nil {
			t.Fatal(err)
		}
	}
	text := func(id, text string, shown bool) Text {
		return Text{ID: id, Number: id + "000", Conversation: 1, Message: 1, Text: text, Shown: shown}
	}
	put("/a", "input of a", "output of a", text("111111", "one", true), text("222222", "two", false))
	put("/a", "output of a", "second output of a", text("333333", "three", true), Text{ID: "444444", Number: "444444000", Of: []string{"111111", "333333", "999999"}, Shown: true})
	put("/b", "input of b", "output of b", Text{ID: "111111", Number: "111111999", Text: "another", Shown: true})
	own, err := s.Session([]byte("second output of a"))
	if err != nil || len(own) != 2 {
		t.Fatalf("%d runs of the session, %v", len(own), err)
	}
	all, err := s.Entries()
	if err != nil || len(all) != 3 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	if got := Files(all); !slices.Equal(got, []string{"/a", "/b"}) {
		t.Errorf("the files are %q", got)
	}
	for id, want := range map[string][]string{"111111": {"one"}, "222222": {"two"}, "333333": {"three"}, "444444": {"one", "three"}, "555555": nil} {
		x, ok, err := s.Expand(own, id)
		var got []string
		for _, text := range x.Texts {
			got = append(got, text.Text)
		}
		if err != nil || ok != (want != nil) || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, %v", id, got, ok, err)
		}
	}
	if _, _, err := s.Expand(all, "111111"); err == nil || err.(*Error).ExitCode() != exitUsage {
		t.Errorf("two texts have the id: %v", err)
	}
	ids := s.IDs()
	for _, tt := range []struct {
		id, number string
		want       bool
	}{
		{"333333", "333333000", false}, {"333333", "333333001", true}, {"777777", "777777000", false}, {"777777", "777777111", true}, {"777777", "777777000", false}, {"222222", "222222999", false},
	} {
		if got := ids.Taken(tt.id, tt.number); got != tt.want {
			t.Errorf("%s is taken for %s: %v", tt.id, tt.number, got)
		}
	}
}

// TestPurgeEntries removes what a store has of one file, and nothing of another.
func TestPurgeEntries(t *testing.T) {
	home := Home(t.TempDir())
	replaced(t, home, "/a", "one\ntwo\nthree\n", "one\ntwo\n")
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	replaced(t, home, "/b", "zwei\n", "eins\n")
	for _, dry := range []bool{true, false} {
		list, err := home.Purge(PurgeOptions{Path: "/a", File: []byte("one\n"), DryRun: dry})
		if err != nil || len(list) != 2 || list[0].File != "/a" || list[0].Bytes == 0 {
			t.Errorf("dry %v: %+v, %v", dry, list, err)
		}
	}
	left, err := home.Entries()
	if err != nil || len(left) != 1 || left[0].File != "/b" {
		t.Errorf("left are %+v, %v", left, err)
	}
	if list, err := home.Purge(PurgeOptions{Path: "/a", File: []byte("one\n")}); err != nil || len(list) != 0 {
		t.Errorf("a second time: %+v, %v", list, err)
	}
}

// TestDamagedEntries checks that entries whose bytes are damaged are errors and no texts, and that their ids are
// free.
func TestDamagedEntries(t *testing.T) {
	home := Home(t.TempDir())
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	flat := &Store{Dir: t.TempDir()}
	if _, err := flat.Put(t.Context(), Run{File: "/b", Format: "f", How: "h", In: []byte("input"), Out: []byte("output"), Texts: []Text{{ID: "111111", Number: "111111000", Text: "x", Shown: true}}}); err != nil {
		t.Fatal(err)
	}
	whole, err := home.Entries()
	if err != nil || len(whole) != 1 {
		t.Fatal(whole, err)
	}
	if in, err := home.Input(whole[0]); err != nil || string(in) != "one\ntwo\n" {
		t.Errorf("the input is %q, %v", in, err)
	}
	parts, err := flat.Entries()
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	for _, dir := range []string{home.Dir, flat.Dir} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == tallyName {
				return err
			}
			return os.WriteFile(path, []byte("damaged"), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := home.Input(whole[0]); err == nil {
		t.Error("a damaged input was read")
	}
	if _, err := flat.Texts(parts[0]); err == nil {
		t.Error("damaged texts were read")
	}
	if _, _, err := flat.Expand(parts, "111111"); err == nil {
		t.Error("a text of a damaged entry was found")
	}
	if flat.IDs().Taken("111111", "111111999") {
		t.Error("an id of a damaged entry is taken")
	}
	if _, err := home.Undo("/a", []byte("one\n"), false); err == nil {
		t.Error("a damaged run was undone")
	}
	list, err := home.Purge(PurgeOptions{Path: "/a", File: []byte("one\n")})
	if err != nil || len(list) != 1 || !list[0].Damaged {
		t.Errorf("purged are %+v, %v", list, err)
	}
}

// TestWait checks that waiting ends with its context.
func TestWait(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	if err := wait(ctx, time.Nanosecond); err != nil {
		t.Error(err)
	}
	stop()
	if err := wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if dir := t.TempDir(); missing(dir) || !missing(filepath.Join(dir, "absent")) {
		t.Error("what is there is missing, or the other way round")
	}
	if home := Home(t.TempDir()); home.For("/a").Tally("abcdef") {
		t.Error("a store without entries is full")
	}
}
