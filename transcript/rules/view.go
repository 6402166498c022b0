package rules

import (
	"strings"

	"condense/transcript"
)

// MadeUp begins the call ids that a dialect invents for calls in prose, where the file
// has no ids. An API sees only text there.
const MadeUp = "prose "

// A view is the effective view of a conversation as a profile reads it.
type view struct {
	c *transcript.Conversation
	// reassembles: the client moves every result right after its call before it sends a request.
	reassembles bool
	unnamed     bool // calls need no ids, so calls with made-up ids count
	// answers is the role of a message that holds a result in the file; System when
	// the file cannot hold new results.
	answers transcript.Role
	open    map[int]bool // messages of units in progress; nil if there are none
	msgs    []*transcript.Message
	merged  []sideRun
	paired  *pairing
}

// An item is a block with its address.
type item struct {
	at transcript.Ref
	*transcript.Block
	native bool // the API sees it as a call or result, not as text
}

// A sideRun is a run of messages of one side, which some APIs merge.
type sideRun struct {
	role  transcript.Role // User or Assistant
	items []item
	msgs  []int // its messages, in order; some have no blocks
}

func newView(p *Profile, c *transcript.Conversation) *view {
	v := &view{c: c, reassembles: p.reassembles, unnamed: p.unnamed, msgs: make([]*transcript.Message, 0, len(c.Messages))}
	for m := range c.Visible() {
		v.msgs = append(v.msgs, m)
	}
	if !v.waits() { // otherwise a unit may be open
		return v
	}
	v.open = map[int]bool{}
	for _, u := range c.Units() {
		if u.Open {
			for _, id := range u.Msgs {
				v.open[id] = true
			}
		}
	}
	return v
}

// waits reports whether a call has no result.
func (v *view) waits() bool {
	for ref, b := range v.c.Blocks() {
		if b.Kind == transcript.ToolCall && b.Call != "" {
			if _, ok := v.c.Partner(ref); !ok {
				return true
			}
		}
	}
	return false
}

func (b item) isCall() bool   { return b.Kind == transcript.ToolCall && b.native }
func (b item) isResult() bool { return b.Kind == transcript.ToolResult && b.native }

// item returns a block of the view with its address.
func (v *view) item(msg int, b *transcript.Block) item {
	native := b.Call != "" && (v.unnamed || !strings.HasPrefix(b.Call, MadeUp))
	return item{transcript.Ref{Msg: msg, Block: b.ID, Part: transcript.Whole}, b, native}
}

// items lists the blocks of a message.
func (v *view) items(m *transcript.Message) []item {
	list := make([]item, len(m.Blocks))
	for i, b := range m.Blocks {
		list[i] = v.item(m.ID, b)
	}
	return list
}

// each calls f for every block of the view.
func (v *view) each(f func(b item)) {
	for _, m := range v.msgs {
		for _, b := range m.Blocks {
			f(v.item(m.ID, b))
		}
	}
}

// side returns the role of a message for APIs with two roles.
func side(m *transcript.Message) transcript.Role {
	if m.Role == transcript.Tool {
		return transcript.User
	}
	return m.Role
}

// sideRuns merges adjacent messages of one side. It leaves out messages of the system.
func (v *view) sideRuns() []sideRun {
	if v.merged != nil {
		return v.merged
	}
	moved := map[transcript.Ref]bool{}
	for _, m := range v.msgs {
		if m.Role == transcript.System {
			continue
		}
		own := v.items(m)
		if v.reassembles {
			own = without(own, moved)
		}
		if len(own) > 0 || len(m.Blocks) == 0 {
			v.extend(side(m), m.ID, own)
		}
		if v.reassembles && m.Role == transcript.Assistant {
			v.hoist(m, moved)
		}
	}
	return v.merged
}

// extend adds the items of a message to the last run, or to a new one.
func (v *view) extend(role transcript.Role, msg int, list []item) {
	last := len(v.merged) - 1
	if last < 0 || v.merged[last].role != role {
		v.merged = append(v.merged, sideRun{role: role})
		last++
	}
	t := &v.merged[last]
	t.items = append(t.items, list...)
	t.msgs = append(t.msgs, msg)
}

// hoist adds the results of the calls of m right after m.
func (v *view) hoist(m *transcript.Message, moved map[transcript.Ref]bool) {
	for _, call := range v.items(m) {
		result, ok := v.c.Partner(call.at)
		if !ok || !call.isCall() || result.Msg == m.ID {
			continue
		}
		moved[result] = true
		v.extend(transcript.User, result.Msg, []item{v.item(result.Msg, v.c.Block(result))})
	}
}

// without returns the items that are not in moved.
func without(list []item, moved map[transcript.Ref]bool) []item {
	var left []item
	for _, it := range list {
		if !moved[it.at] {
			left = append(left, it)
		}
	}
	return left
}

// A pairing holds the matches of calls and results run by run, for APIs that require the results of
// a run in the next run.
type pairing struct {
	unanswered []lone // calls whose result is not in the next run
	orphans    []item // results whose call is not in the run before
	repeated   []item // second results for one call
	behind     []lone // results after content that is not a result, and the last message of the run before
	server     []item // results in a run of the model without their call before them
}

// A lone is a call or result with the message after which its result belongs.
type lone struct {
	item
	last int
}

func (v *view) pairing() *pairing {
	if v.paired != nil {
		return v.paired
	}
	p := &pairing{}
	v.paired = p
	runs := v.sideRuns()
	calls := map[string]bool{} // of the run before
	for i, t := range runs {
		if t.role != transcript.Assistant {
			last := transcript.End
			if i > 0 {
				before := runs[i-1].msgs
				last = before[len(before)-1]
			}
			p.answers(t, calls, last)
			calls = map[string]bool{}
			continue
		}
		var next []item
		if i+1 < len(runs) {
			next = runs[i+1].items
		}
		calls = p.calls(t, next, v.open)
	}
	return p
}

// calls reads a run of the model and returns the ids of its calls.
func (p *pairing) calls(t sideRun, next []item, open map[int]bool) map[string]bool {
	calls, answered := map[string]bool{}, map[string]bool{}
	for _, it := range t.items {
		switch {
		case it.isCall():
			calls[it.Call] = true
		case it.isResult() && !calls[it.Call]:
			p.server = append(p.server, it)
		case it.isResult():
			answered[it.Call] = true
		}
	}
	for _, it := range next {
		if it.isResult() {
			answered[it.Call] = true
		}
	}
	for _, it := range t.items {
		if it.isCall() && !answered[it.Call] && !open[it.at.Msg] {
			p.unanswered = append(p.unanswered, lone{it, t.msgs[len(t.msgs)-1]})
			answered[it.Call] = true // once for each id
		}
	}
	return calls
}

// answers reads a run of the user; last is the last message of the run before.
func (p *pairing) answers(t sideRun, calls map[string]bool, last int) {
	seen := map[string]bool{}
	other := false
	for _, it := range t.items {
		switch {
		case !it.isResult():
			other = true
		case !calls[it.Call]:
			p.orphans = append(p.orphans, it)
		case seen[it.Call]:
			p.repeated = append(p.repeated, it)
		case other:
			p.behind = append(p.behind, lone{it, last})
			seen[it.Call] = true
		default:
			seen[it.Call] = true
		}
	}
}
