package session

import (
	"fmt"
	"strings"
	"time"

	"condense/transcript/token"
)

// LeastPrefix is the number of characters of an id that name a session.
const LeastPrefix = 4

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
// LeastPrefix letters, digits, hyphens and underscores, and no other characters.
func IsName(word string) bool {
	if len(word) < LeastPrefix || strings.HasPrefix(word, "-") {
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
	files, _ := s.Find()
	var begin, equal []File
	for i := range files {
		f := &files[i]
		if f.at.short && len(word) > len(f.ID) && strings.HasPrefix(word, f.ID) {
			f.ID = Read(f, token.Models{}, time.Time{}).ID
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
