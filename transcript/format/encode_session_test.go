package format

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"condense/transcript"
)

// TestRename checks that every record of a session gets the new id, that records of other sessions keep
// theirs, and that nothing else changes.
func TestRename(t *testing.T) {
	const old, id = "0198aaaa-bbbb-7ccc-8ddd-eeeeffff0001", "0198aaaa-bbbb-7ccc-8ddd-eeeeffff0002"
	for name, src := range map[string]string{
		"claude-code": `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"OLD","message":{"role":"user","content":"a"}}
{"type":"file-history-snapshot","messageId":"1"}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"OLD","message":{"role":"assistant","content":"b"}}
{"type":"user","uuid":"3","parentUuid":"2","sessionId":"other","message":{"role":"user","content":"sessionId: KEEP"}}
`,
		"codex": `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"OLD","session_id":"OLD","forked_from_id":"f","cwd":"/p"}}
{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"f","cwd":"/p"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"KEEP"}]}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"event_msg","payload":{"type":"thread_goal","thread_id":"OLD"}}
{"timestamp":"2026-03-02T09:00:03.000Z","type":"token_usage_record","payload":{"thread_id":"OLD","session_id":"OLD"}}
`,
		"gemini-cli": `{"sessionId":"OLD","projectHash":"h","startTime":"2026-03-02T09:00:00.000Z"}
{"id":"m","timestamp":"2026-03-02T09:00:00.000Z","type":"user","content":[{"text":"KEEP"}]}
{"$set":{"sessionId":"OLD","lastUpdated":"2026-03-02T09:00:00.000Z"}}
`,
		"gemini-cli document": `{"sessionId":"OLD","projectHash":"h","messages":[{"id":"m","type":"user","content":"KEEP"}]}`,
		"pi": `{"type":"session","version":3,"id":"OLD","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/p","parentSession":"/p/KEEP.jsonl"}
{"type":"message","id":"11111111","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"KEEP"}}
`,
		"pi with an entry of that id": `{"type":"session","version":3,"id":"OLD","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/p"}
{"type":"message","id":"KEEP","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"a"}}
{"type":"compaction","id":"22222222","parentId":"KEEP","timestamp":"2026-03-02T09:00:00.000Z","summary":"s","firstKeptEntryId":"KEEP"}
`,
		"copilot-cli": `{"type":"session.start","data":{"sessionId":"OLD","version":1},"id":"e1","timestamp":"2026-03-02T09:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"KEEP","interactionId":"i"},"id":"e2","timestamp":"2026-03-02T09:00:00.000Z","parentId":"e1"}
{"type":"session.usage_record","data":{"usage":{"accounting":{"sourceSessionId":"OLD"}}},"id":"e3","timestamp":"2026-03-02T09:00:00.000Z","parentId":"e2"}
`,
	} {
		dialect, _, _ := strings.Cut(name, " ")
		src = strings.ReplaceAll(src, "KEEP", old)
		f, err := Decode([]byte(strings.ReplaceAll(src, "OLD", old)), dialect)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out, err := f.Rename(id)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := strings.ReplaceAll(src, "OLD", id); string(out) != want {
			t.Errorf("%s: got\n%s", name, out)
		}
		again, err := f.Verify(f.Convs, out)
		if err != nil || again.Convs[0].ID != id {
			t.Errorf("%s: %v, the session is called %q", name, err, again.Convs[0].ID)
		}
	}
}

// TestRenameOpenCode checks that a copy of an OpenCode session has other ids for its messages and parts,
// in the same order, and that links among them are kept.
func TestRenameOpenCode(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/opencode/compacted.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(src, "opencode")
	if err != nil {
		t.Fatal(err)
	}
	var unsupported *UnsupportedError
	if _, err := f.Rename("0198aaaa-bbbb-7ccc-8ddd-eeeeffff0002"); !errors.As(err, &unsupported) { // no client imports it
		t.Errorf("an id of another client: %v", err)
	}
	id := f.NewSessionID()
	out, err := f.Rename(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Verify(f.Convs, out); err != nil {
		t.Error(err)
	}
	ids := regexp.MustCompile(`"((?:ses|msg|prt)_[0-9A-Za-z]+)"`)
	was, is := ids.FindAllStringSubmatch(string(src), -1), ids.FindAllStringSubmatch(string(out), -1)
	if len(was) != len(is) || len(src) != len(out) {
		t.Fatalf("%d ids became %d, %d bytes became %d", len(was), len(is), len(src), len(out))
	}
	to := map[string]string{}
	for i := range was {
		a, b := was[i][1], is[i][1]
		if a == "ses_parent" { // another session
			continue
		}
		if a == b || a[:min(len(a), 16)] != b[:min(len(b), 16)] || to[a] != "" && to[a] != b {
			t.Errorf("%s became %s", a, b)
		}
		to[a] = b
	}
	if got := ids.ReplaceAllString(string(out), ""); got != ids.ReplaceAllString(string(src), "") {
		t.Error("more than the ids changed")
	}
}

// TestNewSessionID checks the forms of new ids, and that they depend on the content alone.
func TestNewSessionID(t *testing.T) {
	for _, tt := range []struct{ dialect, file, want string }{
		{"claude-code", "claude-code/session.jsonl", `^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{"codex", "codex/session.jsonl", `^019[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{"opencode", "opencode/session.json", `^ses_7692c3ad3540[0-9A-Za-z]{8}$`},
		{"qwen-code", "qwen-code/session.jsonl", `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{"pi", "pi/session.jsonl", `^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
	} {
		src, err := os.ReadFile(filepath.Join("../../testdata/sessions", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		newID := func(src []byte) string {
			f, err := Decode(src, tt.dialect)
			if err != nil {
				t.Fatal(err)
			}
			return f.NewSessionID()
		}
		id := newID(src)
		if !regexp.MustCompile(tt.want).MatchString(id) || id != newID(src) || id == newID(append(src, '\n')) {
			t.Errorf("%s: %s", tt.file, id)
		}
	}
}

// TestNewSessionIDTime checks that a UUID of version 7 has the time of the newest message, or else that
// of the old id.
func TestNewSessionIDTime(t *testing.T) {
	head := `{"timestamp":"T","type":"session_meta","payload":{"id":"019c0aaa-1111-7000-8000-00000000c0de","cwd":"/p"}}` + "\n"
	item := `{"timestamp":"T","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}` + "\n"
	for when, want := range map[string]string{"2026-03-02T09:00:00.000Z": "019cadc6-9a80-7", "": "019c0aaa-1111-7"} {
		f, err := Decode([]byte(strings.ReplaceAll(head+item, "T\"", when+"\"")), "codex")
		if err != nil {
			t.Fatal(err)
		}
		if id := f.NewSessionID(); !strings.HasPrefix(id, want) {
			t.Errorf("%q: %s, want %s…", when, id, want)
		}
	}
	f := &File{Convs: []*transcript.Conversation{}}
	if f.NewSessionID() == "" {
		t.Error("no id for a file without conversations")
	}
}

// TestSessions checks which dialects have sessions with ids.
func TestSessions(t *testing.T) {
	got := map[string]bool{}
	for i := range Dialects {
		got[Dialects[i].Name] = Dialects[i].Sessions()
	}
	if !got["claude-code"] || !got["codex"] || got["openai"] || got["sharegpt"] {
		t.Errorf("dialects with sessions: %v", got)
	}
}
