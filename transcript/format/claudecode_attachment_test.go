package format

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// ccAttachment is a record of the client. rendered are its texts as they are sent; none
// stands for a version that does not write them.
func ccAttachment(id, parent, attachment string, rendered ...string) string {
	more := ""
	if rendered != nil {
		var list []string
		for _, r := range rendered {
			list = append(list, fmt.Sprintf(`{"content":%q}`, r))
		}
		more = `,"rendered":[` + strings.Join(list, ",") + `],"renderedRole":"system"`
	}
	return fmt.Sprintf(`{"type":"attachment","uuid":%q,"parentUuid":%q,"sessionId":"s","attachment":%s%s}`, id, parent, attachment, more)
}

// TestClaudeCodeAttachments checks which texts of attachments count, and with which message.
func TestClaudeCodeAttachments(t *testing.T) {
	for name, c := range map[string]struct {
		lines, want []string
	}{
		"a reminder joins the prompt": {
			[]string{ccUser("1", "", "go"), ccAttachment("2", "1", `{"type":"date","date":"2026"}`, "It is 2026."), ccText("3", "2", "m", "done")},
			[]string{`user: typed "go" | injected date "It is 2026."`, `assistant: model "done"`},
		},
		"a reminder joins the result": {
			[]string{ccUser("1", "", "go"), ccCall("2", "1", "m", "c1"), ccResult("3", "2", "c1"), ccAttachment("4", "3", `{"type":"date"}`, "It is 2026."), ccText("5", "4", "n", "done")},
			[]string{`user: typed "go"`, `assistant: call c1 Read`, `user: result c1 "ok" | injected date "It is 2026."`, `assistant: model "done"`},
		},
		"a mentioned file, as older versions wrote it": {
			[]string{ccUser("1", "", "@a.go"), ccAttachment("2", "1", `{"type":"file","filename":"/a.go","content":{"type":"text","file":{"filePath":"/a.go","content":"package a"}}}`)},
			[]string{`user: typed "@a.go" | injected file /a.go="package a"`},
		},
		"typed while the model worked": {
			[]string{ccUser("1", "", "go"), ccCall("2", "1", "m", "c1"), ccResult("3", "2", "c1"),
				ccAttachment("4", "3", `{"type":"queued_command","prompt":"and b","commandMode":"prompt"}`, "Also: and b. Do it."), ccText("5", "4", "n", "done")},
			[]string{`user: typed "go"`, `assistant: call c1 Read`, `user: result c1 "ok"`, `user: typed queued_command "and b"`, `assistant: model "done"`},
		},
		"a note of the client that waited": {
			[]string{ccUser("1", "", "go"), ccAttachment("2", "1", `{"type":"queued_command","prompt":"task over","commandMode":"task-notification"}`)},
			[]string{`user: typed "go" | injected queued_command "task over"`},
		},
		"rendered as a list of blocks": {
			[]string{ccUser("1", "", "go"), strings.Replace(ccAttachment("2", "1", `{"type":"date"}`, "B"), `"B"`, `[{"type":"text","text":"It is"},{"type":"text","text":"2026."}]`, 1)},
			[]string{`user: typed "go" | injected date "It is" | injected date "2026."`},
		},
		"no user message before": {
			[]string{ccUser("1", "", "go"), ccText("2", "1", "m", "done"), ccAttachment("3", "2", `{"type":"date"}`, "It is 2026."), ccUser("4", "3", "more")},
			[]string{`user: typed "go"`, `assistant: model "done"`, `user: injected date "It is 2026."`, `user: typed "more"`},
		},
		"nothing that is sent": {
			[]string{ccUser("1", "", "go"), ccAttachment("2", "1", `{"type":"command_permissions","allowedTools":[]}`), ccText("3", "2", "m", "done")},
			[]string{`user: typed "go"`, `assistant: model "done"`},
		},
		"the system prompt is framing": {
			[]string{ccUser("1", "", "go"), ccAttachment("2", "1", `{"type":"prompt_snapshot","systemPrompt":["old"]}`), ccText("3", "2", "m", "done"),
				ccUser("4", "3", "more"), ccAttachment("5", "4", `{"type":"prompt_snapshot","systemPrompt":["new","ly"]}`)},
			[]string{`user: typed "go"`, `assistant: model "done"`, `user: typed "more"`},
		},
	} {
		f := decoded(t, strings.Join(c.lines, "\n")+"\n")
		if got := show(f.Convs[0]); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestClaudeCodeAttachmentEdits checks that attachments are removed with their message, and that the
// structure beside a rendered text loses what the text loses.
func TestClaudeCodeAttachmentEdits(t *testing.T) {
	long := strings.Repeat("a line of the mentioned file that somebody would find\n", 9)
	file := fmt.Sprintf(`{"type":"file","filename":"/a.go","content":{"file":{"content":%q}}}`, long)
	src := strings.Join([]string{
		ccUser("1", "", "go"), ccText("2", "1", "m", "done"), ccUser("3", "2", "@a.go"), ccAttachment("4", "3", file, "read a.go", long),
		ccAttachment("5", "4", `{"type":"command_permissions"}`), ccText("6", "5", "n", "read"), ccUser("7", "6", "thanks"),
	}, "\n") + "\n"
	f := decoded(t, src)
	out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 2, Part: transcript.Whole}, "[a.go: 9 lines omitted]")
	if strings.Contains(out, "somebody") || strings.Count(out, "[a.go: 9 lines omitted]") != 2 || !strings.Contains(out, "read a.go") {
		t.Errorf("the file is still in\n%s", out)
	}
	out = dropped(t, f, transcript.Ref{Msg: 2}, transcript.Ref{Msg: 3})
	if strings.Contains(out, `"attachment"`) || !strings.Contains(out, `"uuid":"7","parentUuid":"2"`) {
		t.Errorf("attachments stay without their message:\n%s", out)
	}
}

// TestClaudeCodeCopies checks that copies of requests and of waiting prompts go when the messages that they
// repeat change, and stay otherwise.
func TestClaudeCodeCopies(t *testing.T) {
	src, err := os.ReadFile("../../testdata/sessions/claude-code/attachments.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f := decoded(t, string(src))
	var result transcript.Ref
	for ref, b := range f.Convs[0].Blocks() {
		if b.Kind == transcript.ToolResult && strings.Contains(b.Text(), "KILN-7431") {
			result = ref
		}
	}
	out := rewritten(t, f, result, "[check of the curve: 2 lines]")
	if n := strings.Count(out, "api-request-blob"); n != strings.Count(string(src), "api-request-blob")-1 {
		t.Errorf("%d copies of requests are left", n)
	}
	if n := strings.Count(out, "KILN-7431"); n > 1 { // the form for the user interface is short
		t.Errorf("the removed text occurs %d times", n)
	}
	out = dropped(t, f, transcript.Ref{Msg: 0})
	if strings.Contains(out, "Why did the kiln stall at 573 degrees yesterday") && strings.Count(out, `"operation":"enqueue"`) != 1 {
		t.Errorf("a removed prompt is still in the queue")
	}
}

// TestAttachmentForms checks which texts count of an attachment without rendered texts, for each kind and each form in
// which its content can stand.
func TestAttachmentForms(t *testing.T) {
	const list, object = `[{"type":"text","text":"A"},"B",7]`, `{"a":"A","b":"B","c":7}`
	for _, tt := range []struct {
		kind, member string
		plain, whole bool // a string counts; so do the strings of a list or object
	}{
		{"file", `"content":{"file":{"content":%s}}`, true, false},
		{"nested_memory", `"content":{"content":%s}`, true, false},
		{"queued_command", `"prompt":%s`, true, true},
		{"edited_text_file", `"snippet":%s`, true, false},
		{"plan_file_reference", `"planContent":%s`, true, false},
		{"skill_listing", `"content":%s`, true, true},
		{"selected_lines_in_ide", `"content":%s`, true, true},
		{"hook_success", `"content":%s`, true, true},
		{"hook_additional_context", `"content":%s`, true, true},
		{"total_tokens_reminder", `"text":%s`, true, false},
		{"model", `"text":%s`, true, false},
		{"session_context", `"context":%s`, true, true},
		{"invoked_skills", `"skills":[{"name":"s","content":%s}]`, true, false},
		{"something_new", `"content":%s`, false, false},
	} {
		for value, texts := range map[string][]string{`"A"`: {"A"}, `""`: nil, "7": nil, "null": nil, list: {"A", "B"}, object: {"A", "B"}} {
			if strings.HasPrefix(value, "\"") && !tt.plain || len(texts) == 2 && !tt.whole {
				texts = nil
			}
			attachment := fmt.Sprintf(`{"type":%q,`+tt.member+`}`, tt.kind, value)
			f := decoded(t, strings.Join([]string{ccUser("1", "", "go"), ccAttachment("2", "1", attachment), ccText("3", "2", "m", "done")}, "\n"))
			var got []string
			for _, m := range f.Convs[0].Messages {
				for _, b := range m.Blocks {
					if b.Tool == tt.kind {
						got = append(got, b.Text())
					}
				}
			}
			if !slices.Equal(got, texts) {
				t.Errorf("%s: %q, want %q", attachment, got, texts)
			}
		}
	}
}

// TestQueuedGoesWhole checks that the words of the client around a queued command go with it: a
// quotation of them in a summary would be read as a reminder, and so would the prompt.
func TestQueuedGoesWhole(t *testing.T) {
	const shown = "<system-reminder>\nThis message came:\nand b\n\nAnswer it.\n</system-reminder>"
	src := []byte(strings.Join([]string{
		ccUser("1", "", "go"), ccText("2", "1", "m", "first"),
		ccAttachment("3", "2", `{"type":"queued_command","prompt":"and b","commandMode":"prompt"}`, shown), ccText("4", "3", "n", "done"),
	}, "\n") + "\n")
	f, err := Decode(src, "claude-code")
	if err != nil {
		t.Fatal(err)
	}
	c := f.Convs[0]
	var edits []transcript.Edit
	for _, m := range c.Messages {
		for _, b := range m.Blocks {
			if b.Tool == "queued_command" {
				if b.Text() != "and b" || b.Origin != transcript.Typed {
					t.Errorf("the queued command is %q, %v", b.Text(), b.Origin)
				}
				edits = append(edits, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop})
			}
		}
	}
	final, err := c.Apply(edits)
	if err != nil || len(edits) != 1 {
		t.Fatalf("%d edits, %v", len(edits), err)
	}
	out, err := f.Bytes([]*transcript.Conversation{final})
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"and b", "This message came", "Answer it"} {
		if strings.Contains(string(out), gone) {
			t.Errorf("%q is left in %s", gone, out)
		}
	}
}

// TestClaudeCodePrompt checks that the last snapshot with a prompt on the branch that continues is the system prompt.
func TestClaudeCodePrompt(t *testing.T) {
	start := []string{ccUser("1", "", "go"), ccAttachment("2", "1", `{"type":"prompt_snapshot","systemPrompt":["old"]}`), ccText("3", "2", "m", "done")}
	for snapshot, want := range map[string]string{
		`{"type":"prompt_snapshot","systemPrompt":["new"]}`: "new",
		`{"type":"prompt_snapshot","systemPrompt":"new"}`:   "old",
		`{"type":"prompt_snapshot"}`:                        "old",
	} {
		f := decoded(t, strings.Join(append(start, ccUser("4", "3", "more"), ccAttachment("5", "4", snapshot)), "\n")+"\n")
		if got := f.Convs[0].Framing; len(got) != 1 || got[0].Text() != want {
			t.Errorf("%s: the prompt is %v, want %q", snapshot, got, want)
		}
	}
}
