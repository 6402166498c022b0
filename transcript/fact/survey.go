package fact

import (
	"iter"
	"runtime"
	"strings"
	"sync"

	"condense/transcript"
)

// ID is the number of a fact of a conversation, from 0.
type ID int32

// A Mention is one place where a text names a fact.
type Mention struct {
	At   int32 // byte offset in the text of the part
	Fact ID
}

// A Fact holds the mentions of one fact in a conversation.
type Fact struct {
	Messages   int32 // number of messages that mention it
	Newest     int32 // index of the newest of them among the visible messages
	NewestSaid int32 // index of the newest in which the model mentions it, in text, thinking or calls; -1 without one
	Standing   bool  // instructions mention it, so that the model always knows it
	Passing    bool  // it is a time of day, a duration or the mode of a file, as tools print them beside what matters
}

// Survey holds the facts of the effective view of a conversation. A path counts as two
// facts: the path, and the name of the file.
type Survey struct {
	Visible int          // number of visible messages
	facts   chunks[Fact] // by ID
	said    []int32      // by ID: NewestSaid, once Forget was called
	texts   []Text
	at      map[*transcript.Part]int // index in texts
}

// A Text holds the mentions in one part of a block.
type Text struct {
	Block    *transcript.Block
	Message  int // index among the visible messages
	Mentions []Mention
	part     *transcript.Part
}

// Mentions returns the mentions in a part of the surveyed conversation, in order; nil
// without any.
func (s *Survey) Mentions(p *transcript.Part) []Mention {
	if i, ok := s.at[p]; ok {
		return s.texts[i].Mentions
	}
	return nil
}

// SaidAfter reports whether the model mentions a fact in a message after the one with an index among the
// visible messages.
func (s *Survey) SaidAfter(id ID, at int) bool {
	if s.said != nil {
		return int(s.said[id]) > at
	}
	return int(s.Fact(id).NewestSaid) > at
}

// Len returns the number of facts.
func (s *Survey) Len() int { return max(s.facts.count, len(s.said)) }

// Fact returns a fact.
func (s *Survey) Fact(id ID) *Fact { return s.facts.at(int(id)) }

// Forget removes the facts, which can take more memory than the texts. Only Fact needs them.
func (s *Survey) Forget() {
	s.said = make([]int32, s.Len())
	for i := range s.said {
		s.said[i] = s.Fact(ID(i)).NewestSaid
	}
	s.facts = chunks[Fact]{}
}

// Texts yields the parts that mention any fact, oldest first.
func (s *Survey) Texts() iter.Seq[Text] {
	return func(yield func(Text) bool) {
		for _, t := range s.texts {
			if !yield(t) {
				return
			}
		}
	}
}

// Of surveys a conversation, on all processors. The result does not depend on their
// number.
func Of(c *transcript.Conversation) *Survey {
	return survey(c, runtime.GOMAXPROCS(0), bytesPerRun)
}

// bytesPerRun is the length of the texts from which on two runs in parallel are faster than one.
const bytesPerRun = 64 << 10

// survey surveys a conversation in at most n runs in parallel, all but the last of at least size bytes.
func survey(c *transcript.Conversation, n, size int) *Survey {
	runs := runsOf(c, n, size)
	var wg sync.WaitGroup
	for _, r := range runs[1:] {
		wg.Go(r.read)
	}
	runs[0].read()
	wg.Wait()
	all, last := runs[0], runs[len(runs)-1]
	for _, r := range runs[1:] {
		all.merge(r)
	}
	s := &Survey{facts: all.facts, Visible: last.first + len(last.msgs), texts: all.texts, at: make(map[*transcript.Part]int, len(all.texts))}
	for i := range s.texts {
		s.at[s.texts[i].part] = i
	}
	return s
}

// fileName returns the last element of a path if it is a distinctive file name,
// otherwise "".
func fileName(key string) string {
	i := lastSlash(key)
	if i < 0 || len(key)-i < shortFile || strings.IndexByte(key[i:], '.') < 0 {
		return ""
	}
	return key[i+1:]
}

// isPassing reports whether a key is a time of day, with or without its date, a duration, or the mode of
// a file.
func isPassing(key string) bool {
	switch c := key[0]; {
	case c == '-' || c == 'd' || c == 'l':
		return len(key) == len("drwxr-xr-x") && strings.Trim(key, "-dlrwxst") == ""
	case c < '0' || c > '9':
		return false
	}
	switch withoutDigits(strings.TrimPrefix(withoutDigits(key), ".")) {
	case "Z", "s", "ms", "µs", "us", "ns":
		return true
	}
	return len(key) > len("2026-06-19T") && key[4] == '-' && key[7] == '-' && key[10] == 'T'
}

// withoutDigits returns s without the digits at its beginning.
func withoutDigits(s string) string {
	for s != "" && class[s[0]] == digit {
		s = s[1:]
	}
	return s
}

// shortFile is the least length of a distinctive file name, with the slash before it:
// there are many files a.go.
const shortFile = 6

// mention counts a mention in the message at index at.
func (f *Fact) mention(at int32, m *transcript.Message, b *transcript.Block) {
	if f.Newest != at {
		f.Messages++
		f.Newest = at
	}
	if b.Origin == transcript.ByModel {
		f.NewestSaid = at
	}
	f.Standing = f.Standing || m.Role == transcript.System
}
