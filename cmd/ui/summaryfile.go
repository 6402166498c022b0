package ui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// SummaryVersion is the version of the JSON of a [Summary]. It rises when a member
// changes its meaning or goes away.
const SummaryVersion = 1

// Summary is what was done to many files: sums only, so that the summaries of
// shards add up to that of one run over all of them.
type Summary struct {
	Version       int      `json:"version"`       // version of this format
	Files         int      `json:"files"`         // that were looked at
	Conversations int      `json:"conversations"` // in them
	Tokens        Change   `json:"tokens"`        // of all conversations; a file that stayed as it was counts the same twice
	Bytes         Change   `json:"bytes"`         // of all files that were read
	Statuses      []Status `json:"statuses"`      // what became of the files, by name of the status
}

// Status is how many files ended in one way.
type Status struct {
	Name  string `json:"name"`  // condensed, unchanged, failed, …
	Files int    `json:"files"` // that ended so
}

// Add adds another summary. Adding is associative and commutative: shards may be
// merged in any order.
func (s *Summary) Add(o *Summary) {
	s.Version = SummaryVersion
	s.Files += o.Files
	s.Conversations += o.Conversations
	s.Tokens = Change{s.Tokens.Before + o.Tokens.Before, s.Tokens.After + o.Tokens.After}
	s.Bytes = Change{s.Bytes.Before + o.Bytes.Before, s.Bytes.After + o.Bytes.After}
	for _, x := range o.Statuses {
		s.Count(x.Name, x.Files)
	}
}

// Count adds files that ended in one way.
func (s *Summary) Count(status string, files int) {
	at, known := slices.BinarySearchFunc(s.Statuses, status, func(x Status, name string) int { return cmp.Compare(x.Name, name) })
	if !known {
		s.Statuses = slices.Insert(s.Statuses, at, Status{Name: status})
	}
	s.Statuses[at].Files += files
}

// ReadSummary reads what [SummaryJSON] writes. A member of another name or a
// version that is not known is an error.
func ReadSummary(data []byte) (*Summary, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s Summary
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("not a summary: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("not a summary: something follows it")
	}
	if s.Version != SummaryVersion {
		return nil, fmt.Errorf("not a summary of version %d: its version is %d", SummaryVersion, s.Version)
	}
	return &s, nil
}

// SummaryJSON writes a summary for programs, statuses in order of their names.
func SummaryJSON(w io.Writer, s *Summary) error {
	c := *s
	c.Statuses = list(s.Statuses)
	return writeJSON(w, &c)
}

// WriteSummary writes a summary for a person.
func WriteSummary(w io.Writer, s *Summary, o TextOptions) error {
	p := newPage(w, o)
	tokens := change(s.Tokens) + " tokens"
	if s.Tokens.Before != s.Tokens.After {
		tokens += " (" + percent(s.Tokens) + ")"
	}
	p.fold(plain, p.paint(strong, plural(s.Files, "file")+":"), p.paint(good, tokens)+",", change(s.Bytes)+" bytes,",
		plural(s.Conversations, "conversation"))
	t := table{columns: []column{words, figures, aside}, head: []string{"status", "files", ""}}
	largest := 0
	for _, x := range s.Statuses {
		largest = max(largest, x.Files)
	}
	for _, x := range s.Statuses {
		t.add(EscapeLine(x.Name), number(x.Files), p.bar(x.Files, largest))
	}
	p.table(t)
	return p.Flush()
}

// barWidth is the width of a terminal from which tables have room for bars.
const barWidth = 60

// bar draws a number on the scale of the largest, on a terminal with room for it.
func (p *page) bar(n, largest int) string {
	if p.Width < barWidth {
		return ""
	}
	return bar(Change{n, n}, largest)
}
