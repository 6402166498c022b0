package stash

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// Entry is one entry of a list.
type Entry struct {
	Header
	ID      string    // the shortest prefix of its name, of [MinID] digits or more, that is unique in the store
	Bytes   int64     // of the file
	Used    time.Time // last time that a run wrote or needed it
	Damaged bool      // set if it cannot be read; then only ID, Bytes and Used are set

	file place
}

// Entries returns all entries, the last used first.
func (s *Store) Entries() ([]Entry, error) {
	places, err := s.places()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for i, p := range places {
		if e, ok := s.entry(p, short(places, i)); ok {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

// entry returns the entry at a place. ok is false if another process has collected it.
func (s *Store) entry(p place, id string) (e Entry, ok bool) {
	info, err := os.Lstat(s.path(p))
	if err != nil {
		return Entry{}, false
	}
	e = Entry{ID: id, Bytes: info.Size(), Used: info.ModTime(), file: p}
	if e.Header, err = s.header(p); err != nil {
		e.Header, e.Damaged = Header{}, true
	}
	return e, true
}

// MinID is the least number of digits of an id.
const MinID = 8

// short returns the id of place i. Names are sorted, so its neighbours share the longest prefixes. Entries of two files
// with equal content have one name, and one id.
func short(places []place, i int) string {
	n, name := MinID, places[i].name
	for _, step := range []int{-1, 1} {
		j := i + step
		for j >= 0 && j < len(places) && places[j].name == name {
			j += step
		}
		if j >= 0 && j < len(places) {
			n = max(n, common([]byte(name), []byte(places[j].name))+1)
		}
	}
	return name[:n]
}

// Look returns the entry whose name begins with id, and its list. The error is an [*Error] with
// exit code 2 for no or several such entries, and 3 for a damaged one.
func (s *Store) Look(id string) (Entry, []Edit, error) {
	p, err := s.one(id)
	if err != nil {
		return Entry{}, nil, err
	}
	e, err := s.read(p)
	if err != nil {
		return Entry{}, nil, s.damaged(p.name, err)
	}
	edits, err := e.edits()
	if err != nil {
		return Entry{}, nil, s.damaged(p.name, err)
	}
	return Entry{Header: e.Header, ID: p.short, file: p}, edits, nil
}

// one returns the only place whose name begins with id, or the first of several with one name, whose content is equal.
func (s *Store) one(id string) (place, error) {
	places, err := s.places()
	if err != nil {
		return place{}, err
	}
	var found []place
	for i, p := range places {
		if strings.HasPrefix(p.name, id) && (len(found) == 0 || found[len(found)-1].name != p.name) {
			p.short = short(places, i)
			found = append(found, p)
		}
	}
	switch {
	case len(found) == 0:
		return place{}, &Error{fmt.Sprintf("no entry %q in %s", id, s.Dir), "condense stash list prints the ids", exitUsage, nil}
	case len(found) > 1:
		return place{}, &Error{fmt.Sprintf("%d entries of %s begin with %q", len(found), s.Dir, id), "give more digits; condense stash list prints unique ids", exitUsage, nil}
	}
	return found[0], nil
}

// Input returns the input of the run of an entry that is whole. The error is an [*Error] with exit code 3
// for a damaged entry.
func (s *Store) Input(e Entry) ([]byte, error) {
	read, err := s.read(e.file)
	if err != nil {
		return nil, s.damaged(e.file.name, err)
	}
	in, err := read.input(nil)
	if err != nil {
		return nil, s.damaged(e.file.name, err)
	}
	return in, nil
}
