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

// TestHeavyEndAlone checks that a call in front of one that becomes a record becomes one, too, if it is long.
func TestHeavyEndAlone(t *testing.T) {
	for name, test := range map[string]struct {
		before *transcript.Block
		stays  bool
	}{
		"long":  {call("2", "Write", "path=src/jib.go", "content="+catalogue(10)), false},
		"short": {call("2", "Read", "path=src/jib.go"), true},
	} {
		c := conv(concat([]*transcript.Message{user("Set the sails.")}, round("1", "Read", "path=src/ropes.go", catalogue(200)), []*transcript.Message{model("Now I write the sails.")},
			[]*transcript.Message{model(test.before), tool("2", "done"), model(call("3", "Write", "path=src/sails.go", "content="+catalogue(60))), tool("3", "done")})...)
		res, err := Run(t.Context(), c, []*Strategy{&Smart}, &Options{Target: Target{Share: 0.2}}, Env{Tokens: quarters})
		if err != nil {
			t.Fatal(err)
		}
		stays := false
		for _, b := range res.Conv.Blocks() {
			stays = stays || b.Kind == transcript.ToolCall && b.Call == "2"
		}
		if stays != test.stays {
			t.Errorf("%s: the call before the last stays: %t, want %t:\n%s", name, stays, test.stays, all(res.Conv))
		}
	}
}

// TestCommandsAreRequests checks that the name of a command stays if the model answered it, and that the
// instructions that the client made of it are kept before other texts of clients while nothing else was asked.
func TestCommandsAreRequests(t *testing.T) {
	const review, order = "<command-message>review</command-message>\n<command-name>/review</command-name>", "Look at each sail of the pull request.\nName the ropes that will break in a storm, and why they will.\nBegin with the foremost mast, and end at the stern.\nWrite no more than a page about all of it."
	const change, said = "<command-name>/model</command-name>\n<command-message>model</command-message>", "<local-command-stdout>The model is now another one, of the same family as before. It answers as fast as the other one did, and costs about as much. This holds until it is changed again in this folder.</local-command-stdout>"
	var rigging strings.Builder
	for i := range 60 {
		fmt.Fprintf(&rigging, "level_%d.go must hold stay%d because mast%d fails without it.\n", i, i, i)
	}
	work := concat(round("1", "Bash", "command=gh pr diff", catalogue(300)), []*transcript.Message{model("It is about level_7.go, level_8.go, level_9.go and level_250.go.")}, round("2", "Bash", "command=ls", catalogue(300)), round("3", "Bash", "command=cat rigging.md", rigging.String()))
	begin := []*transcript.Message{user("Hello."), model("Hello.")}
	for _, test := range []struct {
		name          string
		msgs          []*transcript.Message
		command, rest bool
	}{
		{"asked", concat(begin, []*transcript.Message{user(injected(review)), user(injected(order))}, work), true, true},
		{"asked, in one message", concat(begin, []*transcript.Message{user(injected(review), injected(order))}, work), true, true},
		{"asked before something else", concat(begin, []*transcript.Message{user(injected(review)), user(injected(order)), model("It is good."), user("Merge it.")}, work), true, false},
		{"carried out by the client", concat(begin, []*transcript.Message{user(injected(change)), user(injected(said)), user("Go on.")}, work), false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := all(run(t, conv(test.msgs...), Options{Target: Target{Tokens: 200}}, &Smart).Conv)
			if test.command && !strings.Contains(got, "<command-name>") {
				t.Errorf("the command is not left:\n%s", got)
			}
			if has := strings.Contains(got, order) || strings.Contains(got, said); has != test.rest {
				t.Errorf("the text behind it stays: %t, want %t:\n%s", has, test.rest, got)
			}
		})
	}
}
