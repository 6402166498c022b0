package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
)

var applyTags = preparation{
	Name:     "tags", // text between <drop> tags goes
	access:   accessTyped,
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.Tags != "" },
	run:      markedDropped,
}

// markedDropped proposes to remove text between drop tags.
func markedDropped(in *Input) Proposal {
	var edits []transcript.Edit
	for ref, b := range in.Conv.Blocks() {
		if b.Pin == transcript.Verbatim || b.Fixed || !in.Opts.Tags.count(b) {
			continue
		}
		for i := range b.Parts {
			text, dropped := withoutMarked(&b.Parts[i])
			if !dropped || in.Conv.Message(ref.Msg).Shadows && transcript.IsMarker(text) {
				continue
			}
			at := ref
			if len(b.Parts) > 1 {
				at.Part = i
			}
			edits = append(edits, transcript.Edit{At: at, Op: transcript.Rewrite, Text: text, Why: "between <drop> tags"})
		}
	}
	if edits == nil {
		return Skip("no text between <drop> tags may be changed")
	}
	return Proposal{Edits: edits}
}

// withoutMarked returns the text of a part, after its head, without the parts between
// drop tags.
func withoutMarked(p *transcript.Part) (short string, dropped bool) {
	text := p.Text[p.Head:]
	if p.Head > 0 { // a rewrite puts one line break behind the head
		text = strings.TrimLeft(text, "\n")
	}
	if p.Media != nil || !strings.Contains(text, "<drop>") {
		return "", false
	}
	list, _ := markedIn(text)
	var b strings.Builder
	done := 0
	for _, m := range list {
		if !m.drop {
			continue
		}
		b.WriteString(text[done:m.from])
		inside := text[m.from+len("<drop>") : m.to-len("</drop>")]
		if marker := transcript.Marker(size(inside)); len(marker) < m.to-m.from {
			b.WriteString(marker)
		}
		done, dropped = m.to, true
	}
	b.WriteString(text[done:])
	if short = b.String(); strings.TrimSpace(short) == "" {
		short = transcript.Marker("text") // a block is never empty
	}
	return short, dropped
}

// enoughNotes is the number of texts with tags without effect that are named one by
// one.
const enoughNotes = 5

// tagNotes returns, for people, the places where tags have no effect though they
// should.
func tagNotes(c *transcript.Conversation, o *Options) (notes []string) {
	if o.Tags == "" {
		return nil
	}
	for ref, b := range c.Blocks() {
		if !o.Tags.count(b) {
			continue
		}
		for _, p := range b.Parts {
			list, fault := markedIn(p.Text[p.Head:])
			drops := slices.ContainsFunc(list, func(m marked) bool { return m.drop })
			short, _ := withoutMarked(&p)
			switch {
			case fault != "":
				notes = append(notes, fmt.Sprintf("message %d: %s: its tags do nothing", c.Position(ref.Msg)+1, fault))
			case drops && (b.Pin == transcript.Verbatim || b.Fixed):
				notes = append(notes, fmt.Sprintf("message %d: the text between its <drop> tags is pinned, and stays", c.Position(ref.Msg)+1))
			case drops && c.Message(ref.Msg).Shadows && transcript.IsMarker(short):
				notes = append(notes, fmt.Sprintf("message %d: without the text between its <drop> tags, an abandoned branch would be visible again", c.Position(ref.Msg)+1))
			}
		}
	}
	if more := len(notes) - enoughNotes; more > 0 {
		return append(notes[:enoughNotes], fmt.Sprintf("tags in %s more texts do nothing", transcript.Number(more)))
	}
	return notes
}
