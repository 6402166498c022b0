package chronicle

import (
	"slices"

	"condense/transcript"
)

// contents holds the new contents of the texts of the model, in the order of the conversation.
type contents []content

// content is the new content of a text of the model.
type content struct {
	msg, block int32
	segments   []segment
}

// segment is a part of a rewritten text: a record, or any other text.
type segment struct {
	text   string
	record bool
}

func (c *content) ref() transcript.Ref {
	return transcript.Ref{Msg: int(c.msg), Block: int(c.block), Part: transcript.Whole}
}

// newContents returns contents without texts, with room for those of a draft.
func newContents(d *draft) contents {
	texts := 0
	for i := range d.seq {
		if k := d.seq[i].kind; k == proseElement || k == oldElement {
			texts++
		}
	}
	return make(contents, 0, texts)
}

// begin adds a text without content, unless it is the last one. Texts must come in the order of the
// conversation.
func (c *contents) begin(ref transcript.Ref) {
	if n := len(*c); n == 0 || (*c)[n-1].ref() != ref {
		*c = append(*c, content{msg: int32(ref.Msg), block: int32(ref.Block)})
	}
}

// ensure adds a text with its words as they are, unless the text was added before. It is one of the last
// ones.
func (c *contents) ensure(conv *transcript.Conversation, ref transcript.Ref) {
	i := len(*c)
	for ; i > 0; i-- {
		at := (*c)[i-1].ref()
		if at == ref {
			return
		}
		if conv.Position(at.Msg) < conv.Position(ref.Msg) || at.Msg == ref.Msg && at.Block < ref.Block {
			break
		}
	}
	own := content{int32(ref.Msg), int32(ref.Block), []segment{{text: bodyOf(conv, ref)}}}
	*c = slices.Insert(*c, i, own)
}

// bodyOf returns the text of a block of one part that is shortened.
func bodyOf(c *transcript.Conversation, ref transcript.Ref) string {
	p := &c.Block(ref).Parts[0]
	return p.Text[p.Head:]
}

// add adds a segment to a text, which is one of the last ones.
func (c contents) add(ref transcript.Ref, s segment) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].ref() == ref {
			c[i].segments = append(c[i].segments, s)
			return
		}
	}
}

// distinct returns a and b, or only a if they are equal.
func distinct(a, b transcript.Ref) []transcript.Ref {
	if a == b {
		return []transcript.Ref{a}
	}
	return []transcript.Ref{a, b}
}

// render returns a text with its kept pieces, and markers for the others.
func (w *writer) render(t *text) string {
	if t.dirty {
		t.dirty = false
		t.short = t.cut.Render(t.kept)
	}
	return t.short
}
