package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// sweTurns reads the messages of SWE-agent and mini-swe-agent: a system prompt and a task,
// then answers of the model with one command each. The next user message holds the output of
// the command. Newer files have native calls.
type sweTurns struct {
	*builder
	key     string              // of the member with the text
	people  bool                // a person may write between the commands
	asked   bool                // the task was read
	summary bool                // the last user message that is no observation is a summary
	waiting bool                // the last answer of the model holds a command without output so far
	call    *transcript.Block   // that command; nil for native calls
	agent   string              // name of the agent; messages of others are from sub-agents
	named   *transcript.Message // the first message that has it
	// answers are the answers of the model, whose texts the trajectory repeats.
	answers []sweAnswer
}

// sweAnswer is an answer of the model.
type sweAnswer struct {
	msg, result int // its message, and the message with the output of its command or None
	text        string
}

// messages reads the messages of a run.
func (t *sweTurns) messages(array rawjson.Value) {
	n := 0
	for e := range array.Elems() {
		t.message(e, t.l.Slot(n))
		n++
	}
}

// message reads one message that lies in slot.
func (t *sweTurns) message(v rawjson.Value, slot int) {
	name := v.Get("role")
	if v.Kind() != rawjson.Object || name.Kind() != rawjson.String {
		return
	}
	role, known := chatRole(name.Str())
	mb := t.builder.message(role, slot)
	if agent := v.Get("agent").Str(); t.agent == "" {
		t.agent, t.named = agent, mb.m
	} else if agent != "" && agent != t.agent {
		known = false
		t.named.Shadows = true // without it, this would be the agent of the run
	}
	mb.m.Hidden = !known
	mb.m.SetTime(timestamp(v))
	key := t.key
	if key == "text" && v.Get(key).Kind() != rawjson.String && v.Get("system_prompt").Kind() == rawjson.String {
		key = "system_prompt" // Nebius: a system message has only this text
	}
	body, content := body(t.l, slot, v, key), v.Get(key)
	switch {
	case mb.m.Hidden:
		mb.asDemo(content, body)
	case v.Get("is_demo").Bool():
		mb.asDemo(content, body)
		mb.calls(v, slot, false)
	case role == transcript.Assistant:
		t.assistant(mb, v, content, body, slot)
	case role == transcript.Tool:
		ids := firstOf(v, "tool_call_ids", "tool_call_id")
		id := ids.Str()
		for e := range ids.Elems() {
			id = e.Str()
			break
		}
		mb.addResult(id, v.Get("name").Str(), returnedError(v), content, body)
		t.result()
	case role == transcript.User && content.Ok() && (t.asked || t.waiting || len(t.answers) > 0 && !t.summary): // without a task, the answer before it shows that it is an observation
		t.observation(mb, v, content, body)
	default:
		mb.content(content, body)
		if role == transcript.User {
			t.summary = len(mb.m.Blocks) > 0 && mb.m.Blocks[0].Origin == transcript.Generated
			t.asked = !t.summary
		}
	}
	t.mirrors(mb, v, slot, key)
}

// asDemo adds the texts of a demonstration, or of a message that the model does not see,
// as injected text.
func (mb *messageBuilder) asDemo(content rawjson.Value, slot int) {
	b := &transcript.Block{Origin: transcript.Injected}
	at := splice.BlockPlace{Slots: []int{slot}}
	mb.leaves(content, slot, b, &at)
	if len(b.Parts) > 0 {
		mb.add(b, at)
	}
}

// assistant reads an answer of the model: thinking, text and calls.
func (t *sweTurns) assistant(mb *messageBuilder, v, content rawjson.Value, body, slot int) {
	if thoughts := v.Get("thinking_blocks"); thoughts.Kind() == rawjson.Array {
		first, i := t.l.Elems(t.l.Member(slot, v, "thinking_blocks"), thoughts), 0
		for e := range thoughts.Elems() {
			if e.Kind() == rawjson.Object {
				mb.thinking(e, first+i)
			}
			i++
		}
	}
	native, unanswered := v.Get("tool_calls").Kind() == rawjson.Array, t.waiting
	t.call, t.waiting = nil, v.Get("tool_calls").Len() > 0
	if native {
		if content.Kind() != rawjson.String || content.Str() != "" { // "" stands for no text
			mb.content(content, body)
		}
		_, fenced := lastCommand(content.Str(), v.Get("action").Str())
		mb.calls(v, slot, fenced)
	} else {
		t.waiting = v.Get("action").Str() != ""
		t.prose(mb, content, body, v.Get("action").Str())
	}
	mb.m.Shadows = mb.m.Shadows || unanswered // without it, a later text of the client would be the output of the command before it
	t.answers = append(t.answers, sweAnswer{msg: len(t.msgs) - 1, result: splice.None, text: content.Str()})
}

// calls reads native calls. With emptied, an empty list stays when all are removed: it shows that the text
// beside it holds no command.
func (mb *messageBuilder) calls(v rawjson.Value, slot int, emptied bool) {
	calls := v.Get("tool_calls")
	if calls.Len() == 0 {
		return
	}
	list := mb.l.Member(slot, v, "tool_calls")
	if emptied {
		mb.l.EmptyAs(list, calls.Span(), "[]")
	}
	first, i := mb.l.Elems(list, calls), 0
	for c := range calls.Elems() {
		if c.Kind() == rawjson.Object {
			mb.call(c, first+i)
		}
		i++
	}
}

// prose reads texts of the model. The last of them may hold a command.
func (t *sweTurns) prose(mb *messageBuilder, content rawjson.Value, slot int, action string) {
	if content.Kind() == rawjson.Array {
		first, i := t.l.Elems(slot, content), 0
		for e := range content.Elems() {
			if text := e.Get("text"); text.Kind() == rawjson.String {
				t.command(mb, text, first+i, action)
			} else {
				mb.element(e, first+i)
			}
			i++
		}
		return
	}
	if content.Kind() == rawjson.String {
		t.command(mb, content, slot, action)
		return
	}
	mb.content(content, slot)
}

// command cuts a text of the model into text and command.
func (t *sweTurns) command(mb *messageBuilder, v rawjson.Value, slot int, action string) {
	text := v.Str()
	found, ok := lastCommand(text, action)
	add := func(b *transcript.Block, from, to int) *splice.Place {
		p := splice.Place{Slot: slot, Lit: v.Span()}
		if to-from < len(text) {
			p.From, p.To = from, to
		}
		b.Origin, b.Parts[0].Text = transcript.ByModel, text[from:to]
		mb.add(b, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{p}})
		return &mb.at.Blocks.At(mb.at.Blocks.Len() - 1).Parts[0]
	}
	said := func(from, to int) {
		if strings.TrimSpace(text[from:to]) != "" {
			add(&transcript.Block{Parts: []transcript.Part{{}}}, from, to)
		}
	}
	if !ok || found.from == found.to { // an empty command has no place
		said(0, len(text))
		return
	}
	said(0, found.wideFrom)
	t.call, t.waiting = &transcript.Block{
		Kind: transcript.ToolCall, Tool: "shell",
		Parts: []transcript.Part{{Name: "command"}},
	}, true
	p := add(t.call, found.from, found.to)
	if p.Segment() {
		p.Wide = &[2]int{found.wideFrom, found.wideTo}
	}
	said(found.wideTo, len(text))
}

// observation reads a user message after the task: the output of a command, or the reply
// of the client to an answer without a command.
func (t *sweTurns) observation(mb *messageBuilder, v, content rawjson.Value, slot int) {
	origin, sure := userOrigin(content.Str(), false)
	ran := returnHead(content.Str()) > 0
	switch {
	case ran:
	case !t.waiting && sure && origin == transcript.Generated, !t.waiting && t.people && !isFromClient(content.Str()):
		mb.content(content, slot)
		return
	case !t.waiting:
		mb.asDemo(content, slot)
		return
	}
	id, tool := "", ""
	if t.call != nil {
		t.call.Call = fmt.Sprint(proseID, len(t.msgs)-1) // only a call with a result has an id
		id, tool = t.call.Call, t.call.Tool
	}
	if t.waiting && t.call == nil { // without it, a later text of the client would be the output; without the answer, it would be none
		mb.m.Shadows = true
		t.msgs[t.answers[len(t.answers)-1].msg].Shadows = true
	}
	mb.addResult(id, tool, returnedError(v) || failedRun(content.Str()), content, slot)
	b := mb.m.Blocks[len(mb.m.Blocks)-1]
	if len(b.Parts) > 0 {
		b.Parts[0].Head = int32(returnHead(b.Parts[0].Text))
	}
	if userStopped(content.Str()) {
		b.Origin = transcript.Typed
	}
	t.result()
}

// result notes that the last message holds the output of the last answer's command.
func (t *sweTurns) result() {
	if n := len(t.answers); n > 0 && t.answers[n-1].result == splice.None {
		t.answers[n-1].result = len(t.msgs) - 1
	}
	t.call, t.waiting = nil, false
}

// notMirrored are the members of a message that hold its blocks, ids or names.
var notMirrored = []string{
	"role", "tool_calls", "tool_call_ids", "tool_call_id", "thinking_blocks", "agent", "message_type", "name",
}

// mirrors makes mirrors of the members of a message that repeat its texts for the client.
func (t *sweTurns) mirrors(mb *messageBuilder, v rawjson.Value, slot int, key string) {
	for k, m := range v.Members() {
		if !k.Is(key) && !isOneOf(k, notMirrored) {
			t.l.Mirror(slot, m.Span(), len(mb.m.Blocks) > 0, blocksOf(len(t.msgs)-1, mb.m)...)
		}
	}
}
