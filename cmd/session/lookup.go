package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"condense/cmd/report/inventory"
)

// leastPrefix is the number of characters of an id that name a session.
const leastPrefix = 4

// Newest returns the newest session that a query selects, or nil if there is none. It leaves out
// files without a conversation, which tools write when they start. An error means that ctx is done.
func (q Query) Newest(ctx context.Context, s System, now time.Time) (*File, error) {
	files, _ := s.find(q.Tools...)
	keep := folders(q.Project)
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := &files[i]
		if !q.selects(f, now) {
			continue
		}
		one := read(f, nil, now, new(buffer))
		if one.Problem == "" && (one.First != "" || one.Tokens > 0) && (q.Project == "" || keep(one.Project)) {
			return f, nil
		}
	}
	return nil, nil
}

// completions limits the sessions that a shell offers.
const completions = 40

// Matching returns the newest sessions whose ids begin with a text, for a shell to offer.
func (s System) Matching(begin string, now time.Time) (list []inventory.Session) {
	files, _ := s.find()
	for i := range files {
		if f := &files[i]; strings.HasPrefix(f.ID, begin) && IsName(f.ID) {
			if list = append(list, read(f, nil, now, new(buffer))); len(list) == completions {
				break
			}
		}
	}
	return list
}

// Ambiguous is the error for the beginning of several ids.
type Ambiguous struct {
	Prefix string
	Files  []File // the newest first
}

// maxNamed limits the candidates that an error lists.
const maxNamed = 5

func (e *Ambiguous) Error() string {
	var list []string
	for _, f := range e.Files[:min(len(e.Files), maxNamed)] {
		list = append(list, fmt.Sprintf("%s (%s, %s)", f.ID, f.Tool, f.Path))
	}
	text := strings.Join(list, ", ")
	if more := len(e.Files) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%d sessions begin with %q: %s", len(e.Files), e.Prefix, text)
}

// IsName reports whether a word can be the beginning of a session's id: it has at least
// leastPrefix letters, digits, hyphens and underscores, and no other characters.
func IsName(word string) bool {
	if len(word) < leastPrefix || strings.HasPrefix(word, "-") {
		return false
	}
	for _, c := range word {
		if c != '-' && c != '_' && (c < '0' || '9' < c) && (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c) {
			return false
		}
	}
	return true
}

// Named returns the session whose id is a word or, if there is none, begins with it. It returns nil
// if there is none, and an *Ambiguous error if there are several.
func (s System) Named(word string) (*File, error) {
	files, _ := s.find()
	var begin, equal []File
	for i := range files {
		f := &files[i]
		if f.at.short && len(word) > len(f.ID) && strings.HasPrefix(word, f.ID) {
			f.ID = read(f, nil, time.Time{}, new(buffer)).ID
		}
		if strings.HasPrefix(f.ID, word) {
			begin = append(begin, *f)
		}
		if f.ID == word {
			equal = append(equal, *f)
		}
	}
	if len(equal) > 0 {
		begin = equal
	}
	switch len(begin) {
	case 0:
		return nil, nil
	case 1:
		return &begin[0], nil
	}
	return nil, &Ambiguous{Prefix: word, Files: begin}
}
