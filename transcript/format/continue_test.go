package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

func TestContinue(t *testing.T) {
	long := strings.Repeat("a line that a prompt log repeats ", 4)
	f := decoded(t, `{"sessionId":"s","history":[`+
		`{"message":{"role":"user","content":"before"},"contextItems":[],"conversationSummary":"sum"},`+
		`{"message":{"role":"user","content":[{"type":"text","text":"q"}]},"contextItems":[{"name":"a.go","content":"`+long+`"}]},`+
		`{"message":{"role":"assistant","content":"","toolCalls":[{"id":"c1","function":{"name":"read","arguments":"{\"p\":\"a\"}"}}]},"toolCallStates":[{"toolCallId":"c1","status":"errored","parsedArgs":{"p":"a"},"output":[{"name":"Error","content":"no"}]}],"promptLogs":[{"prompt":"<u>\n`+long+`\nq","completion":""}]},`+
		`{"message":{"role":"thinking","content":"hm","signature":"s"}}]}`)
	shows(t, f.Convs[0],
		`(user: typed "before")`, `user: generated "sum"`, `user: injected a.go="`+long+`" | typed "q"`,
		`assistant: call c1 read p="a" | result c1 read "no"`, `assistant: thinking "hm"`)
	if out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[a.go omitted]"); strings.Contains(out, long) {
		t.Errorf("left in the prompt log:\n%s", out)
	}
	if out := edited(t, f, dropBlock(3, 0), dropBlock(3, 1)); strings.Contains(out, "c1") || strings.Contains(out, "promptLogs") {
		t.Errorf("a call that went:\n%s", out)
	}
}

// TestContinueStates checks that what a state repeats of a result is cut with the result, that it is omitted in the state of
// another call, and that all else stays.
func TestContinueStates(t *testing.T) {
	one := strings.Repeat("a result that is long enough to be looked for; ", 6)
	two := strings.Repeat("another result, which is as long as the first one; ", 6)
	state := func(id, text, repeated string) string {
		return fmt.Sprintf(`{"toolCallId":%q,"status":"done","output":[{"name":"a","content":%q}],"shown":%q,"note":"kept"}`, id, text, repeated)
	}
	call := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"function":{"name":"read","arguments":"{\"p\":\"%s\"}"}}`, id, id)
	}
	source := func(states ...string) string {
		return `{"sessionId":"s","history":[{"message":{"role":"user","content":"q"},"contextItems":[]},` +
			`{"message":{"role":"assistant","content":"","toolCalls":[` + call("c1") + `,` + call("c2") + `]},"toolCallStates":[` + strings.Join(states, ",") + `]}]}`
	}
	f := decoded(t, source(state("c1", one, one), state("c2", two, two)))
	shows(t, f.Convs[0], `user: typed "q"`, fmt.Sprintf(`assistant: call c1 read p="c1" | call c2 read p="c2" | result c1 read %q | result c2 read %q`, one, two))
	for block, want := range map[int]string{
		2: source(state("c1", "[cut]", "[cut]"), state("c2", two, two)),
		3: source(state("c1", one, one), state("c2", "[cut]", "[cut]")),
	} {
		if out := rewritten(t, f, transcript.Ref{Msg: 1, Block: block, Part: transcript.Whole}, "[cut]"); out != want {
			t.Errorf("block %d: got\n%s\nwant\n%s", block, out, want)
		}
	}
	f = decoded(t, source(state("c1", one, two), state("c2", two, one)))
	want := source(state("c1", "[cut]", two), state("c2", two, "[omitted]"))
	if out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 2, Part: transcript.Whole}, "[cut]"); out != want {
		t.Errorf("states that repeat another result: got\n%s\nwant\n%s", out, want)
	}

	prepared := func(state, args string) string {
		return strings.Replace(state, `,"output"`, fmt.Sprintf(`,"processedArgs":{"p":%q},"output"`, args), 1)
	}
	other := strings.Repeat("what the client made of the arguments of a call; ", 6)
	f = decoded(t, source(prepared(state("c1", one, ""), other), prepared(state("c2", two, ""), other)))
	want = source(prepared(state("c1", one, ""), other), prepared(state("c2", "[cut]", ""), "[omitted]"))
	if out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 3, Part: transcript.Whole}, "[cut]"); out != want {
		t.Errorf("arguments as the client prepared them: got\n%s\nwant\n%s", out, want)
	}
	want = source(prepared(state("c1", "[cut]", ""), "[omitted]"), prepared(state("c2", two, ""), other))
	if out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 2, Part: transcript.Whole}, "[cut]"); out != want {
		t.Errorf("arguments as the client prepared them: got\n%s\nwant\n%s", out, want)
	}
}

// TestContinueSummaryOfResult checks that a summary stays when the result beside it is removed.
func TestContinueSummaryOfResult(t *testing.T) {
	for _, message := range []string{`{"role":"tool","content":"gone","toolCallId":"q"}`, `{"role":"function"}`, `{"role":"thinking","content":"gone","signature":"s"}`} {
		f := decoded(t, `{"history":[{"message":`+message+`,"conversationSummary":"sum"},{"message":{"role":"user","content":"go on"}}]}`)
		var drops []transcript.Edit
		for _, m := range f.Convs[0].Messages {
			if m.Hidden {
				drops = append(drops, transcript.Edit{Op: transcript.Drop, At: transcript.At(m.ID)})
			}
		}
		if out := edited(t, f, drops...); strings.Contains(out, "gone") || !strings.Contains(out, "sum") {
			t.Errorf("%s: %s", message, out)
		}
	}
}
