package rules

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// The functions below build further blocks of the fixtures.

func thought(sealed int) *transcript.Block {
	return &transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: sealed > 0, Opaque: sealed,
		Parts: []transcript.Part{{Text: "hm"}},
	}
}

func answer(m ...*transcript.Block) *transcript.Message {
	return &transcript.Message{Role: transcript.Tool, Blocks: m}
}

func image(width, height int) *transcript.Block {
	return &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Type: "image/png", Width: width, Height: height}}}}
}

func many(n int, b func() *transcript.Block) (list []*transcript.Block) {
	for range n {
		list = append(list, b())
	}
	return list
}

func signed(id string, bytes int) *transcript.Block {
	b := call(id)
	b.Opaque = bytes
	return b
}

func named(id, tool string) *transcript.Block {
	b := call(id)
	b.Tool = tool
	return b
}

// numbered returns n calls and their results.
func numbered(n int) (calls, results []*transcript.Block) {
	for i := range n {
		id := strings.Repeat("i", i+1)[:min(i+1, 3)] + string(rune('A'+i%26)) + string(rune('A'+i/26))
		calls, results = append(calls, call(id)), append(results, result(id))
	}
	return calls, results
}

type fixture struct {
	rule          string
	profile       *Profile
	broken, sound func() conv
	mends         bool // set if Repair corrects it
}

func fixtures() []fixture {
	q, done := func() *transcript.Message { return user(text("q")) }, func() *transcript.Message { return model(text("done")) }
	round := func() conv {
		return conv{q(), model(call("a")), user(result("a")), done(), user(text("thanks"))}
	}
	of := func(m ...*transcript.Message) func() conv { return func() conv { return m } }
	lots, answers := numbered(129)
	long := strings.Repeat("x", 41)
	return []fixture{
		{"anthropic/first-role-user", &Anthropic, of(done(), q()), round, true},
		{"anthropic/tool-use-unanswered", &Anthropic, of(q(), model(call("a")), user(text("go on"))), round, true},
		{"anthropic/tool-result-orphan", &Anthropic, of(q(), done(), user(result("a"), text("go on"))), round, true},
		{"anthropic/server-tool-orphan", &Anthropic, of(q(), model(result("s"), text("so")), q()),
			of(q(), model(call("s"), result("s"), text("so")), q()), true},
		{"anthropic/tool-result-first", &Anthropic, of(q(), model(call("a")), user(text("by the way"), result("a"))), round, true},
		{"anthropic/tool-result-dup", &Anthropic, of(q(), model(call("a")), user(result("a"), result("a"))), round, true},
		{"anthropic/tool-id-dup", &Anthropic, of(q(), model(call("a")), user(result("a")), model(call("a")), user(result("a"))),
			of(q(), model(call("a")), user(result("a")), model(call("b")), user(result("b"))), false},
		{"anthropic/text-empty", &Anthropic, of(q(), model(text("hi"), text(" \n")), q()), round, true},
		{"anthropic/final-assistant-ws", &withoutEnd, of(q(), model(text("done\n"))), of(q(), model(text("done"))), true},
		{"anthropic/must-end-user", &Anthropic, of(q(), done()), round, false},
		{"anthropic/thinking-lead", &Anthropic, of(q(), model(text("first"), thought(60), call("a")), user(result("a"))),
			of(q(), model(thought(60), call("a")), user(result("a"))), false},
		{"anthropic/thinking-signature", &Anthropic, of(q(), model(thought(0), text("a")), user(text("b")), model(thought(9), text("c")), q()),
			of(q(), model(thought(60), text("a")), q()), true},
		{"anthropic/image-limits", &Anthropic, of(user(many(101, func() *transcript.Block { return image(10, 10) })...)),
			of(user(many(100, func() *transcript.Block { return image(2000, 10) })...)), false},
		{"openai/image-limits", &OpenAI, of(user(many(501, func() *transcript.Block { return image(9000, 10) })...)),
			of(user(many(500, func() *transcript.Block { return image(9000, 10) })...)), false},
		{"any/tool-use-unanswered", &Any, of(q(), model(call("a")), user(text("go on"))), round, true},
		{"gemini-cli/tool-result-orphan", &GeminiCLI, of(q(), user(result("a"))), of(q(), model(call("a")), user(result("a")), done(), user(result("a")), done()), true},
		{"any/tool-result-orphan", &Any, of(q(), user(result("a"))), round, true},
		{"any/tool-id-dup", &Any, of(q(), model(call("a")), user(result("a")), model(call("a")), user(result("a"))), round, false},
		{"any/text-empty", &Any, of(q(), model(text(""))), round, true},
		{"openai/tool-orphan", &OpenAI, of(q(), answer(result("a")), done()), of(q(), model(call("a")), answer(result("a")), done()), true},
		{"openai/tool-unanswered", &OpenAI, of(q(), model(call("a"), call("b")), answer(result("b")), done()),
			of(q(), model(call("a"), call("b")), answer(result("b")), answer(result("a")), done()), true},
		{"openai/id-length", &OpenAI, of(q(), model(call(long)), answer(result(long))), of(q(), model(call(long[1:])), answer(result(long[1:]))), false},
		{"openai/calls-max", &OpenAI, of(q(), model(lots...), answer(answers...)), of(q(), model(lots[1:]...), answer(answers[1:]...)), false},
		{"openai/name", &OpenAI, of(q(), model(named("a", "fs.read")), answer(result("a"))), of(q(), model(named("a", "fs_read")), answer(result("a"))), false},
		{"openai/strict-adjacency", &StrictAlternation, of(q(), model(call("a")), answer(result("a")), model(call("b")), model(text("wait")), answer(result("b"))),
			of(q(), model(text("wait"), call("b")), answer(result("b")), done()), false},
		{"responses/call-unanswered", &Responses, of(q(), model(call("a")), q()), round, true},
		{"responses/output-orphan", &Responses, of(q(), answer(result("a")), done()), round, true},
		{"responses/reasoning-orphan", &Responses, of(q(), model(thought(60)), q()), of(q(), model(thought(60)), model(call("a")), answer(result("a"))), true},
		{"codex/rollout-pairs", &Codex, of(q(), model(call("a")), answer(result("b")), q()), round, true},
		{"gemini/user-first", &Gemini, of(done(), q()), round, true},
		{"gemini/user-last", &Gemini, of(q(), done()), round, false},
		{"gemini/strict-alternation", &Gemini, of(q(), done(), done(), q()), round, false},
		{"gemini/call-response-count", &Gemini, of(q(), model(call("a"), call("b")), user(result("a")), done(), q()),
			of(q(), model(call("a"), call("b")), user(result("a"), result("b")), done(), q()), true},
		{"gemini/response-orphan", &Gemini, of(q(), done(), user(result("a"))), round, true},
		{"gemini/response-order", &Gemini, of(q(), model(call("a"), call("b")), user(result("b"), result("a"))), round, false},
		{"gemini/thought-signature", &Gemini, of(q(), model(signed("a", 60)), user(result("a")), model(call("b")), user(result("b"))),
			of(q(), model(signed("a", 60), call("c")), user(result("a"), result("c"))), false},
		{"strict-alternation/user-first", &StrictAlternation, of(done(), q()), round, true},
		{"strict-alternation/roles", &StrictAlternation, of(q(), q()), of(q(), model(call("a"), call("b")), answer(result("a")), answer(result("b")), done()), false},
	}
}

// withoutEnd is the profile Anthropic for conversations that end with the assistant on purpose.
var withoutEnd = Profile{Rules: []*Rule{&firstRoleUser, &toolUseUnanswered, &textEmpty, &finalAssistantWS}}

func ids(found []Finding) (list []string) {
	for _, f := range found {
		if !slices.Contains(list, f.Rule) {
			list = append(list, f.Rule)
		}
	}
	return list
}

func TestRules(t *testing.T) {
	for _, tt := range fixtures() {
		t.Run(tt.rule, func(t *testing.T) {
			broken := transcript.New("", tt.broken())
			got := ids(CheckFor(tt.profile, broken))
			if tt.rule == "openai/strict-adjacency" { // two messages of the assistant follow each other then
				got = slices.DeleteFunc(got, func(id string) bool { return id == "strict-alternation/roles" })
			}
			if !slices.Equal(got, []string{tt.rule}) {
				t.Errorf("the broken conversation: %v", CheckFor(tt.profile, broken))
			}
			sound := CheckFor(tt.profile, transcript.New("", tt.sound()))
			sound = slices.DeleteFunc(sound, func(f Finding) bool { return strings.HasSuffix(f.Rule, "user-last") })
			if len(sound) > 0 {
				t.Errorf("the sound one: %v", sound)
			}
			answers := transcript.User
			if tt.profile == &OpenAI {
				answers = transcript.Tool
			}
			checkRepair(t, tt, broken, answers)
			checkRepair(t, tt, broken, transcript.System)
		})
	}
}

func checkRepair(t *testing.T, tt fixture, broken *transcript.Conversation, answers transcript.Role) {
	t.Helper()
	after, mended := Repair(tt.profile, broken, answers, nil)
	for _, m := range mended {
		if m.Edit.Why == "" {
			t.Errorf("%s is mended without a reason", m.Finding)
		}
	}
	left := slices.Contains(ids(CheckFor(tt.profile, after)), tt.rule)
	moves := tt.rule == "anthropic/tool-result-first" && answers == transcript.System
	if left == tt.mends && !moves {
		t.Errorf("after the repair: %v\nrepaired: %v", CheckFor(tt.profile, after), mended)
	}
	if again, more := Repair(tt.profile, after, answers, nil); again != after {
		t.Errorf("a second repair changes %v", more)
	}
	if !tt.mends && after != broken {
		t.Errorf("other things were repaired: %v", mended)
	}
}

// TestEveryRuleHasAFixture requires a fixture for every rule that conversations can
// show.
func TestEveryRuleHasAFixture(t *testing.T) {
	tested := map[string]bool{}
	for _, f := range fixtures() {
		tested[f.rule] = true
	}
	names := map[string]bool{}
	for _, p := range Profiles {
		if names[p.Name] || ProfileNamed(p.Name) != p || p.Doc == "" {
			t.Errorf("profile %s: name or doc", p.Name)
		}
		names[p.Name] = true
		for _, r := range p.Rules {
			target, slug, ok := strings.Cut(r.ID, "/")
			if !ok || target == "" || slug == "" || r.Doc == "" || r.Fix == "" {
				t.Errorf("rule %q is not described", r.ID)
			}
			if r.find != nil && !tested[r.ID] {
				t.Errorf("rule %s has no fixture", r.ID)
			}
			if p.Rule(r.ID) != r {
				t.Errorf("rule %s is listed twice in %s", r.ID, p.Name)
			}
		}
	}
}

func TestRepairText(t *testing.T) {
	tests := []struct {
		name string
		p    *Profile
		conv conv
		want []string
	}{
		{"an invented answer", &Anthropic, conv{user(text("q")), model(call("a"), call("b")), user(result("b")), user(text("r"))},
			[]string{"insert message 2: a result for the call a of Read"}},
		{"a late result moves", &Anthropic, conv{user(text("q")), model(call("a")), user(text("r")), model(text("s")), user(result("a"))},
			[]string{"insert message 2: the result of the call a, from further down", "drop message 4 block 0: a result that stands in the wrong place"}},
		{"a client that reassembles", &ClaudeCode, conv{user(text("q")), model(call("a")), user(text("r")), model(text("s")), user(result("a"))}, nil},
		{"many orphans in one message", &Anthropic, conv{user(many(20, func() *transcript.Block { return result("x") })...), user(text("q"))}, slices.Repeat([]string{"drop"}, 20)},
		{"work in progress", &Anthropic, conv{user(text("q")), model(call("a"))}, nil},
		{"a repeated call", &Anthropic, conv{user(text("q")), model(call("a")), model(call("a")), user(result("a")), user(text("r"))}, []string{"drop message 1 block 0: a repeated call"}},
		{"calls without ids of their own", &Gemini, conv{user(text("q")), model(call("prose 1")), user(text("r"))}, []string{"insert message 2: a result for the call prose 1 of Read"}},
		{"calls in prose", &Anthropic, conv{user(text("q")), model(call("prose 1")), user(text("r"), result("prose 1"))}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			after, mended := Repair(tt.p, transcript.New("", tt.conv), transcript.User, nil)
			var got []string
			for i, m := range mended {
				line := m.Edit.Op.String() + " " + m.Edit.At.String() + ": " + m.Edit.Why
				if i < len(tt.want) && tt.want[i] == "drop" {
					line = m.Edit.Op.String()
				}
				got = append(got, line)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			for _, f := range CheckFor(tt.p, after) {
				if f.Severity == Error {
					t.Errorf("left: %v", f)
				}
			}
		})
	}
}

// TestNewOfEveryRule checks for every rule that a broken conversation in place of a sound one has new
// findings, and that the other way round, and without a change, there are none.
func TestNewOfEveryRule(t *testing.T) {
	for _, tt := range fixtures() {
		broken, sound := CheckFor(tt.profile, transcript.New("", tt.broken())), CheckFor(tt.profile, transcript.New("", tt.sound()))
		if !slices.Contains(ids(New(sound, broken)), tt.rule) {
			t.Errorf("%s: the break is not new: %v", tt.rule, broken)
		}
		if again := New(broken, append(broken[:len(broken):len(broken)], broken...)); len(again) != len(broken) {
			t.Errorf("%s: of two breaks after one, new are %v", tt.rule, again)
		}
		if same := New(broken, broken); same != nil {
			t.Errorf("%s: new without a change: %v", tt.rule, same)
		}
		if slices.Contains(ids(New(broken, sound)), tt.rule) {
			t.Errorf("%s: new after it was corrected", tt.rule)
		}
	}
}
