package fact

import (
	"iter"
	"strings"

	"condense/transcript"
)

// ID numbers the facts of a conversation from 0.
type ID int32

// Mention is one place where a text names a fact.
type Mention struct {
	At   int32 // byte offset in the text of the part
	Fact ID
}

// Fact is what a conversation says about one fact.
type Fact struct {
	Messages   int  // that mention it
	Newest     int  // index among the visible messages of the newest mention
	Said       int  // messages in which the model mentions it: in words, thoughts or calls
	NewestSaid int  // index among the visible messages of the newest of them; -1 without
	Standing   bool // instructions mention it: whatever happens, it is known
}

// Survey is the facts of the effective view of a conversation. A path is two: the
// path, and the name of the file.
type Survey struct {
	Facts   []Fact // by ID
	Visible int    // messages
	texts   []Text
	at      map[*transcript.Part]int // index in texts
}

// Text is what one part of a block mentions.
type Text struct {
	Block    *transcript.Block
	Message  int // index among the visible messages
	Mentions []Mention
}

// Mentions gives what a part of the surveyed conversation mentions, in order.
func (s *Survey) Mentions(p *transcript.Part) []Mention {
	if i, ok := s.at[p]; ok {
		return s.texts[i].Mentions
	}
	return nil
}

// Texts yields the parts that mention anything, oldest first.
func (s *Survey) Texts() iter.Seq[Text] {
	return func(yield func(Text) bool) {
		for _, t := range s.texts {
			if !yield(t) {
				return
			}
		}
	}
}

// Of surveys a conversation.
func Of(c *transcript.Conversation) *Survey {
	s := &Survey{at: map[*transcript.Part]int{}}
	ids := map[string]ID{}
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			for i := range b.Parts {
				s.read(m, b, &b.Parts[i], ids)
			}
		}
		s.Visible++
	}
	return s
}

// read surveys a part of a block of the message at index s.Visible.
func (s *Survey) read(m *transcript.Message, b *transcript.Block, p *transcript.Part, ids map[string]ID) {
	if p.Media != nil {
		return
	}
	var found []Mention
	note := func(at int, key string) {
		id, ok := ids[key]
		if !ok {
			id = ID(len(s.Facts))
			ids[key] = id
			s.Facts = append(s.Facts, Fact{Newest: -1, NewestSaid: -1})
		}
		found = append(found, Mention{int32(at), id})
		s.Facts[id].mention(s.Visible, m, b)
	}
	Each(p.Text, func(at int, key string) {
		note(at, key)
		if name := fileName(key); name != "" { // people name a file without its folder
			note(at, name)
		}
	})
	if found != nil {
		s.at[p] = len(s.texts)
		s.texts = append(s.texts, Text{b, s.Visible, found})
	}
}

// fileName gives the last element of a path if it is the name of a file that says
// something by itself, or "".
func fileName(key string) string {
	i := strings.LastIndexAny(key, `/\`)
	if i < 0 || len(key)-i < shortFile || strings.IndexByte(key[i:], '.') < 0 {
		return ""
	}
	return key[i+1:]
}

// shortFile is the length of a file's name, with the slash before it, from which
// it says something: a.go is many files.
const shortFile = 6

// mention counts a mention in the message at index at.
func (f *Fact) mention(at int, m *transcript.Message, b *transcript.Block) {
	if f.Newest != at {
		f.Messages++
		f.Newest = at
	}
	if b.Origin == transcript.ByModel && f.NewestSaid != at {
		f.Said++
		f.NewestSaid = at
	}
	f.Standing = f.Standing || m.Role == transcript.System
}
