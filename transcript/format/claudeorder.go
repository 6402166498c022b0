package format

import (
	"condense/transcript"
	"condense/transcript/internal/splice"
)

// answersBehind returns the messages in the order in which the model saw them,
// nil when that is the order of the lines. Where calls run while the model still
// writes, the line of a result can stand before the line of its call.
func (s *session) answersBehind() (order []int) {
	early := map[int][]int{} // message of a call → answers that stand before it
	moved := make([]bool, len(s.msgs))
	for msg, m := range s.msgs {
		if call, ok := s.calls[answered(m)]; ok && call.Msg > msg && m.Role == transcript.User {
			early[call.Msg] = append(early[call.Msg], msg)
			moved[msg] = true
		}
	}
	if len(early) == 0 {
		return nil
	}
	for msg := range s.msgs {
		if !moved[msg] {
			order = append(append(order, msg), early[msg]...)
		}
	}
	return order
}

// reorder puts the messages in the given order.
func (s *session) reorder(order []int) {
	msgs, places, to := s.msgs, s.l.Messages, make([]int, len(order))
	s.msgs, s.l.Messages = nil, nil
	for i, msg := range order {
		to[msg] = i
		s.msgs = append(s.msgs, msgs[msg])
		s.l.Messages = append(s.l.Messages, places[msg])
	}
	for record, msg := range s.of {
		if msg != splice.None {
			s.of[record] = to[msg]
		}
	}
	for _, a := range s.about {
		for i := range a.blocks {
			a.blocks[i].Msg = to[a.blocks[i].Msg]
		}
	}
	for msg := range s.msgs {
		s.noteCalls(msg, 0)
	}
}

// answered returns the call that a message answers, "" when it answers none. What
// else is in the message, such as a reminder, goes with the answer.
func answered(m *transcript.Message) string {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call != "" {
			return b.Call
		}
	}
	return ""
}
