package strategy

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// TestQuotedThinking checks that records quote conclusions of thinking under a small budget, and that
// thinking is left out or whole under a large one.
func TestQuotedThinking(t *testing.T) {
	const conclusion = "The lock must close before the pump starts, because the pump drains both basins."
	thought := "Let me look at the gate.\n\n" + strings.Repeat("I wonder which file holds it. ", 30) + "\n\n" + conclusion
	var msgs []*transcript.Message
	for i := range 12 {
		id := string(rune('a' + i))
		m := model("", call(id, "Read", "path=f"+id+".go"))
		if i == 2 {
			m.Blocks = append([]*transcript.Block{thinking(thought)}, m.Blocks...)
		}
		msgs = append(msgs, m, tool(id, strings.Repeat("func f"+id+"() {} // a function\n", 40)))
	}
	c := conv(concat([]*transcript.Message{user("start")}, msgs, []*transcript.Message{model("Done."), user("go on")})...)
	small := all(smartly(t, c, 100))
	if _, quoted, _ := strings.Cut(small, "thought:\n "); !strings.Contains(quoted, "\n "+conclusion+"\n") || strings.Count(quoted, "I wonder") > 5 {
		t.Errorf("the record does not quote the conclusion before the rest:\n%s", small)
	}
	if large := all(smartly(t, c, 2400)); strings.Contains(large, "thought:") {
		t.Errorf("thinking is quoted under a large budget:\n%s", large)
	}
}

// TestQuotedThinkingPays checks that a record may hold more than the calls that it describes when it quotes
// thinking that goes.
func TestQuotedThinkingPays(t *testing.T) {
	var thought strings.Builder
	for i := range 40 {
		fmt.Fprintf(&thought, "Basin %d drains first, because its sill lies at %d cm and the others are higher.\n\n", i, 310+7*i)
	}
	c := conv(user("start"), model("", thinking(thought.String()), call("a", "Read", "path=a.go")), tool("a", "package basin"), model("Done."), user("go on"))
	o := Defaults()
	o.Target = Target{Tokens: 300}
	r, err := Run(t.Context(), c, []*Strategy{&Smart}, &o, Env{Tokens: quarters})
	if err != nil {
		t.Fatal(err)
	}
	left := all(r.Conv)
	if !strings.Contains(left, "thought:\n") || strings.Count(left, "drains first") < 5 {
		t.Errorf("the record does not quote the thinking:\n%s", left)
	}
}
