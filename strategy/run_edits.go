package strategy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"condense/transcript"
)

// cost is the number of tokens and bytes that edits add.
type cost struct {
	tokens, bytes int
	writes        bool // some of the edits are not drops
}

// saves reports whether edits save tokens and add no bytes. It also reports true for drops
// alone, because some content has no tokens by some counters.
func (c cost) saves() bool {
	return !c.writes || c.tokens < 0 && c.bytes <= 0
}

func (c cost) plus(d cost) cost {
	return cost{c.tokens + d.tokens, c.bytes + d.bytes, c.writes || d.writes}
}

func (in *Input) cost(e *transcript.Edit) cost {
	return cost{in.delta(e), change(in.Conv, e, bytes), e.Op != transcript.Drop}
}

// saves reports whether a list of edits saves something as a whole.
func (in *Input) saves(edits []transcript.Edit) bool {
	var sum cost
	for i := range edits {
		sum = sum.plus(in.cost(&edits[i]))
	}
	return sum.saves()
}

// saving returns the edits that save something, alone or with their group.
func saving(in *Input, edits []transcript.Edit) []transcript.Edit {
	groups := map[int]cost{}
	alone := make([]cost, len(edits))
	for i := range edits {
		e := &edits[i]
		alone[i] = in.cost(e)
		groups[e.Group] = groups[e.Group].plus(alone[i])
	}
	saves := func(i int) bool {
		if group := edits[i].Group; group != 0 {
			return groups[group].saves()
		}
		return alone[i].saves()
	}
	n := 0
	for i := range edits {
		if saves(i) {
			n++
		}
	}
	if n == len(edits) {
		return edits
	}
	kept := make([]transcript.Edit, 0, n)
	for i, e := range edits {
		if saves(i) {
			kept = append(kept, e)
		}
	}
	return kept
}

// A run must save at least Trigger.MinGain, and leave at least Trigger.MinTokens.

// tooLittle returns why a run saves too little that leaves after of before tokens. It
// returns "" if the run saves enough.
func (t *Trigger) tooLittle(before, after int) string {
	if t.MinGain.met(before, after) {
		return ""
	}
	return fmt.Sprintf("all of it would save %s of %s tokens, less than the required gain of %s", transcript.Number(before-after), transcript.Number(before), t.MinGain)
}

// stageTooLittle returns why a stage that leaves after tokens of before saves too little to
// stay; "" when it stays. budget is 0 without one.
func (t *Trigger) stageTooLittle(before, after, budget int) string {
	if t.MinStageGain.met(before, after) || budget > 0 && after <= budget {
		return ""
	}
	return fmt.Sprintf("it saves %s of %s tokens, less than the %s that a strategy must save", transcript.Number(before-after), transcript.Number(before), t.MinStageGain)
}

// met reports whether a change from before to after tokens saves as much as a limit asks for.
func (t Target) met(before, after int) bool {
	gain := t.Tokens
	if gain == 0 {
		gain = int(math.Ceil(t.Share * float64(before)))
	}
	return before-after >= gain
}

// least returns the lowest budget that MinTokens allows. It is a twentieth above
// MinTokens, because strategies end a little below their budget.
func (t *Trigger) least() int { return t.MinTokens + t.MinTokens/20 }

// above returns the edits that leave at least MinTokens of a conversation of total tokens.
// It decides in order, and about a group as a whole.
func (in *Input) above(total int, edits []transcript.Edit) []transcript.Edit {
	least := in.Opts.Trigger.MinTokens
	if least == 0 || total+in.deltas(edits) >= least {
		return edits
	}
	groups := map[int]int{}
	for i := range edits {
		groups[edits[i].Group] += in.delta(&edits[i])
	}
	decided := map[int]bool{} // by group: whether its edits stay
	var kept []transcript.Edit
	for _, e := range edits {
		adds, stays := groups[e.Group], decided[e.Group]
		if e.Group == 0 {
			adds = in.delta(&e)
		}
		if _, known := decided[e.Group]; !known || e.Group == 0 {
			if stays = total+adds >= least; stays {
				total += adds
			}
			decided[e.Group] = stays
		}
		if stays {
			kept = append(kept, e)
		}
	}
	return kept
}

// maxRefusals is the largest number of edits of another program that are refused one by
// one. More show that the program does not know the conversation that it was given.
const maxRefusals = 100

// screened returns the edits of another program that can be applied and save something,
// and why the others were refused. The conversation has total tokens.
func (in *Input) screened(total int, edits []transcript.Edit) (kept []transcript.Edit, refused []string, err error) {
	if edits, refused, err = acceptable(in.Conv, edits); err != nil {
		return nil, refused, err
	}
	kept = saving(in, edits)
	refused = append(refused, useless(edits, kept)...)
	kept, more, err := acceptable(in.Conv, in.above(total, kept)) // above may have kept one half of a pair
	return kept, append(refused, more...), err
}

// acceptable returns the edits of another program that can be applied, and why the others
// were refused. If an edit is refused, the rest of its group is left out, too.
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

// permitted returns an error for the first edit of a hidden message, which the program was
// not shown, and for the first rewrite of typed text that does more than to shorten it.
// Other edits of typed text are possible only if the user unpinned it.
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
			return &transcript.EditError{Edit: e, Reason: "it would change what the user typed: only whole lines of it, in order, and markers may be left"}
		}
	}
	return nil
}

// typedText returns the text at an address, and whether a person typed it. For a picture
// of the user the text is "", so that no text may take its place.
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

// shortened reports whether is consists of whole lines of was, each at most once and in
// order, and of markers. White space around a line does not count.
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

// useless returns a refusal for each proposed edit that is not among kept.
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
