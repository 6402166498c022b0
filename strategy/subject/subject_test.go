package subject

import (
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

var (
	conv   = transcripttest.Conversation
	user   = transcripttest.User
	model  = transcripttest.Model
	tool   = transcripttest.Tool
	call   = transcripttest.Call
	prose  = transcripttest.Prose
	result = transcripttest.Result
)

func TestFirstLine(t *testing.T) {
	const (
		family = "👨‍👩‍👧‍👦" // one cluster, 25 bytes
		accent = "e\u0301" // one cluster, 3 bytes
		flag   = "🇩🇪"
	)
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"blank", " \n\t\n ", ""},
		{"one line", "src/a.go", "src/a.go"},
		{"the first of several", "go test\necho done", "go test"},
		{"the first that is not blank", "\n  \n  go test  \necho", "go test"},
		{"CRLF", "go test\r\necho", "go test"},
		{"CR", "go test\recho", "go test"},
		{"vertical tab", "go\vtest", "go"},
		{"form feed", "go\ftest", "go"},
		{"next line", "go\u0085test", "go"},
		{"line separator", "go\u2028test", "go"},
		{"paragraph separator", "go\u2029test", "go"},
		{"80 letters", strings.Repeat("a", 80), strings.Repeat("a", 80)},
		{"81 letters", strings.Repeat("a", 81), strings.Repeat("a", 80) + "…"},
		{"80 of CJK", strings.Repeat("界", 80), strings.Repeat("界", 80)},
		{"81 of CJK", strings.Repeat("界", 81), strings.Repeat("界", 80) + "…"},
		{"combining marks", strings.Repeat(accent, 81), strings.Repeat(accent, 80) + "…"},
		{"joined emoji", strings.Repeat(family, 10), strings.Repeat(family, 9) + "…"},
		{"flags", strings.Repeat(flag, 31), strings.Repeat(flag, 30) + "…"},
		{"one cluster without end", "a" + strings.Repeat("\u0301", 1000), "…"},
		{"such a cluster in the middle", "see a" + strings.Repeat("\u0301", 1000), "see …"},
		{"not UTF-8", "a\xff\xfe.go", "a\ufffd.go"},
	}
	for _, tt := range tests {
		if got := FirstLine(tt.text); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCut holds that a path that is cut keeps its base name.
func TestCut(t *testing.T) {
	tests := []struct {
		room       int
		text, want string
	}{
		{20, "src/a.go", "src/a.go"},
		{20, "Read src/internal/parser/reader.go", "Read …/reader.go"},
		{24, "Read src/internal/parser/reader.go", "Read …/parser/reader.go"},
		{20, "/home/user/project/src/reader.go", "…/src/reader.go"},
		{20, `C:\Users\me\project\reader.go`, `…\project\reader.go`},
		{20, "cd /home/user/project && go test ./...", "cd …/user/project …"},
		{20, "go test ./... && cd /home/user/project", "go test ./... && cd …"},
		{20, "src/a_file_with_a_very_long_name_1.go", "…_very_long_name_1.go"},
		{20, "grep -rn 'of no interest' src/a.go", "grep -rn 'of no inte…"},
		{20, "see https://example.org/a/b/c/d", "see https://example.…"},
		{12, "tool result Read src/reader.go", "…/reader.go"},
		{10, "tool result Read src/reader.go", "…/reader.go"},
		{7, "tool result Read src/reader.go", "…ader.go"},
		{7, "cat src/internal/reader.go | wc -l", "cat …"},
		{3, "Read src/a.go", "….go"},
		{10, "verify everything at", "verify eve…"},
		{0, "Read", "…"},
		{2, "     ", "  …"},
	}
	for _, tt := range tests {
		got := Cut(tt.text, func(s string) string { return s[:min(len(s), tt.room)] })
		if got != tt.want {
			t.Errorf("%q in %d: got %q, want %q", tt.text, tt.room, got, tt.want)
		}
	}
}

func TestOf(t *testing.T) {
	tests := []struct {
		name string
		call *transcript.Block
		want string
	}{
		{"no call", nil, ""},
		{"no arguments", call("1", "T"), ""},
		{"no informative argument", call("1", "T", "limit:=3", "body=text"), ""},
		{"path", call("1", "Read", "limit:=3", "file_path=a.go"), "a.go"},
		{"the path before the command", call("1", "T", "command=ls", "path=a.go"), "a.go"},
		{"an empty path", call("1", "T", "path=", "command=ls"), "ls"},
		{"a blank path", call("1", "T", "path= \n", "command=ls"), "ls"},
		{"command of several lines", call("1", "Bash", "command=\ncd /src\nmake"), "cd /src"},
		{"a path further down", call("1", "read_many", "files[0].path=a.go", "files[1].path=b.go"), "a.go"},
		{"prose path", prose("1", "read_file", "<read_file>\n<path> a.go </path></read_file>"), "a.go"},
		{"prose command", prose("1", "execute_command", "<execute_command><command>make\ntest</command></execute_command>"), "make"},
		{"prose with names that end alike", prose("1", "bash", "<function=bash>\n<parameter=subcommand>x</parameter>\n<parameter=command>make</parameter>\n</function>"), "make"},
		{"prose without informative argument", prose("1", "attempt_completion", "<attempt_completion><result>done</result></attempt_completion>"), ""},
		{"prose without an end", prose("1", "read_file", "<read_file><path>a.go"), ""},
	}
	for _, tt := range tests {
		if got := of(tt.call); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestName(t *testing.T) {
	named := result("1", "x")
	named.Tool = "grep"
	tests := []struct {
		name         string
		call, result *transcript.Block
		want         string
	}{
		{"tool and subject", call("1", "Read", "path=a.go"), result("1", "x"), "Read a.go"},
		{"tool", call("1", "Read"), result("1", "x"), "Read"},
		{"the call's tool first", call("1", "Read"), named, "Read"},
		{"the result's tool", nil, named, "grep"},
		{"a call without a tool", call("1", "", "path=a.go"), named, "grep a.go"},
		{"neither", nil, result("1", "x"), "tool result"},
		{"a tool of several lines", call("1", "Re\nad"), result("1", "x"), "Re"},
		{"a long tool", call("1", strings.Repeat("t", 65), "path=a.go"), result("1", "x"), strings.Repeat("t", 64) + "… a.go"},
	}
	for _, tt := range tests {
		if got := Name(tt.call, tt.result); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWithin checks that a beginning of a text ends with a whole grapheme cluster.
func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		text  string
		bytes int
		want  string
	}{
		{"valve", 9, "valve"},
		{"valve", 5, "valve"},
		{"valve", 4, "valv"},
		{"valve", 0, ""},
		{"", 9, ""},
		{"ve\u0301", 4, "ve\u0301"},
		{"ve\u0301", 3, "v"},
		{"a界", 3, "a"},
	} {
		if got := Within(tt.text, tt.bytes); got != tt.want {
			t.Errorf("%q within %d bytes: %q, want %q", tt.text, tt.bytes, got, tt.want)
		}
	}
}

// TestLabel checks the labels of blocks. A result without a call has no label of another call.
func TestLabel(t *testing.T) {
	c := conv(user("q"), model("x", call("1", "Read", "path=a.go")), tool("1", "r"), user(result("2", "orphan")))
	at := func(msg, block int) transcript.Ref {
		return transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}
	}
	for ref, want := range map[transcript.Ref]string{at(0, 0): "", at(1, 0): "", at(1, 1): "Read a.go", at(2, 0): "Read a.go", at(3, 0): "tool result"} {
		if got := Label(c, ref); got != want {
			t.Errorf("%s: got %q, want %q", ref, got, want)
		}
	}
	c = conv(model(call("1", "Read", "path=a.go")), tool("1", "r"), user(result("2", "orphan")))
	if got := Label(c, at(2, 0)); got != "tool result" {
		t.Errorf("an orphan in a conversation that begins with a call: got %q", got)
	}
}

func TestOnlyMarker(t *testing.T) {
	for text, want := range map[string]bool{
		"[Read a.go: 214 lines omitted]":                   true,
		"\n[repeated later: 11 lines omitted]\n":           true,
		"[Bash make: failed, 80 lines omitted]\n*** Error": false,
		"":                              false,
		"some [x omitted]":              false,
		"[1 line omitted]\n[x omitted]": false,
	} {
		if got := OnlyMarker(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
