package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// clineTask makes a task of the texts of its messages: the task itself, then
// assistant and user in turn.
func clineTask(turns ...[]string) string {
	messages := []string{`{"role":"user","content":[{"type":"text","text":"<task>\ngo\n</task>"}]}`}
	messages[0] = strings.ReplaceAll(messages[0], "\n", `\n`)
	for i, texts := range turns {
		var content []string
		for _, text := range texts {
			if !strings.HasPrefix(text, "{") { // else it is a whole element
				text = fmt.Sprintf(`{"type":"text","text":%q}`, text)
			}
			content = append(content, text)
		}
		role := []string{"assistant", "user"}[i%2]
		messages = append(messages, fmt.Sprintf(`{"role":%q,"content":[%s]}`, role, strings.Join(content, ",")))
	}
	return "[" + strings.Join(messages, ",") + "]"
}

const (
	readA   = "<read_file>\n<path>a</path>\n</read_file>"
	readB   = "<read_file>\n<path>b</path>\n</read_file>"
	listD   = "<list_files>\n<path>d</path>\n</list_files>"
	aHeader = "[read_file for 'a'] Result:"
	bHeader = "[read_file for 'b'] Result:"
	refusal = "Tool [read_file] was not executed because a tool has already been used in this message."
	env     = "<environment_details>\nx\n</environment_details>"
)

// TestProse reads calls and answers that are written in the texts.
func TestProse(t *testing.T) {
	for _, c := range []struct {
		name  string
		turns [][]string
		want  []string
	}{
		{"a header with its body, then the environment",
			[][]string{{"Reading.\n\n" + readA}, {aHeader, "package a", env}},
			[]string{fmt.Sprintf(`assistant: model "Reading.\n\n" | call prose 2.0 read_file %q`, readA),
				fmt.Sprintf(`user: result prose 2.0 read_file %q "package a" | injected %q`, aHeader, env)}},
		{"a body of which the beginning was omitted, and a note of which it was",
			[][]string{{readA}, {aHeader, "\n[3 lines omitted]\n}", "[2 lines omitted]\nx"}},
			[]string{fmt.Sprintf(`assistant: call prose 2.0 read_file %q`, readA),
				fmt.Sprintf(`user: result prose 2.0 read_file %q "\n[3 lines omitted]\n}" | generated "[2 lines omitted]\nx"`, aHeader)}},
		{"header and body in one text",
			[][]string{{readA}, {aHeader + "\npackage a"}},
			[]string{fmt.Sprintf(`assistant: call prose 2.0 read_file %q`, readA),
				fmt.Sprintf(`user: result prose 2.0 read_file %q`, aHeader+"\npackage a")}},
		{"text between two calls, the second refused",
			[][]string{{listD + "\nand\n" + readA + "\n"}, {"[list_files for 'd'] Result:", "a\nb", refusal, env}},
			[]string{fmt.Sprintf(`assistant: call prose 2.0 list_files %q | model "\nand\n" | call prose 2.1 read_file %q`, listD, readA),
				fmt.Sprintf(`user: result prose 2.0 list_files "[list_files for 'd'] Result:" "a\nb" | result prose 2.1 read_file %q | injected %q`, refusal, env)}},
		{"answers find their calls by tool, not by position",
			[][]string{{readA + listD + readB}, {"[list_files for 'd'] Result:", aHeader, bHeader}},
			[]string{fmt.Sprintf(`assistant: call prose 2.1 read_file %q | call prose 2.0 list_files %q | call prose 2.2 read_file %q`, readA, listD, readB),
				fmt.Sprintf(`user: result prose 2.0 list_files "[list_files for 'd'] Result:" | result prose 2.1 read_file %q | result prose 2.2 read_file %q`, aHeader, bHeader)}},
		{"feedback is what the user typed",
			[][]string{{readA}, {aHeader, "The user denied this operation and provided the following feedback:\n<feedback>\nuse b\n</feedback>"}},
			[]string{fmt.Sprintf(`assistant: call prose 2.0 read_file %q`, readA),
				fmt.Sprintf(`user: typed result prose 2.0 read_file %q "The user denied this operation and provided the following feedback:\n<feedback>\nuse b\n</feedback>"`, aHeader)}},
		{"a call that was cut off is text, and its answer stays alone",
			[][]string{{readA + "\n<read_file>\n<path>b"}, {aHeader, "package a", refusal}},
			[]string{fmt.Sprintf(`assistant: call prose 2.0 read_file %q | model "\n<read_file>\n<path>b"`, readA),
				fmt.Sprintf(`user: result prose 2.0 read_file %q "package a" | orphan result read_file %q`, aHeader, refusal)}},
		{"the last call waits",
			[][]string{{"<attempt_completion>\n<result>done</result>\n</attempt_completion>"}},
			[]string{`assistant: open call attempt_completion "<attempt_completion>\n<result>done</result>\n</attempt_completion>"`}},
		{"a task is resumed with the user's words",
			[][]string{{readA}, {"[TASK RESUMPTION] This task was interrupted.", env}, {"ok"}, {"[TASK RESUMPTION] Interrupted.\n<user_message>\nuse b\n</user_message>"}},
			[]string{fmt.Sprintf(`assistant: open call read_file %q`, readA),
				fmt.Sprintf(`user: injected "[TASK RESUMPTION] This task was interrupted." | injected %q`, env),
				`assistant: model "ok"`, `user: typed "[TASK RESUMPTION] Interrupted.\n<user_message>\nuse b\n</user_message>"`}},
		{"native calls are answered in text",
			[][]string{{`{"type":"tool_use","id":"c1","name":"read_file","input":{"path":"a"}}`, `{"type":"tool_use","id":"c2","name":"read_file","input":{"path":"b"}}`},
				{aHeader + "\npackage a", refusal, env}},
			[]string{`assistant: call c1 read_file path="a" | call c2 read_file path="b"`,
				fmt.Sprintf(`user: result c1 read_file %q | result c2 read_file %q | injected %q`, aHeader+"\npackage a", refusal, env)}},
		{"native calls are answered natively, text beside it is typed",
			[][]string{{`{"type":"tool_use","id":"c1","name":"read_file","input":{"path":"a"}}`},
				{`{"type":"tool_result","tool_use_id":"c1","content":"package a"}`, "now b"}},
			[]string{`assistant: call c1 read_file path="a"`, `user: result c1 "package a" | typed "now b"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, clineTask(c.turns...))
			if f.Dialect != &cline {
				t.Errorf("decoded as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], append([]string{`user: typed "<task>\ngo\n</task>"`}, c.want...)...)
		})
	}
}

// TestProseRewrite checks that a rewritten answer keeps the words by which Cline recognises it, and that a
// rewritten call keeps the prose around it.
func TestProseRewrite(t *testing.T) {
	src := clineTask([]string{"Reading.\n\n" + readA}, []string{aHeader, "package a\n\nfunc A() {}", env})
	f := decoded(t, src)
	got := rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[read_file a: 3 lines omitted]")
	want := clineTask([]string{"Reading.\n\n" + readA}, []string{aHeader + "\n[read_file a: 3 lines omitted]", env})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: 1}, "[2 lines omitted]\nfunc A() {}") // of the answer, not of a note
	want = strings.Replace(src, `"package a\n\nfunc`, `"\n[2 lines omitted]\nfunc`, 1)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = rewritten(t, decoded(t, want), transcript.Ref{Msg: 2, Block: 0, Part: 1}, "[3 lines omitted]") // once more
	if want = strings.Replace(src, `"package a\n\nfunc A() {}"`, `"\n[3 lines omitted]"`, 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = rewritten(t, f, transcript.Ref{Msg: 1, Block: 1, Part: 0}, "<read_file>\n<path>\"b\"</path>\n</read_file>")
	if want = strings.Replace(src, `<path>a</path>`, `<path>\"b\"</path>`, 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestQuotesUser(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"the user said:", true},
		{"The tool use was rejected. the user said: no", true},
		{"User has answered your questions: yes", true},
		{`Your questions have been answered: "How many islands?"="one for now". You can now continue with these answers in mind.`, true},
		{"Your questions have been answered in the manual", false},
		{"The user provided the following feedback:\nshorter", true},
		{"Denied. user feedback: never", true},
		{"<feedback>fine</feedback>", true},
		{"a < b, c < d, <answer>\n42", true},
		{"<user_message>", true},
		{"The user said: in a story", false},
		{"the user said it", false},
		{"superuser has answered your questions", false},
		{"<feedbacks> <answers> user_message>", false},
		{"parser ser ser user user  feedback:", false},
		{"user user feedback:", true},
	} {
		for _, text := range []string{tt.text, strings.Repeat("log line of the user <b>\n", 100) + tt.text + "\nmore"} {
			if got := quotesUser(text); got != tt.want {
				t.Errorf("%.80q: %t", tt.text, got)
			}
		}
	}
}
