package fact_test

import (
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/fact"
)

// This example finds the text of a conversation with the most facts.
func ExampleSurvey() {
	text := func(role transcript.Role, s string) *transcript.Message {
		return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Kind: transcript.Text, Parts: []transcript.Part{{Text: s}}}}}
	}
	c := transcript.New("", []*transcript.Message{
		text(transcript.User, "The build fails."),
		text(transcript.Assistant, "TypeError in src/gauge.py, raised by read_level: see also src/gauge.py, line 4711."),
	})
	s := fact.Of(c)
	most := slices.MaxFunc(slices.Collect(s.Texts()), func(a, b fact.Text) int { return len(a.Mentions) - len(b.Mentions) })
	fmt.Println("in message", most.Message)
	fact.Each(most.Block.Text(), func(at int, key string) {
		fmt.Println(key, "is one of the", fact.KindOf(most.Block.Text(), at, key))
	})
	// Output:
	// in message 1
	// TypeError is one of the errors
	// src/gauge.py is one of the paths
	// read_level is one of the identifiers
	// src/gauge.py is one of the paths
	// 4711 is one of the numbers
}

// This example shows that the kind of a tool does not depend on a client's spelling of its name.
func ExampleToolOf() {
	for _, name := range []string{"Bash", "run_in_terminal", "mcp__files__readFile", "get_weather"} {
		fmt.Println(name, "is", fact.ToolOf(name))
	}
	// Output:
	// Bash is shell
	// run_in_terminal is shell
	// mcp__files__readFile is read
	// get_weather is other
}
