package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
)

// Tags says where <keep>…</keep> and <drop>…</drop> have an effect. Text between keep
// tags stays word for word. Text between drop tags goes, with a marker in its place
// when that is shorter. With the zero value tags have no effect.
type Tags string

// The choices.
const (
	TagsTyped Tags = "typed" // in what the user typed
	// TagsAll is also in instructions, in texts of the model and in results. So the
	// author of such a text, a web page for example, decides what stays.
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

// count reports whether tags in a block have an effect: in texts and results, not in
// thinking or calls.
func (t Tags) count(b *transcript.Block) bool {
	switch {
	case b.Kind != transcript.Text && b.Kind != transcript.ToolResult:
		return false
	case t == TagsTyped:
		return b.Origin == transcript.Typed
	}
	return t == TagsAll
}

// passageTag matches tags: in lower case, without attributes.
var passageTag = regexp.MustCompile(`</?(?:keep|drop)>`)

// marked is a part of a text from an opening to a closing tag, tags included.
type marked struct {
	from, to int // bytes
	drop     bool
}

// markedIn returns the marked parts of a text, in order, or what is wrong with its
// tags. Then none of them has an effect. Tags do not nest.
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

// kept returns the parts between keep tags, where they have an effect, of a text of a
// block.
func (t Tags) kept(b *transcript.Block, text string) []marked {
	if !t.count(b) || !strings.Contains(text, "<keep>") {
		return nil
	}
	list, _ := markedIn(text)
	return slices.DeleteFunc(list, func(m marked) bool { return m.drop })
}
