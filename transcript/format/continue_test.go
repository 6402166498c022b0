package format

import (
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

// TestContinueSummaryOfResult checks that a summary stays when the result beside it is removed.
func TestContinueSummaryOfResult(t *testing.T) {
	for _, message := range []string{`{"role":"tool","content":"gone","toolCallId":"q"}`, `{"role":"function"}`} {
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
