package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"condense/cmd/report/inventory"
	"condense/transcript/format"
	"condense/transcript/token"
)

// now is the time of all tests.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// linux returns the system of a machine with this home folder.
func linux(home string) System {
	return System{OS: "linux", Env: func(name string) string { return map[string]string{"HOME": home}[name] }}
}

// save writes the session of a file that changed some hours before now.
func save(t *testing.T, home, path, content string, hours int) string {
	t.Helper()
	path = filepath.Join(home, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	at := now.Add(-time.Duration(hours) * time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

// claude returns a short session of Claude Code.
func claude(id, folder, text string) string {
	line := `{"type":"%s","cwd":"%s","sessionId":"%s","uuid":"%s","parentUuid":%s,"message":%s}` + "\n"
	return fmt.Sprintf(line, "user", folder, id, "u", "null", `{"role":"user","content":"`+text+`"}`) +
		fmt.Sprintf(line, "assistant", folder, id, "a", `"u"`, `{"role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":10,"cache_read_input_tokens":49900,"output_tokens":90}}`)
}

// list returns the sessions of a query.
func list(t *testing.T, s System, q Query) *inventory.Sessions {
	t.Helper()
	l, err := q.List(context.Background(), s, token.BuiltIn(), now)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ids returns the ids of sessions, in order.
func ids(l *inventory.Sessions) string {
	var out []string
	for _, s := range l.List {
		out = append(out, s.ID)
	}
	return strings.Join(out, " ")
}

// TestPlaces expands the roots of all places on each system.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		system     string
		env        map[string]string
		root, want string
	}{
		{"linux", map[string]string{"HOME": "/h"}, "{CODEX_HOME:~/.codex}/sessions", "/h/.codex/sessions"},
		{"linux", map[string]string{"HOME": "/h", "CODEX_HOME": "/c"}, "{CODEX_HOME:~/.codex}/sessions", "/c/sessions"},
		{"linux", map[string]string{"HOME": "/h"}, "{editors}/x", "/h/.config/Code/User/x"},
		{"linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "{editors}/x", "/x/Code/User/x"},
		{"linux", map[string]string{"HOME": "/h"}, "{editors}/x", "/h/.vscode-server/data/User/x"},
		{"darwin", map[string]string{"HOME": "/h"}, "{editors}/x", "/h/Library/Application Support/Cursor/User/x"},
		{"windows", map[string]string{"USERPROFILE": "/h", "APPDATA": "/a"}, "{editors}/x", "/a/VSCodium/User/x"},
		{"windows", map[string]string{"USERPROFILE": "/h", "APPDATA": "/a"}, "~/.pi", "/h/.pi"},
		{"linux", map[string]string{"HOME": "/h"}, "{MSWEA_GLOBAL_CONFIG_DIR:{config}/mini}", "/h/.config/mini"},
		{"linux", map[string]string{"HOME": "/h", "MSWEA_GLOBAL_CONFIG_DIR": "/m"}, "{MSWEA_GLOBAL_CONFIG_DIR:{config}/mini}", "/m"},
	} {
		s := System{OS: tt.system, Env: func(name string) string { return tt.env[name] }}
		if got := s.expand(tt.root); !slices.Contains(got, filepath.FromSlash(tt.want)) {
			t.Errorf("%s %s: %v, want %s", tt.system, tt.root, got, tt.want)
		}
	}
	for _, p := range places {
		if p.source == "" || p.id == nil || len(p.roots) == 0 {
			t.Errorf("%s has no source, id or root", p.tool)
		}
	}
	if files, skipped := (System{Env: func(string) string { return "" }}).find(); files != nil || skipped != nil {
		t.Errorf("without a home folder, %v and %v are found", files, skipped)
	}
}

// TestListReads checks each member of a session.
func TestListReads(t *testing.T) {
	home := t.TempDir()
	id := "3f2b9a10-0000-4000-8000-000000000001"
	path := save(t, home, ".claude/projects/-w/"+id+".jsonl", claude(id, "/w", "Fix\\nthe parser"), 2)
	save(t, home, ".claude/projects/-w/agent-1.jsonl", claude("agent", "/w", "x"), 1)
	l := list(t, linux(home), Query{})
	want := inventory.Session{
		ID: id, Short: "3f2b9a10", Tool: "claude-code", Path: path, Project: "/w", Modified: "2026-03-01T10:00:00Z", Age: 7200, Bytes: l.List[0].Bytes,
		Model: "claude-sonnet-4-5", Tokens: 50000, Window: 200000, Share: 0.25, First: "Fix the parser", About: true,
	}
	if len(l.List) != 1 || l.List[0] != want {
		t.Errorf("got  %+v\nwant %+v", l.List, want)
	}
	if counted := list(t, linux(home), Query{Count: true}).List[0]; !counted.Counted || counted.Tokens < 1 || counted.Tokens > 20 || !counted.About || counted.Share != float64(counted.Tokens)/float64(counted.Window) {
		t.Errorf("counted: %+v", counted)
	}
	save(t, home, ".claude/projects/-w/"+id+".jsonl", strings.ReplaceAll(claude(id, "/w", "x"), "claude-sonnet-4-5", "gpt-5"), 2)
	if exact := list(t, linux(home), Query{Count: true}).List[0]; exact.About {
		t.Errorf("an exact count is marked as an estimate: %+v", exact)
	}
}

// TestListCondensed counts a session that condense made smaller after its last message: the usage that it
// records is that of an earlier state. A file that has only a new time of change has the recorded usage.
func TestListCondensed(t *testing.T) {
	home := t.TempDir()
	src := strings.ReplaceAll(claude("s", "/w", "[4 lines omitted]"), `"type":"assistant"`, `"timestamp":"`+now.Add(-3*time.Hour).UTC().Format(time.RFC3339)+`","type":"assistant"`)
	path := save(t, home, ".claude/projects/-w/s.jsonl", src, 1)
	if s := list(t, linux(home), Query{}).List[0]; !s.Counted || !s.Smaller || s.Tokens == 0 || s.Tokens > 20 || s.Share > 0.001 {
		t.Errorf("changed two hours later: %+v", s)
	}
	run := now.Add(-4 * time.Hour)
	replaced := func(name string) (time.Time, bool) { return run, name == path }
	other := save(t, home, ".claude/projects/-w/t.jsonl", src, 2) // it is not known when condense replaced it
	if l := list(t, linux(home), Query{Replaced: replaced}).List; l[0].Counted || l[0].Tokens != 50000 || !l[1].Counted {
		t.Errorf("condensed before its last message: %+v, and another: %+v", l[0], l[1])
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	q := Query{Replaced: func(string) (time.Time, bool) { cancel(); return now, true }}
	if _, err := q.List(ctx, linux(home), token.BuiltIn(), now); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	save(t, home, ".claude/projects/-w/s.jsonl", strings.ReplaceAll(src, "omitted]", "left]"), 1)
	if s := list(t, linux(home), Query{}).List[0]; s.Counted || s.Smaller || s.Tokens != 50000 {
		t.Errorf("touched: %+v", s)
	}
	run = now.Add(-2 * time.Hour)
	if s := list(t, linux(home), Query{Replaced: replaced}).List[0]; !s.Counted || !s.Smaller {
		t.Errorf("condensed after its last message: %+v", s)
	}
	at := now.Add(-3*time.Hour + time.Second)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	if s := list(t, linux(home), Query{}).List[0]; s.Counted || s.Tokens != 50000 {
		t.Errorf("changed at once: %+v", s)
	}
	first, last, _ := strings.Cut(src, "\n")
	save(t, home, ".claude/projects/-w/s.jsonl", first+"\n"+strings.Repeat(" ", maxRecountBytes)+"\n"+last, 1)
	if s := list(t, linux(home), Query{}).List[0]; s.Counted || s.Tokens != 50000 {
		t.Errorf("large: %+v", s)
	}
}

// TestListDatabases names the databases in which tools keep sessions.
func TestListDatabases(t *testing.T) {
	home := t.TempDir()
	if l := list(t, linux(home), Query{}); l.Databases != nil {
		t.Errorf("without a database: %v", l.Databases)
	}
	save(t, home, ".local/share/opencode/opencode.db", "", 1)
	save(t, home, ".local/share/goose/sessions/sessions.db", "", 1)
	save(t, home, ".local/share/zed/threads/threads.db/folder", "", 1)
	want := []inventory.Database{
		{Tool: "opencode", Path: filepath.Join(home, ".local/share/opencode/opencode.db"), Export: "opencode export ID"},
		{Tool: "goose", Path: filepath.Join(home, ".local/share/goose/sessions/sessions.db")},
	}
	if l := list(t, linux(home), Query{}); !slices.Equal(l.Databases, want) || len(l.List) != 0 {
		t.Errorf("%v, want %v", l.Databases, want)
	}
	if l := list(t, linux(home), Query{Tools: []string{"pi"}}); l.Databases != nil {
		t.Errorf("for another tool: %v", l.Databases)
	}
}

// TestInDatabase recognises ids of sessions in databases.
func TestInDatabase(t *testing.T) {
	for id, want := range map[string]string{
		"ses_dfd84220cffexV2avuyopJPUQC": "opencode export ses_dfd84220cffexV2avuyopJPUQC",
		"ses_dfd8":                       "", "ses_dfd84220cffexV2avuyopJPUQC.json": "", "019c0aaa-1111": "",
	} {
		if got := InDatabase(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// TestListTools finds a session of each of six tools with its id and folder.
func TestListTools(t *testing.T) {
	home := t.TempDir()
	generate(t, home, 6)
	save(t, home, ".gemini/tmp/p2/.project_root", "/srv/p2\n", 0)
	for _, s := range list(t, linux(home), Query{}).List {
		at := slices.Index([]string{"claude-code", "codex", "gemini-cli", "pi", "cline", "copilot-cli"}, s.Tool)
		if s.Project != fmt.Sprintf("/srv/p%d", at) || !strings.HasPrefix(s.First, "Fix the parser") || s.Problem != "" {
			t.Errorf("%+v", s)
		}
		if len(s.ID) != uuidLen && s.Tool != "cline" {
			t.Errorf("%s: id %q", s.Tool, s.ID)
		}
		if s.Tokens == 0 && s.Tool != "copilot-cli" { // it records the output alone
			t.Errorf("%s: no tokens", s.Tool)
		}
	}
}

// TestListLong reads sessions whose first request and last usage are far from the ends.
func TestListLong(t *testing.T) {
	home := t.TempDir()
	long := strings.Repeat("x", 40<<10)
	text := `{"type":"system","uuid":"s","content":"` + long + `"}` + "\n" + claude("s", "/w", "first") +
		`{"type":"user","uuid":"r","parentUuid":"a","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + long + `"}]}}` + "\n" +
		`{"type":"user","uuid":"q","parentUuid":"r","message":{"role":"user","content":"` + long + `"}}` + "\n"
	save(t, home, ".claude/projects/-w/s.jsonl", text, 1)
	if s := list(t, linux(home), Query{}).List[0]; s.First != "first" || s.Tokens != 50000 {
		t.Errorf("%+v", s)
	}
}

// TestListFilters selects by tool, folder, age and size.
func TestListFilters(t *testing.T) {
	home := t.TempDir()
	for i, folder := range []string{"/w/a", "/w/a/b", "/w/ab"} {
		save(t, home, fmt.Sprintf(".claude/projects/p/c%d.jsonl", i), claude(fmt.Sprintf("c%d", i), folder, strings.Repeat("x", 1000*i)), i)
	}
	save(t, home, ".pi/agent/sessions/p/t_p1.jsonl", `{"type":"session","version":3,"id":"p1","timestamp":"","cwd":"/w/a"}`, 3)
	for _, tt := range []struct {
		q    Query
		want string
		more int
	}{
		{Query{}, "c0 c1 c2 p1", 0},
		{Query{Limit: 2}, "c0 c1", 2},
		{Query{Limit: 1}, "c0", 3},
		{Query{Tools: []string{"pi"}}, "p1", 0},
		{Query{Project: "/w/a"}, "c0 c1 p1", 0},
		{Query{Project: "/w/a/", Limit: 1}, "c0", 2},
		{Query{Project: "/"}, "c0 c1 c2 p1", 0},
		{Query{Within: 90 * time.Minute}, "c0 c1", 0},
		{Query{Within: time.Hour}, "c0 c1", 0},
		{Query{Before: 90 * time.Minute}, "c2 p1", 0},
		{Query{Before: time.Hour}, "c1 c2 p1", 0},
		{Query{Least: 1000}, "c1 c2", 0},
		{Query{Most: 1000}, "c0 p1", 0},
		{Query{Project: "/nowhere"}, "", 0},
		{Query{Project: "w/ab"}, "c2", 0}, // no folder here, so a part of the path
		{Query{Project: "a"}, "c0 c1 c2 p1", 0},
		{Query{Project: "."}, "", 0},
	} {
		l := list(t, linux(home), tt.q)
		if ids(l) != tt.want || l.More != tt.more {
			t.Errorf("%+v: %s and %d more, want %s and %d", tt.q, ids(l), l.More, tt.want, tt.more)
		}
	}
}

// TestTool finds a tool by its name or by a beginning that no other has.
func TestTool(t *testing.T) {
	for name, want := range map[string]string{"codex": "codex", "claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli", "c": "", "": "", "x": ""} {
		got, err := Tool(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if _, err := Tool("x"); err == nil || err.Error() != "expected one of "+strings.Join(Tools(), ", ") {
		t.Errorf("none begins so: %v", err)
	}
	if _, err := Tool("cl"); err == nil || err.Error() != "expected one of claude-code, cline" {
		t.Errorf("two begin so: %v", err)
	}
}

// TestListHostile lists what is no session, or none that can be read, with the reasons.
func TestListHostile(t *testing.T) {
	home, outside := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, ".claude/projects/p")
	secret := save(t, outside, "s.jsonl", claude("s", "/w", "secret"), 1)
	save(t, home, ".claude/projects/a file in the place of a folder", "", 1)
	save(t, home, ".claude/projects/p/torn.jsonl", `{"type":"user","mess`, 1)
	save(t, home, ".claude/projects/p/empty.jsonl", "", 2)
	save(t, home, ".claude/projects/p/binary.jsonl", "\x00\x01\x02\n\xff", 3)
	save(t, home, ".claude/projects/p/deep.jsonl", strings.Repeat("[", 100_000), 4)
	save(t, home, ".claude/projects/p/escape.jsonl", claude("e", "/w/\\u001b]0;x", "\\u001b[2Jred"), 5)
	for link, to := range map[string]string{"link.jsonl": secret, "../out": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	l := list(t, linux(home), Query{})
	if got := ids(l); got != "torn empty binary deep escape" {
		t.Errorf("listed %s", got)
	}
	for _, s := range l.List[:4] {
		if s.Problem == "" {
			t.Errorf("%s has no problem", s.ID)
		}
	}
	if len(l.Skipped) != 2 || !strings.Contains(l.Skipped[0].Why+l.Skipped[1].Why, "link") {
		t.Errorf("skipped %v", l.Skipped)
	}
	for most, counted := range map[int64]string{0: "escape", 99_999: "escape", 10: ""} { // deep is larger, and all are larger than 10 bytes but two
		got := ""
		for i, s := range list(t, linux(home), Query{Count: true, MaxBytes: most}).List {
			if s.Counted {
				got += s.ID
			} else if s.Problem == "" || most == 0 && s.Problem != l.List[i].Problem {
				t.Errorf("%s is not counted, and has the problem %q", s.ID, s.Problem)
			}
		}
		if got != counted {
			t.Errorf("up to %d bytes: %q are counted, want %q", most, got, counted)
		}
	}
	if os.Geteuid() == 0 {
		return // it may read all
	}
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if l := list(t, linux(home), Query{}); len(l.List) != 0 || len(l.Skipped) != 2 {
		t.Errorf("%d sessions of a folder that cannot be read, skipped %v", len(l.List), l.Skipped)
	}
}

// TestNamed finds sessions by ids and their beginnings.
func TestNamed(t *testing.T) {
	home := t.TempDir()
	for _, id := range []string{"abcd1", "abcd12", "abce99"} {
		save(t, home, ".claude/projects/p/"+id+".jsonl", claude(id, "/w", "x"), 1)
	}
	full := "77778888-1111-4000-8000-000000000000"
	save(t, home, ".gemini/tmp/p/chats/session-2026-01-01T00-00-77778888.json", `{"sessionId":"`+full+`","projectHash":"x","messages":[{"type":"user","content":"hi"}]}`, 1)
	for word, want := range map[string]string{
		"abcd1": "abcd1", "abcd12": "abcd12", "abce": "abce99", "abcf": "", "7777": "77778888", full[:12]: full, full: full, "77778888-2": "",
	} {
		f, err := linux(home).Named(word)
		if err != nil || (f == nil) != (want == "") || f != nil && f.ID != want {
			t.Errorf("%s: %+v, %v, want %s", word, f, err, want)
		}
	}
	_, err := linux(home).Named("abc")
	if err == nil || !strings.Contains(err.Error(), "3 sessions begin with \"abc\": abcd1 (claude-code, ") {
		t.Errorf("several: %v", err)
	}
	for word, want := range map[string]bool{"abc": false, "abcd": true, "a-_9": true, "-abcd": false, "a.json": false, "ab/cd": false, "äöüß": false} {
		if IsName(word) != want {
			t.Errorf("IsName(%q) is %v", word, !want)
		}
	}
}

// TestShortNames checks that short names are unique, and no longer than needed.
func TestShortNames(t *testing.T) {
	files := []File{{ID: "0123456789a"}, {ID: "0123456789b"}, {ID: "fedcba9876"}, {ID: "xy"}, {ID: "12345678"}, {ID: "1234567890"}}
	name := shortNames(files)
	for i, want := range []string{"0123456789a", "0123456789b", "fedcba98", "xy", "12345678", "123456789"} {
		if got := name(files[i].ID); got != want {
			t.Errorf("%s is named %s, want %s", files[i].ID, got, want)
		}
	}
}

// TestBeginning cuts texts between characters.
func TestBeginning(t *testing.T) {
	for _, text := range []string{strings.Repeat("ä", 5000), " a\n\tb ", "\xff", strings.Repeat("x", maxFirst), strings.Repeat(" ", 5000) + "x"} {
		got := beginning(text)
		if len(got) > maxFirst+len("…") || !strings.HasPrefix(strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\ufffd"), strings.TrimSuffix(got, "…")) {
			t.Errorf("%.20q begins with %q", text, got)
		}
	}
}

// TestBeginningBetweenCharacters checks that no character is cut in two, and what is left of the text.
func TestBeginningBetweenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", maxFirst-1) + "äb": strings.Repeat("x", maxFirst-1) + "…",
		strings.Repeat("x", maxFirst-2) + "äb": strings.Repeat("x", maxFirst-2) + "ä…",
		strings.Repeat("x", maxFirst) + "b":    strings.Repeat("x", maxFirst) + "…",
		strings.Repeat("x", maxFirst):          strings.Repeat("x", maxFirst),
	} {
		if got := beginning(text); got != want {
			t.Errorf("%d bytes: %q", len(text), got[len(got)-10:])
		}
	}
}

// TestNewest finds the newest session of a query, and leaves out files in which nobody has said anything.
func TestNewest(t *testing.T) {
	home := t.TempDir()
	save(t, home, ".claude/projects/p/older.jsonl", claude("older", "/w/a", "x"), 3)
	save(t, home, ".claude/projects/p/newer.jsonl", claude("newer", "/w/b", "x"), 2)
	save(t, home, ".pi/agent/sessions/p/t_begun.jsonl", `{"type":"session","version":3,"id":"begun","timestamp":"","cwd":"/w/a"}`, 1)
	for _, tt := range []struct {
		q    Query
		want string // "" for none
	}{
		{Query{}, "newer"}, {Query{Project: "/w/a"}, "older"}, {Query{Before: 150 * time.Minute}, "older"},
		{Query{Tools: []string{"pi"}}, ""}, {Query{Project: "/w/c"}, ""},
	} {
		f, err := tt.q.Newest(t.Context(), linux(home), now)
		if err != nil || (f == nil) != (tt.want == "") || f != nil && f.ID != tt.want {
			t.Errorf("%+v: %+v, %v, want %q", tt.q, f, err, tt.want)
		}
	}
}

// TestProjectLink checks that a folder and a link to it are the same project.
func TestProjectLink(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(home, "real"), filepath.Join(home, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	save(t, home, ".claude/projects/p/s.jsonl", claude("s", filepath.ToSlash(real), "x"), 1)
	for _, project := range []string{real, link} {
		if got := ids(list(t, linux(home), Query{Project: project})); got != "s" {
			t.Errorf("%s has the sessions %q", project, got)
		}
	}
}

// TestCountOfUnknownModel checks that the tokens of a session are counted even if its model is not known.
func TestCountOfUnknownModel(t *testing.T) {
	home := t.TempDir()
	save(t, home, ".claude/projects/p/s.jsonl", strings.ReplaceAll(claude("s", "/w", "Say hello."), "claude-sonnet-4-5", "nobodys-model-1"), 1)
	if s := list(t, linux(home), Query{Count: true}).List[0]; s.Problem != "" || !s.Counted || s.Tokens < 1 || s.Tokens > 100 {
		t.Errorf("%+v", s)
	}
}

// TestManyNamed checks that an error about many sessions names the first, and counts the others.
func TestManyNamed(t *testing.T) {
	e := &Ambiguous{Prefix: "abcd"}
	for i := range maxNamed + 2 {
		e.Files = append(e.Files, File{ID: fmt.Sprintf("abcd%d", i), Tool: "pi", Path: "/p"})
	}
	if got := e.Error(); !strings.HasPrefix(got, `7 sessions begin with "abcd": abcd0 (pi, /p), `) || !strings.HasSuffix(got, ", abcd4 (pi, /p) and 2 more") {
		t.Errorf("got %q", got)
	}
	e.Files = e.Files[:maxNamed]
	if got := e.Error(); strings.Contains(got, "more") {
		t.Errorf("all are named: %q", got)
	}
}

// TestPlacesAreKnown checks that the files of each place have a format that condense reads, and that the
// folders of all editors are looked into.
func TestPlacesAreKnown(t *testing.T) {
	for _, p := range places {
		if !slices.ContainsFunc(format.Dialects, func(d *format.Dialect) bool { return d.Name == p.dialect }) {
			t.Errorf("%s %s: no format %q", p.tool, p.files, p.dialect)
		}
	}
	home := t.TempDir()
	for i, folder := range []string{
		".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".config/Cursor", ".config/Windsurf",
		".vscode-server/data", ".vscode-server-insiders/data", ".cursor-server/data",
	} {
		task := fmt.Sprintf("%s/User/globalStorage/saoudrizwan.claude-dev/tasks/%d/api_conversation_history.json", folder, i)
		save(t, home, task, `[{"role":"user","content":[{"type":"text","text":"<task>hi</task>"}]}]`, i)
	}
	if got := ids(list(t, linux(home), Query{Tools: []string{"cline"}})); got != "0 1 2 3 4 5 6 7" {
		t.Errorf("found %q", got)
	}
}

// TestFirstLine reads the request in the first line of a session that is too long to be read as a whole.
func TestFirstLine(t *testing.T) {
	home := t.TempDir()
	first, rest, _ := strings.Cut(claude("s", "/w", "the request"), "\n")
	filler := `{"type":"user","uuid":"r","parentUuid":"u","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + strings.Repeat("x", 600<<10) + `"}]}}`
	save(t, home, ".claude/projects/-w/s.jsonl", first+"\n"+filler+"\n"+filler+"\n"+rest, 1)
	if s := list(t, linux(home), Query{}).List[0]; s.First != "the request" || s.Project != "/w" || s.Tokens != 50000 {
		t.Errorf("%+v", s)
	}
}
