package expand

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/marker"
)

// finder walks through a conversation before and after a run, side by side.
type finder struct {
	from, to *transcript.Conversation
	taken    Taken

	removals []Removal
	known    map[string]int    // by number, an index of removals
	numbers  map[string]string // by id
	sites    []site
	events   []event
}

// event is what the walk comes across, in the order of the conversation.
type event struct {
	kind    eventKind
	removal int      // of gone: an index of removals, or -1
	old     []string // of gone: ids in records of earlier runs
	site    site     // of record
}

type eventKind int

const (
	kept   eventKind = iota // text that the output still has
	turn                    // a typed message begins
	gone                    // a removed text that has no marker of its own
	record                  // a new record
)

// walk compares all messages.
func (f *finder) walk() {
	rest := f.to.Messages
	for _, m := range f.from.Messages {
		for len(rest) > 0 && f.from.Message(rest[0].ID) == nil {
			f.inserted(rest[0])
			rest = rest[1:]
		}
		n := f.to.Message(m.ID)
		if n != nil && len(rest) > 0 && rest[0].ID == m.ID {
			rest = rest[1:]
		}
		if m.Hidden {
			continue
		}
		if slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Kind == transcript.Text && b.Origin == transcript.Typed }) {
			f.events = append(f.events, event{kind: turn})
		}
		for _, b := range m.Blocks {
			var now *transcript.Block
			if n != nil && !n.Hidden {
				now = n.Block(b.ID)
			}
			f.block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}, b, now)
		}
	}
	for _, m := range rest {
		f.inserted(m)
	}
}

// inserted walks through a message that only the output has.
func (f *finder) inserted(m *transcript.Message) {
	if m.Hidden || f.from.Message(m.ID) != nil {
		return
	}
	for _, b := range m.Blocks {
		for i := range b.Parts {
			at := transcript.Ref{Msg: m.ID, Block: b.ID, Part: i}
			for from, to := range transcript.Records(b.Parts[i].Text) {
				f.record(b, at, from, to, "")
			}
		}
	}
}

// block compares a block with its state after the run, which is nil if it is gone.
func (f *finder) block(at transcript.Ref, was, is *transcript.Block) {
	switch {
	case is == was:
		f.events = append(f.events, event{kind: kept})
	case is == nil:
		f.gone(at, was.Text())
	case len(is.Parts) != len(was.Parts): // rewritten whole
		if len(is.Parts) > 0 {
			f.part(is, at, 0, was.Text())
		}
	default:
		for i := range is.Parts {
			f.part(is, at, i, was.Parts[i].Text)
		}
	}
}

// gone adds a removed text that has no marker of its own. Records of earlier runs in it are not text
// that this run removed.
func (f *finder) gone(at transcript.Ref, text string) {
	old := idsOfRecords(text)
	if bare := strings.TrimSpace(text); bare == "" || len(old) > 0 && strings.TrimSpace(transcript.WithoutRecords(text)) == "" {
		if len(old) > 0 {
			f.events = append(f.events, event{kind: gone, removal: -1, old: old})
		}
		return
	}
	f.events = append(f.events, event{kind: gone, removal: f.remove(at, text), old: old})
}

// idsOfRecords returns the ids in the records of a text.
func idsOfRecords(text string) (ids []string) {
	for from, to := range transcript.Records(text) {
		if _, id := marker.CutRecordID(text[from:to]); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// remove adds a removed text, unless it is known, and returns its index.
func (f *finder) remove(at transcript.Ref, text string) int {
	n := number(text)
	if i, ok := f.known[n]; ok {
		return i
	}
	at.Part = transcript.Whole
	f.known[n] = len(f.removals)
	f.removals = append(f.removals, Removal{ID: f.name(n), Number: n, At: at, Text: text})
	return f.known[n]
}

// name returns the shortest beginning of a number that is the id of no other text.
func (f *finder) name(n string) string {
	for length := marker.MinID; length < len(n); length++ {
		id := n[:length]
		other, used := f.numbers[id]
		if used && other != n || f.taken != nil && f.taken(id, n) {
			continue
		}
		f.numbers[id] = n
		return id
	}
	return n
}

// number returns the hash of a text.
func number(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%09d", binary.BigEndian.Uint64(sum[:])%1e9)
}

// record adds a record of the output, unless the text before the run has it, too. It returns whether
// it is new.
func (f *finder) record(b *transcript.Block, at transcript.Ref, from, to int, before string) bool {
	text := strings.TrimRight(b.Parts[at.Part].Text[from:to], "\n")
	if strings.Contains(before, text) {
		return false
	}
	s := site{at: at, end: from + len(text) - len("]"), removal: -1, old: oldID(before, text)}
	if _, id := marker.CutRecordID(text); id != "" || !signable(b, at.Part) {
		s.end = -1
	}
	f.events = append(f.events, event{kind: record, site: s})
	return true
}

// oldID returns the id of a record that a text has with an id, and the output without it. It returns
// "" if there is none.
func oldID(before, text string) string {
	for from, to := range transcript.Records(before) {
		if plain, id := marker.CutRecordID(before[from:to]); id != "" && plain == text {
			return id
		}
	}
	return ""
}

// signable reports whether a part may be rewritten.
func signable(b *transcript.Block, part int) bool {
	return b.Pin != transcript.Verbatim && !b.Fixed && b.Kind != transcript.Thinking && b.Kind != transcript.Opaque && !b.Parts[part].Number
}

// assign finds the removed texts that each record stands for: those beside it, and the others of its
// turn that are beside no record.
func (f *finder) assign() {
	of := map[int][]int{} // by the event of a record, the events that it stands for
	var loose []int
	for from := 0; from < len(f.events); {
		to := from + 1
		for f.events[from].kind >= gone && to < len(f.events) && f.events[to].kind >= gone {
			to++
		}
		loose = append(loose, f.nearest(from, to, f.ofKind(from, to, gone), of)...)
		from = to
	}
	for from := 0; from < len(f.events); {
		to := from + 1
		for to < len(f.events) && f.events[to].kind != turn {
			to++
		}
		inside := slices.DeleteFunc(slices.Clone(loose), func(i int) bool { return i < from || i >= to })
		f.nearest(from, to, inside, of)
		from = to
	}
	for i := range f.events {
		if e := &f.events[i]; e.kind == record && e.site.end >= 0 {
			slices.Sort(of[i])
			f.sign(e.site, of[i])
		}
	}
}

// ofKind returns the events of a kind in a range.
func (f *finder) ofKind(from, to int, kind eventKind) (list []int) {
	for i := from; i < to; i++ {
		if f.events[i].kind == kind {
			list = append(list, i)
		}
	}
	return list
}

// nearest adds each of list to the next record of a range, or to the last one before it. It returns list if the range has
// no record.
func (f *finder) nearest(from, to int, list []int, of map[int][]int) (left []int) {
	records := f.ofKind(from, to, record)
	if len(records) == 0 {
		return list
	}
	for _, i := range list {
		k, _ := slices.BinarySearch(records, i)
		by := records[min(k, len(records)-1)]
		of[by] = append(of[by], i)
	}
	return nil
}

// sign adds the site of a record that stands for events.
func (f *finder) sign(s site, events []int) {
	var members []int
	var ids []string
	for _, i := range events {
		e := &f.events[i]
		for _, id := range e.old {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if e.removal >= 0 && !slices.Contains(members, e.removal) {
			members = append(members, e.removal)
			ids = append(ids, f.removals[e.removal].ID)
			s.size += len(f.removals[e.removal].Text)
		}
	}
	switch {
	case len(members) == 0 && s.old != "": // the record of an earlier run, as it was
	case len(members) == 0 && len(ids) == 1:
		s.old = ids[0]
	case len(members) == 1 && len(ids) == 1:
		s.removal = members[0]
	case len(ids) > 0:
		s.removal = f.addGroup(ids, members)
	}
	if s.removal < 0 && s.old == "" || s.removal >= 0 && s.size < least {
		return
	}
	f.sites = append(f.sites, s)
}

// addGroup adds a group of removals, unless it is known, and returns its index.
func (f *finder) addGroup(ids []string, members []int) int {
	n := number(strings.Join(ids, " "))
	if i, ok := f.known[n]; ok {
		return i
	}
	g := Removal{ID: f.name(n), Number: n, At: transcript.At(transcript.End), Of: ids}
	if len(members) > 0 {
		g.At = f.removals[members[0]].At
	}
	f.known[n] = len(f.removals)
	f.removals = append(f.removals, g)
	return f.known[n]
}
