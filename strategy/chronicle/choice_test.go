package chronicle

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// choiceOf returns the choice for a conversation in which every fact has the value 1. Each of
// the functions changes the source before.
func choiceOf(budget int, c *transcript.Conversation, changes ...func(*Source)) *choice {
	survey := fact.Of(c)
	s := Source{Conv: c, Budget: budget, Tokens: quarters, Survey: survey, Value: slices.Repeat([]float64{1}, survey.Len()),
		Hint: func(_ transcript.Ref, b *transcript.Block, _ int) squeeze.Hint {
			return squeeze.Hint{Tool: b.Tool, Command: b.Arg("command"), Path: b.Arg("file_path")}
		}}
	for _, change := range changes {
		change(&s)
	}
	d := newDraft(&s)
	d.layOut()
	return newChoice(d)
}

// workOn returns messages that read, edit and test a few files of a harbour.
func workOn(files int) (msgs []*transcript.Message) {
	msgs = append(msgs, transcripttest.User("Mend the gates of the harbour."))
	call := func(id, tool, result string, args ...string) {
		msgs = append(msgs, transcripttest.Model("The next file is part "+id+", because its gate leaks.", transcripttest.Call(id, tool, args...)), transcripttest.Tool(id, result))
	}
	for i := range files {
		name := fmt.Sprintf("gate%d.go", i)
		call(fmt.Sprint("r", i), "Read", strings.Repeat(fmt.Sprintf("\tif level > limit_%d {\n\t\treturn ErrFlood%d\n\t}\n", i, i), 5), "file_path="+name)
		call(fmt.Sprint("e", i), "Edit", "The file was changed:\n"+strings.Repeat(fmt.Sprintf("\tif level > limit_%d {\n\t\treturn nil\n\t}\n", i), 9), "file_path="+name, "old_string=\treturn nil",
			fmt.Sprintf("new_string=\tif g.moving_%d {\n\t\treturn ErrStuck%d\n\t}\n\tg.open_%d()\n\treturn ErrFlood%d\n", i, i, i, i))
		call(fmt.Sprint("b", i), "Bash", fmt.Sprintf("--- FAIL: TestGate%d\n    gate%d_test.go:21: limit_%d: want nil\n%sFAIL\n", i, i, i, strings.Repeat("level is read\n", 9)), "command=go test ./...")
	}
	return append(msgs, transcripttest.Model("All gates are tight now."), transcripttest.User("Go on."))
}

// TestValuesAfterDrops checks that the values of facts do not depend on what was kept for a
// time: when everything is dropped, each item has the value that it had at first.
func TestValuesAfterDrops(t *testing.T) {
	for seed := range int64(20) {
		rng := rand.New(rand.NewSource(seed))
		c := choiceOf(400, transcripttest.Conversation(workOn(3)...))
		before := make([]float64, c.items.count)
		for i := range c.items.count {
			before[i] = c.value(c.items.at(i))
		}
		for range 200 {
			i := int32(rng.Intn(c.items.count))
			if c.item(i).kept {
				c.drop(i)
			} else if _, _, ok := c.offer(i); ok {
				if other, ok := c.needs(i); ok {
					c.keep(other)
				}
				c.keep(i)
			}
			for k := range c.texts { // what is shown is what is kept
				x := &c.texts[k]
				if got, want := (&writer{choice: c}).render(x), x.cut.Render(x.kept); got != want {
					t.Fatalf("seed %d: text %d shows %q, want %q", seed, k, got, want)
				}
			}
		}
		for i := range c.items.count {
			if c.items.at(i).kept {
				c.drop(int32(i))
			}
		}
		for i := range c.items.count {
			if got := c.value(c.items.at(i)); got != before[i] {
				t.Fatalf("seed %d: item %d has the value %v, was %v: %+v", seed, i, got, before[i], *c.items.at(i))
			}
		}
	}
}

// TestProtectedPiecesStay checks that the pieces that the user protects stay under any budget.
func TestProtectedPiecesStay(t *testing.T) {
	story := "The north gate is red. " + strings.Repeat("The water rises and falls with the moon. ", 20) + "The south gate is blue.\n\n" + strings.Repeat("Nobody looks at the gauge. ", 30)
	for _, msgs := range [][]*transcript.Message{
		{transcripttest.User("Tell me."), transcripttest.Model(story), transcripttest.User("Go on.")},
		{transcripttest.User("Tell me."), transcripttest.Message(transcript.User, transcript.Injected, strings.Repeat(story+"\n", 3)), transcripttest.Model("Well.")},
	} {
		c := transcripttest.Conversation(msgs...)
		for _, budget := range []int{1, 60, 200} {
			edits := choiceOf(budget, c.WithPins(typedPins(c)), func(s *Source) {
				s.Held = func(_ *transcript.Block, text *squeeze.Text) (held []int) {
					for i, p := range text.Pieces {
						if strings.Contains(text.Source[p.Start:p.End], "blue") {
							held = append(held, i)
						}
					}
					return held
				}
			}).land()
			next, err := c.Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			if got := next.Messages[1].Blocks[0].Text(); !strings.Contains(got, "The south gate is blue.") || len(got) > len(story)/2 {
				t.Errorf("budget %d: left is %q", budget, got)
			}
		}
	}
}

// TestOutdatedIsWorthLeast checks what has the least value whatever facts it mentions: a paragraph
// that a later one repeats, and a line that an edit does not change.
func TestOutdatedIsWorthLeast(t *testing.T) {
	retold := strings.Repeat("ErrStuck comes from lock/gate.go when g.moving is set twice. ", 3)
	msgs := []*transcript.Message{
		transcripttest.User("Mend the gates."),
		transcripttest.Model(retold+"\n\nErrFlood comes from level/level.go.", transcripttest.Call("1", "Edit", "file_path=gate.go",
			"old_string=\tg.limit_one = pump.Level()\n\tg.limit_two = pump.Level()\n", "new_string=\tg.limit_one = pump.Level()\n\tg.limit_six = pump.Height()\n")),
		transcripttest.Tool("1", "done"), transcripttest.Model(retold), transcripttest.User("Go on."),
	}
	c := choiceOf(100, transcripttest.Conversation(msgs...))
	got := map[string]bool{}
	for i := range c.items.count {
		if x := c.items.at(i); x.kind == groupItem {
			tx := &c.texts[x.at]
			got[strings.TrimSpace(tx.source(tx.starts[x.n], tx.groupEnd(int(x.n))))+fmt.Sprint(" in ", tx.msg)] = c.value(x) > 0.01
		}
	}
	for text, valued := range map[string]bool{
		strings.TrimSpace(retold) + " in 1": false, "ErrFlood comes from level/level.go. in 1": true, strings.TrimSpace(retold) + " in 3": true,
		"g.limit_one = pump.Level() in 1": false, "g.limit_six = pump.Height() in 1": true,
	} {
		if is, ok := got[text]; !ok || is != valued {
			t.Errorf("%q is an item: %t, with a value: %t, want %t (%v)", text, ok, is, valued, got)
		}
	}
}

// TestExampleFactor checks that rows of tables and quotes of the model count less than its sentences.
func TestExampleFactor(t *testing.T) {
	var c choice
	c.draft = &draft{}
	for source, want := range map[string]float32{
		"The gate leaks.": 1, "| gate | leaks |": exampleShare, "  | gate | leaks |": exampleShare, "> the gate leaks": exampleShare,
		"a > b": 1, "a|b": 1, "->": 1, ">": exampleShare, "\n": 1,
	} {
		x := text{form: prose, step: -1, cut: squeeze.Cut(source, squeeze.Hint{})}
		if got := c.exampleFactor(&x, 0); got != want {
			t.Errorf("%q has the factor %v, want %v", source, got, want)
		}
		x.form = frame
		if got := c.exampleFactor(&x, 0); got != 1 {
			t.Errorf("%q in instructions has the factor %v", source, got)
		}
	}
}

// TestAskedWords checks that a line of a result has more value if it contains a word of the
// request, except if it repeats an earlier line.
func TestAskedWords(t *testing.T) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("level_%d", i))
	}
	lines[20], lines[30], lines[40] = "sluice", "sluice", "hatch"
	c := choiceOf(100, transcripttest.Conversation(transcripttest.User("Look at the sluice"),
		transcripttest.Model(transcripttest.Call("1", "Bash", "command=ls")), transcripttest.Tool("1", strings.Join(lines, "\n")), transcripttest.Model("Well.")))
	x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
	c.words = vocabulary{lines: map[uint64]int32{}} // newChoice has released its words, and the hits
	c.words.count(x)
	x.seldoms().hits = c.asked.hits(x, nil)
	extras := map[string][]float64{}
	for i, extra := range c.extras(x) {
		line := strings.TrimSpace(x.source(i, i+1))
		extras[line] = append(extras[line], extra)
	}
	asked, other := extras["sluice"], extras["hatch"]
	if len(asked) != 2 || len(other) != 1 {
		t.Fatalf("the lines are %v", extras)
	}
	if asked[0] < other[0]+valueAsked/2 {
		t.Errorf("the line with the asked word has the value %v, another one %v", asked[0], other[0])
	}
	if asked[1] > asked[0]/2 {
		t.Errorf("the same line again has the value %v, the first %v", asked[1], asked[0])
	}
}

// TestAskedAgain checks that a word of an old request counts more in the last turn if the last request has it,
// too.
func TestAskedAgain(t *testing.T) {
	weights := map[bool]float64{}
	for _, again := range []bool{false, true} {
		last := "And the gate"
		if again {
			last = "The sluice again"
		}
		msgs := []*transcript.Message{transcripttest.User("Look at the sluice"), transcripttest.Model("Well.")}
		for range 3 {
			msgs = append(msgs, transcripttest.User("Go on"), transcripttest.Model("Done."))
		}
		lines := strings.Repeat("level\n", 20) + "sluice open\n" + strings.Repeat("level\n", 20)
		msgs = append(msgs, transcripttest.User(last), transcripttest.Model(transcripttest.Call("1", "Bash", "command=ls")), transcripttest.Tool("1", lines), transcripttest.Model("So."))
		c := choiceOf(200, transcripttest.Conversation(msgs...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		for _, h := range c.asked.hits(x, nil) {
			weights[again] += c.asked.value(h, false, c.lastTurn, c.lastTurn)
		}
	}
	if weights[true] <= weights[false] {
		t.Errorf("asked again the word weighs %v, otherwise %v", weights[true], weights[false])
	}
}

// TestStayingFactsCountOnce checks that a fact in a message beside a story counts as kept once,
// also if the message mentions it more than once.
func TestStayingFactsCountOnce(t *testing.T) {
	c := choiceOf(100, transcripttest.Conversation(transcripttest.User("ErrStuck comes from gate.go, and ErrFlood too: ErrStuck, ErrFlood, gate.go."), transcripttest.Model("Well, dyke.go is fine.")),
		func(s *Source) { s.Stays = map[int]bool{0: true} })
	c.keepStaying()
	for id := range fact.ID(c.Survey.Len()) {
		f := c.Survey.Fact(id)
		want := 1.0
		if f.Newest == 0 {
			want = again
		}
		if got := c.marginal.Add(0, []fact.ID{id}); got != want {
			t.Errorf("fact %d of message %d has the value %v, want %v", id, f.Newest, got, want)
		}
	}
}

// TestDemandsOfInstructions checks that a constraint in instructions is kept, unless earlier
// instructions hold it. Text of the model does not count: it may be removed.
func TestDemandsOfInstructions(t *testing.T) {
	rule := "Never open the seal of the tank."
	long := strings.Repeat("The harbour has a gate. ", 120)
	client := func(s string) *transcript.Message {
		return transcripttest.Message(transcript.User, transcript.Injected, s)
	}
	c := choiceOf(100, transcripttest.Conversation(transcripttest.User("Hello."), transcripttest.Model(rule+" I know."),
		client(long+rule), client(long+"The tank is red. "+rule), transcripttest.Model("Well.")))
	var demands []int
	for k := range c.texts {
		if t := &c.texts[k]; t.form == frame {
			demands = append(demands, len(t.demands()))
		}
	}
	if !slices.Equal(demands, []int{1, 0}) {
		t.Errorf("the texts of the client hold %d new constraints, want one in the first", demands)
	}
}

// TestSentencesOfferedAlone checks which sentences of a long paragraph may stay without it:
// those that mean something by themselves.
func TestSentencesOfferedAlone(t *testing.T) {
	words := " and this is so because the water of the harbour rises and falls with the moon and the wind"
	sentences := []string{"There are two gates in the harbour," + words + ":\n", "The north gate leaks at level_1," + words + ".", "The south gate holds at level_2," + words + "."}
	c := choiceOf(100, transcripttest.Conversation(transcripttest.User("Hello."), transcripttest.Model(strings.Join(sentences, " ")), transcripttest.User("Go on.")))
	var alone []string
	for i := range c.items.count {
		if x := c.items.at(i); x.kind == pieceItem {
			alone = append(alone, strings.TrimSpace(c.texts[x.at].source(int(x.n), int(x.n)+1)))
		}
	}
	for i, want := range []bool{false, true, true} {
		if slices.Contains(alone, sentences[i]) != want {
			t.Errorf("%q is offered alone: %t; offered are %q", sentences[i], !want, alone)
		}
	}
}

// TestLeastOfAnswer checks which part of an answer stays if only one can: a short paragraph
// that states something, and no heading, code, marker or announcement unless there is nothing else.
func TestLeastOfAnswer(t *testing.T) {
	long := strings.Repeat("The water of the harbour rises and falls with the moon and with the wind. ", 5)
	for _, tt := range []struct{ answer, want string }{
		{"# Result\n\n" + long + "\n\nThe gate in gate.go is mended.\n\nLet me know.", "The gate in gate.go is mended."},
		{"```go\nfunc Gate() { ErrStuck() }\n```\n\nThe gate is mended.", "The gate is mended."},
		{"[12 lines omitted]\n\nLet me look at gate.go.", "Let me look at gate.go."},
		{"```\nx\n```", "```\nx\n```"},
		{"[12 lines omitted]\n\n## gate.go", "## gate.go"},
		{"ErrStuck comes from gate.go, dyke.go and lock.go, because the wind is strong and the water of the harbour is high. " + long, "ErrStuck comes from gate.go, dyke.go and lock.go, because the wind is strong and the water of the harbour is high."},
	} {
		c := choiceOf(100, transcripttest.Conversation(transcripttest.User("Hello."), transcripttest.Model(tt.answer), transcripttest.User("Go on.")))
		x := c.items.at(c.leastOf(&c.texts[0]))
		source := c.texts[0].source(int(x.n), int(x.n)+1)
		if x.kind == groupItem {
			source = c.texts[0].source(c.texts[0].starts[x.n], c.texts[0].groupEnd(int(x.n)))
		}
		if got := strings.TrimSpace(source); got != tt.want {
			t.Errorf("%.60q keeps %q, want %q", tt.answer, got, tt.want)
		}
	}
}

// TestNoOldCallsBySmallBudgets checks that a small budget keeps no call of the middle, however short it
// is: its line of the record says the same.
func TestNoOldCallsBySmallBudgets(t *testing.T) {
	msgs := []*transcript.Message{transcripttest.User("start")}
	for i := range 12 {
		id := fmt.Sprint(i)
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Bash", "command=go test ./gate"+id)), transcripttest.Tool(id, "ok  \tharbour/gate"+id))
	}
	msgs = append(msgs, transcripttest.Model("All gates are tight."), transcripttest.User(strings.Repeat("Now look at the harbour wall, please. ", 30)))
	c := transcripttest.Conversation(msgs...)
	for share, want := range map[float64]bool{0.39: false, 0.9: true} {
		x := choiceOf(int(share*float64(total(c))), c)
		x.land()
		kept := false
		for i := range x.steps[:len(x.steps)-newestRounds] {
			kept = kept || x.steps[i].real
		}
		if kept != want {
			t.Errorf("at %.0f %%: old calls stay: %v", 100*share, kept)
		}
	}
}

// total returns the tokens of a conversation.
func total(c *transcript.Conversation) (n int) {
	for _, b := range c.Blocks() {
		n += quarters(b)
	}
	return n
}

// TestValuesOfOutputs checks that a token of an output of few lines has more value than one of a long
// output, that the last line has more than others, and prose that states something more than other prose.
func TestValuesOfOutputs(t *testing.T) {
	valuesOf := func(tool, output string) (values []float64) {
		c := choiceOf(60, transcripttest.Conversation(transcripttest.User("start"),
			transcripttest.Model("", transcripttest.Call("1", tool, "command=harbour status")), transcripttest.Tool("1", output),
			transcripttest.Model("They are open."), transcripttest.User("go on")))
		text := &c.texts[slices.IndexFunc(c.texts, func(t text) bool { return t.form == result })]
		c.words = vocabulary{lines: map[uint64]int32{}} // newChoice has released its words
		c.words.count(text)
		for i, v := range c.extras(text) {
			values = append(values, v/float64(text.cut.Pieces[i].End-text.cut.Pieces[i].Start))
		}
		return values
	}
	state := "  Number:  2\n  Phase:   planning of the harbour wall\n  Keeper:  nobody in particular\n  Base:    the old harbour\n  Rain:    all of the morning\n"
	brief, long := valuesOf("Bash", state+state), valuesOf("Bash", strings.Repeat(state, 9))
	if brief[1] <= long[1] {
		t.Errorf("a line of a brief output: %g, of a long one: %g", brief[1], long[1])
	}
	if last := len(long) - 1; long[last] <= long[last-5] {
		t.Errorf("the last line: %g, the same line before: %g", long[last], long[last-5])
	}
	other := "The wall of the harbour is as long as the beach beside it.\n\n"
	prose := valuesOf("WebFetch", "# The wall\n\n"+strings.Repeat(other, 9)+"The wall was shelved because the beach is in front of it.\n\n"+other)
	if prose[10] <= prose[1] {
		t.Errorf("a reason: %g, another sentence: %g", prose[10], prose[1])
	}
}

// TestLastLine checks which line of an output counts as its last: one that says something.
func TestLastLine(t *testing.T) {
	calm := ""
	for i := range 30 {
		calm += fmt.Sprintf("gate %d of the north hall is open now\n", i)
	}
	for output, want := range map[string]string{
		calm + "All 12 gates are tight.\n":      "All 12 gates are tight.",
		calm + "All 12 gates are tight.\n\n \n": "All 12 gates are tight.",
	} {
		c := choiceOf(400, transcripttest.Conversation(transcripttest.User("Look."),
			transcripttest.Model(transcripttest.Call("1", "Bash", "command=make")), transcripttest.Tool("1", output), transcripttest.Model("Well.")))
		found := false
		for i := range c.texts {
			x := &c.texts[i]
			last := x.lastLine()
			if x.form != result {
				if last != -1 {
					t.Errorf("a text that is no result has the last line %d", last)
				}
				continue
			}
			found = true
			if last < 0 || strings.TrimSpace(x.source(last, last+1)) != want {
				t.Errorf("%q: its last line is %d", output, last)
			}
		}
		if !found {
			t.Error("there is no result")
		}
	}
}

// TestOldDecisions checks that a decision from the beginning of a long turn outlives what the turn wrote to files.
func TestOldDecisions(t *testing.T) {
	const decision = "I chose sluices rather than locks, because the basin has no second gate."
	msgs := []*transcript.Message{transcripttest.User("Build the harbour."), transcripttest.Model(decision)}
	for i := range 12 {
		id := fmt.Sprint("w", i)
		code := fmt.Sprintf("function open%d() {\n", i) + strings.Repeat(fmt.Sprintf("  gate.level = 0.%d;\n  tide.colour = \"rgba(2, 1%d, 7)\";\n", i, i), 8) + "}\n"
		msgs = append(msgs, transcripttest.Model(fmt.Sprintf("The colours and the level of part %d have the values of the sketch that the guild keeps.", i), transcripttest.Call(id, "Write", fmt.Sprintf("file_path=part%d.js", i), "content="+code)), transcripttest.Tool(id, "The file was created."))
	}
	c := choiceOf(250, transcripttest.Conversation(msgs...))
	c.land()
	for i := range c.texts {
		if x := &c.texts[i]; x.form == prose && strings.Contains(x.cut.Source, decision) && x.count > 0 {
			return
		}
	}
	t.Error("the decision is gone")
}

// TestDropOldRecord checks that a record of an earlier run that is dropped is not written.
func TestDropOldRecord(t *testing.T) {
	old := "[condensed: Read gate.go, tide.go, harbour.go; Edit gate.go ok]"
	c := choiceOf(1000, transcripttest.Conversation(transcripttest.User("Mend the gate."), transcripttest.Model(old+"\n\nIt is shut."), transcripttest.User("Go on."), transcripttest.Model("I do.")))
	if len(c.olds) != 1 {
		t.Fatalf("%d old records", len(c.olds))
	}
	i := int32(slices.IndexFunc(allItems(c), func(x item) bool { return x.kind == oldItem }))
	c.keep(i)
	if !c.olds[0].kept {
		t.Error("the record is not kept")
	}
	if c.drop(i); c.olds[0].kept {
		t.Error("the record is still kept")
	}
}

// allItems returns the items of a choice.
func allItems(c *choice) (list []item) {
	for i := range c.items.count {
		list = append(list, *c.items.at(i))
	}
	return list
}

// TestWithout checks which paths lie in a folder.
func TestWithout(t *testing.T) {
	for _, tt := range []struct {
		path, folder, want string
		ok                 bool
	}{
		{"/ship/keel/a.go", "/ship/", "keel/a.go", true},
		{"Edit /ship/a.go", "/ship/", "Edit a.go", true},
		{"/ship/a.go", "/mast/", "/ship/a.go", false},
		{"/old/ship/a.go", "/ship/", "/old/ship/a.go", false},
		{"/ship/", "/ship/", "/ship/", false},
		{"/ship/a.go", "", "/ship/a.go", false},
	} {
		if got, ok := without(tt.path, tt.folder); got != tt.want || ok != tt.ok {
			t.Errorf("%q without %q: %q, %v", tt.path, tt.folder, got, ok)
		}
	}
}

// TestMostOfOne checks that one result takes no more than its share of a small budget as long as other texts can use the
// rest, and that it takes the rest where there is no other.
func TestMostOfOne(t *testing.T) {
	lines := func(prefix string, n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "%s%d holds the water of basin %s%d\n", prefix, i, prefix, i)
		}
		return s.String()
	}
	const budget = 1200
	for _, others := range []int{0, 300} {
		msgs := slices.Concat([]*transcript.Message{transcripttest.User("Look.")}, round("1", lines("Gate", 600), "Bash", "command=harbour gates"))
		if others > 0 {
			msgs = append(msgs, round("2", lines("Lock", others), "Bash", "command=harbour locks")...)
			msgs = append(msgs, round("3", lines("Pump", others), "Bash", "command=harbour pumps")...)
		}
		c := choiceOf(budget, transcripttest.Conversation(append(msgs, round("4", "ok", "Bash", "command=make")...)...))
		c.meet(func() int { return budget - int(c.Left) })
		most := float32(0)
		for i := range c.texts {
			if x := &c.texts[i]; x.form == result {
				most = max(most, x.taken)
			}
		}
		if capped := most < budget*3/4; capped != (others > 0) {
			t.Errorf("with %d lines of others, the largest result takes %v of %d tokens", others, most, budget)
		}
	}
}

// TestEmpty checks which paragraphs mean nothing by themselves.
func TestEmpty(t *testing.T) {
	for source, want := range map[string]bool{
		"The gate is open.\n":               false,
		"# Gates\n":                         true,
		"# Gates\nThe first one is open.\n": false,
		"**Gates:**\n":                      true,
		"These are open:\n":                 true,
		"These: all of them\n":              false,
		"```go\nopen()\n```\n":              true,
		"[3 lines omitted]\n":               true,
		"  \n":                              true,
	} {
		x := &text{form: prose, cut: &squeeze.Text{Source: source, Pieces: []squeeze.Piece{{End: int32(len(source))}}}}
		if got := x.empty(0, 1); got != want {
			t.Errorf("%q is empty: %t", source, got)
		}
	}
}

// TestFirstTextCloses checks that the closing answer that is the first text of a conversation keeps paragraphs.
func TestFirstTextCloses(t *testing.T) {
	answer := strings.Repeat("The gate of the harbour is open, because the keeper of level_7 said so in the morning.\n\n", 5)
	c := choiceOf(400, transcripttest.Conversation(transcripttest.Model(answer), transcripttest.User("And now?"), transcripttest.Model("The same.")))
	if x := &c.texts[0]; !x.closing {
		t.Fatal("the first text is no closing answer")
	}
	c.PushAll(c.items.count)
	if left := c.closings(200); left >= 200 {
		t.Errorf("%v of 200 tokens are left", left)
	}
}

// TestOpenRound checks that the result of a round that still waits for another one gets more of the budget.
func TestOpenRound(t *testing.T) {
	var tides strings.Builder
	for i := range 300 {
		fmt.Fprintf(&tides, "level_%d stands at %d fathoms\n", i, i)
	}
	shown := func(last ...*transcript.Message) int {
		msgs := []*transcript.Message{transcripttest.User("Measure it.")}
		for i := range 4 {
			id := fmt.Sprint("9", i)
			msgs = append(msgs, round(id, strings.ReplaceAll(tides.String(), "level_", fmt.Sprintf("pool_%d", i)), "Bash", "command=pools "+id)...)
		}
		msgs = append(msgs, transcripttest.Model(transcripttest.Call("1", "Bash", "command=tides"), transcripttest.Call("2", "Bash", "command=winds")), transcripttest.Tool("1", tides.String()))
		return strings.Count(left(t, 600, append(msgs, last...)...), "level_")
	}
	open, answered := shown(), shown(transcripttest.Tool("2", "none"))
	if open <= answered {
		t.Errorf("%d lines, %d when all calls are answered", open, answered)
	}
}
