package rules

import (
	"fmt"

	"condense/transcript"
)

// The rules of models whose templates require strict alternation of user and
// assistant.
var (
	strictUserFirst = Rule{
		ID:       "strict-alternation/user-first",
		Doc:      "The first message after those of the system is the user's.",
		Provider: "Conversation roles must alternate user/assistant/user/assistant/...",
		Fix:      "put a user message in front",
		find: func(v *view, broken report) {
			v.findBeginning("the conversation begins with the assistant", broken)
		},
	}
	strictRoles = Rule{
		ID:       "strict-alternation/roles",
		Doc:      "Messages of user and assistant alternate; results count as the user's, and several may follow each other.",
		Provider: "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
		Fix:      "merge the messages, or put a stub between them",
		find: func(v *view, broken report) {
			findRepeatedSides(v, func(a, b *transcript.Message) bool {
				return side(a) == side(b) && !(v.onlyResults(a) && v.onlyResults(b))
			}, broken)
		},
	}
	strictAdjacency = Rule{
		ID: "openai/strict-adjacency", Severity: Warning,
		Doc:      "No text of the assistant stands between a call and its result. Only some gateways require this.",
		Provider: "tool call result does not follow tool call (2013)",
		Fix:      "move the text in front of the call",
		find:     findBetween,
	}
)

func (v *view) onlyResults(m *transcript.Message) bool {
	for _, b := range v.items(m) {
		if !b.isResult() {
			return false
		}
	}
	return len(m.Blocks) > 0
}

// findRepeatedSides reports messages that follow another message of the same side.
func findRepeatedSides(v *view, repeats func(a, b *transcript.Message) bool, broken report) {
	var last *transcript.Message
	for _, m := range v.msgs {
		if m.Role == transcript.System {
			continue
		}
		if last != nil && repeats(last, m) {
			broken(transcript.At(m.ID), fmt.Sprintf("a message of the %s after another of the same side", m.Role))
		}
		last = m
	}
}

// findBetween reports texts of the assistant between calls and their results.
func findBetween(v *view, broken report) {
	waiting := map[transcript.Ref]bool{} // results that are still missing
	for _, m := range v.msgs {
		for _, b := range v.items(m) {
			delete(waiting, b.at)
		}
		if m.Role != transcript.Assistant {
			continue
		}
		for _, b := range v.items(m) {
			if b.Kind == transcript.Text && len(waiting) > 0 {
				broken(b.at, "a text of the assistant between a call and its result")
				break
			}
		}
		for _, b := range v.items(m) {
			if result, ok := v.c.Partner(b.at); ok && b.isCall() && result.Msg != m.ID {
				waiting[result] = true
			}
		}
	}
}
