// Package rules knows what makes a conversation acceptable to the APIs and
// clients that read it. [Check] lists what is wrong; condense runs it on the
// input, after every stage and last on the output, and never adds a finding.
package rules

import (
	"fmt"
	"strings"

	"condense/transcript"
)

// Finding is one thing wrong with a conversation.
type Finding struct {
	Rule    string // id: target/slug, the slugs of VALIDITY
	At      transcript.Ref
	Message string // in our words
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.At, f.Message, f.Rule) }

// The rules that hold for every API with tools.
const (
	CallUnanswered = "any/tool-use-unanswered"
	ResultOrphan   = "any/tool-result-orphan"
	CallRepeated   = "any/tool-id-dup"
	TextEmpty      = "any/text-empty"
)

// Check lists the findings of the effective view, oldest first. An unanswered
// call in an open unit is work in progress and no finding.
func Check(c *transcript.Conversation) []Finding {
	var found []Finding
	open := map[int]bool{}
	for _, u := range c.Units() {
		for _, id := range u.Msgs {
			open[id] = u.Open
		}
	}
	calls := map[string]bool{}
	for ref, b := range c.Blocks() {
		_, paired := c.Partner(ref)
		add := func(rule, message string) { found = append(found, Finding{rule, ref, message}) }
		switch {
		case b.Kind == transcript.ToolCall && b.Call != "":
			if calls[b.Call] {
				add(CallRepeated, fmt.Sprintf("call id %q is used twice", b.Call))
			}
			calls[b.Call] = true
			if !paired && !open[ref.Msg] {
				add(CallUnanswered, fmt.Sprintf("call %q of %s has no result", b.Call, b.Tool))
			}
		case b.Kind == transcript.ToolResult && b.Call != "" && !paired:
			add(ResultOrphan, fmt.Sprintf("result for %q has no unanswered call before it", b.Call))
		case b.Kind == transcript.Text && strings.TrimSpace(b.Text()) == "":
			add(TextEmpty, "a text block is empty")
		}
	}
	return found
}

// New gives the findings of after that before does not have. Findings are
// compared by rule and message, because addresses may be re-numbered.
func New(before, after []Finding) []Finding {
	same := func(f Finding) Finding { return Finding{Rule: f.Rule, Message: f.Message} }
	known := map[Finding]int{}
	for _, f := range before {
		known[same(f)]++
	}
	var added []Finding
	for _, f := range after {
		if known[same(f)]--; known[same(f)] < 0 {
			added = append(added, f)
		}
	}
	return added
}
