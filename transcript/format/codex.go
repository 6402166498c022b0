package format

import (
	"fmt"
	"strconv"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var codex = Dialect{
	Name:   "codex",
	Doc:    "Codex rollouts: response items, and events for the user interface",
	Where:  "~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl",
	Hidden: true, Mirrors: true,
	folder: []string{"payload.cwd"},
	sniff:  sniffCodex,
	decode: decodeCodex,
	fails:  saysFailed,
	render: renderCodex,
	relink: relinkCodex, ignores: codexIgnored,
	rename: renameAt("id", "payload.id", "payload.session_id", "payload.thread_id"),
	target: &rules.Codex, lint: lintCodex, kinds: &codexKinds,
}

// sniffCodex looks for a line in an envelope of Codex, or for bare items as in the first
// versions.
func sniffCodex(p *probe) bool {
	records := p.first
	if p.lines == nil {
		records = []rawjson.Value{p.doc.Root()}
	}
	for _, r := range records {
		switch r.Get("type").Str() {
		case "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state":
			if r.Get("payload").Kind() == rawjson.Object {
				return true
			}
		}
		if r.Get("record_type").Is("state") || isItem(r) && p.lines != nil {
			return true
		}
	}
	return false
}

// codexRollout is a Codex file while it is decoded.
type codexRollout struct {
	responseItems
	id          string
	live        []int // the visible messages so far
	events      []codexEvent
	rollbacks   []codexRollback
	ordinals    codexOrdinals
	awaitsUsage int    // the last assistant message, if it has no usage yet; else None
	writer      string // the model of the current turn
}

// codexState is what the hooks need of a rollout when they write it.
type codexState struct {
	rollbacks []codexRollback
	ordinals  codexOrdinals
}

// codexRollback is a record that takes turns back.
type codexRollback struct {
	record int
	turns  rawjson.Span // the literal of their number
	n      int64
	starts []int // by turn, the slot of the message at which it begins
}

func decodeCodex(f *File, p *probe) error {
	r := &codexRollout{responseItems: newResponseItems(&builder{l: splice.New(p.src)}), awaitsUsage: splice.None}
	r.quiet = true
	f.readLines(r.l, p, r.record)
	r.l.Chain.Reach(r.l.Len())
	r.resolve()
	r.l.State = codexState{r.rollbacks, r.ordinals}
	f.add(r.id, r.builder)
	return nil
}

// record reads one line. v is valid only during the call.
func (r *codexRollout) record(i int, v rawjson.Value) {
	if v.Kind() != rawjson.Object {
		return
	}
	r.ordinals.read(i, v)
	slot, body := r.l.Slot(i), v.Get("payload")
	kind := v.Get("type").Str()
	switch {
	case body.Kind() != rawjson.Object:
		if isBareItem(v, kind) {
			r.add(v, v, slot)
			return
		}
		r.header(v)
	case kind == "response_item":
		if body.Get("type").Is("ghost_snapshot") { // a commit to return to, which the model does not see
			r.aside(i, body)
			return
		}
		r.add(v, body, slot)
	case kind == "compacted":
		r.compacted(i, body)
	case kind == "event_msg":
		r.event(i, body)
	case kind == "session_meta":
		r.header(body)
	case kind == "inter_agent_communication": // older versions had this in the place of an agent_message
		r.add(v, body, slot)
	default:
		if kind == "turn_context" {
			r.writer = body.Get("model").Str()
		}
		r.aside(i, body)
	}
}

// isBareItem reports whether a line of an old rollout is an item, not a header or a
// state.
func isBareItem(v rawjson.Value, kind string) bool {
	return kind != "" && !v.Get("record_type").Ok() && (kind == "message" && v.Get("role").Ok() || kind != "message" && isItem(v))
}

// header reads the first line of the session. Its tools are settings, not messages, and
// nothing repeats them, so they stay. The client sends its instructions with every request.
func (r *codexRollout) header(v rawjson.Value) {
	if r.id != "" {
		return
	}
	r.id = textOf(v, "id", "session_id")
	r.frame(v.Get("base_instructions").Get("text"))
}

// add reads an item that lies in line v.
func (r *codexRollout) add(v, item rawjson.Value, slot int) {
	before := len(r.msgs)
	r.item(item, slot)
	for msg := before; msg < len(r.msgs); msg++ {
		r.msgs[msg].SetTime(timestamp(v))
		r.live = append(r.live, msg)
		if r.msgs[msg].Role == transcript.Assistant {
			r.awaitsUsage = msg
			r.msgs[msg].SetModel(r.writer)
		}
	}
}

// compacted reads a record that replaces the history by its own items. Older versions
// keep the typed messages so far and add a summary.
func (r *codexRollout) compacted(i int, body rawjson.Value) {
	slot, summary := r.l.Slot(i), body.Get("message")
	history := body.Get("replacement_history")
	kept := r.live[:0]
	for _, msg := range r.live {
		if history.Kind() != rawjson.Array && r.turn(msg) {
			kept = append(kept, msg)
			continue
		}
		r.msgs[msg].Hidden = true
	}
	r.live, r.awaitsUsage = kept, splice.None
	if history.Kind() != rawjson.Array {
		if summary.Kind() == rawjson.String && summary.Str() != "" {
			mb := r.message(transcript.User, slot)
			mb.segments(summary, summary.Str(), slot, []segment{{0, len(summary.Str()), transcript.Text, transcript.Generated, ""}})
			r.live = append(r.live, len(r.msgs)-1)
		}
		return
	}
	r.aside(i, summary) // the history repeats it
	at := r.l.Elems(slot, history)
	for e := range history.Elems() {
		if e.Kind() == rawjson.Object {
			before := len(r.msgs)
			r.item(e, at)
			for msg := before; msg < len(r.msgs); msg++ {
				r.live = append(r.live, msg)
			}
		}
		at++
	}
}

// turn reports whether a message begins a turn: it holds typed text, or a marker that
// stands for it.
func (r *codexRollout) turn(msg int) bool {
	if r.msgs[msg].Role != transcript.User {
		return false
	}
	for _, b := range r.msgs[msg].Blocks {
		if (b.Kind == transcript.Text || b.Kind == transcript.Media) && b.Origin == transcript.Typed || transcript.IsMarker(b.Text()) {
			return true
		}
	}
	return false
}

// rollBack hides the last turns.
func (r *codexRollout) rollBack(i int, turns rawjson.Value) {
	n, _ := turns.Int()
	back := codexRollback{record: i, turns: turns.Span(), n: n}
	for k := len(r.live) - 1; k >= 0 && int64(len(back.starts)) < n; k-- {
		msg := r.live[k]
		if !r.turn(msg) {
			continue
		}
		for _, m := range r.live[k:] {
			r.msgs[m].Hidden = true
		}
		r.live = r.live[:k]
		back.starts = append(back.starts, r.l.Messages[msg].Records[0])
	}
	if turns.Kind() == rawjson.Number {
		r.rollbacks = append(r.rollbacks, back)
	}
}

// renderCodex returns a new message as a line like its neighbours, or as an item of the
// history of a compaction.
func renderCodex(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	item := renderItem(c.Style(), in.Message)
	if c.Nested(i) {
		return item
	}
	neighbour := c.Before(i, func(v rawjson.Value) bool { return v.Get("payload").Kind() == rawjson.Object })
	if !neighbour.Ok() { // bare items
		return item
	}
	out := []byte{'{'}
	if v := neighbour.Get("timestamp"); v.Ok() {
		out = fmt.Appendf(out, `"timestamp":%s,`, v.Raw())
	}
	state := c.State.(codexState)
	if ordinals, _ := state.ordinals.place(c); ordinals != nil {
		out = fmt.Appendf(out, `"ordinal":%d,`, ordinals[i])
	}
	out = append(out, `"type":"response_item","payload":`...)
	return append(append(out, item...), '}')
}

// relinkCodex lowers the number of turns of a rollback by the turns that are removed, and
// removes the rollback when none remain. It also removes the ids of items whose reasoning
// is removed, and keeps the ordinals of the lines in order.
func relinkCodex(c *splice.Change) []rawjson.Edit {
	edits := removeItemIDs(c, func(v rawjson.Value) rawjson.Value {
		if body := v.Get("payload"); body.Ok() {
			if !v.Get("type").Is("response_item") {
				return rawjson.Value{}
			}
			return body
		}
		return v
	})
	state := c.State.(codexState)
	_, raised := state.ordinals.place(c)
	edits = append(edits, raised...)
	for _, b := range state.rollbacks {
		if c.Gone(b.record) {
			continue
		}
		lost := 0
		for _, slot := range b.starts {
			if c.GoneSlot(slot) {
				lost++
			}
		}
		switch {
		case lost == 0:
		case lost == len(b.starts):
			edits = append(edits, rawjson.Edit{Span: c.RecordSpan(b.record)})
		default:
			edits = append(edits, rawjson.Edit{Span: b.turns, New: strconv.AppendInt(nil, int64(len(b.starts)-lost), 10)})
		}
	}
	return edits
}
