package report

import (
	"testing"

	"condense/transcript"
	"condense/transcript/token"
)

func TestBreakEven(t *testing.T) {
	tests := []struct {
		before, after, prefix int
		want                  float64
	}{
		{150_000, 30_000, 0, 1.9},
		{150_000, 75_000, 0, 10.5},
		{150_000, 75_000, 40_000, 4.4}, // 4.367
		{150_000, 112_000, 0, 32.9},
		{150_000, 135_000, 0, 102.5},
		{150_000, 10_000, 0, 0},
		{150_000, 100_000, 100_000, 0},
		{11, 10, 0, 114},
	}
	for _, tt := range tests {
		if got := BreakEven(Change{Before: tt.before, After: tt.after}, tt.prefix); got != tt.want {
			t.Errorf("%d to %d with a prefix of %d: got %v turns, want %v", tt.before, tt.after, tt.prefix, got, tt.want)
		}
	}
}

func TestUnchangedPrefix(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	message := func(role transcript.Role, hidden bool, text string) *transcript.Message {
		return &transcript.Message{Role: role, Hidden: hidden, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}}}}
	}
	image := func(medium transcript.Medium) *transcript.Message {
		return &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Kind: transcript.Media, Parts: []transcript.Part{{Media: &medium}}}}}
	}
	list := func(msgs ...*transcript.Message) *transcript.Conversation { return transcript.New("", msgs) }
	user, model := transcript.User, transcript.Assistant
	before := list(message(user, false, "12345678"), message(model, true, "hidden"), message(model, false, "1234"), message(user, false, "12341234"))
	tests := []struct {
		name   string
		before *transcript.Conversation
		after  *transcript.Conversation
		want   int
	}{
		{"nothing changed", before, before, 5},
		{"hidden messages do not count", before, list(message(user, false, "12345678"), message(model, false, "1234"), message(user, false, "x")), 3},
		{"another role", before, list(message(model, false, "12345678"), message(model, false, "1234")), 0},
		{"a message was removed", before, list(message(user, false, "12345678"), message(user, false, "12341234")), 2},
		{"the end was removed", before, list(message(user, false, "12345678")), 2},
		{"another image", list(image(transcript.Medium{Data: "a"})), list(image(transcript.Medium{Data: "b"})), 0},
		{"all was removed", before, list(), 0},
	}
	for _, tt := range tests {
		if got := UnchangedPrefix(tt.before, tt.after, counter); got != tt.want {
			t.Errorf("%s: got %d tokens, want %d", tt.name, got, tt.want)
		}
	}
}
