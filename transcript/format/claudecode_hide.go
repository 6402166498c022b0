package format

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/splice"
)

// hide finds the effective view: the messages after the last boundary that are on the
// main chain and not on an abandoned branch. A result is visible with its call, even on a
// branch.
func (s *claudeCodeSession) hide() {
	abandoned := s.l.Chain.Abandoned()
	seen := make([]bool, len(s.msgs))
	current := make([]bool, len(s.msgs)) // not before the boundary, not of a sub-agent, not a repetition
	for i, msg := range s.msgOf {
		if msg == splice.None {
			continue
		}
		n := s.l.Chain.Nodes[i]
		if i < s.boundary || n.Aside || n.ID != "" && s.l.Chain.ByID[n.ID] != i {
			continue
		}
		current[msg] = true
		seen[msg] = seen[msg] || !abandoned[i]
	}
	for msg, m := range s.msgs {
		if call, ok := s.calls[answered(m)]; ok && call.Msg != msg {
			seen[msg] = seen[call.Msg]
		}
		m.Hidden = !current[msg] || !seen[msg]
	}
	s.shadow(abandoned, current)
	s.shadowSplit()
}

// shadowSplit marks the messages whose lines stand around another message without results, or of which
// a later line names a lost parent. Readers join such lines at the place of the first one: without that,
// the others would move.
func (s *claudeCodeSession) shadowSplit() {
	others := 0                        // records so far without results
	before := make([]int, len(s.msgs)) // others at the first record of a message
	own := make([]int, len(s.msgs))    // its records so far
	for i, msg := range s.msgOf {
		if msg == splice.None || slices.ContainsFunc(s.msgs[msg].Blocks, isResult) {
			continue
		}
		if own[msg] == 0 {
			before[msg] = others
		}
		parent := s.l.Chain.Nodes[i].Parent
		_, known := s.l.Chain.ByID[parent]
		if others-before[msg] > own[msg] || own[msg] > 0 && parent != "" && !known {
			s.msgs[msg].Shadows = true
		}
		own[msg]++
		others++
	}
}

func isResult(b *transcript.Block) bool { return b.Kind == transcript.ToolResult }

// shadow marks the messages whose removal would change what is hidden.
func (s *claudeCodeSession) shadow(abandoned, current []bool) {
	nodes := s.l.Chain.Nodes
	climbed := make([]bool, len(nodes))
	later := s.typedBelow(abandoned)
	reachable := make([]bool, len(s.msgs)) // one of its records is not on an abandoned branch
	for i, n := range nodes {
		if first, ok := s.l.Chain.ByID[n.ID]; ok && first != i && s.msgOf[first] != splice.None {
			s.msgs[s.msgOf[first]].Shadows = true // this record repeats it
		}
		if s.msgOf[i] != splice.None && !abandoned[i] {
			reachable[s.msgOf[i]] = true
		}
	}
	for i, msg := range s.msgOf {
		if msg == splice.None || !abandoned[i] {
			continue
		}
		m := s.msgs[msg]
		if !m.Hidden {
			m.Joined = m.Joined || s.l.Messages[msg].Records[0] == s.l.Slot(i) // what is inserted here would be on the branch
			if anchor := s.anchor(msg, abandoned); anchor != nil {
				anchor.Anchor = true
			} else {
				m.Shadows = m.Shadows || reachable[msg] || !answersOnly(m)
			}
			continue
		}
		for up := i; current[msg] && !climbed[up]; {
			climbed[up] = true
			last := up
			if up = s.l.Chain.ByID[nodes[last].Parent]; abandoned[up] {
				continue
			}
			if s.msgOf[up] != splice.None {
				s.msgs[s.msgOf[up]].Shadows = true // the branch begins here
			}
			if later[up] != splice.None {
				s.msgs[later[up]].Shadows = true // this typed message made the branch abandoned
			}
			break
		}
	}
}

// anchor returns the first text or call of a message of the model that is on no abandoned branch, nil if there
// is none, or if the records of the message do not have one block each. Parallel calls often lie on
// branches of their own: the conversation goes on below the answer that came last.
func (s *claudeCodeSession) anchor(msg int, abandoned []bool) *transcript.Block {
	blocks, records := s.msgs[msg].Blocks, s.l.Messages[msg].Records
	if len(blocks) != len(records) || s.msgs[msg].Role != transcript.Assistant {
		return nil
	}
	for k, b := range blocks {
		if b.Kind != transcript.Thinking && !abandoned[s.l.RecordOf(records[k])] {
			return b
		}
	}
	return nil
}

// typedBelow returns for each record the last visible typed message below it that is not
// on an abandoned branch, or None. The last one is the least likely to be removed.
func (s *claudeCodeSession) typedBelow(abandoned []bool) []int {
	last := make([]int, len(abandoned))
	for i := range last {
		last[i] = splice.None
	}
	for i, n := range slices.Backward(s.l.Chain.Nodes) {
		if !n.Typed || abandoned[i] || s.msgs[s.msgOf[i]].Hidden {
			continue
		}
		for up, ok := s.l.Chain.ByID[n.Parent]; ok && last[up] == splice.None; up, ok = s.l.Chain.ByID[s.l.Chain.Nodes[up].Parent] {
			last[up] = s.msgOf[i]
		}
	}
	return last
}

// answersOnly reports whether a message has only results. They are hidden or removed with
// their calls.
func answersOnly(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if b.Kind != transcript.ToolResult {
			return false
		}
	}
	return true
}

// modelOrder returns the order in which the model saw the messages, or nil when that is
// the order of the lines. A tool may run while the model is still writing, so the line of
// a result can stand before the line of its call.
func (s *claudeCodeSession) modelOrder() (order []int) {
	early := map[int][]int{} // by message of a call, the results that stand before it
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

// reorder puts the messages in an order.
func (s *claudeCodeSession) reorder(order []int) {
	msgs, places, to := s.msgs, s.l.Messages, make([]int, len(order))
	s.msgs, s.l.Messages = nil, nil
	for i, msg := range order {
		to[msg] = i
		s.msgs = append(s.msgs, msgs[msg])
		s.l.Messages = append(s.l.Messages, places[msg])
	}
	for record, msg := range s.msgOf {
		if msg != splice.None {
			s.msgOf[record] = to[msg]
		}
	}
	for _, a := range s.pending {
		for i := range a.blocks {
			a.blocks[i].Msg = to[a.blocks[i].Msg]
		}
	}
	for msg := range s.msgs {
		s.noteCalls(msg, 0)
	}
}

// answered returns the id of the call that a message answers, or "". The other blocks of
// such a message, such as a reminder, belong to the result.
func answered(m *transcript.Message) string {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call != "" {
			return b.Call
		}
	}
	return ""
}
