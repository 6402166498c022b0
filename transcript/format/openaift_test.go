package format

import (
	"errors"
	"strings"
	"testing"

	"condense/transcript"
)

// TestWrittenCall checks that an argument is rewritten inside the JSON of its string.
func TestWrittenCall(t *testing.T) {
	f := decoded(t, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{\"q\":\"long\",\"n\":1}}"}]}]}`+"\n{\"messages\":[]}")
	out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: 0}, `"x"`)
	if want := `"value":"{\"name\":\"f\",\"arguments\":{\"q\":\"\\\"x\\\"\",\"n\":1}}"`; !strings.Contains(out, want) {
		t.Errorf("no %s in %s", want, out)
	}
}

// TestDisplay checks that conversations that are only displayed are refused with the reason.
func TestDisplay(t *testing.T) {
	_, err := Decode([]byte("{\"messages_display\":\"user: a\"}\n{\"messages_display\":\"user: b\"}\n"), "")
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "messages_display") || refused.Advice == "" {
		t.Errorf("got %v", err)
	}
}
