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

// A manifest is a file to which a batch appends what becomes of each item, one JSON object a
// line, the newest of an item last. Before an output is put in its place, a line that is not
// done says which bytes it is about to have: whoever finds these bytes there knows that this
// batch put them there, and that the item is done, whatever was killed since.

// manifestVersion is the version of the form of a manifest. It rises when a member changes
// its meaning or goes away.
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

// Manifest is one that is appended to. The nil manifest takes everything and keeps nothing.
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

// OpenManifest opens the manifest at path, or begins one; nil for "". A file that is no manifest
// is refused. A line that was torn off by a kill is no line.
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

// Last is what the manifest knew of an input when it was opened, nil for nothing.
func (m *Manifest) Last(input string) *Entry {
	if m == nil {
		return nil
	}
	return m.known[plainName(input)]
}

// Add appends a line, in one write, so that batches may share a manifest, and pushes it to the
// disk.
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
