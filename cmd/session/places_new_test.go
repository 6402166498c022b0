package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript/format"
)

// TestNewFile names files of second sessions.
func TestNewFile(t *testing.T) {
	const old, id = "0198aaaa-bbbb-7ccc-8ddd-eeeeffff0001", "0198aaaa-bbbb-7ccc-8ddd-eeeeffff0002"
	codex := `{"timestamp":"2026-03-02T09:00:01.000Z","type":"session_meta","payload":{"id":"` + old + `"}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}
`
	gemini := `{"sessionId":"` + old + `","projectHash":"h","messages":[{"id":"m","type":"user","timestamp":"2026-03-02T09:00:02.000Z","content":"a"}]}`
	pi := `{"type":"session","version":3,"id":"` + old + `","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/p"}
{"type":"message","id":"11111111","parentId":null,"timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"user","content":"a"}}
`
	copilot := `{"type":"session.start","data":{"sessionId":"` + old + `"},"id":"e1","timestamp":"2026-03-02T09:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"a"},"id":"e2","timestamp":"2026-03-02T09:00:00.000Z","parentId":"e1"}
`
	qwen := `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"` + old + `","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"user","parts":[{"text":"a"}]}}` + "\n"
	opencode := `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"msg_1","role":"user"},"parts":[{"id":"prt_1","type":"text","text":"a"}]}]}`
	for _, tt := range []struct{ dialect, src, from, dir, want string }{
		{"qwen-code", qwen, "/s/x", "", "/s/" + id + ".jsonl"},
		{"opencode", opencode, "/s/x", "", "/s/" + id + ".json"},
		{"claude-code", claude(old, "/w", "a"), "/s/" + old + ".jsonl", "", "/s/" + id + ".jsonl"},
		{"claude-code", claude(old, "/w", "a"), "/s/copy of " + old + ".jsonl", "", "/s/" + id + ".jsonl"},
		{"claude-code", claude(old, "/w", "a"), "/s/" + old + ".jsonl.gz", "/o", "/o/" + id + ".jsonl.gz"},
		{"claude-code", claude(old, "/w", "a"), "/s/session.txt", "", "/s/" + id + ".jsonl"},
		{"codex", codex, "/s/rollout-2026-03-02T10-00-00-" + old + ".jsonl", "", "/s/rollout-2026-03-02T10-00-00-" + id + ".jsonl"},
		{"codex", codex, "/s/session", "", "/s/rollout-2026-03-02T09-00-02-" + id + ".jsonl"},
		{"gemini-cli", gemini, "/s/session-2026-03-02T10-00-" + old[:8] + ".json", "", "/s/session-2026-03-02T10-00-" + id[:8] + ".json"},
		{"gemini-cli", gemini, "/s/x", "", "/s/session-2026-03-02T09-00-" + id[:8] + ".jsonl"},
		{"pi", pi, "/s/2026-03-02T10-00-00-000Z_" + old + ".jsonl", "", "/s/2026-03-02T10-00-00-000Z_" + id + ".jsonl"},
		{"pi", pi, "/s/x", "", "/s/2026-03-02T09-00-02-000Z_" + id + ".jsonl"},
		{"copilot-cli", copilot, "/s/" + old + "/events.jsonl", "", "/s/" + id + "/events.jsonl"},
		{"copilot-cli", copilot, "/s/" + old + "/events.jsonl", "/o", "/o/" + id + "/events.jsonl"},
		{"copilot-cli", copilot, "/s/e.jsonl", "", "/s/" + id + "/events.jsonl"},
	} {
		f, err := format.Decode([]byte(tt.src), tt.dialect)
		if err != nil {
			t.Fatalf("%s: %v", tt.dialect, err)
		}
		if got := filepath.ToSlash(NewFile(f, filepath.FromSlash(tt.from), filepath.FromSlash(tt.dir), id)); got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.dialect, tt.from, got, tt.want)
		}
	}
}

// TestNewFileDialects checks that each format with a session id has a rule for the names of its files.
func TestNewFileDialects(t *testing.T) {
	for _, d := range format.Dialects {
		if _, named := namings[d.Name]; named != d.Sessions() {
			t.Errorf("%s: an id that can change: %t, a rule for names: %t", d.Name, d.Sessions(), named)
		}
	}
}

// TestIndex looks for databases beside the known places only.
func TestIndex(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "[x]", ".codex")
	for _, name := range []string{"thread_history_1.sqlite", "state_5.sqlite", "logs_2.sqlite"} {
		save(t, dir, name, "", 1)
	}
	for path, want := range map[string]string{
		"sessions/2026/03/02/rollout-x.jsonl": "thread_history_1.sqlite",
		"archived_sessions/rollout-x.jsonl":   "thread_history_1.sqlite",
		"sessions/rollout-x.jsonl":            "thread_history_1.sqlite", // as in an archive
		"sessions/2026/03/02/x.jsonl":         "",
		"x/y/z/rollout-x.jsonl":               "",
	} {
		if got := Index("codex", filepath.Join(dir, path)); !strings.HasSuffix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := Index("pi", filepath.Join(dir, "sessions/2026/03/02/rollout-x.jsonl")); got != "" {
		t.Errorf("another format: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "thread_history_1.sqlite")); err != nil {
		t.Fatal(err)
	}
	if got := Index("codex", filepath.Join(dir, "archived_sessions/rollout-x.jsonl")); filepath.Base(got) != "state_5.sqlite" {
		t.Errorf("the list alone: %q", got)
	}
}

// TestIndexOfOddFolders checks that the characters of patterns in the name of a folder stand for themselves: the
// database of another folder, whose name such a pattern would match, is none of the session.
func TestIndexOfOddFolders(t *testing.T) {
	for name, other := range map[string]string{"a?b": "axb", "a*b": "axxb", "[ab]": "a", "a[b": "", "a]b": "", "?": "x", "*": "x", "[?*]": "?", "[!a]": "b", "a-b": "", "~": ""} {
		home := t.TempDir()
		file := save(t, home, filepath.Join(name, "archived_sessions/rollout-x.jsonl"), "", 1)
		if other != "" {
			save(t, home, filepath.Join(other, "state_5.sqlite"), "", 1)
		}
		if got := Index("codex", file); got != "" {
			t.Errorf("%s: the database of another folder: %s", name, got)
		}
		if matches, err := filepath.Match(escape(name), other); matches || err != nil {
			t.Errorf("%s matches %s, %v", name, other, err)
		}
		database := save(t, home, filepath.Join(name, "state_5.sqlite"), "", 1)
		if got := Index("codex", file); got != database {
			t.Errorf("%s: got %s", name, got)
		}
	}
	t.Chdir(t.TempDir())
	save(t, ".", "state_5.sqlite", "", 1)
	if got := Index("codex", "archived_sessions/rollout-x.jsonl"); filepath.Base(got) != "state_5.sqlite" || !filepath.IsAbs(got) {
		t.Errorf("a relative path: %q", got)
	}
}
