package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

// Of instructions that are too long, and of what a client put in, the sentences that
// say what must be or must not be stay, each once, as far as their share goes.
func TestSmartKeepsConstraints(t *testing.T) {
	rules := with(with(catalogue(150), "Never touch src/harbour/lock.go by hand."), "Die Tests müssen vor jedem Commit laufen.")
	note := injected("<system-reminder>\n" + with(catalogue(40), "Always answer in one paragraph.") + "</system-reminder>")
	again := injected("<system-reminder>\n" + with(catalogue(60), "Always answer in one paragraph.") + "</system-reminder>")
	c := conv(concat(
		msgs(system(rules), user("start", note)),
		round("1", "Bash", "command=ls", catalogue(150)),
		msgs(user("go on", again), model("done")),
	)...)
	got := all(smartly(t, c, 500))
	for want, n := range map[string]int{
		"Never touch src/harbour/lock.go by hand.":  1,
		"Die Tests müssen vor jedem Commit laufen.": 1,
		"Always answer in one paragraph.":           1,
	} {
		if strings.Count(got, want) != n {
			t.Errorf("%q is left %d times, want %d:\n%s", want, strings.Count(got, want), n, got)
		}
	}
	if n := quarters(&transcript.Block{Parts: []transcript.Part{{Text: got}}}); n > 550 {
		t.Errorf("%d tokens are left", n)
	}
	// No more than their share: the budget is reached all the same.
	var many strings.Builder
	for range 40 {
		many.WriteString("You must never do what the line number " + strings.Repeat("x", many.Len()%7) + " here says you should not do.\n")
	}
	c = conv(concat(msgs(system(many.String()), user("start")), round("1", "Bash", "command=ls", catalogue(150)), msgs(user("go on"), model("done")))...)
	if left := smartly(t, c, 300); quartersOf(left) > 300 {
		t.Errorf("%d tokens are left of 300:\n%s", quartersOf(left), all(left))
	}
}

func quartersOf(c *transcript.Conversation) int {
	n, _ := Measure(c, quarters)
	return n
}
