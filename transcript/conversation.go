package transcript

import (
	"iter"
	"strings"
	"time"
)

// Role is who a message is from. Formats with other names map to these four.
type Role uint8

// The roles. The zero value is System.
const (
	System Role = iota // system or developer instructions
	User
	Assistant
	Tool // results in formats that have a role for them
)

func (r Role) String() string { return [...]string{"system", "user", "assistant", "tool"}[r] }

// Kind is what a block is.
type Kind uint8

// The kinds of blocks. The zero value is Text.
const (
	Text Kind = iota
	Thinking
	ToolCall
	ToolResult
	Media  // an image, document or recording
	Opaque // anything else the format keeps: carried along, dropped whole, never read
)

func (k Kind) String() string {
	return [...]string{"text", "thinking", "tool call", "tool result", "media", "opaque"}[k]
}

// Origin is who made a block's text.
type Origin uint8

// The origins. The zero value is Typed, so that text of doubtful origin counts
// as the user's and is kept.
const (
	Typed     Origin = iota // a person wrote it
	Injected                // put in by the client: reminders, environment, hooks, instruction files, system prompts
	ByModel                 // the model wrote it
	ByTool                  // a tool returned it
	Generated               // a condenser wrote it: a summary or an omission marker, ours or another's
)

func (o Origin) String() string {
	return [...]string{"typed", "injected", "model", "tool", "generated"}[o]
}

// Pin says how strongly a block is kept.
type Pin uint8

// The pins, in rising strength. The zero value is Unpinned.
const (
	Unpinned Pin = iota
	Present      // may be shortened, never removed whole
	Verbatim     // not touched at all
)

// Medium describes media content; its bytes stay in the file.
type Medium struct {
	Type          string // media type ("image/png") or the format's word for it; may be ""
	Bytes         int    // decoded size, 0 when unknown
	Width, Height int    // pixels, 0 when unknown
	Data          string // base64, data URL or address, as in the file: the same for the same image; "" when unknown
}

// Part is one leaf of a block.
type Part struct {
	Name   string // path of an argument leaf ("command", "edits[2].new_string"), or ""
	Text   string // decoded; "" for media
	Number bool   // Text is a number literal of a call's arguments: counted, never rewritten
	// Joined is set where the text of a message belongs to the answer begun before it
	// unless it begins with a marker, which would be what is left of a note. So that
	// an omission at its start is known for its own, a rewrite puts a line break in front.
	Joined bool
	Head   int     // bytes at the start of Text that a rewrite keeps: the words by which a client knows an answer
	Media  *Medium // nil for text
}

// Block is one thing said, called or answered.
type Block struct {
	ID     int // identity within its message, stable across edits
	Kind   Kind
	Parts  []Part
	Call   string // pairs a ToolCall with its ToolResult; "" when the file gives no way to pair them
	Tool   string // name of the tool of a call or, where known, of a result
	Error  bool   // the tool reported failure
	Fixed  bool   // may be dropped whole, never rewritten: signed thinking, encrypted and compaction items
	Opaque int    // bytes of signature or ciphertext, which no tokenizer sees
	Origin Origin
	Pin    Pin
	Same   *Ref // for a block that was replaced by a reference: the block that still holds the content
}

// Text joins the texts of the parts with newlines.
func (b *Block) Text() string {
	if len(b.Parts) == 1 {
		return b.Parts[0].Text
	}
	texts := make([]string, 0, len(b.Parts))
	for _, p := range b.Parts {
		if p.Media == nil {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Body is Text without the head of its first part.
func (b *Block) Body() string {
	text := b.Text()
	if len(b.Parts) > 0 {
		text = strings.TrimLeft(text[b.Parts[0].Head:], "\n")
	}
	return text
}

// Arg returns the text of the first part that has one of the names, or "".
func (b *Block) Arg(names ...string) string {
	for _, name := range names {
		for _, p := range b.Parts {
			if p.Name == name {
				return p.Text
			}
		}
	}
	return ""
}

// Usage is what the provider counted for a message, when the file records it. All in tokens.
type Usage struct{ Input, CacheRead, CacheWrite, Output int }

// Message is one turn of a conversation.
type Message struct {
	ID     int // identity within the conversation, stable across edits
	Role   Role
	Blocks []*Block
	// Hidden messages are outside the effective view: before the last
	// compaction, on an abandoned branch, tagged away by the client. They are
	// never a candidate for an edit other than being dropped whole, and never counted.
	Hidden bool
	// Hides is set for a client's marker in place of messages that are still in the
	// file: they are seen again when it goes. It is no turn, and not counted as one.
	Hides bool
	// Shadows is set when more would change than this message if it went, or a part
	// of it. Hidden ones would be seen again: a branch that was given up leaves here,
	// or it was given up for what was typed here, or the record is repeated further on.
	// Or what is left of it would be hidden: it lies on such a branch in part.
	Shadows bool
	// Joined is set when the message lies in one record of the file with the visible
	// one before it, so that no new message can be put between them.
	Joined bool
	Time   time.Time // zero when not recorded
	Usage  *Usage    // nil when not recorded
}

// Block returns the block with that identity, or nil.
func (m *Message) Block(id int) *Block {
	if id >= 0 && id < len(m.Blocks) && m.Blocks[id].ID == id { // as decoded, unless blocks were dropped
		return m.Blocks[id]
	}
	for _, b := range m.Blocks {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Conversation is an immutable list of messages. The zero value is empty.
type Conversation struct {
	ID       string // what the file calls it: session id, title; may be ""
	Model    string // the model that answered last, when the file records it
	Messages []*Message

	at    []int // position by Message.ID, -1 for gone
	pairs map[Ref]Ref
}

// New makes a conversation of messages in order. It sets the identities of
// messages and blocks to their positions.
func New(id string, messages []*Message) *Conversation {
	for i, m := range messages {
		m.ID = i
		for j, b := range m.Blocks {
			b.ID = j
		}
	}
	c := &Conversation{ID: id, Messages: messages}
	c.index(len(messages))
	return c
}

// index fills what is derived from Messages; next is one more than the highest ID ever given.
func (c *Conversation) index(next int) {
	c.at = make([]int, next)
	for i := range c.at {
		c.at[i] = -1
	}
	for i, m := range c.Messages {
		c.at[m.ID] = i
	}
	c.pairs = pair(c.Messages)
}

// Message returns the message with that identity, or nil when there is none (any more).
func (c *Conversation) Message(id int) *Message {
	if i := c.Position(id); i >= 0 {
		return c.Messages[i]
	}
	return nil
}

// Position returns the index in Messages of the message with that identity, or -1.
func (c *Conversation) Position(id int) int {
	if id < 0 || id >= len(c.at) {
		return -1
	}
	return c.at[id]
}

// Block returns the block that ref addresses (its Part is ignored), or nil.
func (c *Conversation) Block(ref Ref) *Block {
	m := c.Message(ref.Msg)
	if m == nil {
		return nil
	}
	return m.Block(ref.Block)
}

// Visible yields the messages of the effective view, oldest first.
func (c *Conversation) Visible() iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		for _, m := range c.Messages {
			if !m.Hidden && !yield(m) {
				return
			}
		}
	}
}

// Blocks yields the blocks of the effective view with their addresses, oldest first.
func (c *Conversation) Blocks() iter.Seq2[Ref, *Block] {
	return func(yield func(Ref, *Block) bool) {
		for m := range c.Visible() {
			for _, b := range m.Blocks {
				if !yield(Ref{m.ID, b.ID, Whole}, b) {
					return
				}
			}
		}
	}
}
