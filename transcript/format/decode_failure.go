package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// The functions of this file decide by the words of a result whether the tool failed. A
// record beside the result (is_error, a status, an exit code) takes precedence; the dialect
// reads it. Words count where a file records nothing, or only that the call was made. Only
// the beginning and the end of a result count, because a tool may print any text between
// them.

// failureHeads are the texts with which results of failed tools begin, in letters of either
// case.
var failureHeads = []string{
	"error:",                            // command-line programs, OpenHands' editor, most tools of benchmarks
	"error[",                            // compilers: error[E0382]
	"[error]",                           // Cline and Roo Code
	"the tool execution failed",         // Cline and Roo Code
	"the user denied this operation",    // Cline and Roo Code, for a call that was not made
	"<tool_use_error>",                  // Claude Code
	"exit code ",                        // Claude Code's Bash, which writes it only after a failure
	"traceback (most recent call last)", // Python
	"your proposed edit has introduced new syntax error",  // SWE-agent, when its linter undoes an edit
	"[your proposed edit has introduced new syntax error", // OpenHands, with the same tool as SWE-agent
	"apply_patch verification failed",                     // Codex and OpenCode; those below: Codex
	"failed to parse function arguments",
	"execution error: ",
	"write_stdin failed: ",
}

// saysFailed reports whether a result states a failure: by its beginning, as a JSON
// object, or by an exit code.
func saysFailed(b *transcript.Block) bool {
	first := strings.TrimSpace(firstText(b))
	for _, head := range failureHeads {
		if len(first) >= len(head) && strings.EqualFold(first[:len(head)], head) {
			return head != "exit code " || !strings.HasPrefix(first[len(head):], "0")
		}
	}
	return saysExit(b)
}

// saysExit is saysFailed without the beginnings. It is for files that record whether a
// call was made, but not whether it succeeded: Copilot CLI and Gemini CLI.
func saysExit(b *transcript.Block) bool {
	first := firstText(b)
	return saysCode(first) || exitAtEnd(lastText(b)) || isErrorObject(first) || isFailureMarker(first)
}

// firstText returns the first text of a result that is not blank, without its head.
func firstText(b *transcript.Block) string {
	for _, p := range b.Parts {
		if text := p.Text[min(int(p.Head), len(p.Text)):]; strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// lastText returns the last text of a result.
func lastText(b *transcript.Block) string {
	if len(b.Parts) == 0 {
		return ""
	}
	return b.Parts[len(b.Parts)-1].Text
}

// saysCode reports whether a text begins with an exit code other than 0: "Exit code: 1"
// among the status lines of Codex, <returncode> of mini-swe-agent.
func saysCode(text string) bool {
	code, _ := exitStatus(text)
	return code != 0 || returnHead(text) > 0 && failedRun(text)
}

// exitAtEnd reports whether a text ends with an exit code other than 0:
//
//	<exited with exit code 1>                Copilot CLI
//	<shellId: 3 completed with exit code 1>  Copilot CLI
//	Exit Code: 1                             Gemini CLI, among lines such as "Signal: 0"; "(none)" when there is none
func exitAtEnd(text string) bool {
	text = strings.TrimRight(text, " \r\n")
	last := text[strings.LastIndexByte(text, '\n')+1:]
	if strings.HasPrefix(last, "<") {
		_, code, found := strings.Cut(strings.TrimSuffix(last, ">"), " with exit code ")
		return found && transcript.IsExitCode(code) && code != "0"
	}
	if !hasPrefixAny(text, "Command: ", "Output: ") {
		return false
	}
	const key = "\nExit Code: "
	at := strings.LastIndex(text, key)
	if at < 0 {
		return false
	}
	code, _, _ := strings.Cut(text[at+len(key):], "\n")
	return transcript.IsExitCode(code) && code != "0"
}

// maxErrorObject is the size in bytes up to which a JSON object can be the message of a
// failure. Larger objects are data.
const maxErrorObject = 4 << 10

// isErrorObject reports whether a text is a JSON object that states a failure:
//
//	{"status":"error", …}  {"status":"denied", …}    Roo Code, MCP servers
//	{"error":"…"}  {"success":false}  {"isError":true}    tools of applications
//	{"exit_code":1}  {"metadata":{"exit_code":1}}         shells, Codex
func isErrorObject(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > maxErrorObject || !strings.HasPrefix(text, "{") {
		return false
	}
	v := rawjson.ReadText(text)
	success := v.Get("success")
	switch {
	case v.Get("status").Is("error"), v.Get("status").Is("denied"),
		success.Kind() == rawjson.Bool && !success.Bool(),
		firstOf(v, "isError", "is_error").Bool():
		return true
	}
	for _, code := range []rawjson.Value{firstOf(v, "exit_code", "exitCode"), v.Get("metadata").Get("exit_code")} {
		if n, ok := code.Int(); ok && n != 0 {
			return true
		}
	}
	fault := v.Get("error")
	return fault.Str() != "" || fault.Bool() || fault.Kind() == rawjson.Object && fault.Len() > 0
}

// isFailureMarker reports whether a text begins with the marker for the output of a tool
// that failed: "[make: failed, 80 lines omitted]".
func isFailureMarker(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.Contains(line, ": failed, ") && transcript.IsMarker(line)
}

// readFailures sets Error of every result whose words state a failure, unless the file
// records beside it whether the tool failed.
func (c *builder) readFailures(fails func(*transcript.Block) bool) {
	for i, m := range c.msgs {
		for k, b := range m.Blocks {
			if b.Kind == transcript.ToolResult && !b.Error && !c.l.Flagged(i, k) {
				b.Error = fails(b)
			}
		}
	}
}

// returnHead returns the length of the return code at the beginning of an observation. A
// rewrite keeps it, because detection depends on it.
func returnHead(text string) int {
	const end = "</returncode>"
	if !strings.HasPrefix(text, "<returncode>") {
		return 0
	}
	if i := strings.Index(text[:min(len(text), 100)], end); i >= 0 {
		return i + len(end)
	}
	return 0
}

// failedRun reports whether an observation has a return code other than 0.
func failedRun(text string) bool {
	_, rest, found := strings.Cut(text[:min(len(text), 4096)], "<returncode>")
	code, _, closed := strings.Cut(rest, "</returncode>")
	return found && closed && strings.TrimSpace(code) != "0"
}

// exitStatus reads the status lines in front of the output of a command. When they state
// an exit code other than 0, it returns code 1 and the length of text up to the end of
// that line. Otherwise it returns 0, 0.
func exitStatus(text string) (code int, head int) {
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		switch code, ok := transcript.StatusLine(bare); {
		case !ok, code == "0":
			return 0, 0
		case code != "":
			return 1, at + len(bare)
		}
		at += len(line)
	}
	return 0, 0
}
