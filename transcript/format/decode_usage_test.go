package format

import (
	"testing"

	"condense/transcript"
)

func TestClineUsage(t *testing.T) {
	for name, test := range map[string]struct {
		metrics string
		want    *transcript.Usage
	}{
		"extension":  {`{"tokens":{"prompt":10,"completion":7,"cached":900}}`, &transcript.Usage{Input: 10, CacheRead: 900, Output: 7}},
		"SDK":        {`{"inputTokens":1000,"outputTokens":7,"cacheReadTokens":900,"cacheWriteTokens":40}`, &transcript.Usage{Input: 100, CacheRead: 900, CacheWrite: 40, Output: 7}},
		"something":  {`{"latency":3}`, nil},
		"not at all": {`null`, nil},
	} {
		f, err := Decode([]byte(`[{"role":"user","content":"<task>\nx</task>"},{"role":"assistant","content":"y","modelInfo":{"modelId":"m"},"metrics":`+test.metrics+`}]`), "cline")
		if err != nil {
			t.Fatal(err)
		}
		got := f.Convs[0].Messages[1].Usage()
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestStudioUsage checks that every chunk has its own count, even a prompt.
func TestStudioUsage(t *testing.T) {
	f, err := Decode([]byte(`{"runSettings":{"model":"models/gemini-2.5-pro"},"chunkedPrompt":{"chunks":[{"text":"hi","role":"user","tokenCount":2},{"text":"hello","role":"model","tokenCount":3}]}}`), "aistudio")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 3} {
		if u := f.Convs[0].Messages[i].Usage(); u == nil || u.Output != want || u.Input != 0 {
			t.Errorf("message %d: %+v, want %d", i, u, want)
		}
	}
}

// TestOpenCodeUsage checks that thinking is a part of the answer.
func TestOpenCodeUsage(t *testing.T) {
	f, err := Decode([]byte(`{"info":{"id":"ses_1","version":"1"},"messages":[{"info":{"id":"msg_1","role":"assistant","sessionID":"ses_1",
		"tokens":{"input":5,"output":7,"reasoning":20,"cache":{"read":100,"write":3}}},"parts":[{"type":"text","id":"prt_1","text":"hi"}]}]}`), "opencode")
	if err != nil {
		t.Fatal(err)
	}
	if u := f.Convs[0].Messages[0].Usage(); u == nil || *u != (transcript.Usage{Input: 5, CacheRead: 100, CacheWrite: 3, Output: 27}) {
		t.Errorf("%+v", u)
	}
}

// TestUsageMoreCachedThanAll checks that no count is below 0, for any numbers in a file.
func TestUsageMoreCachedThanAll(t *testing.T) {
	for dialect, src := range map[string]string{
		"gemini-cli": `{"sessionId":"s","projectHash":"h","messages":[{"type":"gemini","content":"hi","tokens":{"input":5,"cached":9,"output":1}}]}`,
		"adk":        `{"events":[{"author":"a","content":{"role":"model","parts":[{"text":"hi"}]},"usage_metadata":{"prompt_token_count":5,"cached_content_token_count":9,"candidates_token_count":1}}]}`,
		"codex": `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}}` + "\n" +
			`{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":5,"cached_input_tokens":9,"output_tokens":1}}}}`,
	} {
		f, err := Decode([]byte(src), dialect)
		if err != nil {
			t.Fatal(err)
		}
		if u := f.Convs[0].Messages[0].Usage(); u == nil || *u != (transcript.Usage{CacheRead: 9, Output: 1}) {
			t.Errorf("%s: %+v", dialect, u)
		}
	}
}
