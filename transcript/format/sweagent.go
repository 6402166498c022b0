package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var sweAgent = Dialect{
	Name:   "swe-agent",
	Doc:    "SWE-agent trajectories, and data sets of them with one run in each row",
	Where:  "trajectories/USER/RUN/INSTANCE/*.traj",
	Hidden: true, Mirrors: true,
	sniff:  sniffSWEAgent,
	decode: decodeSWEAgent,
	rows:   true,
	fails:  saysFailed,
	render: renderTurn,
}

// sniffSWEAgent looks for a row with the messages of a run.
func sniffSWEAgent(p *probe) bool {
	if p.lines == nil && isNebius(p.doc.Root(), sniffRows) {
		return true
	}
	for _, row := range p.firstRows() {
		if array, _ := sweMessages(row); array.Ok() {
			return true
		}
	}
	return false
}

// sweMessages returns the messages of a run, and the key of their texts. They are a
// history beside a trajectory, a history whose messages name their agent, or a trajectory
// of messages.
func sweMessages(row rawjson.Value) (array rawjson.Value, key string) {
	if h := row.Get("history"); h.Kind() == rawjson.Array {
		beside := row.Get("trajectory").Kind() == rawjson.Array || row.Get("replay_config").Ok()
		if beside && h.Len() == 0 { // a run that failed before it began
			return h, "content"
		}
		for _, m := range firstObjects(h, sniffRows) {
			switch _, known := chatRole(m.Get("role").Str()); {
			case m.Get("role").Kind() != rawjson.String, known && !m.Get("content").Ok():
				return rawjson.Value{}, ""
			case !m.Get("content").Ok(): // the model does not see it; the others decide, because it may be removed
				continue
			}
			if beside || m.Get("agent").Ok() && (m.Get("message_type").Ok() || m.Get("thought").Ok()) {
				return h, "content"
			}
		}
	}
	if h := row.Get("trajectory"); isNebius(h, sniffRows) {
		return h, "text"
	}
	return rawjson.Value{}, ""
}

// isNebius reports whether an array is a trajectory in the data sets of Nebius, by its first n elements.
func isNebius(array rawjson.Value, n int) bool {
	for _, m := range firstObjects(array, n) {
		if m.Get("role").Kind() == rawjson.String && (m.Get("text").Ok() || m.Get("system_prompt").Ok()) {
			return true
		}
	}
	return false
}

func decodeSWEAgent(f *File, p *probe) error {
	if root := p.doc.Root(); p.lines == nil && isNebius(root, root.Len()) {
		t := &sweTurns{builder: rowBuilder(p.src, root, root), key: "text"}
		t.messages(root)
		f.add("1", t.builder)
		return nil
	}
	f.eachRow(p, func(i int, row rawjson.Value) {
		array, key := sweMessages(row)
		if !array.Ok() {
			return
		}
		t := &sweTurns{builder: rowBuilder(p.src, row, array), key: key}
		t.messages(array)
		if key == "content" {
			t.steps(row.Get("trajectory"))
		}
		t.l.MirrorMembers(splice.None, row, false, nil, "history", "trajectory")
		f.add(rowID(row, i), t.builder)
	})
	if f.Convs == nil {
		return &Error{Offset: -1, Reason: "no history with messages found, " + p.looks()}
	}
	return nil
}

// steps makes mirrors of the steps of a trajectory. Each step repeats an answer of the
// history and its observation.
func (t *sweTurns) steps(trajectory rawjson.Value) {
	byText := map[string][]int{}
	for i, a := range t.answers {
		byText[a.text] = append(byText[a.text], i)
	}
	for step := range trajectory.Elems() {
		var said, seen []transcript.Ref
		if found := byText[step.Get("response").Str()]; len(found) > 0 {
			a := t.answers[found[0]]
			byText[step.Get("response").Str()] = found[1:]
			said = blocksOf(a.msg, t.msgs[a.msg])
			if a.result != splice.None {
				seen = blocksOf(a.result, t.msgs[a.result])
			}
		}
		for k, m := range step.Members() {
			at := splice.Mirror{Slot: splice.None, Value: m.Span()}
			switch {
			case isOneOf(k, []string{"response", "thought", "action"}):
				at.Blocks, at.Strict = said, said != nil
			case k.Is("observation"):
				at.Blocks, at.Strict = seen, seen != nil
			}
			t.l.AddMirror(at)
		}
	}
}

// renderTurn returns a new message with the members that its neighbours have.
func renderTurn(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	key, role := "content", m.Role.String()
	like := c.Like(func(r rawjson.Value) bool { return r.Get("role").Ok() && firstOf(r, "content", "text").Ok() })
	if !like.Get("content").Ok() && like.Get("text").Ok() {
		key = "text"
		if m.Role == transcript.Assistant {
			role = "ai"
		}
	}
	out := append([]byte(`{"role":"`), role...)
	out = append(append(append(out, `","`...), key...), `":`...)
	out = append(out, joinedText(c.Style(), m)...)
	if agent := like.Get("agent"); agent.Kind() == rawjson.String {
		out = append(append(out, `,"agent":`...), agent.Raw()...)
	}
	if _, fenced := lastCommand(messageText(m), ""); fenced && m.Role == transcript.Assistant {
		out = append(out, `,"tool_calls":[]`...) // the text shows a command and runs none
	}
	return append(out, '}')
}
