package stash

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"condense/cmd/source"
)

// Store is a directory of entries. A directory that does not exist has no entries; [Store.Put]
// creates it.
type Store struct {
	Dir string // as the user named it

	split bool   // entries are in folders below Dir, one for each file
	above string // the directory of the store of which this is a folder; "" for other stores

	fault func(step string) error // set only by tests; an error replaces a step of a change
}

// Open returns the store in an existing directory. The error is an [*Error] with exit code 3.
func Open(dir string) (*Store, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is a file")
	}
	if err != nil {
		return nil, &Error{dir + ": not a stash", "name the directory that was given to condense run --stash", exitInput, bare(err)}
	}
	return &Store{Dir: dir}, nil
}

// bare returns err without the operation and the path that package os adds.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Run describes a run that can be undone later.
type Run struct {
	File   string // the input as the user named it
	Format string // its format
	How    string // the run, for people
	In     []byte // the input
	Out    []byte // the output
	Edits  []Edit // the removed lines, in the order of the file
	Texts  []Text // the removed texts with their ids; none if markers have no ids
	Whole  bool   // set to keep the whole input, so that it can be restored even if the output has changed
	Backup string // suffix of the backup that the run makes, "" for none

	Modified time.Time // when the input was changed last; zero if it is not known
	Loose    bool      // set to save time where a backup has the input, too: a crash of the machine may lose the entry
}

// Put writes the entry of a run and returns its id, the first part of its name. A run that changed
// nothing also gets an entry, unless there is one for this file. When Put returns without an
// error, the entry is on the disk and verified, or existed before; with Loose, it is only verified. Put sets the time of last use of
// this entry, and of all entries that are needed to restore its file.
func (s *Store) Put(ctx context.Context, r Run) (id string, err error) {
	places, err := s.places()
	if err != nil {
		return "", err
	}
	e := newEntry(r.In, r.Out, r.Edits, r.Texts, r.Whole)
	before := s.ancestors(places, r.In)
	if known := find(places, e.Output); e.IsOriginal() && len(known) > 0 {
		s.touch(append(before, known...))
		return known[0].id(), nil
	}
	// If the output was the input of an earlier run in the chain, an entry would close a circle
	// without an original. Instead, mark the output as an original. A whole entry needs no other.
	if !e.IsOriginal() && !e.Whole && slices.ContainsFunc(before, func(p place) bool { return p.in == e.Output[:digits] }) {
		return s.Put(ctx, Run{File: r.File, Format: r.Format, How: r.How, In: r.Out, Out: r.Out})
	}
	if len(before) > 0 {
		e.After = before[0].name
	}
	e.File, e.Format, e.How, e.Backup = r.File, r.Format, r.How, r.Backup
	if !r.Modified.IsZero() {
		e.Modified = r.Modified.UTC().Format(time.RFC3339Nano)
	}
	data, err := e.bytes()
	if err == nil && !e.Whole {
		err = prove(data, r.In, r.Out)
	}
	if err != nil {
		return "", s.failed("cannot take "+r.File, err)
	}
	if err := s.write(ctx, e, data, r.Loose); err != nil {
		return "", err
	}
	if !e.Whole { // the time of a whole entry is that of its run
		s.touch(before)
	}
	return e.Output[:digits], nil
}

// hide writes a .gitignore into a stash that is in a checkout, so that no commit takes the originals
// along.
func (s *Store) hide() error {
	top := cmp.Or(s.above, s.Dir)
	dir, err := filepath.Abs(top)
	if err != nil {
		return err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
	f, err := os.OpenFile(filepath.Join(top, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// write puts an entry on the disk, unless it is there.
func (s *Store) write(ctx context.Context, e *entry, data []byte, loose bool) error {
	if err := s.step("directory"); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return s.failed("cannot be created", err)
	}
	if err := s.hide(); err != nil {
		return s.failed("cannot be hidden from git", err)
	}
	path := filepath.Join(s.Dir, e.name())
	for {
		if err := s.step("create"); err != nil {
			return err
		}
		_, damaged := s.read(place{name: e.name()})
		o := source.CreateOptions{Private: true, Loose: loose, Force: damaged != nil}
		err := source.Create(ctx, path, o, func(w io.Writer) error {
			if err := s.step("write"); err != nil {
				return err
			}
			_, err := w.Write(data)
			return err
		})
		switch {
		case errors.Is(err, source.ErrLocked): // another process is writing the same entry
			if err := wait(ctx, 5*time.Millisecond); err != nil {
				return err
			}
			continue
		case errors.Is(err, fs.ErrExist):
			if os.Chtimes(path, time.Time{}, time.Now()) != nil && missing(path) {
				continue // Collect removed it in between
			}
			return s.step("written")
		case err != nil && ctx.Err() == nil:
			return s.failed("the original could not be kept", err)
		case err != nil:
			return err
		}
		return s.step("written")
	}
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (s *Store) step(name string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(name)
}

// touch sets the time of last use of entries for Collect. It ignores errors, which do no harm.
func (s *Store) touch(places []place) {
	for _, p := range places {
		_ = os.Chtimes(s.path(p), time.Time{}, time.Now())
	}
}

// places returns the entries of the directory, in the order of their names. A directory that does
// not exist has none.
func (s *Store) places() (list []place, err error) {
	folders, err := s.folders()
	if err != nil {
		return nil, err
	}
	for _, dir := range folders {
		files, err := s.readDir(dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if p, ok := parseName(f.Name()); ok && f.Type().IsRegular() {
				p.dir = dir
				list = append(list, p)
			}
		}
	}
	if s.split {
		slices.SortStableFunc(list, func(a, b place) int { return strings.Compare(a.name, b.name) })
	}
	return list, nil
}

// folders returns the folders that have entries. The folder of an ordinary store is "".
func (s *Store) folders() (list []string, err error) {
	if !s.split {
		return []string{""}, nil
	}
	files, err := s.readDir("")
	for _, f := range files {
		if f.IsDir() {
			list = append(list, f.Name())
		}
	}
	return list, err
}

// readDir lists a folder of the store, "" for its directory. A folder that does not exist is empty.
func (s *Store) readDir(dir string) ([]fs.DirEntry, error) {
	files, err := os.ReadDir(filepath.Join(s.Dir, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, s.failed("cannot be read", err)
	}
	return files, nil
}

// path returns the path of an entry.
func (s *Store) path(p place) string { return filepath.Join(s.Dir, p.dir, p.name) }

// find returns the places of the entries whose output has this hash.
func find(places []place, hash string) (found []place) {
	for _, p := range places {
		if p.out == hash[:digits] {
			found = append(found, p)
		}
	}
	return found
}

// ancestors returns all entries that are needed to restore a file, according to their names, up to
// those that mark an original.
func (s *Store) ancestors(places []place, file []byte) (way []place) {
	way = find(places, digest(file))
	if len(way) == 0 {
		for _, g := range grown(places, file) {
			way = append(way, find(places, g.hash)...)
		}
	}
	for i := 0; i < len(way); i++ {
		next := find(places, way[i].in)
		if h, err := s.header(way[i]); err == nil && len(next) == 0 {
			if p, ok := parseName(h.After); ok {
				next = find(places, p.out)
			}
		}
		for _, p := range next {
			if !slices.Contains(way, p) {
				way = append(way, p)
			}
		}
	}
	return way
}

// read reads an entry.
func (s *Store) read(p place) (*entry, error) {
	data, err := os.ReadFile(s.path(p))
	if err != nil {
		return nil, err
	}
	e, err := parse(data)
	if err == nil && e.name() != p.name {
		err = errDelta
	}
	return e, err
}

// longestHeader limits what is read for a header, in bytes. A shown id takes eleven.
const longestHeader = 16 << 20

// header reads the header of an entry.
func (s *Store) header(p place) (Header, error) {
	f, err := os.Open(s.path(p))
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	start, err := io.ReadAll(io.LimitReader(f, 16<<10))
	if err == nil && bytes.Count(start, []byte("\n")) < 2 { // a header with many ids
		var more []byte
		more, err = io.ReadAll(io.LimitReader(f, longestHeader))
		start = append(start, more...)
	}
	if err != nil {
		return Header{}, err
	}
	h, _, err := parseHeader(start)
	if err == nil && h.name() != p.name {
		err = errDelta
	}
	return h, err
}

func (p place) id() string { return p.out }

// Exit codes of an Error.
const (
	exitPolicy = 1 // no entry has the file
	exitUsage  = 2 // the command names no entry, or several
	exitInput  = 3 // an entry or the directory could not be read
	exitOutput = 5 // the directory could not be written to
)

// Error reports that a stash could not be read or written, or that it has no such entry.
type Error struct {
	Problem string // for people, with the name of the directory
	hint    string
	exit    int
	Err     error // the cause; nil if Problem includes it
}

// Error returns one line.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Problem + ": " + e.Err.Error()
	}
	return e.Problem
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint returns one sentence of advice.
func (e *Error) Hint() string { return e.hint }

// ExitCode returns the exit code for the process: 1, 2, 3 or 5.
func (e *Error) ExitCode() int { return e.exit }

func (s *Store) failed(problem string, err error) error {
	return &Error{s.Dir + ": " + problem, "check space and permissions there, or name another directory with --stash", exitOutput, bare(err)}
}

func (s *Store) damaged(name string, err error) error {
	return &Error{fmt.Sprintf("%s: the entry %s cannot be read", s.Dir, name), "restore the directory from a copy; a backup (FILE.bak) also has the original", exitInput, bare(err)}
}
