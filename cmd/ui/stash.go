package ui

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// StashEntry is one entry of a stash: the way back from what a run wrote to what it had read. The
// names of its members in JSON are part of the interface, as are those of the other types here.
type StashEntry struct {
	ID      string    `json:"id"`
	File    string    `json:"file"`              // the input as the user named it
	Format  string    `json:"format"`            // dialect of the file
	How     string    `json:"how"`               // what the run was: "hybrid, target 50%"
	Bytes   Change    `json:"bytes"`             // size of the file
	Edits   int       `json:"edits"`             // places that lost something; 0 where the run changed nothing
	Stored  int       `json:"stored,omitempty"`  // bytes that the entry takes
	Used    time.Time `json:"used,omitzero"`     // when a run last wrote the entry, or would have
	Damaged bool      `json:"damaged,omitempty"` // it cannot be read; the rest is not known
}

// Restored is what condense restore did.
type Restored struct {
	Version  int          `json:"version"`          // version of this report format
	Condense string       `json:"condense"`         // version of the program
	Input    string       `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string       `json:"output"`           // where the original was written; "-" for standard output, "" when nothing was written
	Backup   string       `json:"backup,omitempty"` // where the condensed file is kept, when it was replaced
	DryRun   bool         `json:"dry_run"`          // nothing was to be written
	Changed  bool         `json:"changed"`          // the original differs from the file
	Bytes    Change       `json:"bytes"`            // of the file, and of what was restored
	Sum      string       `json:"sha256"`           // of what was restored
	Way      []StashEntry `json:"way"`              // the runs that led from the original to the file, the last first
	Later    int          `json:"later_lines"`      // lines that came to the file later, and stand at the end of what was restored
}

// Removed is what one run removed.
type Removed struct {
	StashEntry
	Several bool          `json:"-"` // the file has several conversations
	Edits   []RemovedEdit `json:"removed"`
}

// RemovedEdit is what one place lost.
type RemovedEdit struct {
	Conversation int    `json:"conversation"`        // number in the file, from 1
	Message      int    `json:"message"`             // number in the conversation as it was, from 1
	Block        int    `json:"block,omitempty"`     // number in the message, from 1; 0 for the whole message
	What         string `json:"what,omitempty"`      // kind and tool: "tool result Read src/a.go"
	Op           string `json:"op"`                  // rewrite, drop, …
	Why          string `json:"why,omitempty"`       // the reason, short
	Text         string `json:"text,omitempty"`      // the lines that went; "" for what has no text
	Elsewhere    int    `json:"elsewhere,omitempty"` // lines that went from here and are not in Text, because the output has them elsewhere
}

// Collected is what condense stash gc removed.
type Collected struct {
	DryRun  bool         // nothing was to be removed
	Entries []StashEntry // that went, or would go
	Kept    int          // entries as old that are the only way back from a file
	Files   []string     // left behind by runs that were killed
}

// WriteRestored writes the report of a restore for a person; with o.Verbose, each run on the way.
func WriteRestored(w io.Writer, r *Restored, o TextOptions) error {
	p := newPage(w, o)
	name := "standard input"
	if r.Input != "-" {
		name = EscapeLine(r.Input)
	}
	text := "is the original already"
	if len(r.Way) > 0 {
		text = "restored through " + plural(len(r.Way), "run")
	}
	p.fold(plain, p.paint(strong, name+":"), text+",", change(r.Bytes)+" bytes,", "sha256 "+r.Sum)
	if r.Later > 0 {
		p.sentence(plain, plural(r.Later, "line")+" that came later kept at the end")
	}
	switch {
	case r.DryRun:
		p.line(plain, "dry run: nothing was written")
	case r.Backup != "":
		p.sentence(plain, "written to "+EscapeLine(r.Output)+", what was there is kept as "+EscapeLine(r.Backup))
	case r.Output != "" && r.Output != "-":
		p.sentence(plain, "written to "+EscapeLine(r.Output))
	}
	if o.Verbose > 0 {
		for _, s := range r.Way {
			p.sentence(plain, entryLine(&s))
		}
	}
	return p.Flush()
}

// RestoredJSON writes the report of a restore for programs.
func RestoredJSON(w io.Writer, r *Restored) error {
	c := *r
	c.Way = list(r.Way)
	return writeJSON(w, &c)
}

// entryLine is "1a2b3c4d · session.jsonl · hybrid, target 50% · 98,120 → 41,007 bytes · 31 places".
func entryLine(e *StashEntry) string {
	if e.Damaged {
		return e.ID + " · damaged"
	}
	parts := []string{EscapeLine(e.ID), EscapeLine(e.File), EscapeLine(e.How), change(e.Bytes) + " bytes"}
	if e.Edits > 0 {
		parts = append(parts, plural(e.Edits, "place"))
	}
	return strings.Join(parts, " · ")
}

// WriteRemoved writes what a run removed: a line that names each place and the reason, then the
// lines that went. Every line of transcript text begins with "-", so that none can pass for ours.
func WriteRemoved(w io.Writer, r *Removed, o TextOptions) error {
	p := newPage(w, o)
	p.sentence(strong, entryLine(&r.StashEntry))
	for _, e := range r.Edits {
		p.blank()
		parts := []string{removedPlace(&e, r.Several)}
		for _, text := range []string{e.What, e.Why} {
			if text != "" {
				parts = append(parts, EscapeLine(text))
			}
		}
		if e.Elsewhere > 0 {
			parts = append(parts, plural(e.Elsewhere, "line")+" that the output has elsewhere")
		}
		p.sentence(strong, strings.Join(parts, " · "))
		if e.Text == "" {
			continue
		}
		for line := range strings.SplitSeq(e.Text, "\n") {
			p.WriteString(p.paint(bad, "-"+Escape(line)) + "\n") // whole: this is where it is looked for
		}
	}
	return p.Flush()
}

// removedPlace is "message 12 block 2", after the conversation where there are several.
func removedPlace(e *RemovedEdit, several bool) string {
	place := "message " + strconv.Itoa(e.Message)
	if several {
		place = "conversation " + strconv.Itoa(e.Conversation) + ", " + place
	}
	if e.Block > 0 {
		place += " block " + strconv.Itoa(e.Block)
	}
	return place
}

// RemovedJSON writes what a run removed for programs.
func RemovedJSON(w io.Writer, r *Removed) error {
	c := *r
	c.Edits = list(r.Edits)
	return writeJSON(w, &c)
}

// Matches writes the lines that a pattern matches.
type Matches struct {
	p       *page
	pattern *regexp.Regexp
	found   bool
}

// NewMatches writes to w, on a terminal with what matched in colour.
func NewMatches(w io.Writer, pattern *regexp.Regexp, o TextOptions) *Matches {
	return &Matches{p: newPage(w, o), pattern: pattern}
}

// Line writes one line of what a place lost, if it matches: "1a2b3c4d: message 12: the line".
func (m *Matches) Line(id string, e RemovedEdit, several bool, line string) {
	spans := m.pattern.FindAllStringIndex(line, -1)
	if spans == nil {
		return
	}
	m.found = true
	e.Block = 0
	m.p.WriteString(m.p.paint(faint, id+": "+removedPlace(&e, several)+":") + " ")
	at := 0
	for _, s := range spans {
		m.p.WriteString(EscapeLine(line[at:s[0]]) + m.p.paint(bad, EscapeLine(line[s[0]:s[1]])))
		at = s[1]
	}
	m.p.WriteString(EscapeLine(line[at:]) + "\n")
}

// Flush ends the writing and reports whether any line matched.
func (m *Matches) Flush() (found bool, err error) { return m.found, m.p.Flush() }

// WriteStashList writes the entries of a stash for a person.
func WriteStashList(w io.Writer, entries []StashEntry, o TextOptions) error {
	p := newPage(w, o)
	t := table{
		columns: []column{words, words, figures, figures, words, words},
		head:    []string{"id", "used", "bytes", "stored", "run", "file"},
	}
	total := 0
	for _, e := range entries {
		how := EscapeLine(e.How)
		if e.Damaged {
			how = "damaged"
		}
		t.add(EscapeLine(e.ID), e.Used.UTC().Format(time.DateOnly), change(e.Bytes), number(e.Stored), how, EscapeLine(e.File))
		total += e.Stored
	}
	if len(entries) == 0 {
		p.line(plain, "nothing is kept")
	}
	if len(entries) > 1 {
		t.add("total", "", "", number(total), "", "")
	}
	p.table(t)
	return p.Flush()
}

// StashIDs writes the ids of entries, one a line.
func StashIDs(w io.Writer, entries []StashEntry) error {
	var b bytes.Buffer
	for _, e := range entries {
		b.WriteString(EscapeLine(e.ID) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// StashListJSON writes the entries of a stash for programs: an array of objects.
func StashListJSON(w io.Writer, entries []StashEntry) error { return writeJSON(w, list(entries)) }

// WriteCollected writes what a cleaning removed, for a person.
func WriteCollected(w io.Writer, c *Collected, o TextOptions) error {
	p := newPage(w, o)
	verb := "removed"
	if c.DryRun {
		verb = "would remove"
	}
	stored := 0
	for _, e := range c.Entries {
		stored += e.Stored
		p.sentence(plain, verb+" "+entryLine(&e))
	}
	for _, name := range c.Files {
		p.sentence(plain, verb+" "+EscapeLine(name)+", left behind by a run that was killed")
	}
	p.sentence(strong, verb+" "+entriesOf(len(c.Entries))+", "+number(stored)+" bytes")
	if c.Kept > 0 {
		p.sentence(warn, entriesOf(c.Kept)+" of this age kept: the only way back from what the run wrote; --force removes them")
	}
	return p.Flush()
}

func entriesOf(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return number(n) + " entries"
}
