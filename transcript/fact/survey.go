package fact

import "condense/transcript"

// ID numbers the facts of a conversation from 0.
type ID int32

// Mention is one place where a text names a fact.
type Mention struct {
	At   int32 // byte offset in the text of the part
	Fact ID
}

// Fact is what a conversation says about one fact.
type Fact struct {
	Messages int // that mention it
	Newest   int // index among the visible messages of the newest mention
	Said     int // messages in which the model mentions it: in words, thoughts or calls
	NewestBy int // index among the visible messages of the newest of them; -1 without
	Typed    bool
	Standing bool // instructions mention it: whatever happens, it is known
	Heat     float64
}

// Survey is the facts of the effective view of a conversation.
type Survey struct {
	Facts    []Fact // by ID
	Visible  int    // messages
	mentions map[*transcript.Part][]Mention
	Parts    []PartAt
}
type PartAt struct {
	At int
	P  *transcript.Part
	B  *transcript.Block
}

// Mentions gives what a part mentions, in order. The part is one of the surveyed
// conversation.
func (s *Survey) Mentions(p *transcript.Part) []Mention { return s.mentions[p] }

// Of surveys a conversation.
func Of(c *transcript.Conversation) *Survey {
	s := &Survey{mentions: map[*transcript.Part][]Mention{}}
	ids := map[string]ID{}
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			for i := range b.Parts {
				p := &b.Parts[i]
				if p.Media != nil || p.Text == "" {
					continue
				}
				var found []Mention
				Each(p.Text, func(at int, key string) {
					id, ok := ids[key]
					if !ok {
						id = ID(len(s.Facts))
						ids[key] = id
						s.Facts = append(s.Facts, Fact{Newest: -1, NewestBy: -1})
					}
					found = append(found, Mention{int32(at), id})
					s.Facts[id].mention(s.Visible, m, b)
				})
				if found != nil {
					s.mentions[p] = found
					s.Parts = append(s.Parts, PartAt{s.Visible, p, b})
				}
			}
		}
		s.Visible++
	}
	return s
}

// mention counts a mention in the message at index at.
func (f *Fact) mention(at int, m *transcript.Message, b *transcript.Block) {
	if f.Newest != at {
		f.Messages++
		f.Newest = at
	}
	if b.Origin == transcript.ByModel && f.NewestBy != at {
		f.Said++
		f.NewestBy = at
	}
	f.Typed = f.Typed || b.Origin == transcript.Typed
	f.Standing = f.Standing || m.Role == transcript.System
}
