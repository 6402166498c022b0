package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
	"condense/transcript/transcripttest"
)

// sessionLine is a line of a Claude Code session.
func sessionLine(kind, uuid, parent, content string) string {
	link := "null"
	if parent != "" {
		link = `"` + parent + `"`
	}
	return `{"parentUuid":` + link + `,"isSidechain":false,"sessionId":"s1","type":"` + kind + `","message":{"role":"` + kind +
		`","content":` + content + `},"uuid":"` + uuid + `","timestamp":"2026-01-02T03:04:05.000Z"}` + "\n"
}

const signature = "EqMBCkgIBBABGAIiQOZbl1SkTvYr8tqMsLTlXWOYxLkqQW9uZg=="

// A linted is a source that breaks one rule, and its repaired form; "" if it cannot be repaired.
type linted struct {
	rule, api   string
	src, mended string
}

func lintFixtures() []linted {
	q, a := sessionLine("user", "u1", "", `"hello"`), sessionLine("assistant", "u2", "u1", `[{"type":"text","text":"hi"}]`)
	more := sessionLine("user", "u3", "u2", `"go on"`)
	thinking := func(uuid, parent, sig string) string {
		return strings.Replace(sessionLine("assistant", uuid, parent, `[{"type":"thinking","thinking":"let me see"`+sig+`}]`), `"message":{`, `"message":{"id":"m`+uuid+`",`, 1)
	}
	mark := `,"cache_control":{"type":"ephemeral"}`
	text := func(s, more string) string { return `{"type":"text","text":"` + s + `"` + more + `}` }
	rollout := func(kind, payload string) string {
		return `{"timestamp":"2026-01-02T03:04:05.000Z","type":"` + kind + `","payload":` + payload + "}\n"
	}
	asked := `{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}`
	answered := `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}`
	return []linted{
		{"claude-code/jsonl-line", "", q + a + `{"type":"user","mess`, q + a},
		{"claude-code/jsonl-line", "", q + strings.TrimSuffix(a, "\n"), q + a},
		{"claude-code/jsonl-line", "", q + "{\"type\":prNu{\"\n" + a, ""},
		{"claude-code/chain", "", q + strings.Replace(a, `"u1"`, `"gone"`, 1), q + a},
		{"claude-code/chain", "", strings.Replace(q, "null", `"gone"`, 1) + a, q + a},
		{"claude-code/chain", "", sessionLine("user", "u1", "u2", `"hello"`) + a, ""},
		{"claude-code/chain", "", sessionLine("user", "u1", "u2", `"a"`) + sessionLine("user", "u2", "gone", `"b"`),
			sessionLine("user", "u1", "u2", `"a"`) + sessionLine("user", "u2", "", `"b"`)},
		{"claude-code/chain", "", q + sessionLine("user", "u3", "u2", `"a"`) + sessionLine("assistant", "u2", "gone", `"b"`),
			q + sessionLine("user", "u3", "u2", `"a"`) + sessionLine("assistant", "u2", "u1", `"b"`)},
		{"claude-code/chain", "", sessionLine("user", "u1", "u3", `"a"`) + sessionLine("assistant", "u2", "gone", `"b"`) + sessionLine("user", "u3", "gone", `"c"`),
			sessionLine("user", "u1", "u3", `"a"`) + sessionLine("assistant", "u2", "u1", `"b"`) + sessionLine("user", "u3", "", `"c"`)},
		{"qwen-code/chain", "", qwenLine("u1", `null`, "user") + qwenLine("u2", `"gone"`, "model"), qwenLine("u1", `null`, "user") + qwenLine("u2", `"u1"`, "model")},
		{"qwen-code/chain", "", qwenLine("u1", `"gone"`, "user"), qwenLine("u1", `null`, "user")},
		{"claude-code/uuid-unique", "", q + a + a, q + a},
		{"claude-code/uuid-unique", "", q + a + strings.Replace(a, "hi", "ho", 1), ""},
		{"claude-code/boundary", "",
			q + a + `{"parentUuid":null,"logicalParentUuid":"gone","type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s1"}` + "\n" + sessionLine("user", "u3", "b", `"so far"`),
			q + a + `{"parentUuid":null,"logicalParentUuid":"u2","type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s1"}` + "\n" + sessionLine("user", "u3", "b", `"so far"`)},
		{"claude-code/summary-leaf", "", `{"type":"summary","summary":"greeting","leafUuid":"gone"}` + "\n" + q + a, ""},
		{"claude-code/session-id", "", q + strings.Replace(a, `"s1"`, `"s2"`, 1), ""},
		{"claude-code/split-message", "",
			q + strings.Replace(sessionLine("assistant", "u2", "u1", `[{"type":"text","text":"one"}]`), `"message":{`, `"message":{"id":"m",`, 1) +
				strings.Replace(sessionLine("assistant", "u4", "u2", `[{"type":"text","text":"two"}]`), `"message":{`, `"message":{"id":"m",`, 1) +
				sessionLine("user", "u5", "u4", `"no, that"`) + sessionLine("user", "u3", "u2", `"this"`), ""},
		{"anthropic/thinking-signature", "", q + thinking("u2", "u1", `,"signature":"`+signature+`"`) + thinking("u3", "u2", "") + sessionLine("user", "u4", "u3", `"so?"`),
			q + thinking("u2", "u1", `,"signature":"`+signature+`"`) + thinking("u3", "u2", `,"signature":"`+signature+`"`) + sessionLine("user", "u4", "u3", `"so?"`)},
		{"anthropic/thinking-signature", "", q + strings.Replace(thinking("u2", "u1", `,"signature":""`), `"}],`, `"},`+text("hi", "")+`],`, 1) + more, ""},
		{"anthropic/utf16-wellformed", "", q + strings.Replace(a, "hi", `hi \ud83d`, 1) + strings.Replace(more, "go", `\\ud83d \ud83d\ude00`, 1), ""},
		{"anthropic/tool-id-dup", "anthropic", `{"system":"be brief","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"c1","name":"ls","input":{"d":"a"}},{"type":"tool_use","id":"c1","name":"ls","input":{"d":"b"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"}]}]}`, ""},
		{"anthropic/cache-control-max4", "anthropic", `{"system":[` + text("be brief", mark) + `],"messages":[{"role":"user","content":[` +
			text("a", mark) + `,` + text("b", mark) + `,` + text("c", mark) + `,` + text("d", mark) + `]}]}`,
			`{"system":[` + text("be brief", "") + `],"messages":[{"role":"user","content":[` +
				text("a", mark) + `,` + text("b", mark) + `,` + text("c", mark) + `,` + text("d", mark) + `]}]}`},
		{"anthropic/tool-use-unanswered", "anthropic",
			`[{"role":"user","content":"q"}, {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}, {"role":"user","content":"and?"}]`,
			`[{"role":"user","content":"q"}, {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}, {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"[no result was recorded for this call]"}]}, {"role":"user","content":"and?"}]`},
		{"anthropic/tool-result-first", "anthropic",
			`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]},{"role":"user","content":[{"type":"text","text":"and?"},{"type":"tool_result","tool_use_id":"t1","content":"a.go","is_error":true}]}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go","is_error":true}]},{"role":"user","content":[{"type":"text","text":"and?"}]}]`},
		{"anthropic/final-assistant-ws", "anthropic",
			`{"system":"s","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"caf\u00e9 \n"}]}`,
			`{"system":"s","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"caf\u00e9"}]}`},
		{"openai/content-null", "", `[{"role":"user", "content":"q"}, {"role":"assistant", "content":null}]`, `[{"role":"user", "content":"q"}, {"role":"assistant", "content":""}]`},
		{"openai/content-null", "", `[{"role":"user", "content": "q"}, {"role": "assistant", "reasoning_content": "hm"}]`,
			`[{"role":"user", "content": "q"}, {"role": "assistant", "content": "", "reasoning_content": "hm"}]`},
		{"openai/tool-orphan", "", `[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"c","content":"x"},{"role":"assistant","content":"a"}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`},
		{"openai/tool-unanswered", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"user","content":"and?"}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"[no result was recorded for this call]"},{"role":"user","content":"and?"}]`},
		{"openai/args-json", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{\"a\":"}}]},{"role":"tool","tool_call_id":"c","content":"x"}]`, ""},
		{"openai/args-json", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{\"a\":"}},{"role":"function","name":"ls","content":"x"}]`, ""},
		{"openai/args-json", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":{"a":1}}},{"role":"function","name":"ls","content":"x"}]`, ""},
		{"openai/function-name", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},{"role":"function", "content":"x"}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},{"role":"function", "name":"ls", "content":"x"}]`},
		{"openai/function-name", "", `[{"role":"user","content":"q"},{"role":"function","content":"x"}]`, ""},
		{"responses/item-dup", "", `{"model":"m","input":[{"type":"message","id":"m1","role":"user","content":"q"},{"type":"message","id":"m1","role":"user","content":"r"}]}`, ""},
		{"responses/reasoning-content", "", `{"model":"m","input":[` + asked + `,{"type":"reasoning","id":"r1","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]},` + answered + `]}`, ""},
		{"codex/rollout-header", "", rollout("response_item", asked) + rollout("response_item", answered), ""},
		{"codex/rollout-line", "", rollout("session_meta", `{"id":"t1"}`) + strings.Replace(rollout("response_item", asked), `"2026-01-02T03:04:05.000Z"`, "12", 1), ""},
		{"codex/rollout-line", "", rollout("session_meta", `{"id":"t1"}`) + rollout("response_item", asked) + `{"timestamp":"2026-01-02T03:04:05.000Z","type":"event_msg"}` + "\n", ""},
		{"codex/rollout-line", "", rollout("session_meta", `{"id":"t1"}`) + rollout("response_item", asked) + `{"timestamp":"2026`,
			rollout("session_meta", `{"id":"t1"}`) + rollout("response_item", asked)},
		{"codex/ordinal", "", rollout("session_meta", `{"id":"t1"},"ordinal":0`) + rollout("response_item", asked),
			rollout("session_meta", `{"id":"t1"},"ordinal":0`) + strings.Replace(rollout("response_item", asked), "{", `{"ordinal":1,`, 1)},
		{"atif/step-id", "", `{"schema_version":"ATIF-v1.5","steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":3,"source":"agent","message":"a"},{"source":"agent","message":"b"}]}`,
			`{"schema_version":"ATIF-v1.5","steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":2,"source":"agent","message":"a"},{"step_id":3,"source":"agent","message":"b"}]}`},
		{"roo/tag-orphan", "", `[{"role":"user","content":"q","ts":1,"condenseParent":"gone"},{"role":"assistant","content":"a","ts":2}]`,
			`[{"role":"user","content":"q","ts":1},{"role":"assistant","content":"a","ts":2}]`},
		{"any/text-empty", "any", `[{"role":"user","content":"q"},{"role":"assistant","content":"","reasoning_content":"hm"},{"role":"user","content":"so?"}]`, ""},
		{"any/line", "any", q + a + `{"type":"user","mess`, q + a},
	}
}

func TestLint(t *testing.T) {
	for _, tt := range lintFixtures() {
		t.Run(tt.rule, func(t *testing.T) {
			f := decoded(t, tt.src)
			p := profileOf(f, tt.api)
			got := broken(f, p)
			if !slices.Equal(got, []string{tt.rule}) {
				t.Errorf("findings: %v", f.Check(p))
			}
			r, err := f.Repair(p)
			if err != nil {
				t.Fatal(err)
			}
			if tt.mended != "" && string(r.Out) != tt.mended {
				t.Errorf("mended\n%s\nwant\n%s", r.Out, tt.mended)
			}
			if left := broken(r.File, p); tt.mended != "" && len(left) > 0 {
				t.Errorf("left: %v", r.File.Check(p))
			}
			if again, err := r.File.Repair(p); err != nil || len(again.Mended) > 0 || string(again.Out) != string(r.Out) {
				t.Errorf("a second repair: %v, %v", again.Mended, err)
			}
			if tt.mended != "" {
				sound := decoded(t, tt.mended)
				if got := broken(sound, p); len(got) > 0 {
					t.Errorf("the sound one: %v", got)
				}
			}
		})
	}
}

// The ids of a source, and its texts.
var (
	anyID   = regexp.MustCompile(`(?i)(id"): ?"[^"]*"`)
	anyText = regexp.MustCompile(`("(?:text|content|message)"): ?"[^"]*"`)
)

// TestFixturesMended compares what a repair reports of each broken source, and of damaged fixtures, with
// testdata/mended.txt: the finding, its message and line, and what was done. -update rewrites the file.
func TestFixturesMended(t *testing.T) {
	var text strings.Builder
	mark := `,"cache_control":{"type":"ephemeral"}`
	for _, tt := range append(lintFixtures(), linted{rule: "marks on empty texts", api: "anthropic", src: `{"system":"s","messages":[{"role":"user","content":[{"type":"text","text":""` + mark + `},{"type":"text","text":"q"` + mark + `}]}]}`}) {
		fmt.Fprintf(&text, "== %s\n", tt.rule)
		writeMended(&text, []byte(tt.src), "", profileOf(decoded(t, tt.src), tt.api))
	}
	small := smallest(t)
	for _, d := range Dialects {
		src := small[d]
		lines := bytes.SplitAfter(src, []byte("\n"))
		for _, broken := range []struct {
			how string
			src []byte
		}{
			{"torn", src[:len(src)*4/5]},
			{"without a line", bytes.Join(slices.Delete(slices.Clone(lines), len(lines)/3, len(lines)/3+1), nil)},
			{"a line twice", bytes.Join(slices.Insert(slices.Clone(lines), len(lines)/2, lines[len(lines)/2]), nil)},
			{"equal ids", anyID.ReplaceAll(src, []byte(`$1:"same"`))},
			{"empty texts", anyText.ReplaceAll(src, []byte(`$1:""`))},
		} {
			fmt.Fprintf(&text, "== %s: %s\n", d.Name, broken.how)
			writeMended(&text, broken.src, d.Name, d.Target())
		}
	}
	transcripttest.FrozenText(t, "testdata/mended.txt", *update, text.String())
}

// writeMended writes what a repair of a source reports.
func writeMended(text *strings.Builder, src []byte, dialect string, p *rules.Profile) {
	f, err := Decode(src, dialect)
	if err != nil {
		fmt.Fprintln(text, err)
		return
	}
	r, err := f.Repair(p)
	if err != nil {
		fmt.Fprintln(text, err)
		return
	}
	for _, m := range r.Mended {
		fmt.Fprintf(text, "line %d, offset %d, message %d: %s: %s\n", m.Line, m.Offset, m.Message, m.Finding, m.Why)
	}
	fmt.Fprintf(text, "output %s\n", transcripttest.Sum(string(r.Out)))
}

// broken returns the broken rules, except the one about the last message of a conversation.
func broken(f *File, p *rules.Profile) (list []string) {
	for _, x := range f.Check(p) {
		if !slices.Contains(list, x.Rule) && x.Rule != "anthropic/must-end-user" {
			list = append(list, x.Rule)
		}
	}
	return list
}

func profileOf(f *File, api string) *rules.Profile {
	if p := rules.ProfileNamed(api); p != nil {
		return p
	}
	return f.Dialect.Target()
}

// TestLintSound checks that sources that almost break a rule have no finding. For a rule with a
// repair, the repaired fixture is such a source.
func TestLintSound(t *testing.T) {
	q, a := sessionLine("user", "u1", "", `"hello"`), sessionLine("assistant", "u2", "u1", `[{"type":"text","text":"hi \ud83d\ude00"}]`)
	split := func(line string) string { return strings.Replace(line, `"message":{`, `"message":{"id":"m",`, 1) }
	stamp := `{"timestamp":"2026-01-02T03:04:05.000Z","type":`
	asked := `{"type":"message","id":"m1","role":"user","content":[{"type":"input_text","text":"q"}]}`
	for _, tt := range []struct{ rule, api, src string }{
		{"claude-code/jsonl-line", "", q + "\n" + a},
		{"claude-code/chain", "", sessionLine("user", "u1", "", `"one root"`) + sessionLine("user", "u2", "", `"another"`)},
		{"claude-code/uuid-unique", "", q + a + sessionLine("assistant", "u3", "u2", `[{"type":"text","text":"hi"}]`)},
		{"claude-code/summary-leaf", "", `{"type":"summary","summary":"greeting","leafUuid":"u2"}` + "\n" + q + a},
		{"claude-code/session-id", "", q + a + `{"type":"summary","summary":"of no session","leafUuid":"u2"}` + "\n"},
		{"claude-code/split-message", "", q + split(sessionLine("assistant", "u2", "u1", `[{"type":"text","text":"one"}]`)) +
			split(sessionLine("assistant", "u4", "u2", `[{"type":"text","text":"two"}]`)) + sessionLine("user", "u5", "u4", `"no, that"`)},
		{"anthropic/utf16-wellformed", "", q + strings.Replace(a, "hi", `\\ud83d`, 1)},
		{"anthropic/tool-id-dup", "anthropic", `[{"role":"user","content":"go"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"c1","name":"ls","input":{"d":"a"}},{"type":"tool_use","id":"c2","name":"ls","input":{"d":"a"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"},{"type":"tool_result","tool_use_id":"c2","content":"x"}]}]`},
		{"openai/args-json", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{\"a\":\"{\"}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}]`},
		{"openai/function-name", "", `[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}},{"role":"function","name":"ls","content":"x"}]`},
		{"responses/item-dup", "", `{"model":"m","input":[` + asked + `,` + strings.Replace(asked, "m1", "m2", 1) + `]}`},
		{"responses/reasoning-content", "", `{"model":"m","input":[` + asked + `,{"type":"reasoning","id":"r1","summary":[{"type":"summary_text","text":"hm"}],"content":[]},` +
			`{"type":"message","id":"m2","role":"assistant","content":[{"type":"output_text","text":"a"}]}]}`},
		{"atif/step-id", "", `{"schema_version":"ATIF-v1.5","steps":[{"step_id":1,"source":"user","message":"q"},{"step_id":2,"source":"agent","message":"a"}],"subagent_trajectories":[{"steps":[{"step_id":1,"source":"user","message":"q"}]}]}`},
		{"codex/rollout-header", "", stamp + `"session_meta","payload":{"id":"t1"}}` + "\n" + stamp + `"response_item","payload":` + asked + "}\n"},
		{"codex/ordinal", "", stamp + `"session_meta","ordinal":0,"payload":{"id":"t1"}}` + "\n" + stamp + `"response_item","ordinal":5,"payload":` + asked + "}\n"},
		{"codex/rollout-line", "", strings.Replace(stamp, "000Z", "123456+02:00", 1) + `"session_meta","payload":{"id":"t1"}}` + "\n" + stamp + `"response_item","payload":` + asked + "}\n"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			f := decoded(t, tt.src)
			if found := f.Check(profileOf(f, tt.api)); len(found) > 0 && found[0].Rule != "anthropic/must-end-user" {
				t.Errorf("findings: %v", found)
			}
		})
	}
}

// TestEveryByteRuleHasAFixture checks that every exported rule of package rules has a fixture.
// Dialects have to find these rules.
func TestEveryByteRuleHasAFixture(t *testing.T) {
	files, err := filepath.Glob("../rules/*.go")
	if err != nil {
		t.Fatal(err)
	}
	exported := regexp.MustCompile(`(?m)^\t[A-Z]\w+ = Rule\{\n\t\tID: +"([^"]+)"`)
	found := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range exported.FindAllSubmatch(src, -1) {
			found++
			rule := string(m[1])
			if !slices.ContainsFunc(lintFixtures(), func(x linted) bool { return x.rule == rule }) {
				t.Errorf("rule %s has no fixture", rule)
			}
		}
	}
	if found == 0 {
		t.Error("no rules found")
	}
}

// TestLine checks the lines of findings: about blocks, and about a message at the first byte of the file.
func TestLine(t *testing.T) {
	f := decoded(t, "[\n{\"role\":\"user\",\"content\":\"q\"},\n{\"role\":\"assistant\",\n\"content\":[\n{\"type\":\"text\",\"text\":\"\"},\n{\"type\":\"thinking\",\"thinking\":\"x\"}]}]")
	var got []int
	for _, x := range f.Check(&rules.Anthropic) {
		got = append(got, x.Line)
	}
	if want := []int{3, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v: %v", got, want, f.Check(&rules.Anthropic))
	}
	f = decoded(t, sessionLine("assistant", "u1", "", `[{"type":"text","text":"hi"}]`)+sessionLine("user", "u2", "u1", `"hello"`))
	if found := f.Check(&rules.Anthropic); len(found) != 1 || found[0].Line != 1 {
		t.Errorf("a session that begins with the model: %v, want one finding in line 1", found)
	}
}

// TestOwner checks that the owner of every byte is the first message with a record around it.
func TestOwner(t *testing.T) {
	for path, src := range fixtures(t) {
		if len(src) > 16<<10 {
			continue
		}
		f, err := Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		for offset := range src {
			wantConv, want := slowOwner(f, offset)
			if conv, at := f.owner(offset); conv != wantConv || at != want {
				t.Fatalf("%s: byte %d is of %s in %d, want %s in %d", filepath.Base(path), offset, at, conv, want, wantConv)
			}
		}
	}
}

func slowOwner(f *File, offset int) (conv int, at transcript.Ref) {
	for i, l := range f.layouts {
		for msg := 0; l.Has(msg); msg++ {
			for _, s := range l.Records(msg) {
				if span := l.Span(s); span.Start <= offset && offset < span.End {
					return i, transcript.At(msg)
				}
			}
		}
	}
	return 0, transcript.At(transcript.End)
}

// qwenLine returns a line of Qwen Code with a content.
func qwenLine(uuid, parent, role string) string {
	return `{"uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"s","type":"user","message":{"role":"` + role + `","parts":[{"text":"hi"}]}}` + "\n"
}

// TestLintSurrogates checks which escapes are half of a surrogate pair.
func TestLintSurrogates(t *testing.T) {
	for text, want := range map[string]int{
		`\ud83d\ude00`: 0, `\ud800\udc00`: 0, `\udbff\udfff`: 0, `\ud83d`: 1, `\ude00`: 1, `\udc00\udc00`: 2, `\udbff\udbff`: 2, `\ud7ff\ue000`: 0, `\\ud83d`: 0,
	} {
		f := decoded(t, `{"messages":[{"role":"user","content":"`+text+`"}]}`)
		if got := lintSurrogates(f); len(got) != want {
			t.Errorf("%s: %d halves, want %d", text, len(got), want)
		}
	}
}
