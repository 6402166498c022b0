package stash

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Text is a removed text, word for word, or a group of them for which one record of the output stands.
type Text struct {
	ID           string   `json:"id"`           // as markers of the output show it
	Number       string   `json:"number"`       // its hash, which begins with ID
	Conversation int      `json:"conversation"` // number in the file, from 1
	Message      int      `json:"message"`      // number in the conversation before the run, from 1
	Block        int      `json:"block,omitempty"`
	What         string   `json:"what,omitempty"`  // kind and tool: "tool result Read src/a.go"
	Text         string   `json:"text,omitempty"`  // "" for a group
	Of           []string `json:"of,omitempty"`    // of a group: the ids of its members
	Shown        bool     `json:"shown,omitempty"` // a marker or record of the output has the id
}

// shownIDs returns the ids that an output shows, for the header: each with a point where the id ends
// in its number.
func shownIDs(texts []Text) string {
	var ids []string
	for _, t := range texts {
		if t.Shown {
			ids = append(ids, t.ID+"."+strings.TrimPrefix(t.Number, t.ID))
		}
	}
	return strings.Join(ids, " ")
}

// texts returns the texts behind the edits of the list.
func (e *entry) texts() (texts []Text, err error) {
	if e.Whole {
		return nil, nil
	}
	list, err := e.toList.apply(e.toInput.extra, e.List)
	if err != nil {
		return nil, err
	}
	for range e.Edits {
		_, list, _ = bytes.Cut(list, []byte("\n"))
	}
	for dec := json.NewDecoder(bytes.NewReader(list)); ; {
		var t Text
		if err := dec.Decode(&t); errors.Is(err, io.EOF) {
			return texts, nil
		} else if err != nil {
			return nil, errDelta
		}
		texts = append(texts, t)
	}
}

// IDs knows the ids of removed texts that the entries of a store show, and those that this process
// gave since. It is safe for concurrent use.
type IDs struct {
	store   *Store
	load    sync.Once
	mu      sync.Mutex
	numbers map[string]string // by id
}

// IDs returns the ids of a store. It reads the headers of all entries when they are needed first.
func (s *Store) IDs() *IDs { return &IDs{store: s, numbers: map[string]string{}} }

// Taken reports whether an id belongs to a text with another number. If it belongs to none, it belongs
// to this text from now on. Entries that cannot be read have no ids.
func (i *IDs) Taken(id, number string) bool {
	i.load.Do(func() {
		places, err := i.store.places()
		if err != nil {
			return
		}
		for _, p := range places {
			if h, err := i.store.header(p); err == nil {
				maps.Copy(i.numbers, h.ids())
			}
		}
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	if other, used := i.numbers[id]; used {
		return other != number
	}
	i.numbers[id] = number
	return false
}

// ids returns the numbers of the texts that the output of an entry shows, by id.
func (h *Header) ids() map[string]string {
	numbers := map[string]string{}
	for word := range strings.FieldsSeq(h.IDs) {
		if id, rest, ok := strings.Cut(word, "."); ok {
			numbers[id] = id + rest
		}
	}
	return numbers
}

// Expanded is what an id stands for.
type Expanded struct {
	Entry Entry
	Texts []Text // the text, or all texts of the group, oldest first
}

// Expand returns the text that a run removed and replaced by a marker with an id, or the texts of a
// group. It searches the given entries of the store, the newest first.
//
// ok is false if no entry has the id. The error is an [*Error] with exit code 2 if different texts
// have it, and 3 for a damaged entry.
func (s *Store) Expand(entries []Entry, id string) (x Expanded, ok bool, err error) {
	if x, ok, err = s.expand(entries, id, true); ok || err != nil {
		return x, ok, err
	}
	return s.expand(entries, id, false)
}

// expand is Expand for the ids that outputs show, which headers have, or for all.
func (s *Store) expand(entries []Entry, id string, shown bool) (x Expanded, ok bool, err error) {
	number := ""
	for _, e := range entries {
		if _, has := e.ids()[id]; shown && !has || e.Damaged || e.Whole {
			continue
		}
		texts, err := s.Texts(e)
		if err != nil {
			return x, false, err
		}
		i := slices.IndexFunc(texts, func(t Text) bool { return t.ID == id })
		switch {
		case i < 0:
		case number == "":
			number, ok = texts[i].Number, true
			if x, err = s.members(entries, e, texts, i); err != nil {
				return x, false, err
			}
		case number != texts[i].Number:
			return x, false, &Error{fmt.Sprintf("%s: different texts have the id %s, by the entries %s and %s", s.Dir, id, x.Entry.ID, e.ID), "name the file of the session, or search for words of the text", exitUsage, nil}
		}
	}
	return x, ok, nil
}

// members returns text i of an entry, or the texts of its group. Members of earlier runs are in other
// entries.
func (s *Store) members(entries []Entry, e Entry, texts []Text, i int) (Expanded, error) {
	x := Expanded{Entry: e}
	if len(texts[i].Of) == 0 {
		x.Texts = texts[i : i+1]
		return x, nil
	}
	older := slices.DeleteFunc(slices.Clone(entries), func(o Entry) bool { return o.file == e.file })
	for _, id := range texts[i].Of {
		if k := slices.IndexFunc(texts, func(t Text) bool { return t.ID == id && len(t.Of) == 0 }); k >= 0 {
			x.Texts = append(x.Texts, texts[k])
			continue
		}
		more, ok, err := s.Expand(older, id)
		if err != nil {
			return x, err
		}
		if ok {
			x.Texts = append(x.Texts, more.Texts...)
		}
	}
	return x, nil
}

// Texts returns the removed texts of an entry. The error is an [*Error] with exit code 3.
func (s *Store) Texts(e Entry) ([]Text, error) {
	read, err := s.read(e.file)
	if err != nil {
		return nil, s.damaged(e.file.name, err)
	}
	texts, err := read.texts()
	if err != nil {
		return nil, s.damaged(e.file.name, err)
	}
	return texts, nil
}

// Session returns the entries of all runs by which a file came to be, the last used first. Lines that
// were appended to it since then do not matter. There are none if no entry has the file.
func (s *Store) Session(file []byte) ([]Entry, error) {
	places, err := s.places()
	if err != nil {
		return nil, err
	}
	all, err := s.Entries()
	if err != nil {
		return nil, err
	}
	chain := s.ancestors(places, file)
	return slices.DeleteFunc(all, func(e Entry) bool { return !slices.Contains(chain, e.file) }), nil
}

// Files returns the names of the files that entries are about, each once.
func Files(entries []Entry) []string {
	names := map[string]bool{}
	for _, e := range entries {
		if !e.Damaged {
			names[e.File] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
