package rules

import (
	"fmt"

	"condense/transcript"
)

// The rules of Gemini contents. Contents of one role are merged before calls and
// responses are matched, as in Gemini CLI.
var (
	geminiUserFirst = Rule{
		ID:       "gemini/user-first",
		Doc:      "The first content is the user's.",
		Provider: "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
		Fix:      "put a user content in front",
		find: func(v *view, broken report) {
			v.findBeginning("the conversation begins with the model", broken)
		},
	}
	geminiUserLast = Rule{
		ID: "gemini/user-last", Severity: Warning,
		Doc:      "A request ends with the user. A saved conversation may end with the model.",
		Provider: "Please ensure that single turn requests end with a user role or the role field is empty. / Please ensure that multiturn requests ends with a user role or a function response.",
		Fix:      "append a user content before sending it",
		find: func(v *view, broken report) {
			if t := v.sideRuns(); len(t) > 0 && t[len(t)-1].role != transcript.User {
				broken(transcript.At(t[len(t)-1].msgs[len(t[len(t)-1].msgs)-1]), "the last content is the model's")
			}
		},
	}
	geminiAlternation = Rule{
		ID: "gemini/strict-alternation", Severity: Warning,
		Doc:      "Contents of user and model alternate.",
		Provider: "Please ensure that multiturn requests alternate between user and model.",
		Fix:      "merge contents of one role",
		find: func(v *view, broken report) {
			findRepeatedSides(v, func(a, b *transcript.Message) bool { return side(a) == side(b) }, broken)
		},
	}
	callResponseCount = Rule{
		ID:       "gemini/call-response-count",
		Doc:      "The content after function calls holds a response for each.",
		Provider: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
		Fix:      "add the missing response, or drop the call",
		find: func(v *view, broken report) {
			for _, call := range v.pairing().unanswered {
				broken(call.at, fmt.Sprintf("call %q of %s has no response in the next content", call.Call, call.Tool), v.answer(call.item, call.last)...)
			}
			for _, r := range v.pairing().repeated {
				broken(r.at, fmt.Sprintf("call %q has two responses", r.Call), v.orphan(r, "a second response for one call")...)
			}
		},
	}
	responseOrphan = Rule{
		ID:       "gemini/response-orphan",
		Doc:      "A function response follows the content with its call.",
		Provider: "Please ensure that function response turn comes immediately after a function call turn.",
		Fix:      "drop the response",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().orphans {
				broken(r.at, fmt.Sprintf("response for %q has no call in the content before", r.Call), v.orphan(r, "a response without its call")...)
			}
			for _, r := range v.pairing().server {
				broken(r.at, fmt.Sprintf("response for %q has no call before it", r.Call), v.orphan(r, "a response without its call")...)
			}
		},
	}
	responseOrder = Rule{
		ID: "gemini/response-order", Severity: Warning,
		Doc: "Responses stand in the order of their calls, and before text.",
		Fix: "sort the responses",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().behind {
				broken(r.at, fmt.Sprintf("response for %q stands behind other content", r.Call))
			}
			findOutOfOrder(v, broken)
		},
	}
	thoughtSignature = Rule{
		ID: "gemini/thought-signature", Severity: Warning,
		Doc:      "The first call of each step since the last prompt carries its thought signature, where the model returns them.",
		Provider: "Function call is missing a thought_signature in functionCall parts.",
		Fix:      "restore the signature",
		find:     findThoughtSignatures,
	}
)

func findOutOfOrder(v *view, broken report) {
	runs := v.sideRuns()
	for i, t := range runs {
		if i == 0 || t.role != transcript.User {
			continue
		}
		number := map[string]int{}
		for n, b := range runs[i-1].items {
			if b.isCall() {
				number[b.Call] = n + 1
			}
		}
		last := 0
		for _, b := range t.items {
			n := number[b.Call]
			if !b.isResult() || n == 0 {
				continue
			}
			if n < last {
				broken(b.at, fmt.Sprintf("response for %q stands behind that of a later call", b.Call))
			}
			last = max(last, n)
		}
	}
}

// findThoughtSignatures checks the calls since the last prompt. The model counts as one
// that returns signatures if any call has one.
func findThoughtSignatures(v *view, broken report) {
	signs := false
	var first []item // call of each step since the last prompt
	for _, t := range v.sideRuns() {
		step := false
		for _, b := range t.items {
			signs = signs || b.isCall() && b.Opaque > 0
			switch {
			case t.role == transcript.User && !b.isResult():
				first = nil
			case b.isCall() && !step:
				first, step = append(first, b), true
			}
		}
	}
	for _, b := range first {
		if signs && b.Opaque == 0 {
			broken(b.at, fmt.Sprintf("call %q of %s has no thought signature", b.Call, b.Tool))
		}
	}
}
