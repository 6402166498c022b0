package format

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// toolCall reads a call and its result, which lie in one object.
func (s *cliSession) toolCall(mb *messageBuilder, msg, slot int, v rawjson.Value) {
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: v.Get("name").Str()}
	at := splice.BlockPlace{Slots: []int{slot}}
	call.Parts, at.Parts = arguments(v.Get("args"), slot)
	id := v.Get("id").Str()
	known := s.calls.inMessage(id, mb.m)
	if known != nil && !known.answered && known.b.Tool == call.Tool && slices.Equal(known.b.Parts, call.Parts) {
		stored := mb.at.Blocks.At(known.b.ID) // the content holds the same call
		stored.Copies = append(stored.Copies, at)
	} else {
		known = s.calls.call(call, id)
		mb.add(call, at)
	}
	about := blockRefs(msg, known.b.ID, known.b.ID+1)
	if result := v.Get("result"); result.Len() > 0 || len(result.Str()) > 0 {
		about = append(about, blockRefs(msg, len(mb.m.Blocks), len(mb.m.Blocks)+1)...)
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Tool: call.Tool, Call: known.b.Call}
		known.answered = true
		at := splice.BlockPlace{Slots: []int{slot}}
		s.result(mb, id, slot, v, b, &at, about)
		b.Error = v.Get("status").Is("error") || v.Get("status").Is("cancelled")
		if quotesUser(b.Text()) {
			b.Origin = transcript.Typed
		}
		mb.add(b, at)
		if id != "" {
			s.results[id] = about[1]
		}
	}
	for k, e := range v.Members() {
		if repeats(k, e, "args", "result") {
			s.l.Mirror(slot, e.Span(), k.Is("resultDisplay"), about...)
		}
	}
}

// result reads the result of call v: a list of parts, usually one functionResponse.
func (s *cliSession) result(mb *messageBuilder, id string, slot int, v rawjson.Value, b *transcript.Block, at *splice.BlockPlace, about []transcript.Ref) {
	result := v.Get("result")
	if result.Kind() != rawjson.Array {
		mb.responseLeaves(onlyString(result), slot, b, at, "")
		if result.Kind() == rawjson.Object {
			s.resultPart(mb, id, slot, result, b, at, about)
		}
		return
	}
	first := s.l.Elems(s.l.Member(slot, v, "result"), result)
	i := 0
	for e := range result.Elems() {
		s.resultPart(mb, id, first+i, e, b, at, about)
		i++
	}
}

// resultPart reads one part of the result of the call with an id.
func (s *cliSession) resultPart(mb *messageBuilder, id string, slot int, e rawjson.Value, b *transcript.Block, at *splice.BlockPlace, about []transcript.Ref) {
	answer := firstOf(e, "functionResponse", "function_response")
	switch to := answer.Get("id").Str(); {
	case e.Kind() == rawjson.String:
		mb.responseLeaves(e, slot, b, at, "")
	case answer.Kind() != rawjson.Object:
		mb.responsePart(e, slot, b, at)
	case to != "" && id != "" && to != id:
		s.foreign = append(s.foreign, foreignResult{splice.Mirror{Slot: slot, Value: e.Span(), Blocks: about, Strict: true}, to})
	default:
		mb.response(answer, slot, b, at)
	}
}

// storedTwice removes the results from a message that are also stored with their calls in
// an earlier message, and makes them copies of those.
func (s *cliSession) storedTwice(mb *messageBuilder, msg int) {
	blocks, places := mb.m.Blocks, mb.at.Blocks
	mb.m.Blocks, mb.at.Blocks = nil, splice.Places{}
	for i, b := range blocks {
		ref, known := s.results[b.Call]
		if b.Kind != transcript.ToolResult || !known || ref.Msg >= msg || s.msgs[ref.Msg].Hidden != mb.m.Hidden {
			mb.add(b, places.Get(i))
			continue
		}
		copied := places.Get(i)
		if !slices.EqualFunc(s.msgs[ref.Msg].Blocks[ref.Block].Parts, b.Parts, samePart) {
			for _, p := range copied.Parts {
				s.l.Mirror(p.Slot, p.Lit, true, ref)
			}
			copied.Parts = nil // it is removed with the result, but does not equal it
		}
		s.l.Messages[ref.Msg].Blocks.Copy(ref.Block, copied)
	}
	if len(blocks) > 0 && len(mb.m.Blocks) == 0 {
		s.empty = append(s.empty, msg)
	}
}

func samePart(a, b transcript.Part) bool {
	return a.Text == b.Text && (a.Media == nil) == (b.Media == nil)
}

// finish adds the mirrors: results that are stored with other calls, and earlier states
// of messages.
func (s *cliSession) finish() {
	for _, r := range s.foreign {
		if ref, known := s.results[r.id]; known {
			r.m.Blocks = append(slices.Clone(r.m.Blocks), ref)
		}
		s.l.AddMirror(r.m)
	}
	for _, c := range s.stale {
		c.m.Blocks = blockRefs(c.msg, 0, len(s.msgs[c.msg].Blocks))
		s.l.AddMirror(c.m)
	}
	s.dropMessages()
}

// dropMessages removes the messages that hold only copies.
func (s *cliSession) dropMessages() {
	if len(s.empty) == 0 {
		return
	}
	empty, to := make([]bool, len(s.msgs)), make([]int, len(s.msgs))
	for _, msg := range s.empty {
		empty[msg] = len(s.msgs[msg].Blocks) == 0 // calls may have come since
	}
	msgs, places := s.msgs, s.l.Messages
	s.msgs, s.l.Messages = nil, nil
	for i, m := range msgs {
		to[i] = len(s.msgs)
		if !empty[i] {
			s.msgs, s.l.Messages = append(s.msgs, m), append(s.l.Messages, places[i])
		}
	}
	s.l.RenumberMirrors(to)
}
