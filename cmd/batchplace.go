package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stands reports whether what the manifest says of an item is still true, and would come out now:
// of options, with hash options, in the version condense, at output, in place or not.
func (e *manifestEntry) stands(it *item, n now) bool {
	if e.Condense != n.condense || e.Options != n.options || !e.Status.stays() || e.Output != plainName(n.output) && n.folder && e.Written != "" {
		return false
	}
	switch is := hashFile(it.path); {
	case is == "":
		return false
	case e.Written == "":
		return is == e.Read && e.Status == notTranscript && (e.Exit == 0) == !it.named
	case n.inPlace:
		return is == e.Written && e.Output == plainName(it.path)
	default:
		return is == e.Read && hashFile(n.output) == e.Written
	}
}

// now is how an item would be condensed now.
type now struct {
	condense string // version of the program
	options  string // hash of the flags
	output   string // file that would be written
	folder   bool   // it lies below --out-dir
	inPlace  bool
}

// makePlace makes the folders of an output below a folder, and reports whether a file is there already.
// Neither follows a link out of the folder.
func makePlace(root *os.Root, it *item) (there bool, err error) {
	name := it.out()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, &placeError{err}
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, &placeError{err}
	case !info.Mode().IsRegular():
		return false, &placeError{fmt.Errorf("%s is no regular file", name)}
	}
	return true, nil
}

// errThere is an output that is there already, to the byte.
var errThere = errors.New("the output is there already")

// mayReplace asks whether the file that is in the place of an output may go: with --force, or
// when the manifest says that its bytes are from a batch. That it is the output itself is errThere.
func mayReplace(path string, packed []byte, prior *manifestEntry, force bool) error {
	old, err := os.ReadFile(path)
	switch {
	case err != nil:
		return &placeError{err}
	case bytes.Equal(old, packed):
		return errThere
	case force, prior != nil && prior.Written == hashOf(old):
		return nil
	}
	return &takenError{path}
}

// placeError is an output for which there is no place below --out-dir.
type placeError struct{ err error }

func (e *placeError) Error() string { return "--out-dir: " + e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// takenError is a file in the place of an output that no batch is known to have written.
type takenError struct{ path string }

func (e *takenError) Error() string {
	return e.path + ": is another file, not overwritten without --force"
}
func (e *takenError) Hint() string { return "use --force, or another --out-dir" }
