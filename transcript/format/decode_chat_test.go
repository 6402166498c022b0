package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestChat decodes arrays of messages and the objects around them.
func TestChat(t *testing.T) {
	for _, c := range []struct {
		name    string
		dialect *Dialect
		src     string
		want    []string
	}{
		{"a call stored in the content and in tool_calls is one", &openai, `{"messages":[
			{"role":"user","content":[{"type":"text","text":"go"}]},
			{"role":"assistant","content":[{"type":"text","text":"on it"},{"type":"tool_call","tool_call_id":"c1","name":"ls","arguments":"{\"d\":\".\"}"}],
			 "tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"d\":\".\"}"}}]},
			{"role":"tool","tool_call_id":"c1","content":[{"type":"tool_output","text":"a"},{"type":"tool_output","text":[{"type":"text","text":"b"}]}]}]}`,
			[]string{`user: typed "go"`, `assistant: model "on it" | call c1 ls d="."`, `tool: result c1 "a" "b"`}},
		{"calls with one id and other arguments, or of another tool, are several", &openai, `[
			{"role":"user","content":"go"},
			{"role":"assistant","content":null,"tool_calls":[
				{"id":"c1","function":{"name":"ls","arguments":"{\"d\":\".\"}"}},
				{"id":"c1","function":{"name":"ls","arguments":"{\"d\":\"..\"}"}},
				{"id":"c1","function":{"name":"rm","arguments":"{\"d\":\".\"}"}},
				{"id":"c2","function":{"name":"ls","arguments":"{}"}},
				{"id":"c2","function":{"name":"ls","arguments":"{\"d\":\".\"}"}}]}]`,
			[]string{`user: typed "go"`, `assistant: open call c1 ls d="." | open call c1 ls d=".." | open call c1 rm d="." | open call c2 ls | open call c2 ls d="."`}},
		{"functions of 2023 have no ids: by name, then in order", &openai, `[
			{"role":"user","content":"go"},
			{"role":"assistant","content":"first","function_call":{"name":"ls","arguments":"{\"d\":\".\"}"}},
			{"role":"function","name":"ls","content":"a"},
			{"role":"assistant","content":null,"function_call":{"name":"rm","arguments":"{\"d\":\"a\"}"}},
			{"role":"function","content":"done"},
			{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},
			{"role":"user","content":"wait"},
			{"role":"function","name":"ls","content":"b"},
			{"role":"function","name":"ls","content":"again"}]`,
			[]string{`user: typed "go"`, `assistant: model "first" | call prose 2.0 ls d="."`, `tool: result prose 2.0 ls "a"`, `assistant: call prose 4.0 rm d="a"`,
				`tool: result prose 4.0 rm "done"`, `assistant: call prose 7.0 ls`, `user: typed "wait"`, `tool: result prose 7.0 ls "b"`, `tool: orphan result ls "again"`}},
		{"functions in LangChain", &langChain, `[
			{"type":"human","data":{"content":"go"}},
			{"type":"ai","data":{"content":"","additional_kwargs":{"function_call":{"name":"ls","arguments":"{\"d\":\".\"}"}}}},
			{"type":"function","data":{"name":"ls","content":"a"}}]`,
			[]string{`user: typed "go"`, `assistant: call prose 2.0 ls d="."`, `tool: result prose 2.0 ls "a"`}},
		{"a call that is streamed has no arguments in the content", &langChain, `[
			{"type":"human","data":{"content":"go"}},
			{"type":"ai","data":{"content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"c1","name":"ls","input":{},"index":1}],
			 "tool_calls":[{"id":"c1","name":"ls","args":{"d":"."}}]}},
			{"type":"tool","data":{"tool_call_id":"c1","content":"a"}}]`,
			[]string{`user: typed "go"`, `assistant: model "on it" | call c1 ls d="."`, `tool: result c1 "a"`}},
		{"arguments: an object, JSON in a string, and neither", &openai, `[
			{"role":"user","content":"go"},
			{"role":"assistant","content":null,"tool_calls":[
				{"id":"c1","function":{"name":"f","arguments":{"a":{"b":["x",1e3,true,null]}}}},
				{"id":"c2","function":{"name":"f","arguments":"{\"q\": \"say \\\"hi\\\"\\n\\u00e9\", \"n\": -1.50}"}},
				{"id":"c3","function":{"name":"f","arguments":"{\"q\": "}},
				{"id":"c4","function":{"name":"f","arguments":""}}]}]`,
			[]string{`user: typed "go"`, `assistant: open call c1 f a.b[0]="x" a.b[1]=1e3 | open call c2 f q="say \"hi\"\né" n=-1.50 | ` +
				`open call c3 f "{\"q\": " | open call c4 f ""`}},
		{"roles, reasoning and the system prompt", &openai, `{"system_prompt":"be good","messages":[
			{"role":"developer","content":"be brief"},
			{"role":"user","content":"go"},
			{"role":"assistant-subagent-1","content":"side"},
			{"role":"assistant","reasoning_content":"hm","content":"done"}]}`,
			[]string{`system: injected "be good"`, `system: injected "be brief"`, `user: typed "go"`, `(assistant: model "side")`, `assistant: thinking "hm" | model "done"`}},
		{"blocks of every kind", &anthropic, `{"system":[{"type":"text","text":"be good"}],"messages":[
			{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},
			{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"x"},
			 {"type":"tool_use","id":"c1","name":"see","input":{}},{"type":"new","x":1}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"a"},{"type":"image","source":{"media_type":"image/gif"}},{"type":"tool_reference"}]}]}]}`,
			[]string{`system: injected "be good"`, `user: typed "look" | media image/png`,
				`assistant: thinking "hm" | thinking "" | call c1 see | opaque`, `user: result c1 "a" image/gif`}},
		{"reminders in and around what was typed", &anthropic, `{"system":"s","messages":[
			{"role":"user","content":"fix <system-reminder>be quick</system-reminder> a.go <system-reminder>open"},
			{"role":"user","content":"<system-reminder>a</system-reminder>\nfix b.go"},
			{"role":"user","content":"<ide_selection>x</ide_selection>\n"},
			{"role":"user","content":"<system-reminder>open"}]}`,
			[]string{`system: injected "s"`, `user: typed "fix " | injected "<system-reminder>be quick</system-reminder>" | typed " a.go <system-reminder>open"`,
				`user: injected "<system-reminder>a</system-reminder>" | typed "\nfix b.go"`, `user: injected "<ide_selection>x</ide_selection>\n"`,
				`user: injected "<system-reminder>open"`}},
		{"results that quote the user", &anthropic, `[
			{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Ask","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":"Rejected. the user said: use b.go"}]}]`,
			[]string{`assistant: call c1 Ask`, `user: typed result c1 "Rejected. the user said: use b.go"`}},
		{"a mentioned file is text", &cline, `{"agent":"a","sessionId":"s","messages":[
			{"role":"user","content":[{"type":"text","text":"see"},{"type":"file","path":"a.go","content":"package a"},{"type":"file","file":{"file_data":"AAAA"}}]}]}`,
			[]string{`user: typed "see" | injected a.go="package a" | media file`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, c.src)
			if f.Dialect != c.dialect {
				t.Errorf("decoded as %s, want %s", f.Dialect.Name, c.dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}

// TestChatContainers decodes documents with several conversations.
func TestChatContainers(t *testing.T) {
	const a, b = `[{"role":"user","content":"a"}]`, `[{"role":"user","content":"b"}]`
	for name, src := range map[string]string{
		"arrays":        `[` + a + `,` + b + `]`,
		"objects":       `[{"id":1,"messages":` + a + `},{"id":2,"messages":` + b + `}]`,
		"benchmark":     `[{"task_id":"x","traj":` + a + `,"info":{}},{"task_id":"y","traj":` + b + `}]`,
		"one, an array": a,
		"one":           `{"model":"m","messages":` + a + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, src)
			shows(t, f.Convs[0], `user: typed "a"`)
			if strings.HasPrefix(name, "one") != (len(f.Convs) == 1) {
				t.Fatalf("%d conversations", len(f.Convs))
			}
			if len(f.Convs) > 1 {
				shows(t, f.Convs[1], `user: typed "b"`)
			}
		})
	}
}

// A leaf of arguments that are JSON in a string is escaped twice, and what is
// stored twice is written twice.
func TestChatRewriteNested(t *testing.T) {
	const src = `[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c1","name":"f","arguments":"{\"p\": \"a\\\"b\", \"q\": [\"old\"], \"n\": 7}"}],` +
		`"tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"p\": \"a\\\"b\", \"q\": [\"old\"], \"n\": 7}"}}]}]`
	f := decoded(t, src)
	shows(t, f.Convs[0], `assistant: open call c1 f p="a\"b" q[0]="old" n=7`)
	got := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: 1}, "a \"new\"\\\n")
	if want := strings.ReplaceAll(src, `\"old\"`, `\"a \\\"new\\\"\\\\\\n\"`); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRoo reads the tags that hide messages without removing them.
func TestRoo(t *testing.T) {
	message := func(role, text, tags string) string {
		return `{"role":"` + role + `","content":[{"type":"text","text":"` + text + `"}],"ts":1` + tags + `}`
	}
	first := message("user", "<task>\\ngo\\n</task>", "")
	summary := message("user", "so far", `,"isSummary":true,"condenseId":"s1"`)
	marker := message("user", "cut", `,"isTruncationMarker":true,"truncationId":"t1"`)
	for _, c := range []struct {
		name     string
		messages []string
		want     []string
	}{
		{"condensed", []string{first, message("assistant", "a", `,"condenseParent":"s1"`), summary, message("assistant", "b", "")},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(assistant: model "a")`, `user: generated "so far"`, `assistant: model "b"`}},
		{"condensed twice: the last summary counts", []string{first, message("user", "s0", `,"isSummary":true,"condenseParent":"s1"`), summary},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(user: generated "s0")`, `user: generated "so far"`}},
		{"truncated", []string{first, message("assistant", "a", `,"truncationParent":"t1"`), marker, message("assistant", "b", "")},
			[]string{`user: typed "<task>\ngo\n</task>"`, `(assistant: model "a")`, `user: generated "cut"`, `assistant: model "b"`}},
		{"tags whose summary or marker is gone", []string{first, message("assistant", "a", `,"truncationParent":"t1"`), message("assistant", "b", `,"condenseParent":"s1"`)},
			[]string{`user: typed "<task>\ngo\n</task>"`, `assistant: model "a"`, `assistant: model "b"`}},
		{"a marker before the summary hides nothing after it", []string{first, marker, summary, message("assistant", "a", `,"truncationParent":"t1"`)},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(user: generated "cut")`, `user: generated "so far"`, `assistant: model "a"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, "["+strings.Join(c.messages, ",")+"]")
			if f.Dialect != &cline {
				t.Errorf("decoded as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}
