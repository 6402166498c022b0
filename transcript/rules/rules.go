// Package rules knows what makes a conversation acceptable to the APIs and
// clients that read it.
//
// A [Rule] is one thing that they ask for, in our words and in those of the
// provider's error. A [Profile] is the list of rules of one API or client.
// [Check] asks what holds everywhere: condense runs it on the input, after every
// stage and last on the output, and never adds a finding. [CheckFor] asks for one
// profile, and [Repair] mends what edits can.
//
// Rules that only the bytes of a file can show have their definition here and
// are found and mended by the dialects of transcript/format.
package rules

import (
	"cmp"
	"fmt"
	"slices"

	"condense/transcript"
)

// Severity is how bad a finding is.
type Severity uint8

// The severities. The zero value is Error.
const (
	Error   Severity = iota // the API refuses it, or the client loses history
	Warning                 // accepted here and now, or when more follows; or worse without an error
)

func (s Severity) String() string { return [...]string{"error", "warning"}[s] }

// Rule is one thing that an API or client asks of a conversation.
type Rule struct {
	ID       string // profile/slug ("openai/tool-orphan"), the same in every version
	Severity Severity
	Doc      string // what it asks for, in our words
	Provider string // the error that a user would search for, as the provider spells it; "" when there is none
	Fix      string // what to do about it, in a phrase

	// find reports where the rule is broken; nil when only the bytes show it.
	find func(v *view, broken report)
}

// report takes one place where a rule is broken, what is wrong there, and the
// edits that would mend it, if there are any.
type report func(at transcript.Ref, message string, mend ...transcript.Edit)

// Finding is one thing wrong with a conversation or the file that it is in.
type Finding struct {
	Rule     string // id of the rule
	Severity Severity
	Conv     int            // index of the conversation in its file
	At       transcript.Ref // Msg is transcript.End when it is about no message
	Line     int            // of the file, from 1; 0 when unknown
	Offset   int            // bytes from the start of the file; meaningful with a line
	Message  string         // in our words
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.At, f.Message, f.Rule) }

// Of makes a finding of the rule.
func (r *Rule) Of(at transcript.Ref, message string) Finding {
	return Finding{Rule: r.ID, Severity: r.Severity, At: at, Message: message}
}

// Check lists the findings of the effective view that hold for every API with
// tools, oldest first. An unanswered call in an open unit is work in progress
// and no finding.
func Check(c *transcript.Conversation) []Finding { return CheckFor(&Any, c) }

// CheckFor lists the findings of the effective view by the rules of a profile,
// as far as the conversation shows them; oldest first.
func CheckFor(p *Profile, c *transcript.Conversation) []Finding {
	v := newView(p, c)
	var found []Finding
	for _, r := range p.Rules {
		if r.find != nil {
			r.find(v, func(at transcript.Ref, message string, _ ...transcript.Edit) {
				found = append(found, r.Of(at, message))
			})
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(c.Position(a.At.Msg), c.Position(b.At.Msg)), cmp.Compare(a.At.Block, b.At.Block))
	})
	return found
}

// New returns the findings of after that before does not have. Findings are
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
