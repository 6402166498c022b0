package chronicle

import "condense/transcript"

// contents holds the new contents of the texts of the model, in the order of the conversation.
type contents []content

// content is the new content of a text of the model.
type content struct {
	msg, block int32
	segments   []segment
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

// add adds a segment to a text, which is one of the last ones.
func (c contents) add(ref transcript.Ref, s segment) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].ref() == ref {
			c[i].segments = append(c[i].segments, s)
			return
		}
	}
}
