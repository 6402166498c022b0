package inventory

import (
	"time"

	"condense/cmd/report"
)

// StashEntry is one entry of a stash: the way back from what a run wrote to what it had read. The
// names of its members in JSON are part of the interface, as are those of the other types here.
type StashEntry struct {
	ID      string        `json:"id"`
	File    string        `json:"file"`              // the input as the user named it
	Format  string        `json:"format"`            // dialect of the file
	How     string        `json:"how"`               // what the run was: "hybrid, target 50%"
	Bytes   report.Change `json:"bytes"`             // size of the file
	Edits   int           `json:"edits"`             // places that lost something; 0 where the run changed nothing
	Stored  int           `json:"stored,omitempty"`  // bytes that the entry takes
	Used    time.Time     `json:"used,omitzero"`     // when a run last wrote the entry, or would have
	Damaged bool          `json:"damaged,omitempty"` // it cannot be read; the rest is not known
}

// Restored holds the results of condense restore.
type Restored struct {
	Version  int           `json:"version"`          // version of this report format
	Condense string        `json:"condense"`         // version of the program
	Input    string        `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string        `json:"output"`           // where the original was written; "-" for standard output, "" when nothing was written
	Backup   string        `json:"backup,omitempty"` // where the condensed file is kept, when it was replaced
	DryRun   bool          `json:"dry_run"`          // nothing was to be written
	Changed  bool          `json:"changed"`          // the original differs from the file
	Bytes    report.Change `json:"bytes"`            // of the file, and of what was restored
	Sum      string        `json:"sha256"`           // of what was restored
	Way      []StashEntry  `json:"way"`              // the runs that led from the original to the file, the last first
	Later    int           `json:"later_lines"`      // lines that came to the file later, and stand at the end of what was restored
}

// Removed lists the texts that one run removed.
type Removed struct {
	StashEntry
	Several bool          `json:"-"` // the file has several conversations
	Edits   []RemovedEdit `json:"removed"`
}

// RemovedEdit holds the text that one place lost.
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
