/*
Package splice changes a conversation in the JSON that it was decoded from, and
leaves every other byte as it is.

A [Layout] locates the parts of a conversation in the source, by slots and places. A slot
is a removable span: an element of an array, a member of an object, or a line. Slots
nest. A slot stays as long as anything in it stays; otherwise it is removed with its comma
or newline. A [Place] is the string literal of a part, or a segment of one: one string can
hold prose, a call and an answer.

[Layout.Edits] compares the decoded conversation with its final state and returns the
byte edits of the source. Three things complicate it:

  - A [Mirror] is a value that repeats a block for another reader. It must not show
    text that the conversation lost.
  - Records may refer to each other, in a [Chain] or a [Tree]. Records that stay must
    not refer to records that are removed.
  - New messages need records of their own, laid out like their neighbours.

Package splice knows no dialect. A dialect passes its own functions as [Hooks], and keeps
its own data about a conversation in [Layout.State].
*/
package splice

import (
	"cmp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Hooks holds the functions of a dialect that take part in writing a conversation.
type Hooks struct {
	Texts *rawjson.Texts // of the source; a mirror is often the same literal as a block
	// Render returns new message i as a record, in compact JSON; nil when Relink
	// writes it.
	Render func(c *Change, i int) []byte
	// Relink returns the edits of records that stay, which are needed because other records
	// are removed or inserted.
	Relink []func(c *Change) []rawjson.Edit
	// Hide keeps the records of dropped messages. It returns the edits that hide them
	// from the model, and those that insert the new messages. When Hide is nil, the
	// records are removed.
	Hide func(c *Change, dropped []*transcript.Message) []rawjson.Edit
}

// A Change is a conversation whose records are being removed and inserted, as the hooks of a dialect
// see it.
type Change struct {
	*Layout
	From     *transcript.Conversation // as it was decoded
	Inserted []Insertion              // in their final order
	Gone     func(record int) bool    // reports whether a record is removed
	GoneSlot func(slot int) bool      // reports whether a slot is removed, or one around it
}

// An Insertion is a new message that is inserted in front of a record.
type Insertion struct {
	list    int // the list of the records, or one inside a record that holds several messages
	Record  int // index in that list; its length stands for the end
	Message *transcript.Message
}

// Edits returns the byte edits of the source that turn the conversation as decoded,
// from, into its final state, to. The final state descends from it by Apply.
func (l *Layout) Edits(from, to *transcript.Conversation, h Hooks) []rawjson.Edit {
	lo := &lowering{Hooks: h, l: l, from: from, to: to}
	lo.claimed = make([]bool, len(l.slots))
	lo.alive = make([]bool, len(l.slots))
	return lo.run()
}

// lowering is one call of Edits.
type lowering struct {
	Hooks
	l        *Layout
	from, to *transcript.Conversation

	claimed  []bool // by slot: something in it is changed or removed
	alive    []bool // by slot: something in it stays
	rewrites []rewrite
	dropped  []*BlockPlace // of the blocks that are removed
	edits    []rawjson.Edit
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
	c := &Change{Layout: lo.l, From: lo.from, Inserted: lo.insertions(), Gone: lo.gone, GoneSlot: lo.dead}
	lo.dropSatellites()
	lo.dropBranches()
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

// keep marks the records of an unchanged message as alive, and the slots of its blocks,
// because the copy of another message's block may lie beside them and be removed.
func (lo *lowering) keep(msg int) {
	for _, s := range lo.l.Records(msg) {
		lo.live(s)
	}
	places := lo.l.placesOf(msg)
	for at := range places.all() {
		lo.keepBlock(at)
		for j := range at.Copies {
			lo.keepBlock(&at.Copies[j])
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

// dropMessage claims the records of a message and the slots in them. A record that it
// shares with another message stays.
func (lo *lowering) dropMessage(m *transcript.Message) {
	for _, s := range lo.l.Records(m.ID) {
		lo.claim(s) // and the records around it, which other messages may keep
	}
	lo.blocks(m, &transcript.Message{})
}

// change lowers a message that stays with other blocks.
func (lo *lowering) change(m, final *transcript.Message) {
	lo.blocks(m, final)
	for _, s := range lo.l.Records(m.ID) { // a record without blocks stays with its message
		if !lo.claimed[s] {
			lo.live(s)
		}
	}
}

// blocks lowers the blocks of a message, and their copies.
func (lo *lowering) blocks(m, final *transcript.Message) {
	places := lo.l.placesOf(m.ID)
	for i, b := range m.Blocks {
		at, is := places.Get(i), final.Block(b.ID)
		lo.block(&at, b, is)
		for j := range at.Copies {
			lo.block(&at.Copies[j], b, is)
		}
	}
}

// block claims the slots of a block and marks those alive in which something stays.
func (lo *lowering) block(at *BlockPlace, was, is *transcript.Block) {
	for _, s := range at.Slots {
		lo.claim(s)
		if is != nil {
			lo.live(s)
		}
	}
	for i := range at.Parts {
		lo.claim(at.Parts[i].Slot)
	}
	if is == nil {
		lo.dropped = append(lo.dropped, at)
		return
	}
	same := sameParts(was, is)
	for i := range at.Parts {
		p := &at.Parts[i]
		switch {
		case same:
			lo.live(p.Slot)
		case i >= len(is.Parts):
			lo.rewrites = append(lo.rewrites, rewrite{Place: p, drop: true})
		default:
			lo.live(p.Slot)
			if is.Parts[i] != was.Parts[i] {
				text := is.Parts[i].Text
				if p.Wide != nil && strings.HasSuffix(was.Parts[i].Text, "\n") && !strings.HasSuffix(text, "\n") {
					text += "\n" // the fence after it begins a line
				}
				lo.rewrites = append(lo.rewrites, rewrite{Place: p, text: text})
			}
		}
	}
}

// sameParts reports whether a block has the same parts as before. Pins may differ.
func sameParts(was, is *transcript.Block) bool {
	return was == is || slices.Equal(was.Parts, is.Parts)
}

// claim records that something in a slot is changed or removed.
func (lo *lowering) claim(slot int) {
	for ; slot != None && !lo.claimed[slot]; slot = int(lo.l.slots[slot].up) {
		lo.claimed[slot] = true
	}
}

// live records that something in a slot stays.
func (lo *lowering) live(slot int) {
	for ; slot != None && !lo.alive[slot]; slot = int(lo.l.slots[slot].up) {
		lo.alive[slot] = true
	}
}

// dead reports whether a slot, or one around it, is removed.
func (lo *lowering) dead(slot int) bool {
	for ; slot != None; slot = int(lo.l.slots[slot].up) {
		if lo.claimed[slot] && !lo.alive[slot] {
			return true
		}
	}
	return false
}

// gone reports whether a record is removed.
func (lo *lowering) gone(record int) bool {
	return lo.dead(lo.l.first + record)
}

// dropSatellites removes the records whose block is removed, and the copies of blocks that
// change.
func (lo *lowering) dropSatellites() {
	for _, sat := range lo.l.Chain.satellites {
		is := lo.to.Block(sat.of)
		if is == nil || sat.copy && !sameParts(lo.from.Block(sat.of), is) {
			lo.claimed[lo.l.first+sat.record] = true
		}
	}
}

// dropBranches removes the records of abandoned branches that hold no message and whose
// parent is removed. As a child of an ancestor that stays, such a record could become the
// youngest branch.
func (lo *lowering) dropBranches() {
	t := lo.l.Tree
	if t == nil {
		return
	}
	holds := make([]bool, len(t.Nodes)) // by record: whether it holds a message
	for m := range lo.l.known() {
		for _, s := range lo.l.Records(m) {
			if i := lo.l.RecordOf(s); i != None {
				holds[i] = true
			}
		}
	}
	below := make([]int, 0, len(t.Nodes)) // abandoned records, parents before children
	for i, n := range t.Nodes {
		if t.Shown[i] {
			below = append(below, n.kids...)
		} else if n.Up == None {
			below = append(below, i)
		}
	}
	for k := 0; k < len(below); k++ {
		i := below[k]
		if t.Shown[i] {
			continue
		}
		if up := t.Nodes[i].Up; up != None && !holds[i] && lo.gone(up) {
			lo.claim(lo.l.first + i)
		}
		below = append(below, t.Nodes[i].kids...)
	}
}

// remove adds the edits for all dead slots that do not lie in a dead slot.
func (lo *lowering) remove() {
	drop := map[int32][]int32{} // list → dead indexes
	for s := range lo.l.slots {
		if !lo.claimed[s] || lo.alive[s] {
			continue
		}
		at := lo.l.slots[s]
		if at.up != None && lo.dead(int(at.up)) {
			continue
		}
		more := lo.l.special(s)
		if more != nil && more.blank != (rawjson.Span{}) {
			lo.edits = append(lo.edits, rawjson.Edit{Span: more.blank, New: []byte(cmp.Or(more.instead, `""`))})
			continue
		}
		if more != nil && more.shell != nil {
			shell := more.shell
			lo.edits = append(lo.edits, rawjson.Edit{Span: shell[0]}, rawjson.Edit{Span: shell[1]})
			continue
		}
		drop[at.list] = append(drop[at.list], at.index)
		if more != nil {
			drop[at.list] = append(drop[at.list], more.earlier...)
		}
	}
	lists := make([]int32, 0, len(drop))
	for list := range drop {
		lists = append(lists, list)
	}
	slices.Sort(lists)
	for _, list := range lists {
		dead := make([]bool, lo.l.lenOf(int(list)))
		for _, i := range drop[list] {
			dead[i] = true
		}
		if lo.l.lists[list].lines {
			for i, span := range lo.l.spansOf(int(list)) {
				if dead[i] {
					lo.edits = append(lo.edits, rawjson.Edit{Span: span})
				}
			}
			continue
		}
		lo.edits = rawjson.Remove(lo.edits, lo.l.spansOf(int(list)), func(i int) bool { return dead[i] })
	}
}
