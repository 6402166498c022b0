package token_test

import (
	"fmt"
	"log"

	"condense/transcript"
	"condense/transcript/token"
)

// Tokens of a text, and of a block: a call costs what its arguments cost.
func ExampleNew() {
	c, err := token.New("o200k_base")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Text("Hello world"))
	call := &transcript.Block{
		Kind: transcript.ToolCall, Tool: "Bash", Parts: []transcript.Part{{Name: "command", Text: "go test ./..."}},
	}
	fmt.Println(c.Block(call))
	// Output:
	// 2
	// 4
}

// A model whose tokenizer is another is counted by a measured factor.
func ExampleForModel() {
	c, err := token.ForModel("gpt-5")
	if err != nil {
		log.Fatal(err)
	}
	window, _ := c.Window()
	fmt.Println(c.Name(), c.Method(), c.Text("Hello world"), window)
	// Output: o200k_base exact 2 400000
}
