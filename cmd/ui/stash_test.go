package ui

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"condense/cmd/report"
	"condense/cmd/report/inventory"
)

// undone returns the renderers of stash and restore, with results in which every string is text.
func undone(text string, o Options) map[string]func(io.Writer) error {
	e := inventory.StashEntry{ID: "1a2b3c4d", File: text, Format: text, How: text, Bytes: report.Change{Before: 2000, After: 1000}, Edits: 2, Stored: 300, Used: time.Unix(0, 0)}
	edit := inventory.RemovedEdit{Conversation: 2, Message: 3, Block: 1, What: text, Op: "rewrite", Why: text, Text: text + "\n" + text, Elsewhere: 4}
	return map[string]func(io.Writer) error{
		"restored": func(w io.Writer) error {
			return writeRestored(w, &inventory.Restored{Input: text, Output: text, Backup: text, Way: []inventory.StashEntry{e, e}, Later: 2}, o)
		},
		"removed": func(w io.Writer) error {
			return writeRemoved(w, &inventory.Removed{StashEntry: e, Several: true, Edits: []inventory.RemovedEdit{edit, edit}}, o)
		},
		"matches": func(w io.Writer) error {
			m := NewMatches(w, regexp.MustCompile("a|$"), o)
			m.Line("1a2b3c4d", edit, true, text)
			_, err := m.Flush()
			return err
		},
		"list": func(w io.Writer) error {
			return writeStashList(w, []inventory.StashEntry{e, {ID: "1", Damaged: true}}, o)
		},
		"ids": func(w io.Writer) error { return StashIDs(w, []inventory.StashEntry{e, e}) },
		"collected": func(w io.Writer) error {
			return writeCollected(w, &inventory.Collected{Entries: []inventory.StashEntry{e, e}, Kept: 1, Files: []string{text}}, o)
		},
		"JSON of restored": func(w io.Writer) error {
			return report.JSON(w, &inventory.Restored{Input: text, Way: []inventory.StashEntry{e}})
		},
		"JSON of removed": func(w io.Writer) error {
			return report.JSON(w, &inventory.Removed{StashEntry: e, Edits: []inventory.RemovedEdit{edit}})
		},
		"JSON of a list": func(w io.Writer) error { return report.JSON(w, []inventory.StashEntry{e}) },
	}
}

// TestUndoIsSafe checks that no line of a transcript acts on the terminal or passes for one of the
// report.
func TestUndoIsSafe(t *testing.T) {
	for _, o := range []Options{{Verbose: 1}, {Width: 40, Verbose: 1}} {
		for name, render := range undone(nasty, o) {
			safe(t, string(rendered(t, render)), "\n\t")
			t.Log(name)
		}
	}
}

func TestGoldenUndo(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"restored", "removed", "matches", "list", "ids", "collected"} {
		all.WriteString("== " + name + "\n" + string(rendered(t, undone("a text", Options{Verbose: 1})[name])))
	}
	golden(t, "undo.txt", []byte(all.String()))
}

// TestMatches checks that only lines that match are written, and whether any was found.
func TestMatches(t *testing.T) {
	edit := inventory.RemovedEdit{Conversation: 2, Message: 3, Block: 1}
	for _, tt := range []struct {
		line  string
		found bool
		want  string
	}{
		{"an error: twice an error", true, "1a2b: conversation 2, message 3: an error: twice an error\n"},
		{"all is well", false, ""},
		{"", false, ""},
	} {
		var found bool
		got := string(rendered(t, func(w io.Writer) (err error) {
			m := NewMatches(w, regexp.MustCompile("err.r"), Options{})
			m.Line("1a2b", edit, true, tt.line)
			found, err = m.Flush()
			return err
		}))
		if got != tt.want || found != tt.found {
			t.Errorf("%q: found is %t, got %q", tt.line, found, got)
		}
	}
}
