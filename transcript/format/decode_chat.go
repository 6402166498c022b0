package format

import (
	"fmt"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// This file reads what the Anthropic and OpenAI dialects share: an array of
// messages with a role and content, alone or in one of several containers.

// container is one conversation's array of messages, and the object around it
// when there is one.
type container struct {
	messages rawjson.Value
	owner    rawjson.Value
}

// containers finds the conversations of a document:
//
//	[message, …]   {"messages": [message, …]}   [[message, …], …]   [{"messages"|"traj": [message, …]}, …]
func containers(root rawjson.Value) []container {
	if root.Kind() == rawjson.Object {
		if m := messagesOf(root); m.Ok() {
			return []container{{m, root}}
		}
		return nil
	}
	var found []container
	for e := range root.Elems() {
		switch {
		case e.Kind() == rawjson.Array:
			found = append(found, container{messages: e})
		case e.Kind() == rawjson.Object && !e.Get("role").Ok():
			if m := messagesOf(e); m.Ok() {
				found = append(found, container{m, e})
			}
		}
	}
	if found == nil {
		return []container{{messages: root}}
	}
	return found
}

func messagesOf(v rawjson.Value) rawjson.Value {
	for _, key := range []string{"messages", "traj"} {
		if m := v.Get(key); m.Kind() == rawjson.Array {
			return m
		}
	}
	return rawjson.Value{}
}

// sample yields the first messages of a document, for detection.
func (p *probe) sample() []rawjson.Value {
	if p.lines != nil {
		return nil
	}
	var out []rawjson.Value
	seen := 0
	for _, c := range firstContainers(p.doc.Root()) {
		for m := range c.messages.Elems() {
			if seen++; seen > probeRecords {
				return out
			}
			if m.Kind() == rawjson.Object && m.Get("role").Kind() == rawjson.String {
				out = append(out, m)
			}
		}
	}
	return out
}

// firstContainers is containers, bounded: detection looks at a few only.
func firstContainers(root rawjson.Value) []container {
	if root.Kind() != rawjson.Array {
		return containers(root)
	}
	n := 0
	for e := range root.Elems() {
		if n++; n > 4 {
			break
		}
		if e.Kind() == rawjson.Array {
			return []container{{messages: e}}
		}
		if m := messagesOf(e); m.Ok() && !e.Get("role").Ok() {
			return []container{{m, e}}
		}
	}
	return []container{{messages: root}}
}

// decodeChat reads every conversation of a document. finish is called on each
// before it becomes a conversation, with the JSON value of each of its messages.
func decodeChat(f *File, p *probe, finish func(b *builder, at []rawjson.Value)) error {
	if p.lines != nil {
		return &Error{Offset: -1, Reason: "JSONL, expected one JSON document with messages"}
	}
	found := containers(p.doc.Root())
	if found == nil {
		return &Error{Offset: -1, Reason: "no array of messages found, " + p.looks()}
	}
	for i, c := range found {
		b, values := readChat(p.src, c)
		finish(b, values)
		pairProse(b.msgs)
		f.add(conversationID(c.owner, i), b)
	}
	return nil
}

// readChat reads the messages of one container, with the system prompt that may
// stand beside them, and gives the JSON value of each.
func readChat(src []byte, c container) (*builder, []rawjson.Value) {
	return readChatInto(&builder{l: splice.New(src)}, c)
}

// readChatInto is readChat with a builder that has been prepared.
func readChatInto(b *builder, c container) (*builder, []rawjson.Value) {
	b.model = c.owner.Get("model").Str()
	var values []rawjson.Value
	b.l.SetRecords(c.messages)
	for _, key := range []string{"system", "system_prompt", "systemPrompt"} {
		if sys := c.owner.Get(key); sys.Ok() {
			slot := b.l.Member(splice.None, c.owner, key)
			b.message(transcript.System, slot).content(sys, slot)
			if b.dropEmpty(); len(b.msgs) > len(values) {
				values = append(values, sys)
			}
		}
	}
	n := 0
	for e := range c.messages.Elems() {
		if e.Kind() == rawjson.Object && e.Get("role").Kind() == rawjson.String {
			b.chatMessage(e, b.l.Slot(n))
			values = append(values, e)
		}
		n++
	}
	return b, values
}

// conversationID is what the file calls a conversation, or its number.
func conversationID(owner rawjson.Value, i int) string {
	for _, key := range []string{"sessionId", "session_id", "conversation_id", "id", "task_id", "custom_id"} {
		switch v := owner.Get(key); v.Kind() {
		case rawjson.String:
			return v.Str()
		case rawjson.Number:
			return string(v.Raw())
		}
	}
	return fmt.Sprint(i + 1)
}

// chatMessage reads one message object.
func (c *builder) chatMessage(v rawjson.Value, slot int) {
	role, known := chatRole(v.Get("role").Str())
	if !known && c.speakers {
		role, known = speaker(v.Get("role").Str()), true
	}
	l, mb := c.l, c.message(role, slot)
	mb.m.Hidden, mb.m.Time, mb.m.Usage = !known, timestamp(v), clineUsage(v.Get("metrics"))
	if model := firstOf(v.Get("modelInfo"), "modelId", "id").Str(); model != "" {
		c.model = model
	}
	if r := firstOf(v, "reasoning_content", "reasoning"); r.Kind() == rawjson.String && r.Str() != "" {
		s := l.Member(slot, v, "reasoning_content")
		if !v.Get("reasoning_content").Ok() {
			s = l.Member(slot, v, "reasoning")
		}
		mb.add(&transcript.Block{
			Kind: transcript.Thinking, Origin: transcript.ByModel, Parts: []transcript.Part{{Text: r.Str()}},
		}, splice.BlockPlace{Slots: []int{s}, Parts: []splice.Place{{Slot: s, Lit: r.Span()}}})
	}
	if role == transcript.Tool {
		mb.toolMessage(v, slot)
		return
	}
	calls, fn := v.Get("tool_calls"), v.Get("function_call")
	body, content := slot, v.Get("content")
	if calls.Len() > 0 || fn.Kind() == rawjson.Object { // the content may go while the message stays
		if content.Kind() == rawjson.String || content.Kind() == rawjson.Array {
			body = l.Emptied(slot, v, "content")
		}
	}
	if body == slot || content.Kind() != rawjson.String || content.Str() != "" { // with calls, "" is how nothing is written
		mb.content(content, body)
	}
	if calls.Kind() == rawjson.Array {
		first := l.Elems(l.Member(slot, v, "tool_calls"), calls)
		i := 0
		for c := range calls.Elems() {
			if c.Kind() == rawjson.Object {
				mb.call(c, first+i)
			}
			i++
		}
	}
	if fn.Kind() == rawjson.Object {
		mb.call(fn, l.Member(slot, v, "function_call"))
	}
}

// toolMessage reads a message that is, as a whole, the answer to one call.
func (mb *message) toolMessage(v rawjson.Value, slot int) {
	id := firstOf(v, "tool_call_id", "toolCallId").Str()
	mb.addResult(id, v.Get("name").Str(), false, v.Get("content"), slot)
}

// chatRole maps the names that files use; unknown ones (sub-agents, for
// example) are outside the conversation with the model.
func chatRole(name string) (role transcript.Role, known bool) {
	switch name {
	case "user", "human":
		return transcript.User, true
	case "assistant", "ai", "model":
		return transcript.Assistant, true
	case "tool", "function":
		return transcript.Tool, true
	case "system", "developer":
		return transcript.System, true
	}
	if strings.HasPrefix(name, "user") {
		return transcript.User, false
	}
	return transcript.Assistant, false
}

// timestamp reads when a message was written, where the format records it.
func timestamp(v rawjson.Value) time.Time {
	if ms, ok := v.Get("ts").Int(); ok {
		return time.UnixMilli(ms).UTC()
	}
	t := v.Get("timestamp")
	if !t.Ok() {
		t = v.Get("_metadata").Get("timestamp")
	}
	if t.Kind() != rawjson.String {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, t.Str()) // zero when in another form
	return at
}
