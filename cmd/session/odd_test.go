package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyFiles checks what is not listed: the index of Continue, and sockets, which are named as skipped.
func TestOnlyFiles(t *testing.T) {
	home, err := os.MkdirTemp("", "s") // a short path: that of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	save(t, home, ".continue/sessions/one.json", "{}", 1)
	save(t, home, ".continue/sessions/sessions.json", "[]", 1)
	files, skipped := linux(home).find("continue")
	if len(files) != 1 || files[0].ID != "one" || len(skipped) > 0 {
		t.Errorf("found %+v, skipped %v", files, skipped)
	}
	socket, err := net.Listen("unix", filepath.Join(home, ".continue/sessions/two.json"))
	if err != nil {
		t.Skip(err)
	}
	defer socket.Close()
	if files, skipped = linux(home).find("continue"); len(files) != 1 || len(skipped) != 1 || !strings.Contains(fmt.Sprint(skipped), "a device, pipe or socket") {
		t.Errorf("found %+v, skipped %v", files, skipped)
	}
}

// TestDatabasesOfFolder checks that the database of a project is found in its folder, on a machine with a home.
func TestDatabasesOfFolder(t *testing.T) {
	for _, db := range databases {
		if db.source == "" || len(db.paths) == 0 {
			t.Errorf("%s has no source or no path", db.tool)
		}
	}
	dir := t.TempDir()
	save(t, dir, ".crush/crush.db", "", 1)
	t.Chdir(dir)
	if got := linux(t.TempDir()).databases(); len(got) != 1 || got[0].Tool != "crush" {
		t.Errorf("got %v", got)
	}
	if got := linux("").databases(); got != nil {
		t.Errorf("without a home: %v", got)
	}
}

// TestReadOther checks the problems of a path that is no file any more, and of a file that cannot be read.
func TestReadOther(t *testing.T) {
	f := File{Path: t.TempDir(), at: &places[0]}
	if s := read(&f, nil, now, new(buffer)); s.Problem != "not a regular file" {
		t.Errorf("a folder: %+v", s)
	}
	path := save(t, f.Path, "x.jsonl", claude("s", "/w", "x"), 1)
	closed, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	shorter, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer shorter.Close()
	if _, err := f.glanceAt(shorter, 1<<20, 1<<12, 1<<12, new(buffer)); !errors.Is(err, io.EOF) {
		t.Errorf("a file that is shorter now: %v", err)
	}
	for _, part := range []int{10, 1 << 20} {
		if _, err := f.glanceAt(closed, 1000, part, part, new(buffer)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%d bytes of a closed file: %v", part, err)
		}
	}
}

// TestIDsInNames checks the ids in the names of files, also of names that have none.
func TestIDsInNames(t *testing.T) {
	const id = "019c0aaa-1111-7000-8000-00000000c0de"
	for _, tt := range []struct {
		of         func(string) string
		path, want string
	}{
		{rolloutID, "/s/rollout-2026-03-02T09-00-00-" + id + ".jsonl", id},
		{rolloutID, "/s/x.jsonl", "x"},
		{baseID, "/s/a.b.json", "a.b"},
		{folderID, "/s/task/api.json", "task"},
		{lastPart, "/s/session-1-abc.json", "abc"},
		{lastPart, "/s/abc.json", "abc"},
		{afterTime, "/s/2026_abc.jsonl", "abc"},
		{afterTime, "/s/abc.jsonl", "abc"},
	} {
		if got := tt.of(filepath.FromSlash(tt.path)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.path, got, tt.want)
		}
	}
}

// TestNewestInterrupted checks that an interrupt ends the search for the newest session.
func TestNewestInterrupted(t *testing.T) {
	home := t.TempDir()
	save(t, home, ".claude/projects/p/s.jsonl", claude("s", "/w", "x"), 1)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := (Query{}).Newest(done, linux(home), now); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", f, err)
	}
}

// TestBeginningOfBlanks checks that a text counts by its words: one that is long only by its blanks is whole.
func TestBeginningOfBlanks(t *testing.T) {
	word := strings.Repeat("x", maxFirst)
	for blanks, want := range map[int]string{3 * maxFirst: word, 3*maxFirst + 1: word + "…"} {
		if got := beginning(word + strings.Repeat(" ", blanks)); got != want {
			t.Errorf("%d blanks: it ends with %q", blanks, got[len(got)-5:])
		}
	}
}

// TestIsName checks which words can begin the id of a session.
func TestIsName(t *testing.T) {
	for word, want := range map[string]bool{
		"abcd": true, "azAZ09-_": true, "zzzz": true, "ZZZZ": true, "9999": true, "abc": false, "-abcd": false,
		"ab{d": false, "ab[d": false, "ab:d": false, "ab/d": false, "ab@d": false, "ab`d": false, "ab d": false, "abcé": false, "": false,
	} {
		if IsName(word) != want {
			t.Errorf("%q is a name: %v", word, !want)
		}
	}
}

// TestAges checks the age of a session, also of a file that changed in the future, and a share without a window.
func TestAges(t *testing.T) {
	home := t.TempDir()
	save(t, home, ".claude/projects/p/old.jsonl", strings.ReplaceAll(claude("old", "/w", "x"), "claude-sonnet-4-5", "nobodys-model-1"), 1)
	save(t, home, ".claude/projects/p/new.jsonl", claude("new", "/w", "x"), -1)
	ages := map[string]int{}
	for _, s := range list(t, linux(home), Query{}).List {
		if ages[s.ID] = s.Age; s.ID == "old" && (s.Share != 0 || s.Window != 0 || s.Tokens == 0) {
			t.Errorf("without a window: %+v", s)
		}
	}
	if len(ages) != 2 || ages["old"] != 3600 || ages["new"] != 0 {
		t.Errorf("the ages are %v", ages)
	}
}

// TestOneMoreNamed checks that an error says how many sessions it does not name, from one on.
func TestOneMoreNamed(t *testing.T) {
	e := &Ambiguous{Prefix: "abcd"}
	for i := range maxNamed + 1 {
		e.Files = append(e.Files, File{ID: fmt.Sprint("abcd", i)})
	}
	if got := e.Error(); !strings.HasSuffix(got, " and 1 more") {
		t.Errorf("got %q", got)
	}
}

// TestUsageFarFromTheEnd checks that a usage in front of many long records without answers is found.
func TestUsageFarFromTheEnd(t *testing.T) {
	home := t.TempDir()
	save(t, home, ".claude/projects/-w/s.jsonl", claude("s", "/w", "the request")+strings.Repeat(progress, 800), 1)
	if s := list(t, linux(home), Query{}).List[0]; s.First != "the request" || s.Tokens != 50000 {
		t.Errorf("got %+v", s)
	}
}
