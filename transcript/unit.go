package transcript

import (
	"cmp"
	"slices"
)

// UnitKind is the kind of a unit.
type UnitKind uint8

// The kinds of units. The zero value is UserUnit.
const (
	UserUnit UnitKind = iota
	AssistantUnit
	ToolRound // an assistant message with calls, the thinking before it, and all messages with their results
	SystemUnit
)

// String returns the kind in lower case: "user", "assistant", "tool round" or "system".
func (k UnitKind) String() string {
	return [...]string{"user", "assistant", "tool round", "system"}[k]
}

// Unit is the smallest run of messages that may be removed as a whole.
type Unit struct {
	Msgs []int // message IDs in conversation order
	Kind UnitKind
	// Open is set for a unit at the end of the conversation whose calls have no result
	// yet. Its calls must not be changed, and results that have arrived may only be shortened.
	// Parallel calls may leave several units open.
	Open bool
}

// Units returns the units of the effective view, oldest first. A result belongs to
// the unit of the call with the same id, even if other messages lie between them.
//
// A message that holds only thinking belongs to the unit of the assistant message
// right after it. When the messages after a pinned message of thinking are dropped,
// it may stand before another assistant message, and then belongs to that unit. A
// later run keeps or drops both.
func (c *Conversation) Units() []Unit {
	s := segmenter{c: c, owner: make([]int32, len(c.at)), ids: make([]int, 0, len(c.Messages)), units: make([]Unit, 0, len(c.Messages))}
	for m := range c.Visible() {
		s.add(m)
	}
	s.markOpen()
	units := s.units[:0]
	for _, u := range s.units {
		if len(u.Msgs) > 0 { // otherwise a merge emptied it
			units = append(units, u)
		}
	}
	return units
}

// segmenter builds the units of a conversation, message by message.
type segmenter struct {
	c       *Conversation
	units   []Unit
	owner   []int32 // by message ID: the index of its unit plus 1; 0 without a unit
	ids     []int   // the first message of each unit; the units share this array
	leading bool    // the last unit holds only thinking and takes the next assistant message
}

// add puts m into the unit that it answers or continues, or into a new one.
func (s *segmenter) add(m *Message) {
	if u, ok := s.answered(m); ok {
		s.join(m, u)
		if u == len(s.units)-1 {
			s.leading = false
		}
		return
	}
	if m.Role == Assistant && s.leading {
		s.join(m, len(s.units)-1)
	} else {
		n := len(s.ids)
		s.ids = append(s.ids, m.ID)
		s.units = append(s.units, Unit{Kind: unitKind(m), Msgs: s.ids[n : n+1 : n+1]})
		s.owner[m.ID] = int32(len(s.units))
	}
	s.leading = m.Role == Assistant && onlyThinking(m)
}

// join puts m into unit u. A unit with a call becomes a tool round.
func (s *segmenter) join(m *Message, u int) {
	s.owner[m.ID] = int32(u + 1)
	s.units[u].Msgs = append(s.units[u].Msgs, m.ID)
	if s.units[u].Kind == AssistantUnit {
		s.units[u].Kind = unitKind(m)
	}
}

// answered returns the unit whose calls m answers. A message that answers several
// units merges them into the earliest.
func (s *segmenter) answered(m *Message) (int, bool) {
	found := -1
	for _, b := range m.Blocks {
		if b.Kind != ToolResult {
			continue
		}
		u, ok := s.unitOf(Ref{m.ID, b.ID, Whole}, b)
		if !ok || u == found {
			continue
		}
		if found < 0 {
			found = u
			continue
		}
		found = s.merge(min(found, u), max(found, u))
	}
	return found, found >= 0
}

// unitOf returns the unit of a result's call. A result without the id of a call
// answers the unit before it; some clients write such results as text of a user
// message.
func (s *segmenter) unitOf(ref Ref, b *Block) (int, bool) {
	if call, ok := s.c.Partner(ref); ok {
		u := s.owner[call.Msg]
		return int(u) - 1, u > 0
	}
	last := len(s.units) - 1
	if b.Call == "" && last >= 0 && (s.units[last].Kind == ToolRound || s.units[last].Kind == AssistantUnit) {
		return last, true
	}
	return 0, false
}

// merge moves the messages of one unit into another, in the order of the conversation.
func (s *segmenter) merge(into, from int) int {
	for _, id := range s.units[from].Msgs {
		s.owner[id] = int32(into + 1)
	}
	s.units[into].Msgs = append(s.units[into].Msgs, s.units[from].Msgs...)
	slices.SortFunc(s.units[into].Msgs, func(a, b int) int { return cmp.Compare(s.c.Position(a), s.c.Position(b)) })
	s.units[from].Msgs = nil
	for len(s.units[len(s.units)-1].Msgs) == 0 { // add may continue the last unit
		s.units = s.units[:len(s.units)-1]
	}
	return into
}

// markOpen sets Open for the units at the end: those of the last results, and of the
// calls right before these. An earlier unanswered call is a fault of the file, and
// its unit is not open.
func (s *segmenter) markOpen() {
	results := true
	checked := -1 // index of the unit of the message before
	for _, m := range slices.Backward(s.c.Messages) {
		if m.Hidden {
			continue
		}
		at := int(s.owner[m.ID]) - 1
		u := &s.units[at]
		results = results && m.Role != Assistant
		if u.Kind != ToolRound || !results && m.Role != Assistant {
			return
		}
		if at != checked && !u.Open { // a unit may have thousands of messages
			u.Open = s.waits(u)
		}
		checked = at
	}
}

// waits reports whether a call of the unit has no result.
func (s *segmenter) waits(u *Unit) bool {
	for _, id := range u.Msgs {
		for _, b := range s.c.Message(id).Blocks {
			if b.Kind != ToolCall || b.Call == "" {
				continue
			}
			if _, ok := s.c.Partner(Ref{id, b.ID, Whole}); !ok {
				return true
			}
		}
	}
	return false
}

// unitKind returns the kind of a unit that consists of m.
func unitKind(m *Message) UnitKind {
	for _, b := range m.Blocks {
		if b.Kind == ToolCall || b.Kind == ToolResult {
			return ToolRound
		}
	}
	switch m.Role {
	case System:
		return SystemUnit
	case Assistant:
		return AssistantUnit
	default:
		return UserUnit
	}
}

// onlyThinking reports whether m has blocks, and all of them are thinking or opaque.
func onlyThinking(m *Message) bool {
	for _, b := range m.Blocks {
		if b.Kind != Thinking && b.Kind != Opaque {
			return false
		}
	}
	return len(m.Blocks) > 0
}
