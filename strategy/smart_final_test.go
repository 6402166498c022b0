package strategy

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"condense/transcript"
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

// TestHeavyEnd checks that a last call whose arguments take a large part of the budget becomes a record when it
// is answered, so that the reader learns what was done before.
func TestHeavyEnd(t *testing.T) {
	written := catalogue(60)
	msgs := func(last ...*transcript.Message) []*transcript.Message {
		return append(concat([]*transcript.Message{user("Set the sails.")}, round("1", "Read", "path=src/ropes.go", lines(40)),
			[]*transcript.Message{model("The ropes are read. Now I write the sails.")}), last...)
	}
	write := model(call("2", "Write", "path=src/sails.go", "content="+written))
	for _, test := range []struct {
		name  string
		share float64
		env   Env
		o     Options
		msgs  []*transcript.Message
		stays bool
	}{
		{name: "answered", share: 0.4, msgs: msgs(write, tool("2", "done"))},
		{name: "waits", share: 0.4, msgs: msgs(write), stays: true},
		{name: "waits for one of two", share: 0.4, msgs: msgs(write, model(call("3", "Bash", "command=ls")), tool("2", "done")), stays: true},
		{name: "fits", share: 0.95, msgs: msgs(write, tool("2", "done")), stays: true},
		{name: "no message of the model may be the last", share: 0.4, env: Env{EndsWithUser: true}, msgs: msgs(write, tool("2", "done")), stays: true},
		{name: "the user keeps the last messages", share: 0.4, o: Options{KeepLast: 2}, msgs: msgs(write, tool("2", "done")), stays: true},
		{name: "protected lines", share: 0.4, o: Options{Protect: []*regexp.Regexp{regexp.MustCompile("level_7")}}, msgs: msgs(write, tool("2", "done")), stays: true},
		{name: "no other unit", share: 0.4, msgs: []*transcript.Message{write, tool("2", "done")}, stays: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.env.Tokens, test.o.Target = quarters, Target{Share: test.share}
			res, err := Run(t.Context(), conv(test.msgs...), []*Strategy{&Smart}, &test.o, test.env)
			if err != nil {
				t.Fatal(err)
			}
			got := all(res.Conv)
			if stays := strings.Contains(got, written); stays != test.stays {
				t.Errorf("the last call stays: %t, want %t:\n%s", stays, test.stays, got)
			}
			if test.stays {
				return
			}
			if !res.Reached() {
				t.Errorf("%d tokens are left of a budget of %d", res.After, res.Budget)
			}
			said, wrote := strings.Index(got, "Now I write the sails."), strings.Index(got, "Write src/sails.go ok")
			if read := strings.Index(got, "src/ropes.go"); read < 0 || said < read || wrote < said {
				t.Errorf("not in their order: a read, what the model said, a write:\n%s", got)
			}
			again, err := Run(t.Context(), res.Conv, []*Strategy{&Smart}, &Options{Target: Target{Tokens: res.Budget}}, test.env)
			if err != nil || all(again.Conv) != got {
				t.Errorf("a second run changes something (%v):\n%s", err, all(again.Conv))
			}
		})
	}
}
