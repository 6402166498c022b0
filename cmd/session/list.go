package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"condense/cmd/report"
	"condense/cmd/report/inventory"
	"condense/cmd/source"
	"condense/transcript/format"
	"condense/transcript/token"
)

// Query selects sessions. The zero value of a member selects all.
type Query struct {
	Tools    []string
	Project  string        // only sessions of this folder, or of one below it, as [folders] reads it
	Within   time.Duration // only files that changed so recently
	Before   time.Duration // only files that did not change so recently
	Least    int64         // only files with at least this number of bytes
	Most     int64         // only files with at most this number of bytes
	Limit    int           // most sessions of the result
	Count    bool          // count the tokens of each session, instead of reading the usage that it records
	MaxBytes int64         // largest source to count, 0 for the limit of package source

	// Replaced returns the time of the last run of condense that replaced the file at an absolute path, as
	// far as it is known. It can be nil.
	Replaced func(path string) (at time.Time, known bool)
}

// List returns the sessions that the query selects, newest first. It returns an error only if ctx is
// done.
func (q *Query) List(ctx context.Context, s System, models token.Models, now time.Time) (*inventory.Sessions, error) {
	out := &inventory.Sessions{Version: inventory.SessionsVersion, Condense: report.CondenseVersion()}
	all, skipped := s.find(q.Tools...)
	if out.Skipped = skipped; len(q.Tools) == 0 {
		out.Databases = s.databases()
	}
	name := shortNames(all)
	files := slices.DeleteFunc(slices.Clone(all), func(f File) bool { return !q.selects(&f, now) })
	if q.Project == "" && q.Limit > 0 && len(files) > q.Limit {
		out.More, files = len(files)-q.Limit, files[:q.Limit]
	}
	list, err := each(ctx, files, func(f *File, b *buffer) inventory.Session {
		one := read(f, models, now, b)
		one.Short = name(f.ID)
		return one
	})
	if err != nil {
		return nil, err
	}
	if q.Project != "" {
		keep := folders(q.Project)
		list = slices.DeleteFunc(list, func(s inventory.Session) bool { return !keep(s.Project) })
		if q.Limit > 0 && len(list) > q.Limit {
			out.More, list = len(list)-q.Limit, list[:q.Limit]
		}
	}
	if out.List = list; q.Count {
		return out, q.count(ctx, list, models)
	}
	return out, q.recount(ctx, list, files, models)
}

// Limits of the files whose usage may be that of an earlier state, and that are counted instead.
const (
	maxRecounts     = 50
	maxRecountBytes = 8 << 20
)

// recount counts the newest sessions that condense made smaller after their last message: the recorded
// usage is that of the longer conversation. The time of change alone does not decide, since a copy has a
// new one.
func (q *Query) recount(ctx context.Context, list []inventory.Session, files []File, models token.Models) error {
	stale := map[string]*File{}
	for i := range files {
		if files[i].stale {
			stale[files[i].Path] = &files[i]
		}
	}
	left := maxRecounts
	for i := range list {
		s := &list[i]
		f := stale[s.Path]
		if f == nil || s.Bytes > maxRecountBytes {
			continue
		}
		only := condensed
		if q.Replaced != nil {
			if at, known := q.Replaced(f.Path); known && !at.After(f.last) {
				continue
			} else if known {
				only = nil
			}
		}
		switch err := q.tokens(ctx, s, models, only); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			s.Smaller = s.Counted
			share(s)
		}
		if left--; left == 0 {
			break
		}
	}
	return nil
}

// condensed reports whether a file has a marker or a record of condense.
func condensed(data []byte) bool {
	return bytes.Contains(data, []byte(" omitted]")) || bytes.Contains(data, []byte("[condensed: "))
}

// Files returns the files that the query selects, without its limit, newest first. It reads them only
// if the query has a project. An error means that ctx is done.
func (q *Query) Files(ctx context.Context, s System, now time.Time) ([]File, error) {
	files, _ := s.find(q.Tools...)
	keep := folders(q.Project)
	list := files[:0]
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f := &files[i]; q.selects(f, now) && (q.Project == "" || keep(read(f, nil, now, new(buffer)).Project)) {
			list = append(list, *f)
		}
	}
	return list, nil
}

// selects reports whether a file is selected by its size and age.
func (q *Query) selects(f *File, now time.Time) bool {
	age := now.Sub(f.Modified)
	return (q.Within == 0 || age <= q.Within) && (q.Before == 0 || age >= q.Before) && f.Bytes >= q.Least && (q.Most == 0 || f.Bytes <= q.Most)
}

// folders returns a function that reports whether the folder of a session is dir or below it. A dir
// that is not absolute and does not exist is a text that the folder has.
func folders(dir string) func(project string) bool {
	if _, err := os.Stat(dir); err != nil && !filepath.IsAbs(dir) {
		text := filepath.ToSlash(dir)
		return func(project string) bool { return strings.Contains(filepath.ToSlash(project), text) }
	}
	names := []string{dir}
	if abs, err := filepath.Abs(dir); err == nil {
		names = append(names, abs)
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			names = append(names, real)
		}
	}
	for i := range names {
		names[i] = strings.TrimSuffix(filepath.ToSlash(filepath.Clean(names[i])), "/")
	}
	return func(project string) bool {
		at := filepath.ToSlash(filepath.Clean(project))
		return project != "" && slices.ContainsFunc(names, func(name string) bool {
			return at == name || strings.HasPrefix(at, name+"/")
		})
	}
}

// each calls read for each file, several at a time, and returns the results in order.
func each(ctx context.Context, files []File, read func(*File, *buffer) inventory.Session) ([]inventory.Session, error) {
	out := make([]inventory.Session, len(files))
	next := make(chan int)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			b := new(buffer)
			for i := range next {
				out[i] = read(&files[i], b)
			}
		})
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	return out, ctx.Err()
}

// leastShort is the least length of a short name.
const leastShort = 8

// shortNames returns a function that returns the least beginning of an id, of at least leastShort
// bytes, that no other id begins with.
func shortNames(files []File) func(id string) string {
	ids := make([]string, len(files))
	for i := range files {
		ids[i] = files[i].ID
	}
	sort.Strings(ids)
	ids = slices.Compact(ids)
	return func(id string) string {
		at, _ := slices.BinarySearch(ids, id)
		need := leastShort
		if at > 0 {
			need = max(need, common(ids[at-1], id)+1)
		}
		if at+1 < len(ids) {
			need = max(need, common(id, ids[at+1])+1)
		}
		return strings.ToValidUTF8(id[:min(need, len(id))], "")
	}
}

// common returns the length of the common beginning of two strings.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// count sets the tokens of sessions to a count of their effective views, each as its model counts.
func (q *Query) count(ctx context.Context, list []inventory.Session, models token.Models) error {
	for i := range list {
		s := &list[i]
		if s.Problem != "" {
			continue
		}
		err := q.tokens(ctx, s, models, nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.Problem = reason(err)
			continue
		}
		share(s)
	}
	return nil
}

// tokens sets the tokens of a session to those of the effective view of its newest conversation. If only is
// not nil and reports false for the bytes of the file, the session stays as it is.
func (q *Query) tokens(ctx context.Context, s *inventory.Session, models token.Models, only func([]byte) bool) error {
	in, err := source.Open(ctx, s.Path, q.MaxBytes)
	if err != nil {
		return err
	}
	if only != nil && !only(in.Data) {
		return nil
	}
	file, err := format.Decode(in.Data, "")
	if err != nil {
		return err
	}
	counter, err := models.Counter(s.Model)
	if err != nil { // a model that is not in the table
		if counter, err = token.New(""); err != nil {
			return err
		}
	}
	s.Tokens = 0
	for _, conv := range file.Convs[max(0, len(file.Convs)-1):] {
		for _, b := range conv.Blocks() {
			s.Tokens += counter.Block(b)
		}
	}
	how := report.TokenizerOf(counter)
	s.Counted, s.About = true, how.About() != ""
	return nil
}
