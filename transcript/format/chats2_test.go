package format

import (
	"encoding/json"
	"strings"
	"testing"

	"condense/transcript"
)

const libreNested = `{"conversationId":"c","recursive":true,"messages":[
 {"messageId":"a","parentMessageId":"0","text":"q","isCreatedByUser":true,"children":[
  {"messageId":"b","parentMessageId":"a","text":"A","isCreatedByUser":false,"children":[
   {"messageId":"h","parentMessageId":"b","text":"left","isCreatedByUser":true,"children":[]},
   {"messageId":"d","parentMessageId":"b","text":"r","isCreatedByUser":true,"children":[]}]}]}]}`

func TestLibreChatNested(t *testing.T) {
	f := decoded(t, libreNested)
	shows(t, f.Convs[0], `(user: typed "left")`, `user: typed "q"`, `assistant: model "A"`, `user: typed "r"`)
	for name, c := range map[string]struct {
		edits []transcript.Edit
		want  []string
	}{
		"root":  {[]transcript.Edit{drop(1)}, []string{`(user: typed "left")`, `assistant: model "A"`, `user: typed "r"`}},
		"inner": {[]transcript.Edit{drop(2)}, []string{`(user: typed "left")`, `user: typed "q"`, `user: typed "r"`}},
		"both":  {[]transcript.Edit{drop(1), drop(2)}, []string{`(user: typed "left")`, `user: typed "r"`}},
		"all":   {[]transcript.Edit{drop(0), drop(1), drop(2), insert(transcript.End, transcript.User, "S")}, []string{`user: typed "r"`, `user: typed "S"`}},
		"around": {[]transcript.Edit{insert(2, transcript.User, "S"), insert(2, transcript.Assistant, "T")},
			[]string{`(user: typed "left")`, `user: typed "q"`, `user: typed "S"`, `assistant: model "T"`, `assistant: model "A"`, `user: typed "r"`}},
		"append": {[]transcript.Edit{drop(3), drop(0), insert(transcript.End, transcript.User, "S")},
			[]string{`user: typed "q"`, `assistant: model "A"`, `user: typed "S"`}},
	} {
		t.Run(name, func(t *testing.T) {
			out := edited(t, f, c.edits...)
			if !json.Valid([]byte(out)) {
				t.Fatalf("not JSON:\n%s", out)
			}
			shows(t, decoded(t, out).Convs[0], c.want...)
		})
	}
}

func TestLibreChatFlat(t *testing.T) {
	f := decoded(t, `{"conversationId":"c","messages":[{"messageId":"a","parentMessageId":null,"text":"q","isCreatedByUser":true},`+
		`{"messageId":"b","parentMessageId":"a","text":"","sender":"X","isCreatedByUser":false,"content":[{"type":"think","think":"hm"},{"type":"tool_call","tool_call":{"id":"c1","name":"f","args":"{\"x\":1}","output":"out"}},{"type":"text","text":{"value":"A"}},{"type":"agent_update"}]},`+
		`{"messageId":"c","parentMessageId":"b","text":"r","sender":"User"}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: thinking "hm" | call c1 f x=1 | result c1 f "out" | model "A" | opaque`, `user: typed "r"`)
	if out := edited(t, f, drop(1)); !strings.Contains(out, `"messageId":"c","parentMessageId":"a"`) {
		t.Errorf("hangs on nothing:\n%s", out)
	}
}

// TestBranchesInTurn: branches with nothing in common stand in the order of the
// file, which stays the same when the root of one goes.
func TestBranchesInTurn(t *testing.T) {
	f := decoded(t, `{"conversations":[{"conversation":{},"responses":[`+
		`{"response":{"_id":"a","message":"q","sender":"human"}},`+
		`{"response":{"_id":"x","message":"r","sender":"human","parent_response_id":"lost"}},`+
		`{"response":{"_id":"b","message":"A","sender":"ASSISTANT","parent_response_id":"a"}},`+
		`{"response":{"_id":"y","message":"B","sender":"ASSISTANT","parent_response_id":"x"}}]}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `user: typed "r"`, `assistant: model "A"`, `assistant: model "B"`)
	shows(t, decoded(t, edited(t, f, drop(0))).Convs[0], `user: typed "r"`, `assistant: model "A"`, `assistant: model "B"`)
}

func TestSmallExports(t *testing.T) {
	for name, c := range map[string]struct {
		src     string
		dialect string
		want    []string
		edit    transcript.Edit
		after   string
	}{
		"chatbot-ui": {
			`{"version":4,"history":[{"id":"h","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"model":{},"prompt":"be"}],"folders":[]}`,
			"chatbot-ui", []string{`system: injected "be"`, `user: typed "q"`, `assistant: model "a"`}, drop(0), `"prompt":""`,
		},
		"grok": {
			`{"conversations":[{"conversation":{},"responses":[{"response":{"response_id":"a","message":"q","sender":"human","parent_response_id":null}},{"response":{"response_id":"b","message":"x","sender":"ASSISTANT","parent_response_id":"a"}},{"response":{"response_id":"c","message":"y","sender":"ASSISTANT","parent_response_id":"a","thinking_trace":"hm"}}]}]}`,
			"grok", []string{`(assistant: model "x")`, `user: typed "q"`, `assistant: thinking "hm" | model "y"`}, dropBlock(2, 0), `"thinking_trace":""`,
		},
		"langchain": {
			`[{"type":"human","data":{"content":"q"}},{"type":"ai","data":{"content":"","tool_calls":[{"name":"f","args":{"x":"y"},"id":"c1"}],"additional_kwargs":{"tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"x\": \"y\"}"}}]}}},{"type":"tool","data":{"content":"r","tool_call_id":"c1","status":"error"}}]`,
			"langchain", []string{`user: typed "q"`, `assistant: call c1 f x="y"`, `tool: result c1 "r"`},
			transcript.Edit{At: transcript.Ref{Msg: 1, Block: 0, Part: 0}, Op: transcript.Rewrite, Text: "z"}, `"arguments":"{\"x\": \"z\"}"`,
		},
		"serialised": {
			`[{"lc":1,"type":"constructor","id":["langchain","schema","HumanMessage"],"kwargs":{"content":"q"}}]`,
			"langchain", []string{`user: typed "q"`}, insert(0, transcript.User, "S"), `"HumanMessage"],"kwargs":{"content":"S"`,
		},
		"pairs": {
			`[{"user":"q","ai":"a"},{"user":"r","ai":"b"}]`,
			"langchain", []string{`user: typed "q"`, `assistant: model "a"`, `user: typed "r"`, `assistant: model "b"`}, drop(1), `[{"user":"q","ai":""},{`,
		},
		"vscode rows": {
			`{"requesterUsername":"u","requests":[{"prompt":"q","completion":"a"},{"prompt":"r","completion":"b"}]}`,
			"vscode-copilot", []string{`user: typed "q"`, `assistant: model "a"`, `user: typed "r"`, `assistant: model "b"`}, insert(2, transcript.User, "S"), `,{"prompt":"S","completion":""},`,
		},
		"vscode response": {
			`{"requests":[{"message":{"text":"q","parts":[]},"response":[{"kind":"thinking","value":"hm"},{"value":"a"},{"kind":"undoStop"}],"result":{}}]}`,
			"vscode-copilot", []string{`user: typed "q"`, `assistant: thinking "hm" | model "a"`}, dropBlock(1, 1), `[{"kind":"thinking","value":"hm"},{"kind":"undoStop"}]`,
		},
		"ai-sdk": {
			`[{"id":"1","role":"assistant","content":"ab","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm","providerMetadata":{"p":{"signature":"s"}}},{"type":"text","text":"a"},{"type":"tool-f","toolCallId":"c","state":"output-available","input":{"x":1},"output":{"stdout":"r"}},{"type":"dynamic-tool","toolName":"g","toolCallId":"d","state":"output-error","input":{},"errorText":"no"},{"type":"text","text":"b"}]}]`,
			"ai-sdk", []string{`assistant: thinking "hm" | model "a" | call c f x=1 | result c f stdout="r" | call d g | result d g "no" | model "b"`}, dropBlock(0, 1), `"content":"b"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, c.src)
			if f.Dialect.Name != c.dialect {
				t.Errorf("read as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
			if out := edited(t, f, c.edit); !strings.Contains(out, c.after) {
				t.Errorf("expected %s in\n%s", c.after, out)
			}
		})
	}
}

// TestVSCodeRounds: calls and results stand in the metadata; the response shows
// them, and goes with the last of them.
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

func TestAISDKVersion4(t *testing.T) {
	call := `{"state":"result","toolCallId":"c","toolName":"f","args":{"x":"y"},"result":"r"}`
	f := decoded(t, `[{"id":"1","role":"assistant","content":"","toolInvocations":[`+call+`],"parts":[{"type":"tool-invocation","toolInvocation":`+call+`}]},{"id":"2","role":"user","content":"q"}]`)
	shows(t, f.Convs[0], `assistant: call c f x="y" | result c f "r"`, `user: typed "q"`)
	if out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 1, Part: transcript.Whole}, "[r omitted]"); strings.Count(out, "[r omitted]") != 2 {
		t.Errorf("not written twice:\n%s", out)
	}
}
