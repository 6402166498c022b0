package stash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Restored is a restored original.
type Restored struct {
	Data  []byte // the first original, followed by the lines that were appended later
	Sum   string // SHA-256 of Data
	Way   []Step // the entries from the file to the original; none if the file is an original
	Later int    // number of lines that were appended later and are in no entry
}

// Step is an entry that restores the input of one run.
type Step struct {
	Header
	ID string
}

// Restore returns the first original of a file. Each step is compared with the hash in its entry.
// via is the id of the entry to use if several have the file as output; it may be empty.
//
// The error is an [*Error] with exit code 1 if no entry has the file, 2 if the file has two
// different originals, and 3 if an entry is damaged.
func (s *Store) Restore(file []byte, via string) (*Restored, error) {
	places, err := s.places()
	if err != nil {
		return nil, err
	}
	var only place
	if via != "" {
		if only, err = s.one(via); err != nil {
			return nil, err
		}
		only.short = ""
	}
	w := &walk{store: s, places: places, only: only, seen: map[string]bool{}}
	ends, err := w.from(file)
	switch {
	case err != nil:
		return nil, err
	case len(ends) == 0:
		return nil, s.unknown(file)
	}
	end := ends[0]
	for _, other := range ends[1:] {
		if !bytes.Equal(other.Data, end.Data) {
			return nil, &Error{
				fmt.Sprintf("%s: two originals became this file, by the entries %s and %s", s.Dir, end.Way[0].ID, other.Way[0].ID),
				"choose one with --via ID", exitUsage, nil}
		}
	}
	end.Sum = digest(end.Data)
	return end, nil
}

// walk is the state of one Restore.
type walk struct {
	store  *Store
	places []place
	only   place           // the entry to use if there are several
	seen   map[string]bool // hashes of the files between the first one and this
}

// from returns the originals of file, none if no entry has it.
func (w *walk) from(file []byte) ([]*Restored, error) {
	hash := digest(file)
	if w.seen[hash] {
		return nil, nil
	}
	w.seen[hash] = true
	defer delete(w.seen, hash) // two chains of runs may share a file, but no chain may be a circle
	if next := w.choose(find(w.places, hash)); len(next) > 0 {
		return w.through(file, next)
	}
	if known := grown(w.places, file); len(known) > 0 {
		ends, err := w.from(file[:known[0].length])
		later := file[known[0].length:]
		for _, end := range ends {
			end.Later += lines(later)
			end.Data = join(end.Data, later)
		}
		return ends, err
	}
	if slices.ContainsFunc(w.places, func(p place) bool { return p.in == hash[:digits] }) {
		return []*Restored{{Data: file}}, nil
	}
	return nil, nil
}

// choose returns the entry to use if it is among next. Otherwise it returns those that do not mark
// an original, or all if there are none.
func (w *walk) choose(next []place) []place {
	if slices.Contains(next, w.only) {
		return []place{w.only}
	}
	if on := slices.DeleteFunc(slices.Clone(next), func(p place) bool { return p.in == p.out }); len(on) > 0 {
		return on
	}
	return next
}

// through restores the originals of file from the entries next, which have it as output.
func (w *walk) through(file []byte, next []place) (ends []*Restored, err error) {
	for _, p := range next {
		if p.in == p.out {
			return []*Restored{{Data: file}}, nil
		}
		e, err := w.store.read(p)
		if err != nil {
			return nil, w.store.damaged(p.name, err)
		}
		in, err := e.input(file)
		if err != nil {
			return nil, w.store.damaged(p.name, err)
		}
		further, err := w.from(in)
		if err != nil {
			return nil, err
		}
		if len(further) == 0 {
			further = []*Restored{{Data: in}}
		}
		for _, end := range further {
			step := Step{e.Header, short(w.places, slices.Index(w.places, p))}
			end.Way = append([]Step{step}, end.Way...)
			ends = append(ends, end)
		}
	}
	return ends, nil
}

// growth is a prefix of a file that is the output of an entry.
type growth struct {
	length int
	hash   string
}

// grown returns the known outputs that are a prefix of file, the longest first. The rest of file
// must be whole lines; otherwise it may be a changed output.
func grown(places []place, file []byte) (found []growth) {
	var lengths []int
	for _, p := range places {
		if n := p.length; 0 < n && n < len(file) && (file[n-1] == '\n' || file[n] == '\n' || file[n] == '\r') {
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	type output struct {
		length int
		out    string
	}
	known := map[output]bool{}
	for _, p := range places {
		known[output{p.length, p.out}] = true
	}
	hash, done := sha256.New(), 0
	for _, n := range slices.Compact(lengths) {
		hash.Write(file[done:n])
		done = n
		sum := hex.EncodeToString(hash.Sum(nil))
		if known[output{n, sum[:digits]}] {
			found = append(found, growth{n, sum})
		}
	}
	slices.Reverse(found)
	return found
}

// join appends later lines to a file, with one line break between them.
func join(file, later []byte) []byte {
	if len(file) == 0 {
		return later
	}
	if file[len(file)-1] == '\n' {
		later = bytes.TrimPrefix(bytes.TrimPrefix(later, []byte("\r")), []byte("\n"))
	} else if later[0] != '\n' && later[0] != '\r' {
		later = append([]byte("\n"), later...)
	}
	return slices.Concat(file, later)
}

// lines returns the number of lines of a text that are not blank.
func lines(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// unknown returns the error for a file that no entry has.
func (s *Store) unknown(file []byte) error {
	hint := "it was condensed without --stash or with another directory, or lines before its end were changed since then"
	if json.Valid(file) {
		hint = "new messages in a JSON document cannot be separated from the old ones; " +
			"if there are any, restore from a copy of the file that condense wrote, or from the backup"
	}
	return &Error{fmt.Sprintf("%s: no entry for this file (its hash is %s…)", s.Dir, digest(file)[:12]), hint, exitPolicy, nil}
}

// Verify restores the output of a run that [Store.Put] has written, by all entries for it, and
// returns an error unless one of them restores the input. Errors are those of [Store.Restore],
// except that two originals are allowed.
func (s *Store) Verify(r Run) error {
	places, err := s.places()
	if err != nil {
		return err
	}
	in := digest(r.In)
	w := &walk{store: s, places: places, seen: map[string]bool{}}
	ends, err := w.from(r.Out)
	if err != nil {
		return err
	}
	out := digest(r.Out)
	isBefore := func(p place) bool { return p.in == out[:digits] }
	if len(ends) > 0 && (out == in || slices.ContainsFunc(s.ancestors(places, r.In), isBefore)) {
		return nil // it is an original, or the input came from it
	}
	for _, end := range ends {
		for _, step := range end.Way {
			if step.Input == in || step.Output == in {
				return nil
			}
		}
	}
	return s.unknown(r.Out)
}
