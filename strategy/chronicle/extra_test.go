package chronicle

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestBeginsWithLevel compares with a regular expression, on lines of all parts of a log.
func TestBeginsWithLevel(t *testing.T) {
	want := regexp.MustCompile(`^\W*(?:[\dT:.,Z+-]+\W+)*(?:debug|trace|verbose|DEBUG|TRACE|VERBOSE|npm (?:verb|sill))\b`)
	parts := []string{"debug", "trace", "verbose", "DEBUG", "TRACE", "VERBOSE", "npm verb", "npm sill", "npm", "12:30:01.5", "2026-06-19T10:00:00Z", "T", "Z", "TT",
		" ", " ", "[", "] ", "_", "x", "é", "世", "-", "+", ":", "ging", "7"}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 50_000 {
		var line strings.Builder
		for range 1 + r.IntN(5) {
			line.WriteString(parts[r.IntN(len(parts))])
		}
		got := beginsWithLevel(line.String())
		if got != want.MatchString(line.String()) {
			t.Fatalf("%q begins with a level: %v", line.String(), got)
		}
		if got {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d lines begin with a level", found)
	}
}
