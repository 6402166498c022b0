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
		got := f.Convs[0].Messages[1].Usage
		if (got == nil) != (test.want == nil) || got != nil && *got != *test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestStudioUsage: every chunk tells what it counts, a prompt too.
func TestStudioUsage(t *testing.T) {
	f, err := Decode([]byte(`{"runSettings":{"model":"models/gemini-2.5-pro"},"chunkedPrompt":{"chunks":[{"text":"hi","role":"user","tokenCount":2},{"text":"hello","role":"model","tokenCount":3}]}}`), "aistudio")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 3} {
		if u := f.Convs[0].Messages[i].Usage; u == nil || u.Output != want || u.Input != 0 {
			t.Errorf("message %d: %+v, want %d", i, u, want)
		}
	}
}

// TestOpenCodeUsage: what was thought is a part of the answer.
func TestOpenCodeUsage(t *testing.T) {
	f, err := Decode([]byte(`{"info":{"id":"ses_1","version":"1"},"messages":[{"info":{"id":"msg_1","role":"assistant","sessionID":"ses_1",
		"tokens":{"input":5,"output":7,"reasoning":20,"cache":{"read":100,"write":3}}},"parts":[{"type":"text","id":"prt_1","text":"hi"}]}]}`), "opencode")
	if err != nil {
		t.Fatal(err)
	}
	if u := f.Convs[0].Messages[0].Usage; u == nil || *u != (transcript.Usage{Input: 5, CacheRead: 100, CacheWrite: 3, Output: 27}) {
		t.Errorf("%+v", u)
	}
}
