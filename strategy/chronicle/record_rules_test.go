package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// TestRepeatedSteps checks how a record describes a step that it already describes: a read is left
// out, and a change is counted if no command lies between, and its words stand alone.
func TestRepeatedSteps(t *testing.T) {
	edit := func(name string) step {
		return step{kind: fact.EditTool, changes: true, label: true, entry: entry{tool: "Edit", subject: name, outcome: " ok"}}
	}
	read := step{kind: fact.ReadTool, label: true, entry: entry{tool: "Read", subject: "a.go"}}
	test := step{kind: fact.ShellTool, changes: true, label: true, entry: entry{subject: "`make`"}}
	for _, tt := range []struct {
		steps []step
		want  string
	}{
		{[]step{read, test, read}, "Read a.go; `make`"},
		{[]step{edit("a.go"), edit("a.go")}, "Edit a.go ok ×2"},
		{[]step{edit("a.go"), edit("a.go"), edit("a.go")}, "Edit a.go ok ×3"},
		{[]step{edit("a.go"), edit("b.go"), edit("a.go")}, "Edit a.go ok, b.go ok, a.go ok"},
		{[]step{edit("a.go"), test, edit("a.go")}, "Edit a.go ok; `make`; Edit a.go ok"},
		{[]step{test, edit("a.go"), read, edit("a.go")}, "`make`; Edit a.go ok ×2; Read a.go"},
		{[]step{test, test}, "`make` ×2"},
	} {
		var r recorder
		for i := range tt.steps {
			r.step(&tt.steps[i], &tt.steps[i].entry, nil)
		}
		if got := writeRecord(r.chunks); got != opening+tt.want+"]" {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestRecordOutsideOfRound checks that no record comes between a call and its result, also if
// the user typed something while the tools ran, and no result can hold the record.
func TestRecordOutsideOfRound(t *testing.T) {
	round := transcripttest.Model(transcripttest.Call("1", "Read", "file_path=a.go"), transcripttest.Call("2", "Read", "file_path=b.go"))
	typed := transcripttest.User("Be quick.")
	first, second := transcripttest.Tool("1", strings.Repeat("func A() int { return level }\n", 20)), transcripttest.Tool("2", strings.Repeat("func B() int { return level }\n", 90))
	typed.Blocks[0].Pin, first.Blocks[0].Pin = transcript.Verbatim, transcript.Verbatim
	c := transcripttest.Conversation(transcripttest.User("Look."), round, typed, first, second, transcripttest.User("Go on."))
	next, err := c.Apply(choiceOf(150, c).land())
	if err != nil {
		t.Fatal(err)
	}
	var roles []transcript.Role
	for _, m := range next.Messages {
		roles = append(roles, m.Role)
	}
	if want := []transcript.Role{transcript.User, transcript.Assistant, transcript.User, transcript.Tool, transcript.Tool, transcript.User}; !slices.Equal(roles, want) {
		t.Errorf("the roles are %v, want %v", roles, want)
	}
}

// TestSplit checks the stretches of a text of the model around records. A blank stretch is none.
func TestSplit(t *testing.T) {
	const one, two = opening + "Read a.go]", opening + "Edit a.go ok:\n +x\n]"
	for text, want := range map[string][]string{
		"":                                  nil,
		" \n":                               nil,
		"Well.":                             {"Well."},
		one:                                 {one},
		one + "\n \n":                       {one + "\n"},
		"\n" + one + "\nWell.":              {one + "\n", "Well."},
		"Now.\n" + one + "\n" + two:         {"Now.\n", one + "\n", two},
		"See " + one + "\n" + opening + "x": {"See " + one + "\n" + opening + "x"},
	} {
		var got []string
		d := draft{Source: &Source{Tokens: quarters}}
		d.split(text, 0, func(from, to int, rec *oldRecord) {
			got = append(got, text[from:to])
			if (rec != nil) != strings.HasPrefix(text[from:to], opening) {
				t.Errorf("%q in %q is a record: %t", text[from:to], text, rec != nil)
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestRecordsAround checks that records at both ends of a result are read, and that one in its
// middle is a part of it.
func TestRecordsAround(t *testing.T) {
	const one, two, three = opening + "Read a.go]", opening + "Edit a.go ok:\n +x\n]", opening + "2 calls]"
	for _, tt := range []struct {
		text, body    string
		before, after []string
	}{
		{"output\n", "output\n", nil, nil},
		{one + "\n\noutput\n", "\noutput", []string{one + "\n"}, nil},
		{"\n" + one + "\n" + two + "\noutput", "output", []string{one + "\n", two + "\n"}, nil},
		{"output\n\n" + one, "output", nil, []string{one}},
		{"output\n\n" + two + "\n" + three, "output", nil, []string{two + "\n", three}},
		{one + "\noutput\n" + three, "output", []string{one + "\n"}, []string{three}},
		{"output\n" + one + "\noutput", "output\n" + one + "\noutput", nil, nil},
		{"output " + one, "output " + one, nil, nil},
		{one, "", []string{one}, nil},
	} {
		var s step
		d := draft{Source: &Source{Tokens: quarters}}
		from, to := d.recordsAround(&s, &transcript.Part{Text: tt.text})
		texts := func(list []int) (texts []string) {
			for _, at := range list {
				texts = append(texts, d.olds[at].text)
			}
			return texts
		}
		if got := tt.text[from:to]; got != tt.body || !slices.Equal(texts(s.also().before), tt.before) || !slices.Equal(texts(s.also().after), tt.after) {
			t.Errorf("%q: %q between %q and %q", tt.text, got, texts(s.also().before), texts(s.also().after))
		}
	}
}

// TestSubjectOf checks what a record calls the subject of a call, and that only paths are shortened
// by the folder that most of them have in common.
func TestSubjectOf(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
		path bool
	}{
		{[]string{"file_path=/src/a.go"}, "/src/a.go", true},
		{[]string{"command=cd /src && make all"}, "`make all`", false},
		{[]string{"pattern=gate", "path=/src/"}, `"gate" in /src/`, true},
		{[]string{"query=/src/a.go"}, `"/src/a.go"`, false},
		{[]string{"input=*** Begin Patch\n*** Update File: /src/a.go\n+x\n*** End Patch"}, "/src/a.go", true},
		{[]string{"taskId=6", "status=completed"}, "taskId=6 status=completed", false},
		{[]string{"file_path=" + strings.Repeat("/src", mostPath)}, "file_path=…/src …", false},
		{nil, "", false},
	} {
		if got, path := subjectOf(transcripttest.Call("1", "Tool", tt.args...)); got != tt.want || path != tt.path {
			t.Errorf("%.60q: %q, a path: %t, want %q, %t", tt.args, got, path, tt.want, tt.path)
		}
	}
}

// TestOutcomeOfFailure checks the words for a failed call. Neither a marker of an earlier run nor the name
// and the version of a program is a reason.
func TestOutcomeOfFailure(t *testing.T) {
	for result, want := range map[string]string{
		"gate.go:12: ErrStuck\nexit status 1": " failed: gate.go:12: ErrStuck",
		"":                                    " failed: no output",
		"[12 lines omitted]":                  " failed",
		"Exit code: 2\nno rule to make gate":  " failed: no rule to make gate",
		"Gate CLI 5.1.0 (Node.js 22.20.0)\nLooking for gates…\n{\n  \"message\": \"No such gate\"\n}": ` failed: "message": "No such gate"`,
		"Gate CLI 5.1.0 (Node.js 22.20.0)\n\n  gate open [name]":                                      " failed: gate open [name]",
		"Gate CLI 5.1.0": " failed: Gate CLI 5.1.0",
	} {
		if got := outcomeOfFailing("make", result); got != want {
			t.Errorf("%q: %q, want %q", result, got, want)
		}
	}
}

// TestOutcomeOfSearch checks that a search that found nothing has not failed.
func TestOutcomeOfSearch(t *testing.T) {
	for _, tt := range []struct{ command, result, want string }{
		{"rg -n gate src", "", ": no match"},
		{"cat a.go | grep -c gate", "Exit code 1", ": no match"},
		{"cd src && git grep gate", "", ": no match"},
		{"rg -n gate src", "Process exited with code 1\nOutput:\n", ": no match"},
		{"rg -n gate src", "<shellId: 6 completed with exit code 1>", ": no match"},
		{"rg -n gate src", "<shellId: 6 completed with exit code 2>", " failed: exit code 2"},
		{"rg -n gate src", "Exit code 2", " failed: Exit code 2"},
		{"rg -n gate src", "rg: src: No such file or directory", " failed: rg: src: No such file or directory"},
		{"rg -l gate | xargs go vet", "", " failed: no output"},
		{"grep gate a.go; make", "Exit code 1", " failed: Exit code 1"},
	} {
		if got := outcomeOfFailing(tt.command, tt.result); got != tt.want {
			t.Errorf("%s: %q: %q, want %q", tt.command, tt.result, got, tt.want)
		}
	}
}

// outcomeOfFailing returns the words for the outcome of a command that failed with a result.
func outcomeOfFailing(command, result string) string {
	b := transcripttest.Failing(transcripttest.Result("1", result))
	c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Bash", "command="+command)), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
	d := draft{Source: &Source{Conv: c}}
	s := step{results: []transcript.Ref{{Msg: 1, Block: b.ID, Part: transcript.Whole}}}
	return d.outcome(&s, c.Messages[0].Blocks[0])
}

// TestQuotableArguments checks which arguments of a removed call a record may quote: what it
// wrote, and other text of several lines that is not short.
func TestQuotableArguments(t *testing.T) {
	long := strings.Repeat("print(level)\n", 30)
	for _, tt := range []struct {
		arg  string
		sign string
		ok   bool
	}{
		{"new_string=" + long, "+", true}, {"content=" + long, "", true}, {"old_string=" + long, "-", true},
		{"script=" + long, "", true}, {"script=print(level)\nprint(gate)\nexit()\n", "", false}, {"script=" + strings.ReplaceAll(long, "\n", " "), "", false},
		{"new_string=x = 1", "+", true}, {"script:=" + strings.Repeat("1", 400), "", false},
	} {
		call := transcripttest.Call("1", "Edit", "file_path=a.go", tt.arg)
		if sign, ok := wrote(call, 1); sign != tt.sign || ok != tt.ok {
			t.Errorf("%.30q: %q, %t", tt.arg, sign, ok)
		}
	}
}

// TestDeadLinesOfPatches checks that the last of several patches decides which lines are dead.
func TestDeadLinesOfPatches(t *testing.T) {
	patched := func(id, text string) []*transcript.Message {
		return []*transcript.Message{transcripttest.Model(transcripttest.Call(id, "apply_patch", "input=*** Begin Patch\n*** Update File: "+text+"\n*** End Patch")), transcripttest.Tool(id, "done")}
	}
	c := transcripttest.Conversation(slices.Concat(
		patched("1", "/home/ida/lock/gate.go\n+func oldGate() {}\n+func stays() {}\n func neighbour() {}"),
		patched("2", "lock/gate.go\n-func oldGate() {}\n+func newGate() {}"),
		patched("3", "lock/gate.go\n-func newGate() {}\n+func oldGate() {} // again\n+func newGate() {}"),
		patched("4", "basin/gate.go\n-func stays() {}"))...)
	dead := deadOf(c)
	check := dead[&c.Messages[0].Blocks[0].Parts[0]]
	for line, want := range map[string]bool{
		"+func oldGate() {}": true, "+func stays() {}": false, " func neighbour() {}": false, "-func oldGate() {}": false, "": false,
	} {
		if check(line) != want {
			t.Errorf("%q is dead: %t", line, !want)
		}
	}
	if check := dead[&c.Messages[2].Blocks[0].Parts[0]]; check("+func newGate() {}") {
		t.Error("a line that a later patch wrote again is dead")
	}
}

// TestTail checks which paths name the same file.
func TestTail(t *testing.T) {
	for path, want := range map[string]string{
		"gate.go": "gate.go", "./gate.go": "gate.go", "/gate.go": "gate.go", "lock/gate.go": "lock/gate.go", "./lock/gate.go": "lock/gate.go", "/lock/gate.go": "lock/gate.go", "/home/ida/lock/gate.go": "lock/gate.go",
	} {
		if got := tail(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestAddedTask checks that the number of a task is taken only from the one result of the one
// call that added it.
func TestAddedTask(t *testing.T) {
	add := func(id string) *transcript.Block {
		return transcripttest.Call(id, "TaskCreate", "subject=Lift the anchor")
	}
	result := func(id string) *transcript.Block { return transcripttest.Result(id, "Task #6 created successfully") }
	ref := func(msg, block int) transcript.Ref {
		return transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}
	}
	c := transcripttest.Conversation(transcripttest.Model(add("1"), add("2")), transcripttest.Message(transcript.Tool, transcript.ByTool, result("1"), result("2")))
	call, d := c.Messages[0].Blocks[0], draft{Source: &Source{Conv: c}}
	for _, tt := range []struct {
		calls, results []transcript.Ref
		want           string
	}{
		{[]transcript.Ref{ref(0, 0)}, []transcript.Ref{ref(1, 0)}, "6"},
		{[]transcript.Ref{ref(0, 0)}, nil, ""},
		{[]transcript.Ref{ref(0, 0), ref(0, 1)}, []transcript.Ref{ref(1, 0)}, ""},
		{[]transcript.Ref{ref(0, 0)}, []transcript.Ref{ref(1, 0), ref(1, 1)}, ""},
	} {
		if got, adds := d.taskOf(&step{calls: tt.calls, results: tt.results}, call); got != tt.want || adds != (tt.want != "") {
			t.Errorf("%v with %v: %q, want %q; adds: %t", tt.calls, tt.results, got, tt.want, adds)
		}
	}
}

// TestWordsBeforeProseCall checks that some words stay in front of a call that is written in prose
// and stays: the client recognises the call by its place in the text.
func TestWordsBeforeProseCall(t *testing.T) {
	call := transcripttest.Prose("1", "read_file", "<read_file>\n<path>a.go</path>\n</read_file>")
	call.Pin = transcript.Present
	got := left(t, 1, transcripttest.User("Look."), transcripttest.Model("Let me look at the file.", call),
		transcripttest.Tool("1", strings.Repeat("func A() int { return level }\n", 30)))
	if !strings.Contains(got, "Let me look at the file.\n<read_file>") {
		t.Errorf("got %s", got)
	}
}
