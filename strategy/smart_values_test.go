package strategy

import (
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
)

func TestFactValues(t *testing.T) {
	c := conv(concat(
		[]*transcript.Message{system("use make_check")},
		round("1", "Bash", "command=ls", "old_tool far_away make_check"),
		[]*transcript.Message{model("said_once"), model("said_often"), model("said_often")},
		round("2", "Bash", "command=ls", "neighbour_of said_soon"),
		[]*transcript.Message{model("said_soon"), user("go on")},
		round("3", "Bash", "command=ls", "new_tool"),
	)...)
	s := fact.Of(c)
	values := map[string]float64{}
	list := factValues(s)
	for _, b := range c.Blocks() {
		for i := range b.Parts {
			n := 0
			fact.Each(b.Parts[i].Text, func(_ int, key string) {
				values[key] = list[s.Mentions(&b.Parts[i])[n].Fact]
				n++
			})
		}
	}
	order := []string{"make_check", "new_tool", "said_once", "said_often"}
	for i := range order[1:] {
		if values[order[i]] >= values[order[i+1]] {
			t.Errorf("the value of %s is %v, and of %s %v: want less", order[i], values[order[i]], order[i+1], values[order[i+1]])
		}
	}
	if values["old_tool"] != values["new_tool"] {
		t.Errorf("the value depends on the age: %v for old_tool, %v for new_tool", values["old_tool"], values["new_tool"])
	}
	if values["neighbour_of"] <= values["new_tool"] {
		t.Errorf("used neighbours do not increase the value: %v for neighbour_of, %v for new_tool", values["neighbour_of"], values["new_tool"])
	}
}
