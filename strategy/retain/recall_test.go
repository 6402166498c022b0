package retain

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// bytesOf counts a block by its bytes.
func bytesOf(b *transcript.Block) (n int) {
	for _, p := range b.Parts {
		n += len(p.Text)
	}
	return n
}

// working returns a session of n rounds. In each the model reads a file and then
// mentions functions of files that it read much earlier. Every tenth round begins with
// a prompt.
func working(n int) *transcript.Conversation {
	var msgs []*transcript.Message
	for i := range n {
		if i%10 == 0 {
			msgs = append(msgs, user(fmt.Sprintf("go on with step %d of the plan", i)))
		}
		if i >= 10 {
			msgs = append(msgs, model(fmt.Sprintf("Now load_part_%dx calls load_part_%dx.", i/2, i/3)))
		}
		id := fmt.Sprint(i)
		msgs = append(msgs, call(id, "Read", fmt.Sprintf("file_path=src/part%dx.go", i)),
			result(id, fmt.Sprintf("the function called load_part_%dx opens the part and reads it\n", i)+strings.Repeat("filler text without any facts\n", 30)))
	}
	return conv(msgs...)
}

func TestCuts(t *testing.T) {
	c := working(80)
	cuts, err := Cuts(c, bytesOf)
	if err != nil {
		t.Fatal(err)
	}
	typed := 0
	for i, cut := range cuts {
		if i > 0 && cut.At < cuts[i-1].At {
			t.Error("cuts are out of order")
		}
		if cut.Typed {
			typed++
		}
		if got := len(cut.Before.Messages); got != cut.At {
			t.Errorf("cut %d has %d messages, not %d", i, got, cut.At)
		}
		if len(cut.needed) < leastNeeded {
			t.Errorf("cut %d asks after %d facts", i, len(cut.needed))
		}
		if at := c.Messages[cut.At-1].Blocks[0]; !cut.Typed && at.Kind != transcript.ToolResult {
			t.Errorf("cut %d in a turn is behind a %s, not behind a result", i, at.Kind)
		}
		if next := c.Messages[cut.At]; cut.Typed != (next.Role == transcript.User) {
			t.Errorf("cut %d is in front of a message from %s", i, next.Role)
		}
	}
	if len(cuts) < 6 || typed < 3 || typed == len(cuts) {
		t.Errorf("%d cuts, %d of them in front of typed messages", len(cuts), typed)
	}
}

func TestNoCuts(t *testing.T) {
	long := strings.Repeat("words without a fact in them. ", 100)
	var plain []*transcript.Message
	for range 30 {
		plain = append(plain, user(long), model(long))
	}
	for _, tt := range []struct {
		name string
		c    *transcript.Conversation
		want string
	}{
		{"short", conv(user("a"), model("b")), "it has 2 messages and 2 tokens; cutting it in two takes 40 messages and 20000 tokens"},
		{"without facts", conv(plain...), "there is no place after which 10 facts from before were used"},
		{"condensed before", conv(append([]*transcript.Message{summary("so far")}, plain...)...), "it was condensed before: the messages after a cut follow another summary"},
		{"empty", conv(), "it has 0 messages and 0 tokens; cutting it in two takes 40 messages and 20000 tokens"},
	} {
		cuts, err := Cuts(tt.c, bytesOf)
		if err == nil || err.Error() != tt.want || cuts != nil {
			t.Errorf("%s: %d cuts and %v", tt.name, len(cuts), err)
		}
	}
}

// TestRecall checks that a full copy has everything, an empty one nothing, a list of
// names everything present and nothing bound, and the newest half nothing that is far.
func TestRecall(t *testing.T) {
	cuts, err := Cuts(working(80), bytesOf)
	if err != nil {
		t.Fatal(err)
	}
	for i, cut := range cuts {
		var names []string
		for _, n := range cut.needed {
			names = append(names, n.key)
		}
		keep := cut.Before.Messages
		copied := func(msgs []*transcript.Message) *transcript.Conversation {
			var fresh []*transcript.Message
			for _, m := range msgs {
				one := *m
				fresh = append(fresh, &one)
			}
			return conv(fresh...)
		}
		for _, tt := range []struct {
			name              string
			after             *transcript.Conversation
			present, bound    float64
			atMost, farAtMost float64
		}{
			{"everything", copied(keep), 1, 1, 1, 1},
			{"nothing", conv(), 0, 0, 0, 0},
			{"a list of names", conv(summary(strings.Join(names, " "))), 0.9, 0, 0.1, 0.1},
			{"the newest", copied(keep[len(keep)*9/10:]), 0, 0, 0.5, 0.2},
		} {
			r := cut.Recall(tt.after)
			if r.Needed != len(cut.needed) || r.All.Facts != r.Needed {
				t.Errorf("cut %d, %s: %d of %d facts", i, tt.name, r.All.Facts, r.Needed)
			}
			if p, b := r.All.Present(), r.All.Bound(); p < tt.present || b < tt.bound || b > tt.atMost {
				t.Errorf("cut %d, %s: present %.2f, bound %.2f", i, tt.name, p, b)
			}
			far := 0
			for _, n := range cut.needed {
				if n.far {
					far++
				}
			}
			if r.Far.Facts != far {
				t.Errorf("cut %d, %s: %d facts are from far before, want %d", i, tt.name, r.Far.Facts, far)
			}
			if r.Far.Facts > 0 && r.Far.Bound() > tt.farAtMost {
				t.Errorf("cut %d, %s: far %.2f", i, tt.name, r.Far.Bound())
			}
		}
	}
}

// TestNeeded checks that a fact is needed when the model is the first to name it again.
func TestNeeded(t *testing.T) {
	first := conv(
		&transcript.Message{Role: transcript.System, Blocks: []*transcript.Block{{Origin: transcript.Injected, Parts: []transcript.Part{{Text: "use tool_of_rules"}}}}},
		call("1", "Read", "file_path=src/main.go"), result("1", "first_name second_name third_name tool_of_rules"))
	then := []*transcript.Message{
		call("2", "Bash", "command=grep first_name"), result("2", "second_name is here"), model("So second_name, third_name, new_name, tool_of_rules and first_name."),
	}
	msgs := append(first.Messages, then...)
	cut := newCut(first, msgs, 3, false)
	cut.findNeeded(msgs, make([]int, len(msgs)+1))
	var got []string
	for _, n := range cut.needed {
		got = append(got, n.key)
	}
	if fmt.Sprint(got) != "[first_name third_name]" {
		t.Errorf("needed: %v", got)
	}
}

func TestMean(t *testing.T) {
	half := FactCount{Facts: 2, Weight: 2, Absent: 0.5, Unbound: 1}
	m := Mean([]Recall{{Needed: 2, All: half, Far: half}, {Needed: 3, All: FactCount{Facts: 3, Weight: 3}, Over: true}})
	if m != (Recalled{Cuts: 2, Needed: 5, Bound: 0.75, Present: 0.875, Over: 1, Within: 0.25, FarCuts: 1, Far: 0.5}) {
		t.Errorf("%+v", m)
	}
	if m := Mean(nil); m != (Recalled{}) {
		t.Errorf("of nothing: %+v", m)
	}
}
