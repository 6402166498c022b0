package format

import (
	"fmt"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// ATIF is harbor's Agent Trajectory Interchange Format. A step of the agent holds what the
// model said, its calls, and their results. Steps are numbered without gaps. The version is
// not compared: each has only added members.

var atif = Dialect{
	Name:    "atif",
	Doc:     "trajectories in harbor's Agent Trajectory Interchange Format: {schema_version: \"ATIF-v1.…\", agent, steps}",
	Where:   "agent/trajectory.json of each trial of a harbor job, data sets with one trajectory in each row",
	Mirrors: true,
	rows:    true,
	sniff:   sniffATIF,
	decode:  decodeATIF,
	fails:   saysFailed,
	render:  renderATIF,
	relink:  relinkATIF,
	target:  &rules.ATIF,
	lint:    lintATIF,
}

// sniffATIF looks for the name of the format.
func sniffATIF(p *probe) bool {
	for _, row := range p.firstRows() {
		if strings.HasPrefix(row.Get("schema_version").Str(), "ATIF-") && row.Get("steps").Kind() == rawjson.Array {
			return true
		}
	}
	return false
}

func decodeATIF(f *File, p *probe) error {
	f.eachRow(p, func(i int, row rawjson.Value) {
		f.trajectory(row, idOf(row, i, "trajectory_id", "session_id"))
	})
	if f.Convs == nil {
		return &Error{Offset: -1, Reason: "no trajectory with steps found, " + p.looks()}
	}
	return nil
}

// trajectory adds the conversation of a trajectory, and those of the sub-agents in it.
func (f *File) trajectory(v rawjson.Value, id string) {
	if steps := v.Get("steps"); steps.Kind() == rawjson.Array {
		b := rowBuilder(f.src, v, steps)
		b.model = v.Get("agent").Get("model_name").Str()
		joined := strings.HasPrefix(v.Get("agent").Get("name").Str(), "terminus")
		numbers, i := &stepNumbers{}, 0
		for e := range steps.Elems() {
			numbers.read(e)
			b.step(e, b.l.Slot(i), joined)
			i++
		}
		b.l.State = numbers
		b.l.MirrorMembers(splice.None, v, false, nil, "steps", "subagent_trajectories")
		f.add(id, b)
	}
	i := 0
	for sub := range v.Get("subagent_trajectories").Elems() { // the depth of JSON is bounded
		f.trajectory(sub, id+"."+idOf(sub, i, "trajectory_id", "session_id"))
		i++
	}
}

// step reads one step: a message, and another with the results of its calls. joined is that of linkStep.
func (c *builder) step(v rawjson.Value, slot int, joined bool) {
	role := transcript.User
	switch v.Get("source").Str() {
	case "agent":
		role = transcript.Assistant
	case "system":
		role = transcript.System
	case "user":
	default:
		return
	}
	msg, at, loss := len(c.msgs), timestamp(v), c.stepLoss(v)
	mb := c.message(role, slot)
	callIDs, resultIDs := linkStep(v, joined)
	mb.m.Loss = loss
	mb.m.SetTime(at)
	mb.m.SetModel(v.Get("model_name").Str())
	mb.m.SetUsage(stepUsage(v.Get("metrics")))
	mb.thought(v.Get("reasoning_content"), c.l.Member(slot, v, "reasoning_content"))
	if text := v.Get("message"); text.Kind() != rawjson.String || text.Str() != "" {
		mb.content(text, body(c.l, slot, v, "message"))
	}
	if calls := v.Get("tool_calls"); calls.Kind() == rawjson.Array && calls.Len() > 0 {
		first, i := c.l.Elems(c.l.Member(slot, v, "tool_calls"), calls), 0
		for e := range calls.Elems() {
			before := len(mb.m.Blocks)
			mb.addCall(callIDs[i], e.Get("function_name").Str(), e.Get("arguments"), first+i)
			c.l.MirrorMembers(first+i, e, false, mb.refs(msg)[before:], "arguments")
			i++
		}
	}
	refs := mb.refs(msg)
	c.dropEmpty()
	c.results(v, slot, resultIDs).m.SetTime(at)
	c.dropEmpty()
	for ; msg < len(c.msgs); msg++ {
		c.msgs[msg].Loss = loss
	}
	for _, key := range []string{"completion_token_ids", "logprobs"} {
		c.l.AddMirror(splice.Mirror{Slot: slot, Value: v.Get("metrics").Get(key).Span(), Blocks: refs, Encoded: true})
	}
	c.l.AddMirror(splice.Mirror{Slot: slot, Value: v.Get("metrics").Get("prompt_token_ids").Span(), Encoded: true})
	c.l.MirrorMembers(slot, v, false, refs, "message", "reasoning_content", "tool_calls", "observation", "metrics")
	c.l.MirrorMembers(slot, v.Get("metrics"), false, refs, "completion_token_ids", "logprobs", "prompt_token_ids")
}

// results reads the results in a step, which answer the calls with the ids, as a message of their own.
func (c *builder) results(v rawjson.Value, slot int, ids []string) *messageBuilder {
	msg, mb := len(c.msgs), c.message(transcript.Tool, slot)
	seen := v.Get("observation")
	list := seen.Get("results")
	if list.Kind() != rawjson.Array || list.Len() == 0 {
		return mb
	}
	first, i := c.l.Elems(c.l.Member(slot, v, "observation"), list), 0
	for e := range list.Elems() {
		id, content := ids[i], e.Get("content")
		if id != "" || content.Ok() {
			before := len(mb.m.Blocks)
			mb.addResult(id, "", false, content, first+i)
			c.l.MirrorMembers(first+i, e, false, mb.refs(msg)[before:], "content", "source_call_id")
		}
		i++
	}
	c.l.MirrorMembers(slot, seen, false, mb.refs(msg), "results")
	return mb
}

// linkStep returns the ids of the calls of a step and of its results, by their index. Results that do not name
// their calls belong to the last ones, in order. joined says that the agent writes one result for all commands of
// a step. There the calls without a result have no id, so that none is missing. To remove a call, with its result if
// it has one, changes no other id.
func linkStep(v rawjson.Value, joined bool) (calls, results []string) {
	named, unnamed := map[string]bool{}, []int(nil) // indices of results
	for e := range v.Get("observation").Get("results").Elems() {
		id := e.Get("source_call_id").Str()
		if named[id] = true; id == "" && e.Get("content").Ok() {
			unnamed = append(unnamed, len(results))
		}
		results = append(results, id)
	}
	var waiting []int // indices of calls
	for e := range v.Get("tool_calls").Elems() {
		id := e.Get("tool_call_id").Str()
		if id != "" && !named[id] {
			waiting = append(waiting, len(calls))
		}
		calls = append(calls, id)
	}
	alone := max(0, len(waiting)-len(unnamed))
	for i, call := range waiting {
		switch {
		case i >= alone:
			results[unnamed[i-alone]] = calls[call]
		case joined:
			calls[call] = ""
		}
	}
	return calls, results
}

// stepLoss returns what a step says about training. Copies of earlier steps are no labels, nor
// are calls that no model made.
func (c *builder) stepLoss(v rawjson.Value) transcript.Loss {
	calls, counted := v.Get("llm_call_count").Int()
	if v.Get("is_copied_context").Bool() || counted && calls == 0 {
		return transcript.LossOff
	}
	return c.lossOf(v)
}

// stepUsage reads the token counts of a step. The count of the prompt includes the cached tokens.
func stepUsage(v rawjson.Value) *transcript.Usage {
	count := wholeNumbers(v)
	if count("prompt_tokens")+count("completion_tokens") == 0 {
		return nil
	}
	cached := count("cached_tokens")
	return &transcript.Usage{Input: uncached(count("prompt_tokens"), cached), CacheRead: cached, Output: count("completion_tokens")}
}

// stepNumbers holds the numbers of the steps of a trajectory. Each should be one more than the
// one before.
type stepNumbers struct {
	spans   []rawjson.Span // by step, the literal; empty when it has no number
	numbers []int64        // by step
	first   int64          // the number of the first step, or 1
	any     bool           // some step has a number
}

// read notes the number of the next step.
func (s *stepNumbers) read(v rawjson.Value) {
	at := v.Get("step_id")
	n, ok := at.Int()
	span := at.Span()
	if !ok {
		span = rawjson.Span{}
	}
	if s.any = s.any || ok; len(s.spans) == 0 {
		s.first = 1
		if ok {
			s.first = n
		}
	}
	s.spans, s.numbers = append(s.spans, span), append(s.numbers, n)
}

// renumber returns the numbers of new messages, by index in c.Inserted, and the edits that move
// the numbers of the steps that stay by as much as the steps themselves move. So a step that was
// not in the place of its number stays as it was. It returns nil where no step has a number.
func (s *stepNumbers) renumber(c *splice.Change) (added []int64, edits []rawjson.Edit) {
	if !s.any {
		return nil, nil
	}
	added = make([]int64, len(c.Inserted))
	moved, next := int64(0), 0
	for i := range len(s.spans) + 1 {
		for ; next < len(c.Inserted) && (c.Inserted[next].Record <= i || i == len(s.spans)); next++ {
			added[next] = s.first + int64(i) + moved
			moved++
		}
		switch {
		case i == len(s.spans):
		case c.Gone(i):
			moved--
		case moved != 0 && s.spans[i] != rawjson.Span{}:
			edits = append(edits, rawjson.Edit{Span: s.spans[i], New: strconv.AppendInt(nil, s.numbers[i]+moved, 10)})
		}
	}
	return added, edits
}

// relinkATIF moves the numbers of the steps that stay.
func relinkATIF(c *splice.Change) []rawjson.Edit {
	_, edits := c.State.(*stepNumbers).renumber(c)
	return edits
}

// renderATIF returns a new message as a step.
func renderATIF(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	out := []byte{'{'}
	if added, _ := c.State.(*stepNumbers).renumber(c); added != nil {
		out = fmt.Appendf(out, `"step_id":%d,`, added[i])
	}
	if at := m.Time(); !at.IsZero() {
		out = fmt.Appendf(out, `"timestamp":%q,`, at.Format("2006-01-02T15:04:05.000Z"))
	}
	source := "user"
	switch m.Role {
	case transcript.Assistant:
		source = "agent"
	case transcript.System:
		source = "system"
	}
	return fmt.Appendf(out, `"source":%q,"message":%s}`, source, joinedText(c.Style(), m))
}

// lintATIF finds steps that are not numbered one by one from 1.
func lintATIF(f *File) (found []flaw) {
	last := -1 // the conversation before
	var want int64
	f.eachRecord(func(conv, _ int, v rawjson.Value) {
		if conv != last {
			last, want = conv, 0
		}
		want++
		at := v.Get("step_id")
		switch n, ok := at.Int(); {
		case v.Kind() != rawjson.Object || ok && n == want:
		case !at.Ok():
			start := v.Span().Start + 1
			x := f.flaw(&rules.StepID, start-1, "the step has no step_id")
			comma := ","
			if v.Len() == 0 {
				comma = ""
			}
			edit := rawjson.Edit{Span: rawjson.Span{Start: start, End: start}, New: fmt.Appendf(nil, `"step_id":%d%s`, want, comma)}
			found = append(found, x.mended("its place in the list", edit))
		default:
			x := f.flaw(&rules.StepID, at.Span().Start, fmt.Sprintf("step_id %.20s is in place %d", at.Raw(), want))
			found = append(found, x.mended("its place in the list", rawjson.Edit{Span: at.Span(), New: strconv.AppendInt(nil, want, 10)}))
		}
	})
	return found
}
