package format

import (
	"regexp"
	"strings"

	"condense/transcript"
)

// A segment is a part of a text that becomes a separate block. Offsets are bytes in the
// decoded text. White space between segments belongs to none of them.
type segment struct {
	from, to int
	kind     transcript.Kind
	origin   transcript.Origin
	tool     string
}

// userSegments cuts the text of a user message into typed and injected texts.
func userSegments(text string, meta bool) []segment {
	if origin, sure := userOrigin(text, meta); sure {
		return []segment{{0, len(text), transcript.Text, origin, ""}}
	}
	return cutTags(text, transcript.Typed, injectedTags, func(string) segment {
		return segment{kind: transcript.Text, origin: transcript.Injected}
	})
}

// proseTools are the tools that Cline and Roo Code call by XML elements in the text of the
// assistant.
var proseTools = []string{
	"read_file", "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace",
	"search_files", "list_files", "list_code_definition_names", "execute_command", "browser_action",
	"use_mcp_tool", "access_mcp_resource", "ask_followup_question", "attempt_completion", "new_task",
	"switch_mode", "update_todo_list", "plan_mode_respond", "fetch_instructions", "codebase_search",
}

// assistantSegments cuts the text of an assistant message into prose and calls that are
// written as XML elements.
func assistantSegments(text string) []segment {
	if from, to, tool := functionCall(text); tool != "" {
		call := segment{from, to, transcript.ToolCall, transcript.ByModel, tool}
		if strings.TrimSpace(text[:from]) == "" {
			return []segment{call}
		}
		return []segment{{0, from, transcript.Text, transcript.ByModel, ""}, call}
	}
	return cutTags(text, transcript.ByModel, proseTools, func(tag string) segment {
		return segment{kind: transcript.ToolCall, origin: transcript.ByModel, tool: tag}
	})
}

// Training sets have calls that the assistant writes as the end of its text, and their answers as the next user message.
// OpenHands writes both (openhands/llm/fn_call_converter.py), and SWE-agent with another heading of the answer:
//
//	<function=bash>
//	<parameter=command>ls</parameter>
//	</function>
//
//	EXECUTION RESULT of [bash]:
//	README.md
const (
	functionBegins = "<function="
	functionEnds   = "</function>"
)

// functionCall returns the place of the call at the end of a text, without white space behind it, and the name of its
// tool; "" if the text ends with none.
func functionCall(text string) (from, to int, tool string) {
	to = len(strings.TrimRight(text, " \t\r\n"))
	if !strings.HasSuffix(text[:to], functionEnds) { // most texts
		return 0, 0, ""
	}
	if from = strings.LastIndex(text[:to], functionBegins); from < 0 {
		return 0, 0, ""
	}
	tool, _, _ = strings.Cut(text[from+len(functionBegins):to], ">")
	if tool == "" || strings.IndexFunc(tool, func(r rune) bool { return r > '~' || !isWordByte(byte(r)) }) >= 0 {
		return 0, 0, ""
	}
	return from, to, tool
}

// functionAnswer matches the beginning of an answer.
var functionAnswer = regexp.MustCompile(`\A(?:EXECUTION RESULT of \[[^\]\n]*\]:|OBSERVATION:|Observation:)\s?|\AYour (?:last )?command ran successfully and did not produce any output`)

// answerFunction makes the text of a user message the answer to the call in front of it, if it begins like one.
func answerFunction(open []*transcript.Block, m *transcript.Message) {
	if len(open) != 1 || len(open[0].Parts) != 1 || !strings.HasPrefix(open[0].Parts[0].Text, functionBegins) || len(m.Blocks) != 1 {
		return
	}
	b := m.Blocks[0]
	if b.Kind != transcript.Text || b.Origin != transcript.Typed || len(b.Parts) != 1 {
		return
	}
	head := functionAnswer.FindString(b.Parts[0].Text)
	if head == "" {
		return
	}
	b.Kind, b.Origin, b.Call, b.Tool = transcript.ToolResult, transcript.ByTool, proseID, open[0].Tool
	b.Parts[0].Head = int32(len(head))
}

// cutTags cuts text into segments: found returns the segment of an element <tag>…</tag>,
// and the text between elements becomes segments of the given origin.
func cutTags(text string, origin transcript.Origin, tags []string, found func(tag string) segment) []segment {
	whole := []segment{{0, len(text), transcript.Text, origin, ""}}
	if !strings.Contains(text, "</") {
		return whole
	}
	var out []segment
	plain := func(from, to int) {
		if strings.TrimSpace(text[from:to]) != "" {
			out = append(out, segment{from, to, transcript.Text, origin, ""})
		}
	}
	e := tagElements{text: text, tags: tags, from: make([]int, len(tags)), to: make([]int, len(tags))}
	at := 0
	for {
		tag, from, to := e.next(at)
		if tag == "" {
			break
		}
		plain(at, from)
		s := found(tag)
		s.from, s.to = from, to
		out = append(out, s)
		at = to
	}
	if at == 0 { // nothing found: the whole text, even if it is white space
		return whole
	}
	plain(at, len(text))
	return out
}

// tagElements finds the elements of several tags in one pass over a text. It remembers
// the next element of each tag until the pass has gone past it.
type tagElements struct {
	text     string
	tags     []string
	from, to []int // the next element of each tag; to is 0 before the first search, -1 when there is none
}

// next returns the leftmost element that begins at or after an offset; the tag is "" when
// there is none.
func (e *tagElements) next(at int) (tag string, from, to int) {
	for i, t := range e.tags {
		if e.to[i] >= 0 && (e.to[i] == 0 || e.from[i] < at) {
			e.find(i, at)
		}
		if e.to[i] > 0 && (tag == "" || e.from[i] < from) {
			tag, from, to = t, e.from[i], e.to[i]
		}
	}
	return tag, from, to
}

// find remembers the next element of tag i at or after an offset.
func (e *tagElements) find(i, at int) {
	open, end := "<"+e.tags[i]+">", "</"+e.tags[i]+">"
	e.to[i] = -1
	from := strings.Index(e.text[at:], open)
	if from < 0 {
		return
	}
	if n := strings.Index(e.text[at+from:], end); n >= 0 {
		e.from[i], e.to[i] = at+from, at+from+n+len(end)
	}
}

// proseResult matches the header of a tool's result in the text of a user message:
// [read_file for 'src/a.go'] Result:
var proseResult = regexp.MustCompile(`^\s*\[(\w+)(?: for '[^\n]*?')?(?: in [^\n]*?)?\] Result:`)

// refusedCall matches the answer to a call that Cline did not run because it had already
// run another call of the same message.
var refusedCall = regexp.MustCompile(`^\s*Tool \[(\w+)\] was not executed`)

// The patterns below recognise text that Claude Code, Codex, Cline, Roo Code and Cursor write
// into user messages beside the typed text. Text that matches none of them counts as typed.

// injectedHead matches a text that begins with words of a client.
var injectedHead = regexp.MustCompile(`^\s*(?:<(?:system-reminder|system_reminder|environment_context|environment_details|` +
	`command-|local-command|user_instructions|user-instructions|permissions|collaboration_mode|INSTRUCTIONS|` +
	`turn_aborted|task-notification|bash-|ide_|session_context|user-prompt-submit-hook|skill|hook|` +
	`subagent_notification|teammate-message|user_shell_command|workspace_info|context>|apps_instructions|` +
	`plugins_instructions|recommended_plugins)|Caveat: The messages below|# AGENTS\.md|\[Request interrupted|` +
	`Stop hook feedback|Base directory for this skill|Operation stopped by hook|\[TASK RESUMPTION\]|` +
	`Warning: apply_patch was requested|# task_progress RECOMMENDED|<image name=|</image>)`)

// isInjected reports whether a text begins with words of a client. Most texts begin with another
// letter than all of these.
func isInjected(text string) bool {
	return beginsWithAny(text, "<C#[SBOW") && injectedHead.MatchString(text)
}

// isSummary reports whether a text is a client's summary of the earlier conversation.
func isSummary(text string) bool { return beginsWithAny(text, "TA<#") && summaryHead.MatchString(text) }

// beginsWithAny reports whether a text begins with one of the letters, after white space.
func beginsWithAny(text, letters string) bool {
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\f', '\r': // what \s matches
		default:
			return strings.IndexByte(letters, c) >= 0
		}
	}
	return false
}

// resumedWith opens the typed text in a text with which Cline resumes a task. The rest of
// that text is injected.
const resumedWith = "<user_message>"

// summaryHead matches a text that is a client's summary of the earlier conversation.
var summaryHead = regexp.MustCompile(`^\s*(?:This session is being continued from a previous conversation|` +
	`Another language model started to solve this problem and produced a summary|` +
	`<state_snapshot>|## Conversation Summary\b)`)

// injectedTags are the elements that clients insert into typed text.
var injectedTags = []string{
	"system-reminder", "environment_details", "ide_opened_file", "ide_selection", "ide_diagnostics",
}

// userSaid are the phrases after which a tool's result quotes the user: answers to
// questions, reasons for a refusal. Results are long and the phrases are rare, so the part
// that several phrases have in common is searched for first.
var userSaid = []struct {
	common  string
	phrases [][2]string // the text before the common part, and the text after it
}{
	{"ser ", [][2]string{
		{"the u", "said:"}, {"U", "has answered your questions"}, {"The u", "provided the following feedback"}, {"u", "feedback:"},
	}},
	{"Your questions have been ", [][2]string{{"", "answered: \""}}}, // Claude Code 2.1
	{"<", [][2]string{{"", "feedback>"}, {"", "answer>"}, {"", "user_message>"}}},
}

// quotesUser reports whether the result of a tool quotes a person.
func quotesUser(text string) bool {
	for _, s := range userSaid {
		for at := 0; ; at += len(s.common) {
			found := strings.Index(text[at:], s.common)
			if found < 0 {
				break
			}
			at += found
			for _, p := range s.phrases {
				if strings.HasSuffix(text[:at], p[0]) && strings.HasPrefix(text[at+len(s.common):], p[1]) {
					return true
				}
			}
		}
	}
	return false
}

// userOrigin returns the origin of a whole text of a user message. sure is false when the
// text may hold typed and injected texts. A text of a record that its client marks as meta is
// no summary, whatever it begins with: skills and hooks write such texts.
func userOrigin(text string, meta bool) (origin transcript.Origin, sure bool) {
	switch {
	case transcript.IsMarker(text), !meta && isSummary(text):
		return transcript.Generated, true
	case meta, isInjected(text) && !mayHoldTyped(text) && !typedCommand.MatchString(text):
		return transcript.Injected, true
	}
	return transcript.Typed, false
}

// typedCommand matches what a person typed behind the name of a command, or as a command for the shell. Claude Code
// puts it into elements.
var typedCommand = regexp.MustCompile(`^\s*<command-(?s:.*)<command-args>\s*[^<\s]|^\s*<bash-input>\s*[^<\s]`)

// mayHoldTyped reports whether a text that begins with words of the client may also hold
// typed text: after an element, or in a quotation.
func mayHoldTyped(text string) bool {
	for _, tag := range injectedTags {
		if element, ok := strings.CutPrefix(strings.TrimSpace(text), "<"+tag+">"); ok {
			_, rest, closed := strings.Cut(element, "</"+tag+">")
			return closed && rest != ""
		}
	}
	return strings.Contains(text, resumedWith)
}

func hasPrefixAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
