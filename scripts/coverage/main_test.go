package main

import (
	"io"
	"strings"
	"testing"
)

const output = `	condense		coverage: 0.0% of statements
ok  	condense/cmd	90.5s	coverage: 88.4% of statements
ok  	condense/cmd/ui	(cached)	coverage: 93.0% of statements
`

// TestCompare checks which shares are refused.
func TestCompare(t *testing.T) {
	shares, err := read(strings.NewReader(output))
	if err != nil || len(shares) != 2 || shares["condense/cmd"] != 88.4 {
		t.Fatal(shares, err)
	}
	for text, want := range map[string]string{
		"condense/cmd 88\ncondense/cmd/ui 93\n":                  "",
		"condense/cmd 89\ncondense/cmd/ui 93\n":                  "1 packages: condense/cmd",
		"condense/cmd 88\n":                                      "1 packages: condense/cmd/ui",
		"condense/cmd 88\ncondense/cmd/ui 93\ncondense/gone 9\n": "condense/gone (not measured)",
	} {
		floors, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		err = compare(io.Discard, floors, shares)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := read(strings.NewReader(output + "FAIL\tcondense/strategy\t1s\n")); err == nil {
		t.Error("a failed package is no error")
	}
	if _, err := read(strings.NewReader("")); err == nil {
		t.Error("no packages are no error")
	}
	if _, err := parse("condense/cmd high\n"); err == nil {
		t.Error("a floor that is no number is no error")
	}
}

// TestRaised checks that a floor is never lowered.
func TestRaised(t *testing.T) {
	got := raised(map[string]float64{"a": 90, "b": 50}, map[string]float64{"a": 80.5, "b": 70.9, "c": 100})
	if want := "a 90\nb 69\nc 99\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
