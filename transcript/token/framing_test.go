package token

import (
	"testing"

	"condense/transcript"
)

func said(role transcript.Role, text string) *transcript.Message {
	return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}}}}
}

// TestFramingCookbook checks the examples of the OpenAI Cookbook, "How to count tokens with
// tiktoken", with the counts of its API.
func TestFramingCookbook(t *testing.T) {
	t.Run("messages", func(t *testing.T) {
		conv := transcript.New("", []*transcript.Message{
			said(transcript.System, "You are a helpful, pattern-following assistant that translates corporate jargon into plain English."),
			said(transcript.System, "New synergies will help drive top-line growth."),
			said(transcript.System, "Things working well together will increase revenue."),
			said(transcript.System, "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage."),
			said(transcript.System, "Let's talk later when we're less busy about how to do better."),
			said(transcript.User, "This late pivot means we don't have time to boil the ocean for the client deliverable."),
		})
		for model, want := range map[string]int{"gpt-3.5-turbo": 129, "gpt-4-0613": 129, "gpt-4": 129, "gpt-4o": 124, "gpt-4o-mini": 124} {
			c := forModel(t, model)
			names := 0 // of speakers, which no file that we read has: each one more than its text
			for _, name := range []string{"example_user", "example_assistant", "example_user", "example_assistant"} {
				names += c.Text(name) + 1
			}
			if got := blocks(c, conv) + c.Framing(conv) + names; got != want {
				t.Errorf("%s: %d, the API counted %d", model, got, want)
			}
		}
	})
	t.Run("tools", func(t *testing.T) {
		conv := transcript.New("", []*transcript.Message{
			said(transcript.System, "You are a helpful assistant that can answer to questions about the weather."),
			said(transcript.User, "What's the weather like in San Francisco?"),
		})
		tools := []Tool{{
			Name: "get_current_weather", Description: "Get the current weather in a given location",
			Params: []Param{
				{Name: "location", Type: "string", Description: "The city and state, e.g. San Francisco, CA"},
				{Name: "unit", Type: "string", Description: "The unit of temperature to return", Enum: []string{"celsius", "fahrenheit"}},
			},
		}}
		for model, want := range map[string]int{"gpt-3.5-turbo": 105, "gpt-4": 105, "gpt-4o": 101, "gpt-4o-mini": 101} {
			c := forModel(t, model)
			if got := blocks(c, conv) + c.Framing(conv) + c.Tools(tools); got != want {
				t.Errorf("%s: %d, the API counted %d", model, got, want)
			}
		}
	})
}

func forModel(tb testing.TB, model string) *Counter {
	tb.Helper()
	c, err := ForModel(model)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func blocks(c *Counter, conv *transcript.Conversation) (sum int) {
	for _, b := range conv.Blocks() {
		sum += c.Block(b)
	}
	return sum
}

func TestFraming(t *testing.T) {
	call := &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{
		{Kind: transcript.ToolCall, Tool: "Read", Call: "1", Parts: []transcript.Part{{Name: "files[0].path", Text: "a.go"}, {Name: "limit", Text: "5", Number: true}}},
	}}
	result := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Kind: transcript.ToolResult, Call: "1", Parts: []transcript.Part{{Text: "x"}}}}}
	hidden := said(transcript.User, "before")
	hidden.Hidden = true
	conv := transcript.New("", []*transcript.Message{hidden, said(transcript.User, "read it"), call, result})
	for name, want := range map[string]int{
		"gpt-4o":            3*4 + 3 + 3*3 + 3 + 3, // messages, reply, call and arguments, result; Read, path, limit
		"claude-sonnet-4-5": 3*2 + 6 + 3*3 + 3 + 4, // 3 × 1.18
		"gemini-2.5-pro":    3*3 + 3 + 3,
		"o200k_base":        3*4 + 3 + 3*3 + 3 + 3,
		"bytes4":            0,
	} {
		c, err := BuiltIn().Named(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Framing(conv); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
		if empty := c.Framing(transcript.New("", nil)); empty != 0 {
			t.Errorf("%s: %d for nothing", name, empty)
		}
	}
	if got := mustNew(t, "").Tools(nil); got != 0 {
		t.Errorf("no tools count %d", got)
	}
	tools := []Tool{{Name: "read"}}
	if got, want := mustNew(t, "o200k_base").Tools(tools), forModel(t, "gpt-4o").Tools(tools); got != want {
		t.Errorf("a tool counts %d without a model, and %d with gpt-4o", got, want)
	}
}
