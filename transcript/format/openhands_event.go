package format

import (
	"fmt"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// atoi returns the number that a string holds, and whether it holds one.
func atoi(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// actionFields returns the object with the arguments of an action: its args, or the event
// itself in files of 2024. flat is true in the second case.
func actionFields(v rawjson.Value) (object rawjson.Value, flat bool) {
	if args := v.Get("args"); args.Kind() == rawjson.Object {
		return args, false
	}
	return v, true
}

// readMessage reads a message of a person, of the agent, or of the system.
func (s *openHandsEvents) readMessage(role transcript.Role, v rawjson.Value, slot int, records []int) {
	args, _ := actionFields(v)
	mb := s.message(role, records...)
	content := args.Get("content")
	if content.Kind() == rawjson.String && content.Str() != "" {
		mb.text(content, body(s.l, slot, args, "content"))
		if role == transcript.System && !v.Get("action").Is("system") { // without the words that show it, it would be text of the model
			first, _, _ := strings.Cut(content.Str(), "\n")
			mb.m.Blocks[0].Parts[0].Head = int32(min(len(first)+len("\n"), len(content.Str())))
		}
	}
	if urls := firstOf(args, "image_urls", "images_urls"); urls.Len() > 0 && urls.Kind() == rawjson.Array {
		first, i := s.l.Elems(slot, urls), 0
		for u := range urls.Elems() {
			if u.Kind() == rawjson.String {
				m := &transcript.Medium{Type: "image"}
				measure(m, u)
				mb.add(&transcript.Block{
					Kind: transcript.Media, Origin: mb.mediaOrigin(), Fixed: true, // no text can stand among the addresses
					Parts: []transcript.Part{{Media: m}},
				}, splice.BlockPlace{Slots: []int{first + i}, Parts: []splice.Place{{Slot: first + i, Lit: u.Span(), Media: true}}})
			}
			i++
		}
	}
	if s.dropEmpty(); len(mb.m.Blocks) > 0 {
		s.repeat(v, slot, blocksOf(len(s.msgs)-1, mb.m))
	}
}

// summary reads the text that replaces the events hidden by a condensation. When the text
// is removed, the event stays, because it still hides them.
func (s *openHandsEvents) summary(v rawjson.Value, slot int) {
	text := v.Get("args").Get("summary")
	if text.Kind() != rawjson.String || text.Str() == "" {
		return
	}
	at := body(s.l, slot, v.Get("args"), "summary")
	mb := s.message(transcript.User, at)
	mb.add(&transcript.Block{Origin: transcript.Generated, Parts: []transcript.Part{{Text: text.Str()}}},
		splice.BlockPlace{Slots: []int{at}, Parts: []splice.Place{{Slot: at, Lit: text.Span()}}})
	s.repeat(v, slot, blocksOf(len(s.msgs)-1, mb.m))
}

// notArguments are the members of args that are not arguments of the call.
var notArguments = []string{
	"thought", "translated_ipython_code", "confirmation_state", "security_risk", "impl_source", "kernel_init_code",
}

// eventMembers are the members of an event that are not arguments of its action.
var eventMembers = []string{
	"id", "timestamp", "source", "message", "action", "cause", "timeout", "extras", "observation", "success",
	"tool_call_metadata", "llm_metrics", "action_risk", "is_confirmed", "keep_prompt", "image_urls", "images_urls",
}

// action reads a call and the thought in front of it. When the call is removed, the event
// becomes a thought alone: an action of the kind think, or a delegation without
// arguments.
func (s *openHandsEvents) action(v rawjson.Value, slot int, records []int) {
	args, flat := actionFields(v)
	mb := s.message(transcript.Assistant, records...)
	msg := len(s.msgs) - 1
	if v.Get("action").Is("delegate") && args.Len() == 0 {
		s.last = nil // no later observation answers a call in front of the delegation
		s.dropEmpty()
		return
	}
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: v.Get("action").Str()}
	metadata := v.Get("tool_call_metadata")
	delegates := call.Tool == "delegate"
	if thought := args.Get("thought"); thought.Kind() == rawjson.String && thought.Str() != "" {
		at := body(s.l, slot, args, "thought")
		mb.add(&transcript.Block{Origin: transcript.ByModel, Parts: []transcript.Part{{Text: thought.Str()}}},
			splice.BlockPlace{Slots: []int{at}, Parts: []splice.Place{{Slot: at, Lit: thought.Span()}}})
		if call.Tool == "think" && !metadata.Ok() || delegates && args.Len() == 1 {
			s.repeat(v, slot, blocksOf(msg, mb.m))
			return
		}
	}
	refs := append(blocksOf(msg, mb.m), blockRef(msg, len(mb.m.Blocks)))
	at := s.arguments(call, args, slot, flat, refs)
	event, i := s.l.Elems(slot, v), 0
	for k, m := range v.Members() {
		switch {
		case k.Is("action") && delegates: // it stays, because the events of another agent follow
		case k.Is("action"):
			s.l.EmptyAs(event+i, m.Span(), `"think"`)
			at.Slots = append(at.Slots, event+i)
		case k.Is("tool_call_metadata"):
			at.Slots = append(at.Slots, event+i)
			s.l.Mirror(event+i, m.Span(), true, refs...)
		case k.Is("message"):
			s.l.Mirror(slot, m.Span(), true, refs...)
		}
		i++
	}
	s.identify(call, v, msg)
	mb.add(call, at)
	response := metadata.Get("model_response")
	mb.m.SetUsage(chatUsage(response.Get("usage")))
	mb.m.SetModel(response.Get("model").Str())
}

// arguments reads the arguments of a call, which are removed with it. Members of args
// that are not arguments become mirrors of refs.
func (s *openHandsEvents) arguments(call *transcript.Block, args rawjson.Value, slot int, flat bool, refs []transcript.Ref) (at splice.BlockPlace) {
	first, i := s.l.Elems(slot, args), -1
	for k, m := range args.Members() {
		i++
		if k.Is("thought") || flat && isOneOf(k, eventMembers) {
			continue
		}
		at.Slots = append(at.Slots, first+i)
		if isOneOf(k, notArguments) {
			s.l.Mirror(first+i, m.Span(), true, refs...)
			continue
		}
		walkLeaves(m, k.Str(), func(name string, leaf rawjson.Value) {
			call.Parts = append(call.Parts, leafPart(name, leaf))
			at.Parts = append(at.Parts, splice.Place{Slot: first + i, Lit: leaf.Span()})
		})
	}
	return at
}

// identify sets the id by which an observation names the call: the id of its event. The
// last action has no observation.
func (s *openHandsEvents) identify(call *transcript.Block, v rawjson.Value, msg int) {
	s.last = nil
	if call.Tool == "finish" || call.Tool == "reject" {
		return
	}
	if id := eventID(v.Get("id")); id != "" {
		if _, repeated := s.calls[id]; !repeated {
			call.Call = id
			s.calls[id] = msg
			return
		}
	}
	s.last, s.lastMsg = call, msg
}

// observation reads the result of an action.
func (s *openHandsEvents) observation(v rawjson.Value, slot int, records []int) {
	cause := eventID(v.Get("cause"))
	if v.Get("observation").Is("delegate") && !v.Get("cause").Ok() && v.Get("content").Str() == "" {
		return
	}
	call, known := s.calls[cause]
	id := cause
	if !known {
		if v.Get("observation").Is("think") && (s.last == nil || s.last.Tool != "think") {
			return // it confirms a thought that is no call
		}
		id = ""
		if s.last != nil {
			s.last.Call = fmt.Sprint(proseID, s.lastMsg) // only a call with a result has an id
			id, call, s.last = s.last.Call, s.lastMsg, nil
		}
	}
	mb := s.message(transcript.Tool, records...)
	failed, flagged := failedEvent(v)
	mb.addResult(id, v.Get("observation").Str(), failed, v.Get("content"), slot)
	mb.flagged(flagged)
	refs := blocksOf(len(s.msgs)-1, mb.m)
	if id != "" {
		refs = append(refs, blocksOf(call, s.msgs[call])...)
	}
	s.repeat(v, slot, refs)
}

// failedEvent reports whether an observation states a failure, and whether it states
// either outcome. Its member success is true when the tool could be called, even if it
// failed.
func failedEvent(v rawjson.Value) (failed, flagged bool) {
	if v.Get("observation").Is("error") || v.Get("success").Kind() == rawjson.Bool && !v.Get("success").Bool() {
		return true, true
	}
	for _, code := range []rawjson.Value{v.Get("extras").Get("metadata").Get("exit_code"), v.Get("extras").Get("exit_code"), v.Get("exit_code")} {
		if n, ok := code.Int(); ok {
			return n > 0, true
		}
	}
	return false, false
}

// repeat makes mirrors of the members of an event that repeat its blocks.
func (s *openHandsEvents) repeat(v rawjson.Value, slot int, refs []transcript.Ref) {
	for k, m := range v.Members() {
		if isOneOf(k, []string{"message", "extras", "tool_call_metadata", "code", "command"}) {
			s.l.Mirror(slot, m.Span(), len(refs) > 0, refs...)
		}
	}
}

// renderEvent returns a new message as an event. Its id lies between those of its
// neighbours when one is free.
func renderEvent(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	text := joinedText(c.Style(), in.Message)
	source := "user"
	if in.Message.Role == transcript.Assistant {
		source = "agent"
	}
	like := c.Like(func(r rawjson.Value) bool { return true })
	if like.Kind() == rawjson.Object && !like.Get("args").Ok() && !like.Get("extras").Ok() { // the arguments are members of the event
		return fmt.Appendf(nil, `{"content":%s,"wait_for_response":false,"action":"message","source":%q}`, text, source)
	}
	out := []byte{'{'}
	if id, free := eventNumber(c, i); free {
		out = fmt.Appendf(out, `"id":%d,`, id)
	}
	out = fmt.Appendf(out, `"source":%q,"message":%s,"action":"message","args":{"content":%s,"image_urls":null,"wait_for_response":false}}`,
		source, text, text)
	if like.Kind() == rawjson.Array {
		out = append(append([]byte{'['}, out...), ","+nothingSeen+"]"...)
	}
	return out
}

// eventNumber returns an id for a new event: just below that of the next event that
// stays, or above all at the end. free is false when no such id is above that of the
// previous event.
func eventNumber(c *splice.Change, i int) (id int64, free bool) {
	at := c.Inserted[i].Record
	after := int64(0) // further new events at the same place
	for _, in := range c.Inserted[i+1:] {
		if in.Record == at {
			after++
		}
	}
	before, next, hasNext := int64(-1), int64(0), false
	for k := range c.Len() {
		if c.Gone(k) || hasNext {
			continue
		}
		n, ok := c.Scan(k).Get("id").Int()
		switch {
		case ok && k < at:
			before = n
		case ok:
			next, hasNext = n, true
		}
	}
	if before < 0 && !hasNext {
		return 0, false
	}
	if !hasNext {
		return before + int64(len(c.Inserted)) - after, true
	}
	id = next - 1 - after
	return id, id > before+int64(i)
}
