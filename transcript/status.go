package transcript

import "strings"

// statusLines begin the lines that Codex writes in front of the output of a command. The
// line "Output:" ends them.
var statusLines = []string{
	"Chunk ID: ", "Wall time: ", "Process running with session ID ", "Original token count: ", "Total output lines: ",
}

// StatusLine reports whether a line is one that Codex writes in front of the output of a
// command. The code is that of a line with an exit code, such as "1", and otherwise "".
func StatusLine(line string) (code string, ok bool) {
	for _, key := range []string{"Process exited with code ", "Exit code: "} {
		if code, ok := strings.CutPrefix(line, key); ok && IsExitCode(code) {
			return code, true
		}
	}
	for _, start := range statusLines {
		if strings.HasPrefix(line, start) {
			return "", true
		}
	}
	return "", false
}

// IsExitCode reports whether s can be an exit code.
func IsExitCode(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && len(digits) < 12 && strings.Trim(digits, "0123456789") == ""
}

// outputLine ends the lines in front of an output.
const outputLine = "Output:"

// StatusHead returns the length of the lines in front of an output: from a status line or
// the command, which may have several lines, up to "Output:". It returns 0 without them.
func StatusHead(text string) int {
	first, _, _ := strings.Cut(text, "\n")
	if _, ok := StatusLine(first); !ok && !strings.HasPrefix(first, "Command:") {
		return 0
	}
	at := 0
	for line := range strings.Lines(text[:min(len(text), longestStatus)]) {
		at += len(line)
		if line == outputLine+"\n" || line == outputLine && at == len(text) {
			return at
		}
	}
	return 0
}

// longestStatus is more than the length in bytes of the lines in front of an output.
const longestStatus = 640
