package ui

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

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
