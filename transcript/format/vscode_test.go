package format

import (
	"strings"
	"testing"
)

// TestVSCodeRounds checks that rounds are removed from the metadata, and the response that shows
// them with the last round.
func TestVSCodeRounds(t *testing.T) {
	f := decoded(t, `{"requests":[{"message":{"text":"q"},"response":[{"value":"a"}],"result":{"metadata":{"toolCallRounds":[`+
		`{"response":"","toolCalls":[{"id":"c1","name":"f","arguments":"{\"x\":\"y\"}"},{"id":"c2","name":"g","arguments":""}]},{"response":"a","toolCalls":[]}],`+
		`"toolCallResults":{"c2":{"content":[{"value":"s"}]},"c1":{"content":[{"value":{"node":{"type":1,"children":[{"text":"r"}]}}}]}}}}}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: call c1 f x="y" | call c2 g ""`, `tool: result c1 f "r" | result c2 g "s"`, `assistant: model "a"`)
	if out := edited(t, f, drop(1), drop(2)); strings.Contains(out, "c1") || strings.Contains(out, "c2") || !strings.Contains(out, `"response":[{"value":"a"}]`) {
		t.Errorf("a round that went:\n%s", out)
	}
	if out := edited(t, f, drop(1), drop(2), drop(3)); strings.Contains(out, `"value":"a"`) {
		t.Errorf("rounds that went:\n%s", out)
	}
	if out := edited(t, f, drop(0)); !strings.Contains(out, `"message":{"text":""}`) {
		t.Errorf("a question that went:\n%s", out)
	}
}
