package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"condense/cmd/report"
)

// stands reports whether what the manifest says of an item is still true, and would come out now.
func (b *batch) stands(e *manifestEntry, it *item, output string) bool {
	if e.Condense != report.CondenseVersion() || e.Options != it.o.hash || !e.Status.stays() || e.Output != plainName(output) && b.root != nil && e.Written != "" {
		return false
	}
	switch now := hashFile(it.path); {
	case now == "":
		return false
	case e.Written == "":
		return now == e.Read && e.Status == notTranscript && (e.Exit == exitOK) == !it.named
	case b.o.run.replaces:
		return now == e.Written && e.Output == plainName(it.path)
	default:
		return now == e.Read && hashFile(output) == e.Written
	}
}

// place makes the folders of an output, and reports whether a file is there already. Neither
// follows a link out of --out-dir.
func (b *batch) place(it *item) (there bool, err error) {
	name := it.out()
	if err := b.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, &unwritable{"--out-dir", err}
	}
	info, err := b.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, &unwritable{"--out-dir", err}
	case !info.Mode().IsRegular():
		return false, &unwritable{"--out-dir", fmt.Errorf("%s is no regular file", name)}
	}
	return true, nil
}

// errThere is an output that is there already, to the byte.
var errThere = errors.New("the output is there already")

// mayReplace asks whether the file that is in the place of an output may go: with --force, or
// when the manifest says that its bytes are from a batch. That it is the output itself is errThere.
func (b *batch) mayReplace(path string, packed []byte, prior *manifestEntry) error {
	old, err := os.ReadFile(path)
	switch {
	case err != nil:
		return &unwritable{"--out-dir", err}
	case bytes.Equal(old, packed):
		return errThere
	case b.o.run.force, prior != nil && prior.Written == hashOf(old):
		return nil
	}
	return &takenError{path}
}

// takenError is a file in the place of an output that no batch is known to have written.
type takenError struct{ path string }

func (e *takenError) Error() string {
	return e.path + ": is another file, not overwritten without --force"
}
func (e *takenError) ExitCode() int { return exitOutput }
func (e *takenError) Hint() string  { return "use --force, or another --out-dir" }
