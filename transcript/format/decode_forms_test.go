package format

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// long is a line that is too long to stay in a mirror when a message loses it.
var long = strings.Repeat("the gauge shows the height of the tide ", 6)

// TestForms checks how forms of records are decoded that fixtures do not have.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name, dialect, src string
		want               []string
	}{
		{"an error beside an earlier output", "ai-sdk", `[{"id":"1","role":"user","parts":[{"type":"text","text":"go"}]},{"id":"2","role":"assistant","parts":[` +
			`{"type":"tool-read","toolCallId":"c1","state":"output-error","input":{"path":"a"},"output":"old","errorText":"no file"},` +
			`{"type":"tool-read","toolCallId":"c2","input":{"path":"b"},"output":"text","errorText":"late"}]}]`,
			[]string{`user: typed "go"`, `assistant: call c1 read path="a" | result c1 read "no file" | call c2 read path="b" | result c2 read "text"`}},
		{"a snapshot that the model does not see", "codex", `{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}
{"type":"response_item","payload":{"type":"ghost_snapshot","ghost_commit":{"id":"0123"}}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}}
`, []string{`user: typed "go"`, `assistant: model "ok"`}},
		{"code and its output in snake case", "gemini", `{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[` +
			`{"executable_code":{"language":"PYTHON","code":"print(1)"}},{"code_execution_result":{"outcome":"OUTCOME_OK","output":"1"}}]}]}`,
			[]string{`user: typed "go"`, `assistant: call prose 1 code_execution language="PYTHON" code="print(1)" | result prose 1 code_execution "1"`}},
		{"an item of another kind", "responses", `{"input":[{"role":"user","content":"go"},{"type":"image_generation_call","id":"i","result":"aGk="},{"type":"computer_call_output","call_id":"c","output":"seen"}]}`,
			[]string{`user: typed "go"`, `assistant: opaque`, `tool: orphan result c "seen"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := decoded(t, tt.src)
			if f.Dialect.Name != tt.dialect {
				t.Errorf("read as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], tt.want...)
		})
	}
}

// TestNotClaimed checks sources that look like a dialect and lack what makes them one.
func TestNotClaimed(t *testing.T) {
	for _, tt := range []struct{ dialect, src string }{
		{"anthropic", `{"system":"be brief","stop_sequences":["x"]}`},
		{"anthropic", `{"system":"be brief","messages":{"role":"user"}}`},
		{"codex", `{"type":"session_meta","payload":"none"}` + "\n" + `{"type":"event_msg"}` + "\n"},
	} {
		p, err := newProbe([]byte(tt.src), false)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(claimants(p), tt.dialect) {
			t.Errorf("%s claims %s", tt.dialect, tt.src)
		}
	}
}

// TestConversationWithoutMessages checks that a row of an export without messages is no conversation.
func TestConversationWithoutMessages(t *testing.T) {
	f := decoded(t, `[{"conversationId":"a","messages":[{"messageId":"1","text":"q","isCreatedByUser":true}]},{"conversationId":"b","messages":"none"},{"conversationId":"c"}]`)
	if f.Dialect != &libreChat || len(f.Convs) != 1 || f.Convs[0].ID != "a" {
		t.Errorf("read as %s with %d conversations", f.Dialect.Name, len(f.Convs))
	}
}

// TestSealOfDetails checks the sizes of seals in the two places that the versions of the AI SDK have for them.
func TestSealOfDetails(t *testing.T) {
	for src, want := range map[string]int{
		`{"providerMetadata":{"anthropic":{"signature":"12345"},"openai":{"reasoningEncryptedContent":"123"}}}`: 8,
		`{"details":{"anthropic":{"redactedData":"1234"},"google":{"other":"12"}}}`:                             4,
		`{"details":[{"signature":"12"},{"data":"123"}]}`:                                                       5,
	} {
		var doc rawjson.Doc
		if err := doc.ScanText(src); err != nil {
			t.Fatal(err)
		}
		if got := sealOf(doc.Root()); got != want {
			t.Errorf("%s: %d bytes, want %d", src, got, want)
		}
	}
}

// TestLineWithoutSlot checks the line of a block that has no slot of its own: an answer inside a text.
func TestLineWithoutSlot(t *testing.T) {
	f := decoded(t, clineTask([]string{"Reading.\n\n" + readA}, []string{aHeader, "package a", env}))
	for ref := range f.Convs[0].Blocks() {
		if f.Line(0, ref) < 1 {
			t.Errorf("block %s has no line", ref)
		}
	}
	if f.Line(0, transcript.At(-1)) != 0 || f.Line(0, transcript.At(99)) != 0 {
		t.Error("a message that is not there has a line")
	}
}
