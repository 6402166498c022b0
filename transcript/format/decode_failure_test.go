package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// TestSaysFailed checks that the beginning and the end of an answer show whether the tool failed,
// and the content between them does not.
func TestSaysFailed(t *testing.T) {
	for _, c := range []struct {
		text   string
		failed bool
	}{
		{"Error: payment method not found", true},
		{"\nERROR:\nNo replacement was performed", true},
		{"error[E0382]: use of moved value", true},
		{"[ERROR] Missing value for required parameter 'path'", true},
		{"The tool execution failed with the following error:\n<error>\nx\n</error>", true},
		{"The user denied this operation.", true},
		{"<tool_use_error>File has not been read yet.</tool_use_error>", true},
		{"Exit code 127\nmake: not found", true},
		{"Exit code: 1\nWall time: 0 seconds\nOutput:\n", true},
		{"Chunk ID: ab\nWall time: 1 seconds\nProcess exited with code 130\nOutput:\n", true},
		{"Traceback (most recent call last):\n  File \"a.py\"", true},
		{"Your proposed edit has introduced new syntax error(s). Please read", true},
		{"[Your proposed edit has introduced new syntax error(s).]\nERRORS:", true},
		{"apply_patch verification failed: no hunks found", true},
		{"<returncode>2</returncode>\n<output>x</output>", true},
		{"a\nb\n<exited with exit code 1>", true},
		{"a\n<shellId: 3 completed with exit code 128>\n", true},
		{"Command: ls\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 2\nSignal: 0", true},
		{"{\"status\":\"error\",\"error\":\"429\"}", true},
		{`{"status":"denied","message":"The user denied this operation"}`, true},
		{`{"error":{"code":404}}`, true},
		{`{"success":false}`, true},
		{`{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}`, true},
		{"[make: failed, 80 lines omitted]\nmake: *** [all] Error 2", true},

		{"", false},
		{"errors are handled in err.go", false},
		{"1\tError: shown in a file", false},
		{"total 3\nError: of one of many", false},
		{"Exit code 0", false},
		{"Exit code: 0\nOutput:\nExit code: 1", false},
		{"Exit codes are listed below", false},
		{"<returncode>0</returncode>\n<output><returncode>1</returncode></output>", false},
		{"a\n<exited with exit code 0>", false},
		{"<exited with exit code 1>\nis what it says", false},
		{"<p>ends with exit code unknown>", false},
		{"Command: ls\nOutput: x\nExit Code: 0\nSignal: 0", false},
		{"Command: ls\nOutput: x\nExit Code: (none)\nSignal: 9", false},
		{"notes\nExit Code: 1\n", false},
		{`{"status":"ok","error":null,"errors":[]}`, false},
		{`{"status":"ok","error":""}`, false},
		{`{"success":true,"exit_code":0}`, false},
		{`{"rows":[{"error":"x"}]}`, false},
		{`{"error":"x","data":"` + strings.Repeat("y", maxErrorObject) + `"}`, false},
		{`{"error":"x"`, false},
		{"[make: ok, 80 lines omitted]", false},
		{"[make: failed, says the log", false},
	} {
		b := &transcript.Block{Kind: transcript.ToolResult, Parts: []transcript.Part{{Text: c.text}}}
		if got := saysFailed(b); got != c.failed {
			t.Errorf("%q: failed %t, want %t", c.text, got, c.failed)
		}
	}
	header := "[read_file for 'a'] Result:"
	b := &transcript.Block{Parts: []transcript.Part{{Text: header, Head: int32(len(header))}, {Text: "The tool execution failed with"}}}
	if !saysFailed(b) {
		t.Error("the words behind a header do not count")
	}
}

// TestFailures checks that the status in a file takes precedence over the words of the answer.
func TestFailures(t *testing.T) {
	anthropicResult := func(flag string) string {
		return `{"system":"s","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"` + flag + `,"content":"Error: x"}]}]}`
	}
	openHandsResult := func(about string) string {
		return `[{"id":1,"source":"agent","action":"run","args":{"command":"x","thought":""}},` +
			`{"id":2,"cause":1,"source":"agent","observation":"run","content":"Error: x"` + about + `}]`
	}
	openCodeResult := func(metadata string) string {
		return `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"msg_1","role":"assistant","sessionID":"ses_1"},"parts":[` +
			`{"type":"tool","callID":"c","tool":"bash","id":"prt_1","state":{"status":"completed","input":{},"output":"Error: x","metadata":{` + metadata + `}}}]}]}`
	}
	for _, c := range []struct {
		name, src string
		dialect   *Dialect
		failed    bool
	}{
		{"no flag, words", anthropicResult(""), &anthropic, true},
		{"a flag that says no", anthropicResult(`,"is_error":false`), &anthropic, false},
		{"a flag that says yes", anthropicResult(`,"is_error":true`), &anthropic, true},
		{"words of a chat completion", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c","content":"Error: x"}]`, &openai, true},
		{"Claude Code has a flag: words do not count", sessionLine("assistant", "u1", "", `[{"type":"tool_use","id":"c","name":"f","input":{}}]`) +
			sessionLine("user", "u2", "u1", `[{"type":"tool_result","tool_use_id":"c","content":"Error: x"}]`), &claudeCode, false},
		{"OpenHands, exit code 0", openHandsResult(`,"extras":{"exit_code":0}`), &openHands, false},
		{"OpenHands, exit code 2", openHandsResult(`,"extras":{"metadata":{"exit_code":2}}`), &openHands, true},
		{"OpenHands, no exit code", openHandsResult(`,"success":true`), &openHands, true},
		{"OpenCode, exit code 0", openCodeResult(`"exit":0`), &openCode, false},
		{"OpenCode, exit code 1", openCodeResult(`"exit":1`), &openCode, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, c.src)
			if f.Dialect != c.dialect {
				t.Fatalf("taken for %s", f.Dialect.Name)
			}
			var got []string
			for _, b := range f.Convs[0].Blocks() {
				if b.Kind == transcript.ToolResult {
					got = append(got, fmt.Sprint(b.Error))
				}
			}
			if strings.Join(got, " ") != fmt.Sprint(c.failed) {
				t.Errorf("failed: %v, want %t", got, c.failed)
			}
		})
	}
}

// TestFailureRewritten checks that an edit may remove the words that report a failure.
func TestFailureRewritten(t *testing.T) {
	f := decoded(t, `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},`+
		`{"role":"tool","tool_call_id":"c","content":"Error: x"}]`)
	rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[x]")
}

// TestErrorObject checks which objects state a failure.
func TestErrorObject(t *testing.T) {
	for text, want := range map[string]bool{
		`{"error":{"code":3}}`: true,
		`{"error":{}}`:         false,
		`{"error":""}`:         false,
		`{"error":"no file"}`:  true,
		`{"success":false}`:    true,
		`{"success":true}`:     false,
		`{"exitCode":0}`:       false,
		`{"exitCode":2}`:       true,
	} {
		if got := isErrorObject(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestReturnHead checks that a return code counts within the first 100 bytes.
func TestReturnHead(t *testing.T) {
	const empty = len("<returncode></returncode>")
	for digits, want := range map[int]int{1: empty + 1, 100 - empty: 100, 101 - empty: 0} {
		if got := returnHead("<returncode>" + strings.Repeat("1", digits) + "</returncode>\noutput"); got != want {
			t.Errorf("%d digits: %d bytes, want %d", digits, got, want)
		}
	}
}
