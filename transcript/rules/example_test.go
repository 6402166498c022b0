package rules_test

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/rules"
)

// This example validates a conversation for models that require user and assistant in turn.
func ExampleCheckFor() {
	text := func(role transcript.Role, s string) *transcript.Message {
		return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Kind: transcript.Text, Parts: []transcript.Part{{Text: s}}}}}
	}
	c := transcript.New("", []*transcript.Message{
		text(transcript.User, "Which gauge is the oldest?"),
		text(transcript.User, "And the newest?"),
		text(transcript.Assistant, "Gauge 3, and gauge 12."),
	})
	for _, f := range rules.CheckFor(&rules.StrictAlternation, c) {
		fmt.Printf("%s: %s\n", f.Rule, f.Message)
	}
	// Output:
	// strict-alternation/roles: a message of the user after another of the same side
}
