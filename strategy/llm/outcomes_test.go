package llm

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"condense/strategy/notes"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// bodies are answers of servers, by name. A status stands in front of them, and headers as "Name=value".
var bodies = []struct {
	name, body string
	status     int
	headers    []string
}{
	{"well", completion("done", "stop"), 200, nil},
	{"two-lines", completion(" one\n\ntwo \n", "stop"), 200, nil},
	{"cut", completion("half", "length"), 200, nil},
	{"no-usage", `{"choices":[{"message":{"content":"done"},"finish_reason":"stop"}]}`, 200, nil},
	{"no-finish", `{"choices":[{"message":{"content":"done"}}]}`, 200, nil},
	{"two-choices", `{"choices":[{"message":{"content":"first"}},{"message":{"content":"second"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`, 200, nil},
	{"refusal", `{"choices":[{"message":{"content":"text","refusal":"no"},"finish_reason":"stop"}]}`, 200, nil},
	{"filter", completion("x", "content_filter"), 200, nil},
	{"tools", `{"choices":[{"message":{"content":"x","tool_calls":[{"id":"1","type":"function","function":{"name":"a"}}]}}]}`, 200, nil},
	{"function", `{"choices":[{"message":{"content":"x","function_call":{"name":"a"}}}]}`, 200, nil},
	{"thinking", completion("<think>a</think><thinking>b</thinking>\n<reasoning>c</reasoning>done", "stop"), 200, nil},
	{"thinking-cut", completion("<think>a", "length"), 200, nil},
	{"thinking-template", completion("a\n</thinking>\ndone", "stop"), 200, nil},
	{"thinking-quoted", completion("the tag </think> is quoted", "stop"), 200, nil},
	{"thinking-later", completion("It says <think>x</think> here", "stop"), 200, nil},
	{"secret", completion("it is postgres://gauge:k9Lw2x7Qr5@db.example/valves", "stop"), 200, nil},
	{"empty", completion("", "stop"), 200, nil},
	{"no-choices", `{"choices":[]}`, 200, nil},
	{"null-error", `{"error":null,"choices":[{"message":{"content":"done"}}]}`, 200, nil},
	{"not-JSON", `{"choices":`, 200, nil},
	{"array", `[{"error":{"message":"in an array"}}]`, 400, nil},
	{"one-byte", "[", 400, nil},
	{"nothing", "", 400, nil},
	{"blank", " \n", 500, nil},
	{"page", "<html><head><title> Gate </title></head></html>", 200, nil},
	{"page-open", "<html><title>Gate", 404, nil},
	{"page-404", "<html><title>Gate</title>", 404, nil},
	{"text-404", "no such page", 404, nil},
	{"text", "plain words", 418, nil},
	{"error-text", `{"error":"words"}`, 400, nil},
	{"error-null", `{"error":null,"detail":"words of it"}`, 400, nil},
	{"error-empty", `{"error":{"type":"kind_of_it"}}`, 400, nil},
	{"error-number", `{"error":7}`, 400, nil},
	{"detail", `{"detail":[{"msg":"field"}]}`, 422, nil},
	{"message", `{"message":"words"}`, 403, nil},
	{"other-keys", `{"a":1}`, 401, nil},
	{"status-in-body", `{"error":{"message":"behind","code":503}}`, 200, nil},
	{"status-in-text", `{"error":{"message":"behind","code":"429"}}`, 200, nil},
	{"status-400-in-body", `{"error":{"message":"prompt is too long: 9 tokens > 8 maximum","code":400}}`, 200, nil},
	{"quota", `{"error":{"message":"no credit","code":"insufficient_quota"}}`, 429, nil},
	{"billing", `{"error":{"message":"no credit","type":"billing_hard_limit_reached"}}`, 429, nil},
	{"inactive", `{"error":{"message":"no credit","type":"billing_not_active"}}`, 400, nil},
	{"408", "", 408, nil}, {"409", "", 409, nil}, {"425", "", 425, nil}, {"429", "", 429, nil}, {"500", "", 500, nil}, {"501", "", 501, nil}, {"502", "", 502, nil}, {"599", "", 599, nil},
	{"wait", "", 429, []string{"Retry-After", "7"}},
	{"wait-fraction", "", 503, []string{"Retry-After", " 0.5 "}},
	{"wait-limit", "", 503, []string{"Retry-After", "120"}},
	{"wait-long", "", 503, []string{"Retry-After", "121"}},
	{"wait-date", "", 503, []string{"Retry-After", "Sun, 01 Mar 2026 12:00:09 GMT"}},
	{"wait-past", "", 503, []string{"Retry-After", "Sun, 01 Mar 2026 11:00:09 GMT"}},
	{"wait-negative", "", 503, []string{"Retry-After", "-3"}},
	{"wait-endless", "", 503, []string{"Retry-After", "1e9"}},
	{"redirect", "", 307, []string{"Location", "https://elsewhere.example/v1?key=" + testKey}},
	{"redirect-here", "", 308, []string{"Location", "/v2"}},
	{"redirect-key", "", 302, []string{"Location", "https://" + testKey + ".example/"}},
	{"no-redirect", "", 304, nil},
	{"code-length", `{"error":{"message":"no","code":"context_length_exceeded"}}`, 413, nil},
	{"kind-size", `{"error":{"message":"no","type":"exceed_context_size_error"},"n_ctx": 4,096}`, 422, nil},
	{"too-long", `{"error":{"message":"maximum context length is 99999999999999999999 tokens"}}`, 400, nil},
	{"too-long-500", `{"error":{"message":"maximum context length is 8 tokens"}}`, 500, nil},
	{"too-long-elsewhere", `{"error":{"message":"your input is too long"}}`, 404, nil},
	{"many-tokens", `{"error":{"message":"too many input tokens"}}`, 400, nil},
	{"window-exceeded", `{"error":{"message":"the context window was exceeded"}}`, 400, nil},
	{"exceeds-window", `{"error":{"message":"it exceeds the context size (2048 tokens)"}}`, 400, nil},
	{"key", `{"error":{"message":"bad key key-of-the-test-0123456789 and key-of-the-te and 9876543210-tset-eht-fo-yek, a2V5LW9mLXRoZS10ZXN0LTAxMjM0NTY3ODk="}}`, 401, nil},
	{"key-base64", `{"error":{"message":"x` + "bGtleS1vZi10aGUtdGVzdC0wMTIzNDU2Nzg5" + ` Omtl` + "eS1vZi10aGUtdGVzdC0wMTIzNDU2Nzg5" + ` 6b65792d6f662d7468652d746573742d30313233 6B65792D6F662D74686"}}`, 401, nil},
	{"long", `{"error":"` + strings.Repeat("word éé ", 60) + `"}`, 400, nil},
	{"longer", `{"error":"` + strings.Repeat("é", 1300) + testKey + `"}`, 400, nil},
	{"lines", `{"error":"a\n\n  b\tc"}`, 400, nil},
	{"takes-completion", `{"error":{"message":"use max_completion_tokens"}}`, 400, nil},
	{"takes-none", `{"error":{"message":"temperature and seed are not supported"}}`, 422, nil},
	{"no-options", `{"error":{"message":"include_usage is unknown"}}`, 400, nil},
	{"takes-completion-500", `{"error":{"message":"use max_completion_tokens"}}`, 501, nil},
}

// streams are answers in pieces.
var streams = []struct {
	name  string
	lines []string
}{
	{"stream", []string{piece("do", ""), piece("ne", "stop"), "data: [DONE]"}},
	{"stream-usage", []string{piece("done", "stop"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}` + "\n", "data: [DONE]"}},
	{"stream-no-end", []string{piece("done", "stop")}},
	{"stream-length", []string{piece("half", "length"), "data: [DONE]"}},
	{"stream-null", []string{`data: {"choices":[{"delta":{"content":"x"},"finish_reason":"null"}]}` + "\n", "data: [DONE]"}},
	{"stream-refusal", []string{`data: {"choices":[{"delta":{"refusal":"I "}}]}` + "\n", `data: {"choices":[{"delta":{"refusal":"won't"},"finish_reason":"stop"}]}` + "\n", "data: [DONE]"}},
	{"stream-tools", []string{`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"a"}}]}}]}` + "\n", piece("x", "stop"), "data: [DONE]"}},
	{"stream-filter", []string{piece("x", "content_filter"), "data: [DONE]"}},
	{"stream-empty", []string{"data: [DONE]"}},
	{"stream-junk", []string{"data: {junk", "", "data: [DONE]"}},
	{"stream-number", []string{"data: 7", "", piece("x", "stop"), "data: [DONE]"}},
	{"stream-error", []string{piece("do", ""), `data: {"error":{"message":"gone","code":"400"}}` + "\n"}},
	{"stream-quota", []string{`data: {"error":{"message":"gone","code":"insufficient_quota"}}` + "\n"}},
	{"stream-comments", []string{": alive", "", ": alive", "", piece("done", "stop"), "data: [DONE]"}},
	{"stream-thinking", []string{piece("<think>a", ""), piece("b</think>done", "stop"), "data: [DONE]"}},
}

// TestOutcomes checks what a client sends and returns when a server answers in a certain way, and well from
// the second or third time on: the answer or the error, in a few words, the number of requests, and a
// checksum of all requests, delays and costs. A change of a rule shows in testdata/exchanges.txt by the
// answers that it concerns, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	settings := []struct {
		name string
		set  func(*Config)
		ask  notes.Prompt
	}{
		{"plain", nil, question()},
		{"once", func(c *Config) { c.Retries, c.BaseURL = 0, strings.TrimSuffix(c.BaseURL, "/v1") }, notes.Prompt{Text: "and now?"}},
		{"o3", func(c *Config) {
			c.Model, c.Price, c.MaxCost, c.Retries = "openai/o3-mini", &Price{Input: 2, Output: 8}, 1, 1
		}, question()},
		{"cache", func(c *Config) { c.Temperature, c.Price, c.RPM, c.TPM = .7, &Price{Input: 1, Output: 2}, 2, 900 }, notes.Prompt{System: "a", Text: "b", Answer: "c", Again: "d postgres://gauge:k9Lw2x7Qr5@db.example/x", MaxTokens: 300}},
		{"open", func(c *Config) { c.NoRedact, c.Key = true, "" }, notes.Prompt{System: "a", Text: "postgres://gauge:k9Lw2x7Qr5@db.example/x", MaxTokens: 9}},
		{"stream", func(c *Config) { c.Stream, c.Retries = true, 2 }, question()},
	}
	rows := [][]string{{"answer"}}
	for _, s := range settings {
		rows[0] = append(rows[0], s.name)
	}
	add := func(name string, first turn) {
		row := []string{name}
		for _, s := range settings {
			turns := []turn{first, first, well("done later")}
			if s.name == "stream" {
				turns[2] = stream(piece("done later", "stop"), "data: [DONE]")
			}
			row = append(row, exchanged(t, turns, s.set, s.ask, s.name == "cache"))
		}
		rows = append(rows, row)
	}
	for _, b := range bodies {
		add(b.name, says(b.status, b.body, b.headers...))
	}
	for _, b := range streams {
		add(b.name, stream(b.lines...))
	}
	transcripttest.Frozen(t, "testdata/exchanges.txt", *update, rows)
}

// exchanged asks a question twice, and returns what was sent and what came of it.
func exchanged(t *testing.T, turns []turn, set func(*Config), ask notes.Prompt, cache bool) string {
	s := serve(t, turns...)
	c, slept := s.client(t, func(c *Config) {
		if set != nil {
			set(c)
		}
		if cache {
			c.Cache = t.TempDir()
		}
	})
	var all strings.Builder
	short := ""
	for range 2 {
		reply, err := c.Ask(t.Context(), ask)
		fmt.Fprintln(&all, reply.Text, reply.Cut, reply.Refused, reply.In, reply.Out, reply.Cached, reply.Redacted, err, c.Answered())
		if reply.Cost != nil {
			fmt.Fprintf(&all, "%.9f\n", *reply.Cost)
		}
		if long := new(notes.LengthError); err != nil && asLength(err, &long) {
			fmt.Fprintln(&all, long.Window)
		}
		short += fmt.Sprintf("%.8s", reply.Text+"~")
	}
	spent := c.Spent()
	fmt.Fprintln(&all, spent.Calls, spent.Cached, spent.Retries, spent.In, spent.Out, spent.Redacted, *slept)
	if spent.Cost != nil {
		fmt.Fprintf(&all, "%.9f\n", *spent.Cost)
	}
	for _, r := range s.asked() {
		names := []string{}
		for name := range r.header {
			if !slices.Contains([]string{"Content-Length", "User-Agent", "Accept-Encoding"}, name) {
				names = append(names, name+"="+r.header.Get(name))
			}
		}
		slices.Sort(names)
		fmt.Fprintln(&all, r.path, names, r.body)
	}
	text := strings.ReplaceAll(all.String(), strings.TrimPrefix(s.URL, "http://"), "HOST")
	return fmt.Sprintf("%s%d:%s", short, len(s.asked()), transcripttest.Sum(text))
}

// asLength reports whether an error says that a prompt is too long.
func asLength(err error, to **notes.LengthError) bool {
	long, ok := err.(*notes.LengthError)
	if ok {
		*to = long
	}
	return ok
}

// TestSilence checks pauses of servers: before the headers, within the answer and within a stream, against a
// clock that runs.
func TestSilence(t *testing.T) {
	silent := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(kind, text string) turn {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}
	for _, tt := range []struct {
		name   string
		turn   turn
		stream bool
		want   string
	}{
		{"before the headers", silent, false, "no whole answer came in time"},
		{"before the headers of a stream", silent, true, "no whole answer came in time"},
		{"within an answer", half("application/json", `{"choices":`), false, "the answer stopped in the middle"},
		{"within a failure", half("text/event-stream", piece("do", "")), true, "the answer stopped in the middle"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.turn)
			c, _ := s.client(t, func(c *Config) {
				c.Stream, c.Timeout, c.Idle, c.Retries = tt.stream, 200*time.Millisecond, 40*time.Millisecond, 1
			})
			if _, err := c.Ask(t.Context(), question()); err == nil || !strings.Contains(err.Error(), tt.want+", after 2 attempts") {
				t.Errorf("got %v", err)
			}
		})
	}
}
