package stash

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"condense/cmd/source"
)

// CollectOptions holds the options of [Store.Collect]. The zero value removes no entries.
type CollectOptions struct {
	Before time.Time // remove entries that were last used before
	Force  bool      // remove even entries without which a file cannot be restored
	DryRun bool      // remove nothing
}

// Collected is the result of [Store.Collect].
type Collected struct {
	Entries []Entry  // removed, or to be removed in a dry run
	Kept    []Entry  // older than Before, but kept because a file cannot be restored without them; none with Force
	Files   []string // unfinished files of killed runs
	Bytes   int64    // of Entries
}

// Collect removes the unfinished files of killed runs. Of the entries that were last used before
// o.Before, it removes
//
//   - those of runs that changed nothing, if another entry has the same file as input or output,
//   - with Force, also those that no younger entry needs, and those that cannot be read.
//
// The stash does not know whether the output of an entry still exists. So without Force, every
// file can still be restored afterwards.
//
// A run that needs an entry at the same time updates its time or writes it again. Collect therefore
// renames an entry first, and restores its name if it was used in between.
func (s *Store) Collect(o CollectOptions) (*Collected, error) {
	if !o.DryRun {
		if err := s.putBack(); err != nil {
			return nil, err
		}
	}
	all, err := s.Entries()
	if err != nil {
		return nil, err
	}
	c := &Collected{}
	if c.Files, err = s.abandoned(!o.DryRun); err != nil {
		return nil, err
	}
	needed := reachable(all, o.Before)
	for _, e := range all {
		switch {
		case !e.Used.Before(o.Before) || needed[e.file.name]:
			continue
		case !o.Force && (e.Damaged || !redundant(all, e)):
			c.Kept = append(c.Kept, e)
			continue
		case !o.DryRun && !s.remove(e, o.Before):
			continue
		}
		c.Entries = append(c.Entries, e)
		c.Bytes += e.Bytes
	}
	return c, nil
}

// abandoned returns the unfinished files of killed runs. With remove it removes them.
func (s *Store) abandoned(remove bool) (names []string, err error) {
	folders, err := s.folders()
	for _, dir := range folders {
		list, err := source.Abandoned(filepath.Join(s.Dir, dir), remove)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, s.failed("cannot be read", err)
		}
		names = append(names, list...)
	}
	return names, err
}

// reachable returns the names of the entries that are needed by entries used since a time.
func reachable(all []Entry, since time.Time) map[string]bool {
	needed := map[string]bool{}
	var mark func(e Entry)
	mark = func(e Entry) {
		for _, next := range all {
			if !next.Damaged && !next.IsOriginal() && (next.Output == e.Input || next.file.name == e.After) && !needed[next.file.name] {
				needed[next.file.name] = true
				mark(next)
			}
		}
	}
	for _, e := range all {
		if !e.Damaged && !e.Used.Before(since) {
			mark(e)
		}
	}
	return needed
}

// redundant reports whether e only marks an original, and another entry has that file as well.
func redundant(all []Entry, e Entry) bool {
	return e.IsOriginal() && slices.ContainsFunc(all, func(other Entry) bool {
		return !other.Damaged && !other.IsOriginal() && (other.Output == e.Output || other.Input == e.Output)
	})
}

// aside is the suffix of the name of an entry during its removal.
const aside = ".gone"

// remove removes an entry unless it was used since a time, and reports whether it did.
func (s *Store) remove(e Entry, since time.Time) bool {
	path := s.path(e.file)
	if os.Rename(path, path+aside) != nil {
		return false
	}
	if info, err := os.Lstat(path + aside); err != nil || !info.ModTime().Before(since) {
		_ = os.Rename(path+aside, path) // replaces equal bytes, if they were written again
		return false
	}
	return os.Remove(path+aside) == nil
}

// putBack undoes removals of killed runs.
func (s *Store) putBack() error {
	folders, err := s.folders()
	if err != nil {
		return err
	}
	for _, dir := range folders {
		files, err := s.readDir(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			name, ok := strings.CutSuffix(f.Name(), aside)
			if _, entry := parseName(name); !ok || !entry {
				continue
			}
			path := s.path(place{dir: dir, name: name})
			if err := os.Rename(path+aside, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return s.failed("cannot be changed", err)
			}
		}
	}
	return nil
}
