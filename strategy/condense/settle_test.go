package condense

import (
	"context"
	"errors"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// piTwice is a session of pi in which two records have one id. The first of them must stay as long as the
// other one is there.
const piTwice = `{"type":"message","message":{"role":"user"}}
{"type":"message","id":"60e3d59c","message":{"role":"assistant","content":[{"type":"thinking"}]}}
{"type":"message","id":"60e3d59c","message":{}}
{"type":"message","message":{"role":"user","content":"s"}}
`

// settling returns options for which a message of piTwice is free in the output.
func settling() Options {
	o := Defaults()
	o.Target, o.DropHidden, o.Thinking = strategy.Target{Share: 1}, true, strategy.ThinkingDrop
	return o
}

// TestSettle checks that a message goes in the same run as the one for which alone it had to stay, so that a
// second run changes nothing.
func TestSettle(t *testing.T) {
	out, err := Condense(t.Context(), []byte(piTwice), settling())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out.Out), "60e3d59c") || !out.Changed {
		t.Errorf("written %s", out.Out)
	}
	again, err := Condense(t.Context(), out.Out, settling())
	if err != nil || again.Changed {
		t.Errorf("a second run writes %s (%v)", again.Out, err)
	}
}

// TestSettleCanceled checks that the end of its context ends a run also after the encoding.
func TestSettleCanceled(t *testing.T) {
	r := encoded(t, []byte(piTwice), settling())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.settle(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestReleased checks which messages a reader of the output finds free, also in an output without the messages
// that have no blocks.
func TestReleased(t *testing.T) {
	message := func(text string, shadows bool) *transcript.Message {
		m := transcripttest.User(text)
		if m.Shadows = shadows; text == "" {
			m.Blocks = nil
		}
		return m
	}
	conversation := func(list ...*transcript.Message) *transcript.Conversation {
		return transcripttest.Conversation(list...)
	}
	final := conversation(message("a", false), message("", false), message("b", true), message("c", true))
	for name, tt := range map[string]struct {
		read *transcript.Conversation
		want int // the id of the only free message, or -1
	}{
		"the same":                       {final, -1},
		"one is free":                    {conversation(message("a", false), message("", false), message("b", false), message("c", true)), 2},
		"the same, without an empty one": {conversation(message("a", false), message("b", true), message("c", true)), -1},
		"one is free, without it":        {conversation(message("a", false), message("b", true), message("c", false)), 3},
	} {
		got := released(final, tt.read)
		if tt.want < 0 && len(got) > 0 || tt.want >= 0 && (len(got) != 1 || got[0] != tt.want) {
			t.Errorf("%s: %v, want %d", name, got, tt.want)
		}
	}
}
