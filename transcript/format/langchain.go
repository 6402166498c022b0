package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var langChain = Dialect{
	Name:    "langchain",
	Doc:     "LangChain messages: {type, data} as message histories save them, serialised constructors, and {user, ai} pairs",
	Where:   "FileChatMessageHistory and other stores",
	Mirrors: true,
	sniff:   sniffLangChain,
	decode:  decodeLangChain,
	fails:   saysFailed,
	render:  renderLangChain,
}

// sniffLangChain looks for the members of one message.
func sniffLangChain(p *probe) bool {
	if p.lines != nil {
		return false
	}
	for v := range langMessages(p.doc.Root()).Elems() {
		if v.Get("user").Kind() == rawjson.String && v.Get("ai").Kind() == rawjson.String {
			return true
		}
		body, kind := langBody(v)
		return body.Get("content").Ok() && langRole(kind) != nil
	}
	return false
}

// langMessages returns the array of messages: the document, or its member "messages".
func langMessages(root rawjson.Value) rawjson.Value {
	if root.Kind() == rawjson.Array {
		return root
	}
	return root.Get("messages")
}

// langBody returns the object with the content of a message, and its type or class. There
// are two forms:
//
//	{"type": "human", "data": {"content": …}}
//	{"lc": 1, "type": "constructor", "id": ["langchain", …, "HumanMessage"], "kwargs": {"content": …}}
func langBody(v rawjson.Value) (body rawjson.Value, kind string) {
	if body = v.Get("data"); body.Kind() == rawjson.Object {
		return body, v.Get("type").Str()
	}
	if body = v.Get("kwargs"); body.Kind() == rawjson.Object && v.Get("lc").Ok() {
		for e := range v.Get("id").Elems() {
			kind = e.Str()
		}
		return body, kind
	}
	return rawjson.Value{}, ""
}

// langRole returns the role for a type or class of messages, or nil for another name.
func langRole(kind string) *transcript.Role {
	role := transcript.User
	switch kind {
	case "human", "HumanMessage", "HumanMessageChunk":
	case "ai", "AIMessage", "AIMessageChunk":
		role = transcript.Assistant
	case "system", "SystemMessage", "SystemMessageChunk":
		role = transcript.System
	case "tool", "ToolMessage", "function", "FunctionMessage", "ToolMessageChunk", "FunctionMessageChunk":
		role = transcript.Tool
	case "chat", "ChatMessage": // the message names its role
	default:
		return nil
	}
	return &role
}

func decodeLangChain(f *File, p *probe) error {
	list := langMessages(p.doc.Root())
	if p.lines != nil || list.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no array of LangChain messages found"}
	}
	b := &builder{l: splice.New(p.src)}
	readArray(b.l, list, func(i int, v rawjson.Value) {
		slot := b.l.Slot(i)
		if body, kind := langBody(v); body.Ok() {
			b.langMessage(v, body, kind, slot)
			return
		}
		if v.Get("user").Ok() || v.Get("ai").Ok() {
			b.pair(v, slot, "user", "ai")
		}
	})
	pairProse(b.msgs) // function calls of 2023 have no ids
	if list.Span() != p.doc.Root().Span() {
		b.l.MirrorMembers(splice.None, p.doc.Root(), false, nil, "messages")
	}
	f.add("1", b)
	return nil
}

// pair reads a record that holds a prompt and its answer. Each can be removed alone.
func (c *builder) pair(v rawjson.Value, slot int, asked, answered string) {
	at := clock(v.Get("timestamp"))
	c.half(v, slot, transcript.User, asked).SetTime(at)
	c.half(v, slot, transcript.Assistant, answered).SetTime(at)
	c.l.MirrorMembers(slot, v, false, nil, asked, answered)
}

// half reads one text of a pair as a message.
func (c *builder) half(v rawjson.Value, slot int, role transcript.Role, key string) *transcript.Message {
	own := c.l.Emptied(slot, v, key)
	mb := c.message(role, own)
	mb.plain(v.Get(key), own)
	c.dropEmpty()
	return mb.m
}

func (c *builder) langMessage(v, body rawjson.Value, kind string, slot int) {
	role := langRole(kind)
	msg := len(c.msgs)
	known := role != nil
	if !known {
		role = new(transcript.Role)
		*role = transcript.Assistant
	}
	if name := body.Get("role").Str(); name != "" && (kind == "chat" || kind == "ChatMessage") {
		*role, known = chatRole(name)
	}
	mb := c.message(*role, slot)
	mb.m.Hidden = !known
	mb.m.SetUsage(langUsage(body.Get("usage_metadata")))
	mb.m.SetModel(firstOf(body.Get("response_metadata"), "model_name", "model").Str())
	extra := body.Get("additional_kwargs")
	switch {
	case *role == transcript.Tool:
		mb.addResult(body.Get("tool_call_id").Str(), body.Get("name").Str(), body.Get("status").Is("error"), body.Get("content"), slot)
		mb.flagged(body.Get("status").Ok())
	case body.Get("content").Kind() == rawjson.String:
		mb.plain(body.Get("content"), c.l.Emptied(slot, body, "content"))
	default:
		mb.content(body.Get("content"), c.l.Emptied(slot, body, "content"))
	}
	mb.langCalls(body, body.Get("tool_calls"), slot)
	mb.langCalls(extra, extra.Get("tool_calls"), slot)
	if fn := extra.Get("function_call"); fn.Kind() == rawjson.Object {
		mb.call(fn, c.l.Member(slot, extra, "function_call"))
	}
	c.dropEmpty()
	refs := mb.refs(msg)
	c.l.MirrorMembers(slot, body, false, refs, "content", "tool_calls", "additional_kwargs")
	c.l.MirrorMembers(slot, extra, false, refs, "tool_calls", "function_call")
	c.l.MirrorMembers(slot, v, false, refs, "data", "kwargs", "id")
}

// langCalls reads calls. Calls that the message already has become copies.
func (mb *messageBuilder) langCalls(owner, calls rawjson.Value, slot int) {
	if calls.Kind() != rawjson.Array || calls.Len() == 0 {
		return
	}
	first, i := mb.l.Elems(mb.l.Member(slot, owner, "tool_calls"), calls), 0
	for e := range calls.Elems() {
		if e.Kind() == rawjson.Object {
			mb.call(e, first+i)
		}
		i++
	}
}

func langUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	in, _ := v.Get("input_tokens").Int()
	out, _ := v.Get("output_tokens").Int()
	return &transcript.Usage{Input: int(in), Output: int(out)}
}

// renderLangChain returns a new message in the form of the first message.
func renderLangChain(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	kind, class, half := "human", "HumanMessage", "user"
	switch m.Role {
	case transcript.Assistant:
		kind, class, half = "ai", "AIMessage", "ai"
	case transcript.System:
		kind, class = "system", "SystemMessage"
	}
	text := joinedText(c.Style(), m)
	switch v := c.Scan(0); {
	case v.Get("lc").Ok():
		return fmt.Appendf(nil, `{"lc":1,"type":"constructor","id":["langchain_core","messages",%q],"kwargs":{"content":%s,"additional_kwargs":{},"response_metadata":{}}}`, class, text)
	case v.Get("ai").Ok() || v.Get("user").Ok():
		return fmt.Appendf(nil, `{%q:%s}`, half, text)
	}
	return fmt.Appendf(nil, `{"type":%q,"data":{"content":%s,"additional_kwargs":{},"response_metadata":{},"type":%q}}`, kind, text, kind)
}
