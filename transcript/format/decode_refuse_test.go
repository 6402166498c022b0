package format

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRefusals checks that every refused kind has a fixture with its name that no dialect accepts
// and whose error describes it.
func TestRefusals(t *testing.T) {
	found, err := filepath.Glob("../../testdata/refused/kinds/*")
	if err != nil || len(found) == 0 {
		t.Fatal("no fixtures", err)
	}
	variant := regexp.MustCompile(`(-\d+)?\.\w+$`)
	seen := map[string]bool{}
	for _, path := range found {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := newProbe(src, false); err == nil {
			for _, d := range Dialects {
				if d.sniff(p) {
					t.Errorf("%s: claimed by %s", path, d.Name)
				}
			}
		}
		name := variant.ReplaceAllString(filepath.Base(path), "")
		seen[name] = true
		var refused *Error
		if _, err := Decode(src, ""); !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want an *Error", path, err)
		} else if got := refusalOf(refused); got != name {
			t.Errorf("%s: taken for %q: %v", path, got, err)
		}
	}
	for _, r := range refusals {
		if !seen[r.Name] {
			t.Errorf("%s has no fixture in testdata/refused/kinds", r.Name)
		}
		if !strings.HasPrefix(r.Reason, "it ") || r.Advice == "" || strings.HasSuffix(r.Reason, ".") {
			t.Errorf("%s: want one sentence about it and advice, got %q, %q", r.Name, r.Reason, r.Advice)
		}
	}
}

// refusalOf returns the name of the refused kind that an error describes, or "".
func refusalOf(err *Error) string {
	for _, r := range refusals {
		if r.Reason == err.Reason {
			return r.Name
		}
	}
	return ""
}

// TestRefusalsNotForced checks that a source with messages is not refused, even when it also has the
// members of a refused kind.
func TestRefusalsNotForced(t *testing.T) {
	src := []byte(`{"$schema":"x","properties":{},"messages":[{"role":"user","content":"hi"}]}`)
	for _, name := range []string{"", "openai"} {
		if f, err := Decode(src, name); err != nil || f.Dialect.Name != "openai" {
			t.Errorf("format %q: got %v, %v", name, f, err)
		}
	}
}
