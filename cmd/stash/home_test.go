package stash

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// replaced keeps the old content of a file at path, as a run with -w does.
func replaced(t *testing.T, home *Store, path, in, out string) {
	t.Helper()
	own := home.For(path)
	id, err := own.Put(context.Background(), Run{File: path, How: "test", In: []byte(in), Out: []byte(out), Whole: true, Loose: true})
	if err != nil {
		t.Fatal(err)
	}
	own.Tally(id)
}

// TestUndo undoes runs in their order, and refuses files that changed since then.
func TestUndo(t *testing.T) {
	home := Home(filepath.Join(t.TempDir(), "undo"))
	replaced(t, home, "/a", "one\ntwo\nthree\n", "one\ntwo\n")
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	replaced(t, home, "/b", "zwei\n", "eins\n")
	for _, tt := range []struct {
		path, file string
		force      bool
		want       string
		later      int
		exit       int
	}{
		{"/a", "one\n", false, "one\ntwo\n", 0, 0},
		{"/a", "one\ntwo\n", false, "one\ntwo\nthree\n", 0, 0},
		{"/moved", "one\n", false, "one\ntwo\n", 0, 0},
		{"/a", "one\ntwo\nthree\n", true, "", 0, exitPolicy},
		{"/a", "one\nnew\n", false, "it has new lines since the run (1)", 0, exitPolicy},
		{"/a", "one\nnew\n", true, "one\ntwo\nnew\n", 1, 0},
		{"/b", "other", false, "it has changed since the run", 0, exitPolicy},
		{"/b", "other", true, "zwei\n", 0, 0},
		{"/c", "other", true, "", 0, exitPolicy},
	} {
		u, err := home.Undo(tt.path, []byte(tt.file), tt.force)
		switch {
		case tt.exit != 0:
			if exitCode(err) != tt.exit || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s %q: %v", tt.path, tt.file, err)
			}
		case err != nil || string(u.Data) != tt.want || u.Later != tt.later:
			t.Errorf("%s %q: %+v, %v", tt.path, tt.file, u, err)
		}
	}
	places, err := home.For("/a").places()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		if err := os.WriteFile(home.For("/a").path(p), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if u, err := home.Undo("/a", []byte("other"), true); exitCode(err) != exitInput {
		t.Errorf("a damaged entry: %+v, %v", u, err)
	}
	u, err := home.Undo("/b", []byte("eins\n"), false)
	if err == nil {
		err = u.Forget()
	}
	if _, again := home.Undo("/b", []byte("eins\n"), true); err != nil || exitCode(again) != exitPolicy {
		t.Errorf("a run is undone twice: %v, %v", err, again)
	}
	if _, err := os.Lstat(home.For("/b").Dir); err == nil {
		t.Error("an empty folder is left")
	}
}

// TestPutAgain checks that the entry of a run that changed nothing is found again, and has nothing of the file.
func TestPutAgain(t *testing.T) {
	s := newStore(t)
	first, err := s.Put(t.Context(), step("a\n", "a\n"))
	if err != nil || first == "" {
		t.Fatal(first, err)
	}
	if again, err := s.Put(t.Context(), step("a\n", "a\n")); err != nil || again != first {
		t.Errorf("got %q, want %q, %v", again, first, err)
	}
	random := make([]byte, 8192)
	rand.NewChaCha8([32]byte{}).Read(random)
	for _, whole := range []bool{false, true} {
		text := string(random)
		s, run := newStore(t), step(text, text)
		run.Whole = whole
		if _, err := s.Put(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		all, err := s.Entries()
		if err != nil || len(all) != 1 || all[0].Removed != 0 || all[0].Bytes > 1000 {
			t.Errorf("%d bytes that did not change, whole %v: %+v, %v", len(text), whole, all, err)
		}
		if r, err := s.Restore([]byte(text), ""); err != nil || string(r.Data) != text {
			t.Errorf("%d bytes that did not change, whole %v: %v", len(text), whole, err)
		}
	}
}

// TestTrim checks that the entries used longest ago go first, and that the newest stays.
func TestTrim(t *testing.T) {
	home := Home(t.TempDir())
	for i := range 5 {
		path := fmt.Sprint("/", i)
		replaced(t, home, path, strings.Repeat(path, 100), path)
		places, err := home.For(path).places()
		if err != nil || len(places) != 1 {
			t.Fatalf("%v, %v", places, err)
		}
		then := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(home.For(path).path(places[0]), then, then); err != nil {
			t.Fatal(err)
		}
	}
	list, err := home.Entries()
	if err != nil || len(list) != 5 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	for _, tt := range []struct {
		limit int64
		left  int
	}{{1 << 20, 5}, {list[0].Bytes + list[1].Bytes + list[2].Bytes, 3}, {0, 1}} {
		if err := home.Trim(tt.limit); err != nil {
			t.Fatal(err)
		}
		list, err := home.Entries()
		if err != nil || len(list) != tt.left || list[0].File != "/4" {
			t.Errorf("limit %d: %+v, %v", tt.limit, list, err)
		}
	}
}

// TestTally checks that a Trim is due after enough bytes, and no more after it.
func TestTally(t *testing.T) {
	home := Home(t.TempDir())
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	own := home.For("/a")
	places, err := own.places()
	if err != nil {
		t.Fatal(err)
	}
	if own.Tally(places[0].out) {
		t.Error("a Trim is due after the first entries")
	}
	if err := os.WriteFile(filepath.Join(home.Dir, tallyName), make([]byte, tallyFull/tallyUnit), 0o600); err != nil {
		t.Fatal(err)
	}
	if !own.Tally(places[0].out) {
		t.Error("no Trim is due")
	}
	if err := home.Trim(1 << 30); err != nil || own.Tally(places[0].out) {
		t.Errorf("a Trim is due after a Trim (%v)", err)
	}
}

// TestWholeEntries checks entries of sizes around the width of a window.
func TestWholeEntries(t *testing.T) {
	for _, size := range []int{1, 1000, 1 << 20, widest + 1} {
		in := bytes.Repeat([]byte("0123456789abcdef\n"), size/17+1)[:size]
		e := newEntry(in, []byte("out"), nil, nil, true)
		file, err := e.bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := parse(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := again.input(nil); err != nil || !bytes.Equal(got, in) {
			t.Errorf("%d bytes became %d, %v", size, len(got), err)
		}
		file[len(file)-1] ^= 1
		if _, err := parse(file); err == nil && size > 1 {
			t.Errorf("damage to an entry of %d bytes is not noticed", size)
		}
	}
}

// TestWindows checks that a whole entry is compressed with the window that its size needs, up to the widest, and
// that text is stored once if it comes again within it.
func TestWindows(t *testing.T) {
	random := make([]byte, 8192)
	rand.NewChaCha8([32]byte{}).Read(random)
	for size, window := range map[int]uint64{0: 1 << 10, 1024: 1 << 10, 16_384: 1 << 14, 20_000: 1 << 15, 1 << 18: 1 << 18, 1<<18 + 1: 1 << 19, widest: widest, widest + 1: widest} {
		in := bytes.Repeat(random, size/len(random)+1)[:size]
		file, err := newEntry(in, []byte("out"), nil, nil, true).bytes()
		if err != nil {
			t.Fatal(err)
		}
		_, packed, err := parseHeader(file)
		if err != nil {
			t.Fatal(err)
		}
		var frame zstd.Header
		if err := frame.Decode(packed); err != nil || frame.WindowSize != window && !frame.SingleSegment {
			t.Errorf("%d bytes: a window of %d, want %d, %v", size, frame.WindowSize, window, err)
		}
		if size > len(random) && len(packed) > len(random)+size/1000+100 {
			t.Errorf("%d bytes that repeat %d take %d", size, len(random), len(packed))
		}
	}
}

// TestEntryGone checks that a list leaves out an entry that another process has removed.
func TestEntryGone(t *testing.T) {
	s := newStore(t, step("a\nb\n", "b\n"), step("c\nd\n", "d\n"))
	places, err := s.places()
	if err != nil || len(places) != 2 {
		t.Fatal(places, err)
	}
	if e, ok := s.entry(places[0], "abcdefgh"); !ok || e.ID != "abcdefgh" || e.File != "s.jsonl" || e.Bytes == 0 || e.Damaged || time.Since(e.Used) > time.Hour {
		t.Errorf("got %+v, %v", e, ok)
	}
	if err := os.Remove(s.path(places[0])); err != nil {
		t.Fatal(err)
	}
	if e, ok := s.entry(places[0], "abcdefgh"); ok || e.ID != "" {
		t.Errorf("an entry that is gone: %+v", e)
	}
}
