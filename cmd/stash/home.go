package stash

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Home returns the store at dir for the old content of files that runs replace. Each file has a folder
// of its own there, so that the time of a run does not depend on the number of other files. Runs put
// whole entries into the store that [Store.For] returns.
func Home(dir string) *Store { return &Store{Dir: dir, split: true} }

// For returns the part of a [Home] for the file at an absolute path.
func (s *Store) For(path string) *Store {
	sum := sha256.Sum256([]byte(path))
	return &Store{Dir: filepath.Join(s.Dir, hex.EncodeToString(sum[:12])), above: s.Dir, fault: s.fault}
}

// Undone is the content of a file before a run.
type Undone struct {
	Step
	Data    []byte    // the input of the run, and the lines that were appended since then
	Later   int       // number of these lines
	Changed bool      // set if the file is not what the run wrote, with or without such lines
	Used    time.Time // time of the run

	at   place  // of the entry
	from *Store // nil if the entry belongs to another path
}

// Forget removes the entry of a run whose input is in its place again. Another run can then not be taken
// for the last one. An entry that belongs to another path stays.
func (u *Undone) Forget() error {
	if u.from == nil {
		return nil
	}
	return u.from.drop(u.at)
}

// Undo returns the content of the file at an absolute path before the last run that wrote it. If the
// file has changed since then, force is needed.
//
// The error is an [*Error] with exit code 1 if no run wrote the file, or if it has changed.
func (s *Store) Undo(path string, file []byte, force bool) (*Undone, error) {
	own := s.For(path)
	places, err := own.places()
	if err != nil {
		return nil, err
	}
	hash := digest(file)
	from, at := own, before(places, hash)
	if len(at) == 0 { // the file may have been moved
		all, err := s.places()
		if err != nil {
			return nil, err
		}
		if from, at = s, before(all, hash); len(at) == 0 {
			return own.undoChanged(path, file, places, force)
		}
	}
	p, used := from.newest(at)
	u, err := from.undone(p, used, file)
	if from == own && err == nil {
		u.from = own
	}
	return u, err
}

// before returns the places of the runs that wrote the file with this hash.
func before(places []place, hash string) []place {
	return slices.DeleteFunc(find(places, hash), func(p place) bool { return p.in == p.out })
}

// newest returns the place that was used last.
func (s *Store) newest(places []place) (last place, used time.Time) {
	for _, p := range places {
		if info, err := os.Lstat(s.path(p)); err == nil && !info.ModTime().Before(used) {
			last, used = p, info.ModTime()
		}
	}
	return last, used
}

// undone restores the input of an entry.
func (s *Store) undone(p place, used time.Time, file []byte) (*Undone, error) {
	e, err := s.read(p)
	if err != nil {
		return nil, s.damaged(p.name, err)
	}
	in, err := e.input(file)
	if err != nil {
		return nil, s.damaged(p.name, err)
	}
	return &Undone{Step: Step{e.Header, p.out[:MinID]}, Data: in, Used: used, at: p}, nil
}

// undoChanged is [Store.Undo] for a file that no run wrote in this form. The last run is the one whose
// output the file begins with, or else the newest.
func (s *Store) undoChanged(path string, file []byte, places []place, force bool) (*Undone, error) {
	if len(places) == 0 {
		return nil, &Error{path + ": nothing to undo: no run has replaced this file, the run is already undone, or its old content is gone",
			"runs with -w keep the old content, unless --no-stash is set; condense stash list lists what is kept", exitPolicy, nil}
	}
	hash := digest(file)
	if slices.ContainsFunc(places, func(p place) bool { return p.in == hash[:digits] }) {
		return nil, &Error{path + ": nothing to undo: this is the content before the run", "", exitPolicy, nil}
	}
	var later []byte
	if known := grown(places, file); len(known) > 0 {
		places, later = before(places, known[0].hash), file[known[0].length:]
	}
	p, used := s.newest(places)
	if !force {
		problem, hint := "it has changed since the run", "--force puts the old content back and keeps the changed file as a backup"
		if later != nil {
			problem = fmt.Sprintf("it has new lines since the run (%d)", lines(later))
			hint = "--force puts the old content back, with the new lines behind it"
		}
		return nil, &Error{path + ": not undone: " + problem, hint, exitPolicy, nil}
	}
	u, err := s.undone(p, used, nil)
	if err != nil {
		return nil, err
	}
	u.Changed, u.from = true, s
	if later != nil {
		u.Data, u.Later = join(u.Data, later), lines(later)
	}
	return u, nil
}

// PurgeOptions select what [Store.Purge] removes.
type PurgeOptions struct {
	Path   string // absolute path of the file
	File   []byte // its content
	DryRun bool   // set to remove nothing
}

// Purge removes all entries that have an earlier content of a file, and returns them.
func (s *Store) Purge(o PurgeOptions) (list []Entry, err error) {
	all, err := s.places()
	if err != nil {
		return nil, err
	}
	gone := s.ancestors(all, o.File)
	hash := digest(o.File)
	own := filepath.Base(s.For(o.Path).Dir)
	for _, p := range all {
		if (p.in == hash[:digits] || s.split && p.dir == own) && !slices.Contains(gone, p) {
			gone = append(gone, p)
		}
	}
	for _, p := range gone {
		if e, ok := s.entry(p, p.out[:MinID]); ok {
			list = append(list, e)
		}
		if o.DryRun {
			continue
		}
		if err := s.drop(p); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// drop removes an entry, and its folder if that is empty then.
func (s *Store) drop(p place) error {
	if err := s.step("remove"); err != nil {
		return err
	}
	if err := os.Remove(s.path(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.failed("cannot be changed", err)
	}
	if p.dir != "" || s.above != "" {
		_ = os.Remove(filepath.Join(s.Dir, p.dir)) // fails if the folder has other entries
	}
	return nil
}

const (
	tallyName = "tally"   // has a byte for each tallyUnit bytes that were written since the last Trim
	tallyUnit = 64 << 10  // bytes
	tallyFull = 128 << 20 // bytes after which a Trim is due
)

// Tally adds the size of an entry to those since the last [Store.Trim], and reports whether the next one
// is due. Appending to a file needs no lock, and does not read the store.
func (s *Store) Tally(id string) (due bool) {
	names, err := filepath.Glob(filepath.Join(s.Dir, id+"*"+suffix))
	if err != nil || len(names) == 0 {
		return false
	}
	info, err := os.Lstat(names[0])
	if err != nil {
		return false
	}
	f, err := os.OpenFile(filepath.Join(cmp.Or(s.above, s.Dir), tallyName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return false
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, info.Size()/tallyUnit+1)); err != nil {
		return false
	}
	info, err = f.Stat()
	return err == nil && info.Size() >= tallyFull/tallyUnit
}

// Trim removes the entries that were used longest ago, until the others have at most limit bytes. The
// entry that was used last stays.
func (s *Store) Trim(limit int64) error {
	places, err := s.places()
	if err != nil {
		return err
	}
	type sized struct {
		place
		bytes int64
		used  time.Time
	}
	var list []sized
	for _, p := range places {
		if info, err := os.Lstat(s.path(p)); err == nil {
			list = append(list, sized{p, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b sized) int { return b.used.Compare(a.used) })
	total := int64(0)
	for i, e := range list {
		if total += e.bytes; total > limit && i > 0 {
			if err := s.drop(e.place); err != nil {
				return err
			}
		}
	}
	if err := os.Remove(filepath.Join(s.Dir, tallyName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.failed("cannot be changed", err)
	}
	return nil
}
