package cmd

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

// manifestEntry is a line of a manifest.
type manifestEntry struct {
	Manifest int    `json:"manifest"` // version of this form
	Condense string `json:"condense"` // version of the program
	Options  string `json:"options"`  // hash of the flags that decide about the output
	Input    string `json:"input"`    // the file that was read, as it was named
	Read     string `json:"read"`     // hash of what was read
	Output   string `json:"output"`   // the file that was written, "" for none
	Written  string `json:"written"`  // hash of what was written, "" for nothing
	Done     bool   `json:"done"`     // false: about to be written
	Status   status `json:"status"`
	Exit     int    `json:"exit"`            // the exit code that the item asks for
	Error    string `json:"error,omitempty"` // why it is not done

	Conversations int           `json:"conversations"`
	Tokens        report.Change `json:"tokens"`
	Bytes         report.Change `json:"bytes"`
}

// manifest is one that is appended to. The nil manifest takes everything and keeps nothing.
type manifest struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]*manifestEntry // the last line of each input, when it was opened
}

// manifestError is a manifest that cannot be used.
type manifestError struct {
	path string
	err  error
	kind manifestFault
}

// manifestFault is why a manifest cannot be used.
type manifestFault int

// Why a manifest cannot be used.
const (
	manifestUnwritable manifestFault = iota
	manifestUnreadable
	manifestInvalid // it is something else, or of another version
)

func (e *manifestError) Error() string { return "--manifest " + e.path + ": " + e.err.Error() }
func (e *manifestError) Unwrap() error { return e.err }

// openManifest opens the manifest at path, or begins one; nil for "". A file that is no manifest
// is refused. A line that was torn off by a kill is no line.
func openManifest(path string) (*manifest, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, &manifestError{path, err, manifestUnwritable}
	}
	m := &manifest{file: f, known: map[string]*manifestEntry{}}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, &manifestError{path, err, manifestUnreadable}
	}
	rest, torn := data, false
	for len(rest) > 0 {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		rest, torn = after, !whole
		e := new(manifestEntry)
		switch err := json.Unmarshal(line, e); {
		case err == nil && e.Manifest == manifestVersion:
			m.known[e.Input] = e
		case err == nil && e.Manifest != 0:
			return nil, &manifestError{path, fmt.Errorf("its version is %d, not %d", e.Manifest, manifestVersion), manifestInvalid}
		case len(m.known) == 0 && !bytes.HasPrefix(line, []byte(`{"manifest":`)):
			return nil, &manifestError{path, fmt.Errorf("it is no manifest"), manifestInvalid}
		}
	}
	if torn {
		if _, err := f.WriteString("\n"); err != nil {
			return nil, &manifestError{path, err, manifestUnwritable}
		}
	}
	return m, nil
}

// last is what the manifest knew of an input when it was opened, nil for nothing.
func (m *manifest) last(input string) *manifestEntry {
	if m == nil {
		return nil
	}
	return m.known[plainName(input)]
}

// add appends a line, in one write, so that batches may share a manifest, and pushes it to the
// disk.
func (m *manifest) add(e manifestEntry) error {
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
		return &manifestError{m.file.Name(), err, manifestUnwritable}
	}
	return nil
}

func (m *manifest) close() error {
	if m == nil {
		return nil
	}
	if err := m.file.Close(); err != nil {
		return &manifestError{m.file.Name(), err, manifestUnwritable}
	}
	return nil
}

// hashOf is how a manifest names bytes.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// hashFile is hashOf the file at path, "" when it cannot be read.
func hashFile(path string) string {
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
