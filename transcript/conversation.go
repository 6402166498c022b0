package transcript

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Role is the sender of a message. Formats with other names map to these four.
type Role uint8

// The roles. The zero value is System.
const (
	System Role = iota // system or developer instructions
	User
	Assistant
	Tool // results in formats that have a role for them
)

// String returns the role in lower case: "system", "user", "assistant" or "tool".
func (r Role) String() string { return [...]string{"system", "user", "assistant", "tool"}[r] }

// Kind is the kind of a block.
type Kind uint8

// The kinds of blocks. The zero value is Text.
const (
	Text Kind = iota
	Thinking
	ToolCall
	ToolResult
	Media  // an image, document or recording
	Opaque // anything else in the file: kept or dropped whole, never read
)

// String returns the kind in lower case, such as "tool call".
func (k Kind) String() string {
	return [...]string{"text", "thinking", "tool call", "tool result", "media", "opaque"}[k]
}

// Origin is the author of a block's text.
type Origin uint8

// The origins. The zero value is Typed: text of unknown origin counts as the
// user's and is kept.
const (
	Typed     Origin = iota // a person wrote it
	Injected                // the client added it: reminders, environment, hooks, instruction files, system prompts
	ByModel                 // the model wrote it
	ByTool                  // a tool returned it
	Generated               // a condenser wrote it, this program or another: a summary or a marker
)

// String returns the origin in lower case: "typed", "injected", "model", "tool" or "generated".
func (o Origin) String() string {
	return [...]string{"typed", "injected", "model", "tool", "generated"}[o]
}

// Pin is the protection of a block.
type Pin uint8

// The pins, in rising strength. The zero value is Unpinned.
const (
	Unpinned Pin = iota
	Present      // may be shortened, never removed whole
	Verbatim     // never changed
)

// Loss reports whether a training set makes the model learn a message. Weights in the
// file decide, or else the role of the message.
type Loss uint8

// The values. The zero value is LossByRole.
const (
	LossByRole Loss = iota // no weight: the model learns the messages of the assistant
	LossOn                 // it learns the message, whatever its role is
	LossOff                // it does not learn the message
)

// Medium describes an image, document or recording. Its bytes stay in the file.
type Medium struct {
	Type          string // media type ("image/png") or the format's word for it; "" when unknown
	Bytes         int    // size after decoding base64; 0 when unknown
	Width, Height int    // pixels, 0 when unknown
	Data          string // base64, data URL or address, as in the file, equal for equal images; "" when unknown
}

// Part is one leaf of a block.
type Part struct {
	Name   string  // path of an argument leaf ("command", "edits[2].new_string"), or ""
	Text   string  // without the escapes of the file; "" for media
	Media  *Medium // nil for text
	Head   int32   // bytes at the start of Text that a rewrite keeps: the words by which a client recognises a result
	Number bool    // Text is JSON of a call's arguments: a number, or a value with very many parts. It is counted, never rewritten
	// Joined reports whether the text continues the answer in the message before it.
	// A client ends such an answer at a text that begins with a marker. A rewrite that
	// begins with a marker therefore starts with a line break.
	Joined bool
}

// Block is one text, thought, tool call, tool result or medium of a message.
type Block struct {
	ID     int // identity within its message, stable across edits
	Parts  []Part
	Call   string // id that a ToolCall shares with its ToolResult; "" when the file has none
	Tool   string // tool of a call and, where known, of a result; kind of an attachment; "" otherwise
	Opaque int    // bytes of signature or ciphertext, which are not text
	Kind   Kind
	Origin Origin
	Pin    Pin
	Error  bool // the tool failed
	Fixed  bool // may be dropped whole, never rewritten: signed thinking, encrypted and compaction items
	// Anchor is set when the rest of the message would become hidden without the block: another block
	// lies on an abandoned branch.
	Anchor bool
}

// textBlock is a block of one part, in one piece of memory.
type textBlock struct {
	block Block
	part  [1]Part
}

// NewText returns b with a text as its only part. It takes less memory than a block and a list of parts.
func NewText(b Block, text string) *Block {
	one := &textBlock{block: b}
	one.part[0].Text = text
	return one.own()
}

// own makes the part that of the block.
func (b *textBlock) own() *Block {
	b.block.Parts = b.part[:]
	return &b.block
}

// pinned returns a copy of a block with another pin. It shares no memory with a block of one part, so
// that it does not keep it.
func (b *Block) pinned(pin Pin) *Block {
	if len(b.Parts) != 1 {
		n := *b
		n.Pin = pin
		return &n
	}
	n := &textBlock{block: *b, part: [1]Part(b.Parts)}
	n.block.Pin = pin
	return n.own()
}

// Text returns the texts of the parts, joined with newlines. Media have no text.
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

// Body returns Text without the head of its first part and the line breaks after it.
func (b *Block) Body() string {
	text := b.Text()
	if len(b.Parts) > 0 {
		text = strings.TrimLeft(text[b.Parts[0].Head:], "\n")
	}
	return text
}

// Arg returns the text of the part with the first of the names that any part has, or "".
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

// Message is one message of a conversation.
type Message struct {
	ID     int // identity within the conversation, stable across edits
	Blocks []*Block
	stamp  *stamp // nil when the file records nothing of it
	Role   Role
	// Hidden messages are outside the effective view: before the last compaction, on
	// an abandoned branch, or tagged by the client. They are never counted, and the
	// only edit of one is to drop it whole.
	Hidden bool
	// Hides is set for a client's marker that hides messages of the file. They become
	// visible again when it is dropped. It does not count as a turn.
	Hides bool
	// Shadows is set when dropping the message, or a block of it, would change the
	// visibility of others. Hidden messages would become visible: an abandoned branch
	// begins here, or this message replaced it, or the file repeats the record later.
	// Or the rest of the message would become hidden, because it lies on such a branch;
	// where one block can prevent that, this is [Block.Anchor] instead.
	Shadows bool
	// Undone is set when the client took the message back, in whole or in part, and everything
	// behind it. What is inserted at End goes in front of the first such message.
	Undone bool
	// Marked is set when a member of the record, which no tool and no person can write, shows
	// that this program wrote the message. The words of a summary alone do not show it.
	Marked bool
	// Joined is set when no message can be inserted in front of the message: it shares a record
	// of the file with the visible message before it, or begins on an abandoned branch.
	Joined bool
	Loss   Loss // what the weights of a training set say about the message
}

// Block returns the block with this identity, or nil.
func (m *Message) Block(id int) *Block {
	if id >= 0 && id < len(m.Blocks) && m.Blocks[id].ID == id { // as decoded, unless blocks were dropped
		return m.Blocks[id]
	}
	// Their identities rise: edits drop blocks, and neither add nor move any.
	if i, ok := slices.BinarySearchFunc(m.Blocks, id, func(b *Block, id int) int { return cmp.Compare(b.ID, id) }); ok {
		return m.Blocks[i]
	}
	return nil
}

// Learned reports whether a model that is trained on the conversation learns the
// message: what the message says is a label then.
func (m *Message) Learned() bool {
	return m.Loss == LossOn || m.Loss == LossByRole && m.Role == Assistant
}

// Conversation is an immutable list of messages, except for SetPins. The zero value is empty. It is
// safe for concurrent use.
type Conversation struct {
	ID       string // session id or title in the file; "" when it has none
	Model    string // model of answers that do not name theirs; "" when not recorded
	Folder   string // absolute path of the folder in which the client ran, without a slash at its end; "" when not recorded
	Messages []*Message
	// Framing holds instructions that the client sends with every request, and writes again at
	// resume. Nothing changes them, because that would save nothing, and no budget includes them.
	Framing []*Block

	at    []int32 // position by Message.ID, -1 for dropped messages
	pairs pairs
}

// Models returns the models that wrote the visible answers, each once, the newest first. Last is
// the model of answers that do not name theirs.
func (c *Conversation) Models() (names []string) {
	note := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, m := range slices.Backward(c.Messages) {
		if m.Role == Assistant && !m.Hidden && (len(names) == 0 || names[len(names)-1] != m.Model()) {
			note(m.Model())
		}
	}
	note(c.Model)
	return names
}

// LastModel returns the first of [Conversation.Models], or "".
func (c *Conversation) LastModel() string {
	for _, name := range c.Models() {
		return name
	}
	return ""
}

// New returns a conversation of these messages. It sets the identities of messages
// and blocks to their positions, and keeps the messages.
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

// index sets the fields that are derived from Messages. next is one more than the
// highest ID that any message ever had.
func (c *Conversation) index(next int) {
	c.at = make([]int32, next)
	for i := range c.at {
		c.at[i] = -1
	}
	for i, m := range c.Messages {
		c.at[m.ID] = int32(i)
	}
	c.pairs = pair(c.Messages, next)
}

// Message returns the message with this identity, or nil when there is none or it
// was dropped.
func (c *Conversation) Message(id int) *Message {
	if i := c.Position(id); i >= 0 {
		return c.Messages[i]
	}
	return nil
}

// Position returns the index in Messages of the message with this identity, or -1.
func (c *Conversation) Position(id int) int {
	if id < 0 || id >= len(c.at) {
		return -1
	}
	return int(c.at[id])
}

// EndPosition returns the index in Messages at which an Insert at [End] puts its message.
func (c *Conversation) EndPosition() int {
	if i := slices.IndexFunc(c.Messages, func(m *Message) bool { return m.Undone }); i >= 0 {
		return i
	}
	return len(c.Messages)
}

// Block returns the block that ref addresses, or nil. It ignores ref.Part.
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

// pairs holds the other half of each call and result. A conversation without pairs has no lists.
type pairs struct {
	blocks []blockRange // by Message.ID
	others []blockPlace // those of all messages
}

// blockRange is where the blocks of a message are in a list.
type blockRange struct{ from, count int32 }

// blockPlace is a block, by the number after Message.ID; the zero value is none.
type blockPlace struct{ msg, block int32 }

// newPairs returns pairs without any for messages whose IDs are below next.
func newPairs(messages []*Message, next int) (p pairs) {
	p.blocks = make([]blockRange, next)
	n := int32(0)
	for _, m := range messages {
		if len(m.Blocks) > 0 {
			count := int32(m.Blocks[len(m.Blocks)-1].ID + 1) // their identities rise
			p.blocks[m.ID] = blockRange{n, count}
			n += count
		}
	}
	p.others = make([]blockPlace, n)
	return p
}

// set makes b the other half of a.
func (p *pairs) set(a, b Ref) {
	p.others[int(p.blocks[a.Msg].from)+a.Block] = blockPlace{int32(b.Msg + 1), int32(b.Block)}
}

// of returns the other half of a block; false when it has none.
func (p *pairs) of(ref Ref) (Ref, bool) {
	if uint(ref.Msg) >= uint(len(p.blocks)) || uint(ref.Block) >= uint(p.blocks[ref.Msg].count) {
		return Ref{}, false
	}
	other := p.others[int(p.blocks[ref.Msg].from)+ref.Block]
	if other.msg == 0 {
		return Ref{}, false
	}
	return Ref{int(other.msg - 1), int(other.block), Whole}, true
}

// pair pairs each call with its result. A result belongs to the latest unanswered call of the
// same id before it. A hidden block and a visible one never pair, because the model sees only
// one of them. The IDs of messages are below next.
func pair(messages []*Message, next int) (p pairs) {
	type key struct {
		call   string
		hidden bool
	}
	open := map[key]Ref{}
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Call == "" {
				continue
			}
			k, ref := key{b.Call, m.Hidden}, Ref{m.ID, b.ID, Whole}
			switch b.Kind {
			case ToolCall:
				open[k] = ref
			case ToolResult:
				if call, ok := open[k]; ok {
					delete(open, k)
					if p.blocks == nil {
						p = newPairs(messages, next)
					}
					p.set(call, ref)
					p.set(ref, call)
				}
			}
		}
	}
	return p
}

// Partner returns the result of a call, or the call of a result; false when it has
// none. It ignores ref.Part.
func (c *Conversation) Partner(ref Ref) (Ref, bool) {
	return c.pairs.of(ref)
}

// Released returns the same conversation with [Message.Shadows] unset in the messages with these
// identities. Those of them without blocks are hidden. The other messages are shared.
func (c *Conversation) Released(ids []int) *Conversation {
	n := *c
	n.Messages = slices.Clone(c.Messages)
	for _, id := range ids {
		if i := c.Position(id); i >= 0 {
			free := *c.Messages[i]
			free.Shadows, free.Hidden = false, free.Hidden || len(free.Blocks) == 0
			n.Messages[i] = &free
		}
	}
	return &n
}

// SetPins sets the pins that WithPins would set, in c itself. The caller must be the only user of c and of
// its messages.
func (c *Conversation) SetPins(pinOf func(Ref) Pin) {
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			b.Pin = pinOf(Ref{m.ID, b.ID, Whole})
		}
	}
}

// WithPins returns the same conversation with the pins that a function returns for the addresses of
// blocks; nil stands for Unpinned. Identities stay, and messages without a change are shared.
func (c *Conversation) WithPins(pinOf func(Ref) Pin) *Conversation {
	n := *c
	n.Messages = slices.Clone(c.Messages)
	for i, m := range c.Messages {
		var blocks []*Block
		for j, b := range m.Blocks {
			pin := Unpinned
			if pinOf != nil {
				pin = pinOf(Ref{m.ID, b.ID, Whole})
			}
			if pin == b.Pin {
				continue
			}
			if blocks == nil {
				blocks = slices.Clone(m.Blocks)
			}
			blocks[j] = b.pinned(pin)
		}
		if blocks != nil {
			nm := *m
			nm.Blocks = blocks
			n.Messages[i] = &nm
		}
	}
	return &n
}
