package batch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Found is a file that a command is to read.
type Found struct {
	Path string
	Walk bool // it was found in a folder, not named: it may be no conversation
}

// Expand replaces the folders among paths by the files in them that are saved by their
// names, compressed ones too. Each folder that cannot be listed is an error; the rest is there.
func Expand(paths []string) (list []Found, failed []error) {
	for _, path := range paths {
		if path == "-" || !isFolder(path) { // who opens it says what is wrong with it
			list = append(list, Found{Path: path})
			continue
		}
		names, unlisted := walk(path, nil, func(path string) bool { return isSaved(filepath.Base(path)) })
		for _, name := range names {
			list = append(list, Found{name, true})
		}
		failed = append(failed, unlisted...)
	}
	return list, failed
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// walk lists the files in a folder and the folders below it that take wants, by name. Hidden
// folders are left out, and so are those that skip names, if it is not nil. Links are not
// followed: they may lead out of the folder, or in a circle. A folder that cannot be listed
// is an error and keeps no other from being listed.
func walk(dir string, skip, take func(path string) bool) (list []string, failed []error) {
	// With the separator, a folder that is itself named by a link is followed.
	_ = filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		path = filepath.Clean(path)
		top := path == filepath.Clean(dir)
		switch {
		case err != nil:
			failed = append(failed, &WalkError{err})
			return fs.SkipDir
		case d.IsDir() && !top && (strings.HasPrefix(d.Name(), ".") || skip != nil && skip(path)):
			return fs.SkipDir
		case d.Type().IsRegular() && take(path):
			list = append(list, path)
		}
		return nil
	})
	return list, failed
}

// WalkError is a folder that cannot be listed.
type WalkError struct{ err error }

func (e *WalkError) Error() string { return e.err.Error() }
func (e *WalkError) Unwrap() error { return e.err }

// savedAs are the extensions of files that hold conversations: .traj is SWE-agent's.
var savedAs = []string{".json", ".jsonl", ".ndjson", ".traj"}

// SavedNames tells people of them.
const SavedNames = ".json, .jsonl, .ndjson and .traj"

// isSaved reports whether a file may hold conversations, by its name.
func isSaved(name string) bool {
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	return slices.Contains(savedAs, filepath.Ext(name))
}

// SameFile reports whether two paths lead to one file, which need not exist yet.
func SameFile(a, b string) bool {
	if b == "" || b == "-" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
