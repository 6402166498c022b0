package format

import (
	"regexp"
	"strings"

	"condense/transcript"
)

// This file reads calls of training sets, which the assistant writes as the end of its text, and their answers, which
// are the next user message. OpenHands writes both (openhands/llm/fn_call_converter.py), and SWE-agent with another
// heading of the answer:
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
	from = strings.LastIndex(text[:to], functionBegins)
	if from < 0 || !strings.HasSuffix(text[:to], functionEnds) {
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
