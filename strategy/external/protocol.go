package external

import (
	"bytes"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"condense/strategy"
	"condense/transcript"
)

// Protocol is the version of the messages between condense and a program that is a
// strategy. It rises when a member changes its meaning or disappears; members may be
// added.
const Protocol = 1

//go:embed protocol.schema.json
var schema string

// Schema returns the JSON Schema (2020-12) of a [Request]; $defs/answer in it is that
// of an [Answer].
func Schema() []byte { return []byte(schema) }

// Request is the input of a program that is a strategy.
type Request struct {
	Protocol     int          `json:"protocol"`
	Budget       int          `json:"budget"` // largest number of tokens of the conversation; 0: as few as possible
	Need         int          `json:"need"`   // tokens over the budget; 0 without a budget
	Tokens       int          `json:"tokens"` // tokens of the conversation
	Conversation Conversation `json:"conversation"`
}

// Conversation is the effective view of a conversation.
type Conversation struct {
	ID       string    `json:"id"`    // id in the file; may be ""
	Model    string    `json:"model"` // model of the last answer; "" when not recorded
	Messages []Message `json:"messages"`
}

// Message is one message of a conversation.
type Message struct {
	ID     int     `json:"id"` // address for edits; not consecutive
	Role   string  `json:"role"`
	Blocks []Block `json:"blocks"`
}

// Block is a text, a call, a result, or other content of a message.
type Block struct {
	ID     int    `json:"id"`             // address for edits, within its message
	Kind   string `json:"kind"`           // text, thinking, tool_call, tool_result, media, opaque
	Origin string `json:"origin"`         // author: user, client, model, tool, condenser
	Pin    string `json:"pin"`            // none, present (never removed whole), verbatim (never changed)
	Fixed  bool   `json:"fixed"`          // may be dropped but not rewritten, because it is signed
	Call   string `json:"call,omitempty"` // the same for a call and its result, which are dropped together
	Tool   string `json:"tool,omitempty"` // name of the tool
	Error  bool   `json:"error,omitempty"`
	Tokens int    `json:"tokens"`
	Parts  []Part `json:"parts"` // an edit addresses a part by its index
}

// Part is a text or an image of a block.
type Part struct {
	Name   string `json:"name,omitempty"` // name of an argument: command, edits[2].new_string
	Text   string `json:"text"`
	Number bool   `json:"number,omitempty"` // a number among arguments, which must not be rewritten
	Media  string `json:"media,omitempty"`  // media type of an image or document, which has no text
}

// Answer is the output of a program that is a strategy: edits, or the reason for none.
type Answer struct {
	Protocol int    `json:"protocol"`
	Edits    []Edit `json:"edits"`
	Skip     string `json:"skip"` // reason for proposing no edits
}

// Edit is one proposed change.
type Edit struct {
	Message int    `json:"message"`
	Block   *int   `json:"block"` // nil: the message
	Part    *int   `json:"part"`  // nil: the block
	Op      string `json:"op"`    // drop, or rewrite
	Text    string `json:"text"`  // rewrite: the new text
	Group   int    `json:"group"` // edits with the same number are applied or refused together; 0: alone
	Why     string `json:"why"`   // reason, short, for people
}

var (
	kinds   = [...]string{"text", "thinking", "tool_call", "tool_result", "media", "opaque"} // by transcript.Kind
	origins = [...]string{"user", "client", "model", "tool", "condenser"}                    // by transcript.Origin
	pinned  = [...]string{"none", "present", "verbatim"}                                     // by transcript.Pin
)

// newRequest returns the request for a conversation.
func newRequest(in *strategy.Input) *Request {
	r := &Request{
		Protocol: Protocol, Budget: in.Budget, Need: max(0, in.Need),
		Conversation: Conversation{ID: in.Conv.ID, Model: in.Conv.LastModel(), Messages: []Message{}},
	}
	for m := range in.Conv.Visible() {
		shown := Message{ID: m.ID, Role: m.Role.String(), Blocks: []Block{}}
		for _, b := range m.Blocks {
			block := newBlock(b)
			block.Tokens = in.Tokens(b)
			r.Tokens += block.Tokens
			shown.Blocks = append(shown.Blocks, block)
		}
		r.Conversation.Messages = append(r.Conversation.Messages, shown)
	}
	return r
}

func newBlock(b *transcript.Block) Block {
	shown := Block{
		ID: b.ID, Kind: kinds[b.Kind], Origin: origins[b.Origin], Pin: pinned[b.Pin],
		Fixed: b.Fixed, Call: b.Call, Tool: b.Tool, Error: b.Error, Parts: []Part{},
	}
	for _, p := range b.Parts {
		part := Part{Name: p.Name, Text: p.Text, Number: p.Number}
		if p.Media != nil {
			part.Media = "unknown"
			if p.Media.Type != "" {
				part.Media = p.Media.Type
			}
		}
		shown.Parts = append(shown.Parts, part)
	}
	return shown
}

// parseAnswer reads the output of a program: one document, without members that the
// protocol does not have.
func parseAnswer(text []byte) (*Answer, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("its answer is empty")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var a Answer
	if err := d.Decode(&a); err != nil {
		return nil, fmt.Errorf("its answer is not one of the protocol: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("its answer has text after the document")
	}
	if a.Protocol != Protocol {
		return nil, fmt.Errorf("its answer is of protocol %d, expected %d", a.Protocol, Protocol)
	}
	return &a, nil
}

// edits returns the edits of an answer.
func (a *Answer) edits() ([]transcript.Edit, error) {
	list := make([]transcript.Edit, len(a.Edits))
	for i, e := range a.Edits {
		list[i] = transcript.Edit{At: transcript.At(e.Message), Text: e.Text, Group: e.Group, Why: e.Why}
		if e.Block != nil {
			list[i].At.Block = *e.Block
		}
		if e.Part != nil {
			list[i].At.Part = *e.Part
		}
		switch e.Op {
		case "drop":
			list[i].Op = transcript.Drop
		case "rewrite":
			list[i].Op = transcript.Rewrite
		default:
			return nil, fmt.Errorf("edit %d of its answer: op is %q, expected drop or rewrite", i+1, e.Op)
		}
		switch {
		case e.Part != nil && e.Block == nil:
			return nil, fmt.Errorf("edit %d of its answer: a part without its block", i+1)
		case e.Message < 0, list[i].At.Block < 0 && e.Block != nil, list[i].At.Part < 0 && e.Part != nil, e.Group < 0:
			return nil, fmt.Errorf("edit %d of its answer: a number is negative", i+1)
		}
	}
	return list, nil
}
