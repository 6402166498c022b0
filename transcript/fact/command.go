package fact

import (
	"slices"
	"strings"

	"condense/transcript"
)

// shells are the tools that take a command line, in lower case.
var shells = []string{
	"bash", "shell", "exec", "exec_command", "execute_command", "execute_bash", "local_shell", "run",
	"run_terminal_cmd", "run_command", "run_shell_command", "shell_command", "terminal", "cmd", "powershell",
}

// isCommandLine reports whether a part of a call is a command line: an argument of such
// a name, or an element of a list of that name, of a shell.
func isCommandLine(b *transcript.Block, p *transcript.Part) bool {
	if b.Kind != transcript.ToolCall || !slices.Contains(shells, strings.ToLower(b.Tool)) {
		return false
	}
	name, _, _ := strings.Cut(p.Name, "[")
	return name == "" || name == "command" || name == "cmd" || name == "input"
}

// Commands calls yield for every command in a part of a block, in order: where
// it starts, and its first two words. Only calls of shells have commands; a
// command of one word says too little to be one.
func Commands(b *transcript.Block, p *transcript.Part, yield func(at int, first, second string)) {
	if !isCommandLine(b, p) {
		return
	}
	for from := 0; from < len(p.Text); {
		n := strings.IndexAny(p.Text[from:], "&|;\n")
		if n < 0 {
			n = len(p.Text) - from
		}
		segment(p.Text[from:from+n], from, yield)
		from += n + 1
	}
}

// segment yields the command of one segment, past assignments (A=1 make all).
func segment(s string, at int, yield func(int, string, string)) {
	var first string
	start := 0
	for i := 0; i < len(s); {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r') {
			i++
		}
		word := i
		for i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '\r' {
			i++
		}
		switch w := s[word:i]; {
		case first == "" && strings.ContainsRune(w, '='):
			continue
		case w == "" || len(w) > longestWord || strings.ContainsAny(w, "\"'`$(){}<>\\"):
			return
		case first == "":
			first, start = w, word
		default:
			yield(at+start, first, w)
			return
		}
	}
}

// longestWord is the longest word of a command, in bytes; longer ones are data.
const longestWord = 60
