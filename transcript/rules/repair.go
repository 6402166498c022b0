package rules

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"condense/transcript"
)

// maxPasses is the maximal number of passes of a repair. A repair may cause another
// finding: a message that becomes empty, or a conversation that begins with the
// assistant.
const maxPasses = 8

// Mended is an edit of a repair, with the finding that it repairs.
type Mended struct {
	Finding
	Edit transcript.Edit
}

// Repair applies the edits that the findings by the rules of a profile propose, in several passes.
// It returns the final conversation and all edits that it applied. Findings that no edit can repair
// remain.
//
// The argument answers is the role of a message that holds a result in the file. System means that
// the file cannot hold new results, so that calls without a result are dropped. The function may
// reports whether a finding may be repaired; nil allows all.
func Repair(p *Profile, c *transcript.Conversation, answers transcript.Role, may func(Finding) bool) (*transcript.Conversation, []Mended) {
	var done []Mended
	for range maxPasses {
		next, mended := repairOnce(p, c, answers, may)
		if len(mended) == 0 {
			break
		}
		c, done = next, append(done, mended...)
	}
	return c, done
}

// repairOnce is one pass of Repair.
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
				return // the next pass finds it again
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

// touched holds the addresses that edits change: blocks (true), whole messages (true),
// and messages of which only blocks change (false).
type touched map[transcript.Ref]bool

// by reports whether Apply would refuse an edit because of an edit that was added before.
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

// apply applies the edits except the groups that Apply refuses.
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

// Texts that a repair inserts for missing content. Both state that no tool or person wrote them.
const (
	noResult    = "[no result was recorded for this call]"
	noBeginning = "[the beginning of this conversation was not recorded]"
)

// drop proposes to remove a block or message.
func drop(at transcript.Ref, why string) transcript.Edit {
	return transcript.Edit{At: at, Op: transcript.Drop, Why: why}
}

// insertBehind proposes a message right after another in the effective view.
func (v *view) insertBehind(msg int, m *transcript.Message, why string) transcript.Edit {
	at, position := transcript.At(transcript.End), v.c.Position(msg)
	if next := sort.Search(len(v.msgs), func(i int) bool { return v.c.Position(v.msgs[i].ID) > position }); next < len(v.msgs) {
		at = transcript.At(v.msgs[next].ID)
	}
	return transcript.Edit{At: at, Op: transcript.Insert, New: m, Why: why}
}

// findBeginning reports a conversation that does not begin with the user, and proposes
// a message in front of it which states that the beginning is missing.
func (v *view) findBeginning(message string, broken report) {
	t := v.sideRuns()
	if len(t) == 0 || t[0].role == transcript.User || beginsCompacted(v.c.Message(t[0].msgs[0])) {
		return
	}
	at := transcript.At(t[0].msgs[0])
	b := &transcript.Block{Origin: transcript.Generated, Parts: []transcript.Part{{Text: noBeginning}}}
	m := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{b}}
	broken(at, message, transcript.Edit{At: at, Op: transcript.Insert, New: m, Why: "a user message in front"})
}

// beginsCompacted reports whether a message begins with a summary of the API, which
// stands for all content before it.
func beginsCompacted(m *transcript.Message) bool {
	return len(m.Blocks) > 0 && m.Blocks[0].Tool == "compaction" && m.Blocks[0].Fixed
}

// orphan proposes to drop a result, unless an earlier message has its call. In that case
// the repair of the call moves the result.
func (v *view) orphan(result item, why string) []transcript.Edit {
	if _, paired := v.c.Partner(result.at); paired {
		return nil
	}
	return []transcript.Edit{drop(result.at, why)}
}

// answer proposes a result right after message msg for a call that has none there. It is
// the call's own result, moved from its present place, or a new one which states that
// none was recorded. Where the file cannot hold a new result, answer proposes to drop the
// call.
func (v *view) answer(call item, msg int) []transcript.Edit {
	result, late := v.c.Partner(call.at)
	switch {
	case late:
		return v.move(v.item(result.Msg, v.c.Block(result)), msg)
	case v.answers == transcript.System:
		return []transcript.Edit{drop(call.at, "a call without a result")}
	}
	b := &transcript.Block{
		Kind: transcript.ToolResult, Call: call.Call, Tool: call.Tool, Origin: transcript.Generated,
		Parts: []transcript.Part{{Text: noResult}},
	}
	m := &transcript.Message{Role: v.answers, Blocks: []*transcript.Block{b}}
	return []transcript.Edit{v.insertBehind(msg, m, "a result for the call "+call.Call+" of "+call.Tool)}
}

// move proposes to move a result to a new message right after message msg. Media cannot be moved.
func (v *view) move(result item, msg int) []transcript.Edit {
	hasMedia := slices.ContainsFunc(result.Parts, func(p transcript.Part) bool { return p.Media != nil })
	if v.answers == transcript.System || hasMedia || result.Text() == "" {
		return nil
	}
	b := &transcript.Block{
		Kind: transcript.ToolResult, Call: result.Call, Tool: result.Tool, Origin: result.Origin, Error: result.Error,
		Parts: []transcript.Part{{Text: result.Text()}},
	}
	m := &transcript.Message{Role: v.answers, Blocks: []*transcript.Block{b}}
	return []transcript.Edit{
		v.insertBehind(msg, m, "the result of the call "+result.Call+", from further down"),
		drop(result.at, "a result that stands in the wrong place"),
	}
}

// A Pair is a call and the result that most likely answers it.
type Pair struct{ Call, Result transcript.Ref }

// Facing returns the calls without a result and the results without a call that face each
// other: in a run of messages of the model and the results right behind it, there is exactly
// one of each, and their tools do not differ. Calls and results without an id of the file do
// not count.
func Facing(c *transcript.Conversation) (pairs []Pair) {
	var calls, results []transcript.Ref
	answered := false // the run has results
	end := func() {
		if len(calls) == 1 && len(results) == 1 {
			call, result := c.Block(calls[0]), c.Block(results[0])
			if call.Tool == "" || result.Tool == "" || call.Tool == result.Tool {
				pairs = append(pairs, Pair{calls[0], results[0]})
			}
		}
		calls, results, answered = nil, nil, false
	}
	for m := range c.Visible() {
		if m.Role == transcript.Assistant && answered {
			end()
		}
		here := false
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			_, whole := c.Partner(ref)
			alone := !whole && b.Call != "" && !strings.HasPrefix(b.Call, MadeUp)
			switch {
			case b.Kind == transcript.ToolCall && alone:
				calls = append(calls, ref)
			case b.Kind == transcript.ToolResult && m.Role != transcript.Assistant:
				here = true
				if alone {
					results = append(results, ref)
				}
			}
		}
		if answered = answered || here; m.Role != transcript.Assistant && !here {
			end()
		}
	}
	end()
	return pairs
}
