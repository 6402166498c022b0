package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestImpliedSender checks that messages without a sender get one when a removal changes the sender
// that their position implies.
func TestImpliedSender(t *testing.T) {
	f := decoded(t, `[{"title":"t","chat_messages":[{"text":"q"},{"text":"a"},{"text":"r"}]}]`)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: model "a"`, `user: typed "r"`)
	want := `[{"title":"t","chat_messages":[{"sender":"assistant","text":"a"},{"sender":"human","text":"r"}]}]`
	if out := edited(t, f, drop(0)); out != want {
		t.Errorf("got %s", out)
	}
}

func TestClaudeAI(t *testing.T) {
	f := decoded(t, `{"uuid":"c","chat_messages":[`+
		`{"uuid":"m1","text":"q","content":[{"type":"text","text":"q"}],"sender":"human","attachments":[{"file_name":"","extracted_content":"pasted"},{"file_name":"a.csv","extracted_content":"1,2"}]},`+
		`{"uuid":"m2","text":"I look.\n---\nDone.","content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"f","input":{"x":"y"}},{"type":"tool_use","name":"g","input":{}},`+
		`{"type":"tool_result","name":"g","content":[]},{"type":"tool_result","name":"f","content":[{"type":"text","text":"r"}],"is_error":true},{"type":"token_budget"},{"type":"text","text":"Done."}],"sender":"assistant"},`+
		`{"uuid":"m3","text":"only here","content":[],"sender":"human"}]}`)
	shows(t, f.Convs[0],
		`user: typed attachment="pasted" | injected a.csv="1,2" | typed "q"`,
		`assistant: model "I look." | call prose m2.1 f x="y" | call prose m2.2 g | result prose m2.2 g | result prose m2.1 f "r" | opaque | model "Done."`,
		`user: typed "only here"`)
	if out := edited(t, f, dropBlock(1, 0)); !strings.Contains(out, `"text":"\n---\nDone.","content":[{"type":"tool_use"`) {
		t.Errorf("one text less:\n%s", out)
	}
	if out := edited(t, f, dropBlock(1, 0), dropBlock(1, 6)); !strings.Contains(out, `{"uuid":"m2","text":"","content"`) {
		t.Errorf("no text left:\n%s", out)
	}
	if out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 2, Part: transcript.Whole}, "[q omitted]"); strings.Count(out, "[q omitted]") != 2 {
		t.Errorf("not written twice:\n%s", out)
	}
}

// TestClaudeAICallIDs checks that results with ids answer their calls in any order.
func TestClaudeAICallIDs(t *testing.T) {
	f := decoded(t, `{"uuid":"c","chat_messages":[{"uuid":"m1","text":"q","content":[{"type":"text","text":"q"}],"sender":"human"},`+
		`{"uuid":"m2","text":"","content":[{"type":"tool_use","id":"1","name":"f","input":{}},{"type":"tool_use","id":"2","name":"f","input":{}},`+
		`{"type":"tool_result","tool_use_id":"2","name":"f","content":"two"},{"type":"tool_result","name":"f","content":"one"}],"sender":"assistant"}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: call 1 f | call 2 f | result 2 f "two" | result 1 f "one"`)
}
