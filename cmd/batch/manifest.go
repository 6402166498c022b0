package batch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
)

// A manifest is a file to which a batch appends a line of JSON for each item. If an item has
// several lines, the last one counts. Before an output is written, a line with done false
// records the hash of its bytes. If the batch is killed then, a later batch that finds these
// bytes in the output knows that the item is done.

// manifestVersion is the version of the schema of a manifest. It increases when a member changes
// its meaning or is removed.
const manifestVersion = 1

// Entry is a line of a manifest.
type Entry struct {
	Manifest int    `json:"manifest"` // version of the schema
	Condense string `json:"condense"` // version of the program
	Options  string `json:"options"`  // hash of the flags that affect the output
	Input    string `json:"input"`    // path of the input, as it was named
	Read     string `json:"read"`     // hash of the input
	Output   string `json:"output"`   // path of the output, "" for none
	Written  string `json:"written"`  // hash of the output, "" for none
	Done     bool   `json:"done"`     // false if the output is about to be written
	Status   Status `json:"status"`
	Exit     int    `json:"exit"`            // exit code of the item
	Error    string `json:"error,omitempty"` // set if the item failed

	Conversations int           `json:"conversations"`
	Tokens        report.Change `json:"tokens"`
	Bytes         report.Change `json:"bytes"`
	Rows          *report.Rows  `json:"rows,omitempty"`
}

// Manifest is an open manifest. It is safe for concurrent use. A nil Manifest discards every
// entry.
type Manifest struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]*Entry // by input: its last line when the file was opened
}

// ManifestError reports a manifest that cannot be used.
type ManifestError struct {
	path string
	err  error
	Kind manifestFault
}

// manifestFault is a reason why a manifest cannot be used.
type manifestFault int

// Reasons why a manifest cannot be used.
const (
	Unwritable manifestFault = iota
	Unreadable
	invalid // not a manifest, or one of another version
)

func (e *ManifestError) Error() string { return "--manifest " + e.path + ": " + e.err.Error() }
func (e *ManifestError) Unwrap() error { return e.err }

// OpenManifest opens or creates the manifest at path. It returns nil for an empty path, and an
// error for a file that is no manifest. It ignores an incomplete last line, which a killed
// batch leaves.
func OpenManifest(path string) (*Manifest, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, &ManifestError{path, err, Unwritable}
	}
	m := &Manifest{file: f, known: map[string]*Entry{}}
	data, err := readManifest(f)
	if err != nil {
		return nil, &ManifestError{path, err, Unreadable}
	}
	if m.known, err = entries(data); err != nil {
		return nil, &ManifestError{path, err, invalid}
	}
	if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) { // an incomplete last line
		if _, err := f.WriteString("\n"); err != nil {
			return nil, &ManifestError{path, err, Unwritable}
		}
	}
	return m, nil
}

// mostUnlike is the number of bytes that are read of a file that does not begin as a manifest does, before
// it must look like one: a program may have laid out a manifest again, and a device may have no end.
const mostUnlike = 1 << 20

// readManifest reads a manifest, or only the beginning of a file that is none.
func readManifest(f io.Reader) ([]byte, error) {
	r := bufio.NewReader(f)
	head, err := r.Peek(len(manifestHead))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if IsManifest(head) {
		return io.ReadAll(r)
	}
	data, err := io.ReadAll(io.LimitReader(r, mostUnlike))
	if err != nil || len(data) < mostUnlike {
		return data, err
	}
	if _, err := entries(data); err != nil {
		return data, nil // what follows makes no manifest of it
	}
	rest, err := io.ReadAll(r)
	return append(data, rest...), err
}

// entries returns the last entry of each input in the bytes of a manifest.
func entries(data []byte) (map[string]*Entry, error) {
	known := map[string]*Entry{}
	for line := range bytes.Lines(data) {
		e := new(Entry)
		switch err := json.Unmarshal(line, e); {
		case err == nil && e.Manifest == manifestVersion:
			known[e.Input] = e
		case err == nil && e.Manifest != 0:
			return nil, fmt.Errorf("unknown version %d, expected %d", e.Manifest, manifestVersion)
		case len(known) == 0 && !IsManifest(line):
			return nil, errors.New("not a manifest; name another file")
		}
	}
	return known, nil
}

// manifestHead is the beginning of a manifest.
const manifestHead = `{"manifest":`

// IsManifest reports whether data begins as a manifest does.
func IsManifest(data []byte) bool { return bytes.HasPrefix(data, []byte(manifestHead)) }

// Finished returns the last entries in the bytes of a manifest, sorted by input, except for those of
// files that were begun and not finished.
func Finished(data []byte) ([]*Entry, error) {
	known, err := entries(data)
	if err != nil {
		return nil, err
	}
	var list []*Entry
	for _, input := range slices.Sorted(maps.Keys(known)) {
		if known[input].Done {
			list = append(list, known[input])
		}
	}
	return list, nil
}

// Last returns the last entry of an input when the manifest was opened, nil if there was none.
func (m *Manifest) Last(input string) *Entry {
	if m == nil {
		return nil
	}
	return m.known[plainName(input)]
}

// Add appends an entry and syncs the file. It writes the line in one call, so that several
// batches can share a manifest.
func (m *Manifest) Add(e Entry) error {
	if m == nil {
		return nil
	}
	e.Manifest, e.Input, e.Output = manifestVersion, plainName(e.Input), plainName(e.Output)
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err = m.file.WriteString(escape.JSON(string(line)) + "\n"); err == nil {
		err = m.file.Sync()
	}
	if err != nil {
		return &ManifestError{m.file.Name(), err, Unwritable}
	}
	return nil
}

// Close closes the file of the manifest.
func (m *Manifest) Close() error {
	if m == nil {
		return nil
	}
	if err := m.file.Close(); err != nil {
		return &ManifestError{m.file.Name(), err, Unwritable}
	}
	return nil
}

// HashOf returns the hash of data, in the form of a manifest: "sha256:" and hexadecimal digits.
func HashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// HashFile returns the same hash as [HashOf] for the file at path, "" if it cannot be read.
func HashFile(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// Status is the status of a file of a batch.
type Status string

// The statuses, as the manifest spells them.
const (
	Condensed     Status = "condensed"
	Unchanged     Status = "unchanged"
	PartFailed    Status = "partly-condensed"
	MissedTarget  Status = "missed-target"
	Refused       Status = "refused"
	NotTranscript Status = "not-a-transcript"
	LeftOut       Status = "left-out"
	Failed        Status = "failed"
)

// Unwritten reports whether a file with this status has no output, although it was to have one.
func (s Status) Unwritten() bool { return s == Refused || s == Failed }

// stays reports whether --resume can skip a file with this status.
func (s Status) stays() bool { return !s.Unwritten() }
