package ui

import (
	"strings"
	"testing"
	"time"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
)

// TestRescue checks the whole text about a rescue: what was found, what was done, what is left, and how to go on.
func TestRescue(t *testing.T) {
	full := &gate.Rescue{
		Input: "s.jsonl", Output: "s.jsonl", Backup: "s.jsonl.bak", Changed: true, Window: 200_000, Beside: 20_000, Half: true,
		Tokenizer: report.Tokenizer{Name: "o200k_base", Model: "m", Method: "exact", Factor: 1},
		Tokens:    report.Change{Before: 190_000, After: 90_000}, Bytes: report.Change{Before: 9_000_000, After: 800_000},
		Before: report.Bloat{Images: report.Extra{Count: 3, Bytes: 8_000_000}, Hidden: report.Extra{Count: 4, Bytes: 100}}, After: report.Bloat{Hidden: report.Extra{Count: 1, Bytes: 20}},
		Found: gate.Found{Errors: 1, Warnings: 2, First: "too\x1b large"}, Removed: report.Extra{Count: 2, Bytes: 1500}, Kinds: []string{"progress 1.5 kB"},
		Shrunk: report.Extra{Count: 3, Bytes: 7_000_000}, Retained: &report.Retained{Answered: report.Change{Before: 4, After: 3}, User: 1, Measurable: true, Present: .875},
		Notes: []string{"a note"}, Resume: "claude --resume 1", Undo: "condense undo s.jsonl",
	}
	nothing := &gate.Rescue{Input: "s.jsonl", DryRun: true, Tokenizer: report.Tokenizer{Name: "bytes4", Method: "exact", Factor: 1}, Tokens: report.Change{Before: 10, After: 10}, Bytes: report.Change{Before: 50, After: 50}}
	over := &gate.Rescue{Input: "-", Window: 100, Output: "-", Changed: true, Tokens: report.Change{Before: 300, After: 150}, Tokenizer: report.Tokenizer{Name: "bytes4", Method: "exact", Factor: 1}}
	for name, r := range map[string]*gate.Rescue{"rescue.txt": full, "rescue-nothing.txt": nothing, "rescue-over.txt": over} {
		var b strings.Builder
		if err := Rescue(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, []byte(b.String()))
	}
	var colour strings.Builder
	if err := Rescue(&colour, over, Options{Color: true, Width: 60}); err != nil || !strings.Contains(colour.String(), "\x1b[") {
		t.Errorf("%v: %q", err, colour.String())
	}
	if resultTone(full) == resultTone(over) {
		t.Error("a session that is too large looks like one that is not")
	}
}

// TestPickerRows checks the rows from which a person picks a session or a file.
func TestPickerRows(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	head, rows := StashRows([]inventory.StashEntry{{File: "/home/ada/a\x1b.jsonl", Used: at, Bytes: report.Change{Before: 2000, After: 1000}, How: "hybrid"}}, 80)
	if !strings.Contains(head, "file") || len(rows) != 1 || !strings.Contains(rows[0], "2026-03-02") || !strings.Contains(rows[0], "hybrid") || strings.Contains(rows[0], "\x1b") {
		t.Errorf("%q\n%q", head, rows)
	}
	list := &inventory.Sessions{List: []inventory.Session{{ID: "abcd", Short: "abcd", Tool: "pi", Project: "/w/a", First: "Mend\x1b it"}, {ID: "efgh", Short: "efgh", Tool: "codex", First: "Look"}}}
	head, rows = SessionRows(list, 80)
	if !strings.Contains(head, "session") || len(rows) != 2 || !strings.Contains(rows[0], "Mend") || strings.Contains(rows[0], "\x1b") || !strings.HasPrefix(rows[1], "efgh") {
		t.Errorf("%q\n%q", head, rows)
	}
}

// TestTypedSummary checks the sentence about typed texts that a file still has.
func TestTypedSummary(t *testing.T) {
	for want, d := range map[string]*survey.Difference{
		"there is no typed text":                                             {},
		"2 of 2 typed texts still there word for word and in order":          {Typed: report.Change{Before: 2, After: 2}},
		"1 of 2 typed texts still there word for word; 1 missing or changed": {Typed: report.Change{Before: 2, After: 1}, Missing: make([]survey.Missing, 1)},
	} {
		if got := typedSummary(d); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestUndone checks the lines about files that were put back.
func TestUndone(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var b strings.Builder
	err := writeUndone(&b, []inventory.Undone{
		{File: "a", Bytes: report.Change{Before: 10, After: 20}, How: "hybrid", Time: at, Later: 2, Backup: "a.bak.1"},
		{File: "b", Bytes: report.Change{Before: 10, After: 20}, How: "dedupe", Time: at, DryRun: true, Removed: "b.bak"},
	}, Options{})
	text := b.String()
	for _, want := range []string{"a: put back, 10 → 20", "bytes, as before hybrid of 2026-03-02 09:00; 2 later lines kept at the end; the changed file is kept as a.bak.1\n", "b: would be put back", "; removed b.bak, which had the same bytes\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
