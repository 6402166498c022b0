package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// cpEvents chains events, each a kind and its data, with the ids 1, 2, ….
func cpEvents(events ...[2]string) string {
	lines := make([]string, len(events))
	for i, e := range events {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"%d"`, i)
		}
		lines[i] = fmt.Sprintf(`{"type":%q,"data":%s,"id":"%d","timestamp":"2026-03-01T08:00:00Z","parentId":%s}`, e[0], e[1], i+1, parent)
	}
	return strings.Join(lines, "\n")
}

func cpUser(content, transformed string) [2]string {
	return [2]string{"user.message", fmt.Sprintf(`{"content":%q,"transformedContent":%q}`, content, transformed)}
}

func cpSays(text, calls string) [2]string {
	return [2]string{"assistant.message", fmt.Sprintf(`{"content":%q,"toolRequests":[%s],"outputTokens":7}`, text, calls)}
}

func cpResult(call, text string) [2]string {
	return [2]string{"tool.execution_complete", fmt.Sprintf(
		`{"toolCallId":%q,"success":true,"result":{"content":%q,"detailedContent":%q}}`, call, text, "detail of "+text)}
}

const (
	cpCall1 = `{"toolCallId":"c1","name":"view","arguments":{"path":"a"}}`
	cpCall2 = `{"toolCallId":"c2","name":"bash","arguments":"ls"}`
)

func TestCopilot(t *testing.T) {
	system := [2]string{"system.message", `{"role":"system","content":"rules"}`}
	for _, tc := range []struct {
		name   string
		events [][2]string
		want   []string
	}{
		{"calls, results and failures", [][2]string{
			cpUser("go", "go"), {"assistant.message", `{"content":"","reasoningText":"hm","reasoningOpaque":"xx","toolRequests":[` + cpCall1 + "," + cpCall2 + `]}`},
			{"tool.execution_start", `{"toolCallId":"c1"}`}, cpResult("c1", "text"),
			{"tool.execution_complete", `{"toolCallId":"c2","success":false,"error":{"message":"no such thing","code":"failure"}}`},
			cpSays("done", ""),
		}, []string{
			`user: typed "go"`, `assistant: thinking "hm" | call c1 view path="a" | call c2 bash "ls"`,
			`tool: result c1 "text"`, `tool: result c2 "no such thing"`, `assistant: model "done"`,
		}},
		{"what the client puts around a prompt", [][2]string{
			cpUser(" go\n", "<now>8</now>\n\ngo\n\n<system_reminder>x</system_reminder>"), cpUser("", "<now>9</now>"), cpUser("/plan x", "Plan x."), {"user.message", `{"content":"alone"}`},
		}, []string{
			`user: injected "<now>8</now>\n\n" | typed "go" | injected "\n\n<system_reminder>x</system_reminder>"`,
			`user: injected "<now>9</now>"`, `user: typed "Plan x."`, `user: typed "alone"`,
		}},
		{"the system prompt is framing", [][2]string{system, cpUser("a", "a"), system, cpUser("b", "b")}, []string{
			`user: typed "a"`, `user: typed "b"`,
		}},
		{"notices and skills for the model", [][2]string{
			cpUser("a", "a"), {"session.mode_notice_delivered", `{"mode":"plan","content":"Plan first."}`}, {"skill.context_delivered", `{"content":"<skill>s</skill>","source":"skill-s"}`},
		}, []string{
			`user: typed "a"`, `user: injected "Plan first."`, `user: injected "<skill>s</skill>"`,
		}},
		{"a compaction, with a message while it ran", [][2]string{
			system, cpUser("a", "a"), {"session.compaction_start", `{}`}, cpSays("b", ""), {"session.compaction_complete", `{"success":true,"summaryContent":"so far"}`},
			{"session.compaction_complete", `{"success":false,"summaryContent":"failed"}`}, cpUser("c", "c"),
		}, []string{
			`(user: typed "a")`, `assistant: model "b"`, `user: generated "so far"`, `user: typed "c"`,
		}},
		{"a rewind, and a sub-agent", [][2]string{
			cpUser("a", "a"), cpUser("b", "b"), cpSays("taken back", ""), {"session.snapshot_rewind", `{"upToEventId":"2"}`},
			{"assistant.message", `{"content":"aside","parentToolCallId":"c9","toolRequests":[]}`}, cpSays("seen", ""),
		}, []string{
			`user: typed "a"`, `(user: typed "b")`, `(assistant: model "taken back")`, `(assistant: model "aside")`, `assistant: model "seen"`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := decoded(t, cpEvents(tc.events...))
			if f.Dialect != &copilotCLI {
				t.Fatalf("taken for %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], tc.want...)
		})
	}
}

// TestCopilotPrompt checks that typed text changes in both places: alone, and within the client's
// text.
// TestCopilotReasoning checks that reasoning is removed with all members that hold it, however they are sealed.
func TestCopilotReasoning(t *testing.T) {
	for _, members := range []string{
		`"reasoningText":"hm"`, `"reasoningOpaque":"xyz"`, `"encryptedContent":"xyz"`,
		`"reasoningText":"hm","reasoningOpaque":"xyz"`, `"encryptedContent":"xyz","reasoningText":"hm"`,
		`"reasoningOpaque":"xyz","encryptedContent":"uvw"`, `"reasoningText":"hm","reasoningOpaque":"xyz","encryptedContent":"uvw"`,
	} {
		f := decoded(t, cpEvents(cpUser("q", "q"), [2]string{"assistant.message", `{"content":"yes",` + members + `}`}))
		b := f.Convs[0].Messages[1].Blocks[0]
		sealed := 3
		if !strings.Contains(members, "xyz") {
			sealed = 0
		}
		if b.Kind != transcript.Thinking || b.Opaque != sealed || b.Fixed != (sealed > 0) {
			t.Errorf("%s: %s, opaque %d, fixed %t", members, b.Kind, b.Opaque, b.Fixed)
		}
		if out := edited(t, f, dropBlock(1, 0)); !strings.Contains(out, `"data":{"content":"yes"}`) {
			t.Errorf("without %s: %s", members, out)
		}
	}
	long := strings.Repeat("a text that is long enough to be looked for; ", 6) // a seal is never changed, whatever it looks like
	said := func(text string) string {
		return fmt.Sprintf(`{"content":%q,"reasoningOpaque":%q,"encryptedContent":%q,"note":%q}`, text, long, long, text)
	}
	f := decoded(t, cpEvents(cpUser("q", "q"), [2]string{"assistant.message", said(long)}))
	out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 1, Part: transcript.Whole}, "[omitted]")
	if want := cpEvents(cpUser("q", "q"), [2]string{"assistant.message", said("[omitted]")}); out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestCopilotPrompt(t *testing.T) {
	f := decoded(t, cpEvents(cpUser(" go on\n", "<now>8</now>\n\ngo on\n\n<hint/>"), cpSays("ok", "")))
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 1, Part: transcript.Whole}, "[prompt omitted]")
	contains(t, out, []string{`"content":" [prompt omitted]\n","transformedContent":"<now>8</now>\n\n[prompt omitted]\n\n<hint/>"`})
	out = edited(t, f, transcript.Edit{At: transcript.Ref{Msg: 0, Block: 2, Part: transcript.Whole}, Op: transcript.Drop})
	contains(t, out, []string{`"content":" go on\n"`, `\n\ngo on"`}, "hint")
}

// TestCopilotDrop checks that a call is removed with its events, that the chain is relinked, and
// that hooks lose the text of the result.
func TestCopilotDrop(t *testing.T) {
	long := strings.Repeat("a line that is long enough to be looked for, ", 6)
	src := cpEvents(
		cpUser("go", "go"), cpSays("Looking.", cpCall1+","+cpCall2), [2]string{"tool.execution_start", `{"toolCallId":"c1","toolName":"view"}`},
		[2]string{"hook.start", fmt.Sprintf(`{"hookType":"postToolUse","input":{"toolName":"view","toolArgs":"{}","toolResult":{"textResultForLlm":%q,"sessionLog":%q}}}`, long, "log of "+long)},
		cpResult("c1", long), cpResult("c2", "two"), cpSays("done", ""),
	)
	f := decoded(t, src)
	half := func(msg, block int) transcript.Edit {
		return transcript.Edit{At: transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}, Op: transcript.Drop}
	}
	out := edited(t, f, half(1, 1), half(2, 0))
	contains(t, out, []string{`"toolRequests":[{"toolCallId":"c2"`, `"id":"4","timestamp":"2026-03-01T08:00:00Z","parentId":"2"`, `"id":"6","timestamp":"2026-03-01T08:00:00Z","parentId":"4"`},
		"c1", "long enough")
	out = rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "[view omitted]")
	contains(t, out, []string{`"textResultForLlm":"[view omitted]","sessionLog":"[view omitted]"`, `"detailedContent":"[view omitted]"`}, "long enough")
	out = edited(t, f, half(1, 0))
	contains(t, out, []string{`"content":"","toolRequests"`}, "Looking")
}
