package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var aiSDK = Dialect{
	Name:    "ai-sdk",
	Doc:     "Vercel AI SDK UI messages, of versions 4 and later",
	Where:   "what applications save of useChat: an array of messages, or {id, messages}",
	Mirrors: true,
	sniff:   sniffAISDK,
	decode:  decodeAISDK,
	render:  renderAISDK,
}

// sniffAISDK looks for kinds of parts that only this format has, or for the calls of
// version 4.
func sniffAISDK(p *probe) bool {
	for _, m := range p.sample() {
		if m.Get("toolInvocations").Kind() == rawjson.Array {
			return true
		}
		for e := range m.Get("parts").Elems() {
			switch kind := e.Get("type").Str(); kind {
			case "text", "reasoning", "step-start", "dynamic-tool", "tool-invocation", "source-url", "source-document", "source", "file":
				return true
			default:
				if hasPrefixAny(kind, "tool-", "data-") {
					return true
				}
			}
			break
		}
	}
	return false
}

func decodeAISDK(f *File, p *probe) error {
	if err := p.notDocument("messages"); err != nil {
		return err
	}
	for i, c := range containers(p.doc.Root()) {
		b := &builder{l: splice.New(p.src)}
		readArray(b.l, c.messages, func(i int, v rawjson.Value) {
			if v.Get("role").Kind() == rawjson.String {
				b.uiMessage(v, b.l.Slot(i))
			}
		})
		b.l.MirrorMembers(splice.None, c.owner, false, nil, "messages", "traj")
		f.add(conversationID(c.owner, i), b)
	}
	return nil
}

func (c *builder) uiMessage(v rawjson.Value, slot int) {
	role, known := chatRole(v.Get("role").Str())
	msg := len(c.msgs)
	mb := c.message(role, slot)
	mb.m.Hidden = !known
	mb.m.SetTime(clock(v.Get("createdAt")))
	if parts := v.Get("parts"); parts.Kind() == rawjson.Array {
		first, i := c.l.Elems(slot, parts), 0
		for e := range parts.Elems() {
			mb.uiPart(e, first+i, msg)
			i++
		}
	}
	if list := v.Get("toolInvocations"); list.Kind() == rawjson.Array && list.Len() > 0 {
		first, i := c.l.Elems(c.l.Member(slot, v, "toolInvocations"), list), 0
		for e := range list.Elems() {
			mb.invocation(e, e.Get("toolName").Str(), e.Get("args"), first+i, msg)
			i++
		}
	}
	if mb.hasText() {
		mb.copiedText(v, "content", slot, msg)
	} else {
		mb.plain(v.Get("content"), c.l.Emptied(slot, v, "content"))
	}
	c.dropEmpty()
	c.l.MirrorMembers(slot, v, false, mb.refs(msg), "parts", "content", "toolInvocations")
}

// uiPart reads one part. Parts that only the user sees, such as sources and data, are not
// part of the conversation, but may repeat its texts.
func (mb *messageBuilder) uiPart(e rawjson.Value, slot, msg int) {
	before := len(mb.m.Blocks)
	kind := e.Get("type").Str()
	read := []string{"type"}
	switch {
	case kind == "text":
		mb.plain(e.Get("text"), slot)
		read = append(read, "text")
	case kind == "reasoning":
		text := firstOf(e, "text", "reasoning")
		seal := sealOf(e)
		if text.Str() != "" || seal > 0 {
			mb.add(&transcript.Block{
				Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: seal > 0, Opaque: seal,
				Parts: []transcript.Part{{Text: text.Str()}},
			}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
		}
		return // the rest of it is signed
	case kind == "tool-invocation":
		call := e.Get("toolInvocation")
		mb.invocation(call, call.Get("toolName").Str(), call.Get("args"), slot, msg)
		return
	case kind == "dynamic-tool" || strings.HasPrefix(kind, "tool-"):
		tool := e.Get("toolName").Str()
		if tool == "" {
			tool = strings.TrimPrefix(kind, "tool-")
		}
		input := e.Get("input")
		if !input.Ok() {
			input = e.Get("rawInput")
		}
		mb.invocation(e, tool, input, slot, msg)
		return
	case kind == "file":
		mb.m.Blocks = append(mb.m.Blocks, &transcript.Block{
			ID: before, Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: uiMedium(e)}},
		})
		mb.at.Blocks.Add(splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: e.Span(), Media: true}}})
		return
	}
	mb.l.MirrorMembers(slot, e, false, mb.refs(msg)[before:], read...)
}

// invocation reads a call and its result, which are one object. A call that the message
// already has becomes a copy.
func (mb *messageBuilder) invocation(e rawjson.Value, tool string, input rawjson.Value, slot, msg int) {
	if e.Kind() != rawjson.Object {
		return
	}
	id := e.Get("toolCallId").Str()
	before := len(mb.m.Blocks)
	mb.addCall(id, tool, input, slot)
	b, at, done := uiResult(e, slot)
	b.Call, b.Tool = id, tool
	switch {
	case !done:
	case len(mb.m.Blocks) > before:
		mb.add(b, at)
	default:
		mb.copyResult(b, at, slot, e, msg)
	}
	mb.l.MirrorMembers(slot, e, false, mb.refs(msg)[before:], "input", "rawInput", "args", "output", "result", "errorText", "approval")
}

// copyResult reads the result of a call that the message already has: an equal result
// becomes a copy, another one a mirror.
func (mb *messageBuilder) copyResult(b *transcript.Block, at splice.BlockPlace, slot int, e rawjson.Value, msg int) {
	for i, known := range mb.m.Blocks {
		if known.Kind == transcript.ToolResult && known.Call == b.Call {
			if len(known.Parts) == len(b.Parts) && known.Text() == b.Text() {
				mb.at.Blocks.Copy(i, at)
				return
			}
			break
		}
	}
	mb.l.Mirror(slot, firstOf(e, "output", "result").Span(), true, mb.refs(msg)...)
}

// uiResult reads the result of a call, and reports whether there is one yet.
func uiResult(e rawjson.Value, slot int) (*transcript.Block, splice.BlockPlace, bool) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool}
	at := splice.BlockPlace{Slots: []int{slot}}
	state := e.Get("state").Str()
	add := func(name string, v rawjson.Value) {
		if v.Kind() == rawjson.String {
			b.Parts = append(b.Parts, transcript.Part{Name: name, Text: v.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
		}
	}
	switch output := firstOf(e, "output", "result"); {
	case state == "output-error" || !output.Ok() && e.Get("errorText").Kind() == rawjson.String:
		b.Error = true
		add("", e.Get("errorText"))
	case state == "output-denied": // the user states the reason
		b.Error, b.Origin = true, transcript.Typed
		add("", e.Get("approval").Get("reason"))
	case output.Kind() == rawjson.String:
		add("", output)
	case output.Ok():
		walkLeaves(output, "", func(name string, v rawjson.Value) {
			if !strings.HasSuffix("."+name, ".type") { // the kind of the value beside it
				add(name, v)
			}
		})
	default:
		return b, at, false
	}
	return b, at, true
}

// sealOf returns the size of the signature or ciphertext of reasoning.
func sealOf(e rawjson.Value) (size int) {
	for _, provider := range firstOf(e, "providerMetadata", "details").Members() {
		for k, v := range provider.Members() {
			switch k.Str() {
			case "signature", "redactedData", "reasoningEncryptedContent", "thoughtSignature", "encryptedContent":
				size += len(v.Str())
			}
		}
	}
	for d := range e.Get("details").Elems() {
		size += len(d.Get("signature").Str()) + len(d.Get("data").Str())
	}
	return size
}

func uiMedium(e rawjson.Value) *transcript.Medium {
	m := &transcript.Medium{Type: firstOf(e, "mediaType", "mimeType").Str()}
	if data := firstOf(e, "url", "data"); strings.HasPrefix(data.Str(), "data:") || e.Get("data").Ok() {
		measure(m, data)
	}
	return m
}

// renderAISDK returns a new message with a part for each text.
func renderAISDK(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	return fmt.Appendf(nil, `{"id":%q,"role":%q,"parts":%s}`, c.NewID(i), m.Role.String(), renderContent(c.Style(), m))
}
