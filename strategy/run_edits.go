package strategy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"condense/transcript"
)

// cost is the tokens and bytes that edits add.
type cost struct {
	tokens, bytes int
	writes        bool // not only drops
}

// saves reports whether edits save tokens, and add no bytes. Drops alone always pass:
// some content has no tokens in some units.
func (c cost) saves() bool {
	return !c.writes || c.tokens < 0 && c.bytes <= 0
}

func (c cost) plus(d cost) cost {
	return cost{c.tokens + d.tokens, c.bytes + d.bytes, c.writes || d.writes}
}

func (in *Input) cost(e *transcript.Edit) cost {
	return cost{in.delta(e), change(in.Conv, e, bytes), e.Op != transcript.Drop}
}

// saves reports whether edits save something together.
func (in *Input) saves(edits []transcript.Edit) bool {
	var sum cost
	for i := range edits {
		sum = sum.plus(in.cost(&edits[i]))
	}
	return sum.saves()
}

// saving returns the edits that save something, alone or with their whole group.
func saving(in *Input, edits []transcript.Edit) []transcript.Edit {
	groups := map[int]cost{}
	alone := make([]cost, len(edits))
	for i := range edits {
		e := &edits[i]
		alone[i] = in.cost(e)
		groups[e.Group] = groups[e.Group].plus(alone[i])
	}
	var kept []transcript.Edit
	for i, e := range edits {
		c := alone[i]
		if e.Group != 0 {
			c = groups[e.Group]
		}
		if c.saves() {
			kept = append(kept, e)
		}
	}
	return kept
}

// Two limits of what a run may save: at least Trigger.MinGain, and not so much that
// less than Trigger.MinTokens is left.

// tooLittle returns why a run that leaves after tokens of before saves too little; ""
// when it saves enough.
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

// above returns the edits of a conversation of total tokens without those, alone or
// with their whole group, that would leave less than MinTokens.
func (in *Input) above(total int, edits []transcript.Edit) []transcript.Edit {
	least := in.Opts.Trigger.MinTokens
	if least == 0 || total+in.deltas(edits) >= least {
		return edits
	}
	groups := map[int]int{}
	for i := range edits {
		groups[edits[i].Group] += in.delta(&edits[i])
	}
	decided := map[int]bool{} // by group: whether it stays among the edits
	var kept []transcript.Edit
	for _, e := range edits {
		adds, goes := groups[e.Group], decided[e.Group]
		if e.Group == 0 {
			adds = in.delta(&e)
		}
		if _, known := decided[e.Group]; !known || e.Group == 0 {
			if goes = total+adds >= least; goes {
				total += adds
			}
			decided[e.Group] = goes
		}
		if goes {
			kept = append(kept, e)
		}
	}
	return kept
}

// maxRefusals is the number of edits of another program that are refused one by one. A
// program with more does not know the conversation that it was given.
const maxRefusals = 100

// screened returns the edits of another program that can be applied to a conversation
// of total tokens and save something, and the reasons against the others.
func (in *Input) screened(total int, edits []transcript.Edit) (kept []transcript.Edit, refused []string, err error) {
	if edits, refused, err = acceptable(in.Conv, edits); err != nil {
		return nil, refused, err
	}
	kept = saving(in, edits)
	refused = append(refused, useless(edits, kept)...)
	kept, more, err := acceptable(in.Conv, in.above(total, kept)) // a pair may have lost one half
	return kept, append(refused, more...), err
}

// acceptable returns the edits of another program that can be applied, and the reasons
// against the others. A refused edit takes its group with it.
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

// permitted refuses the first edit of a message that its program was not shown, or that
// would change typed text other than by shortening it. Typed text can be edited only
// when the user unpinned it.
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

// typedText returns the text at an address when a person typed it: "" for a picture of
// the user, in whose place no text may stand.
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
// order, and markers. White space around a line does not count.
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

// useless describes the edits in proposed that are not among kept.
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
