package splice

import (
	"iter"
	"math"
	"slices"

	"condense/transcript/internal/rawjson"
)

// manyMessages is the number of messages from which on a layout packs their places. A place takes more
// than 100 bytes, and packed mostly 24.
const manyMessages = 512

// Places locates the blocks of a message. Most places take 16 bytes.
type Places struct {
	list   []packedBlock
	others []*BlockPlace // places that take more than a packedBlock
}

// packedBlock is a block with one slot, and one part that is a whole literal. Otherwise, the slot is
// elsewhere, minus the index in the other places.
type packedBlock struct {
	slot, part int32 // part is the slot of the part
	start, end uint32
}

// elsewhere is less than every slot, and than None.
const elsewhere = -2

// Len returns the number of blocks.
func (p *Places) Len() int { return len(p.list) }

// Grow makes room for n more blocks.
func (p *Places) Grow(n int) { p.list = slices.Grow(p.list, n) }

// Add appends the place of a block.
func (p *Places) Add(b BlockPlace) {
	if !b.simple() {
		p.list = append(p.list, packedBlock{slot: int32(elsewhere - len(p.others))})
		p.others = append(p.others, &b)
		return
	}
	p.AddText(b.Slots[0], b.Parts[0].Slot, b.Parts[0].Lit)
}

// AddText appends the place of a block that has one slot, and one part that is a whole literal.
func (p *Places) AddText(slot, part int, lit rawjson.Span) {
	p.list = append(p.list, packedBlock{int32(slot), int32(part), uint32(lit.Start), uint32(lit.End)})
}

// Get returns the place of block i. The caller must not change its lists.
func (p *Places) Get(i int) BlockPlace {
	b := p.list[i]
	if b.slot <= elsewhere {
		return *p.others[elsewhere-int(b.slot)]
	}
	return BlockPlace{Slots: []int{int(b.slot)}, Parts: []Place{b.place()}}
}

// At returns the place of block i, to be changed.
func (p *Places) At(i int) *BlockPlace {
	if p.list[i].slot > elsewhere {
		b := p.Get(i)
		p.list[i] = packedBlock{slot: int32(elsewhere - len(p.others))}
		p.others = append(p.others, &b)
	}
	return p.others[elsewhere-int(p.list[i].slot)]
}

// Copy adds the place of a copy of block i.
func (p *Places) Copy(i int, at BlockPlace) {
	b := p.At(i)
	b.Copies = append(b.Copies, at)
}

// all yields the places. A place is valid until the next.
func (p *Places) all() iter.Seq[*BlockPlace] {
	return func(yield func(*BlockPlace) bool) {
		var slot [1]int
		var part [1]Place
		one := BlockPlace{Slots: slot[:], Parts: part[:]}
		for _, b := range p.list {
			at := &one
			if b.slot <= elsewhere {
				at = p.others[elsewhere-int(b.slot)]
			} else {
				slot[0], part[0] = int(b.slot), b.place()
			}
			if !yield(at) {
				return
			}
		}
	}
}

// simple reports whether a packedBlock holds the place of a block.
func (b *BlockPlace) simple() bool {
	if len(b.Slots) != 1 || len(b.Parts) != 1 || b.Copies != nil || b.Flagged {
		return false
	}
	p := b.Parts[0]
	return p == Place{Slot: p.Slot, Lit: p.Lit} && uint64(p.Lit.End) <= math.MaxUint32
}

// place returns the place of the part of a block that is not elsewhere.
func (b packedBlock) place() Place {
	return Place{Slot: int(b.part), Lit: rawjson.Span{Start: int(b.start), End: int(b.end)}}
}

// packed holds the places of the messages of a source with many.
type packed struct {
	messages []packedMessage
	blocks   Places
	records  [][]int // of messages without exactly one record
}

// packedMessage is the slot of the one record of a message, and the index of its first block. Without
// exactly one record, the slot is elsewhere, minus the index in packed.records.
type packedMessage struct{ record, first int32 }

// Seal makes the places of the messages so far small. Their elements of Messages are then nil, and the
// places are no longer to be changed, unless Unseal comes first.
func (l *Layout) Seal() {
	if l.packed == nil {
		l.packed = &packed{}
	}
	for i := len(l.packed.messages); i < len(l.Messages); i++ {
		l.packed.add(l.Messages[i])
		l.Messages[i] = nil
	}
}

// Unseal undoes Seal.
func (l *Layout) Unseal() {
	if l.packed == nil {
		return
	}
	for i := range l.packed.messages {
		l.Messages[i] = &MessagePlace{Records: l.packed.recordsOf(i), Blocks: l.packed.of(i)}
	}
	l.packed = nil
}

// pack replaces Messages by a smaller form if there are many.
func (l *Layout) pack() {
	if l.packed == nil && len(l.Messages) < manyMessages {
		return
	}
	l.Seal()
	p := l.packed
	p.messages, p.blocks.list, p.blocks.others = slices.Clip(p.messages), slices.Clip(p.blocks.list), slices.Clip(p.blocks.others)
	l.Messages = nil
}

// add appends a message.
func (p *packed) add(m *MessagePlace) {
	record := elsewhere - len(p.records)
	if len(m.Records) == 1 {
		record = m.Records[0]
	} else {
		p.records = append(p.records, m.Records)
	}
	p.messages = append(p.messages, packedMessage{int32(record), int32(len(p.blocks.list))})
	moved := len(p.blocks.others)
	for _, b := range m.Blocks.list {
		if b.slot <= elsewhere {
			b.slot -= int32(moved)
		}
		p.blocks.list = append(p.blocks.list, b)
	}
	p.blocks.others = append(p.blocks.others, m.Blocks.others...)
}

// of returns the places of the blocks of a message.
func (p *packed) of(msg int) (own Places) {
	end := len(p.blocks.list)
	if msg+1 < len(p.messages) {
		end = int(p.messages[msg+1].first)
	}
	first := int(p.messages[msg].first)
	return Places{list: p.blocks.list[first:end:end], others: slices.Clip(p.blocks.others)}
}

// recordsOf returns the slots of the records of a message.
func (p *packed) recordsOf(msg int) []int {
	record := int(p.messages[msg].record)
	if record <= elsewhere {
		return p.records[elsewhere-record]
	}
	return []int{record}
}

// known returns the number of messages that were decoded.
func (l *Layout) known() int {
	if l.packed != nil && l.Messages == nil {
		return len(l.packed.messages)
	}
	return len(l.Messages)
}

// Has reports whether a message was decoded, by its ID. It is for a finished layout.
func (l *Layout) Has(msg int) bool { return 0 <= msg && msg < l.known() }

// isSealed reports whether the place of a message is in the smaller form.
func (l *Layout) isSealed(msg int) bool { return l.packed != nil && msg < len(l.packed.messages) }

// placesOf returns the places of the blocks of a message.
func (l *Layout) placesOf(msg int) Places {
	if l.isSealed(msg) {
		return l.packed.of(msg)
	}
	return l.Messages[msg].Blocks
}

// Blocks returns the number of blocks of a message.
func (l *Layout) Blocks(msg int) int {
	p := l.placesOf(msg)
	return p.Len()
}

// Block returns the place of a block. The caller must not change it.
func (l *Layout) Block(msg, block int) BlockPlace {
	p := l.placesOf(msg)
	return p.Get(block)
}

// Flagged returns the field of the place of a block.
func (l *Layout) Flagged(msg, block int) bool {
	p := l.placesOf(msg)
	at := p.list[block].slot
	return at <= elsewhere && p.others[elsewhere-int(at)].Flagged
}

// Records returns the slots of the records of a message.
func (l *Layout) Records(msg int) []int {
	if l.isSealed(msg) {
		return l.packed.recordsOf(msg)
	}
	return l.Messages[msg].Records
}
