package fact

import (
	"iter"
	"runtime"
	"strings"
	"sync"

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
	part     *transcript.Part
}

// Mentions returns what a part of the surveyed conversation mentions, in order.
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

// Of surveys a conversation, on all cores. What comes out does not depend on how
// many there are.
func Of(c *transcript.Conversation) *Survey { return survey(c, runtime.GOMAXPROCS(0)) }

// survey surveys a conversation in at most n runs at the same time.
func survey(c *transcript.Conversation, n int) *Survey {
	runs := runsOf(c, n)
	var wg sync.WaitGroup
	for _, r := range runs {
		wg.Go(r.read)
	}
	wg.Wait()
	all, last := runs[0], runs[len(runs)-1]
	for _, r := range runs[1:] {
		all.merge(r)
	}
	s := &Survey{Facts: all.facts, Visible: last.first + len(last.msgs), texts: all.texts, at: make(map[*transcript.Part]int, len(all.texts))}
	for i := range s.texts {
		s.at[s.texts[i].part] = i
	}
	return s
}

// fileName returns the last element of a path if it is the name of a file that says
// something by itself, or "".
func fileName(key string) string {
	i := lastSlash(key)
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
