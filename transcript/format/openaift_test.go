package format

import (
	"errors"
	"strings"
	"testing"

	"condense/transcript"
)

// TestTrainingRows decodes rows of training sets, each with a second row so that
// the source is JSONL.
func TestTrainingRows(t *testing.T) {
	for _, c := range []struct {
		name, row string
		want      []string
	}{
		{"speakers", `{"messages":[{"role":"Mira","content":"a <read_file>"},{"role":"assistant-2","content":"b"},{"role":"assistant","content":"c","weight":0}]}`,
			[]string{`user: typed "a <read_file>"`, `assistant: model "b"`, `assistant: model "c"`}},
		{"elements with a value", `{"messages":[{"role":"user","content":[{"type":"text","value":"a"}]},{"role":"assistant","content":[
			{"type":"reasoning","value":"hm"},{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{\"q\":\"x\",\"n\":1}}"},{"type":"tool_call","value":"{\"name\":\"g\",\"arguments\":\"{}\"}"}]},
			{"role":"tool","content":[{"type":"text","value":"b"}]},{"role":"tool","content":[{"type":"text","value":"c"}]}]}`,
			[]string{`user: typed "a"`, `assistant: thinking "hm" | call prose 2.0 f q="x" n=1 | call prose 3.0 g "{}"`, `tool: result prose 2.0 f "b"`, `tool: result prose 3.0 g "c"`}},
		{"functions of 2023", `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"b"}]}`,
			[]string{`user: typed "a"`, `assistant: call prose 2.0 f`, `tool: result prose 2.0 f "b"`}},
		{"a request of a batch", `{"custom_id":"x","body":{"model":"m","messages":[{"role":"user","content":"a"}]}}`, []string{`user: typed "a"`}},
		{"no messages", `{"messages":[]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, strings.ReplaceAll(strings.ReplaceAll(c.row, "\n", ""), "\t", "")+"\n{\"messages\":[{\"role\":\"user\",\"content\":\"z\"}]}\n")
			if f.Dialect != &openaiFT || len(f.Convs) != 2 {
				t.Fatalf("%s with %d conversations", f.Dialect.Name, len(f.Convs))
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}

// TestWrittenCall: an argument is rewritten inside of the JSON in its string.
func TestWrittenCall(t *testing.T) {
	f := decoded(t, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{\"q\":\"long\",\"n\":1}}"}]}]}`+"\n{\"messages\":[]}")
	out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: 0}, `"x"`)
	if want := `"value":"{\"name\":\"f\",\"arguments\":{\"q\":\"\\\"x\\\"\",\"n\":1}}"`; !strings.Contains(out, want) {
		t.Errorf("no %s in %s", want, out)
	}
}

// TestDisplay: conversations that are only shown are refused, with the reason.
func TestDisplay(t *testing.T) {
	_, err := Decode([]byte("{\"messages_display\":\"user: a\"}\n{\"messages_display\":\"user: b\"}\n"), "")
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "messages_display") || refused.Advice == "" {
		t.Errorf("got %v", err)
	}
}
