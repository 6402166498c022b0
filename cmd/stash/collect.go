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

// CollectOptions are the choices of [Store.Collect].
type CollectOptions struct {
	Before time.Time // entries that were last used before this may go
	Force  bool      // even where they are the only way back from a file
	DryRun bool      // only tell
}

// Collected is what Collect removed, or would remove.
type Collected struct {
	Entries []Entry  // that went
	Kept    []Entry  // older than Before, kept because they are the only way back from a file; none with Force
	Files   []string // left behind by runs that were killed
	Bytes   int64    // of the entries that went
}

// Collect removes what is not needed any more: what killed runs left behind, and of the entries
// that were last used before a time
//
//   - those of runs that changed nothing, where another entry has the same file at one of its ends,
//   - with Force, all that no younger entry leads on to, and those that cannot be read.
//
// Whether a file that an entry leads back from exists still, nobody can know from here; so without
// Force, no way back is lost.
//
// A run that needs an entry at this moment makes it younger, or writes it again: an entry is taken
// aside first, and put back if it has been used in between.
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
	if c.Files, err = source.Abandoned(s.Dir, !o.DryRun); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, s.failed("cannot be read", err)
	}
	needed := reachable(all, o.Before)
	for _, e := range all {
		switch {
		case !e.Used.Before(o.Before) || needed[e.file]:
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

// reachable returns the names of the entries to which those used since a time lead on.
func reachable(all []Entry, since time.Time) map[string]bool {
	needed := map[string]bool{}
	var mark func(e Entry)
	mark = func(e Entry) {
		for _, next := range all {
			if !next.Damaged && !next.IsOriginal() && (next.Output == e.Input || next.file == e.After) && !needed[next.file] {
				needed[next.file] = true
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

// redundant reports whether other entries know all that this one says: that its file is an original.
func redundant(all []Entry, e Entry) bool {
	return e.IsOriginal() && slices.ContainsFunc(all, func(other Entry) bool {
		return !other.Damaged && !other.IsOriginal() && (other.Output == e.Output || other.Input == e.Output)
	})
}

// aside is what the name of an entry ends with while it is being removed.
const aside = ".gone"

// remove removes an entry unless it was used since a time, and reports whether it did.
func (s *Store) remove(e Entry, since time.Time) bool {
	path := filepath.Join(s.Dir, e.file)
	if os.Rename(path, path+aside) != nil {
		return false
	}
	if info, err := os.Lstat(path + aside); err != nil || !info.ModTime().Before(since) {
		_ = os.Rename(path+aside, path) // over the same bytes, if they were written again
		return false
	}
	return os.Remove(path+aside) == nil
}

// putBack undoes removals that were killed half-way.
func (s *Store) putBack() error {
	files, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.failed("cannot be read", err)
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), aside)
		if _, entry := parseName(name); !ok || !entry {
			continue
		}
		path := filepath.Join(s.Dir, name)
		if err := os.Rename(path+aside, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.failed("cannot be changed", err)
		}
	}
	return nil
}
