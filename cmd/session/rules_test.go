package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"condense/transcript/token"
)

// variables returns the system of a machine on which only these variables are set.
func variables(env map[string]string) System {
	return System{OS: "linux", Env: func(name string) string { return env[name] }}
}

// TestEnvironment checks that each variable of a client moves its sessions, so that none is found in the place
// that it has without the variable.
func TestEnvironment(t *testing.T) {
	const id = "3f2b9a10-0000-4000-8000-000000000001"
	for _, tt := range []struct{ tool, name, without, below string }{
		{"claude-code", "CLAUDE_CONFIG_DIR", ".claude", "projects/-w/" + id + ".jsonl"},
		{"codex", "CODEX_HOME", ".codex", "sessions/2026/03/01/rollout-2026-03-01T10-00-00-" + id + ".jsonl"},
		{"codex", "CODEX_HOME", ".codex", "archived_sessions/rollout-2026-03-01T10-00-00-" + id + ".jsonl"},
		{"gemini-cli", "GEMINI_CLI_HOME", "", ".gemini/tmp/p/chats/session-2026-03-01T10-00-3f2b9a10.json"},
		{"qwen-code", "QWEN_HOME", ".qwen", "projects/-w/chats/" + id + ".jsonl"},
		{"pi", "PI_CODING_AGENT_DIR", ".pi/agent", "sessions/--w--/2026-03-01T10-00-00-000Z_" + id + ".jsonl"},
		{"copilot-cli", "COPILOT_HOME", ".copilot", "session-state/" + id + "/events.jsonl"},
		{"copilot-cli", "COPILOT_HOME", ".copilot", "session-state/" + id + ".jsonl"},
		{"cline", "CLINE_DIR", ".cline", "data/tasks/177/api_conversation_history.json"},
		{"continue", "CONTINUE_GLOBAL_DIR", ".continue", "sessions/" + id + ".json"},
		{"mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR", ".config/mini-swe-agent", "last_mini_run.traj.json"},
		{"mini-swe-agent", "XDG_CONFIG_HOME", ".config", "mini-swe-agent/last_mini_run.traj.json"},
		{"roo-code", "XDG_CONFIG_HOME", ".config", "Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/177/api_conversation_history.json"},
	} {
		home, other := t.TempDir(), t.TempDir()
		save(t, home, filepath.Join(tt.without, tt.below), "{}", 1)
		moved := save(t, other, tt.below, "{}", 1)
		files, skipped := variables(map[string]string{"HOME": home, tt.name: other}).find()
		if len(files) != 1 || files[0].Tool != tt.tool || files[0].Path != moved || len(skipped) > 0 {
			t.Errorf("%s: found %+v, skipped %v", tt.name, files, skipped)
		}
	}
	for _, tt := range []struct{ tool, name, without, below string }{
		{"opencode", "XDG_DATA_HOME", ".local/share", "opencode/opencode.db"},
		{"goose", "XDG_DATA_HOME", ".local/share", "goose/sessions/sessions.db"},
		{"zed", "XDG_DATA_HOME", ".local/share", "zed/threads/threads.db"},
		{"zed", "LOCALAPPDATA", "AppData/Local", "Zed/threads/threads.db"},
	} {
		home, other := t.TempDir(), t.TempDir()
		save(t, home, filepath.Join(tt.without, tt.below), "x", 1)
		moved := save(t, other, tt.below, "x", 1)
		if got := variables(map[string]string{"HOME": home, tt.name: other}).databases(); len(got) != 1 || got[0].Tool != tt.tool || got[0].Path != moved {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	home := t.TempDir()
	save(t, home, ".config/claude/projects/p/s.jsonl", "{}", 1)
	twice := map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": filepath.Join(home, ".config/claude")}
	if files, _ := variables(twice).find(); len(files) != 1 {
		t.Errorf("a folder with two names has %d sessions", len(files))
	}
}

// TestNoHome checks that without a home folder the files of the current folder are not taken for those of the
// user, on any system.
func TestNoHome(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"", ".config", "Library/Application Support"} {
		save(t, ".", filepath.Join(dir, "mini-swe-agent/last_mini_run.traj.json"), "{}", 1)
		save(t, ".", filepath.Join(dir, "Code/User/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json"), "{}", 1)
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		s := System{OS: system, Env: func(string) string { return "" }}
		if l := list(t, s, Query{}); len(l.List)+len(l.Databases)+len(l.Skipped)+l.More > 0 {
			t.Errorf("%s: %+v", system, l)
		}
		if f, err := s.Named("last_mini_run.traj"); f != nil || err != nil {
			t.Errorf("%s: %+v, %v", system, f, err)
		}
	}
}

// lost is an entry of a folder whose file cannot be looked at.
type lost struct {
	fs.DirEntry
	err error
}

func (l lost) Info() (fs.FileInfo, error) { return nil, l.err }

// TestLostEntries checks that a file which goes away during the search is no session, and that another error is
// named without the path.
func TestLostEntries(t *testing.T) {
	for _, tt := range []struct {
		err error
		why string // "" if it is not listed
	}{
		{fs.ErrNotExist, ""},
		{&fs.PathError{Op: "lstat", Path: "/p/x.jsonl", Err: fs.ErrNotExist}, ""},
		{&fs.PathError{Op: "lstat", Path: "/p/x.jsonl", Err: fs.ErrPermission}, "permission denied"},
		{errors.New("torn"), "torn"},
	} {
		w := walk{at: &places[0], root: "/p"}
		w.file("/p/x.jsonl", lost{err: tt.err})
		if len(w.files) > 0 || len(w.skipped) > 1 || (len(w.skipped) == 1) != (tt.why != "") {
			t.Fatalf("%v: found %+v, skipped %v", tt.err, w.files, w.skipped)
		}
		for _, s := range w.skipped {
			if s.Input != "/p/x.jsonl" || s.Why != tt.why {
				t.Errorf("%v: skipped %+v", tt.err, s)
			}
		}
	}
}

// TestOrder checks that sessions of all tools are in one order: the newest first, and those of one time by path.
func TestOrder(t *testing.T) {
	home := t.TempDir()
	for name, hours := range map[string]int{"d": 1, "b": 2, "c": 2, "a": 3} {
		save(t, home, ".claude/projects/p/"+name+".jsonl", claude(name, "/w", "x"), hours)
	}
	save(t, home, ".pi/agent/sessions/p/t_e.jsonl", `{"type":"session","version":3,"id":"e","timestamp":"","cwd":"/w"}`, 2)
	save(t, home, ".continue/sessions/f.json", "{}", 0)
	for _, tt := range []struct {
		tools []string
		want  string
	}{{nil, "f d b c e a"}, {[]string{"pi", "continue"}, "f e"}, {[]string{"claude-code"}, "d b c a"}, {[]string{"codex"}, ""}} {
		if got := ids(list(t, linux(home), Query{Tools: tt.tools})); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.tools, got, tt.want)
		}
	}
}

// TestCountGoesOn checks that a session that cannot be counted keeps what it records, and that those behind it
// are counted.
func TestCountGoesOn(t *testing.T) {
	home := t.TempDir()
	for i, text := range []string{"x", strings.Repeat("x", 5000), "x", strings.Repeat("x", 5000), "x"} {
		save(t, home, fmt.Sprintf(".claude/projects/p/s%d.jsonl", i), claude(fmt.Sprint("s", i), "/w", text), i)
	}
	l := list(t, linux(home), Query{Count: true, MaxBytes: 4000})
	if len(l.List) != 5 {
		t.Fatalf("%d sessions", len(l.List))
	}
	for i, s := range l.List {
		if large := i%2 == 1; s.Counted == large || (s.Problem != "") != large || (s.Tokens == 50000) != large || strings.Contains(s.Problem, home+": ") {
			t.Errorf("%d: %+v", i, s)
		}
	}
}

// TestRecounts checks that of many sessions that condense made smaller the newest are counted, and that the
// others have the usage that they record.
func TestRecounts(t *testing.T) {
	home := t.TempDir()
	at := now.Add(-1000 * time.Hour).Format(time.RFC3339)
	for i := range maxRecounts + 4 {
		src := claude("s", "/w", "[4 lines omitted]")
		if i != 1 { // a session without the time of its last message is not counted
			src = strings.ReplaceAll(src, `"type":"assistant"`, `"timestamp":"`+at+`","type":"assistant"`)
		}
		if i == 2 { // and one that was not condensed is, but without a result
			src = strings.ReplaceAll(src, "omitted]", "left]")
		}
		save(t, home, fmt.Sprintf(".claude/projects/p/s%d.jsonl", i), src, i)
	}
	for i, s := range list(t, linux(home), Query{}).List {
		want := i != 1 && i != 2 && i < maxRecounts+1
		if s.Smaller != want || s.Counted != want || (s.Tokens == 50000) == want || (s.Share < 0.01) != want {
			t.Errorf("%d: %+v", i, s)
		}
	}
}

// ending is a context that is done after some questions whether it is.
type ending struct {
	context.Context
	left atomic.Int32
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedAnywhere checks that a query that is interrupted at any time has the error of its context, and no
// result that lacks something.
func TestInterruptedAnywhere(t *testing.T) {
	home := t.TempDir()
	stamped := strings.ReplaceAll(claude("s", "/w", "[4 lines omitted]"), `"type":"assistant"`, `"timestamp":"2026-01-01T00:00:00Z","type":"assistant"`)
	for i := range 3 {
		save(t, home, fmt.Sprintf(".claude/projects/p/s%d.jsonl", i), stamped, i)
	}
	for what, run := range map[string]func(ctx context.Context) (any, error){
		"list": func(ctx context.Context) (any, error) { return (&Query{}).List(ctx, linux(home), token.BuiltIn(), now) },
		"count": func(ctx context.Context) (any, error) {
			return (&Query{Count: true}).List(ctx, linux(home), token.BuiltIn(), now)
		},
		"files": func(ctx context.Context) (any, error) { return (&Query{Project: "/w"}).Files(ctx, linux(home), now) },
		"newest": func(ctx context.Context) (any, error) {
			return Query{Project: "/none"}.Newest(ctx, linux(home), now)
		},
	} {
		for after := range int32(1000) {
			ctx := &ending{Context: t.Context()}
			ctx.left.Store(after)
			_, err := run(ctx)
			if done := ctx.left.Load() < 0; done != errors.Is(err, context.Canceled) || !done && err != nil {
				t.Fatalf("%s, interrupted after %d questions: %v", what, after, err)
			}
			if err == nil && after < 3 {
				t.Errorf("%s asks only %d times", what, after)
			}
			if err == nil {
				break
			}
		}
	}
}

// TestIDsOfContent checks that the id in a file counts only where its name has the beginning of it.
func TestIDsOfContent(t *testing.T) {
	home := t.TempDir()
	for name, id := range map[string]string{"3f2b9a10": "3f2b9a10-0000-4000-8000-000000000001", "4f2b9a10": "5f2b9a10-0000-4000-8000-000000000001", "6f2b9a10": "6f2b9a10"} {
		save(t, home, ".gemini/tmp/p/chats/session-2026-03-01T10-00-"+name+".json", `{"sessionId":"`+id+`","projectHash":"x","messages":[{"type":"user","content":"hi"}]}`, 1)
	}
	save(t, home, ".claude/projects/p/abc.jsonl", claude("abcdef", "/w", "x"), 0)
	if got := ids(list(t, linux(home), Query{})); got != "abc 3f2b9a10-0000-4000-8000-000000000001 4f2b9a10 6f2b9a10" {
		t.Errorf("the ids are %s", got)
	}
}
