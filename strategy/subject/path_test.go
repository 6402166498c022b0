package subject

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestIsPath compares with a regular expression, on names of all parts of paths to arguments.
func TestIsPath(t *testing.T) {
	want := regexp.MustCompile(`(?:^|\.)(?:` + strings.Join(pathArgs, "|") + `|paths\[\d+\]|files\[\d+\])$`)
	parts := append([]string{"paths", "files", "[", "]", "[0]", "[12]", "[x]", "[]", ".", ".", "[0].", "x", "\n"}, pathArgs...)
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 50_000 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		name := b.String()
		got := IsPath(name)
		if got != want.MatchString(name) {
			t.Fatalf("%q is the name of a path: %v", name, got)
		}
		if got {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d names are those of paths", found)
	}
}
