package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

func TestAISDKVersion4(t *testing.T) {
	call := `{"state":"result","toolCallId":"c","toolName":"f","args":{"x":"y"},"result":"r"}`
	f := decoded(t, `[{"id":"1","role":"assistant","content":"","toolInvocations":[`+call+`],"parts":[{"type":"tool-invocation","toolInvocation":`+call+`}]},{"id":"2","role":"user","content":"q"}]`)
	shows(t, f.Convs[0], `assistant: call c f x="y" | result c f "r"`, `user: typed "q"`)
	if out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 1, Part: transcript.Whole}, "[r omitted]"); strings.Count(out, "[r omitted]") != 2 {
		t.Errorf("not written twice:\n%s", out)
	}
}
