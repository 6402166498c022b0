package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Stands reports whether what the manifest says of an item is still true, and would come out now:
// of options, with hash options, in the version condense, at output, in place or not.
func (e *Entry) Stands(it *Item, n Now) bool {
	if e.Condense != n.Condense || e.Options != n.Options || !e.Status.stays() || e.Output != plainName(n.Output) && n.Folder && e.Written != "" {
		return false
	}
	switch is := HashFile(it.Path); {
	case is == "":
		return false
	case e.Written == "":
		return is == e.Read && e.Status == NotTranscript && (e.Exit == 0) == !it.Named
	case n.InPlace:
		return is == e.Written && e.Output == plainName(it.Path)
	default:
		return is == e.Read && HashFile(n.Output) == e.Written
	}
}

// Now is how an item would be condensed now.
type Now struct {
	Condense string // version of the program
	Options  string // hash of the flags
	Output   string // file that would be written
	Folder   bool   // it lies below --out-dir
	InPlace  bool
}

// MakePlace makes the folders of an output below a folder, and reports whether a file is there already.
// Neither follows a link out of the folder.
func MakePlace(root *os.Root, it *Item) (there bool, err error) {
	name := it.Out()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return false, &PlaceError{err}
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, &PlaceError{err}
	case !info.Mode().IsRegular():
		return false, &PlaceError{fmt.Errorf("%s is no regular file", name)}
	}
	return true, nil
}

// ErrThere is an output that is there already, to the byte.
var ErrThere = errors.New("the output is there already")

// MayReplace asks whether the file that is in the place of an output may go: with --force, or
// when the manifest says that its bytes are from a batch. That it is the output itself is errThere.
func MayReplace(path string, packed []byte, prior *Entry, force bool) error {
	old, err := os.ReadFile(path)
	switch {
	case err != nil:
		return &PlaceError{err}
	case bytes.Equal(old, packed):
		return ErrThere
	case force, prior != nil && prior.Written == HashOf(old):
		return nil
	}
	return &TakenError{path}
}

// PlaceError is an output for which there is no place below --out-dir.
type PlaceError struct{ err error }

func (e *PlaceError) Error() string { return "--out-dir: " + e.err.Error() }
func (e *PlaceError) Unwrap() error { return e.err }

// TakenError is a file in the place of an output that no batch is known to have written.
type TakenError struct{ path string }

func (e *TakenError) Error() string {
	return e.path + ": is another file, not overwritten without --force"
}

// Hint returns one sentence of advice, or "".
func (e *TakenError) Hint() string { return "use --force, or another --out-dir" }
