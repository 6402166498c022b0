package survey

import (
	"time"

	"condense/cmd/report"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/format"
)

// A View holds the conversations of a file for a reader.
type View struct {
	Version       int                `json:"version"`       // version of this report format
	Condense      string             `json:"condense"`      // version of the program
	Input         string             `json:"input"`         // the file, as the user wrote it; "-" for standard input
	Original      string             `json:"original"`      // the file before, if two are compared; otherwise ""
	Format        string             `json:"format"`        // dialect of the file
	Conversations []ViewConversation `json:"conversations"` // those that were selected
}

// A ViewConversation is one conversation of a file.
type ViewConversation struct {
	Number   int           `json:"number"`   // in the file, from 1
	ID       string        `json:"id"`       // as the file names it; may be ""
	Model    string        `json:"model"`    // model of the last answer; may be ""
	Of       int           `json:"of"`       // messages of the conversation, hidden ones included
	Hidden   int           `json:"hidden"`   // hidden messages that were left out
	Messages []ViewMessage `json:"messages"` // those that were selected
}

// A ViewMessage is one message.
type ViewMessage struct {
	Number int         `json:"number"` // in the conversation, from 1; 0 if only the original has it
	Was    int         `json:"was"`    // number in the original, from 1; 0 if it has no such message, or nothing is compared
	Role   string      `json:"role"`   // system, user, assistant or tool
	Time   string      `json:"time"`   // as in RFC 3339; "" if the file does not record it
	Hidden bool        `json:"hidden"` // reports whether the model does not see the message
	Blocks []ViewBlock `json:"blocks"` // in their order
}

// A ViewBlock is one text, thought, call, result or medium of a message.
type ViewBlock struct {
	Kind   string     `json:"kind"`             // text, thinking, tool call, tool result, media, opaque
	Origin string     `json:"origin"`           // author of the text: typed, injected, model, tool, generated
	Name   string     `json:"name"`             // tool and subject of a call, or of the call that a result answers; otherwise ""
	Failed bool       `json:"failed"`           // reports whether the tool failed
	Opaque int        `json:"opaque"`           // bytes of signature or ciphertext
	Parts  []ViewPart `json:"parts"`            // texts and media
	Change string     `json:"change,omitempty"` // removed, new or changed, if two files are compared; absent for an equal block
	Before []ViewPart `json:"before,omitempty"` // the parts in the original, of a changed block
}

// A ViewPart is one text or medium of a block.
type ViewPart struct {
	Name   string      `json:"name"`            // path of an argument of a call, or ""
	Text   string      `json:"text"`            // "" for a medium
	Medium *ViewMedium `json:"media,omitempty"` // the medium; absent for a text
}

// A ViewMedium describes an image, document or recording.
type ViewMedium struct {
	Type   string `json:"type"`   // media type, or the word of the format for it; may be ""
	Bytes  int    `json:"bytes"`  // decoded size; 0 if unknown
	Width  int    `json:"width"`  // pixels; 0 if unknown
	Height int    `json:"height"` // pixels; 0 if unknown
	Data   string `json:"-"`      // as the file has it: base64, a data URL or an address
}

// viewVersion is the version of the JSON of view. It rises when a member changes its meaning or is
// removed.
const viewVersion = 1

// The changes of a block.
const (
	ViewRemoved = "removed" // only the original has it
	ViewNew     = "new"     // only the file has it
	ViewChanged = "changed" // both have it, and it differs
)

// ViewOptions select what a view shows.
type ViewOptions struct {
	Hidden     bool   // set to show messages that the model does not see
	NoThinking bool   // set to leave out thinking
	Messages   Ranges // the messages to show; nil for all
}

// NewView returns the picked conversations of a file. If original is not nil, the view compares the
// file with it.
func NewView(name string, file *format.File, picked []bool, original *format.File, o ViewOptions) *View {
	v := &View{
		Version: viewVersion, Condense: report.CondenseVersion(), Input: name, Format: file.Dialect.Name, Conversations: []ViewConversation{},
	}
	before := map[*transcript.Conversation]*transcript.Conversation{}
	if original != nil {
		for _, p := range sameConversations(original.Convs, file.Convs) {
			if p[0] != nil && p[1] != nil {
				before[p[1]] = p[0]
			}
		}
	}
	for i, c := range file.Convs {
		if !picked[i] {
			continue
		}
		to := ViewConversation{Number: i + 1, ID: c.ID, Model: c.LastModel(), Of: len(c.Messages), Messages: []ViewMessage{}}
		b := &viewBuilder{ViewOptions: o, to: &to}
		switch old := before[c]; {
		case old != nil:
			b.compare(old, c)
		case original != nil:
			b.compare(&transcript.Conversation{}, c)
		default:
			b.all(c)
		}
		v.Conversations = append(v.Conversations, to)
	}
	return v
}

// A viewBuilder adds messages to a conversation of a view.
type viewBuilder struct {
	ViewOptions
	to *ViewConversation
}

// all adds the selected messages of a conversation.
func (b *viewBuilder) all(c *transcript.Conversation) {
	for i, m := range c.Messages {
		if !b.Messages.have(i+1, len(c.Messages)) || b.leavesOut(m) {
			continue
		}
		out := newViewMessage(m)
		out.Number = i + 1
		for _, x := range m.Blocks {
			b.add(&out, newViewBlock(c, m, x))
		}
		b.append(out, len(m.Blocks))
	}
}

// leavesOut reports whether a message is hidden and not shown, and counts it.
func (b *viewBuilder) leavesOut(m *transcript.Message) bool {
	if !m.Hidden || b.Hidden {
		return false
	}
	b.to.Hidden++
	return true
}

// add adds a block to a message, unless the options leave it out.
func (b *viewBuilder) add(to *ViewMessage, block ViewBlock) {
	if !b.NoThinking || block.Kind != transcript.Thinking.String() {
		to.Blocks = append(to.Blocks, block)
	}
}

// append adds a message that had n blocks, unless the options leave out all of them.
func (b *viewBuilder) append(m ViewMessage, n int) {
	if n == 0 || len(m.Blocks) > 0 {
		b.to.Messages = append(b.to.Messages, m)
	}
}

// newViewMessage returns a message without its blocks and its number.
func newViewMessage(m *transcript.Message) ViewMessage {
	out := ViewMessage{Role: m.Role.String(), Hidden: m.Hidden, Blocks: []ViewBlock{}}
	if !m.Time().IsZero() {
		out.Time = m.Time().Format(time.RFC3339)
	}
	return out
}

// newViewBlock returns block x of message m.
func newViewBlock(c *transcript.Conversation, m *transcript.Message, x *transcript.Block) ViewBlock {
	return ViewBlock{
		Kind: x.Kind.String(), Origin: x.Origin.String(), Failed: x.Error, Opaque: x.Opaque, Parts: viewParts(x),
		Name: subject.Label(c, transcript.Ref{Msg: m.ID, Block: x.ID, Part: transcript.Whole}),
	}
}

func viewParts(x *transcript.Block) []ViewPart {
	parts := make([]ViewPart, len(x.Parts))
	for i, p := range x.Parts {
		parts[i] = ViewPart{Name: p.Name, Text: p.Text}
		if m := p.Media; m != nil {
			parts[i].Medium = &ViewMedium{Type: m.Type, Bytes: m.Bytes, Width: m.Width, Height: m.Height, Data: m.Data}
		}
	}
	return parts
}
