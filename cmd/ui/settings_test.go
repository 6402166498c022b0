package ui

import (
	"io"
	"strings"
	"testing"

	"condense/cmd/report"
)

// A path that is asked for is not cut to the terminal.
func TestConfigPlacesWhole(t *testing.T) {
	path := "/home/somebody/" + strings.Repeat("deep/", 20) + "condense.yaml"
	got := string(rendered(t, func(w io.Writer) error {
		return ConfigPlaces(w, []report.ConfigPlace{{What: "project", Path: path, Exists: true}, {What: "user", Path: "a\x1bb"}}, Options{Width: 40})
	}))
	if want := "project  read     " + path + "\nuser     missing  a\\x1bb\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
