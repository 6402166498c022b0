package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"condense/cmd/source"
	"condense/transcript/token"
)

// BenchmarkCondense condenses sources of several shapes in memory: decode, run,
// encode, verify, report. Tokens are counted by bytes4. MB/s should not depend on
// the size of the source.
func BenchmarkCondense(b *testing.B) {
	log := strings.Repeat("12:00:01 level=\"info\" path=/srv/app/handler.go:120 took 13 ms, 200 OK\n", 140)
	shapes := []struct {
		name string
		src  func(size int) []byte
	}{
		{"claude code", func(size int) []byte { return agentLines(size, log) }},
		{"results", func(size int) []byte { return agentArray(size, func(i int) string { return fmt.Sprint(i, log) }) }},
		{"same results", func(size int) []byte { return agentArray(size, func(int) string { return log }) }},
		{"one result", func(size int) []byte {
			return agentArray(1, func(int) string { return strings.Repeat(log, 1+size/len(log)) })
		}},
		{"small messages", func(size int) []byte {
			return agentArray(size, func(i int) string { return fmt.Sprint("done: ", i) })
		}},
	}
	for _, shape := range shapes {
		for _, size := range []int{1 << 20, 8 << 20} {
			src := shape.src(size)
			b.Run(fmt.Sprintf("%s/%d MB", shape.name, size>>20), func(b *testing.B) {
				o := newRunOptions()
				counter, err := token.New("bytes4")
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					c, err := condenseSource(b.Context(), src, o, &counting{base: counter}, noEvents())
					if err != nil {
						b.Fatal(err)
					}
					newReport(&source.Input{Name: "-", Data: src}, o, c)
				}
			})
		}
	}
}

// rounds calls add with the two messages of one tool round after another, until
// it returns false.
func rounds(result func(i int) string, add func(i int, call, answer map[string]any) bool) {
	for i := 0; ; i++ {
		id := fmt.Sprintf("toolu_%d", i)
		call := map[string]any{"role": "assistant", "content": []any{
			map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": fmt.Sprintf("make test-%d", i)}},
		}}
		answer := map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": id, "content": result(i)},
		}}
		if !add(i, call, answer) {
			return
		}
	}
}

// agentArray returns an array of Anthropic messages of about size bytes: a prompt and
// at least one round.
func agentArray(size int, result func(i int) string) []byte {
	var out bytes.Buffer
	out.WriteString(`[{"role":"user","content":"make the tests pass"}`)
	rounds(result, func(_ int, call, answer map[string]any) bool {
		for _, m := range []any{call, answer} {
			out.WriteByte(',')
			out.Write(asJSON(m))
		}
		return out.Len() < size
	})
	out.WriteString(`]`)
	return out.Bytes()
}

// agentLines returns a Claude Code session of about size bytes. It has each result
// twice, like the sessions that the client writes.
func agentLines(size int, log string) []byte {
	var out bytes.Buffer
	parent := any(nil)
	line := func(n int, kind string, message any, result any) {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		record := map[string]any{
			"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message,
			"timestamp": "2026-03-01T10:00:00.000Z",
		}
		if result != nil {
			record["toolUseResult"] = result
		}
		out.Write(append(asJSON(record), '\n'))
		parent = id
	}
	line(0, "user", map[string]any{"role": "user", "content": "make the tests pass"}, nil)
	rounds(func(i int) string { return fmt.Sprint(i, log) }, func(i int, call, answer map[string]any) bool {
		line(2*i+1, "assistant", call, nil)
		line(2*i+2, "user", answer, map[string]any{"stdout": fmt.Sprint(i, log), "stderr": "", "interrupted": false})
		return out.Len() < size
	})
	return out.Bytes()
}

func asJSON(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps with string keys can always be encoded
	}
	return out
}

// BenchmarkFilter condenses rows of about 3 kB, each a short agent session, by one worker.
func BenchmarkFilter(b *testing.B) {
	src := rows(1000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if code := Main([]string{"filter", "-q", "-j", "1"}, bytes.NewReader(src), io.Discard, io.Discard, func(string) string { return "" }); code != 0 {
			b.Fatal("exit code ", code)
		}
	}
}

// rows returns JSONL of n sessions of OpenAI: a task and six rounds, which differ from row to row.
func rows(n int) []byte {
	words := strings.Fields("the reader shard index takes a lock before it writes rows to path of cache and returns error 17 in handler.go when limit is reached by tests")
	var out bytes.Buffer
	for row := range n {
		at := row
		text := func(n int) string {
			var s []string
			for range n {
				at += 1 + at%7
				s = append(s, words[at%len(words)])
			}
			return strings.Join(s, " ")
		}
		list := []any{map[string]any{"role": "user", "content": fmt.Sprintf("Fix test %d: %s", row, text(30))}}
		for i := range 6 {
			id := fmt.Sprintf("call_%d_%d", row, i)
			args := string(asJSON(map[string]any{"command": "cat src/" + text(1) + ".go"}))
			var lines []string
			for k := range 8 {
				lines = append(lines, fmt.Sprint(k, ": ", text(8)))
			}
			list = append(list,
				map[string]any{"role": "assistant", "content": "I will look at it. " + text(15), "tool_calls": []any{
					map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "bash", "arguments": args}},
				}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": strings.Join(lines, "\n")})
		}
		list = append(list, map[string]any{"role": "assistant", "content": "Done. " + text(40)})
		out.Write(append(asJSON(map[string]any{"messages": list}), '\n'))
	}
	return out.Bytes()
}
