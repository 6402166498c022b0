package format

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// progressSession returns a Claude Code session of n turns, in which records of progress take
// most of the bytes. Each record has the one before it as its parent.
func progressSession(n int) []byte {
	var out strings.Builder
	id, parent := 0, "null"
	line := func(kind, rest string) {
		id++
		fmt.Fprintf(&out, `{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.5","type":%q,%s,"uuid":"u%d","timestamp":"2026-01-02T03:04:05.000Z"}`+"\n",
			parent, kind, rest, id)
		parent = fmt.Sprintf(`"u%d"`, id)
	}
	fmt.Fprintf(&out, `{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{}}}`+"\n")
	for i := range n {
		line("user", fmt.Sprintf(`"message":{"role":"user","content":"Please run check %d."}`, i))
		line("assistant", fmt.Sprintf(`"message":{"role":"assistant","id":"msg%d","model":"claude-sonnet-4-5","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"make check%d"}}]}`, i, i, i))
		for k := range 12 {
			line("progress", fmt.Sprintf(`"data":{"type":"bash_progress","output":%q},"toolUseID":"b%d","parentToolUseID":"t%d"`, strings.Repeat(fmt.Sprintf("step %d of check %d. ", k, i), 20), k, i))
		}
		line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok %d"}]}`, i, i))
		line("assistant", fmt.Sprintf(`"message":{"role":"assistant","id":"end%d","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Check %d passed."}]}`, i, i))
	}
	return []byte(out.String())
}

// TestIgnoredKinds checks that each kind of records that a client can do without has a name, a word that its records
// have, and the client and version that was tried.
func TestIgnoredKinds(t *testing.T) {
	tried := regexp.MustCompile(`^(Claude Code|Codex|[A-Z][A-Za-z ]+) \d+\.\d+\.\d+$`)
	for _, d := range Dialects {
		for _, k := range d.ignores {
			if k.name == "" || k.word == "" || !tried.MatchString(k.tried) {
				t.Errorf("%s: %q with the word %q was tried with %q", d.Name, k.name, k.word, k.tried)
			}
		}
	}
}

// TestTrimProgress checks that the records of progress go, that the messages and the chain of
// parents stay, and that snapshots go only on demand.
func TestTrimProgress(t *testing.T) {
	src := progressSession(30)
	f, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	b := f.Bloat()
	if share := float64(b.Removable().Bytes) / float64(len(src)); share < 0.8 || b.Snapshots.Count != 1 || b.Removable().Count != 30*12 {
		t.Fatalf("a share of %.2f, %+v", share, b)
	}
	for _, snapshots := range []bool{false, true} {
		out, removed, err := f.Trim(snapshots)
		if err != nil {
			t.Fatal(err)
		}
		want := b.Removable().Bytes
		if snapshots {
			want += b.Snapshots.Bytes
		}
		if removed[0].Name != "progress" || strings.Contains(string(out.Source()), `"type":"progress"`) || len(removed) != 1 && !snapshots {
			t.Errorf("snapshots %t: removed %+v", snapshots, removed)
		}
		if has := strings.Contains(string(out.Source()), "file-history-snapshot"); has == snapshots {
			t.Errorf("snapshots %t: the snapshot is there: %t", snapshots, has)
		}
		if saved := len(src) - out.Len(); saved < want-1000 {
			t.Errorf("snapshots %t: %d bytes were removed, want %d", snapshots, saved, want)
		}
		if found := out.NewErrors(out.Dialect.Target(), f); len(found) > 0 {
			t.Errorf("snapshots %t: %v", snapshots, found)
		}
		if again, more, err := out.Trim(snapshots); err != nil || more != nil || again != out {
			t.Errorf("snapshots %t: a second time removes %v, %v", snapshots, more, err)
		}
	}
}

// TestTrimCodex checks that events and repeated headers go, and that the first header and the last
// count stay.
func TestTrimCodex(t *testing.T) {
	const src = `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"a","cwd":"/p"}}
{"timestamp":"2026-01-02T03:04:05Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"What says \"token_count\"?"}]}}
{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":1}}}}
{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"a","cwd":"/p"}}
{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c","aggregated_output":"x"}}}
{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","id":"d"}}}
{"timestamp":"2026-01-02T03:04:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Nothing."}]}}
{"timestamp":"2026-01-02T03:04:05Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":2}}}}
`
	f, err := Decode([]byte(src), "")
	if err != nil {
		t.Fatal(err)
	}
	out, removed, err := f.Trim(false)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(src, "\n")
	want := lines[0] + lines[1] + lines[5] + lines[6] + lines[7]
	if string(out.Source()) != want || len(removed) != 3 {
		t.Errorf("removed %+v, left\n%s", removed, out.Source())
	}
}

// TestTrimFixtures checks that every fixture without the ignored records holds the same
// conversations and breaks no more rules.
func TestTrimFixtures(t *testing.T) {
	names, err := filepath.Glob("../../testdata/sessions/*/*")
	if err != nil || len(names) < 50 {
		t.Fatal(len(names), err)
	}
	trimmed := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		f, err := Decode(src, "")
		if err != nil {
			continue
		}
		out, removed, err := f.Trim(true)
		if err == errTrimmed {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(removed) > 0 {
			trimmed++
		}
		if found := out.NewErrors(out.Dialect.Target(), f); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
	if trimmed < 3 {
		t.Errorf("only %d fixtures have ignored records", trimmed)
	}
}
