package token_test

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/token"
)

func ExampleNew() {
	c, err := token.New("o200k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Text("Hello world"), c.Name(), c.Method())
	// Output: 2 o200k_base exact
}

func ExampleForModel() {
	c, err := token.ForModel("claude-opus-4-5")
	if err != nil {
		fmt.Println(err)
		return
	}
	window, output := c.Window()
	fmt.Println(c.Name(), c.Method(), c.Scale().Factor, window, output)
	// Output: o200k_base calibrated 1.18 200000 64000
}

func ExampleCounter_Block() {
	c, err := token.New("bytes4")
	if err != nil {
		fmt.Println(err)
		return
	}
	call := &transcript.Block{Kind: transcript.ToolCall, Tool: "Read", Parts: []transcript.Part{{Name: "path", Text: "src/main.go"}}}
	fmt.Println(c.Block(call))
	// Output: 3
}

func ExampleCounter_Tools() {
	c, err := token.ForModel("gpt-4o")
	if err != nil {
		fmt.Println(err)
		return
	}
	weather := token.Tool{Name: "weather", Description: "The weather at a place.", Params: []token.Param{
		{Name: "place", Type: "string", Description: "Name of a town."},
		{Name: "unit", Type: "string", Description: "Unit of temperatures.", Enum: []string{"celsius", "fahrenheit"}},
	}}
	fmt.Println(c.Tools([]token.Tool{weather}))
	// Output: 54
}

func ExampleModels_Find() {
	m, ok := token.BuiltIn().Find("us.anthropic.claude-sonnet-4-5-v1:0")
	fmt.Println(m.Name, m.Tokenizer, m.Window, ok)
	// Output: claude-sonnet-4-5 o200k_base 200000 true
}

func ExampleReadModels() {
	rows, err := token.ReadModels([]byte(`[{"name": "my-model", "factor": 1.1, "images": "flat"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := token.BuiltIn().With(rows).Counter("my-model-large")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name(), c.Scale().Factor, c.Method())
	// Output: o200k_base 1.1 estimate
}

func ExampleImageRules() {
	fmt.Println(strings.Join(token.ImageRules()[:3], " "))
	// Output: flat tiles-85-170 tiles-75-150
}
