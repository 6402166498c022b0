package strategy

import (
	"fmt"
	"strings"
	"testing"

	"condense/strategy/subject"
	"condense/transcript"
)

func TestParseRange(t *testing.T) {
	tests := []struct {
		text string
		want Range
	}{
		{"12..40", Range{12, 40}},
		{"12..", Range{12, 0}},
		{"..40", Range{1, 40}},
		{"7", Range{7, 7}},
		{"7..7", Range{7, 7}},
	}
	for _, tt := range tests {
		if got, err := parseRange(tt.text); err != nil || got != tt.want {
			t.Errorf("%q: got %+v, %v, want %+v", tt.text, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "..", "0", "0..4", "4..0", "9..2", "-1..2", "1...2", "1-2", "a..b", " 1..2", "1..2..3", strings.Repeat("9", 30)} {
		if got, err := parseRange(bad); err == nil {
			t.Errorf("%q: got %+v", bad, got)
		}
	}
}

// TestLimitsPins checks that Messages goes by the numbers of the report, which include
// hidden messages.
func TestLimitsPins(t *testing.T) {
	c := conv(concat(
		msgs(system("s"), hidden(model("h")), model("first")),
		msgs(model("x", call("1", "Read"), call("2", "Bash")), user(result("1", "r"), result("2", "r"))),
		round("3", "Bash", "command=ls", "r"),
		msgs(model("y"), model("last")),
	)...)
	tests := []struct {
		only     []string
		messages Range
		want     string
	}{
		{nil, Range{}, "P . P ... .. . . . P"},
		{[]string{"Bash"}, Range{}, "V . V VV. V. . . V V"},
		{[]string{"Bash", "R*"}, Range{}, "V . V V.. .. . . V V"},
		{[]string{"none"}, Range{}, "V . V VVV VV V V V V"},
		{nil, Range{4, 5}, "V V V ... .. V V V V"},
		{nil, Range{5, 0}, "V V V VVV .. . . . P"},
		{nil, Range{1, 6}, "P . P ... .. . V V V"},
		{nil, Range{40, 50}, "V V V VVV VV V V V V"},
		{[]string{"Bash"}, Range{6, 0}, "V V V VVV VV . . V V"},
	}
	for _, tt := range tests {
		o := &Options{Only: globs(t, tt.only...), Messages: tt.messages}
		if got := showPins(pinned(c, o)); got != tt.want {
			t.Errorf("only %q, messages %v: got %q, want %q", tt.only, tt.messages, got, tt.want)
		}
	}
}

// TestRangeAfterDrops checks that a range holds the same messages when an earlier stage has removed some.
func TestRangeAfterDrops(t *testing.T) {
	c := conv(msgs(user("a"), model("b"), user("c"), model("d"), user("e"), model("f"))...)
	next, err := c.Apply([]transcript.Edit{{At: transcript.At(1), Op: transcript.Drop}, {At: transcript.At(2), Op: transcript.Drop}})
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{Messages: Range{2, 4}}
	o.UnpinUser, o.UnpinLast = true, true
	if got, want := showPins(pinned(next, o)), "V . V V"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFreezePrefixPins checks that FreezePrefix counts visible messages.
func TestFreezePrefixPins(t *testing.T) {
	c := conv(concat(msgs(system("s"), hidden(model("h")), model("first")), round("1", "Read", "path=a", "r"), msgs(model("y"), model("last")))...)
	for n, want := range []string{"P . P . . . P", "V . P . . . P", "V . V . . . P", "V . V V . . P", "V . V V V . P", "V . V V V V P", "V . V V V V V", "V . V V V V V"} {
		if got := showPins(pinned(c, &Options{FreezePrefix: n})); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// TestLimitsHold checks for every strategy that blocks outside the limits do not change.
// A strategy that changes blocks inside the limits without them must also do so with them.
func TestLimitsHold(t *testing.T) {
	var list []*transcript.Message
	for i := range 8 {
		id, tool := fmt.Sprint(i+1), []string{"Read", "Bash"}[i%2]
		list = append(list, model(fmt.Sprintf("thought %d about %s", i, lines(20)), thinking(lines(30))))
		list = append(list, round(id, tool, "path=src/a.go", lines(100))...)
	}
	c := conv(append(list, user("go on"), model("done"))...)
	run := func(s *Strategy, set func(*Options)) *transcript.Conversation {
		o := Defaults()
		o.Target, o.KeepRounds, o.Thinking = Target{Tokens: 1}, 0, ThinkingDrop
		set(&o)
		r, err := Run(t.Context(), c, []*Strategy{s}, &o, Env{Tokens: words})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		return r.Conv
	}
	for _, s := range append(All, &Strategy{Name: HybridName, Layers: Hybrid}) {
		unlimited := run(s, func(*Options) {})
		for name, set := range map[string]func(*Options){
			"only":     func(o *Options) { o.Only = globs(t, "Bash") },
			"messages": func(o *Options) { o.Messages = Range{7, 12} },
			"both":     func(o *Options) { o.Only, o.Messages = globs(t, "Bash"), Range{7, 12} },
		} {
			var o Options
			set(&o)
			limited := run(s, set)
			changed := func(after *transcript.Conversation, ref transcript.Ref, b *transcript.Block) bool {
				now := after.Block(ref)
				return now == nil || now.Text() != b.Text()
			}
			could, did := false, false
			for ref, b := range c.Blocks() {
				tool, _ := subject.Concerns(c, ref, b)
				free := (o.Only == nil || tool == "Bash") && (o.Messages == Range{} || o.Messages.holds(ref.Msg+1))
				could = could || free && changed(unlimited, ref, b)
				did = did || changed(limited, ref, b)
				if !free && changed(limited, ref, b) {
					t.Errorf("%s, %s: %s was changed", s.Name, name, ref)
				}
			}
			if could && !did {
				t.Errorf("%s, %s: no block was changed", s.Name, name)
			}
		}
	}
}
