package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
)

// A manifest is a file to which a batch appends one line of JSON for each item; of several lines
// about an item, the last counts. Before an output is put in its place, a line that is not done
// records the hash of its bytes. A later batch that finds these bytes there knows that the item is
// done, even if the batch was killed in between.

// manifestVersion is the version of the schema of a manifest. It increases when a member changes
// its meaning or is removed.
const manifestVersion = 1

// Entry is a line of a manifest.
type Entry struct {
	Manifest int    `json:"manifest"` // version of this form
	Condense string `json:"condense"` // version of the program
	Options  string `json:"options"`  // hash of the flags that decide about the output
	Input    string `json:"input"`    // the file that was read, as it was named
	Read     string `json:"read"`     // hash of what was read
	Output   string `json:"output"`   // the file that was written, "" for none
	Written  string `json:"written"`  // hash of what was written, "" for nothing
	Done     bool   `json:"done"`     // false: about to be written
	Status   Status `json:"status"`
	Exit     int    `json:"exit"`            // the exit code that the item asks for
	Error    string `json:"error,omitempty"` // why it is not done

	Conversations int           `json:"conversations"`
	Tokens        report.Change `json:"tokens"`
	Bytes         report.Change `json:"bytes"`
}

// Manifest is an open manifest. A nil Manifest accepts every entry and keeps none.
type Manifest struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]*Entry // the last line of each input, when it was opened
}

// ManifestError is a manifest that cannot be used.
type ManifestError struct {
	path string
	err  error
	Kind manifestFault
}

// manifestFault is why a manifest cannot be used.
type manifestFault int

// Why a manifest cannot be used.
const (
	Unwritable manifestFault = iota
	Unreadable
	invalid // it is something else, or of another version
)

func (e *ManifestError) Error() string { return "--manifest " + e.path + ": " + e.err.Error() }
func (e *ManifestError) Unwrap() error { return e.err }

// OpenManifest opens the manifest at path, or creates it; it returns nil for "". A file that is not
// a manifest is an error. An incomplete last line, which a killed batch leaves, is ignored.
func OpenManifest(path string) (*Manifest, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, &ManifestError{path, err, Unwritable}
	}
	m := &Manifest{file: f, known: map[string]*Entry{}}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, &ManifestError{path, err, Unreadable}
	}
	rest, torn := data, false
	for len(rest) > 0 {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		rest, torn = after, !whole
		e := new(Entry)
		switch err := json.Unmarshal(line, e); {
		case err == nil && e.Manifest == manifestVersion:
			m.known[e.Input] = e
		case err == nil && e.Manifest != 0:
			return nil, &ManifestError{path, fmt.Errorf("its version is %d, not %d", e.Manifest, manifestVersion), invalid}
		case len(m.known) == 0 && !bytes.HasPrefix(line, []byte(`{"manifest":`)):
			return nil, &ManifestError{path, fmt.Errorf("it is no manifest"), invalid}
		}
	}
	if torn {
		if _, err := f.WriteString("\n"); err != nil {
			return nil, &ManifestError{path, err, Unwritable}
		}
	}
	return m, nil
}

// Last returns what the manifest knew of an input when it was opened; nil if nothing.
func (m *Manifest) Last(input string) *Entry {
	if m == nil {
		return nil
	}
	return m.known[plainName(input)]
}

// Add appends a line in one write, so that batches can share a manifest, and syncs the file.
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

// Close closes the file of the manifest. A nil Manifest has none.
func (m *Manifest) Close() error {
	if m == nil {
		return nil
	}
	if err := m.file.Close(); err != nil {
		return &ManifestError{m.file.Name(), err, Unwritable}
	}
	return nil
}

// HashOf is how a manifest names bytes.
func HashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// HashFile is hashOf the file at path, "" when it cannot be read.
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

// Status is how a file of a batch ended.
type Status string

// The statuses, as the manifest spells them.
const (
	Condensed     Status = "condensed"
	Unchanged     Status = "unchanged"
	PartFailed    Status = "partly-condensed"
	MissedTarget  Status = "missed-target"
	Refused       Status = "refused"
	NotTranscript Status = "not-a-transcript"
	Failed        Status = "failed"
)

// stays reports whether the status is that of a file that need not be looked at again.
func (s Status) stays() bool { return s != Refused && s != Failed }
