package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

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
		node("c", "b", "tool", `"browser"`, "all", `{"content_type":"tether_quote","url":"u","text":"second"}`), // it stands before its parent
		node("b", "a", "tool", `"browser"`, "all", `{"content_type":"tether_browsing_display","result":"first","summary":null}`),
		node("a", "", "assistant", "null", "browser", `{"content_type":"code","text":"search(\"x\")"}`),
		node("d", "c", "assistant", "null", "dalle", `{"content_type":"code","text":"{\"prompt\":\"p\",\"n\":1}"}`),
		node("e", "d", "tool", `"dalle"`, "all", `{"content_type":"system_error","name":"E","text":"no"}`),
		node("f", "e", "assistant", "null", "all", `{"content_type":"thoughts","thoughts":[{"summary":"s","content":"hm"}]}`),
		node("g", "f", "assistant", "null", "all", `{"content_type":"app_pairing","x":1}`),
		node("h", "g", "tool", `"bio"`, "all", `{"content_type":"text","parts":["noted"]}`),
		node("i", "h", "assistant", "null", "all", `{"content_type":"code","text":"x = 1"}`), // shown to the user, and run by no tool
	}, ",")+`},"current_node":"i"}`)
	shows(t, f.Convs[0],
		`assistant: call prose a browser "search(\"x\")"`, `tool: result prose a browser "first" "second"`,
		`assistant: call prose d dalle prompt="p" n=1`, `tool: result prose d dalle "no"`,
		`assistant: thinking "hm"`, `assistant: opaque`, `tool: orphan result bio "noted"`,
		`assistant: model "x = 1"`)
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

// TestAnswerWithoutItsBeginning checks that an answer of the model keeps its origin when its
// beginning was omitted.
func TestAnswerWithoutItsBeginning(t *testing.T) {
	text := `[9 lines omitted]\nDone.`
	for _, src := range []string{
		`{"mapping":{"a":{"message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["` + text + `"]}}}}}`,
		`[{"id":"1","title":"t","chat":{"history":{"messages":{"a":{"id":"a","parentId":null,"childrenIds":[],"role":"assistant","content":"` + text + `"}},"currentId":"a"}}}]`,
	} {
		shows(t, decoded(t, src).Convs[0], `assistant: model "`+text+`"`)
	}
}
