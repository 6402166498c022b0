package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// enveloped are lines of a rollout: TYPE {payload}, one for each.
func enveloped(lines ...string) string {
	var out strings.Builder
	for _, l := range lines {
		kind, payload, _ := strings.Cut(l, " ")
		out.WriteString(`{"timestamp":"2026-03-02T09:00:00Z","type":"` + kind + `","payload":` + payload + "}\n")
	}
	return out.String()
}

const (
	asked  = `response_item {"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`
	ran    = `response_item {"type":"function_call","name":"shell","arguments":"{\"cmd\":\"ls\"}","call_id":"c1"}`
	came   = `response_item {"type":"function_call_output","call_id":"c1","output":"a"}`
	done   = `response_item {"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}`
	wanted = `response_item {"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}`
	undone = `event_msg {"type":"thread_rolled_back","num_turns":1}`
)

// TestCodex decodes rollouts.
func TestCodex(t *testing.T) {
	for _, c := range []struct {
		name string
		src  string
		want []string
	}{
		{"items, and events that repeat them", enveloped(`session_meta {"id":"s"}`, asked, `event_msg {"type":"user_message","message":"go"}`, ran, came, done),
			[]string{`user: typed "go"`, `assistant: call c1 shell cmd="ls"`, `tool: result c1 shell "a"`, `assistant: model "done"`}},
		{"turns taken back are hidden", enveloped(asked, done, wanted, done, undone, wanted),
			[]string{`user: typed "go"`, `assistant: model "done"`, `(user: typed "more")`, `(assistant: model "done")`, `user: typed "more"`}},
		{"a turn taken back is none for the next rollback", enveloped(asked, done, wanted, undone, undone),
			[]string{`(user: typed "go")`, `(assistant: model "done")`, `(user: typed "more")`}},
		{"what the client put in begins no turn", enveloped(asked,
			`response_item {"type":"message","role":"user","content":[{"type":"input_text","text":"<turn_aborted>x</turn_aborted>"}]}`, undone),
			[]string{`(user: typed "go")`, `(user: injected "<turn_aborted>x</turn_aborted>")`}},
		{"a compaction replaces the history", enveloped(asked, done,
			`compacted {"message":"sum","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}]}`, wanted),
			[]string{`(user: typed "go")`, `(assistant: model "done")`, `user: typed "go"`, `user: typed "more"`}},
		{"a compaction with a summary alone keeps what was typed", enveloped(asked, done, `compacted {"message":"sum"}`, wanted),
			[]string{`user: typed "go"`, `(assistant: model "done")`, `user: generated "sum"`, `user: typed "more"`}},
		{"an empty history", enveloped(asked, `compacted {"message":"","replacement_history":[]}`, done),
			[]string{`(user: typed "go")`, `assistant: model "done"`}},
		{"outputs of every form", enveloped(ran,
			`response_item {"type":"function_call_output","call_id":"c1","output":"{\"output\":\"in\\nside\",\"metadata\":{\"exit_code\":1}}"}`,
			`response_item {"type":"custom_tool_call","call_id":"c2","name":"apply_patch","input":"*** x"}`,
			`response_item {"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:,"}]}`,
			`response_item {"type":"local_shell_call","id":"c3","action":{"command":["ls"]}}`,
			`response_item {"type":"local_shell_call_output","id":"c3","output":null}`,
			`response_item {"type":"function_call","name":"request_user_input","arguments":"{}","call_id":"c4"}`,
			`response_item {"type":"function_call_output","call_id":"c4","output":"yes"}`),
			[]string{`assistant: call c1 shell cmd="ls"`, `tool: result c1 shell "in\nside"`, `assistant: call c2 apply_patch "*** x"`,
				`tool: result c2 apply_patch "a" input_image`, `assistant: call c3 local_shell command[0]="ls"`, `tool: result c3 local_shell`,
				`assistant: call c4 request_user_input`, `tool: typed result c4 request_user_input "yes"`}},
		{"bare items", "{\"id\":\"x\",\"timestamp\":\"2025-06-01T10:00:00Z\"}\n{\"record_type\":\"state\"}\n{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"go\"}]}\n",
			[]string{`user: typed "go"`}},
		{"nothing but a header", enveloped(`session_meta {"id":"s","base_instructions":{"text":"be good"}}`), nil},
		{"payloads that are none", "{\"type\":\"event_msg\",\"payload\":{}}\n{\"type\":\"compacted\",\"payload\":{\"replacement_history\":[1,null]}}\n{\"type\":\"response_item\",\"payload\":[]}\n{\"type\":\"response_item\",\"payload\":{\"type\":\"message\"}}\n",
			[]string{`(assistant: )`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, c.src)
			if f.Dialect != &codex {
				t.Errorf("decoded as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}

// TestCodexExit: a failure shows in the first lines of an output, and these stay.
func TestCodexExit(t *testing.T) {
	for text, failed := range map[string]bool{
		`Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\nx`: true,
		`Exit code: -1\nWall time: 1 seconds\nOutput:\nx`:                           true,
		`Exit code: 0\nWall time: 1 seconds\nOutput:\nProcess exited with code 2`:   false,
		`the log says\nProcess exited with code 2`:                                  false,
		`Exit code: many`: false,
	} {
		f := decoded(t, enveloped(ran, strings.Replace(came, `"a"`, `"`+text+`"`, 1)))
		b := f.Convs[0].Messages[1].Blocks[0]
		if b.Error != failed {
			t.Errorf("%s: error %t", text, b.Error)
		}
		out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, "[gone]")
		if failed != strings.Contains(out, `\n[gone]"`) {
			t.Errorf("%s became %s", text, out)
		}
	}
}

// TestCodexWrapped: the text of an older output is rewritten inside of its JSON.
func TestCodexWrapped(t *testing.T) {
	f := decoded(t, enveloped(ran, strings.Replace(came, `"a"`, `"{\"output\":\"in\\nside\",\"metadata\":{\"exit_code\":1}}"`, 1)))
	out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, `[a "b"]`)
	if want := `"output":"{\"output\":\"[a \\\"b\\\"]\",\"metadata\":{\"exit_code\":1}}"`; !strings.Contains(out, want) {
		t.Errorf("no %s in\n%s", want, out)
	}
}

// TestCodexEvents: what an event repeats goes with it.
func TestCodexEvents(t *testing.T) {
	long := strings.Repeat("a long line of output that somebody would find if it were left ", 5)
	f := decoded(t, enveloped(asked, `event_msg {"type":"user_message","message":"go\n"}`,
		ran, `event_msg {"type":"exec_command_end","call_id":"c1","command":["ls"],"aggregated_output":"`+long+`\n"}`,
		strings.Replace(came, `"a"`, `"`+long+`"`, 1),
		`event_msg {"type":"agent_message","message":"done"}`, done,
		`event_msg {"type":"task_complete","last_agent_message":"done"}`))
	out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[ls: 1 line omitted]")
	if strings.Contains(out, "a long line") || strings.Count(out, "[ls: 1 line omitted]") != 2 || !strings.Contains(out, `"command":["ls"]`) {
		t.Errorf("the output is still in\n%s", out)
	}
	out = dropped(t, f, transcript.Ref{Msg: 1}, transcript.Ref{Msg: 2}, transcript.Ref{Msg: 3})
	if strings.Contains(out, "exec_command_end") || strings.Contains(out, `"type":"agent_message"`) || !strings.Contains(out, "user_message") {
		t.Errorf("events stay without what they tell about:\n%s", out)
	}
}

// TestCodexRollback: hidden turns that go are not taken back any more.
func TestCodexRollback(t *testing.T) {
	two := strings.Replace(undone, "1}", "2}", 1)
	src := enveloped(asked, done, wanted, strings.Replace(wanted, "more", "and more", 1), two, wanted)
	for _, c := range []struct {
		drop []transcript.Ref
		want string
	}{
		{[]transcript.Ref{{Msg: 2}}, `"num_turns":1}`},
		{[]transcript.Ref{{Msg: 3}}, `"num_turns":1}`},
		{[]transcript.Ref{{Msg: 2}, {Msg: 3}}, ""},
		{[]transcript.Ref{{Msg: 1}}, `"num_turns":2}`},
	} {
		out := dropped(t, decoded(t, src), c.drop...)
		if c.want == "" && strings.Contains(out, "rolled_back") || !strings.Contains(out, c.want) {
			t.Errorf("without %v:\n%s", c.drop, out)
		}
	}
}

// TestCodexInsert: new messages are lines like the others, and items in a history.
func TestCodexInsert(t *testing.T) {
	src := enveloped(asked, `compacted {"message":"","replacement_history":[{"type":"message","role":"user","content":[]}, {"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}]}`, done)
	for at, want := range map[int]string{
		2:              `"content":[]}, {"type":"message","role":"user","content":[{"type":"input_text","text":"[new]"}]}, {"type"`,
		3:              "\n" + `{"timestamp":"2026-03-02T09:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"[new]"}]}}` + "\n",
		transcript.End: `"[new]"}]}}` + "\n",
	} {
		f := decoded(t, src)
		next, err := f.Convs[0].Apply([]transcript.Edit{{At: transcript.Ref{Msg: at, Block: transcript.Whole, Part: transcript.Whole}, Op: transcript.Insert, New: &transcript.Message{
			Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "[new]"}}}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		final := []*transcript.Conversation{next}
		out, err := f.Bytes(final)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Verify(final, out); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("inserted at %d:\n%s", at, out)
		}
	}
}
