package format

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// edited is the source after edits of its first conversation, checked.
func edited(t *testing.T, f *File, edits ...transcript.Edit) string {
	t.Helper()
	next, err := f.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	final := slices.Clone(f.Convs)
	final[0] = next
	out, err := f.Bytes(final)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Verify(final, out); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}

func drop(msg int) transcript.Edit {
	return transcript.Edit{At: transcript.At(msg), Op: transcript.Drop}
}

func dropBlock(msg, block int) transcript.Edit {
	return transcript.Edit{At: transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}, Op: transcript.Drop}
}

// insert puts a message of one text in front of another, or at the end.
func insert(at int, role transcript.Role, text string) transcript.Edit {
	return transcript.Edit{At: transcript.At(at), Op: transcript.Insert, New: &transcript.Message{
		Role: role, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}, Origin: transcript.Generated}},
	}}
}

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

const gptTree = `[{"title":"t","mapping":{` +
	`"r":{"id":"r","message":null,"parent":null,"children":["a"]},` +
	`"a":{"id":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["Q"]},"recipient":"all"},"parent":"r","children":["b","c"]},` +
	`"b":{"id":"b","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["old"]},"recipient":"all"},"parent":"a","children":[]},` +
	`"c":{"id":"c","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["A"]},"recipient":"all"},"parent":"a","children":["d"]},` +
	`"d":{"id":"d","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["",{"content_type":"image_asset_pointer","size_bytes":9,"width":2,"height":3},"R"]},"recipient":"all"},"parent":"c","children":[]}` +
	`},"current_node":"d"}]`

func TestChatGPTTree(t *testing.T) {
	f := decoded(t, gptTree)
	shows(t, f.Convs[0],
		`(assistant: model "old")`, `user: typed "Q"`, `assistant: model "A"`, `user: media image_asset_pointer | typed "R"`)

	out := edited(t, f, drop(2))
	for _, want := range []string{`"parent":"r","children":["b","d"]`, `"parent":"a","children":[]}},"current_node":"d"`} {
		if !strings.Contains(out, want) || strings.Contains(out, `"c"`) {
			t.Errorf("after a drop, expected %s in\n%s", want, out)
		}
	}
	if out := edited(t, f, drop(3)); !strings.Contains(out, `"children":[]}},"current_node":"c"`) {
		t.Errorf("after the leaf went:\n%s", out)
	}
	out = edited(t, f, insert(2, transcript.User, "S"), drop(3), insert(transcript.End, transcript.Assistant, "E"))
	shows(t, decoded(t, out).Convs[0],
		`(assistant: model "old")`, `user: typed "Q"`, `user: typed "S"`, `assistant: model "A"`, `assistant: model "E"`)
	if again := edited(t, f, insert(2, transcript.User, "S"), drop(3), insert(transcript.End, transcript.Assistant, "E")); again != out {
		t.Error("the same edits gave different bytes")
	}
	if out := rewritten(t, f, transcript.Ref{Msg: 3, Block: 0, Part: transcript.Whole}, "[image omitted]"); !strings.Contains(out, `["","[image omitted]","R"]`) {
		t.Errorf("a text for an image:\n%s", out)
	}
}

func TestChatGPTTools(t *testing.T) {
	node := func(id, parent, role, name, to, content string) string {
		return `"` + id + `":{"message":{"author":{"role":"` + role + `","name":` + name + `},"content":` + content + `,"recipient":"` + to + `"},"parent":"` + parent + `"}`
	}
	f := decoded(t, `{"mapping":{`+strings.Join([]string{
		node("c", "b", "tool", `"browser"`, "all", `{"content_type":"tether_quote","url":"u","text":"second"}`), // before what it hangs on
		node("b", "a", "tool", `"browser"`, "all", `{"content_type":"tether_browsing_display","result":"first","summary":null}`),
		node("a", "", "assistant", "null", "browser", `{"content_type":"code","text":"search(\"x\")"}`),
		node("d", "c", "assistant", "null", "dalle", `{"content_type":"code","text":"{\"prompt\":\"p\",\"n\":1}"}`),
		node("e", "d", "tool", `"dalle"`, "all", `{"content_type":"system_error","name":"E","text":"no"}`),
		node("f", "e", "assistant", "null", "all", `{"content_type":"thoughts","thoughts":[{"summary":"s","content":"hm"}]}`),
		node("g", "f", "assistant", "null", "all", `{"content_type":"app_pairing","x":1}`),
		node("h", "g", "tool", `"bio"`, "all", `{"content_type":"text","parts":["noted"]}`),
	}, ",")+`},"current_node":"h"}`)
	shows(t, f.Convs[0],
		`assistant: call prose a browser "search(\"x\")"`, `tool: result prose a browser "first" "second"`,
		`assistant: call prose d dalle prompt="p" n=1`, `tool: result prose d dalle "no"`,
		`assistant: thinking "hm"`, `assistant: opaque`, `tool: orphan result bio "noted"`)
	if !f.Convs[0].Messages[3].Blocks[0].Error {
		t.Error("a system error is no failure")
	}
	out := edited(t, f, transcript.Edit{At: transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, Op: transcript.Rewrite, Text: "[pages omitted]"})
	if strings.Contains(out, "second") || !strings.Contains(out, `"parent":"b"`) {
		t.Errorf("two answers that became one:\n%s", out)
	}
}

func TestChatGPTContext(t *testing.T) {
	f := decoded(t, `{"mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"me","user_instructions":""}}},`+
		`"b":{"message":{"author":{"role":"system"},"content":{"content_type":"text","parts":[""]}},"parent":"a"},`+
		`"c":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["[Read a.go: 9 lines omitted]"]}},"parent":"b"}}}`)
	shows(t, f.Convs[0], `system: injected "me"`, `user: generated "[Read a.go: 9 lines omitted]"`)
}

// What the model said stays its own when the beginning was omitted.
func TestAnswerWithoutItsBeginning(t *testing.T) {
	text := `[9 lines omitted]\nDone.`
	for _, src := range []string{
		`{"mapping":{"a":{"message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["` + text + `"]}}}}}`,
		`[{"id":"1","title":"t","chat":{"history":{"messages":{"a":{"id":"a","parentId":null,"childrenIds":[],"role":"assistant","content":"` + text + `"}},"currentId":"a"}}}]`,
	} {
		shows(t, decoded(t, src).Convs[0], `assistant: model "`+text+`"`)
	}
}

// TestBareTurns: messages that do not say who sent them say it when they are out of turn.
func TestBareTurns(t *testing.T) {
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

func TestContinue(t *testing.T) {
	long := strings.Repeat("a line that a prompt log repeats ", 4)
	f := decoded(t, `{"sessionId":"s","history":[`+
		`{"message":{"role":"user","content":"before"},"contextItems":[],"conversationSummary":"sum"},`+
		`{"message":{"role":"user","content":[{"type":"text","text":"q"}]},"contextItems":[{"name":"a.go","content":"`+long+`"}]},`+
		`{"message":{"role":"assistant","content":"","toolCalls":[{"id":"c1","function":{"name":"read","arguments":"{\"p\":\"a\"}"}}]},"toolCallStates":[{"toolCallId":"c1","status":"errored","parsedArgs":{"p":"a"},"output":[{"name":"Error","content":"no"}]}],"promptLogs":[{"prompt":"<u>\n`+long+`\nq","completion":""}]},`+
		`{"message":{"role":"thinking","content":"hm","signature":"s"}}]}`)
	shows(t, f.Convs[0],
		`(user: typed "before")`, `user: generated "sum"`, `user: injected a.go="`+long+`" | typed "q"`,
		`assistant: call c1 read p="a" | result c1 read "no"`, `assistant: thinking "hm"`)
	if out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[a.go omitted]"); strings.Contains(out, long) {
		t.Errorf("left in the prompt log:\n%s", out)
	}
	if out := edited(t, f, dropBlock(3, 0), dropBlock(3, 1)); strings.Contains(out, "c1") || strings.Contains(out, "promptLogs") {
		t.Errorf("a call that went:\n%s", out)
	}
}

func TestOpenWebUI(t *testing.T) {
	think := `<details type=\"reasoning\" done=\"true\">\nhm\n</details>\n`
	a := `{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"q"}`
	b := `{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","content":"` + think + `yes","usage":{"prompt_tokens":3,"completion_tokens":2}}`
	src := `[{"id":"1","title":"t","chat":{"history":{"messages":{"a":` + a + `,"b":` + b + `},"currentId":"b"},"messages":[` + a + `,` + b + `]}}]`
	f := decoded(t, src)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: thinking "<details type=\"reasoning\" done=\"true\">\nhm\n</details>" | model "\nyes"`)
	if u := f.Convs[0].Messages[1].Usage; u == nil || u.Input != 3 || u.Output != 2 {
		t.Errorf("usage %v", u)
	}
	if out := edited(t, f, dropBlock(1, 0)); strings.Contains(out, "hm") || strings.Count(out, "yes") != 2 {
		t.Errorf("reasoning that went:\n%s", out)
	}
	out := edited(t, f, drop(1), insert(transcript.End, transcript.Assistant, "new"))
	if strings.Count(out, `"content":"new"`) != 2 || strings.Contains(out, `"b"`) {
		t.Errorf("not in both places:\n%s", out)
	}
}
