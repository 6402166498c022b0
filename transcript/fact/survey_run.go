package fact

import (
	"slices"

	"condense/transcript"
)

// A run is the survey of adjacent messages.
type run struct {
	msgs  []*transcript.Message
	first int // index of the first of them among the visible messages
	bytes int // length of their texts
	ids   Index
	keys  []string     // by ID; nil for the first run, into which the others are merged
	facts chunks[Fact] // by ID
	texts []Text
	found []Mention // space for the mentions of one text
}

// runsOf cuts the visible messages into 1 to n runs of about the same size, all but the last of at
// least the given size in bytes.
func runsOf(c *transcript.Conversation, n, least int) []*run {
	msgs, total := c.Messages, 0
	if slices.ContainsFunc(msgs, func(m *transcript.Message) bool { return m.Hidden }) {
		msgs = slices.Collect(c.Visible())
	}
	for _, m := range msgs {
		total += sizeOf(m)
	}
	runs := []*run{{}}
	last := runs[0]
	for i, m := range msgs {
		if last.bytes > max(least, total/n) {
			last = &run{first: i}
			runs = append(runs, last)
		}
		last.msgs = msgs[last.first : i+1]
		last.bytes += sizeOf(m)
	}
	return runs
}

// sizeOf returns the length of the texts of a message.
func sizeOf(m *transcript.Message) (size int) {
	for _, b := range m.Blocks {
		for i := range b.Parts {
			size += len(b.Parts[i].Text)
		}
	}
	return size
}

// The usual amount of text for each different fact. A short text has many more, since few of its facts
// come again.
const (
	bytesPerFact = 200
	bytesPerNew  = 40
	shortRun     = 8 << 10 // bytes
)

func (r *run) read() {
	room := max(r.bytes/bytesPerFact, min(r.bytes, shortRun)/bytesPerNew)
	if r.facts.room(room); r.first > 0 {
		r.keys = make([]string, 0, room)
	}
	r.ids.hashes.room(room)
	r.found = make([]Mention, 0, min(room, shortRun/bytesPerNew))
	for at, m := range r.msgs {
		for _, b := range m.Blocks {
			for i := range b.Parts {
				if b.Parts[i].Media == nil {
					r.part(r.first+at, m, b, &b.Parts[i])
				}
			}
		}
	}
}

// manyMentions is the number of mentions in one text from which on they are not copied.
const manyMentions = 1 << 16

// fewMentions is the number of mentions in one text from which on their number is predicted.
const fewMentions = 1 << 12

// part surveys a part of a block of the message at index at.
func (r *run) part(at int, m *transcript.Message, b *transcript.Block, p *transcript.Part) {
	r.found = r.found[:0]
	note := func(offset int, key string) {
		id := r.id(key)
		if n := len(r.found); n == cap(r.found) && n >= fewMentions { // as many as the rest has, if it is like this part
			all := int(1.05 * float64(n) / float64(offset+1) * float64(len(p.Text)))
			r.found = slices.Grow(r.found, max(n/8, min(all-n, 4*n)))
		}
		r.found = append(r.found, Mention{int32(offset), id})
		r.facts.at(int(id)).mention(int32(at), m, b)
	}
	Each(p.Text, func(offset int, key string) {
		note(offset, key)
		if name := fileName(key); name != "" { // people name a file without its folder
			note(offset, name)
		}
	})
	if len(r.found) > 0 {
		own := r.found
		if r.found = nil; len(own) < manyMentions {
			own, r.found = slices.Clone(own), own
		}
		r.texts = append(r.texts, Text{Block: b, Message: at, Mentions: own, part: p})
	}
}

// id returns the number of the fact with a key.
func (r *run) id(key string) ID {
	id := r.ids.ID(key)
	if id == r.facts.count {
		if r.keys != nil {
			r.keys = append(r.keys, key)
		}
		r.facts.add(Fact{Newest: -1, NewestSaid: -1, Passing: isPassing(key)})
	}
	return ID(id)
}

// merge adds the survey of the messages after those of r. Facts stay in the order of
// their first mention; no message is in two runs.
func (r *run) merge(next *run) {
	next.ids = Index{}                  // as large as the facts, and not needed
	ids := make([]ID, next.facts.count) // numbers in r of the facts of next
	for i, key := range next.keys {
		id := r.id(key)
		f, newer := r.facts.at(int(id)), next.facts.at(i)
		f.Messages += newer.Messages
		f.Newest = newer.Newest
		f.NewestSaid = max(f.NewestSaid, newer.NewestSaid)
		f.Standing = f.Standing || newer.Standing
		ids[i] = id
	}
	for _, t := range next.texts {
		for i := range t.Mentions {
			t.Mentions[i].Fact = ids[t.Mentions[i].Fact]
		}
	}
	r.texts = append(r.texts, next.texts...)
}
