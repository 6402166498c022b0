package strategy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
)

// maxRefusals is how many edits of another program are refused one by one. One
// with more does not know the conversation that it was given.
const maxRefusals = 100

// screened leaves out the edits of another program that are no use to a
// conversation of so many tokens, and says which and why. What is kept can be
// applied, and saves tokens.
func (in *Input) screened(total int, edits []transcript.Edit) (kept []transcript.Edit, refused []string, err error) {
	if edits, refused, err = acceptable(in.Conv, edits); err != nil {
		return nil, refused, err
	}
	kept = ratchet(in, edits)
	refused = append(refused, useless(edits, kept)...)
	kept, more, err := acceptable(in.Conv, in.above(total, kept)) // a pair may have lost a half
	return kept, append(refused, more...), err
}

// acceptable leaves out the edits of another program that a conversation refuses,
// each with its group, and says which and why. The rest can be applied.
func acceptable(c *transcript.Conversation, edits []transcript.Edit) (kept []transcript.Edit, refused []string, err error) {
	kept = edits
	for {
		err := permitted(c, kept)
		if err == nil {
			_, err = c.Apply(kept)
		}
		var bad *transcript.EditError
		if err == nil || !errors.As(err, &bad) {
			return kept, refused, err
		}
		if len(refused) == maxRefusals {
			return nil, refused, fmt.Errorf("more than %d of its edits are refused; the last: %w", maxRefusals, bad)
		}
		at := slices.Index(kept, bad.Edit)
		if at < 0 {
			return nil, refused, bad
		}
		refused = append(refused, bad.Error())
		kept = slices.Delete(slices.Clone(kept), at, at+1)
		kept = slices.DeleteFunc(kept, func(e transcript.Edit) bool { return e.Group != 0 && e.Group == bad.Edit.Group })
	}
}

// permitted refuses the first edit of a message that its program was not shown, or
// that has the user say what the user did not. Typed text is pinned unless the user
// gave it up, and then it may become shorter.
func permitted(c *transcript.Conversation, edits []transcript.Edit) error {
	for _, e := range edits {
		m := c.Message(e.At.Msg)
		if m == nil {
			continue
		}
		if m.Hidden {
			return &transcript.EditError{Edit: e, Reason: "the message is outside the effective view"}
		}
		if text, typed := typedText(m, e.At); typed && e.Op == transcript.Rewrite && !shortened(text, e.Text) {
			return &transcript.EditError{Edit: e, Reason: "it would change what the user typed: whole lines of it, in order, and markers may stand there"}
		}
	}
	return nil
}

// typedText is the text at an address, when a person gave what stands there: "" for a
// picture, in place of which the person said nothing either.
func typedText(m *transcript.Message, at transcript.Ref) (text string, typed bool) {
	b := m.Block(at.Block)
	if b == nil || b.Origin != transcript.Typed {
		return "", false
	}
	if at.Part >= 0 && at.Part < len(b.Parts) {
		return b.Parts[at.Part].Text, true
	}
	return b.Text(), true
}

// shortened reports whether a text has only whole lines of another, each once and in
// order, and markers. What surrounds a line counts for nothing.
func shortened(was, is string) bool {
	left := strings.Split(was, "\n")
	for line := range strings.Lines(is) {
		line = strings.TrimSpace(line)
		if line == "" || transcript.IsMarker(line) {
			continue
		}
		i := slices.IndexFunc(left, func(l string) bool { return strings.TrimSpace(l) == line })
		if i < 0 {
			return false
		}
		left = left[i+1:]
	}
	return true
}

// useless names the edits of proposed that are not among those kept.
func useless(proposed, kept []transcript.Edit) (names []string) {
	stays := make(map[transcript.Edit]bool, len(kept))
	for _, e := range kept {
		stays[e] = true
	}
	for _, e := range proposed {
		if !stays[e] {
			names = append(names, fmt.Sprintf("%s %s refused: it saves nothing", e.Op, e.At))
		}
	}
	return names
}
