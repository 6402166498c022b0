package strategy

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// valves is a session of n tool rounds between what a person typed.
func valves(n int) []*transcript.Message {
	msgs := []*transcript.Message{user("Close every valve.")}
	for i := range n {
		id := fmt.Sprint(i)
		msgs = append(msgs,
			model(fmt.Sprintf("Next is valve_%d in hall_%d.", i, i), call(id, "Bash", fmt.Sprintf("command=close valve_%d", i))),
			user(result(id, strings.Repeat(fmt.Sprintf("valve_%d turned by motor_%d to %d degrees\n", i, i, 100+i), 12))))
	}
	return append(msgs, model("All are closed."), user("Now open valve_3."))
}

// TestHybridDigest: a digest is for severe targets, for what has one already, and
// where there is room for it; else everything is shortened in its place.
func TestHybridDigest(t *testing.T) {
	digest := "## Conversation Summary: lines of it, word for word\nIndented lines are quotations; what stood between them is left out.\n### Said by the assistant\n Use valve_9."
	for _, tt := range []struct {
		name string
		msgs []*transcript.Message
		to   Target
		want string // why there is no digest; "" when there is one
	}{
		{"a fifth", valves(60), Target{Share: 0.2}, ""},
		{"half", valves(60), Target{}, "less than a third"},
		{"half, with an earlier one", append([]*transcript.Message{user("Begin."), user(summary(digest))}, valves(60)...), Target{}, ""},
		{"no room", append(valves(60), user(strings.Repeat("word ", 900))), Target{Tokens: 1000}, "empty summary: what stays word for word leaves"},
		{"too short", valves(0), Target{Share: 0.2}, "not enough messages"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Target = tt.to
			r, err := Run(context.Background(), conv(tt.msgs...), Hybrid, &o, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			s := r.Stages[1]
			if s.Name != "summarize" || tt.want == "" && s.Skipped != "" || !strings.Contains(s.Skipped, tt.want) {
				t.Errorf("%s: %q, want %q", s.Name, s.Skipped, tt.want)
			}
			if n := strings.Count(all(r.Conv), "## Conversation Summary"); (n == 1) != (tt.want == "") {
				t.Errorf("%d summaries", n)
			}
		})
	}
}
