package token_test

import (
	"testing"
	"time"

	"condense/transcript"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestModelsOf checks which of the models that conversations name is chosen.
func TestModelsOf(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 1, 5, hour, 0, 0, 0, time.UTC) }
	by := func(model string, when time.Time) *transcript.Message {
		m := transcripttest.Model("Well.")
		m.SetModel(model)
		m.SetTime(when)
		return m
	}
	hidden := by("gpt-4", time.Time{})
	hidden.Hidden = true
	user := transcripttest.User("Look.")
	user.SetModel("gpt-4")
	one := func(msgs ...*transcript.Message) *transcript.Conversation {
		return transcripttest.Conversation(msgs...)
	}
	named := one(user)
	named.Model = "gpt-4o"
	for _, tt := range []struct {
		name  string
		convs []*transcript.Conversation
		known bool
		want  string
	}{
		{"none", nil, false, ""},
		{"no model", []*transcript.Conversation{one(by("", at(1)))}, false, ""},
		{"the newest answer", []*transcript.Conversation{one(by("gpt-4", at(1)), by("gpt-5", at(2)), user)}, true, "gpt-5"},
		{"hidden answers and other roles do not count", []*transcript.Conversation{one(by("gpt-5", at(1)), hidden, user)}, true, "gpt-5"},
		{"an unknown model does not count", []*transcript.Conversation{one(by("gpt-5", at(1)), by("zorp", at(2)))}, true, "gpt-5"},
		{"no known model", []*transcript.Conversation{one(by("yarp", at(1)), by("zorp", at(2)))}, false, "zorp"},
		{"that of the conversation", []*transcript.Conversation{named}, true, "gpt-4o"},
		{"the latest time", []*transcript.Conversation{one(by("gpt-5", at(3))), one(by("gpt-4", at(2)))}, true, "gpt-5"},
		{"without times the last", []*transcript.Conversation{one(by("gpt-5", time.Time{})), one(by("gpt-4", time.Time{}))}, true, "gpt-4"},
		{"a known model before an unknown one", []*transcript.Conversation{one(by("gpt-5", time.Time{})), one(by("zorp", time.Time{}))}, true, "gpt-5"},
	} {
		c, name, err := token.BuiltIn().Of(tt.convs)
		if err != nil || name != tt.want || (c != nil) != tt.known {
			t.Errorf("%s: %q, counter %t, %v; want %q, %t", tt.name, name, c != nil, err, tt.want, tt.known)
		}
		if c != nil && (c.Model() != tt.want || !c.Named()) {
			t.Errorf("%s: the counter is for %q, named %t", tt.name, c.Model(), c.Named())
		}
	}
}
