package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/splice"
)

// fencedCommand is a command in a text of the model: between lines of ```, or in an
// element <command>. Offsets are bytes in the text.
type fencedCommand struct {
	from, to         int // the command
	wideFrom, wideTo int // with the fences
}

// lastCommand returns the command in a text of a model: the last one in fences, because
// earlier ones are examples for the reader. action is the command that the client
// recorded, or "". When it is recorded, no other command is returned.
func lastCommand(text, action string) (fencedCommand, bool) {
	found, ok := lastFence(text)
	if element, has := lastElement(text, "command"); has && (!ok || element.wideTo > found.wideTo) {
		found, ok = element, true
	}
	action, inside := strings.TrimSpace(action), strings.TrimSpace(text[found.from:found.to])
	switch {
	case ok && strings.Contains(action, splice.Gap[len("["):]): // a marker replaced a part of the record
	case ok && action != "" && inside != action && !transcript.IsMarker(inside):
		ok = false
	case ok && action == "" && !isShell(text[found.wideFrom:found.from]):
		return found, false
	}
	if !ok && action != "" {
		return finalAction(text, action)
	}
	return found, ok
}

// isShell reports whether the opening of a block names a shell, or no language.
func isShell(open string) bool {
	switch strings.Trim(open, "`\n") {
	case "", "bash", "sh", "shell", "zsh", "console", "mswea_bash_command", "<command>":
		return true
	}
	return false
}

// lastFence returns the last block ```word\n…```, which ends at the beginning of a line: a command may hold
// the sign elsewhere. It first searches from the end, because an earlier block that was shortened may not be
// closed.
func lastFence(text string) (found fencedCommand, ok bool) {
	if to := strings.LastIndex(text, "\n```") + 1; to > 0 {
		for i := strings.LastIndex(text[:to], "```"); i >= 0; i = strings.LastIndex(text[:i], "```") {
			from := fenceBody(text, i)
			if from > 0 && from <= to && strings.TrimSpace(text[from:to]) != "" {
				return fencedCommand{from, to, i, to + 3}, true
			}
			if from > 0 {
				break
			}
		}
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "```")
		if i < 0 {
			return found, ok
		}
		i += at
		from := fenceBody(text, i)
		if from < 0 {
			at = i + 1
			continue
		}
		n := strings.Index(text[from-1:], "\n```")
		if n < 0 {
			return found, ok
		}
		found, ok = fencedCommand{from, from + n, i, from + n + 3}, true
		at = found.wideTo
	}
}

// fenceBody returns where the body of the block that opens at i begins, or None.
func fenceBody(text string, i int) int {
	if i < 0 {
		return splice.None
	}
	from := i + 3
	for from < len(text) && isWordByte(text[from]) {
		from++
	}
	if from == len(text) || text[from] != '\n' {
		return splice.None
	}
	return from + 1
}

// lastElement returns the last element <tag>…</tag>.
func lastElement(text, tag string) (fencedCommand, bool) {
	open, end := "<"+tag+">", "</"+tag+">"
	to := strings.LastIndex(text, end)
	if to < 0 {
		return fencedCommand{}, false
	}
	i := strings.LastIndex(text[:to], open)
	if i < 0 {
		return fencedCommand{}, false
	}
	from := i + len(open)
	if from < to && text[from] == '\n' {
		from++
	}
	return fencedCommand{from, to, i, to + len(end)}, true
}

// finalAction returns the recorded command when the text ends with it. Some models write
// the command without fences.
func finalAction(text, action string) (fencedCommand, bool) {
	end := len(strings.TrimRight(text, " \t\r\n"))
	from := end - len(action)
	if !strings.HasSuffix(text[:end], action) || from > 0 && text[from-1] != '\n' {
		return fencedCommand{}, false
	}
	return fencedCommand{from, end, from, end}, true
}
