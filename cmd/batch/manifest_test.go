package batch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzManifest checks that opening a file either refuses it and leaves it unchanged, or that
// entries that are added to it can be read again.
func FuzzManifest(f *testing.F) {
	line := `{"manifest":1,"condense":"v","options":"o","input":"a.json","read":"r","done":true,"status":"condensed"}`
	for _, s := range []string{"", line + "\n", line, line + "\n" + line[:40], line[:30], "[]", "x\n" + line, line + "\nx\n" + line + "\n", `{"manifest":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "m")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := OpenManifest(path)
		if err != nil {
			if got, _ := os.ReadFile(path); string(got) != string(data) {
				t.Errorf("%q was refused, but changed to %q", data, got)
			}
			return
		}
		want := Entry{Input: "b\x1b\xff.json", Status: Condensed, Written: "w", Done: true}
		if err := m.Add(want); err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := OpenManifest(path)
		if err != nil {
			t.Fatalf("%q cannot be read again: %v", data, err)
		}
		defer again.Close()
		for input, e := range m.known {
			if got := again.known[input]; input != plainName(want.Input) && !reflect.DeepEqual(got, e) {
				t.Errorf("%q was %+v, is %+v", input, e, got)
			}
		}
		if got := again.Last(want.Input); got == nil || got.Written != "w" {
			t.Errorf("the added entry is read as %+v", got)
		}
	})
}

// TestFinished checks that of the lines of a manifest, the last one of each input counts, and that files
// which were begun only are left out.
func TestFinished(t *testing.T) {
	line := func(input, status string, done bool) string {
		return fmt.Sprintf(`{"manifest":1,"condense":"v","options":"o","input":%q,"read":"r","done":%t,"status":%q}`+"\n", input, done, status)
	}
	list, err := Finished([]byte(line("b.json", "failed", true) + line("a.json", "condensed", true) + line("c.json", "condensed", false) + line("b.json", "condensed", true)))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, e := range list {
		got += e.Input + " " + string(e.Status) + "\n"
	}
	if want := "a.json condensed\nb.json condensed\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := Finished([]byte("[]\n")); err == nil {
		t.Error("a list is a manifest")
	}
}

// TestManifestErrorKeepsItsCause checks that callers can ask why a manifest cannot be used.
func TestManifestErrorKeepsItsCause(t *testing.T) {
	_, err := OpenManifest(filepath.Join(t.TempDir(), "missing", "m"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is no error of a missing folder", err)
	}
}

// TestManifestUnread checks that a manifest that cannot be read, or not to its end, is refused.
func TestManifestUnread(t *testing.T) {
	line := `{"manifest":1,"condense":"v","options":"o","input":"a.json","read":"r","done":true,"status":"condensed"}` + "\n"
	for _, text := range []string{"", line[:5], line, " " + line, line + line} {
		broken := errors.New("broken")
		if _, err := readManifest(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// TestManifestWithoutEnd checks that a device that never ends is refused as a manifest, without being read
// to its end.
func TestManifestWithoutEnd(t *testing.T) {
	for _, device := range []string{"/dev/zero", "/dev/urandom"} {
		if _, err := os.Stat(device); err != nil {
			t.Skipf("there is no %s on this system", device)
		}
		_, err := OpenManifest(device)
		if err == nil || !strings.Contains(err.Error(), "--manifest "+device+": not a manifest; name another file") {
			t.Errorf("%s: %v", device, err)
		}
	}
}

// TestManifestLaidOutAgain checks that a long manifest that another program has laid out again is read to
// its end.
func TestManifestLaidOutAgain(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 2*mostUnlike; i++ {
		fmt.Fprintf(&b, `{ "manifest": 1, "condense": "v", "options": "o", "input": "%d.json", "read": "r", "done": true, "status": "condensed" }`+"\n", i)
	}
	fmt.Fprintln(&b, `{ "manifest": 1, "input": "last.json" }`)
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := OpenManifest(path)
	if err != nil {
		t.Fatal(err)
	}
	if m.Last("last.json") == nil || m.Last("0.json") == nil {
		t.Error("entries are missing")
	}
}
