package condense

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"condense/transcript"
	"condense/transcript/format"
)

// session returns a conversation of about size bytes: a prompt for every ten rounds, and tool results
// that partly repeat each other.
func session(b *testing.B, size int) []byte {
	type call struct {
		ID       string            `json:"id"`
		Type     string            `json:"type"`
		Function map[string]string `json:"function"`
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Calls   []call `json:"tool_calls,omitempty"`
		Call    string `json:"tool_call_id,omitempty"`
	}
	var list []message
	for n, i := 0, 0; n < size; i++ {
		if i%10 == 0 {
			list = append(list, message{Role: "user", Content: fmt.Sprintf("Please look at shard %d of the index and mend what is broken in it.", i/10)})
		}
		var log string
		for k := range 60 {
			log += fmt.Sprintf("internal/shard%d/reader.go:%d: level=info took %d ms, %d rows\n", i/10, 100+k, (i*7+k*13)%997, i*k)
		}
		if i%7 == 3 {
			log += fmt.Sprintf("--- FAIL: TestReader%d\n    reader_test.go:%d: got %d rows, want %d\n", i, 40+i, i, i+1)
		}
		id := fmt.Sprint("call_", i)
		list = append(list,
			message{Role: "assistant", Content: fmt.Sprintf("I run the tests of shard %d, to see which of its readers fails.", i/10), Calls: []call{
				{id, "function", map[string]string{"name": "bash", "arguments": fmt.Sprintf(`{"command":"go test ./internal/shard%d -run %d"}`, i/10, i)}},
			}},
			message{Role: "tool", Content: log, Call: id})
		n += len(log) + 300
	}
	list = append(list, message{Role: "assistant", Content: "All shards are mended, and their tests pass."})
	src, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	return src
}

// BenchmarkCondenser measures one call on a conversation of 1 MB, after all tables are loaded.
func BenchmarkCondenser(b *testing.B) {
	src := session(b, 1<<20)
	c, err := New(Defaults())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		out, err := c.Condense(b.Context(), src)
		if err != nil || !out.Changed {
			b.Fatal("nothing was done: ", err)
		}
	}
}

// request returns a request to Anthropic's API of about size bytes, whose messages are those of real
// coding sessions, one after the other.
func request(b *testing.B, size int) []byte {
	files, err := filepath.Glob("../../../shared/corpus/claude-code-jsonl/*")
	if err != nil || len(files) == 0 {
		b.Skip("no corpus beside the checkout")
	}
	type object = map[string]any
	var list []object
	n := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		f, err := format.Decode(src, "")
		if err != nil || len(src) > size {
			continue
		}
		for m := range f.Convs[0].Visible() {
			role := "user"
			if m.Role == transcript.Assistant {
				role = "assistant"
			}
			var blocks []object
			for _, block := range m.Blocks {
				_, paired := f.Convs[0].Partner(transcript.Ref{Msg: m.ID, Block: block.ID, Part: transcript.Whole})
				switch text := block.Text(); {
				case block.Kind == transcript.Text && text != "":
					blocks = append(blocks, object{"type": "text", "text": text})
				case block.Kind == transcript.ToolCall && paired:
					input := object{}
					for _, p := range block.Parts {
						input[p.Name] = p.Text
					}
					blocks = append(blocks, object{"type": "tool_use", "id": block.Call, "name": block.Tool, "input": input})
				case block.Kind == transcript.ToolResult && paired:
					blocks = append(blocks, object{"type": "tool_result", "tool_use_id": block.Call, "content": text})
				}
				n += len(block.Text())
			}
			if len(blocks) > 0 {
				list = append(list, object{"role": role, "content": blocks})
			}
		}
		if n >= size {
			break
		}
	}
	src, err := json.Marshal(object{"model": "claude-opus-4-6", "max_tokens": 4096, "messages": list})
	if err != nil {
		b.Fatal(err)
	}
	return src
}

// BenchmarkRequest measures what a plug-in of a client needs when it compacts 1 MB of real messages.
func BenchmarkRequest(b *testing.B) {
	src := request(b, 1<<20)
	o := Defaults()
	o.Format = "anthropic"
	c, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		out, err := c.Condense(b.Context(), src)
		if err != nil || !out.Changed {
			b.Fatal("nothing was done: ", err)
		}
	}
}
