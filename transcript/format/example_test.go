package format_test

import (
	"fmt"
	"log"
	"os"

	"condense/transcript"
	"condense/transcript/format"
)

var chat = []byte(`{"model": "gpt-5", "messages": [
  {"role": "system",    "content": "Answer in one word."},
  {"role": "user",      "content": "Is the earth flat?"},
  {"role": "assistant", "content": "No, and it never was: it is an oblate spheroid."}
]}
`)

// Bytes that no edit touches are the same as before.
func ExampleFile_Encode() {
	f, err := format.Decode(chat, "") // "" detects the format
	if err != nil {
		log.Fatal(err)
	}
	conv := f.Convs[0]
	last := conv.Messages[len(conv.Messages)-1]
	shorter, err := conv.Apply([]transcript.Edit{
		{At: transcript.Ref{Msg: last.ID}, Op: transcript.Rewrite, Text: "No.", Why: "one word"},
	})
	if err != nil {
		log.Fatal(err)
	}
	final := []*transcript.Conversation{shorter} // one for each of f.Convs
	if _, err := f.Encode(os.Stdout, final); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"model": "gpt-5", "messages": [
	//   {"role": "system",    "content": "Answer in one word."},
	//   {"role": "user",      "content": "Is the earth flat?"},
	//   {"role": "assistant", "content": "No."}
	// ]}
}

// Check lists what the reader of a file would refuse, with places in the file.
func ExampleFile_Check() {
	f, err := format.Decode([]byte(`[
 {"role": "user", "content": "When is low water?"},
 {"role": "assistant", "content": null, "tool_calls": [
  {"id": "1", "type": "function", "function": {"name": "tides", "arguments": "{}"}}]},
 {"role": "user", "content": "Never mind."}
]`), "openai")
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range f.Check(f.Dialect.Target()) {
		fmt.Printf("line %d: %s (%s, %s)\n", x.Line, x.Message, x.Severity, x.Rule)
	}
	// Output: line 4: call "1" of tides is not answered before the next message (error, openai/tool-unanswered)
}
