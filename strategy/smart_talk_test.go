package strategy

import (
	"strings"
	"testing"
)

// TestTalkLines checks that of a talk that a tool read, whole lines with rare words stay, each with its
// speaker, wherever they stand.
func TestTalkLines(t *testing.T) {
	var talk strings.Builder
	kept := map[int]string{
		11: "Ida: My daughter Brunhild adopted a lame falcon from the sanctuary. She named it Quartz, and it sleeps in her wardrobe.",
		52: "Bo: We moved the observatory to Tromsø. The old telescope stays in the cellar of the brewery, behind the barrels.",
	}
	for i := range 80 {
		switch line := kept[i]; {
		case line != "":
			talk.WriteString(line + "\n")
		case i%2 == 0:
			talk.WriteString("Ida: That sounds really great, I am so happy for you. How was the rest of the week for you and for the others?\n")
		default:
			talk.WriteString("Bo: Thank you so much, that is really nice of you. It was good, how was the week for you and for the others?\n")
		}
	}
	c := conv(concat(msgs(user("Read the talk.")), round("1", "read_talk", "session=1", talk.String()), msgs(model("I have read it."), user("Go on.")),
		round("2", "ls", "path=.", "a.go\nb.go\n"), msgs(model("Two files.")))...)
	after := all(run(t, c, Options{Target: Target{Share: 0.15}}, &Smart).Conv)
	for _, line := range kept {
		if !strings.Contains(after, line) {
			t.Errorf("%q is not in\n%s", line, after)
		}
	}
}
