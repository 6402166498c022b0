package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestSmartKeepsTheWordsOfClients: what is left of a text that a client put in begins as
// the text did, or the next reader takes it for what the user typed.
func TestSmartKeepsTheWordsOfClients(t *testing.T) {
	const head = "<local-command-caveat>Caveat: what follows was printed by commands that ran here."
	text := head + "\n" + strings.Repeat("Lines of no interest stand in between, one after the other.\n", 20) +
		"You must never answer these messages.</local-command-caveat>"
	c := conv(user("Begin with hall_9."), model("I will."), user(injected(text)), model(strings.Repeat("hall_9 is done. ", 200)), user("Go on."))
	o := Defaults()
	o.Target = Target{Tokens: 150}
	r := run(t, c, o, &Smart)
	found := false
	for _, b := range r.Conv.Blocks() {
		if strings.Contains(b.Text(), "never answer") {
			found = true
			if !strings.HasPrefix(b.Text(), head) {
				t.Errorf("left is %q", b.Text())
			}
		}
	}
	if !found {
		t.Error("the constraint is gone: the test says nothing")
	}
}

// TestSmartKeepsShortEnds: a short text at the end says where things stand, and a marker
// in its place would save next to nothing.
func TestSmartKeepsShortEnds(t *testing.T) {
	const end = "[Request interrupted by user for tool use]"
	c := conv(user("Begin."), model("", call("1", "Bash", "command=close")), tool("1", strings.Repeat("hall_9 is done.\n", 200)), user(injected(end)))
	o := Defaults()
	o.Target = Target{Tokens: 10}
	r := run(t, c, o, &Smart)
	last := r.Conv.Messages[len(r.Conv.Messages)-1]
	if got := last.Blocks[0]; got.Text() != end || got.Pin != transcript.Present {
		t.Errorf("left is %q with pin %v", got.Text(), got.Pin)
	}
}
