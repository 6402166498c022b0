package format

import (
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// TestChatFixtures: each export is claimed by its dialect, and by no other of them.
func TestChatFixtures(t *testing.T) {
	chats := []*Dialect{&chatGPT, &claudeAI, &continueDev, &openWebUI, &libreChat, &chatbotUI, &grok, &langChain, &vscodeCopilot, &aiSDK}
	for path, src := range fixtures(t) {
		p, err := newProbe(src, false)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Base(filepath.Dir(path))
		for _, d := range chats {
			if got := d.sniff(p); got != (d.Name == folder) {
				t.Errorf("%s: claimed by %s: %t", path, d.Name, got)
			}
		}
	}
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
