package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// compaction makes a summary the beginning of what the model sees. What was said
// while it was written stays.
func (s *copilotLog) compaction(i int, v rawjson.Value) {
	slot := s.l.Slot(i)
	s.summary(slot, v.Get("data"), "summaryContent")
	s.l.MirrorMembers(slot, v.Get("data"), false, nil, "summaryContent")
	if s.start = i; s.begun != splice.None {
		s.start = s.begun
	}
	s.begun = splice.None
	for k, m := range s.msgs {
		if s.recordOf(k) < s.start && m.Role != transcript.System {
			m.Hidden = true
		}
	}
}

// rewind hides the events that the user took back, from the named one on.
func (s *copilotLog) rewind(i int, to string) {
	from, known := s.l.Chain.ByID[to]
	if !known || to == "" {
		return
	}
	for k, m := range s.msgs {
		if r := s.recordOf(k); from <= r && r < i {
			m.Hidden = true
		}
	}
}

func (s *copilotLog) recordOf(msg int) int { return s.l.RecordOf(s.l.Messages[msg].Records[0]) }

// hide leaves the last of the system prompts, which the log repeats with every
// prompt of the user: the model has one.
func (s *copilotLog) hide() {
	later := false
	for i := len(s.msgs) - 1; i >= 0; i-- {
		if m := s.msgs[i]; m.Role == transcript.System && !m.Hidden {
			m.Hidden, later = later, true
		}
	}
}

// hook notes what a hook was told: the prompt, calls, what a tool answered.
func (s *copilotLog) hook(i int, data rawjson.Value) {
	slot, input := s.l.Slot(i), data.Get("input")
	for c := range input.Get("toolCalls").Elems() {
		s.about = append(s.about, about{record: i, value: c.Span(), call: c.Get("id").Str()})
	}
	h := copilotHook{record: i, text: input.Get("toolResult").Get("textResultForLlm").Str()}
	if v := input.Get("toolArgs"); v.Ok() {
		h.args = v.Span()
	}
	if v := input.Get("toolResult"); v.Ok() {
		h.result = v.Span()
	}
	s.hooks = append(s.hooks, h)
	s.l.MirrorMembers(slot, input, false, nil, "toolCalls", "toolArgs", "toolResult")
	s.l.MirrorMembers(slot, data, false, nil, "input")
}

// addMirrors notes what repeats calls and results, once all are known. What a
// hook was told of a result names no call: it is found by its text.
func (s *copilotLog) addMirrors() {
	for _, a := range s.about {
		m := splice.Mirror{Slot: s.l.Slot(a.record), Value: a.value}
		if call, known := s.calls[a.call]; known && a.call != "" {
			m.Blocks, m.Strict = []transcript.Ref{call}, true
			if s.starts[a.record] {
				s.l.Chain.AddSatellite(a.record, call)
			}
		}
		s.l.AddMirror(m)
	}
	for _, h := range s.hooks {
		args := splice.Mirror{Slot: s.l.Slot(h.record), Value: h.args}
		result := splice.Mirror{Slot: s.l.Slot(h.record), Value: h.result}
		if ref, known := s.byText[h.text]; known && h.text != "" {
			result.Blocks, result.Strict = []transcript.Ref{ref}, true
			if call, ok := s.calls[s.msgs[ref.Msg].Blocks[ref.Block].Call]; ok {
				args.Blocks, args.Strict = []transcript.Ref{call}, true
			}
		}
		s.l.AddMirror(args)
		s.l.AddMirror(result)
	}
}

// renderCopilot writes a new message as an event like its neighbours.
func renderCopilot(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	id := c.NewID(i)
	text := ""
	for k, b := range in.Message.Blocks {
		if k > 0 {
			text += "\n\n"
		}
		text += b.Text()
	}
	quoted := c.Style().Quote(text)
	var out []byte
	switch in.Message.Role {
	case transcript.Assistant:
		out = fmt.Appendf(nil, `{"type":"assistant.message","data":{"messageId":%q,"content":%s,"toolRequests":[]}`, id, quoted)
	case transcript.System:
		out = fmt.Appendf(nil, `{"type":"system.message","data":{"role":"system","content":%s}`, quoted)
	default:
		out = fmt.Appendf(nil, `{"type":"user.message","data":{"content":%s,"transformedContent":%s,"attachments":[]}`, quoted, quoted)
	}
	out = fmt.Appendf(out, `,"id":%q`, id)
	near := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("timestamp").Ok() })
	out = appendMembers(out, near, "timestamp")
	out = append(append(out, `,"parentId":`...), splice.LinkValue(c.NewParent(i))...)
	return append(out, '}')
}
