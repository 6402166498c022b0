package format

import (
	"strings"
	"testing"
)

// TestRemoveItemIDs checks that items lose exactly the ids for which the API would require the
// removed reasoning.
func TestRemoveItemIDs(t *testing.T) {
	before := []string{
		`{"type":"message","id":"msg_u","role":"user","content":[{"type":"input_text","text":"q"}]}`,
		`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"gAAAA"}`,
		`{"id":"fc_1","type":"function_call","call_id":"c1","name":"ls","arguments":"{}"}`,
		`{"type":"custom_tool_call","call_id":"c2","name":"patch","input":"p","id":"ct_1"}`,
		`{"type":"function_call_output","id":"out_1","call_id":"c1","output":"x"}`,
		`{"type":"custom_tool_call_output","call_id":"c2","output":"y"}`,
		`{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"}]}`,
		`{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"gAAAA"}`,
		`{"type":"message","id":"msg_2","role":"assistant","content":[{"type":"output_text","text":"b"}]}`,
	}
	after := []string{before[0],
		`{"type":"function_call","call_id":"c1","name":"ls","arguments":"{}"}`,
		`{"type":"custom_tool_call","call_id":"c2","name":"patch","input":"p"}`,
		before[4], before[5], before[6], before[7], before[8],
	}
	list := func(items []string) string { return `{"model":"m","input":[` + strings.Join(items, ",") + `]}` }
	f := decoded(t, list(before))
	if got, want := edited(t, f, drop(1)), list(after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lines := func(items []string) string {
		out := `{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{"id":"t1"}}` + "\n"
		for _, it := range items {
			out += `{"timestamp":"2026-01-02T03:04:05.000Z","type":"response_item","payload":` + it + "}\n"
		}
		return out
	}
	f = decoded(t, lines(before))
	if got, want := edited(t, f, drop(1)), lines(after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
