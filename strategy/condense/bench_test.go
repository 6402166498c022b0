package condense

import (
	"encoding/json"
	"fmt"
	"testing"
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
