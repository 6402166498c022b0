package stash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Restored is what the way back from a file leads to.
type Restored struct {
	Data  []byte // the first original, and behind it the lines that came later
	Sum   string // SHA-256 of Data
	Way   []Step // from the file that was given to the original; none when that is one already
	Later int    // lines that came later, which no entry knows of
}

// Step is one entry on the way back.
type Step struct {
	Header
	ID string
}

// Restore leads back from a file to the first original. Where two entries lead on from one file to
// different originals, via is the id of the one to take; "" takes none.
//
// Every step is checked by the hash in its entry. An [*Error] with exit code 1 says that there is
// no way back; with 3, that there is one and an entry of it is damaged; with 2, that there are two.
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

// walk is one Restore under way.
type walk struct {
	store  *Store
	places []place
	only   place           // the entry to take where there are several
	seen   map[string]bool // hashes of files that the way has led through
}

// from returns the originals that file leads back to: none when nothing is known of it.
func (w *walk) from(file []byte) ([]*Restored, error) {
	hash := digest(file)
	if w.seen[hash] {
		return nil, nil
	}
	w.seen[hash] = true
	defer delete(w.seen, hash) // two ways may lead through one file, one way may not do so twice
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

// choose leaves of several entries those that lead on, and of these the one that was asked for.
func (w *walk) choose(next []place) []place {
	if slices.Contains(next, w.only) {
		return []place{w.only}
	}
	if on := slices.DeleteFunc(slices.Clone(next), func(p place) bool { return p.in == p.out }); len(on) > 0 {
		return on
	}
	return next
}

// through follows entries from the file that is their output.
func (w *walk) through(file []byte, next []place) (ends []*Restored, err error) {
	for _, p := range next {
		if p.in == p.out {
			return []*Restored{{Data: file}}, nil
		}
		e, err := w.store.read(p.name)
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

// growth is a beginning of a file that is the output of an entry.
type growth struct {
	length int
	hash   string
}

// grown finds the known outputs that file begins with, the longest first. What comes behind is
// whole lines: nothing else can be told apart from a change.
func grown(places []place, file []byte) (found []growth) {
	var lengths []int
	for _, p := range places {
		if n := p.length; 0 < n && n < len(file) && (file[n-1] == '\n' || file[n] == '\n' || file[n] == '\r') {
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	hash, done := sha256.New(), 0
	for _, n := range slices.Compact(lengths) {
		hash.Write(file[done:n])
		done = n
		sum := hex.EncodeToString(hash.Sum(nil))
		if slices.ContainsFunc(places, func(p place) bool { return p.length == n && p.out == sum[:digits] }) {
			found = append(found, growth{n, sum})
		}
	}
	slices.Reverse(found)
	return found
}

// join puts lines that came later behind a file, and sees to the line feed between them.
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

// lines counts the lines of a text that hold something.
func lines(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// unknown says why there is no way back from file.
func (s *Store) unknown(file []byte) error {
	hint := "it was condensed without --stash or into another directory, or changed since then in more than its end"
	if json.Valid(file) {
		hint = "if new messages came into it since then: they stand inside of the one JSON document, where old and new cannot be told apart; " +
			"restore from a copy of what condense wrote, or take the backup"
	}
	return &Error{fmt.Sprintf("%s: no entry leads back from this file (its hash is %s…)", s.Dir, digest(file)[:12]), hint, exitPolicy, nil}
}

// Verify leads back from the output of a run that was put, on every way, and sees that what the
// run had read is on one of them. Errors are those of Restore, but two originals are none.
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
		return nil // it is an original, or what was read came from it
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
