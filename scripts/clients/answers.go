//go:build linux

package main

import (
	"fmt"
	"strings"
)

// The answers of the APIs. Each method writes one answer, as one object or as a stream.

// anthropic writes an answer of Anthropic Messages.
func (o *output) anthropic(st step, n int) {
	var blocks []object
	if st.Think != "" {
		blocks = append(blocks, object{"type": "thinking", "thinking": st.Think, "signature": "EqoBCkYIBx" + strings.Repeat(fmt.Sprintf("%08x", n), 30) + "=="})
	}
	if st.Text != "" {
		blocks = append(blocks, object{"type": "text", "text": st.Text})
	}
	for i, c := range st.Calls {
		blocks = append(blocks, object{"type": "tool_use", "id": fmt.Sprintf("toolu_%08d%d", n, i), "name": c.Name, "input": c.Input})
	}
	stop := "end_turn"
	if len(st.Calls) > 0 {
		stop = "tool_use"
	}
	usage := object{"input_tokens": o.tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 10}
	msg := object{"id": fmt.Sprintf("msg_%08d", n), "type": "message", "role": "assistant", "model": o.model, "content": blocks, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	if !o.stream {
		o.json(msg)
		return
	}
	msg["content"], msg["stop_reason"] = []object{}, nil
	o.event("message_start", object{"type": "message_start", "message": msg})
	for i, b := range blocks {
		start, deltas := object{"type": b["type"]}, []object(nil)
		switch b["type"] {
		case "text":
			start["text"], deltas = "", []object{{"type": "text_delta", "text": b["text"]}}
		case "thinking":
			start["thinking"], start["signature"] = "", ""
			deltas = []object{{"type": "thinking_delta", "thinking": b["thinking"]}, {"type": "signature_delta", "signature": b["signature"]}}
		default:
			start["id"], start["name"], start["input"] = b["id"], b["name"], object{}
			deltas = []object{{"type": "input_json_delta", "partial_json": quoted(b["input"])}}
		}
		o.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
		for _, d := range deltas {
			o.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": d})
		}
		o.event("content_block_stop", object{"type": "content_block_stop", "index": i})
	}
	o.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	o.event("message_stop", object{"type": "message_stop"})
}

// responses writes an answer of OpenAI Responses.
func (o *output) responses(st step, n int) {
	var items []object
	if st.Think != "" {
		items = append(items, object{"type": "reasoning", "id": fmt.Sprintf("rs_%08d", n), "summary": []object{{"type": "summary_text", "text": st.Think}},
			"encrypted_content": "gAAAA" + strings.Repeat(fmt.Sprintf("%08x", n), 40)})
	}
	if st.Text != "" {
		items = append(items, object{"type": "message", "id": fmt.Sprintf("msg_%08d", n), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": st.Text, "annotations": []object{}}}})
	}
	for i, c := range st.Calls {
		items = append(items, object{"type": "function_call", "id": fmt.Sprintf("fc_%08d%d", n, i), "call_id": fmt.Sprintf("call_%08d%d", n, i),
			"name": c.Name, "arguments": quoted(c.Input), "status": "completed"})
	}
	usage := object{"input_tokens": o.tokens, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 10,
		"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": o.tokens + 10}
	resp := object{"id": fmt.Sprintf("resp_%08d", n), "object": "response", "created_at": 1, "model": o.model, "status": "completed", "output": items,
		"usage": usage, "parallel_tool_calls": true, "tools": []object{}, "tool_choice": "auto"}
	if !o.stream {
		o.json(resp)
		return
	}
	event := func(name string, v object) {
		v["type"], v["sequence_number"] = name, o.events
		o.event(name, v)
	}
	event("response.created", object{"response": object{"id": resp["id"], "object": "response", "created_at": 1, "model": o.model, "status": "in_progress", "output": []object{}, "usage": nil}})
	for i, item := range items {
		event("response.output_item.added", object{"output_index": i, "item": item})
		if text, ok := item["content"].([]object); ok {
			event("response.output_text.delta", object{"item_id": item["id"], "output_index": i, "content_index": 0, "delta": text[0]["text"]})
		}
		event("response.output_item.done", object{"output_index": i, "item": item})
	}
	event("response.completed", object{"response": resp})
}

// chat writes an answer of OpenAI chat completions.
func (o *output) chat(st step, n int) {
	var calls []object
	for i, c := range st.Calls {
		calls = append(calls, object{"index": i, "id": fmt.Sprintf("call_%08d%d", n, i), "type": "function", "function": object{"name": c.Name, "arguments": quoted(c.Input)}})
	}
	stop := "stop"
	if calls != nil {
		stop = "tool_calls"
	}
	usage := object{"prompt_tokens": o.tokens, "completion_tokens": 10, "total_tokens": o.tokens + 10}
	base := object{"id": fmt.Sprintf("chatcmpl-%08d", n), "created": 1, "model": o.model}
	with := func(more object) object {
		for k, v := range base {
			more[k] = v
		}
		return more
	}
	if !o.stream {
		message := object{"role": "assistant", "content": st.Text}
		if calls != nil {
			message["tool_calls"] = calls
		}
		o.json(with(object{"object": "chat.completion", "usage": usage, "choices": []object{{"index": 0, "message": message, "finish_reason": stop}}}))
		return
	}
	chunk := func(delta object, finish any) {
		o.event("", with(object{"object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}}))
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	if st.Think != "" {
		chunk(object{"reasoning_content": st.Think}, nil)
	}
	if st.Text != "" {
		chunk(object{"content": st.Text}, nil)
	}
	if calls != nil {
		chunk(object{"tool_calls": calls}, nil)
	}
	chunk(object{}, stop)
	o.event("", with(object{"object": "chat.completion.chunk", "choices": []object{}, "usage": usage}))
	fmt.Fprint(o.w, "data: [DONE]\n\n")
}

// gemini writes an answer of Gemini.
func (o *output) gemini(st step, n int) {
	var parts []object
	if st.Think != "" {
		parts = append(parts, object{"text": "**Reading** " + st.Think, "thought": true})
	}
	if st.Text != "" {
		parts = append(parts, object{"text": st.Text})
	}
	for i, c := range st.Calls {
		parts = append(parts, object{"functionCall": object{"id": fmt.Sprintf("call-%d-%d", n, i), "name": c.Name, "args": c.Input}})
	}
	resp := object{
		"candidates": []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}}, "modelVersion": "gemini-2.5-pro",
		"responseId":    fmt.Sprintf("r%d", n),
		"usageMetadata": object{"promptTokenCount": o.tokens, "candidatesTokenCount": 10, "totalTokenCount": o.tokens + 10},
	}
	if o.stream {
		o.event("", resp)
	} else {
		o.json(resp)
	}
}
