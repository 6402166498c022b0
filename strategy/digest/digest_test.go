package digest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
)

func message(role transcript.Role, origin transcript.Origin, blocks ...*transcript.Block) *transcript.Message {
	for _, b := range blocks {
		if b.Kind == transcript.Text {
			b.Origin = origin
		}
	}
	return &transcript.Message{Role: role, Blocks: blocks}
}

func text(s string) *transcript.Block { return &transcript.Block{Parts: []transcript.Part{{Text: s}}} }

func says(s string) *transcript.Message {
	return message(transcript.Assistant, transcript.ByModel, text(s))
}

func types(s string) *transcript.Message { return message(transcript.User, transcript.Typed, text(s)) }

// does is a call of a tool with one argument, and its result.
func does(id, tool, name, arg, answer string, failed bool) []*transcript.Message {
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool, Parts: []transcript.Part{{Name: name, Text: arg}}}
	result := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Error: failed, Parts: []transcript.Part{{Text: answer}}}
	return []*transcript.Message{message(transcript.Assistant, transcript.ByModel, call), message(transcript.User, transcript.ByTool, result)}
}

// fault is a failed expectation.
var fault = regexp.MustCompile(`[^\n,]*Err[^\n,]*,?`)

// source makes everything that messages hold gone; a fact is worth 1, a token is a
// word.
func source(budget int, msgs ...*transcript.Message) *Source {
	c := transcript.New("c", msgs)
	s := &Source{
		Conv: c, Gone: map[transcript.Ref]bool{}, Survey: fact.Of(c), Second: 0.2, Budget: budget,
		Line:    func(transcript.Ref, string, float64) float64 { return 0.01 },
		Subject: func(call *transcript.Block) string { return strings.TrimSpace(call.Parts[0].Text) },
		Tokens:  func(s string) int { return len(strings.Fields(s)) },
		PerByte: func(*transcript.Block) float64 { return 0.2 },
	}
	s.Faults = func(ref transcript.Ref, part int) (spans []Span) {
		text := c.Block(ref).Parts[part].Text
		for _, m := range fault.FindAllStringIndex(text, -1) {
			spans = append(spans, Span{m[0], m[1]})
		}
		return spans
	}
	for range s.Survey.Facts {
		s.Values = append(s.Values, 1)
	}
	for ref := range c.Blocks() {
		s.Gone[ref] = true
	}
	return s
}

// body is a digest without its opening.
func body(t *testing.T, s *Source) string {
	t.Helper()
	text := s.Write()
	if text == "" {
		return ""
	}
	if !Is(text) {
		t.Fatalf("not known as a digest:\n%s", text)
	}
	return strings.Join(strings.Split(text, "\n")[2:], "\n")
}

func TestWrite(t *testing.T) {
	todo := does("t", "update_plan", "plan", "- [x] find it\n- [ ] mend valve_7", "ok", false)
	tests := []struct {
		name string
		s    *Source
		want string
	}{
		{"nothing", source(100), ""},
		{"nothing worth quoting", source(100, does("1", "Read", "", "", "ok", false)...), ""},
		{"a budget for nothing", source(15, does("1", "Read", "path", "pkg/valve.go", "func openValve() error", false)...), ""},
		{"FO1: no files", source(100, says("The port is 8443.")), "### Said by the assistant\n The port is 8443."},
		{"FO2: a file", source(100, does("1", "Read", "path", "pkg/valve.go", "package valve\nfunc openValve() error", false)...),
			"### Files\n- pkg/valve.go (calls: Read)\n func openValve() error"},
		{"FO3: a file that is not there", source(100, append(
			does("1", "Read", "path", "pkg/gone.go", "no such file", true),
			does("2", "Read", "path", "pkg/valve.go", "func openValve() error", false)...)...),
			"### Files\n- pkg/valve.go (calls: Read)\n func openValve() error"},
		{"FO5: two files, one twice", source(100, append(append(
			does("1", "Read", "path", "pkg/valve.go", "func openValve()", false),
			does("2", "Read", "path", "pkg/pump.go", "func runPump()", false)...),
			does("3", "Edit", "path", "pkg/valve.go", "func closeValve()", false)...)...),
			"### Files\n- pkg/valve.go (calls: Read, Edit)\n func openValve()\n func closeValve()\n- pkg/pump.go (calls: Read)\n func runPump()"},
		{"a command that failed, and what resolved it", source(100, append(
			does("1", "Bash", "command", "go test ./valve", "valve_test.go:12: ErrStuck", true),
			does("2", "Bash", "command", "go test ./valve", "ok gauge/valve 0.31s", false)...)...),
			"### Commands\n- go test ./valve (failed, then it passed)\n valve_test.go:12: ErrStuck\n ok gauge/valve 0.31s"},
		{"typed text is elsewhere", source(100, types("Mend pkg/valve.go."), says("Mended in pkg/valve.go:12.")),
			"### Said by the assistant\n Mended in pkg/valve.go:12."},
		{"open tasks", source(100, todo...), "### Open tasks\n mend valve_7\n### Other calls\n- (calls: update_plan)\n - [ ] mend valve_7"},
		{"what the client says must be", source(200, message(transcript.User, transcript.Injected, text("Today is Monday. Never push to origin/main."))),
			"### Rules\n Never push to origin/main."},
		{"what else it says is of its moment", source(200, message(transcript.User, transcript.Injected, text("The tree: pkg/valve.go, pkg/pump.go, 1.3 MB."))), ""},
		{"no line twice", source(100, says("See pkg/valve.go:12."), says("See pkg/valve.go:12.")), "### Said by the assistant\n See pkg/valve.go:12."},
		{"no marker", source(100, does("1", "Read", "path", "pkg/valve.go", "[pkg/valve.go: 12 lines omitted]\nopenValve", false)...),
			"### Files\n- pkg/valve.go (calls: Read)\n openValve"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := body(t, tt.s); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

// many are files with one rare line each; the further on, the more facts are in it.
func many(n int) (msgs []*transcript.Message) {
	for i := range n {
		line := fmt.Sprintf("func open_valve_%d()", i)
		for k := range i {
			line += fmt.Sprintf(" gauge_%d_%d", i, k)
		}
		msgs = append(msgs, does(fmt.Sprint(i), "Read", "path", fmt.Sprintf("pkg/valve_%d.go", i), line, false)...)
	}
	return msgs
}

// TestBudget: FO4; whatever the budget is, it is kept, and what is worth most for
// its tokens is there.
func TestBudget(t *testing.T) {
	for budget := range 200 {
		s := source(budget, many(12)...)
		text := s.Write()
		if n := s.Tokens(text); n > budget {
			t.Fatalf("%d tokens with a budget of %d", n, budget)
		}
		if text != "" && !strings.Contains(text, "open_valve_") {
			t.Errorf("budget %d: no line:\n%s", budget, text)
		}
	}
}

// TestKeptElsewhere: a fact that stays in the conversation is worth less.
func TestKeptElsewhere(t *testing.T) {
	s := source(32, says("It is in pkg/valve.go now."), says("It is in pkg/pump.go now."), says("pkg/valve.go pkg/valve.go"))
	delete(s.Gone, transcript.Ref{Msg: 2, Part: transcript.Whole})
	s.Conv = transcript.New("c", append(s.Conv.Messages, types("more")))
	s.Gone[transcript.Ref{Msg: 3, Part: transcript.Whole}] = true
	if got, want := body(t, s), "### Said by the assistant\n It is in pkg/pump.go now."; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestAgain: a digest is read back, as often as one likes, in both forms.
func TestAgain(t *testing.T) {
	for _, state := range []bool{false, true} {
		t.Run(fmt.Sprint(state), func(t *testing.T) {
			first := source(1000, append(many(3), says("The port is 8443."))...)
			first.State = state
			text1 := first.Write()
			second := source(1000, append([]*transcript.Message{message(transcript.User, transcript.Generated, text(text1))},
				does("9", "Edit", "path", "pkg/valve_0.go", "func close_valve_9()", false)...)...)
			second.State = state
			text2 := second.Write()
			third := source(1000, message(transcript.User, transcript.Generated, text(text2)))
			third.State = state
			if text3 := third.Write(); text3 != text2 {
				t.Errorf("the third is another than the second:\n%s\n---\n%s", text3, text2)
			}
			for _, line := range []string{"- pkg/valve_0.go (calls: Read, Edit)\n func open_valve_0()\n func close_valve_9()", " The port is 8443."} {
				if !strings.Contains(text2, line) {
					t.Errorf("without %q:\n%s", line, text2)
				}
			}
			if strings.Count(text2, "func open_valve_1()") != 1 {
				t.Errorf("twice:\n%s", text2)
			}
		})
	}
}

// TestLongLines: what is quoted of a long line stands in one line where nothing
// between it is left out, also after the digest was read back.
func TestLongLines(t *testing.T) {
	var sentences []string
	for i := range 12 {
		sentences = append(sentences, fmt.Sprintf("The pump_%d of hall_%d is driven by motor_%d, and never runs dry.", i, i, i))
	}
	long := strings.Join(sentences, " ")
	first := source(1000, says(long), says("The port is 8443.")).Write()
	if !strings.Contains(first, "\n "+long+"\n") {
		t.Fatalf("in pieces:\n%s", first)
	}
	second := source(1000, message(transcript.User, transcript.Generated, text(first))).Write()
	if !strings.Contains(second, "\n "+long+"\n") {
		t.Errorf("read back:\n%s", second)
	}
}

// TestFaults: what went wrong is quoted before what is worth more, whole and by
// itself, though it stands in the middle of a long line.
func TestFaults(t *testing.T) {
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("valve_%d_a valve_%d_b valve_%d_c open,", i, i, i))
	}
	rows[31] = "valve_31 ErrStuck,"
	s := source(60, does("1", "list", "page", "1", strings.Join(rows, ""), false)...)
	if got := s.Write(); !strings.Contains(got, "\n valve_31 ErrStuck,\n") {
		t.Errorf("got:\n%s", got)
	}
}

// TestShortened: what was cut short is no longer word, and is known again.
func TestShortened(t *testing.T) {
	s := source(100, does("1", "fetch", "url", "https://pumps.example/docs/val…", "ErrStuck 8443", false)...)
	first := s.Write()
	if want := "- https://pumps.example/docs/val … (calls: fetch)\n ErrStuck 8443"; !strings.Contains(first, want) {
		t.Fatalf("without %q:\n%s", want, first)
	}
	if second := source(100, message(transcript.User, transcript.Generated, text(first))).Write(); second != first {
		t.Errorf("read back:\n%s", second)
	}
}

// TestTasksStay: open tasks outlive the list, until there is another.
func TestTasksStay(t *testing.T) {
	todo := does("t", "update_plan", "plan", "- [ ] mend valve_7", "ok", false)
	first := source(1000, todo...).Write()
	second := source(1000, message(transcript.User, transcript.Generated, text(first)), says("Working on 8443.")).Write()
	if want := "### Open tasks\n mend valve_7"; !strings.Contains(second, want) {
		t.Errorf("without the task:\n%s", second)
	}
	done := does("u", "update_plan", "plan", "- [x] mend valve_7", "ok", false)
	third := source(1000, append([]*transcript.Message{message(transcript.User, transcript.Generated, text(second))}, done...)...).Write()
	if strings.Contains(third, "### Open tasks") {
		t.Errorf("with a task that is done:\n%s", third)
	}
}

// TestTasksWhole: an open task is the same word for word each time, however long it is
// and whatever it is made of.
func TestTasksWhole(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("see to it that valve_7 is shut and ", 20))
	for _, task := range []string{"mend valve_7", long, "see [[x]]> 1", "in \x1b[31mred\x1b[0m", "- mend valve_7"} {
		for _, state := range []bool{false, true} {
			list := does("t", "TodoWrite", "todos[0].content", task, "ok", false)
			first := source(1000, list...)
			first.State = state
			text1 := first.Write()
			second := source(1000, message(transcript.User, transcript.Generated, text(text1)), says("Working on 8443."))
			second.State = state
			text2 := second.Write()
			want := "### Open tasks\n " + task + "\n"
			if state {
				want = "<current_plan><![CDATA[\n " + strings.ReplaceAll(task, "]]>", "]]]]><![CDATA[>") + "\n]]></current_plan>\n"
			}
			for i, text := range []string{text1, text2} {
				if !strings.Contains(text+"\n", want) {
					t.Errorf("state %v, digest %d without %q:\n%s", state, i+1, task, text)
				}
			}
		}
	}
}

// TestOutcomes: a head has a limit of outcomes, and the last is among them.
func TestOutcomes(t *testing.T) {
	tests := []struct {
		name   string
		tool   string
		arg    string
		called []string // tools, "!" in front where the call fails
		want   string
	}{
		{"it fails at last", "command", "go test ./valve", []string{"!Bash", "Bash", "!Bash", "Bash", "!Bash"}, "(failed, then it passed, failed)"},
		{"it passes at last", "command", "go test ./valve", []string{"!Bash", "Bash", "!Bash", "Bash", "!Bash", "Bash"}, "(failed, then it passed, failed, then it passed)"},
		{"a tool passes at last", "path", "pkg/valve.go", []string{"!Edit", "Edit", "!Edit", "Edit"}, "(calls: Edit, failed, Edit)"},
		{"tools", "path", "pkg/valve.go", []string{"Read", "!Edit", "Edit", "Write"}, "(calls: Edit, failed, Edit, Write)"},
		{"a tool fails at last", "path", "pkg/valve.go", []string{"Write", "Edit", "Write", "!Edit"}, "(calls: Edit, Write, Edit, failed)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var msgs []*transcript.Message
			for i, tool := range tt.called {
				name, fails := strings.CutPrefix(tool, "!")
				msgs = append(msgs, does(fmt.Sprint(i), name, tt.tool, tt.arg, fmt.Sprintf("valve_test.go:%d", 100+i), fails)...)
			}
			if text := source(200, msgs...).Write(); !strings.Contains(text, "- "+tt.arg+" "+tt.want+"\n") {
				t.Errorf("without %q:\n%s", tt.want, text)
			}
		})
	}
}

// FuzzQuotes: every indented line is a piece of a line of the source, whatever it is
// made of, and the digest is the same the second time.
func FuzzQuotes(f *testing.F) {
	f.Add("func openValve()\n\tErrStuck 8443\r\n", "see pkg/valve.go; "+strings.Repeat("word 1234, ", 60))
	f.Add("ポンプは8443で動く。"+strings.Repeat("弁を閉めないでください。", 40), "]]> pkg/a.go <x>\n- pkg/b.go (x)\n### Files")
	f.Add("a\x1b[31m pkg/a.go\x00", "\xff pkg/a.go")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, state := range []bool{false, true} {
			msgs := append(does("1", "Read", "path", "pkg/valve.go", a, false), says(b))
			s := source(60, msgs...)
			s.State = state
			text := s.Write()
			if again := s.Write(); again != text {
				t.Errorf("got %q, then %q", text, again)
			}
			if n := s.Tokens(text); n > s.Budget {
				t.Errorf("%d tokens", n)
			}
			for line := range strings.SplitSeq(text, "\n") {
				if quoted, ok := strings.CutPrefix(line, " "); ok && !strings.Contains(a+"\n"+b+"\npkg/valve.go", quoted) {
					t.Errorf("%q is nowhere in the source", quoted)
				}
			}
		}
	})
}

// TestAnswersOfManyTurns: what the model said at the end of each turn stays, although
// the results between mention far more, where all of it takes less than a quarter.
func TestAnswersOfManyTurns(t *testing.T) {
	const turns = 60
	var msgs []*transcript.Message
	for i := range turns {
		var result strings.Builder
		for k := range 30 {
			fmt.Fprintf(&result, "func openValve%d_%d() at pkg/valve_%d_%d.go\n", i, k, i, k)
		}
		msgs = append(msgs, types(fmt.Sprintf("Do step %d.", i)))
		msgs = append(msgs, does(fmt.Sprint(i), "Read", "path", fmt.Sprintf("pkg/valve%d.go", i), result.String(), false)...)
		msgs = append(msgs, says(fmt.Sprintf("Step %d is done and nothing else had to be changed for it.", i)))
	}
	s := source(turns*12*100/23, msgs...) // an answer has 12 words
	digest := s.Write()
	for i := range turns {
		if want := fmt.Sprintf("Step %d is done and nothing", i); !strings.Contains(digest, want) {
			t.Errorf("%q is gone", want)
		}
	}
}
