package survey

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"condense/cmd/report"
)

// Batch holds the results for many files, file by file.
type Batch struct {
	Condense string      // version of the program
	Sum      *Summary    // of all files
	Ways     []Way       // in which tokens were counted
	Files    []BatchFile // in any order
	Notes    []string    // what else there is to know
	Manifest string      // file with a line for every file; "" for none
}

// MarshalJSON writes the sums alone, as [Summary] has them.
func (b *Batch) MarshalJSON() ([]byte, error) { return json.Marshal(b.Sum) }

// BatchFile holds the outcome of one file.
type BatchFile struct {
	Input  string        // as it was named, or below a folder
	Status string        // condensed, unchanged, failed, …
	Why    string        // the status, where it is not what one wants; else ""
	Before bool          // it was done by an earlier batch
	Tokens report.Change // of its conversations
}

// Saved returns the tokens that the output has fewer than the input.
func (f *BatchFile) Saved() int { return f.Tokens.Before - f.Tokens.After }

// SummaryVersion is the version of the JSON of a [Summary]. It rises when a member
// changes its meaning or goes away.
const SummaryVersion = 1

// Summary holds the results for many files: sums only, so that the summaries of
// shards add up to that of one run over all of them.
type Summary struct {
	Version       int           `json:"version"`       // version of this format
	Files         int           `json:"files"`         // that were looked at
	Conversations int           `json:"conversations"` // in them
	Tokens        report.Change `json:"tokens"`        // of all conversations; a file that stayed as it was counts the same twice
	Bytes         report.Change `json:"bytes"`         // of all files that were read
	Statuses      []Status      `json:"statuses"`      // what became of the files, by name of the status
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
	s.Tokens = report.Change{Before: s.Tokens.Before + o.Tokens.Before, After: s.Tokens.After + o.Tokens.After}
	s.Bytes = report.Change{Before: s.Bytes.Before + o.Bytes.Before, After: s.Bytes.After + o.Bytes.After}
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

// ReadSummary reads a [Summary] as [report.JSON] writes it. A member of another name or a
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
