package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestAgentNeighbours checks that sources that resemble these dialects are not taken for them.
func TestAgentNeighbours(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"chats of roles":             {`[{"role":"user","content":"a"},{"role":"assistant","content":"` + "```bash\\nls\\n```" + `"},{"role":"user","content":"thanks"}]`, "openai"},
		"a history of plain chat":    {`{"history":[{"role":"user","content":"a"}]}`, "openai"},
		"rows of messages":           {`[{"id":"x","messages":[{"role":"user","content":"a"}]}]`, "openai"},
		"actions without events":     {`[{"action":"buy","id":1}]`, ""},
		"steps that are both":        {`[{"action":"ls","observation":"a","response":"b","content":"c"}]`, ""},
		"conversations of Grok":      {`{"conversations":[{"conversation":{"id":"x"},"responses":[]}]}`, "grok"},
		"an evaluation of something": {`{"status":"ok","eval":{"score":1},"samples":[1]}`, ""},
	} {
		f, err := Decode([]byte(test.src), "")
		switch {
		case err != nil && test.want != "":
			t.Errorf("%s: %v", name, err)
		case err == nil && f.Dialect.Name != test.want:
			t.Errorf("%s: claimed by %s", name, f.Dialect.Name)
		}
	}
}

// TestAgentInsert checks that new messages have the form of their neighbours.
func TestAgentInsert(t *testing.T) {
	marker := transcript.Marker("3 messages")
	for name, test := range map[string]struct{ src, want string }{
		"swe-agent": {`{"history":[{"role":"user","content":"t","agent":"main","thought":""}]}`,
			`{"history":[{"role":"user","content":"t","agent":"main","thought":""},{"role":"user","content":"` + marker + `","agent":"main"}]}`},
		"nebius": {`[{"trajectory":[{"role":"user","text":"t"}]}]`, `[{"trajectory":[{"role":"user","text":"t"},{"role":"user","text":"` + marker + `"}]}]`},
		"openhands": {`[{"id":4,"source":"user","action":"message","args":{"content":"t"}}]`,
			`[{"id":4,"source":"user","action":"message","args":{"content":"t"}},{"id":5,"source":"user","message":"` + marker + `","action":"message","args":{"content":"` + marker + `","image_urls":null,"wait_for_response":false}}]`},
		"openhands, flat": {`{"history":[{"content":"t","action":"message"}]}`,
			`{"history":[{"content":"t","action":"message"},{"content":"` + marker + `","wait_for_response":false,"action":"message","source":"user"}]}`},
		"sharegpt":           {`[{"conversations":[{"from":"user","value":"t"}]}]`, `[{"conversations":[{"from":"user","value":"t"},{"from":"user","value":"` + marker + `"}]}]`},
		"sharegpt, by roles": {`[{"conversations":[{"role":"user","content":"t"}]}]`, `[{"conversations":[{"role":"user","content":"t"},{"role":"user","content":"` + marker + `"}]}]`},
		"inspect": {`{"status":"success","eval":{"task":"x"},"samples":[{"messages":[{"role":"user","content":"t"}]}]}`,
			`{"status":"success","eval":{"task":"x"},"samples":[{"messages":[{"role":"user","content":"t"},{"role":"user","content":"` + marker + `"}]}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, test.src)
			next, err := f.Convs[0].Apply([]transcript.Edit{{
				At: transcript.Ref{Msg: transcript.End, Block: transcript.Whole, Part: transcript.Whole}, Op: transcript.Insert,
				New: &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: marker}}}}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			final := []*transcript.Conversation{next}
			out, err := f.Bytes(final)
			if err != nil || string(out) != test.want {
				t.Errorf("%v: written\n\t%s\nwant\n\t%s", err, out, test.want)
			}
			if _, err := f.Verify(final, out); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSWEAgentQuotedCommand checks that a new answer with a command in its text stays a text.
func TestSWEAgentQuotedCommand(t *testing.T) {
	const answer = "DISCUSSION\nAll is well.\n\n```\nsubmit\n```"
	for name, src := range map[string]string{
		"swe-agent":      `{"history":[{"role":"user","content":"t","agent":"main","thought":""}]}`,
		"nebius":         `[{"trajectory":[{"role":"user","text":"t"}]}]`,
		"mini-swe-agent": `{"trajectory_format":"mini-swe-agent-1","messages":[{"role":"user","content":"t"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, src)
			next, err := f.Convs[0].Apply([]transcript.Edit{{
				At: transcript.Ref{Msg: transcript.End, Block: transcript.Whole, Part: transcript.Whole}, Op: transcript.Insert,
				New: &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{{Origin: transcript.ByModel, Parts: []transcript.Part{{Text: answer}}}}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			out, err := f.Bytes([]*transcript.Conversation{next})
			if err != nil {
				t.Fatal(err)
			}
			read := decoded(t, string(out)).Convs[0].Messages
			if b := read[len(read)-1].Blocks; len(b) != 1 || b[0].Kind != transcript.Text || b[0].Text() != answer {
				t.Errorf("%s is read as %d blocks", out, len(b))
			}
		})
	}
}

// TestSWEAgentBetween checks that the answer after a command without output stays. Without it, a later
// text of the client would be the output of that command.
func TestSWEAgentBetween(t *testing.T) {
	for _, between := range []string{`I am not sure.`, `Create it.\n<command>\ncreate a.go\n</command>`} {
		testBetween(t, between)
	}
}

func testBetween(t *testing.T, between string) {
	src := `{"history":[{"role":"system","content":"s"},{"role":"user","content":"task"},` +
		`{"role":"assistant","content":"Done.\n<command>\nsubmit\n</command>"},{"role":"assistant","content":"` + between + `","thought":"s","agent":"primary"},` +
		`{"role":"user","content":"Your output was not formatted correctly."},{"role":"assistant","content":"Look.\n<command>\nls\n</command>"},` +
		`{"role":"user","content":"a.go"},{"role":"assistant","content":"I think so."}]}`
	for i, m := range decoded(t, src).Convs[0].Messages {
		if m.Shadows != (i == 3) {
			t.Errorf("message %d shadows others: %t", i+1, m.Shadows)
		}
	}
}

// TestSWEAgentLost checks that the output of a command that is not in the text of the answer stays, together with
// the answer. Without it, a later text of the client would be the output of that command.
func TestSWEAgentLost(t *testing.T) {
	src := `{"history":[{"role":"user","content":"task","agent":"primary"},{"role":"assistant","content":"Look.","action":"ls","thought":"s","agent":"primary"},` +
		`{"role":"user","content":"a.go"},{"role":"user","content":"Your output was not formatted correctly."}]}`
	for i, m := range decoded(t, src).Convs[0].Messages {
		if m.Shadows != (i == 1 || i == 2) {
			t.Errorf("message %d shadows others: %t", i+1, m.Shadows)
		}
	}
}

// TestLastFence checks that a block ends at a line that begins with the fence, and not at the same sign within
// its text.
func TestLastFence(t *testing.T) {
	code := "cat <<'EOF' > a.py\nif text.startswith('```json'):\n    text = text[7:]\nEOF"
	for text, want := range map[string]string{
		"I write it.\n\n```bash\n" + code + "\n```":       code,
		"I write it.\n\n```bash\n" + code + "\n```\nDone": code,
		"```bash\nls\n```\nand\n```\nmake\n```":           "make",
		"```python\nx\n\n```bash\nls\n```":                "ls",
		"Use ```ls``` here.":                              "",
		"```bash\nls":                                     "",
	} {
		found, ok := lastFence(text)
		if got := text[found.from:found.to]; ok != (want != "") || strings.TrimSuffix(got, "\n") != want {
			t.Errorf("%q: got %q, %t", text, got, ok)
		}
	}
}

// TestMiniSWEObjectContent checks that an object is read as content with calls beside it and without.
func TestMiniSWEObjectContent(t *testing.T) {
	for calls, want := range map[string]string{
		"":                           `assistant: model "s"`,
		`,"tool_calls":[{"id":"1"}]`: `assistant: model "s" | open call 1`,
		`,"tool_calls":[]`:           `assistant: model "s"`,
	} {
		f := decoded(t, `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":{"text":"s"}`+calls+`}],"trajectory_format":"mini-swe-agent-1"}`)
		if got := show(f.Convs[0])[1]; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", calls, got, want)
		}
	}
}
