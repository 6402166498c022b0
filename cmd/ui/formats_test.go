package ui

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"condense/cmd/report"
)

func someFormats() []report.Format {
	return []report.Format{
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
