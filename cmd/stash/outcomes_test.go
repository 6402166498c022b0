package stash

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite testdata/outcomes.txt")

// damages are ways to damage the file of an entry.
var damages = []struct {
	name string
	to   func(path string, data []byte) error
}{
	{"none", func(string, []byte) error { return nil }},
	{"removed", func(path string, _ []byte) error { return os.Remove(path) }},
	{"empty", func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) }},
	{"header only", func(path string, data []byte) error {
		return os.WriteFile(path, data[:bytes.LastIndexByte(data[:bytes.IndexByte(data, '}')+2], '\n')+1], 0o600)
	}},
	{"cut off", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-2], 0o600) }},
	{"other end", func(path string, data []byte) error {
		data[len(data)-6] ^= 1
		return os.WriteFile(path, data, 0o600)
	}},
	{"a folder", func(path string, _ []byte) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Mkdir(path, 0o700)
	}},
	{"a broken link", func(path string, _ []byte) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Symlink(path, path)
	}},
}

// outcomes describes what every method of a store does. all are its entries before the damage.
func outcomes(s *Store, all []Entry) (lines []string) {
	add := func(what string, is any, err error) {
		if err != nil {
			is = fmt.Sprintf("exit code %d, %v", exitCode(err), err)
		}
		lines = append(lines, fmt.Sprintf("%s: %v", what, is))
	}
	describe := func(list []Entry) (names []string) {
		for _, e := range list {
			names = append(names, fmt.Sprint(e.ID, " ", e.File, " damaged ", e.Damaged))
		}
		return names
	}
	for _, e := range all {
		texts, err := s.Texts(e)
		add("texts of "+e.ID, fmt.Sprintf("%+v", texts), err)
		in, err := s.Input(e)
		add("input of "+e.ID, fmt.Sprintf("%q", in), err)
		_, edits, err := s.Look(e.ID)
		add("look at "+e.ID, fmt.Sprintf("%+v", edits), err)
	}
	for _, id := range []string{"111111", "222222", "333333"} {
		x, ok, err := s.Expand(all, id)
		add("expand "+id, fmt.Sprintf("%v %+v", ok, x.Texts), err)
		add("taken "+id, s.IDs().Taken(id, id+"999"), nil)
	}
	now, err := s.Entries()
	add("entries", describe(now), err)
	session, err := s.Session([]byte("three\n"))
	add("session", describe(session), err)
	restored, err := s.Restore([]byte("three\n"), "")
	if err == nil {
		add("restore", fmt.Sprintf("%q", restored.Data), nil)
	} else {
		add("restore", nil, err)
	}
	add("verify", "", s.Verify(second()))
	undone, err := s.Undo("/a", []byte("three\n"), false)
	if err == nil {
		add("undo", fmt.Sprintf("%q", undone.Data), nil)
	} else {
		add("undo", nil, err)
	}
	list, err := s.Purge(PurgeOptions{Path: "/a", File: []byte("three\n"), DryRun: true})
	add("purge", describe(list), err)
	for _, force := range []bool{false, true} {
		c, err := s.Collect(CollectOptions{Before: time.Now().Add(time.Hour), Force: force, DryRun: true})
		if err == nil {
			add(fmt.Sprint("collect, force ", force), fmt.Sprint(describe(c.Entries), " kept ", describe(c.Kept), c.Files, " ", c.Bytes, " bytes"), nil)
		} else {
			add("collect", nil, err)
		}
	}
	add("trim", "", s.Trim(1<<30))
	_, err = s.Put(context.Background(), second())
	add("put", "", err)
	return lines
}

// second returns the second of two runs of a file.
func second() Run {
	return Run{File: "/a", Format: "f", How: "second", In: []byte("two\nthree\n"), Out: []byte("three\n"), Edits: []Edit{{Conversation: 1, Message: 2, Op: "drop", Text: "two"}},
		Texts: []Text{{ID: "222222", Number: "222222000", Text: "two", Shown: true}, {ID: "333333", Number: "333333000", Of: []string{"111111", "222222"}, Shown: true}}}
}

// TestOutcomesOfDamage compares what every method of a store does with testdata/outcomes.txt, for each kind of
// damage to each of two entries. -update rewrites the file.
func TestOutcomesOfDamage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the causes of errors have other words on this system")
	}
	var b strings.Builder
	for _, whole := range []bool{false, true} {
		for _, d := range damages {
			for k := range 2 {
				s := &Store{Dir: filepath.Join(t.TempDir(), "undo")}
				first := Run{File: "/a", Format: "f", How: "first", In: []byte("one\ntwo\nthree\n"), Out: []byte("two\nthree\n"), Whole: whole,
					Texts: []Text{{ID: "111111", Number: "111111000", Text: "one", Shown: true}}}
				after := second()
				after.Whole = whole
				for _, r := range []Run{first, after} {
					if _, err := s.Put(t.Context(), r); err != nil {
						t.Fatal(err)
					}
				}
				places, err := s.places()
				if err != nil || len(places) != 2 {
					t.Fatal(places, err)
				}
				at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
				for i, p := range places {
					if err := os.Chtimes(s.path(p), at, at.Add(time.Duration(i)*time.Hour)); err != nil {
						t.Fatal(err)
					}
				}
				all, err := s.Entries()
				if err != nil {
					t.Fatal(err)
				}
				data, err := os.ReadFile(s.path(places[k]))
				if err != nil {
					t.Fatal(err)
				}
				if err := d.to(s.path(places[k]), data); err != nil {
					t.Skip(err)
				}
				fmt.Fprintf(&b, "-- entry %d of 2, whole %v: %s --\n", k+1, whole, d.name)
				for _, line := range outcomes(s, all) {
					b.WriteString(strings.ReplaceAll(line, s.Dir, "DIR") + "\n")
				}
			}
		}
	}
	transcripttest.FrozenText(t, "testdata/outcomes.txt", *update, b.String())
}
