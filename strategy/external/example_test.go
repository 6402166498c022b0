package external_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"condense/strategy/external"
)

// This example is a program that implements a strategy: it shortens the results of one tool until the
// conversation is within its budget.
func Example() {
	stdin := strings.NewReader(`{"protocol": 1, "budget": 100, "need": 60, "tokens": 160, "conversation": {"id": "", "model": "", "messages": [
		{"id": 4, "role": "tool", "blocks": [{"id": 0, "kind": "tool_result", "origin": "tool", "pin": "none", "fixed": false,
			"tool": "list", "tokens": 90, "parts": [{"text": "a.go\nb.go\nc.go"}]}]}]}}`)
	var r external.Request
	if err := json.NewDecoder(stdin).Decode(&r); err != nil {
		fmt.Println(err)
		return
	}
	a := external.Answer{Protocol: external.Protocol}
	for _, m := range r.Conversation.Messages {
		for _, b := range m.Blocks {
			if r.Need > 0 && b.Kind == "tool_result" && b.Pin == "none" && !b.Fixed && b.Tool == "list" {
				a.Edits = append(a.Edits, external.Edit{Message: m.ID, Block: &b.ID, Op: "rewrite", Text: "[3 files omitted]", Why: "an old listing"})
				r.Need -= b.Tokens
			}
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(a)
	// Output:
	// {"protocol":1,"edits":[{"message":4,"block":0,"part":null,"op":"rewrite","text":"[3 files omitted]","group":0,"why":"an old listing"}],"skip":""}
}

// This example parses the program that a user named, and shows that the schema describes answers.
func ExampleParse() {
	p, err := external.Parse(`exec:./tidy.py --keep "release notes"`)
	fmt.Println(p.Name(), err)
	fmt.Println(json.Valid(external.Schema()))
	// Output:
	// exec:./tidy.py <nil>
	// true
}
