package stash

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReachable compares the entries that young ones need with those found in another way, for random histories: a
// set that grows until no entry in it needs another one.
func TestReachable(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	found := 0
	for range 2000 {
		var all []Entry
		for i := range 2 + random.IntN(7) {
			e := Entry{Used: now.Add(time.Duration(random.IntN(3)-2) * time.Hour), Damaged: random.IntN(8) == 0, file: place{name: fmt.Sprint("e", i)}}
			e.Output, e.Input = fmt.Sprint("f", random.IntN(6)), fmt.Sprint("f", random.IntN(6))
			if random.IntN(3) == 0 {
				e.After = fmt.Sprint("e", random.IntN(8))
			}
			all = append(all, e)
		}
		want := map[string]bool{}
		for grew := true; grew; {
			grew = false
			for _, e := range all {
				if !want[e.file.name] && (e.Damaged || e.Used.Before(now)) {
					continue
				}
				for _, x := range all {
					if before := x.Output == e.Input || x.file.name == e.After; before && !x.Damaged && x.Output != x.Input && !want[x.file.name] {
						want[x.file.name], grew = true, true
					}
				}
			}
		}
		got := reachable(all, now)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%+v: needed are %v, want %v", all, got, want)
		}
		found += len(got)
	}
	if found < 2000 {
		t.Errorf("only %d entries are needed", found)
	}
}

// TestCollectChain checks that a young run keeps all old ones before it, and that the others can be removed by force
// alone.
func TestCollectChain(t *testing.T) {
	files := []string{"a\nb\nc\nd\n", "a\nb\nc\n", "a\nb\n", "a\n"}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for young := range files[1:] {
		s := newStore(t)
		for i := range files[1:] {
			r := step(files[i], files[i+1])
			r.Loose = true
			if _, err := s.Put(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Entries()
		if err != nil || len(all) != len(files)-1 {
			t.Fatal(all, err)
		}
		for _, e := range all {
			used := at
			if e.Output == digest([]byte(files[young+1])) {
				used = at.Add(time.Hour)
			}
			if err := os.Chtimes(s.path(e.file), used, used); err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range []CollectOptions{{}, {DryRun: true, Force: true}, {Force: true}} {
			o.Before = at.Add(time.Minute)
			c, err := s.Collect(o)
			gone, kept := len(files)-2-young, 0
			if !o.Force {
				gone, kept = 0, gone
			}
			if err != nil || len(c.Entries) != gone || len(c.Kept) != kept || (c.Bytes > 0) != (gone > 0) {
				t.Errorf("run %d is young, %+v: removed %d, kept %d, %d bytes, %v", young, o, len(c.Entries), len(c.Kept), c.Bytes, err)
			}
		}
		if r, err := s.Restore([]byte(files[young+1]), ""); err != nil || string(r.Data) != files[0] || len(r.Way) != young+1 {
			t.Errorf("run %d is young: restored %+v, %v", young, r, err)
		}
	}
}

// TestCommon compares the length of a common beginning with the one that is found byte by byte.
func TestCommon(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 3)
	for n := range len(text) {
		for m := range len(text) {
			for differs := range 20 {
				a, b := text[:n], bytes.Clone(text[:m])
				if differs < m {
					b[differs] ^= 0x80
				}
				want := min(n, m)
				if differs < want {
					want = differs
				}
				if got := common(a, b); got != want {
					t.Fatalf("%q and %q have %d bytes in common, want %d", a, b, got, want)
				}
			}
		}
	}
}

// TestProve checks that only the bytes of an entry that restores its own input from its own output are proven.
func TestProve(t *testing.T) {
	line := strings.Repeat("0123456789", 10)
	in, out := []byte(line+"\nb\nc\n"), []byte(line+"\nc\n")
	file, err := newEntry(in, out, []Edit{{Message: 1, Op: "drop", Text: "b"}}, []Text{{ID: "111111", Number: "111111000", Text: "b"}}, false).bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := prove(file, in, out); err != nil {
		t.Error(err)
	}
	for what, f := range map[string]func() error{
		"no entry":       func() error { return prove(nil, in, out) },
		"a part":         func() error { return prove(file[:len(file)-1], in, out) },
		"another input":  func() error { return prove(file, out, out) },
		"another output": func() error { return prove(file, in, append([]byte("x"), out...)) },
		"no output":      func() error { return prove(file, in, nil) },
		"no input":       func() error { return prove(file, nil, out) },
	} {
		if err := f(); err == nil {
			t.Errorf("%s is proven", what)
		}
	}
}

// TestTrimOrder checks that the newest entries stay, whatever their names are, until the limit is reached.
func TestTrimOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for stay := range 7 {
		home := Home(t.TempDir())
		ages := random.Perm(6)
		var sizes int64
		for i, age := range ages {
			path := fmt.Sprint("/", i)
			replaced(t, home, path, strings.Repeat(path, 100), path)
			places, err := home.For(path).places()
			if err != nil || len(places) != 1 {
				t.Fatal(places, err)
			}
			then := time.Now().Add(time.Duration(-1-age) * time.Hour)
			if err := os.Chtimes(home.For(path).path(places[0]), then, then); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(home.For(path).path(places[0])); err == nil && age < stay {
				sizes += info.Size()
			}
		}
		if err := home.Trim(sizes); err != nil {
			t.Fatal(err)
		}
		left, err := home.Entries()
		if err != nil || len(left) != max(stay, 1) {
			t.Fatalf("%d entries, want %d, %v", len(left), max(stay, 1), err)
		}
		for i, e := range left {
			if want := fmt.Sprint("/", slices.Index(ages, i)); e.File != want {
				t.Errorf("%d stay: entry %d is that of %s, want %s", stay, i, e.File, want)
			}
		}
	}
}

// TestModified checks that an entry has the time at which its input was changed last, as far as that is known.
func TestModified(t *testing.T) {
	zone := time.FixedZone("east", 3600)
	for want, at := range map[string]time.Time{
		"": {}, "2026-03-01T11:02:03Z": time.Date(2026, 3, 1, 12, 2, 3, 0, zone), "2026-03-01T11:02:03.000000004Z": time.Date(2026, 3, 1, 12, 2, 3, 4, zone),
	} {
		r := step("a\nb\n", "b\n")
		r.Modified, r.Backup, r.Format = at, ".bak", "openai"
		all, err := newStore(t, r).Entries()
		if err != nil || len(all) != 1 || all[0].Modified != want || all[0].Backup != ".bak" || all[0].Format != "openai" || all[0].How != "a run" {
			t.Errorf("%v: %+v, %v", at, all, err)
		}
	}
}

// TestStepsOfPut checks which steps a run takes whose entry is new, and one whose entry is there or damaged.
func TestStepsOfPut(t *testing.T) {
	var steps []string
	s := newStore(t)
	s.fault = func(step string) error { steps = append(steps, step); return nil }
	put := func(want ...string) {
		t.Helper()
		steps = nil
		if _, err := s.Put(t.Context(), step("a\nb\n", "b\n")); err != nil || !slices.Equal(steps, want) {
			t.Errorf("it takes the steps %q, want %q, %v", steps, want, err)
		}
	}
	put("directory", "create", "write", "written")
	put("directory", "create", "written")
	names, _ := filepath.Glob(filepath.Join(s.Dir, "*"+suffix))
	if len(names) != 1 {
		t.Fatal(names)
	}
	if err := os.WriteFile(names[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	put("directory", "create", "write", "written")
	put("directory", "create", "written")
}

// TestLongHeaders checks that a header is read as a whole, however many ids it has.
func TestLongHeaders(t *testing.T) {
	for _, n := range []int{0, 1, 900, 1400, 3000} {
		r := step("a\nb\n", "b\n")
		for i := range n {
			r.Texts = append(r.Texts, Text{ID: fmt.Sprint(100_000 + i), Number: fmt.Sprint(100_000+i, "77"), Text: fmt.Sprint(i), Shown: true})
		}
		s := newStore(t, r)
		all, err := s.Entries()
		if err != nil || len(all) != 1 || all[0].Damaged || len(all[0].ids()) != n {
			t.Fatalf("%d ids: %d are read, %v", n, len(all[0].ids()), err)
		}
		ids := s.IDs()
		for i := range n {
			if id := fmt.Sprint(100_000 + i); !ids.Taken(id, id+"78") || ids.Taken(id, id+"77") {
				t.Fatalf("%d ids: %s is free", n, id)
			}
		}
	}
}

// TestLongestOfCandidates checks that the longest of several runs with the same beginning is found, wherever it is.
func TestLongestOfCandidates(t *testing.T) {
	random := make([]byte, 256)
	rand.NewChaCha8([32]byte{}).Read(random)
	run := string(random)
	for best := range 5 {
		var base []byte
		for i := range 5 {
			n := 32 + 16*i
			if i == best {
				n = 200
			}
			base = append(base, run[:n]+strings.Repeat("-", 256-n)...)
		}
		for _, expected := range []int{0, 256, 700, len(base)} {
			if place, n := newIndex(base).longest([]byte(run), hash([]byte(run)), expected); place != 256*best || n != 200 {
				t.Errorf("%d bytes at %d, want 200 at %d", n, place, 256*best)
			}
		}
		target := run[:200] + "+"
		if d := newDelta(base, []byte(target)); string(d.extra) != "+" {
			t.Errorf("run %d of 5 is not copied: %q", best, d.extra)
		}
	}
}

// TestUndoOfParts checks that an entry that needs the output of its run is of no use for a file that has changed.
func TestUndoOfParts(t *testing.T) {
	home := Home(t.TempDir())
	line := strings.Repeat("0123456789", 10) + "\n"
	if _, err := home.For("/a").Put(t.Context(), step(line+"a\n"+line, line+line)); err != nil {
		t.Fatal(err)
	}
	if u, err := home.Undo("/a", []byte(line+line), false); err != nil || string(u.Data) != line+"a\n"+line {
		t.Errorf("got %+v, %v", u, err)
	}
	if u, err := home.Undo("/a", []byte("other"), true); exitCode(err) != exitInput || u != nil {
		t.Errorf("a changed file: got %+v, %v", u, err)
	}
}

// TestDropFails checks that an entry that cannot be removed is an error of everything that removes entries.
func TestDropFails(t *testing.T) {
	s := newStore(t)
	p := place{name: "full" + suffix}
	if err := os.MkdirAll(filepath.Join(s.path(p), "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, drop := range []func() error{func() error { return s.drop(p) }, func() error { return (&Undone{from: s, at: p}).Forget() }} {
		if err := drop(); exitCode(err) != exitOutput || !strings.HasPrefix(err.Error(), s.Dir+": cannot be changed: ") {
			t.Errorf("got %v", err)
		}
	}
	if err := s.drop(place{name: "none" + suffix}); err != nil {
		t.Errorf("an entry that is gone: %v", err)
	}
	home, broken := Home(t.TempDir()), errors.New("broken")
	replaced(t, home, "/a", "one\ntwo\n", "one\n")
	replaced(t, home, "/b", "zwei\n", "eins\n")
	home.fault = func(string) error { return broken }
	if list, err := home.Purge(PurgeOptions{Path: "/a", File: []byte("one\n")}); list != nil || !errors.Is(err, broken) {
		t.Errorf("purged %+v, %v", list, err)
	}
	if err := home.Trim(0); !errors.Is(err, broken) {
		t.Errorf("trimmed: %v", err)
	}
	if all, err := home.Entries(); err != nil || len(all) != 2 {
		t.Errorf("left are %+v, %v", all, err)
	}
}
