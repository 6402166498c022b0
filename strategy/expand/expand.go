// Package expand names the text that a run removed, so that a reader of the output can ask for it.
//
// [Find] compares a conversation before and after a run. It returns a [Removal] for each text that
// is gone, and for each record that stands for several of them. Markers and records of the output can
// carry the id of their removal: [12 lines #482193 omitted].
//
// An id is the beginning of the number of a text, which is a hash of it. So the same text has the
// same id in every run. An id has as many digits as it needs to differ from those of other texts, at
// least [marker.MinID].
package expand

import (
	"cmp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/marker"
)

// Removal is a text that a run removed, or a group of them for which one record stands.
type Removal struct {
	ID     string         // decimal digits, the beginning of Number
	Number string         // the whole hash, 9 digits
	At     transcript.Ref // the block before the run that had the text; of a group, its first
	Text   string         // word for word; "" for a group
	Of     []string       // of a group: ids of removals, and of those of earlier runs in records that it replaced
	Shown  bool           // a marker or record of the output has the id
}

// Taken reports whether an id belongs to a text with another number.
type Taken func(id, number string) bool

// least is the number of bytes of the shortest removal whose marker carries an id. For less, the
// marker could become longer than the text.
const least = 100

// Found is the result of [Find].
type Found struct {
	Removals []Removal // in the order of the conversation; groups come last

	to    *transcript.Conversation
	sites []site // those with an id of an earlier run first, then those for the most text
}

// site is a place of the output that can carry an id.
type site struct {
	at      transcript.Ref // a part
	end     int            // byte of its text before which the id goes
	removal int            // index of the removal, or -1 with an id of an earlier run
	old     string         // that id
	size    int            // bytes of the removed text
}

// Find returns what a run from one conversation to another removed from the visible messages. taken
// may be nil.
func Find(from, to *transcript.Conversation, taken Taken) *Found {
	f := &finder{from: from, to: to, taken: taken, numbers: map[string]string{}, known: map[string]int{}}
	f.walk()
	f.assign()
	slices.SortStableFunc(f.sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(min(a.removal, 0), min(b.removal, 0)), cmp.Compare(b.size, a.size))
	})
	return &Found{Removals: f.removals, to: to, sites: f.sites}
}

// Sites returns the number of markers and records that can carry an id. The first of them, again in
// number, had one before the run.
func (f *Found) Sites() (n, again int) {
	for _, s := range f.sites {
		if s.removal < 0 {
			again++
		}
	}
	return len(f.sites), again
}

// Keep leaves out the sites of blocks for which keep returns false. It is called with the address of a
// block and the number of its sites.
func (f *Found) Keep(keep func(at transcript.Ref, n int) bool) {
	of := map[transcript.Ref]int{}
	for _, s := range f.sites {
		of[s.block()]++
	}
	f.sites = slices.DeleteFunc(f.sites, func(s site) bool { return !keep(s.block(), of[s.block()]) })
}

func (s *site) block() transcript.Ref {
	return transcript.Ref{Msg: s.at.Msg, Block: s.at.Block, Part: transcript.Whole}
}

// Edits returns the edits that write ids into n markers and records: first into those that had one
// before the run, then into those for the most text.
func (f *Found) Edits(n int) (edits []transcript.Edit) {
	by := map[transcript.Ref][]site{}
	var order []transcript.Ref
	for _, s := range f.sites[:n] {
		if by[s.at] == nil {
			order = append(order, s.at)
		}
		by[s.at] = append(by[s.at], s)
	}
	for _, at := range order {
		b := f.to.Block(transcript.Ref{Msg: at.Msg, Block: at.Block, Part: transcript.Whole})
		p := &b.Parts[at.Part]
		text := f.signed(p.Text, by[at])[p.Head:]
		if strings.TrimRight(p.Text[:p.Head], "\n") != "" { // a rewrite adds the line break behind a head
			text = strings.TrimPrefix(text, "\n")
		}
		edits = append(edits, transcript.Edit{At: at, Op: transcript.Rewrite, Text: text, Why: "id of the removed text"})
	}
	return edits
}

// signed returns a text with the ids of sites.
func (f *Found) signed(text string, sites []site) string {
	slices.SortFunc(sites, func(a, b site) int { return cmp.Compare(a.end, b.end) })
	var b strings.Builder
	at := 0
	for _, s := range sites {
		b.WriteString(text[at:s.end])
		b.WriteString(marker.Sign(f.id(s), text[:s.end]))
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}

func (f *Found) id(s site) string {
	if s.removal < 0 {
		return s.old
	}
	return f.Removals[s.removal].ID
}

// Show sets Shown for the removals of the first n sites.
func (f *Found) Show(n int) {
	for _, s := range f.sites[:n] {
		if s.removal >= 0 {
			f.Removals[s.removal].Shown = true
		}
	}
}
