package rules

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestRuleTexts checks that every rule states its requirement and the way to satisfy it, and
// that rules of an API quote its error.
func TestRuleTexts(t *testing.T) {
	quoteless := strings.Fields("gemini/response-order codex/rollout-pairs roo/tag-orphan gemini-cli/tool-result-orphan " +
		"claude-code/jsonl-line claude-code/chain claude-code/uuid-unique claude-code/boundary claude-code/summary-leaf claude-code/session-id qwen-code/chain openai/image-limits")
	for _, p := range Profiles {
		if p.Doc == "" || ProfileNamed(p.Name) != p {
			t.Errorf("profile %q is %q", p.Name, p.Doc)
		}
		for _, r := range p.Rules {
			if !strings.HasSuffix(r.Doc, ".") || r.Fix == "" || strings.HasSuffix(r.Fix, ".") || p.Rule(r.ID) != r {
				t.Errorf("%s: %q, fix: %q", r.ID, r.Doc, r.Fix)
			}
			quotes := !strings.HasPrefix(r.ID, "any/") && !slices.Contains(quoteless, r.ID)
			if (len(r.Provider) > 10) != quotes {
				t.Errorf("%s quotes the error %q", r.ID, r.Provider)
			}
		}
	}
}

// TestDetails checks findings at the limits of their rules, and what they say.
func TestDetails(t *testing.T) {
	picture := func(width, height int) *transcript.Message { return user(text("q"), image(width, height)) }
	sized := func(n, bytes int) *transcript.Message {
		list := []*transcript.Block{text("q")}
		for range n {
			list = append(list, &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Type: "application/pdf", Bytes: bytes}}}})
		}
		return user(list...)
	}
	heavy := func(bytes int) *transcript.Message {
		return user(text("q"), &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Type: "image/png", Bytes: bytes, Width: 9, Height: 9}}}})
	}
	q := func() *transcript.Message { return user(text("q")) }
	lots, _ := numbered(129)
	none := func(role transcript.Role) *transcript.Message { return &transcript.Message{Role: role} }
	for _, tt := range []struct {
		name    string
		profile *Profile
		rule    string
		conv    conv
		want    []string
	}{
		{"8,000 pixels", &Anthropic, "image-limits", conv{picture(8000, 8000)}, nil},
		{"too wide", &Anthropic, "image-limits", conv{picture(8001, 10)}, []string{"an image of 8001 × 10 pixels, more than 8000 a side"}},
		{"too high", &Anthropic, "image-limits", conv{picture(10, 8001)}, []string{"an image of 10 × 8001 pixels, more than 8000 a side"}},
		{"20 images", &Anthropic, "image-limits", conv{user(many(20, func() *transcript.Block { return image(2001, 10) })...)}, nil},
		{"media of 32 MB as base64", &Anthropic, "image-limits", conv{sized(2, 12<<20)}, nil},
		{"media of 36 MB as base64", &Anthropic, "image-limits", conv{sized(3, 9<<20)}, []string{"media of 36 MB, more than 32"}},

		{"an image of 5 MB as base64", &Anthropic, "image-limits", conv{heavy(5 << 20 / 4 * 3)}, nil},
		{"an image of 6 MB as base64", &Anthropic, "image-limits", conv{heavy(6 << 20 / 4 * 3)}, []string{"an image of 6.0 MB as base64, more than 5"}},
		{"a large image for OpenAI", &OpenAI, "image-limits", conv{picture(9000, 9000), heavy(20 << 20)}, nil},
		{"52 MB for OpenAI", &Responses, "image-limits", conv{heavy(39 << 20)}, []string{"media of 52 MB, more than 50"}},

		{"an empty message of the user at the end", &Anthropic, "text-empty", conv{q(), none(transcript.User)}, []string{"a message has no content"}},
		{"an empty answer at the end", &Anthropic, "text-empty", conv{q(), none(transcript.Assistant)}, nil},
		{"an empty answer before the end", &Anthropic, "text-empty", conv{q(), none(transcript.Assistant), q()}, []string{"a message has no content"}},

		{"a blank text of the model that Claude Code wrote", &ClaudeCode, "text-empty", conv{q(), model(text("\n\n")), model(call("a")), user(result("a"))}, nil},
		{"a blank text of the user", &ClaudeCode, "text-empty", conv{user(text("q"), text(" ")), model(text("so"))}, []string{"a text block is empty"}},
		{"an empty answer in a session", &ClaudeCode, "text-empty", conv{q(), none(transcript.Assistant), q()}, []string{"a message has no content"}},

		{"thinking first", &Anthropic, "thinking-lead", conv{q(), model(thought(9), call("a")), user(result("a"))}, nil},
		{"thinking second", &Anthropic, "thinking-lead", conv{q(), model(text("so"), thought(9), call("a")), user(result("a"))}, []string{"the last turn has calls and thinking, but does not begin with thinking"}},
		{"thinking second, at the beginning", &Anthropic, "thinking-lead", conv{q(), model(call("a"), thought(9)), user(result("a"))}, []string{"the last turn has calls and thinking, but does not begin with thinking"}},
		{"thinking second in an earlier turn", &Anthropic, "thinking-lead", conv{q(), model(call("a"), thought(9)), user(result("a")), q(), model(text("so"))}, nil},
		{"no calls", &Anthropic, "thinking-lead", conv{q(), model(text("so"), thought(9))}, nil},

		{"responses without their calls", &Gemini, "response-orphan", conv{q(), model(text("a")), user(result("x"))}, []string{`response for "x" has no call in the content before`}},
		{"responses in order", &Gemini, "response-order", conv{q(), model(text("so"), call("a"), call("b")), user(result("a"), result("b"))}, nil},
		{"responses out of order", &Gemini, "response-order", conv{q(), model(call("a"), call("b")), user(result("b"), result("a"))}, []string{`response for "a" stands behind that of a later call`}},
		{"a response behind a text", &Gemini, "response-order", conv{q(), model(call("a")), user(text("so"), result("a"))}, []string{`response for "a" stands behind other content`}},
		{"a response twice", &Gemini, "response-order", conv{q(), model(call("a")), user(result("a"), result("a"))}, nil},
		{"a result in front of calls", &Gemini, "response-order", conv{q(), model(call("s"), result("s"), call("a")), user(result("a"))}, nil},

		{"a blank text at the end", &Anthropic, "final-assistant-ws", conv{q(), model(text("so"), text("  "))}, nil},
		{"white space in front of thinking", &Anthropic, "final-assistant-ws", conv{q(), model(text("so "), thought(900))}, nil},
		{"a result behind a text, and again", &Anthropic, "tool-result-dup", conv{q(), model(call("a")), user(text("so"), result("a"), result("a"))}, []string{`call "a" is answered twice`}},
		{"128 calls", &OpenAI, "calls-max", conv{q(), model(lots[:128]...)}, nil},
		{"129 calls", &OpenAI, "calls-max", conv{q(), model(lots...)}, []string{"129 calls in one message, more than 128"}},
		{"two answers", &StrictAlternation, "roles", conv{q(), model(text("a")), model(text("b"))}, []string{"a message of the assistant after another of the same side"}},
		{"two messages of the user", &StrictAlternation, "roles", conv{q(), q()}, []string{"a message of the user after another of the same side"}},
		{"two results", &StrictAlternation, "roles", conv{q(), model(call("a"), call("b")), answer(result("a")), answer(result("b"))}, nil},
		{"a result, then text", &StrictAlternation, "roles", conv{q(), model(call("a")), answer(result("a")), q()}, []string{"a message of the user after another of the same side"}},
		{"text, then a result", &StrictAlternation, "roles", conv{q(), answer(result("a"))}, []string{"a message of the tool after another of the same side"}},
		{"a message of the system between", &StrictAlternation, "roles", conv{q(), none(transcript.System), q()}, []string{"a message of the user after another of the same side"}},

		{"a result that its client moves", &ClaudeCode, "tool-use-unanswered", conv{q(), model(call("a")), model(text("so")), user(result("a"))}, nil},
		{"a result that its client moves, with text between", &ClaudeCode, "tool-use-unanswered", conv{q(), model(call("a")), q(), model(text("so")), user(result("a"))}, nil},
		{"a result that nobody moves", &Anthropic, "tool-use-unanswered", conv{q(), model(call("a")), q(), model(text("so")), user(result("a"))}, []string{`call "a" of Read has no result in the next message`}},
		{"ends with the user", &Anthropic, "must-end-user", conv{q()}, nil},
		{"ends with an empty answer", &Anthropic, "must-end-user", conv{q(), none(transcript.Assistant)}, []string{"the last message is the assistant's: newer models require a user message after it"}},
	} {
		t.Run(tt.profile.Name+", "+tt.name, func(t *testing.T) {
			var got []string
			for _, f := range CheckFor(tt.profile, transcript.New("", tt.conv)) {
				if strings.HasSuffix(f.Rule, "/"+tt.rule) {
					got = append(got, f.Message)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestImageLimitsOfProfiles checks which limits for images the rules of a profile have, and what breaks them.
func TestImageLimitsOfProfiles(t *testing.T) {
	wide, heavy, small := &transcript.Medium{Type: "image/png", Width: 9000, Height: 10}, &transcript.Medium{Type: "image/png", Width: 10, Height: 10, Bytes: 6 << 20}, &transcript.Medium{Type: "image/png", Width: 10, Height: 10}
	limited := 0
	for _, p := range Profiles {
		limits := p.Images()
		if limits == nil {
			if _, ok := p.OverSized(transcript.At(0), wide, 100); ok {
				t.Errorf("%s has no limits, and an image breaks them", p.Name)
			}
			continue
		}
		limited++
		for m, want := range map[*transcript.Medium]bool{wide: limits.Side > 0, heavy: limits.Bytes > 0, small: false} {
			found, ok := p.OverSized(transcript.At(3), m, limits.SideFor(1))
			if ok != want || ok && (found.At.Msg != 3 || !strings.HasSuffix(found.Rule, "/image-limits") || found.Message != limits.OverSize(m, limits.SideFor(1))) {
				t.Errorf("%s: %+v: %+v, %v", p.Name, *m, found, ok)
			}
		}
	}
	if limited < 2 {
		t.Errorf("%d profiles have limits", limited)
	}
	if Error.String() != "error" || Warning.String() != "warning" {
		t.Errorf("the severities are %v and %v", Error, Warning)
	}
}
