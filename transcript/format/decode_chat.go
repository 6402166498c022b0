package format

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// The dialects of Anthropic and OpenAI share this file. They save an array of messages with
// a role and content, alone or in a container.

// container is the array of messages of one conversation, and the object around it; owner
// is absent when there is none.
type container struct {
	messages rawjson.Value
	owner    rawjson.Value
	rest     rawjson.Value // the end of the conversation, when a column has two members
}

// containers finds the conversations of a document:
//
//	[message, …]   {"messages": [message, …]}   [[message, …], …]   [{"messages"|"traj": [message, …]}, …]
func containers(root rawjson.Value) []container {
	if root.Kind() == rawjson.Object {
		if m := messagesOf(root); m.Ok() {
			return []container{{messages: m, owner: root}}
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
				found = append(found, container{messages: m, owner: e})
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

// sample returns the first messages of a document, for detection.
func (p *probe) sample() []rawjson.Value {
	if p.lines != nil {
		return nil
	}
	if p.sampledFrom != p.most { // nearly every dialect asks for it
		p.sampled, p.sampledFrom = p.messages(), p.most
	}
	return p.sampled
}

// messages returns the messages among the first records of a document.
func (p *probe) messages() []rawjson.Value {
	var out []rawjson.Value
	seen := 0
	for _, c := range firstContainers(p.doc.Root()) {
		for m := range c.messages.Elems() {
			if seen++; seen > p.most {
				p.more = true
				return out
			}
			if m.Kind() == rawjson.Object && m.Get("role").Kind() == rawjson.String {
				out = append(out, m)
			}
		}
	}
	return out
}

// firstContainers is containers for detection: it looks only at the first few elements.
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
			return []container{{messages: m, owner: e}}
		}
	}
	return []container{{messages: root}}
}

// decodeChat reads every conversation of a document. Before it adds a conversation, it
// calls finish, unless that is nil, with the builder and the JSON value of each message.
func decodeChat(f *File, p *probe, finish func(b *builder, at []rawjson.Value)) error {
	if p.lines != nil {
		return &Error{Offset: -1, Reason: "JSONL, expected one JSON document with messages"}
	}
	found := containers(p.doc.Root())
	var rest rawjson.Doc
	if p.rest.Len() > 0 {
		if err := rest.ScanAll(p.src, p.rest.Start, p.rest.End); err != nil {
			return notJSON(p.src, p.rest.Start, err)
		}
		found = []container{{messages: p.doc.Root(), rest: rest.Root()}}
	}
	if found == nil {
		return &Error{Offset: -1, Reason: "no array of messages found, " + p.looks()}
	}
	for i, c := range found {
		b := &builder{l: splice.New(p.src), notes: finish != nil}
		if b.readChat(f.Dialect, c); finish != nil {
			finish(b, b.values)
		}
		pairProse(b.msgs)
		f.add(conversationID(c.owner, i), b)
	}
	return nil
}

// readChat reads the messages of one container, and the system prompt beside them.
func (c *builder) readChat(d *Dialect, in container) {
	c.model, c.loss = in.owner.Get("model").Str(), weightOf(in.owner)
	c.l.SetRecords(in.messages)
	c.seals = true
	for _, key := range []string{"system", "system_prompt", "systemPrompt"} {
		if sys := in.owner.Get(key); sys.Ok() {
			slot := c.l.Member(splice.None, in.owner, key)
			c.message(transcript.System, slot).content(sys, slot)
			c.dropEmpty()
			c.note(sys)
		}
	}
	c.readMessages(d, in.messages, c.l.Slot(0))
	if in.rest.Kind() == rawjson.Array {
		c.readMessages(d, in.rest, c.l.Elems(splice.None, in.rest))
	}
	c.readWhole(in.messages, transcript.User)
	c.readWhole(in.rest, transcript.Assistant)
}

// note keeps the value of the last message, if values are kept and it is not kept yet.
func (c *builder) note(v rawjson.Value) {
	if c.notes && len(c.msgs) > len(c.values) {
		c.values = append(c.values, v)
	}
}

// readMessages reads the messages of an array. The first element has the slot first.
func (c *builder) readMessages(d *Dialect, array rawjson.Value, first int) {
	n := 0
	for e := range array.Elems() {
		if e.Kind() == rawjson.Object && e.Get("role").Kind() == rawjson.String {
			c.chatMessage(d, e, first+n)
			c.note(e)
		}
		n++
	}
}

// readWhole reads a member that is the text of one message, as prompts and completions are.
func (c *builder) readWhole(v rawjson.Value, role transcript.Role) {
	if v.Kind() != rawjson.String || v.Str() == "" {
		return
	}
	slot := c.l.AddSlots(splice.None, []rawjson.Span{v.Span()})
	c.l.EmptyAs(slot, v.Span(), "")
	c.message(role, slot).content(v, slot)
	c.note(v)
}

// conversationID returns the id of conversation i of the file, or the number i+1 when it
// has none.
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

// chatMessage reads one message.
func (c *builder) chatMessage(d *Dialect, v rawjson.Value, slot int) {
	role, known := chatRole(v.Get("role").Str())
	if !known && d.speaker != nil {
		role, known = d.speaker(v.Get("role").Str()), true
	}
	l, mb := c.l, c.message(role, slot)
	mb.m.Hidden, mb.m.Loss = !known, c.lossOf(v)
	mb.m.SetTime(timestamp(v))
	if d.usage != nil {
		mb.m.SetUsage(d.usage(v))
	}
	if mb.m.Role == transcript.Assistant {
		mb.m.SetModel(cmp.Or(firstOf(v.Get("modelInfo"), "modelId", "id").Str(), v.Get("model").Str()))
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
	if calls.Len() > 0 || fn.Kind() == rawjson.Object { // the content may be removed from a message that stays
		if k := content.Kind(); k == rawjson.String || k == rawjson.Array || k == rawjson.Object {
			body = l.Emptied(slot, v, "content")
		}
	}
	if body == slot || content.Kind() != rawjson.String || content.Str() != "" { // beside calls, "" is no text
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

// toolMessage reads a message that is the result of one call.
func (mb *messageBuilder) toolMessage(v rawjson.Value, slot int) {
	id := firstOf(v, "tool_call_id", "toolCallId").Str()
	mb.addResult(id, v.Get("name").Str(), false, v.Get("content"), slot)
}

// chatRole returns the role for a name, and whether the name is known. Messages of
// unknown roles, such as those of sub-agents, are outside the conversation with the
// model.
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

// timestamp returns when a message was written, or the zero time.
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
	at, _ := time.Parse(time.RFC3339, t.Str()) // the zero time when it is not RFC 3339
	return at
}
