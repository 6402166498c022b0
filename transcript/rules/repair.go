package rules

import (
	"errors"
	"slices"

	"condense/transcript"
)

// maxRounds bounds how often a repair looks again at what it has made. Mending
// one thing may show another: a message that is empty now, a turn that begins
// with the assistant.
const maxRounds = 8

// Mended is an edit of a repair, with the finding that asked for it.
type Mended struct {
	Finding
	Edit transcript.Edit
}

// Repair mends what edits can of what the rules of the profile find, and gives
// the final state with everything that was done. answers is the role of a message
// that holds a result in the file at hand, System when the file cannot take new
// ones: then calls without a result go. Findings that may says no to are let be;
// nil allows all. What is left, CheckFor finds.
func Repair(p *Profile, c *transcript.Conversation, answers transcript.Role, may func(Finding) bool) (*transcript.Conversation, []Mended) {
	var done []Mended
	for range maxRounds {
		next, mended := repairOnce(p, c, answers, may)
		if len(mended) == 0 {
			break
		}
		c, done = next, append(done, mended...)
	}
	return c, done
}

func repairOnce(p *Profile, c *transcript.Conversation, answers transcript.Role, may func(Finding) bool) (*transcript.Conversation, []Mended) {
	v := newView(p, c)
	v.answers = answers
	var all []Mended
	t := touched{}
	group := 0
	for _, r := range p.Rules {
		if r.find == nil {
			continue
		}
		r.find(v, func(at transcript.Ref, message string, mend ...transcript.Edit) {
			if slices.ContainsFunc(mend, t.by) || may != nil && !may(r.Of(at, message)) {
				return // the next round comes back to it, if it may
			}
			group++
			for _, e := range mend {
				t.add(e)
				e.Group = group
				all = append(all, Mended{r.Of(at, message), e})
			}
		})
	}
	return apply(c, all)
}

// touched is what edits are about already: blocks (true), messages as a whole
// (true), and messages of which only blocks are (false).
type touched map[transcript.Ref]bool

// by reports whether Apply would refuse the edit for one that was added.
func (t touched) by(e transcript.Edit) bool {
	if e.Op == transcript.Insert {
		return false
	}
	whole, some := t[transcript.At(e.At.Msg)]
	_, same := t[e.At]
	return whole || same || some && e.At.Block == transcript.Whole
}

func (t touched) add(e transcript.Edit) {
	if e.Op != transcript.Insert {
		m := transcript.At(e.At.Msg)
		t[m] = t[m] || e.At == m
		t[e.At] = true
	}
}

// apply applies the edits without the groups that Apply refuses.
func apply(c *transcript.Conversation, all []Mended) (*transcript.Conversation, []Mended) {
	for len(all) > 0 {
		edits := make([]transcript.Edit, len(all))
		for i, m := range all {
			edits[i] = m.Edit
		}
		next, err := c.Apply(edits)
		if err == nil {
			return next, all
		}
		var refused *transcript.EditError
		if !errors.As(err, &refused) {
			return c, nil
		}
		all = slices.DeleteFunc(all, func(m Mended) bool { return m.Edit.Group == refused.Edit.Group })
	}
	return c, nil
}
