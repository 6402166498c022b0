package choose

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

func TestConditions(t *testing.T) {
	f := Properties{Format: "claude-code", Kind: agent, Model: "claude-opus-4-6", Tokens: 120_000, Messages: 40}
	tests := []struct {
		condition string
		holds     bool
	}{
		{"tokens>100k", true},
		{"tokens > 120000", false},
		{"tokens<120001", true},
		{"messages<40", false},
		{"messages>39,tokens<1m", true},
		{"messages>39, tokens<100k", false},
		{"kind=agent", true},
		{"kind=chat", false},
		{"format=claude-*", true},
		{"format=codex", false},
		{"model=claude-opus-*, kind = agent", true},
		{"model=gpt-*", false},
	}
	for _, tt := range tests {
		c, err := Parse(tt.condition)
		if err != nil {
			t.Errorf("%s: %v", tt.condition, err)
		} else if c.Holds(f) != tt.holds {
			t.Errorf("%s: %v, want %v", c, !tt.holds, tt.holds)
		}
	}
	if c, err := Parse(" tokens > 100k,kind=agent "); err != nil || c.String() != "tokens > 100k, kind=agent" {
		t.Errorf("written as %q, %v", c, err)
	}
	if !(Condition{}).Holds(f) {
		t.Error("no comparison does not hold")
	}
}

func TestConditionErrors(t *testing.T) {
	for condition, want := range map[string]string{
		"":               `malformed condition ""`,
		"tokens":         `malformed condition "tokens"`,
		"size>5":         `malformed condition "size>5"`,
		"tokens>50%":     `malformed number "50%"`,
		"tokens>":        `malformed number ""`,
		"kind=talk":      `malformed condition "kind=talk"`,
		"tokens=5":       `malformed condition "tokens=5"`,
		"format=":        "an empty pattern matches nothing",
		"format=[":       "malformed pattern",
		"tokens>5,,":     `malformed condition ""`,
		"kind>agent":     `malformed number "agent"`,
		"format=a,b":     `malformed condition "b"`,
		"model=claude >": "", // no name has a blank
	} {
		_, err := Parse(condition)
		if text := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(text, want) {
			t.Errorf("%q: %v, want %q", condition, err, want)
		}
	}
}

func TestPropertiesOf(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.User("one two"), transcripttest.Model("three", transcripttest.Call("1", "Read", "path=a.go")),
		transcripttest.Tool("1", "package a"), transcripttest.Hidden(transcripttest.User("not seen")))
	c.Model = "m"
	words := func(b *transcript.Block) int { return len(strings.Fields(b.Text())) }
	if got, want := PropertiesOf(c, "openai", words), (Properties{"openai", agent, "m", 6, 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := PropertiesOf(transcripttest.Conversation(transcripttest.User("hello")), "openai", words); got.Kind != chat {
		t.Errorf("got %+v", got)
	}
}
