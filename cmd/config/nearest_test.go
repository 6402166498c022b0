package config

import (
	"errors"
	"fmt"
	"testing"
)

func TestNearest(t *testing.T) {
	units := []string{"o200k_base", "cl100k_base", "bytes4"}
	for name, want := range map[string]string{
		"o200k":       "o200k_base",
		"CL100K-base": "cl100k_base",
		"bytes":       "bytes4",
		"words":       "",
		"":            "",
	} {
		if got := nearest(name, units); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"abxx": "abcd", "axxx": "", "ab": "abcd", "abcdef": "abcd", "abcdefg": ""} {
		if got := nearest(name, []string{"abcd", "xyz8"}); got != want {
			t.Errorf("%q, of which half may differ: got %q, want %q", name, got, want)
		}
	}
	if got := nearest("target", []string{"targets", "target", "tarred"}); got != "target" {
		t.Errorf("got %q, want the name itself", got)
	}
}

// TestDistance checks the number of changes that turn one name into another.
func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "bc", 1}, {"abc", "acb", 2}, {"kitten", "sitting", 3},
		{"target", "tragte", 4}, {"aab", "ab", 1},
	} {
		for _, got := range []int{distance(tt.a, tt.b), distance(tt.b, tt.a)} {
			if got != tt.want {
				t.Errorf("%q and %q differ by %d, want %d", tt.a, tt.b, got, tt.want)
			}
		}
	}
}

// TestDidYouMean checks that a hint names the existing name that resembles a wrong one, wherever the error is in
// the chain.
func TestDidYouMean(t *testing.T) {
	cause := errors.New("no such thing")
	for name, want := range map[string]string{"taget": "did you mean target? ", "zzz": ""} {
		err := Unknown(cause, name, []string{"pin", "target"})
		if got := DidYouMean(fmt.Errorf("c.yaml: %w", err)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if err.Error() != "no such thing" || !errors.Is(err, cause) {
			t.Errorf("the error is %q", err)
		}
	}
	if got := DidYouMean(cause); got != "" {
		t.Errorf("an error about no name: %q", got)
	}
	_, err := ParsePreset("agressive")
	if got := DidYouMean(err); got != "did you mean aggressive? " || err.Error() != "expected one of conservative, balanced, aggressive" {
		t.Errorf("%v: %q", err, got)
	}
}
