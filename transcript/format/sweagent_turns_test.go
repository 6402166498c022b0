package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestAgentShapes decodes what the logs of agents and benchmarks differ in.
func TestAgentShapes(t *testing.T) {
	for name, test := range map[string]struct {
		src, dialect string
		want         []string
	}{
		"swe-agent: the last fence is the command, and the next user message what it printed": {
			`{"trajectory":[],"history":[{"role":"system","content":"S","agent":"primary"},{"role":"user","content":"old","is_demo":true,"agent":"primary"},
			{"role":"user","content":"task","agent":"primary"},{"role":"assistant","content":"see\n` + "```py\\n1\\n```\\nso\\n```\\nls\\n```" + `","action":"ls\n","thought":"so","agent":"primary"},
			{"role":"user","content":"a.go","agent":"primary"},{"role":"assistant","content":"no command","action":"","agent":"primary"},{"role":"user","content":"malformed","agent":"primary"}]}`,
			"swe-agent", []string{
				`system: injected "S"`, `user: injected "old"`, `user: typed "task"`,
				"assistant: model \"see\\n```py\\n1\\n```\\nso\\n\" | call prose 4 shell command=\"ls\\n\"",
				`user: result prose 4 shell "a.go"`, `assistant: model "no command"`, `user: injected "malformed"`,
			},
		},
		"swe-agent: the task behind a summary, and behind what stands for an answer to it": {
			`{"trajectory":[],"history":[{"role":"user","content":"<state_snapshot>\n</state_snapshot>"},{"role":"assistant","content":"[condense: so]"},
			{"role":"user","content":"task"},{"role":"assistant","content":"` + "```\\nls\\n```" + `","action":"ls\n"},{"role":"user","content":"a.go"},{"role":"user","content":"malformed"}]}`,
			"swe-agent", []string{
				`user: generated "<state_snapshot>\n</state_snapshot>"`, `assistant: model "[condense: so]"`,
				`user: typed "task"`, "assistant: call prose 4 shell command=\"ls\\n\"", `user: result prose 4 shell "a.go"`, `user: injected "malformed"`,
			},
		},
		"swe-agent: native calls, sealed thoughts, another agent": {
			`{"history":[{"role":"user","content":"task","agent":"main","message_type":"observation"},
			{"role":"assistant","content":"","agent":"main","thought":"","thinking_blocks":[{"thinking":"hm","signature":"x"}],"tool_calls":[{"id":"c1","function":{"name":"open","arguments":"{\"path\":\"a\",\"line\":3}"}}]},
			{"role":"assistant","content":"review","agent":"other"},{"role":"tool","content":[{"type":"text","text":"A"}],"agent":"main","tool_call_ids":["c1"]}]}`,
			"swe-agent", []string{
				`user: typed "task"`, `assistant: thinking "hm" | call c1 open path="a" line=3`,
				`(assistant: injected "review")`, `tool: result c1 "A"`,
			},
		},
		"swe-agent: rows of Nebius": {
			`[{"instance_id":"x","trajectory":[{"role":"system","text":null,"system_prompt":"S"},{"role":"user","text":"task"},{"role":"ai","text":"<command>\nls\n</command>"},{"role":"user","text":"out"}]}]`,
			"swe-agent", []string{`system: injected "S"`, `user: typed "task"`, `assistant: call prose 3 shell command="ls\n"`, `user: result prose 3 shell "out"`},
		},
		"mini-swe-agent: return codes, refusals, people": {
			`{"trajectory_format":"mini-swe-agent-1","messages":[{"role":"user","content":"task"},{"role":"assistant","content":"` + "```bash\\nls\\n```\\n```" + `"},{"role":"user","content":"<returncode>0</returncode>\nx"},
			{"role":"assistant","content":"` + "```bash\\nrm x\\n```" + `"},{"role":"user","content":"Command not executed. The user rejected your command with: no"},{"role":"assistant","content":"well"},{"role":"user","content":"try again"},{"role":"exit","content":"bye"}]}`,
			"mini-swe-agent", []string{
				`user: typed "task"`, "assistant: call prose 2 shell command=\"ls\\n\" | model \"\\n```\"", `user: result prose 2 shell "<returncode>0</returncode>\nx"`,
				`assistant: call prose 4 shell command="rm x\n"`, `user: typed result prose 4 shell "Command not executed. The user rejected your command with: no"`,
				`assistant: model "well"`, `user: typed "try again"`, `(assistant: injected "bye")`,
			},
		},
		"openhands: pairs by cause, thoughts, states": {
			`[{"id":0,"source":"agent","action":"system","args":{"content":"S"}},{"id":1,"source":"user","action":"message","args":{"content":"task","image_urls":["data:x"]}},{"id":2,"cause":1,"source":"user","observation":"null","content":""},
			{"id":5,"source":"agent","action":"run","args":{"command":"ls","thought":"look","is_input":false,"translated_ipython_code":"ls"}},{"id":6,"source":"environment","observation":"agent_state_changed","content":"","extras":{}},
			{"id":7,"cause":5,"observation":"run","content":"x","extras":{"metadata":{"exit_code":1}}},{"id":8,"observation":"error","content":"bad"},{"id":9,"source":"agent","action":"think","args":{"thought":"alone"}},{"id":10,"cause":9,"observation":"think","content":"logged"},
			{"id":11,"source":"agent","action":"finish","args":{"thought":"","final_thought":"done"}}]`,
			"openhands", []string{
				`system: injected "S"`, `user: typed "task" | media image`, `assistant: model "look" | call 5 run command="ls"`, `tool: result 5 run "x"`,
				`tool: orphan result error "bad"`, `assistant: model "alone"`, `assistant: open call finish final_thought="done"`,
			},
		},
		"openhands: flat events without numbers in a row": {
			`{"instance_id":"x","history":[{"content":"task","action":"message"},{"command":"ls","thought":"","action":"run","is_confirmed":"confirmed"},{"content":"x","command":"ls","exit_code":2,"observation":"run"}]}`,
			"openhands", []string{`user: typed "task"`, `assistant: call prose 1 run command="ls"`, `tool: result prose 1 run "x"`},
		},
		"openhands: condensed and delegated events are hidden": {
			`[{"id":1,"source":"user","action":"message","args":{"content":"a"}},{"id":2,"source":"agent","action":"message","args":{"content":"b"}},{"id":3,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":2,"forgotten_events_end_id":2,"summary":"short"}},
			{"id":4,"source":"agent","action":"delegate","args":{"agent":"B"}},{"id":5,"source":"agent","action":"message","args":{"content":"c"}},{"id":6,"cause":4,"observation":"delegate","content":"d"}]`,
			"openhands", []string{`user: typed "a"`, `(assistant: model "b")`, `user: generated "short"`, `assistant: call 4 delegate agent="B"`, `(assistant: model "c")`, `tool: result 4 delegate "d"`},
		},
		"inspect: reasoning, calls of the provider, errors": {
			`{"status":"success","eval":{"task":"x"},"samples":[{"id":1,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"reasoning","reasoning":"r","signature":null},{"type":"tool_use","id":"s","name":"web","arguments":"{\"q\":1}","result":"hit"}],"tool_calls":[{"id":"t","function":"bash","arguments":{"cmd":"ls","n":2}}]},
			{"role":"tool","tool_call_id":"t","function":"bash","content":"","error":{"type":"timeout","message":"late"}}]}]}`,
			"inspect", []string{`user: typed "q"`, `assistant: thinking "r" | call s web q=1 | result s web "hit" | call t bash cmd="ls" n=2`, `tool: result t bash "" "late"`},
		},
		"sharegpt: calls as text, unknown speakers": {
			`[{"system":"S","conversations":[{"from":"human","value":"q"},{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"a\":1}}"},{"from":"observation","value":"1"},{"from":"gpt","value":"so"},{"from":"Pilot","value":"thanks"},{"from":"function_call","value":"f()"}]}]`,
			"sharegpt", []string{`system: injected "S"`, `user: typed "q"`, `assistant: call prose 3 f a=1`, `tool: result prose 3 f "1"`, `assistant: model "so"`, `user: typed "thanks"`, `assistant: open call "f()"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, test.src)
			if f.Dialect.Name != test.dialect {
				t.Fatalf("claimed by %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], test.want...)
		})
	}
}

// TestAgentNeighbours: what looks like these dialects and is none of them.
func TestAgentNeighbours(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"chats of roles":             {`[{"role":"user","content":"a"},{"role":"assistant","content":"` + "```bash\\nls\\n```" + `"},{"role":"user","content":"thanks"}]`, "openai"},
		"a history of plain chat":    {`{"history":[{"role":"user","content":"a"}]}`, ""},
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

// TestAgentEdits: what is left of a record when some of it goes.
func TestAgentEdits(t *testing.T) {
	long := strings.Repeat("a line that is long enough to be looked for; ", 6)
	for name, test := range map[string]struct {
		src  string
		drop []transcript.Ref
		want string
	}{
		"a command goes with its fence": {
			`{"trajectory":[],"history":[{"role":"user","content":"t"},{"role":"assistant","content":"so\n` + "```\\nls\\n```" + `","action":"ls"},{"role":"user","content":"x"}]}`,
			[]transcript.Ref{whole(1, 1), whole(2, 0)},
			`{"trajectory":[],"history":[{"role":"user","content":"t"},{"role":"assistant","content":"so\n","action":"ls"}]}`,
		},
		"an event without its call is a thought": {
			`[{"id":1,"source":"user","action":"message","args":{"content":"t"}},{"id":2,"action":"run","tool_call_metadata":{"a":1},"args":{"command":"ls","thought":"so","n":1}},{"id":3,"cause":2,"observation":"run","content":"x"}]`,
			[]transcript.Ref{whole(1, 1), whole(2, 0)},
			`[{"id":1,"source":"user","action":"message","args":{"content":"t"}},{"id":2,"action":"think","args":{"thought":"so"}}]`,
		},
		"half of a pair leaves a place": {
			`{"history":[[{"action":"message","args":{"content":"t"}},{"observation":"null","content":""}],[{"id":1,"action":"run","args":{"command":"ls","thought":"so"}},{"cause":1,"observation":"run","content":"x"}]]}`,
			[]transcript.Ref{whole(1, 1), whole(2, 0)},
			`{"history":[[{"action":"message","args":{"content":"t"}},{"observation":"null","content":""}],[{"id":1,"action":"think","args":{"thought":"so"}},{"observation":"null","content":"","extras":{}}]]}`,
		},
		"arguments that a model's answer repeats stay JSON": {
			`[{"id":1,"source":"user","action":"message","args":{"content":"t"}},{"id":2,"action":"edit","tool_call_metadata":{"arguments":"{\"path\":\"a\",\"text\":\"` + long + `\"}"},"args":{"text":"` + long + `","thought":"so"}},{"id":3,"cause":2,"tool_call_metadata":{"arguments":"{\"path\":\"a\",\"text\":\"` + long + `\"}"},"observation":"edit","content":"x"}]`,
			nil,
			`[{"id":1,"source":"user","action":"message","args":{"content":"t"}},{"id":2,"action":"edit","tool_call_metadata":{"arguments":"{\"path\":\"a\",\"text\":\"[omitted]\"}"},"args":{"text":"short","thought":"so"}},{"id":3,"cause":2,"tool_call_metadata":{"arguments":"{\"path\":\"a\",\"text\":\"[omitted]\"}"},"observation":"edit","content":"x"}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, test.src)
			got := ""
			if test.drop != nil {
				got = withoutBlocks(t, f, test.drop...)
			} else {
				got = rewritten(t, f, transcript.Ref{Msg: 1, Block: 1, Part: 0}, "short")
			}
			if got != test.want {
				t.Errorf("written\n\t%s\nwant\n\t%s", got, test.want)
			}
		})
	}
}

// TestAgentInsert: new messages look like those around them.
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
