package strategy

import (
	"fmt"
	"strings"
	"testing"
)

// TestNotesShorten checks that a result that is larger than the model's window is
// condensed before it is sent, so that its failures stay, and that its middle is not
// simply left out. The conversation keeps it.
func TestNotesShorten(t *testing.T) {
	var log strings.Builder
	for i := range 6000 {
		if i == 2950 {
			log.WriteString("ERROR pump_7: pressure 41 exceeds the limit of 40, in pkg/pump.go:77\n")
		}
		fmt.Fprintf(&log, "step %d of the pumps is done without any remark at all\n", i)
	}
	c := conv(concat(msgs(user("Look at the pumps."), model(call("1", "Bash", "command=make pumps")), tool("1", log.String()), model("One of them fails.")), story(9).Messages)...)
	long := strings.Replace(sections, "## Decisions\nNone.", "## Decisions\n"+strings.Repeat("The pumps are looked at one by one. ", 20), 1)
	res, prompts := noting(t, c, long, func(o *Options, e *Env) {
		o.Target.Tokens, e.Model.Window = 9000, 8000
	})
	all := ""
	for _, p := range prompts {
		if n := len(strings.Fields(p.System+" "+p.Text)) + p.MaxTokens; n > 8000 {
			t.Errorf("a question has %d words", n)
		}
		all += p.Text
	}
	if len(prompts) == 0 || res.Stages[0].Fallback != "" || !strings.Contains(all, "pump_7: pressure 41") || strings.Contains(all, "bytes omitted") {
		t.Errorf("%d questions, %d bytes, %+v", len(prompts), len(all), res.Stages[0].Fallback)
	}
	if _, ok := strings.CutPrefix(c.Messages[2].Blocks[0].Text(), log.String()); !ok {
		t.Error("the conversation has changed")
	}
}
