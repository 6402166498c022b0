package splice

import (
	"iter"
	"math"
	"slices"

	"condense/transcript/internal/rawjson"
)

// manyMessages is the number of messages from which on a layout packs their places. A place takes 200
// bytes, and packed mostly 24.
const manyMessages = 512

// manyBlocks is the same for the blocks of a message.
const manyBlocks = 512

// packed holds the places of the messages of a source with many.
type packed struct {
	messages []packedMessage // one more than there are messages
	blocks   []packedBlock
	records  [][]int      // of messages without exactly one record
	others   []BlockPlace // places that take more than a packedBlock
}

// packedMessage is the slot of the one record of a message, and the index of its first block. Without
// exactly one record, the slot is elsewhere, minus the index in packed.records.
type packedMessage struct{ record, first int32 }

// packedBlock is a block with one slot, and one part that is a whole literal. Otherwise, the slot is
// elsewhere, minus the index in packed.others.
type packedBlock struct {
	slot, part int32 // part is the slot of the part
	start, end uint32
}

// elsewhere is less than every slot, and than None.
const elsewhere = -2

// pack replaces Messages by a smaller form if there are many.
func (l *Layout) pack() {
	blocks, most := 0, 0
	for _, m := range l.Messages {
		blocks += len(m.Blocks)
		most = max(most, len(m.Blocks))
	}
	if len(l.Messages) < manyMessages && most < manyBlocks || len(l.Src) > math.MaxUint32 {
		return
	}
	p := &packed{messages: make([]packedMessage, 0, len(l.Messages)+1), blocks: make([]packedBlock, 0, blocks)}
	for _, m := range l.Messages {
		p.add(m)
	}
	p.messages = append(p.messages, packedMessage{first: int32(len(p.blocks))})
	p.others = slices.Clip(p.others)
	l.packed, l.Messages = p, nil
}

// add appends a message.
func (p *packed) add(m *MessagePlace) {
	record := elsewhere - len(p.records)
	if len(m.Records) == 1 {
		record = m.Records[0]
	} else {
		p.records = append(p.records, m.Records)
	}
	p.messages = append(p.messages, packedMessage{int32(record), int32(len(p.blocks))})
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if !b.simple() {
			p.blocks = append(p.blocks, packedBlock{slot: int32(elsewhere - len(p.others))})
			p.others = append(p.others, *b)
			continue
		}
		lit := b.Parts[0].Lit
		p.blocks = append(p.blocks, packedBlock{int32(b.Slots[0]), int32(b.Parts[0].Slot), uint32(lit.Start), uint32(lit.End)})
	}
}

// simple reports whether a packedBlock holds the place of a block.
func (b *BlockPlace) simple() bool {
	if len(b.Slots) != 1 || len(b.Parts) != 1 || b.Copies != nil || b.Flagged {
		return false
	}
	p := b.Parts[0]
	return p == Place{Slot: p.Slot, Lit: p.Lit}
}

// known returns the number of messages that were decoded.
func (l *Layout) known() int {
	if l.packed != nil {
		return len(l.packed.messages) - 1
	}
	return len(l.Messages)
}

// Has reports whether a message was decoded, by its ID. It is for a finished layout.
func (l *Layout) Has(msg int) bool { return 0 <= msg && msg < l.known() }

// place returns the place of a message of a finished layout.
func (l *Layout) place(msg int) *MessagePlace {
	if l.packed == nil {
		return l.Messages[msg]
	}
	return &MessagePlace{Records: l.Records(msg), Blocks: unpack(l.packed, l.packed.of(msg))}
}

// blocks yields the places of the blocks of a message of a finished layout. A place is valid until the next.
func (l *Layout) blocks(msg int) iter.Seq[*BlockPlace] {
	return func(yield func(*BlockPlace) bool) {
		if l.packed == nil {
			at := l.Messages[msg].Blocks
			for i := range at {
				if !yield(&at[i]) {
					return
				}
			}
			return
		}
		var slot [1]int
		var part [1]Place
		one := BlockPlace{Slots: slot[:], Parts: part[:]}
		for _, b := range l.packed.of(msg) {
			at := &one
			if b.slot <= elsewhere {
				at = &l.packed.others[elsewhere-int(b.slot)]
			} else {
				slot[0], part[0] = int(b.slot), b.place()
			}
			if !yield(at) {
				return
			}
		}
	}
}

// place returns the place of the part of a block that is not elsewhere.
func (b packedBlock) place() Place {
	return Place{Slot: int(b.part), Lit: rawjson.Span{Start: int(b.start), End: int(b.end)}}
}

// Blocks returns the number of blocks of a message of a finished layout.
func (l *Layout) Blocks(msg int) int {
	if l.packed == nil {
		return len(l.Messages[msg].Blocks)
	}
	return len(l.packed.of(msg))
}

// Block returns the place of a block of a finished layout. The caller must not change it.
func (l *Layout) Block(msg, block int) *BlockPlace {
	if l.packed == nil {
		return &l.Messages[msg].Blocks[block]
	}
	return &unpack(l.packed, l.packed.of(msg)[block:block+1])[0]
}

// Records returns the slots of the records of a message of a finished layout.
func (l *Layout) Records(msg int) []int {
	if l.packed == nil {
		return l.Messages[msg].Records
	}
	record := int(l.packed.messages[msg].record)
	if record <= elsewhere {
		return l.packed.records[elsewhere-record]
	}
	return []int{record}
}

// of returns the blocks of a message.
func (p *packed) of(msg int) []packedBlock {
	return p.blocks[p.messages[msg].first:p.messages[msg+1].first]
}

// unpack returns the places of blocks.
func unpack(p *packed, list []packedBlock) []BlockPlace {
	if len(list) == 0 {
		return nil
	}
	all, slots, parts := make([]BlockPlace, len(list)), make([]int, len(list)), make([]Place, len(list))
	for i, b := range list {
		if b.slot <= elsewhere {
			all[i] = p.others[elsewhere-int(b.slot)]
			continue
		}
		slots[i] = int(b.slot)
		parts[i] = b.place()
		all[i] = BlockPlace{Slots: slots[i : i+1 : i+1], Parts: parts[i : i+1 : i+1]}
	}
	return all
}
