package splice

import (
	"cmp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// hooks are what only a dialect knows of writing.
type Hooks struct {
	Texts *rawjson.Texts // of the source: a mirror often is the same literal
	// render writes new message i as a record of the file, in compact JSON; nil when
	// relink writes it.
	Render func(c *Change, i int) []byte
	// relink returns the edits that records which stay need because others go or
	// come.
	Relink []func(c *Change) []rawjson.Edit
	// hide keeps the records of dropped messages. It returns the edits that make the
	// client hide them, and those that insert the new messages. nil removes what is
	// dropped.
	Hide func(c *Change, dropped []*transcript.Message) []rawjson.Edit
}

// change is a conversation whose records go and come, as the hooks of a dialect
// see it.
type Change struct {
	*Layout
	From     *transcript.Conversation // as it was decoded
	Inserted []Insertion              // in the order in which they are put in
	Gone     func(record int) bool    // reports whether a record is removed
}

// lowering turns the difference between a conversation as decoded (from) and
// its final state (to) into byte edits.
type lowering struct {
	Hooks
	l        *Layout
	from, to *transcript.Conversation

	claimed  []bool // slots that something changed or removed lies in
	alive    []bool // slots that something which stays lies in
	rewrites []rewrite
	edits    []rawjson.Edit
}

// rewrite gives the text of a place; segments of one literal are written together.
type rewrite struct {
	Place
	text string
	drop bool // the text goes; the whole literal only where its slot stays for others
}

// insertion is a message that is put in front of a record.
type Insertion struct {
	list    int // the list of records, or one inside a record that holds several messages
	Record  int // index in that list; its length: at the end
	Message *transcript.Message
}

// edits returns the byte edits of the source that make the conversation as decoded,
// from, the final state to, which descends from it by Apply.
func (l *Layout) Edits(from, to *transcript.Conversation, h Hooks) []rawjson.Edit {
	lo := &lowering{Hooks: h, l: l, from: from, to: to}
	lo.claimed = make([]bool, len(l.slots))
	lo.alive = make([]bool, len(l.slots))
	return lo.run()
}

func (lo *lowering) run() []rawjson.Edit {
	for _, s := range lo.l.stay {
		lo.live(s)
	}
	var hidden []*transcript.Message // dropped, but to be hidden
	for _, m := range lo.from.Messages {
		switch final := lo.to.Message(m.ID); final {
		case m:
			lo.keep(m.ID)
		case nil:
			if lo.Hide != nil {
				hidden = append(hidden, m)
				lo.keep(m.ID)
				continue
			}
			lo.dropMessage(m)
		default:
			lo.change(m, final)
		}
	}
	c := &Change{Layout: lo.l, From: lo.from, Inserted: lo.insertions(), Gone: lo.gone}
	lo.dropSatellites()
	lo.remove()
	lo.writeTexts()
	lo.writeMirrors()
	if lo.Hide != nil {
		lo.edits = append(lo.edits, lo.Hide(c, hidden)...)
	} else {
		lo.insert(c)
	}
	for _, relink := range lo.Relink {
		lo.edits = append(lo.edits, relink(c)...)
	}
	return lo.edits
}

// keep marks the records of an unchanged message, and the slots in them: a copy of
// another message's block may go from among them.
func (lo *lowering) keep(msg int) {
	at := lo.l.Messages[msg]
	for _, s := range at.Records {
		lo.live(s)
	}
	for i := range at.Blocks {
		lo.keepBlock(&at.Blocks[i])
		for j := range at.Blocks[i].Copies {
			lo.keepBlock(&at.Blocks[i].Copies[j])
		}
	}
}

func (lo *lowering) keepBlock(at *BlockPlace) {
	for _, s := range at.Slots {
		lo.live(s)
	}
	for _, p := range at.Parts {
		lo.live(p.Slot)
	}
}

// dropMessage claims a message's records, and what lies in them, which goes alone
// where another message shares the record.
func (lo *lowering) dropMessage(m *transcript.Message) {
	at := lo.l.Messages[m.ID]
	for _, s := range at.Records {
		lo.claim(s) // and the record around it, which others may share and keep
	}
	lo.blocks(at, m, &transcript.Message{})
}

// change claims the slots of everything in a message and marks those alive that
// something which stays lies in.
func (lo *lowering) change(m, final *transcript.Message) {
	at := lo.l.Messages[m.ID]
	lo.blocks(at, m, final)
	for _, s := range at.Records { // a record without blocks of its own stays with its message
		if !lo.claimed[s] {
			lo.live(s)
		}
	}
}

// blocks lowers the blocks of a message, wherever they are stored.
func (lo *lowering) blocks(at *MessagePlace, m, final *transcript.Message) {
	for i, b := range m.Blocks {
		is := final.Block(b.ID)
		lo.block(&at.Blocks[i], b, is)
		for j := range at.Blocks[i].Copies {
			lo.block(&at.Blocks[i].Copies[j], b, is)
		}
	}
}

func (lo *lowering) block(at *BlockPlace, was, is *transcript.Block) {
	for _, s := range at.Slots {
		lo.claim(s)
		if is != nil {
			lo.live(s)
		}
	}
	for i, p := range at.Parts {
		lo.claim(p.Slot)
		switch {
		case is != nil && sameParts(was, is):
			lo.live(p.Slot)
		case is == nil || i >= len(is.Parts):
			lo.rewrites = append(lo.rewrites, rewrite{Place: p, drop: true})
		default:
			lo.live(p.Slot)
			if is.Parts[i] != was.Parts[i] {
				text := is.Parts[i].Text
				if p.WideTo > 0 && strings.HasSuffix(was.Parts[i].Text, "\n") && !strings.HasSuffix(text, "\n") {
					text += "\n" // the fence behind it begins a line
				}
				lo.rewrites = append(lo.rewrites, rewrite{Place: p, text: text})
			}
		}
	}
}

// sameParts reports whether a block says what it said: pins may differ.
func sameParts(was, is *transcript.Block) bool {
	return was == is || slices.Equal(was.Parts, is.Parts)
}

func (lo *lowering) claim(slot int) {
	for ; slot != None && !lo.claimed[slot]; slot = lo.l.slots[slot].up {
		lo.claimed[slot] = true
	}
}

func (lo *lowering) live(slot int) {
	for ; slot != None && !lo.alive[slot]; slot = lo.l.slots[slot].up {
		lo.alive[slot] = true
	}
}

// dead reports whether a slot, or one around it, is removed.
func (lo *lowering) dead(slot int) bool {
	for ; slot != None; slot = lo.l.slots[slot].up {
		if lo.claimed[slot] && !lo.alive[slot] {
			return true
		}
	}
	return false
}

// gone reports whether the record with that index is removed.
func (lo *lowering) gone(record int) bool {
	return lo.dead(lo.l.first + record)
}

// dropSatellites removes records that belong to a call which is gone.
func (lo *lowering) dropSatellites() {
	for _, sat := range lo.l.Chain.satellites {
		if lo.to.Block(sat.of) == nil {
			lo.claimed[lo.l.first+sat.record] = true
		}
	}
}

// remove writes the edits for all dead slots whose surroundings stay.
func (lo *lowering) remove() {
	drop := map[int][]int{} // list → dead indexes
	for s := range lo.l.slots {
		if !lo.claimed[s] || lo.alive[s] {
			continue
		}
		at := lo.l.slots[s]
		if at.up != None && lo.dead(at.up) {
			continue
		}
		if at.blank != (rawjson.Span{}) {
			lo.edits = append(lo.edits, rawjson.Edit{Span: at.blank, New: []byte(cmp.Or(at.instead, `""`))})
			continue
		}
		if at.shell != nil {
			lo.edits = append(lo.edits, rawjson.Edit{Span: at.shell[0]}, rawjson.Edit{Span: at.shell[1]})
			continue
		}
		drop[at.list] = append(drop[at.list], at.index)
	}
	lists := make([]int, 0, len(drop))
	for list := range drop {
		lists = append(lists, list)
	}
	slices.Sort(lists)
	for _, list := range lists {
		dead := make([]bool, len(lo.l.lists[list].spans))
		for _, i := range drop[list] {
			dead[i] = true
		}
		if lo.l.lists[list].lines {
			for i, span := range lo.l.lists[list].spans {
				if dead[i] {
					lo.edits = append(lo.edits, rawjson.Edit{Span: span})
				}
			}
			continue
		}
		lo.edits = rawjson.Remove(lo.edits, lo.l.lists[list].spans, func(i int) bool { return dead[i] })
	}
}
