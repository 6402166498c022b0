package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"condense/transcript/format"
	"condense/transcript/token"
)

// TestEveryPlace checks for each place that clients document that its files are found, with their tool and id.
func TestEveryPlace(t *testing.T) {
	const id = "3f2b9a10-0000-4000-8000-000000000001"
	for path, want := range map[string]string{
		".claude/projects/-w/" + id + ".jsonl":                                                               "claude-code " + id,
		".config/claude/projects/-w/" + id + ".jsonl":                                                        "claude-code " + id,
		".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-" + id + ".jsonl":                            "codex " + id,
		".codex/archived_sessions/rollout-2026-03-01T10-00-00-" + id + ".jsonl":                              "codex " + id,
		".gemini/tmp/p/chats/session-2026-03-01T10-00-3f2b9a10.json":                                         "gemini-cli 3f2b9a10",
		".gemini/tmp/p/chats/session-2026-03-01T10-00-3f2b9a10.jsonl":                                        "gemini-cli 3f2b9a10",
		".qwen/tmp/p/chats/session-2026-03-01T10-00-3f2b9a10.json":                                           "qwen-code 3f2b9a10",
		".qwen/projects/-w/chats/" + id + ".jsonl":                                                           "qwen-code " + id,
		".pi/agent/sessions/--w--/2026-03-01T10-00-00-000Z_" + id + ".jsonl":                                 "pi " + id,
		".copilot/session-state/" + id + "/events.jsonl":                                                     "copilot-cli " + id,
		".copilot/session-state/" + id + ".jsonl":                                                            "copilot-cli " + id,
		".cline/data/tasks/177/api_conversation_history.json":                                                "cline 177",
		".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/177/api_conversation_history.json": "roo-code 177",
		".config/Code/User/globalStorage/kilocode.kilo-code/tasks/177/api_conversation_history.json":         "kilo-code 177",
		".cursor/projects/w/agent-transcripts/" + id + ".jsonl":                                              "cursor " + id,
		".cursor/projects/w/agent-transcripts/" + id + "/" + id + ".jsonl":                                   "cursor " + id,
		".config/Code/User/workspaceStorage/w/chatSessions/" + id + ".json":                                  "vscode-copilot " + id,
		".config/Code/User/globalStorage/emptyWindowChatSessions/" + id + ".json":                            "vscode-copilot " + id,
		".config/mini-swe-agent/last_mini_run.traj.json":                                                     "mini-swe-agent last_mini_run.traj",
		".continue/sessions/" + id + ".json":                                                                 "continue " + id,
	} {
		home := t.TempDir()
		save(t, home, path, "{}", 1)
		files, _ := linux(home).find()
		if len(files) != 1 || files[0].Tool+" "+files[0].ID != want {
			t.Errorf("%s: %+v, want %s", path, files, want)
		}
	}
}

// TestEveryDatabase checks that a database is listed in each place that a tool keeps one.
func TestEveryDatabase(t *testing.T) {
	for path, want := range map[string]string{
		".local/share/opencode/opencode.db": "opencode", ".local/share/goose/sessions/sessions.db": "goose", ".local/share/zed/threads/threads.db": "zed",
		"Library/Application Support/Zed/threads/threads.db": "zed", "AppData/Local/Zed/threads/threads.db": "zed",
	} {
		home := t.TempDir()
		path = save(t, home, path, "x", 1)
		if got := linux(home).databases(); len(got) != 1 || got[0].Tool != want || got[0].Path != path || (got[0].Export != "") != (want == "opencode") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	t.Chdir(t.TempDir())
	save(t, ".", ".crush/crush.db", "x", 1)
	if got := linux(t.TempDir()).databases(); len(got) != 1 || got[0].Tool != "crush" {
		t.Errorf("in the folder of the project: %+v", got)
	}
}

// TestFiles checks that files are selected by folder, age and size, without a limit, and that a query ends with
// its context.
func TestFiles(t *testing.T) {
	home := t.TempDir()
	for i, folder := range []string{"/w/a", "/w/ab", ""} {
		save(t, home, fmt.Sprintf(".claude/projects/p/c%d.jsonl", i), claude(fmt.Sprintf("c%d", i), folder, strings.Repeat("x", 1000*i)), i)
	}
	save(t, home, ".claude/projects/.project_root", "/w/c", 1) // only Gemini CLI has such a file
	for want, q := range map[string]Query{
		"c0 c1 c2": {Limit: 1}, "c0": {Project: "/w/a"}, "c0 c1": {Project: "/"}, "c1 c2": {Least: 1000}, "c2": {Before: 90 * time.Minute},
	} {
		files, err := q.Files(t.Context(), linux(home), now)
		var names []string
		for _, f := range files {
			names = append(names, f.ID)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%+v: %s, %v", q, got, err)
		}
		if q.Limit == 0 {
			if got := ids(list(t, linux(home), q)); got != want {
				t.Errorf("%+v: listed are %s", q, got)
			}
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Query{}).Files(done, linux(home), now); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for _, q := range []Query{{}, {Count: true}} {
		if _, err := q.List(done, linux(home), token.BuiltIn(), now); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
	}
}

// TestMatching checks that a shell gets the newest sessions whose ids begin with a text, and no more than it can
// show.
func TestMatching(t *testing.T) {
	home := t.TempDir()
	for i := range completions + 5 {
		save(t, home, fmt.Sprintf(".claude/projects/p/abcd%02d.jsonl", i), claude(fmt.Sprintf("abcd%02d", i), "/w", "x"), i)
	}
	save(t, home, ".claude/projects/p/other.jsonl", claude("other", "/w", "x"), 0)
	save(t, home, ".claude/projects/p/abc d.jsonl", claude("abc d", "/w", "x"), 0)
	got := linux(home).Matching("abc", now)
	if len(got) != completions || got[0].ID != "abcd00" || got[completions-1].ID != fmt.Sprintf("abcd%02d", completions-1) {
		t.Errorf("%d sessions: %+v", len(got), got)
	}
	if got := linux(home).Matching("oth", now); len(got) != 1 || got[0].ID != "other" || got[0].First != "x" {
		t.Errorf("one: %+v", got)
	}
}

// TestReason checks that the reason of a file that cannot be read does not repeat its path.
func TestReason(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "there is none"))
	if got := reason(err); got == "" || strings.Contains(got, "none") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%q", got)
	}
	if got := reason(errors.New("torn")); got != "torn" {
		t.Errorf("%q", got)
	}
}

// TestNewFileOfNothing names the copy of a file without conversations, and of a short id.
func TestNewFileOfNothing(t *testing.T) {
	var pi *format.Dialect
	for _, d := range format.Dialects {
		if d.Name == "pi" {
			pi = d
		}
	}
	if got := NewFile(&format.File{Dialect: pi}, "/s/x.jsonl", "", "id"); filepath.ToSlash(got) != "/s/0001-01-01T00-00-00-000Z_id.jsonl" {
		t.Errorf("%s", got)
	}
	rule := namings["gemini-cli"]
	for id, want := range map[string]string{"12345678": "session-0001-01-01T00-00-12345678", "123456789": "session-0001-01-01T00-00-12345678", "123": "session-0001-01-01T00-00-123"} {
		if got := rule.name("", "", id, time.Time{}); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// progress is a record of Claude Code that is no message.
var progress = `{"type":"progress","uuid":"p","data":{"text":"` + strings.Repeat("y", 400) + `"}}` + "\n"

// TestGlancedParts checks that a session is read by its ends if these have all, and whole if they are torn.
func TestGlancedParts(t *testing.T) {
	home := t.TempDir()
	long := strings.Repeat(progress, 6000) + "torn in the middle\n" + strings.Repeat(progress, 600)
	first, rest, _ := strings.Cut(claude("s", "/w", "the request"), "\n")
	path := save(t, home, ".claude/projects/-w/s.jsonl", first+"\n"+long+rest, 1)
	if s := list(t, linux(home), Query{}).List[0]; s.First != "the request" || s.Tokens != 50000 || s.Model != "claude-sonnet-4-5" {
		t.Errorf("%+v", s)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	save(t, home, ".gemini/tmp/p/.project_root", " /w/g\n", 1)
	save(t, home, ".gemini/tmp/r/.project_root", strings.Repeat("x", 5000), 1)
	save(t, home, ".gemini/tmp/r/chats/session-2026-03-01T10-00-3f2b9a12.json", `{"sessionId":"3f2b9a12-1","projectHash":"x","messages":[{"type":"user","content":"hi"}]}`, 3)
	save(t, home, ".gemini/tmp/p/chats/session-2026-03-01T10-00-3f2b9a10.json", `{"sessionId":"3f2b9a10-1","projectHash":"x","messages":[{"type":"user","content":"hi"}]}`, 1)
	save(t, home, ".gemini/tmp/q/chats/session-2026-03-01T10-00-3f2b9a11.json", `{"sessionId":"3f2b9a11-1","projectHash":"x","messages":[{"type":"user","content":"hi"}]}`, 2)
	if l := list(t, linux(home), Query{}).List; len(l) != 3 || l[0].Project != "/w/g" || l[1].Project != "" || l[1].Problem != "" || len(l[2].Project) != 4096 {
		t.Errorf("%+v", l)
	}
}
