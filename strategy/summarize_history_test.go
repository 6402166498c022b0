package strategy

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// told returns the blocks of a summary of a whole conversation without a model.
func told(c *transcript.Conversation, tokens int, layout Layout) []*transcript.Block {
	o := Defaults()
	o.Layout, o.UnpinLast = layout, true
	gone := map[transcript.Ref]bool{}
	for ref := range c.Blocks() {
		gone[ref] = true
	}
	return inputFor(c, o, 0).story(gone, tokens)
}

// textOf joins the texts of blocks.
func textOf(blocks []*transcript.Block) string {
	var texts []string
	for _, b := range blocks {
		texts = append(texts, b.Text())
	}
	return strings.Join(texts, "\n")
}

// TestStoryFO checks FO1 to FO5 of .github/CONFORMANCE.md: the files that calls read.
func TestStoryFO(t *testing.T) {
	answer := model("Done, see above.")
	tests := []struct {
		name   string
		msgs   []*transcript.Message
		tokens int
		want   []string // lines
		not    string
	}{
		{"FO1: no files", msgs(model("The port is 8443.")), 100, []string{"The port is 8443."}, "Read"},
		{"FO2: a file", concat(round("1", "Read", "path=pkg/valve.go", "package valve\nfunc openValve() error\n"+lines(30)), msgs(answer)), 60,
			[]string{"[condensed: Read pkg/valve.go:", " func openValve() error"}, "line 30"},
		{"FO3: a file that is not there", concat(msgs(model(call("1", "Read", "path=pkg/gone.go")), user(failing(result("1", "no such file: pkg/gone.go")))), msgs(answer)), 60,
			[]string{"[condensed: Read pkg/gone.go failed: no such file: pkg/gone.go]"}, ""},
		{"FO4: no room for lines", concat(round("1", "Read", "path=pkg/valve.go", lines(30)), msgs(answer)), 28, []string{"Done, see above."}, "line 1"},
		{"FO5: two files, one twice", concat(round("1", "Read", "path=pkg/valve.go", lines(9)), round("2", "Read", "path=pkg/pump.go", lines(9)), round("3", "Read", "path=pkg/valve.go", lines(9)), msgs(answer)), 54,
			[]string{"[condensed: Read pkg/valve.go, pkg/pump.go]"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := textOf(told(conv(append(msgs(user("go")), tt.msgs...)...), tt.tokens, LayoutFresh))
			lines := strings.Split(got, "\n")
			for _, want := range tt.want {
				if !slices.Contains(lines, want) {
					t.Errorf("without %q:\n%s", want, got)
				}
			}
			if tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("with %q:\n%s", tt.not, got)
			}
		})
	}
}

// TestStoryAnswersOfManyTurns checks that each request has its answer behind it, although the
// results between name far more.
func TestStoryAnswersOfManyTurns(t *testing.T) {
	var list []*transcript.Message
	for i := range 40 {
		list = append(list, user("Do step "+string(rune('A'+i))+"."))
		list = append(list, round("r"+string(rune('A'+i)), "Read", "path=pkg/valve.go", catalogue(30))...)
		list = append(list, model("Step "+string(rune('A'+i))+" is done and nothing else had to be changed."))
	}
	blocks := told(conv(list...), 800, LayoutFresh)
	turn := 0
	for i, b := range blocks {
		if b.Origin != transcript.Typed {
			continue
		}
		step := string(rune('A' + turn))
		if b.Text() != "Do step "+step+"." || i+1 == len(blocks) || !strings.Contains(blocks[i+1].Text(), "Step "+step+" is done") {
			t.Errorf("turn %d: %q", turn, b.Text())
		}
		turn++
	}
	if turn != 40 {
		t.Errorf("%d requests, want 40", turn)
	}
}

// TestStoryTasks checks that open items of the todo list are there word for word, in both forms,
// until there is a newer list.
func TestStoryTasks(t *testing.T) {
	for _, task := range []string{"mend valve_7", "see [[x]]> 1", "- mend valve_7", strings.TrimSpace(strings.Repeat("see that valve_7 is shut and ", 20))} {
		for layout, want := range map[Layout]string{
			LayoutFresh: "### Open tasks\n " + task + "\n",
			LayoutFork:  "<current_plan><![CDATA[\n " + strings.ReplaceAll(task, "]]>", "]]]]><![CDATA[>") + "\n]]></current_plan>\n",
		} {
			list := concat(msgs(user("go")), round("t", "TodoWrite", "todos[0].content="+task, "ok"), msgs(model("Well.")))
			first := told(conv(list...), 1000, layout)
			second := told(conv(ours(first...), model("Working on 8443.")), 1000, layout)
			for i, blocks := range [][]*transcript.Block{first, second} {
				if text := textOf(blocks) + "\n"; strings.Count(text, want) != 1 {
					t.Errorf("%s: summary %d without %q:\n%s", layout, i+1, want, text)
				}
			}
			done := round("u", "TodoWrite", "todos[0].content=x", "ok")
			done[0].Blocks[0].Parts = append(done[0].Blocks[0].Parts, transcript.Part{Name: "todos[0].status", Text: "completed"})
			third := told(conv(append(msgs(ours(second...)), done...)...), 1000, layout)
			if text := textOf(third); strings.Contains(text, want) {
				t.Errorf("%s: a task of an older list stays:\n%s", layout, text)
			}
		}
	}
}

// TestStoryClientOnce checks that a text that a client repeats stands once, and not as text of
// the user or the model.
func TestStoryClientOnce(t *testing.T) {
	const rule = "You must never push to origin."
	c := conv(user("go", injected(rule)), model("Well."), user("on", injected(rule)), model("Done with pkg/valve.go."))
	text := textOf(told(c, 1000, LayoutFresh))
	if strings.Count(text, rule) != 1 || !strings.Contains(text, "\nClient:\n"+rule+"\n\nAssistant:\nWell.") {
		t.Errorf("got\n%s", text)
	}
}

// TestStoryAnswersBesideTail checks that each request in a summary has its answer also when the
// target is small and requests stay beside the summary.
func TestStoryAnswersBesideTail(t *testing.T) {
	_, after := summarizing(t, story(80), 20, nil)
	at := slices.IndexFunc(after.Messages, isSummary)
	if at < 0 {
		t.Fatalf("no summary: %s", shape(after))
	}
	blocks := after.Messages[at].Blocks
	for i, b := range blocks[:len(blocks)-1] { // the answer to the last one stays beside the summary
		if b.Origin == transcript.Typed && !strings.Contains(blocks[i+1].Text(), "The cause is in") {
			t.Errorf("%q stands without its answer in\n%s", b.Text(), textOf(blocks))
		}
	}
}

// TestStoryTypedOrder checks that requests behind an earlier summary keep their order, although a file shows only
// some of them as typed.
func TestStoryTypedOrder(t *testing.T) {
	c := conv(ours(summary(digestText), text("Mend the valve."), summary("Test the pump.")), model("The cause is in pkg/valve.go."))
	if got := typedIn(ours(told(c, 1000, LayoutFresh)...)); got != "Mend the valve.\n\nTest the pump." {
		t.Errorf("typed:\n%s", got)
	}
}
