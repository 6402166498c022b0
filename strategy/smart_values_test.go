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
	worth := map[string]float64{}
	w := factValues(s)
	for _, b := range c.Blocks() {
		for i := range b.Parts {
			n := 0
			fact.Each(b.Parts[i].Text, func(_ int, key string) {
				worth[key] = w[s.Mentions(&b.Parts[i])[n].Fact]
				n++
			})
		}
	}
	order := []string{"make_check", "new_tool", "said_once", "said_often"}
	for i := range order[1:] {
		if worth[order[i]] >= worth[order[i+1]] {
			t.Errorf("%s is worth %v, %s %v", order[i], worth[order[i]], order[i+1], worth[order[i+1]])
		}
	}
	if worth["old_tool"] != worth["new_tool"] {
		t.Errorf("age counts: %v, %v", worth["old_tool"], worth["new_tool"])
	}
	if worth["neighbour_of"] <= worth["new_tool"] {
		t.Errorf("company counts nothing: %v, %v", worth["neighbour_of"], worth["new_tool"])
	}
}
