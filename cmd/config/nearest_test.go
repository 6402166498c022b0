package config

import "testing"

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
}
