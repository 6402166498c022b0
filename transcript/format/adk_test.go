package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestADK decodes sessions of the Agent Development Kit.
func TestADK(t *testing.T) {
	event := func(author, text, more string) string {
		return `{"author":"` + author + `","content":{"parts":[{"text":"` + text + `"}]},"invocation_id":"i"` + more + `}`
	}
	session := func(events ...string) string { return `{"id":"s","events":[` + strings.Join(events, ",") + `]}` }
	for _, c := range []geminiCase{
		{"roles by author, events without content", &adk,
			session(event("user", "go", ""), `{"author":"agent","invocation_id":"i","actions":{}}`, event("agent", "ok", "")),
			[]string{`user: typed "go"`, `assistant: model "ok"`}},
		{"nothing yet", &adk, `{"id":"s","app_name":"a","user_id":"u","state":{},"events":[]}`, nil},
		{"compacted events are history", &adk,
			session(event("user", "a", `,"timestamp":1`), event("agent", "b", `,"timestamp":2.5`),
				`{"author":"user","timestamp":4,"actions":{"compaction":{"start_timestamp":2,"end_timestamp":3,"compacted_content":{"role":"model","parts":[{"text":"sum"}]}}}}`,
				event("user", "c", `,"timestamp":3.5`)),
			[]string{`user: typed "a"`, `(assistant: model "b")`, `assistant: generated "sum"`, `user: typed "c"`}},
		{"invocations that were taken back", &adk,
			session(event("user", "a", ``), event("user", "b", `,"invocationId":"j"`),
				`{"author":"user","invocation_id":"b1","content":{"role":"user","parts":[{"text":"c"}]}}`,
				`{"author":"user","invocation_id":"r","actions":{"rewind_before_invocation_id":"b1"}}`, event("agent", "d", ``)),
			[]string{`user: typed "a"`, `user: typed "b"`, `(user: typed "c")`, `assistant: model "d"`}},
		{"partial events", &adk, session(event("user", "a", ""), event("agent", "b", `,"partial":true`)),
			[]string{`user: typed "a"`, `(assistant: model "b")`}},
	} {
		t.Run(c.name, c.check)
	}
	f := decoded(t, session(`{"author":"agent","content":{"parts":[{"text":"x"}]},"timestamp":1767600000.5,"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":1}}`))
	m := f.Convs[0].Messages[0]
	if m.Usage() == nil || *m.Usage() != (transcript.Usage{Input: 6, CacheRead: 4, Output: 3}) || m.Time().UnixMilli() != 1767600000500 {
		t.Errorf("usage %+v, time %v", m.Usage(), m.Time())
	}
}

// TestADKRewoundCompaction checks that a compaction that was taken back has no effect, also when all
// hidden messages are removed.
func TestADKRewoundCompaction(t *testing.T) {
	for _, content := range []string{``, `,"compacted_content":{"role":"model","parts":[{"text":"sum"}]}`} {
		src := `{"id":"s","events":[{"author":"user","content":{"parts":[{"text":"a"}]},"invocation_id":"i","timestamp":1},` +
			`{"author":"user","content":{"parts":[{"text":"b"}]},"invocation_id":"j","timestamp":2},` +
			`{"author":"user","timestamp":3,"actions":{"compaction":{"start_timestamp":1` + content + `}}},` +
			`{"author":"user","invocation_id":"r","actions":{"rewind_before_invocation_id":"j"}}]}`
		f := decoded(t, src)
		var edits []transcript.Edit
		for i := range f.Convs[0].Messages[1:] {
			edits = append(edits, drop(i+1))
		}
		out := edited(t, f, edits...)
		var seen []string
		for _, b := range decoded(t, out).Convs[0].Blocks() {
			seen = append(seen, b.Text())
		}
		if len(seen) != 1 || seen[0] != "a" {
			t.Errorf("visible %q in %s", seen, out)
		}
	}
}
