package strategy

import (
	"fmt"
	"strings"
	"testing"
)

// TestLastSearch checks that a line of a search result stays if the request names its words, also
// if other calls that the model made at the same time stand between the call and its result.
func TestLastSearch(t *testing.T) {
	const found = `cache/session-81.json:17:  "last_prompt": "work on the trail https://harbour.example.org/trails/81",`
	var hits strings.Builder
	for i := range 200 {
		if i == 120 {
			hits.WriteString(found + "\n")
		}
		fmt.Fprintf(&hits, "vendor/module%03d/options.json:%d:  \"colour\": \"a shade of grey by the trail with the number %d, `trail show --help` and the link to what it was on the day before in all of the harbours that are known to us\", \"size\": \"as large as it was before\",\n", i, i, i*7)
	}
	c := conv(user("Look at the harbour."), model("It is there."), user("Link me to the trail please."),
		model(call("1", "Bash", "command=rg -n colour .")), model(call("2", "Bash", "command=find . -name colour")), model(call("3", "Bash", "command=harbour status")),
		tool("1", hits.String()), tool("2", lines(30)), tool("3", lines(30)))
	after := run(t, c, Options{Target: Target{Share: 0.1}}, &Smart).Conv
	if !strings.Contains(all(after), found) {
		t.Errorf("the line that the request is about is not in\n%s", all(after))
	}
}
