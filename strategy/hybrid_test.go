package strategy

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// What is left at a fifth is the conversation: every request is followed by what came of
// it, in order, and the last answer is whole.
func TestHybridIsTheConversation(t *testing.T) {
	var msgs []*transcript.Message
	for i := range 12 {
		msgs = append(msgs, user(fmt.Sprintf("Request %d: close hall_%d.", i, i)))
		msgs = append(msgs, round(fmt.Sprint(i), "Bash", fmt.Sprintf("command=close hall_%d", i), strings.Repeat(fmt.Sprintf("valve_%d turned to %d degrees\n", i, 100+i), 40))...)
		msgs = append(msgs, model(fmt.Sprintf("Hall_%d is closed, because valve_%d was turned.", i, i)))
	}
	c := conv(msgs...)
	o := Defaults()
	o.Target = Target{Share: 0.2}
	r, err := Run(context.Background(), c, Hybrid, &o, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	text, at := all(r.Conv), 0
	for i := range 12 {
		for _, want := range []string{fmt.Sprintf("Request %d: close hall_%d.", i, i), fmt.Sprintf("Hall_%d is closed, because valve_%d was turned.", i, i)} {
			n := strings.Index(text[at:], want)
			if n < 0 {
				t.Fatalf("%q is not there, or not in its place:\n%s", want, text)
			}
			at += n
		}
	}
}
