package format

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"condense/transcript"
)

// ocDoc is an OpenCode export; more are members of its info.
func ocDoc(more string, messages ...string) string {
	return fmt.Sprintf(`{"info":{"id":"ses_1"%s},"messages":[%s]}`, more, strings.Join(messages, ","))
}

func ocUser(id string, parts ...string) string {
	return fmt.Sprintf(`{"info":{"role":"user","id":%q},"parts":[%s]}`, id, strings.Join(parts, ","))
}

func ocSays(id, parent, more string, parts ...string) string {
	return fmt.Sprintf(`{"info":{"role":"assistant","id":%q,"parentID":%q,"finish":"stop"%s},"parts":[%s]}`, id, parent, more, strings.Join(parts, ","))
}

func ocText(text, more string) string { return fmt.Sprintf(`{"type":"text","text":%q%s}`, text, more) }

// ocTool is a call of bash; more are further members of its state.
func ocTool(call, status, more string) string {
	return fmt.Sprintf(`{"type":"tool","callID":%q,"tool":"bash","state":{"status":%q,"input":{"command":"ls","n":1.50}%s}}`, call, status, more)
}

const ocCompaction = `{"type":"compaction","auto":true}`

func TestOpenCode(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"call and result in one part", ocDoc("", ocUser("u", ocText("go", "")), ocSays("a", "u", "", `{"type":"step-start"}`,
			`{"type":"reasoning","text":"hm","metadata":{"x":{"reasoningEncryptedContent":"zz"}}}`,
			ocTool("c1", "completed", `,"output":"out"`), ocTool("c1", "error", `,"error":"bad"`), ocText("ok", ""), ocTool("c3", "running", ""))),
			[]string{`user: typed "go"`, `assistant: thinking "hm" | call c1 bash command="ls" n=1.50 | result c1 bash "out" | ` +
				`call c1 bash command="ls" n=1.50 | result c1 bash "bad" | model "ok" | open call c3 bash command="ls" n=1.50`}},
		{"who wrote the texts of a user message", ocDoc("", ocUser("u", ocText("go <system-reminder>x</system-reminder>", ""), ocText("called", `,"synthetic":true`),
			ocText("shown", `,"ignored":true`), `{"type":"file","mime":"text/plain","url":"file:///a"}`, `{"type":"file","mime":"image/png","url":"data:image/png;base64,aaaa"}`,
			`{"type":"subtask","prompt":"review"}`)),
			[]string{`user: typed "go " | injected "<system-reminder>x</system-reminder>" | injected "called" | media image/png | typed "review"`}},
		{"a result that was pruned", ocDoc("", ocSays("a", "u", "", ocTool("c1", "completed", `,"output":"out","time":{"compacted":1}`))),
			[]string{`assistant: call c1 bash command="ls" n=1.50 | result c1 bash`}},
		{"a compaction", ocDoc("", ocUser("1", ocText("a", "")), ocUser("2", ocCompaction), ocSays("3", "2", `,"summary":true`, ocText("so far", "")), ocUser("4", ocText("b", ""))),
			[]string{`(user: typed "a")`, `user: `, `assistant: generated "so far"`, `user: typed "b"`}},
		{"a compaction that was not finished", strings.Replace(ocDoc("", ocUser("1", ocText("a", "")), ocUser("2", ocCompaction), ocSays("3", "2", `,"summary":true`)), `,"finish":"stop"`, "", 1),
			[]string{`user: typed "a"`, `user: `, `assistant: `}},
		{"a compaction that keeps messages", ocDoc("", ocUser("1", ocText("a", "")), ocUser("2", ocText("b", "")), ocUser("3", `{"type":"compaction","tail_start_id":"2"}`), ocSays("4", "3", `,"summary":true`, ocText("so far", ""))),
			[]string{`(user: typed "a")`, `user: typed "b"`, `user: `, `assistant: generated "so far"`}},
		{"a summary of an old version", ocDoc("", ocUser("1", ocText("a", "")), ocSays("2", "1", `,"summary":true`, ocText("so far", ""))),
			[]string{`(user: typed "a")`, `assistant: generated "so far"`}},
		{"messages that were taken back", ocDoc(`,"revert":{"messageID":"2"}`, ocUser("1", ocText("a", "")), ocUser("2", ocText("b", "")), ocSays("3", "2", "", ocText("c", ""))),
			[]string{`user: typed "a"`, `(user: typed "b")`, `(assistant: model "c")`}},
		{"parts that were taken back", ocDoc(`,"revert":{"messageID":"2","partID":"p"}`, ocUser("1", ocText("a", "")), ocSays("2", "1", "", ocText("b", ""), ocText("c", `,"id":"p"`)), ocUser("3", ocText("d", ""))),
			[]string{`user: typed "a"`, `assistant: model "b"`, `(user: typed "d")`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := decoded(t, tc.src)
			if f.Dialect != &openCode {
				t.Fatalf("taken for %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], tc.want...)
		})
	}
}

// TestOpenCodeInsertAfterRevert checks that a message at the end goes in front of those that the user took
// back: OpenCode hides everything behind them.
func TestOpenCodeInsertAfterRevert(t *testing.T) {
	messages := []string{ocUser("1", ocText("a", "")), ocSays("2", "1", "", ocText("b", ""), ocText("c", `,"id":"p"`)), ocUser("3", ocText("d", ""))}
	for _, tc := range []struct {
		name, revert string
		messages     []string
		want         []string
	}{
		{"to a message", `"messageID":"2"`, messages, []string{`user: typed "a"`, `user: generated "S"`, `(assistant: model "b" | model "c")`, `(user: typed "d")`}},
		{"to the last message", `"messageID":"3"`, messages, []string{`user: typed "a"`, `assistant: model "b" | model "c"`, `user: generated "S"`, `(user: typed "d")`}},
		{"to a part", `"messageID":"2","partID":"p"`, messages, []string{`user: typed "a"`, `user: generated "S"`, `assistant: model "b"`, `(user: typed "d")`}},
		{"to a part of the last message", `"messageID":"2","partID":"p"`, messages[:2], []string{`user: typed "a"`, `user: generated "S"`, `assistant: model "b"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := decoded(t, ocDoc(`,"revert":{`+tc.revert+`}`, tc.messages...))
			next, err := f.Convs[0].Apply([]transcript.Edit{{At: transcript.At(transcript.End), Op: transcript.Insert, New: &transcript.Message{
				Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "S"}}}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			shows(t, next, tc.want...)
			final := []*transcript.Conversation{next}
			out, err := f.Bytes(final)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Verify(final, out); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestOpenCodeEdits checks that call and result are removed with their part, that metadata loses the
// text that the result lost, and that answers refer to an existing question.
func TestOpenCodeEdits(t *testing.T) {
	long := strings.Repeat("a line that is long enough to be looked for, ", 6)
	f := decoded(t, ocDoc("", ocUser("u1", ocText("go", "")), ocUser("u2", ocText("on", "")), ocSays("a", "u2", "",
		ocTool("c1", "completed", fmt.Sprintf(`,"output":%q,"metadata":{"preview":%q,"exit":0}`, long, "begins "+long)), ocText("ok", ""))))
	out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 1, Part: transcript.Whole}, "[ls omitted]")
	contains(t, out, []string{`"output":"[ls omitted]","metadata":{"preview":"[ls omitted]","exit":0}`}, "begins")
	half := func(block int) transcript.Edit {
		return transcript.Edit{At: transcript.Ref{Msg: 2, Block: block, Part: transcript.Whole}, Op: transcript.Drop}
	}
	out = edited(t, f, half(0), half(1), transcript.Edit{At: transcript.At(1), Op: transcript.Drop})
	contains(t, out, []string{`"parentID":"u1"`, `"parts":[{"type":"text","text":"ok"}]`}, "c1")
}

// TestOpenCodeInsert checks that the id of a new message sorts between those of its neighbours.
// OpenCode sorts messages by id.
func TestOpenCodeInsert(t *testing.T) {
	const one, two = "msg_cf00d7280000aaaaaaaaaaaaaa", "msg_cf00d7281000bbbbbbbbbbbbbb"
	f := decoded(t, ocDoc("", ocUser(one, ocText("a", "")), ocUser(two, ocText("b", ""))))
	for _, at := range []transcript.Ref{transcript.At(1), transcript.At(transcript.End)} {
		note := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "note"}}}}}
		out := edited(t, f, transcript.Edit{At: at, Op: transcript.Insert, New: note})
		last := ""
		for _, c := range strings.Split(out, `"info":{`)[2:] {
			_, id, _ := strings.Cut(c, `"id":"`)
			id, _, _ = strings.Cut(id, `"`)
			if id <= last {
				t.Errorf("%s comes after %s", id, last)
			}
			last = id
		}
	}
}

// TestOpenCodeInsertOdd checks that a new message beside one with an odd id has an id that OpenCode could have made.
func TestOpenCodeInsertOdd(t *testing.T) {
	for id, want := range map[string]string{
		"msg_000000000001aaaaaaaaaaaaaa": `msg_000000000000\d\d[0-9A-Za-z]{12}`, // one less in front of the message
		"msg_000000000000aaaaaaaaaaaaaa": `msg_[0-9A-Za-z]{26}`,
		"msg_-00000000001aaaaaaaaaaaaaa": `msg_[0-9A-Za-z]{26}`,
		"msg_zzzzzzzzzzzzaaaaaaaaaaaaaa": `msg_[0-9A-Za-z]{26}`,
		"msg_cf00d7280000":               `msg_[0-9A-Za-z]{26}`, // no letters behind the number
		"msg_cf00d7280000a":              `msg_cf00d727ffff\d\d[0-9A-Za-z]{12}`,
		"msg_1":                          `msg_[0-9A-Za-z]{26}`,
		"u1":                             `msg_[0-9A-Za-z]{26}`,
	} {
		f := decoded(t, ocDoc("", ocUser(id, ocText("a", "")), ocSays("msg_other", id, "", ocText("b", ""))))
		if out := edited(t, f, insert(0, transcript.User, "note")); !regexp.MustCompile(`"info":\{"id":"` + want + `","role":"user"`).MatchString(out) {
			t.Errorf("in front of %s, want %s: %s", id, want, out)
		}
	}
}

// TestOpenCodeMedia checks that a text that replaces a file keeps the names of the part.
func TestOpenCodeMedia(t *testing.T) {
	f := decoded(t, ocDoc("", ocUser("u", `{"id":"prt_1","sessionID":"s","messageID":"u","type":"file","mime":"image/png","url":"data:image/png;base64,aaaa"}`)))
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: transcript.Whole}, "[image omitted]")
	contains(t, out, []string{`{"type":"text","text":"[image omitted]","id":"prt_1","sessionID":"s","messageID":"u"}`})
}
