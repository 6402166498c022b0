package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/inventory"
)

// someFormats returns formats with all marks.
func someFormats() []inventory.Format {
	return []inventory.Format{
		{Name: "log", Doc: "what a program writes", Where: "~/.program/*.jsonl", Read: true, Write: true, Hidden: true},
		{Name: "a-long-name", Doc: "many words that do not fit on one line of a narrow terminal", Where: "x\x1b[31m", Read: true, Mirrors: true},
	}
}

func TestFormats(t *testing.T) {
	for name, o := range map[string]Options{"formats.txt": {}, "formats-narrow.txt": {Width: 60}} {
		golden(t, name, rendered(t, func(w io.Writer) error { return writeFormats(w, someFormats(), o) }))
	}
}

func TestFormatsJSON(t *testing.T) {
	out := rendered(t, func(w io.Writer) error { return report.JSON(w, someFormats()) })
	var list []map[string]any
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"name", "description", "where", "read", "write", "hidden_history", "mirrors"} {
		if _, ok := list[0][key]; !ok {
			t.Errorf("no member %s", key)
		}
	}
	if len(list) != 2 || bytes.ContainsRune(out, 0x1b) {
		t.Errorf("got %s", out)
	}
}

// TestConfigPlacesAreWhole checks that paths are not cut to the terminal.
func TestConfigPlacesAreWhole(t *testing.T) {
	path := "/home/somebody/" + strings.Repeat("deep/", 20) + "condense.yaml"
	got := string(rendered(t, func(w io.Writer) error {
		return ConfigPlaces(w, []inventory.ConfigPlace{{What: "project", Path: path, Exists: true}, {What: "user", Path: "a\x1bb"}}, Options{Width: 40})
	}))
	if want := "project  read     " + path + "\nuser     missing  a\\x1bb\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
