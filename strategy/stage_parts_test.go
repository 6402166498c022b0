package strategy

import (
	"slices"
	"strings"
	"testing"

	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/fact"
)

// TestRecall checks that the tokens of a decided conversation serve for the same blocks of
// a copy, although one of the two may lack empty messages, and for no other blocks.
func TestRecall(t *testing.T) {
	nothing := func() *transcript.Message { return &transcript.Message{Role: transcript.User} }
	image := func(size int) *transcript.Block {
		return &transcript.Block{Kind: transcript.Media, Parts: []transcript.Part{{Media: &transcript.Medium{Type: "image/png", Bytes: size}}}}
	}
	for _, tt := range []struct {
		name          string
		decided, copy []*transcript.Message
		want          []int // tokens known of the blocks of the copy; -1: none
	}{
		{"whole", msgs(user("a"), model("b b")), msgs(user("a"), model("b b")), []int{1, 2}},
		{"decided has empty messages", msgs(nothing(), user("a"), nothing(), model("b b")), msgs(user("a"), model("b b")), []int{1, 2}},
		{"the copy has empty messages", msgs(user("a"), model("b b")), msgs(nothing(), user("a"), nothing(), model("b b")), []int{1, 2}},
		{"the copy is longer", msgs(user("a")), msgs(user("a"), model("b b")), []int{1, -1}},
		{"the copy has more blocks", msgs(user("a")), msgs(user("a", "c")), []int{1, -1}},
		{"another text", msgs(user("a"), model("b b")), msgs(user("x"), model("b b")), []int{-1, 2}},
		{"another kind", msgs(user("a")), msgs(user(thinking("a"))), []int{-1}},
		{"the same image", msgs(user(image(9))), msgs(user(image(9))), []int{50}},
		{"another image", msgs(user(image(9))), msgs(user(image(8))), []int{-1}},
		{"an image in place of none", msgs(user(text(""))), msgs(user(&transcript.Block{Parts: image(9).Parts})), []int{-1}},
	} {
		decided, c := conv(tt.decided...), conv(tt.copy...)
		n := newCounts(decided, words)
		n.recall(decided, c)
		var got []int
		for _, b := range c.Blocks() {
			known, ok := n.of.get(b)
			if !ok {
				known = -1
			}
			got = append(got, known)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestHash checks that each bit of a text changes its fingerprint.
func TestHash(t *testing.T) {
	source := []byte("seventeen bytes..")
	seen := map[uint64]bool{hash(string(source)): true}
	for i := range source {
		for bit := range 8 {
			source[i] ^= 1 << bit
			if h := hash(string(source)); seen[h] {
				t.Errorf("bit %d of byte %d does not matter", bit, i)
			} else {
				seen[h] = true
			}
			source[i] ^= 1 << bit
		}
	}
	if hash("") == hash("\x00") || hash("a") == hash("a\x00") {
		t.Error("the length does not matter")
	}
}

// TestPlanned checks the words for the plan of a few questions and of many.
func TestPlanned(t *testing.T) {
	usd := 0.5
	few := notes.Plan{Calls: []notes.Call{{What: "part 1 of 2", In: 1200}, {What: "part 2 of 2", In: 900}}, In: 2100, Out: 800, Cost: &usd}
	if got, want := planned(few), "part 1 of 2 (up to 1,200 tokens), part 2 of 2 (up to 900 tokens); up to 2,100 tokens in and 800 out, for up to $0.5000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	many := notes.Plan{Calls: append(slices.Repeat(few.Calls, maxListed/2), notes.Call{In: 1300}), In: 9000, Out: 10, Assumed: true, Window: 32_000}
	if got, want := planned(many), "9 questions, one after the other, of up to 1,300 tokens each; up to 9,000 tokens in and 10 out, at a price that is not known; a context window of 32,000 tokens is assumed"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := planned(notes.Plan{Calls: many.Calls[:maxListed]}); strings.Count(got, "part") != maxListed {
		t.Errorf("not listed: %q", got)
	}
}

// TestTypedPins checks that a stage that may shorten typed text must not remove it, nor the
// last answer, and that it may remove earlier answers.
func TestTypedPins(t *testing.T) {
	c := conv(user("typed"), model("first"), user("go on"), model("last"), user("and then?"))
	for unpin, last := range map[bool]transcript.Pin{false: transcript.Present, true: transcript.Unpinned} {
		pins := typedPins(c, &Options{UnpinLast: unpin})
		var got []transcript.Pin
		for ref := range c.Blocks() {
			got = append(got, pins.of(ref))
		}
		if want := []transcript.Pin{transcript.Present, transcript.Unpinned, transcript.Present, last, transcript.Present}; !slices.Equal(got, want) {
			t.Errorf("UnpinLast %v: %v, want %v", unpin, got, want)
		}
	}
}

// TestThinkingOfModels checks that thinking goes only to a model of the same family, as
// far as both are known.
func TestThinkingOfModels(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		chosen   Thinking
		want     Thinking
	}{
		{"", "", "", ThinkingKeep},
		{"", "", ThinkingDropOld, ThinkingDropOld},
		{"claude-opus-4", "", "", ThinkingKeep},
		{"", "gpt-5", "", ThinkingKeep},
		{"claude-opus-4", "claude-sonnet-4", ThinkingDropOld, ThinkingDropOld},
		{"claude-opus-4", "gpt-5", ThinkingDropOld, ThinkingDrop},
		{"claude-opus-4", "gpt-5", "", ThinkingDrop},
	} {
		c := conv(user("a"))
		c.Model = tt.from
		var o Options
		o.TargetModel, o.Thinking = tt.to, tt.chosen
		if got := o.thinking(c); got != tt.want {
			t.Errorf("from %q to %q with %q: %s, want %s", tt.from, tt.to, tt.chosen, got, tt.want)
		}
	}
}

// withCaps returns options with caps.
func withCaps(t *testing.T, list ...string) (o Options) {
	o.Caps = caps(t, list...)
	return o
}

// TestCapWithoutEdits checks the reasons why no result gets smaller.
func TestCapWithoutEdits(t *testing.T) {
	run := func(c *transcript.Conversation, list ...string) Proposal {
		return capResults(inputFor(c, withCaps(t, list...), 0))
	}
	c := conv(concat(msgs(user("go")), round("1", "Bash", "command=ls", "one two three four"), msgs(model("done")))...)
	if p := run(c, "Bash=4"); p.Skipped != "no result that may be changed is over its cap" {
		t.Errorf("%+v", p)
	}
	if p := run(c, "Read=3"); p.Skipped != "no result that may be changed is over its cap" {
		t.Errorf("%+v", p)
	}
	if p := run(c, "Bash=3"); p.Skipped != "results over their cap are protected, or markers already" || p.Edits != nil {
		t.Errorf("a result that is smaller than its marker: %+v", p)
	}
}

// TestCapNotes checks the number of results that are still over their cap.
func TestCapNotes(t *testing.T) {
	one := round("1", "Bash", "command=ls", "one two three four")
	two := round("2", "Bash", "command=ls", "one two three four")
	marker := round("3", "Bash", "command=ls", "[Bash ls: 4 lines omitted]")
	for _, tt := range []struct {
		msgs []*transcript.Message
		caps []string
		want []string
	}{
		{one, nil, nil},
		{one, []string{"Bash=4"}, nil},
		{one, []string{"Read=1"}, nil},
		{concat(one, marker), []string{"Bash=3"}, []string{"1 result keeps more than its cap: it is pinned, or has protected lines"}},
		{concat(one, two), []string{"Bash=3"}, []string{"2 results keep more than their cap: they are pinned, or have protected lines"}},
	} {
		o := withCaps(t, tt.caps...)
		if got := capNotes(conv(tt.msgs...), &o, words); !slices.Equal(got, tt.want) {
			t.Errorf("caps %v: %q, want %q", tt.caps, got, tt.want)
		}
	}
}

// TestFactsOf checks that the facts of mentions are listed once, in order.
func TestFactsOf(t *testing.T) {
	if got, want := factsOf([]fact.Mention{{Fact: 7}, {Fact: 3}, {Fact: 7}, {Fact: 5}}), []fact.ID{3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := factsOf(nil); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// TestCapKeepsFacts checks that the lines with facts stay, of lines without cues.
func TestCapKeepsFacts(t *testing.T) {
	plain := strings.Repeat("all is as it was before that\n", 40)
	const first, second = "see src/alpha/beta_one.go for it\n", "and lib/gamma/delta_two.go for that\n"
	c := conv(concat(msgs(user("go")), round("1", "Bash", "command=look", plain+first+plain+second+plain), msgs(model("done")))...)
	p := capResults(inputFor(c, withCaps(t, "Bash=40"), 0))
	left := all(apply(t, c, p.Edits))
	if !strings.Contains(left, first) || !strings.Contains(left, second) || strings.Count(left, "all is as it was") > 5 {
		t.Errorf("left\n%s", left)
	}
}

// TestTypedText checks which text a rewrite of an external program is compared with.
func TestTypedText(t *testing.T) {
	b := text("one")
	b.Origin = transcript.Typed
	b.Parts = append(b.Parts, transcript.Part{Media: &transcript.Medium{Type: "image/png"}}, transcript.Part{Text: "two"})
	c := conv(user(b, injected("no")))
	at := func(block, part int) transcript.Ref {
		m := c.Messages[0]
		return transcript.Ref{Msg: m.ID, Block: m.Blocks[block].ID, Part: part}
	}
	for _, tt := range []struct {
		at    transcript.Ref
		text  string
		typed bool
	}{
		{at(0, 0), "one", true},
		{at(0, 1), "", true},
		{at(0, 2), "two", true},
		{at(0, transcript.Whole), b.Text(), true},
		{at(0, 3), b.Text(), true},
		{at(1, 0), "", false},
		{transcript.Ref{Msg: c.Messages[0].ID, Block: 99}, "", false},
	} {
		if text, typed := typedText(c.Messages[0], tt.at); text != tt.text || typed != tt.typed {
			t.Errorf("%v: %q, %v", tt.at, text, typed)
		}
	}
}

// TestNotEnoughMessages checks that instructions of the client are no messages in the
// reason for having no summary.
func TestNotEnoughMessages(t *testing.T) {
	c := conv(system("be short"), user("do it"), model(said(1)), user("go on"), model("done"))
	stage, _ := summarizing(t, c, 20, nil)
	if want := "not enough messages: 0 of 4 messages"; stage.Skipped != want {
		t.Errorf("got %q, want %q", stage.Skipped, want)
	}
}

// TestForkWithNotes checks the order of the messages with which a fork with notes begins:
// the notes, their acknowledgement, what was typed, and the last answer.
func TestForkWithNotes(t *testing.T) {
	res, _ := noting(t, story(16), sections, func(o *Options, _ *Env) { o.Layout = LayoutFork })
	var got []string
	for m := range res.Conv.Visible() {
		got = append(got, m.Role.String()+": "+strings.Join(strings.Fields(m.Blocks[0].Text())[:2], " "))
	}
	if len(got) < 4 || !strings.HasPrefix(got[0], "user: ") || got[1] != "assistant: "+strings.Join(strings.Fields(acknowledgement)[:2], " ") ||
		got[2] != "user: do step" || got[len(got)-1] != "assistant: The cause" {
		t.Errorf("left %q", got)
	}
}

// TestPlaceBehindWhatStays checks that a summary of the texts that a client added behind a prompt
// does not go in front of the prompt, but one of texts in front of a prompt does.
func TestPlaceBehindWhatStays(t *testing.T) {
	prompt, added := text("first"), text("reminder")
	for _, tt := range []struct {
		name   string
		blocks []*transcript.Block
		gone   int // index of the block that goes
		want   int // index of the message behind the summary
	}{
		{"behind the prompt", []*transcript.Block{prompt, added}, 1, 2},
		{"in front of the prompt", []*transcript.Block{added, prompt}, 0, 0},
	} {
		c := conv(&transcript.Message{Role: transcript.User, Blocks: tt.blocks}, model("b"), user("c"))
		gone := map[transcript.Ref]bool{}
		for m, b := range map[*transcript.Message]int{c.Messages[0]: tt.gone, c.Messages[1]: 0} {
			gone[transcript.Ref{Msg: m.ID, Block: m.Blocks[b].ID, Part: transcript.Whole}] = true
		}
		if got := summaryPlace(c, gone); got != c.Messages[tt.want].ID {
			t.Errorf("%s: %d, want %d", tt.name, got, c.Messages[tt.want].ID)
		}
	}
}

// TestPlacesOfSummaries checks where a summary goes when it must not stand inside a round.
func TestPlacesOfSummaries(t *testing.T) {
	at := func(c *transcript.Conversation, messages ...int) map[transcript.Ref]bool {
		gone := map[transcript.Ref]bool{}
		for _, i := range messages {
			for _, b := range c.Messages[i].Blocks {
				gone[transcript.Ref{Msg: c.Messages[i].ID, Block: b.ID, Part: transcript.Whole}] = true
			}
		}
		return gone
	}
	calls := func() *transcript.Message { return model(call("1", "Read", "path=a"), call("2", "Read", "path=b")) }
	for _, tt := range []struct {
		name string
		c    *transcript.Conversation
		gone []int
		want int // index of the message behind it; -1: the end
	}{
		{"in front of the first that stays", conv(user("a"), model("b"), user("c"), model("d")), []int{0, 1}, 2},
		{"behind the first that goes", conv(user("a"), model("b"), user("c"), model("d")), []int{1}, 2},
		{"behind all", conv(user("a"), model("b")), []int{0, 1}, -1},
		{"behind the round", conv(user("a"), calls(), user(result("1", "x")), user(result("2", "y")), user("c")), []int{2}, 4},
		{"in front of the round", conv(user("a"), calls(), user(result("1", "x")), user(result("2", "y"))), []int{2}, 1},
		{"not in front of instructions", conv(system("s"), calls(), user(result("1", "x")), user(result("2", "y"))), []int{2}, 1},
		{"no place", conv(system("s"), user("a"), calls(), user(result("1", "x")), user(result("2", "y"))), []int{1, 2, 3}, -1},
	} {
		want := transcript.End
		if tt.want >= 0 {
			want = tt.c.Messages[tt.want].ID
		}
		if got := summaryPlace(tt.c, at(tt.c, tt.gone...)); got != want {
			t.Errorf("%s: %d, want %d", tt.name, got, want)
		}
	}
}
