package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// Tags selects the texts in which <keep>…</keep> and <drop>…</drop> have an effect. Text
// between keep tags stays word for word. Text between drop tags is removed; a marker takes
// its place if that is shorter. With the zero value tags have no effect.
type Tags string

// The choices.
const (
	TagsTyped Tags = "typed" // typed text
	// TagsAll selects all texts and results. So anyone who wrote such a text, such as the
	// author of a web page, can decide what stays.
	TagsAll Tags = "all"
)

// UnmarshalText parses typed or all.
func (t *Tags) UnmarshalText(text []byte) (err error) {
	*t, err = parseTags(string(text))
	return err
}

func parseTags(s string) (Tags, error) {
	switch t := Tags(s); t {
	case TagsTyped, TagsAll:
		return t, nil
	}
	return "", fmt.Errorf("expected typed or all")
}

// apply reports whether tags have an effect in a block. They never have one in thinking
// and in calls.
func (t Tags) apply(b *transcript.Block) bool {
	switch {
	case b.Kind != transcript.Text && b.Kind != transcript.ToolResult:
		return false
	case t == TagsTyped:
		return b.Origin == transcript.Typed
	}
	return t == TagsAll
}

// passageTag matches a tag, in lower case and without attributes.
var passageTag = lazyregexp.New(`</?(?:keep|drop)>`)

// actingTags returns passageTag where tags in any text have an effect, or nil.
func (o *Options) actingTags() *regexp.Regexp {
	if o.Tags != TagsAll {
		return nil
	}
	return passageTag.Regexp()
}

// marked is a passage of a text from an opening to a closing tag, tags included.
type marked struct {
	from, to int // bytes
	drop     bool
}

// markedIn returns the marked passages of a text, in order. If a tag has no partner, it
// returns only the fault, and no tag of the text has an effect. Tags do not nest.
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

// kept returns the passages between keep tags in a text of a block. It returns none if
// tags have no effect there.
func (t Tags) kept(b *transcript.Block, text string) []marked {
	if !t.apply(b) || !strings.Contains(text, "<keep>") {
		return nil
	}
	list, _ := markedIn(text)
	return slices.DeleteFunc(list, func(m marked) bool { return m.drop })
}

var applyTags = preparation{
	Name:     "tags", // removes text between <drop> tags
	access:   accessTyped,
	demanded: func(_ *transcript.Conversation, o *Options) bool { return o.Tags != "" },
	run:      dropMarked,
}

// dropMarked proposes to remove text between drop tags.
func dropMarked(in *Input) Proposal {
	var edits []transcript.Edit
	for ref, b := range in.Conv.Blocks() {
		if b.Pin == transcript.Verbatim || b.Fixed || !in.Opts.Tags.apply(b) {
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

// withoutMarked returns the text of a part, after its head, without the passages between
// drop tags. dropped reports whether there are any.
func withoutMarked(p *transcript.Part) (short string, dropped bool) {
	text := p.Text[p.Head:]
	if p.Head > 0 { // a rewrite puts one line break after the head
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
		short = transcript.Marker("text") // a block must not be empty
	}
	return short, dropped
}

// maxTagNotes is the largest number of texts that tagNotes reports one by one.
const maxTagNotes = 5

// tagNotes reports, for people, the texts in which tags have no effect although Tags
// selects them.
func tagNotes(c *transcript.Conversation, o *Options) (notes []string) {
	if o.Tags == "" {
		return nil
	}
	for ref, b := range c.Blocks() {
		if !o.Tags.apply(b) {
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
	if more := len(notes) - maxTagNotes; more > 0 {
		return append(notes[:maxTagNotes], fmt.Sprintf("tags in %s more texts do nothing", transcript.Number(more)))
	}
	return notes
}
