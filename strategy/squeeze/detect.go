package squeeze

import (
	"strings"
	"unicode/utf8"

	"condense/transcript/fact"
)

// This file detects the kind of a text. The call creates an expectation, and the lines of the text
// confirm or replace it. A clear form wins over the expectation, because a tool may fail and a file may
// hold anything.

// expected returns the kind that a call suggests, or Plain when the hint suggests none.
func expected(h Hint) Kind {
	if h.Arg != "" {
		return argumentKind(h)
	}
	if h.Path != "" {
		if k := fileKind(h.Path); k != Plain && toolKind(h.Tool) != Listing && toolKind(h.Tool) != Search {
			return k
		}
	}
	if k := toolKind(h.Tool); k != Plain && (k != Diff || h.Path == "") { // an edit of a named file may show that file
		return k
	}
	if h.Command != "" {
		return commandKind(h.Command)
	}
	return Plain
}

// argumentKind returns the kind of an argument of a call.
func argumentKind(h Hint) Kind {
	name := h.Arg[strings.LastIndexByte(h.Arg, '.')+1:]
	switch strings.ToLower(name) {
	case "command", "cmd", "keystrokes", "script", "code", "old_string", "new_string", "oldstring", "newstring", "old_str", "new_str", "oldtext", "newtext":
		if k := fileKind(h.Path); k != Plain {
			return k
		}
		return Code
	case "content", "file_text", "contents", "file_content", "text":
		if h.Path != "" {
			return fileKind(h.Path)
		}
	case "patch", "diff":
		return Diff
	case "prompt", "description", "message", "plan", "thought", "body", "question", "result", "summary":
		return Prose
	}
	return Plain
}

// toolKind returns the kind of the output of a tool, by its name.
func toolKind(tool string) Kind {
	switch fact.ToolOf(tool) {
	case fact.SearchTool:
		return Search
	case fact.ListTool:
		return Listing
	case fact.EditTool:
		return Diff
	case fact.TaskTool, fact.TalkTool:
		return Prose
	}
	return Plain
}

// maxError is the largest length in bytes of the message of a tool that failed.
const maxError = 4000

// recognise returns the kind of a text that is not of the kinds of cutTree.
func recognise(source string, expect Kind, h Hint) Kind {
	if binary(source) {
		return Binary
	}
	v := survey(source)
	if k := v.strong(); k != Plain && k != expect && !(expect == Code && k != Diff && k != Search && k != Trace && k != Compiler || expect == Prose && k != Diff && k != Trace || expect == Diff && k == History) {
		return k
	}
	if h.Failed && v.lines <= 12 && len(source) <= maxError && (expect != Test && expect != Compiler && h.Command == "" || v.lines <= 4) {
		return ToolError
	}
	switch expect {
	case Diff, History:
		if v.diff+v.commits > 0 {
			return expect
		}
	case Search:
		if v.search*5 >= v.lines*2 || v.paths > 0 && v.search > 0 {
			return Search
		}
		if v.paths*2 >= v.lines {
			return Listing
		}
	case Listing, Test, Compiler, Log, Prose, Code:
		return expect
	case JSON, NDJSON, HTML:
		if h.Path != "" || h.Arg != "" {
			return Code // a part of a file, or text that the format does not allow
		}
	case Table:
		return Log
	}
	k := v.weak()
	if h == (Hint{}) && (k == Plain || k == Test || k == History || k != Listing && (v.fences > 0 || v.markup*8 > v.lines)) {
		return Prose // lists of finished work look like tests that passed
	}
	if k != Plain {
		return k
	}
	if h.Arg == "" && (h.Command != "" || shell(h.Tool)) {
		return Log
	}
	if short := strings.TrimSpace(source); len(short) <= scanned && wordCue(short) == message && h.Tool != "" {
		return ToolError
	}
	return Plain
}

// shell reports whether a tool returns the output of commands or programs.
func shell(tool string) bool {
	kind := fact.ToolOf(tool)
	return kind == fact.ShellTool || kind == fact.ProcessTool
}

// binary reports whether a text is bytes, or the base64 or hexadecimal of bytes.
func binary(source string) bool {
	head := source[:min(len(source), 4*blob)]
	if len(head) < blobHead {
		return false
	}
	bad, coded := 0, 0
	for i := 0; i < len(head); {
		if c := head[i]; c < utf8.RuneSelf && !encoding[c] {
			if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' {
				bad++
			}
			i++
			continue
		}
		if n := unbroken(head[i:]); n > 0 {
			if encoded(head[i : i+n]) {
				coded += n
			}
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(head[i:])
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\x1b' || r == utf8.RuneError && i+utf8.UTFMax < len(head) {
			bad++
		}
		i += n
	}
	return bad*10 > len(head) || coded*10 >= len(head)*8
}

// encoded reports whether a run of letters, digits and a few signs is base64 or
// hexadecimal rather than a path. Base64 comes in lines of 64 or 76 bytes; a sixth of
// it is digits, and it has few slashes and no hyphens.
func encoded(run string) bool {
	if len(run) < 60 {
		return false
	}
	digits, slashes := 0, 0
	for _, c := range []byte(run) {
		switch {
		case digit(c):
			digits++
		case c == '/' || c == '-' || c == '_':
			slashes++
		}
	}
	return digits*16 >= len(run) && slashes*16 <= len(run)
}
