package format

import (
	"slices"

	"condense/transcript"
)

// hide finds the effective view: after the last boundary, on the main chain, on
// the branch that was gone on with. A result is seen with its call, wherever it hangs.
func (s *session) hide() {
	given := s.l.chain.abandoned()
	seen := make([]bool, len(s.msgs))
	current := make([]bool, len(s.msgs)) // not history, not a sub-agent's, not a repetition
	for i, msg := range s.of {
		if msg == none {
			continue
		}
		n := s.l.chain.nodes[i]
		if i < s.boundary || n.aside || n.id != "" && s.l.chain.byID[n.id] != i {
			continue
		}
		current[msg] = true
		seen[msg] = seen[msg] || !given[i]
	}
	for msg, m := range s.msgs {
		if call, ok := s.calls[answered(m)]; ok && call.Msg != msg {
			seen[msg] = seen[call.Msg]
		}
		m.Hidden = !current[msg] || !seen[msg]
	}
	s.shadow(given, current)
}

// shadow marks the messages without which others would be seen again, or not any
// more, now that it is known what is hidden.
func (s *session) shadow(given, current []bool) {
	nodes := s.l.chain.nodes
	climbed := make([]bool, len(nodes))
	later := s.typedBelow(given)
	inSight := make([]bool, len(s.msgs)) // one of its records was not given up
	for i, n := range nodes {
		if first, ok := s.l.chain.byID[n.id]; ok && first != i && s.of[first] != none {
			s.msgs[s.of[first]].Shadows = true // this record repeats it
		}
		if s.of[i] != none && !given[i] {
			inSight[s.of[i]] = true
		}
	}
	for i, msg := range s.of {
		if msg == none || !given[i] {
			continue
		}
		m := s.msgs[msg]
		if !m.Hidden {
			m.Shadows = m.Shadows || inSight[msg] || !answersOnly(m)
			continue
		}
		for up := i; current[msg] && !climbed[up]; {
			climbed[up] = true
			last := up
			if up = s.l.chain.byID[nodes[last].parent]; given[up] {
				continue
			}
			if s.of[up] != none {
				s.msgs[s.of[up]].Shadows = true // the branch leaves here
			}
			if later[up] != none {
				s.msgs[later[up]].Shadows = true // it was given up for what was typed here
			}
			break
		}
	}
}

// typedBelow returns for each record the last visible message below it that a person
// typed on a branch that was not given up; none without. The last, because it is
// the least likely to go anyway.
func (s *session) typedBelow(given []bool) []int {
	last := make([]int, len(given))
	for i := range last {
		last[i] = none
	}
	for i, n := range slices.Backward(s.l.chain.nodes) {
		if !n.typed || given[i] || s.msgs[s.of[i]].Hidden {
			continue
		}
		for up, ok := s.l.chain.byID[n.parent]; ok && last[up] == none; up, ok = s.l.chain.byID[s.l.chain.nodes[up].parent] {
			last[up] = s.of[i]
		}
	}
	return last
}

// answersOnly reports whether a message holds nothing but results: those are seen,
// or gone, with their calls.
func answersOnly(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if b.Kind != transcript.ToolResult {
			return false
		}
	}
	return true
}
