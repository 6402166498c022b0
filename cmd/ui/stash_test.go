package ui

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// undone is what each renderer of the undo pack writes of data in which every string is text.
func undone(text string, o TextOptions) map[string]func(io.Writer) error {
	e := StashEntry{ID: "1a2b3c4d", File: text, Format: text, How: text, Bytes: Change{2000, 1000}, Edits: 2, Stored: 300, Used: time.Unix(0, 0)}
	edit := RemovedEdit{Conversation: 2, Message: 3, Block: 1, What: text, Op: "rewrite", Why: text, Text: text + "\n" + text, Elsewhere: 4}
	return map[string]func(io.Writer) error{
		"restored": func(w io.Writer) error {
			return WriteRestored(w, &Restored{Input: text, Output: text, Backup: text, Way: []StashEntry{e, e}, Later: 2}, o)
		},
		"removed": func(w io.Writer) error {
			return WriteRemoved(w, &Removed{StashEntry: e, Several: true, Edits: []RemovedEdit{edit, edit}}, o)
		},
		"matches": func(w io.Writer) error {
			m := NewMatches(w, regexp.MustCompile("a|$"), o)
			m.Line("1a2b3c4d", edit, true, text)
			_, err := m.Flush()
			return err
		},
		"list": func(w io.Writer) error { return WriteStashList(w, []StashEntry{e, {ID: "1", Damaged: true}}, o) },
		"ids":  func(w io.Writer) error { return StashIDs(w, []StashEntry{e, e}) },
		"collected": func(w io.Writer) error {
			return WriteCollected(w, &Collected{Entries: []StashEntry{e, e}, Kept: 1, Files: []string{text}}, o)
		},
		"JSON of restored": func(w io.Writer) error { return JSON(w, &Restored{Input: text, Way: []StashEntry{e}}) },
		"JSON of removed":  func(w io.Writer) error { return JSON(w, &Removed{StashEntry: e, Edits: []RemovedEdit{edit}}) },
		"JSON of a list":   func(w io.Writer) error { return JSON(w, []StashEntry{e}) },
	}
}

// Nothing of a transcript acts on the terminal, and every line of it is known as such.
func TestUndoIsSafe(t *testing.T) {
	for _, o := range []TextOptions{{Verbose: 1}, {Width: 40, Verbose: 1}} {
		for name, render := range undone(nasty, o) {
			safe(t, string(rendered(t, render)), "\n\t")
			t.Log(name)
		}
	}
}

func TestGoldenUndo(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"restored", "removed", "matches", "list", "ids", "collected"} {
		all.WriteString("== " + name + "\n" + string(rendered(t, undone("a text", TextOptions{Verbose: 1})[name])))
	}
	golden(t, "undo.txt", []byte(all.String()))
}
