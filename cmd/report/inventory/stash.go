package inventory

import (
	"time"

	"condense/cmd/report"
)

// A StashEntry is one entry of a stash. It leads from the output of a run back to its input.
type StashEntry struct {
	ID      string        `json:"id"`
	File    string        `json:"file"`              // the input as the user named it
	Format  string        `json:"format"`            // dialect of the file
	How     string        `json:"how"`               // strategy and target of the run: "hybrid, target 50%"
	Bytes   report.Change `json:"bytes"`             // size of the file
	Edits   int           `json:"edits"`             // number of places that lost text; 0 where the run changed nothing
	Stored  int           `json:"stored,omitempty"`  // size of the entry in bytes
	Used    time.Time     `json:"used,omitzero"`     // last time that a run wrote or needed the entry
	Damaged bool          `json:"damaged,omitempty"` // set if the entry cannot be read; other members are then unknown
}

// Restored holds the results of condense restore.
type Restored struct {
	Version  int           `json:"version"`          // version of this report format
	Condense string        `json:"condense"`         // version of the program
	Input    string        `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string        `json:"output"`           // where the original was written; "-" for standard output, "" when nothing was written
	Backup   string        `json:"backup,omitempty"` // where the condensed file is kept, when it was replaced
	DryRun   bool          `json:"dry_run"`          // set if nothing was to be written
	Changed  bool          `json:"changed"`          // reports whether the original differs from the file
	Bytes    report.Change `json:"bytes"`            // size of the file, and of the restored original
	Sum      string        `json:"sha256"`           // hash of the restored original
	Way      []StashEntry  `json:"way"`              // the runs that led from the original to the file, the last first
	Later    int           `json:"later_lines"`      // lines that were appended to the file after the run, and are kept at the end of the original
}

// Undone holds the results of condense undo for one file.
type Undone struct {
	Version  int           `json:"version"`           // version of this report format
	Condense string        `json:"condense"`          // version of the program
	File     string        `json:"file"`              // as the user wrote it
	How      string        `json:"how"`               // strategy and target of the run that was undone
	Time     time.Time     `json:"time"`              // when it ran
	DryRun   bool          `json:"dry_run"`           // set if nothing was to be written
	Bytes    report.Change `json:"bytes"`             // size of the file before and after the undo
	Later    int           `json:"later_lines"`       // lines that were appended after the run, and follow the old content
	Backup   string        `json:"backup,omitempty"`  // where the changed file is kept
	Removed  string        `json:"removed,omitempty"` // backup of the run, which had the same bytes
}

// Purged lists what condense stash purge removed.
type Purged struct {
	DryRun  bool         `json:"dry_run"` // set if nothing was to be removed
	File    string       `json:"file"`    // as the user wrote it
	Entries []StashEntry `json:"entries"` // entries with an earlier content of the file
	Backups []string     `json:"backups"` // backups with such a content
}

// Removed lists the texts that one run removed.
type Removed struct {
	StashEntry
	Several bool          `json:"-"` // reports whether the file has several conversations
	Edits   []RemovedEdit `json:"removed"`
}

// A RemovedEdit holds the text that one place lost.
type RemovedEdit struct {
	Conversation int    `json:"conversation"`        // number in the file, from 1
	Message      int    `json:"message"`             // number in the input's conversation, from 1
	Block        int    `json:"block,omitempty"`     // number in the message, from 1; 0 for the whole message
	What         string `json:"what,omitempty"`      // kind and tool: "tool result Read src/a.go"
	Op           string `json:"op"`                  // rewrite, drop, …
	Why          string `json:"why,omitempty"`       // the reason in a few words
	Text         string `json:"text,omitempty"`      // the removed lines; "" for a block without text
	Elsewhere    int    `json:"elsewhere,omitempty"` // removed lines that Text omits, because the output has them at another place
}

// Collected lists what condense stash gc removed.
type Collected struct {
	DryRun  bool         // set if nothing was to be removed
	Entries []StashEntry // entries that were removed, or would be
	Kept    int          // number of entries that are old enough, but kept because only they restore a file
	Files   []string     // files that killed runs left behind
}
