package token

import (
	"strings"

	"condense/transcript"
)

// Framing is the overhead that an API adds to a request, in tokens of the model.
// Counts of texts and blocks do not include it.
type Framing struct {
	Message int `json:"message"` // around each message, with the name of its role
	Reply   int `json:"reply"`   // once, to begin the answer
	Tools   int `json:"tools"`   // once, when tools are defined
	Tool    int `json:"tool"`    // around the definition of each tool
}

func (f Framing) negative() bool { return min(f.Message, f.Reply, f.Tools, f.Tool) < 0 }

// aroundCall is the overhead of a call, a result or an argument besides texts and
// names: a few tokens of punctuation. No API documents it; 3 was measured with
// requests to OpenAI.
const aroundCall = 3

// Framing estimates the overhead that the API adds to the effective view of a
// conversation, in tokens: around messages, calls and arguments. No other count
// includes it. It is 0 for a unit that is not a real encoding and for an empty
// conversation. It includes Conversation.Framing. It does not include definitions of tools and
// system prompts that are not in the file.
func (c *Counter) Framing(conv *transcript.Conversation) int {
	if !c.unit.real {
		return 0
	}
	names, fixed := 0, 0
	for m := range conv.Visible() {
		n, f := c.around(m)
		names, fixed = names+n, fixed+f
	}
	if fixed == 0 {
		return 0
	}
	for _, b := range conv.Framing {
		fixed += c.Block(b)
	}
	return c.scaled(names) + fixed + c.framing.Reply
}

// around returns the overhead of a message: its names, in tokens of the unit, and the
// rest, in tokens of the model.
func (c *Counter) around(m *transcript.Message) (names, fixed int) {
	fixed = c.framing.Message
	for _, b := range m.Blocks {
		switch b.Kind {
		case transcript.ToolCall:
			fixed += aroundCall
			names += c.units(b.Tool)
			for _, p := range b.Parts {
				if p.Name != "" {
					fixed += aroundCall
					names += c.units(p.Name[strings.LastIndexByte(p.Name, '.')+1:])
				}
			}
		case transcript.ToolResult:
			fixed += aroundCall
		}
	}
	return names, fixed
}

// Tool is the part of a tool's definition that costs tokens.
type Tool struct {
	Name, Description string
	Params            []Param
}

// Param is one parameter of a [Tool]. Enum has its only values, or is empty.
type Param struct {
	Name, Type, Description string
	Enum                    []string
}

// OpenAI's constants for the parameters of a tool, the same for all its models:
// once for all of them, for each, for a list of values and for each of these.
const (
	paramsStart = 3
	paramStart  = 3
	enumStart   = -3
	enumItem    = 3
)

// Tools counts the definitions of tools, in tokens, by the recipe of the OpenAI
// Cookbook. It equals the count of OpenAI's API and is an estimate for others. It is
// 0 without tools.
func (c *Counter) Tools(tools []Tool) int {
	if len(tools) == 0 {
		return 0
	}
	texts, fixed := 0, c.framing.Tools
	for _, t := range tools {
		fixed += c.framing.Tool
		texts += c.units(t.Name + ":" + strings.TrimSuffix(t.Description, "."))
		if len(t.Params) > 0 {
			fixed += paramsStart
		}
		for _, p := range t.Params {
			fixed += paramStart
			if len(p.Enum) > 0 {
				fixed += enumStart
			}
			for _, value := range p.Enum {
				fixed += enumItem
				texts += c.units(value)
			}
			texts += c.units(p.Name + ":" + p.Type + ":" + strings.TrimSuffix(p.Description, "."))
		}
	}
	return c.scaled(texts) + fixed
}
