package session

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"condense/transcript/token"
)

var (
	keepIn = flag.String("sessions", "", "folder of the sessions of BenchmarkList; they are generated if it is empty, and kept")
	many   = flag.Int("many", 600, "number of sessions of BenchmarkList")
)

// maker writes the session of one tool.
type maker struct {
	path  func(i int, id string) string // of session i, below the home folder
	write func(w *bufio.Writer, id, folder string, turns int)
}

// makers are the tools of generated sessions. Each session has a header as long as those of real ones,
// turns with a result of about 3 kB, and the usage of each answer.
var makers = []maker{
	{func(i int, id string) string { return fmt.Sprintf(".claude/projects/-work-p%d/%s.jsonl", i%50, id) }, writeClaudeCode},
	{func(i int, id string) string {
		return fmt.Sprintf(".codex/sessions/2026/%02d/%02d/rollout-2026-01-01T00-00-00-%s.jsonl", i%12+1, i%28+1, id)
	}, writeCodex},
	{func(i int, id string) string {
		return fmt.Sprintf(".gemini/tmp/p%d/chats/session-2026-01-01T00-00-%.8s.json", i%50, id)
	}, writeGemini},
	{func(i int, id string) string {
		return fmt.Sprintf(".pi/agent/sessions/--work-p%d--/2026-01-01_%s.jsonl", i%50, id)
	}, writePi},
	{func(i int, _ string) string {
		return fmt.Sprintf(".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/%d/api_conversation_history.json", 1_700_000_000_000+i)
	}, writeCline},
	{func(_ int, id string) string { return ".copilot/session-state/" + id + "/events.jsonl" }, writeCopilot},
}

// generate writes n sessions below a home folder, the newest last. It returns the sum of their sizes.
func generate(tb testing.TB, home string, n int) (bytes int64) {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now().Add(-time.Duration(n) * time.Minute)
	for i := range n {
		m := makers[i%len(makers)]
		id := fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", random.Uint32(), random.Uint32()&0xffff, random.Uint32()&0xfff, random.Uint32()&0xfff, random.Uint64()&0xffffffffffff)
		path := filepath.Join(home, m.path(i, id))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			tb.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			tb.Fatal(err)
		}
		w := bufio.NewWriter(f)
		m.write(w, id, fmt.Sprintf("/srv/p%d", i%50), turnsOf(random))
		if err := w.Flush(); err != nil {
			tb.Fatal(err)
		}
		if info, err := f.Stat(); err == nil {
			bytes += info.Size()
		}
		f.Close()
		at := start.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			tb.Fatal(err)
		}
	}
	return bytes
}

// turnsOf returns a number of turns: mostly few, sometimes hundreds.
func turnsOf(random *rand.Rand) int {
	switch k := random.IntN(20); {
	case k < 12:
		return 2 + random.IntN(6)
	case k < 18:
		return 10 + random.IntN(30)
	}
	return 60 + random.IntN(120)
}

// output is the result of a tool, as a JSON string without quotes.
var output = strings.Repeat(`    1→\tfunc main() { fmt.Println(\"value\", 42) } // some line of a source file\n`, 40)

// prompt is as long as the instructions that some clients write at the beginning.
var prompt = strings.Repeat("You are an agent that works in a terminal. Be precise, safe and helpful. ", 270)

func writeClaudeCode(w *bufio.Writer, id, folder string, turns int) {
	fmt.Fprintf(w, `{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}`+"\n")
	parent := "null"
	line := func(uuid, kind, message string) {
		fmt.Fprintf(w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"%s","sessionId":"%s","version":"2.0.14","gitBranch":"main","type":"%s","message":%s,"uuid":"%s","timestamp":"2026-01-01T00:00:00.000Z"}`+"\n",
			parent, folder, id, kind, message, uuid)
		parent = `"` + uuid + `"`
	}
	line("u0", "user", `{"role":"user","content":"Fix the parser in `+folder+`"}`)
	for i := range turns {
		line(fmt.Sprintf("a%d", i), "assistant", fmt.Sprintf(`{"id":"msg%d","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"a.go"}}],"stop_reason":"tool_use","usage":{"input_tokens":4,"cache_creation_input_tokens":900,"cache_read_input_tokens":%d,"output_tokens":60}}`, i, i, 14000+900*i))
		line(fmt.Sprintf("r%d", i), "user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"%s"}]}`, i, output))
	}
}

func writeCodex(w *bufio.Writer, id, folder string, turns int) {
	line := func(kind, payload string) {
		fmt.Fprintf(w, `{"timestamp":"2026-01-01T00:00:00.000Z","type":"%s","payload":%s}`+"\n", kind, payload)
	}
	line("session_meta", fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"%s","originator":"codex-tui","cli_version":"0.142.4","base_instructions":{"text":"%s"}}`, id, folder, prompt))
	line("turn_context", `{"cwd":"`+folder+`","model":"gpt-5.1-codex"}`)
	line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix the parser"}]}`)
	for i := range turns {
		line("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"cat a.go\"}","call_id":"c%d"}`, i))
		line("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"%s"}`, i, output))
		line("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"cached_input_tokens":8000,"output_tokens":60}}}`, 12000+900*i))
	}
}

func writeGemini(w *bufio.Writer, id, _ string, turns int) {
	fmt.Fprintf(w, "{\n  \"sessionId\": \"%s\",\n  \"projectHash\": \"ab\",\n  \"startTime\": \"2026-01-01T00:00:00Z\",\n  \"messages\": [\n    {\"id\": \"u\", \"type\": \"user\", \"content\": \"Fix the parser\"}", id)
	for i := range turns {
		fmt.Fprintf(w, ",\n    {\"id\": \"g%d\", \"type\": \"gemini\", \"content\": \"\", \"model\": \"gemini-2.5-pro\", \"tokens\": {\"input\": %d, \"output\": 60, \"cached\": 100},\n     \"toolCalls\": [{\"id\": \"c%d\", \"name\": \"read_file\", \"args\": {\"path\": \"a.go\"}, \"result\": [{\"functionResponse\": {\"id\": \"c%d\", \"name\": \"read_file\", \"response\": {\"output\": \"%s\"}}}]}]}", i, 9000+900*i, i, i, output)
	}
	fmt.Fprint(w, "\n  ]\n}\n")
}

func writePi(w *bufio.Writer, id, folder string, turns int) {
	fmt.Fprintf(w, `{"type":"session","version":3,"id":"%s","timestamp":"2026-01-01T00:00:00Z","cwd":"%s"}`+"\n", id, folder)
	fmt.Fprint(w, `{"type":"message","id":"e0","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"Fix the parser"}]}}`+"\n")
	last := "e0"
	for i := range turns {
		fmt.Fprintf(w, `{"type":"message","id":"a%d","parentId":"%s","message":{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"read","arguments":{"path":"a.go"}}],"model":"claude-sonnet-4-5","usage":{"input":4,"output":60,"cacheRead":%d,"cacheWrite":900}}}`+"\n", i, last, i, 8000+900*i)
		fmt.Fprintf(w, `{"type":"message","id":"r%d","parentId":"a%d","message":{"role":"toolResult","toolCallId":"c%d","toolName":"read","content":[{"type":"text","text":"%s"}]}}`+"\n", i, i, i, output)
		last = fmt.Sprintf("r%d", i)
	}
}

func writeCline(w *bufio.Writer, _, folder string, turns int) {
	fmt.Fprintf(w, `[{"role":"user","content":[{"type":"text","text":"<task>\nFix the parser\n</task>"},{"type":"text","text":"<environment_details>\n# Current Working Directory (%s) Files\na.go\n</environment_details>"}],"ts":1}`, folder)
	for i := range turns {
		fmt.Fprintf(w, `,{"role":"assistant","content":[{"type":"text","text":"<read_file>\n<path>a.go</path>\n</read_file>"}],"ts":2,"modelInfo":{"modelId":"claude-sonnet-4-5","providerId":"anthropic"},"metrics":{"tokens":{"prompt":4,"completion":60,"cached":%d}}}`, 9000+900*i)
		fmt.Fprintf(w, `,{"role":"user","content":[{"type":"text","text":"[read_file for 'a.go'] Result:"},{"type":"text","text":"%s"}],"ts":3}`, output)
	}
	fmt.Fprint(w, "]")
}

func writeCopilot(w *bufio.Writer, id, folder string, turns int) {
	n := 0
	line := func(kind, data string) {
		fmt.Fprintf(w, `{"type":"%s","data":%s,"id":"e%d","timestamp":"2026-01-01T00:00:00Z","parentId":"e%d"}`+"\n", kind, data, n+1, n)
		n++
	}
	line("session.start", fmt.Sprintf(`{"sessionId":"%s","version":1,"selectedModel":"gpt-5","context":{"cwd":"%s"}}`, id, folder))
	line("user.message", `{"content":"Fix the parser","transformedContent":"Fix the parser","attachments":[]}`)
	for i := range turns {
		line("assistant.message", fmt.Sprintf(`{"content":"","toolRequests":[{"toolCallId":"c%d","name":"view","arguments":{"path":"a.go"}}],"outputTokens":60}`, i))
		line("tool.execution_complete", fmt.Sprintf(`{"toolCallId":"c%d","success":true,"result":{"content":"%s"}}`, i, output))
	}
}

// BenchmarkList lists generated sessions of six tools: all of them, and the newest ones.
//
//	go test ./cmd/session -run - -bench List -many 10000
func BenchmarkList(b *testing.B) {
	home := *keepIn
	if home == "" {
		home = b.TempDir()
	}
	if entries, _ := os.ReadDir(home); len(entries) == 0 {
		b.Logf("%d sessions, %d MB", *many, generate(b, home, *many)>>20)
	}
	system := System{OS: "linux", Env: func(name string) string { return map[string]string{"HOME": home}[name] }}
	for _, limit := range []int{0, 20} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			for b.Loop() {
				q := Query{Limit: limit}
				list, err := q.List(context.Background(), system, token.BuiltIn(), time.Now())
				if err != nil || len(list.List)+list.More != *many {
					b.Fatalf("%d sessions and %d more: %v", len(list.List), list.More, err)
				}
			}
		})
	}
}
