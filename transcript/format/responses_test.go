package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestResponses decodes requests and items of the Responses API.
func TestResponses(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"a request", `{"model":"m","instructions":"be good","input":[
			{"role":"user","content":"go"},
			{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"},
			{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"a\":1}"},
			{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:,"}]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<read_file><path>x</path></read_file>"},{"type":"new"}]}]}`,
			[]string{`system: injected "be good"`, `user: typed "go"`, `assistant: thinking "hm"`, `assistant: call c1 f a=1`,
				`tool: result c1 f "a" input_image`, `assistant: model "<read_file><path>x</path></read_file>" | opaque`}},
		{"a text as input", `{"model":"m","input":"go","store":false}`, []string{`user: typed "go"`}},
		{"no input", `{"model":"m","input":[]}`, nil},
		{"a response", `{"object":"response","model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}]}`,
			[]string{`assistant: model "hi"`}},
		{"tools of the provider", `[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},
			{"type":"web_search_call","status":"completed","action":{"query":"q"}},
			{"type":"mcp_call","id":"m1","name":"stock","arguments":"{\"i\":\"x\"}","output":"3","error":null},
			{"type":"code_interpreter_call","id":"k","code":"1+1","outputs":[{"type":"logs","logs":"2"}]},
			{"type":"compaction","encrypted_content":"x"},
			{"type":"computer_call","call_id":"c2","action":{"type":"wait"}},
			{"type":"computer_call_output","call_id":"c2","output":{"type":"computer_screenshot","image_url":"data:,"}}]`,
			[]string{`user: typed "go"`, `assistant: open call web_search query="q"`, `assistant: call m1 stock i="x" | result m1 stock "3"`,
				`assistant: call k code_interpreter "1+1" | result k code_interpreter "2"`, `assistant: opaque`, `assistant: call c2 computer type="wait"`, `tool: result c2 computer`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, c.src)
			if f.Dialect != &responses {
				t.Errorf("decoded as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}

// TestResponsesMedia: a text takes the place of an image under the name that
// texts have in this API.
func TestResponsesMedia(t *testing.T) {
	f := decoded(t, `{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:,"},{"type":"input_text","text":"a"}]}]}`)
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: transcript.Whole}, "[image omitted]")
	if !strings.Contains(out, `[{"type":"input_text","text":"[image omitted]"},`) {
		t.Error(out)
	}
}
