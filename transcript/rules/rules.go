// Package rules checks whether APIs and clients accept a conversation.
//
// A [Rule] is one requirement, in the words of this package and in those of the error
// of the provider. A [Profile] is the list of rules of one API or client. [Check]
// applies the rules that hold everywhere: condense checks the input, the state after
// every stage and the output, and never adds a finding. [CheckFor] applies the rules
// of one profile, and [Repair] proposes the edits that satisfy them.
//
// Rules that only the bytes of a file can show are defined here, and found and
// repaired by the dialects of package format.
//
// All functions are pure: they read the effective view of a conversation and return
// findings, or a new conversation.
package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
)

// Severity is the effect of a finding.
type Severity uint8

// The severities. The zero value is Error.
const (
	Error   Severity = iota // the API refuses it, or the client loses history
	Warning                 // accepted by some readers, or once more messages follow; or accepted with a worse result
)

// String returns "error" or "warning".
func (s Severity) String() string { return [...]string{"error", "warning"}[s] }

// Rule is one requirement of an API or client.
type Rule struct {
	ID       string // profile/slug ("openai/tool-orphan"), the same in every version
	Severity Severity
	Doc      string // the requirement, in a sentence
	Provider string // the error message of the provider, for users who search for it; "" without one
	Fix      string // how to satisfy it, in a phrase

	// find reports where the rule is broken; nil when only the bytes show it.
	find func(v *view, broken report)
}

// report takes a place where a rule is broken, a message about it, and the edits that
// would repair it, if there are any.
type report func(at transcript.Ref, message string, mend ...transcript.Edit)

// Finding is a rule that is broken, at a place of a conversation or of its file.
type Finding struct {
	Rule     string // id of the rule
	Severity Severity
	Conv     int            // index of the conversation in its file
	At       transcript.Ref // Msg is transcript.End when no single message is at fault
	Line     int            // line of the file, from 1; 0 when unknown
	Offset   int            // bytes from the start of the file; valid when Line is
	Message  string         // what is wrong, in a sentence without its full stop
}

// String returns the place, the message and the rule.
func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.At, f.Message, f.Rule) }

// maxMessage limits the bytes of a message. Messages quote ids and names, which may have any length.
const maxMessage = 400

// Of returns a finding of the rule, without a conversation and a line. It cuts off a long message.
func (r *Rule) Of(at transcript.Ref, message string) Finding {
	return Finding{Rule: r.ID, Severity: r.Severity, At: at, Message: Cut(message)}
}

// Cut returns a message without what is too long of it.
func Cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "…"
}

// Check returns the findings of the effective view by the rules that hold for every
// API with tools, oldest first. An unanswered call in an open unit is work in progress
// and not a finding.
func Check(c *transcript.Conversation) []Finding { return CheckFor(&Any, c) }

// CheckFor returns the findings of the effective view by the rules of a profile,
// except those that only the bytes show; oldest first.
func CheckFor(p *Profile, c *transcript.Conversation) []Finding {
	v := newView(p, c)
	var found []Finding
	var rule *Rule // that is checked now
	broken := func(at transcript.Ref, message string, _ ...transcript.Edit) {
		found = append(found, rule.Of(at, message))
	}
	for _, rule = range p.Rules {
		if rule.find != nil {
			rule.find(v, broken)
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(c.Position(a.At.Msg), c.Position(b.At.Msg)), cmp.Compare(a.At.Block, b.At.Block))
	})
	return found
}

// New returns the findings of after that are not in before. It compares them by
// conversation, rule and message. It ignores addresses, ids that a dialect made, and
// numbers in messages except in other ids, because edits move and shrink what a finding is
// about.
func New(before, after []Finding) []Finding {
	same := func(f Finding) Finding {
		return Finding{Conv: f.Conv, Rule: f.Rule, Message: numbers.ReplaceAllStringFunc(f.Message, func(s string) string {
			if s[0] == '"' && !strings.HasPrefix(s[1:], MadeUp) {
				return s
			}
			return "0"
		})}
	}
	if len(after) == 0 {
		return nil
	}
	known := map[Finding]int{}
	for _, f := range before {
		known[same(f)]++
	}
	var added []Finding
	for _, f := range after {
		key := same(f)
		if known[key]--; known[key] < 0 {
			added = append(added, f)
		}
	}
	return added
}

// numbers matches numbers, and quoted texts.
var numbers = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\b\d+\b`)
