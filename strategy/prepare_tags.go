package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
)

// Tags says where <keep>…</keep> and <drop>…</drop> count. What stands between keep
// tags stays word for word; what stands between drop tags goes, and leaves a marker
// where that is shorter. The zero value is nowhere: then typed text stays whole.
type Tags string

// The choices.
const (
	TagsTyped Tags = "typed" // in what the user typed
	// TagsAll is also in instructions, in what the model said and what tools returned:
	// whoever writes there, a web page for one, decides what stays and what goes.
	TagsAll Tags = "all"
)

// TagsStage is the name of the stage that removes what stands between drop tags.
const TagsStage = "tags"

// ParseTags reads typed or all.
func ParseTags(s string) (Tags, error) {
	switch t := Tags(s); t {
	case TagsTyped, TagsAll:
		return t, nil
	}
	return "", fmt.Errorf("expected typed or all")
}

// count reports whether tags in a block count: in texts and results, not in what was
// thought or called.
func (t Tags) count(b *transcript.Block) bool {
	switch {
	case b.Kind != transcript.Text && b.Kind != transcript.ToolResult:
		return false
	case t == TagsTyped:
		return b.Origin == transcript.Typed
	}
	return t == TagsAll
}

// passageTag is what tags are written as: in lower case, without attributes.
var passageTag = regexp.MustCompile(`</?(?:keep|drop)>`)

// marked is a stretch of a text that stands between two tags, which are part of it.
type marked struct {
	from, to int // bytes
	drop     bool
}

// markedIn returns what is marked in a text, in order; or what is wrong with its
// tags: then none of them counts. They do not nest.
func markedIn(text string) (list []marked, fault string) {
	open, from := "", 0
	for _, at := range passageTag.FindAllStringIndex(text, -1) {
		tag := text[at[0]:at[1]]
		switch end := strings.Replace(open, "<", "</", 1); {
		case open == "" && tag[1] != '/':
			open, from = tag, at[0]
		case open == "":
			return nil, fmt.Sprintf("%s without %s", tag, strings.Replace(tag, "/", "", 1))
		case tag != end:
			return nil, fmt.Sprintf("%s without %s in front of the next %s", open, end, tag)
		default:
			list = append(list, marked{from, at[1], open == "<drop>"})
			open = ""
		}
	}
	if open != "" {
		return nil, fmt.Sprintf("%s without %s", open, strings.Replace(open, "<", "</", 1))
	}
	return list, ""
}

// kept returns what stands between keep tags that count, in a text of a block.
func (t Tags) kept(b *transcript.Block, text string) []marked {
	if !t.count(b) || !strings.Contains(text, "<keep>") {
		return nil
	}
	list, _ := markedIn(text)
	return slices.DeleteFunc(list, func(m marked) bool { return m.drop })
}

// typedPins are the pins for who may shorten what the user typed, but not remove it.
// What else is pinned word for word is so for another reason than who wrote it.
func typedPins(c *transcript.Conversation, o *Options) map[transcript.Ref]transcript.Pin {
	free := *o
	free.UnpinUser = true
	pins := pinsBy(c, &free, transcript.Present, transcript.Present)
	for ref, b := range c.Blocks() {
		if b.Origin == transcript.Typed {
			pins[ref] = max(pins[ref], transcript.Present)
		}
	}
	return pins
}

var applyTags = Preparation{
	Name: TagsStage, Option: "Tags",
	Doc:      "what stands between <drop> tags goes",
	access:   accessTyped,
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.Tags != "" },
	run:      markedDropped,
}

// markedDropped removes what stands between drop tags.
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
		return Skip("nothing stands between <drop> tags that may be changed")
	}
	return Proposal{Edits: edits}
}

// withoutMarked is the text of a part, behind its head, without what stands between drop tags.
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

// enoughNotes is how many texts whose tags do nothing are named one by one.
const enoughNotes = 5

// tagNotes says, for people, where tags that would count do nothing.
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
				notes = append(notes, fmt.Sprintf("message %d: what stands between its <drop> tags is pinned, and stays", c.Position(ref.Msg)+1))
			case drops && c.Message(ref.Msg).Shadows && transcript.IsMarker(short):
				notes = append(notes, fmt.Sprintf("message %d: without what stands between its <drop> tags, a branch that was given up would be seen again", c.Position(ref.Msg)+1))
			}
		}
	}
	if more := len(notes) - enoughNotes; more > 0 {
		return append(notes[:enoughNotes], fmt.Sprintf("tags in %s more texts do nothing", thousands(more)))
	}
	return notes
}
