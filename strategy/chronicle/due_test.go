package chronicle

import (
	"path"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestDue checks which reads are of files that the last requests name and no call changed.
func TestDue(t *testing.T) {
	read := round("1", "1\tpackage keel", "Read", "file_path=/ship/keel/a.go")
	for name, tt := range map[string]struct {
		asked string
		read  []*transcript.Message
		more  []*transcript.Message
		want  bool
	}{
		"a path":              {"Mend `/ship/keel/a.go`.", read, nil, true},
		"the end of a path":   {"Mend keel/a.go:12, please", read, nil, true},
		"a name":              {"Mend a.go.", read, nil, true},
		"a mention":           {"Mend @keel/a.go", read, nil, true},
		"another file":        {"Mend b.go", read, nil, false},
		"another folder":      {"Mend mast/a.go", read, nil, false},
		"the end of a name":   {"Mend data.go", read, nil, false},
		"a word":              {"Mend the keel", round("1", "text", "Read", "file_path=/ship/keel"), nil, false},
		"a path of Windows":   {"Mend keel/a.go", round("1", "1\tpackage keel", "Read", `file_path=C:\ship\keel\a.go`), nil, true},
		"no extension":        {"Do it as in the keelService", round("1", "1\tpackage keel", "Read", "file_path=/ship/keelService.test.ts"), nil, true},
		"no folder of it":     {"Do it as in mast/keel-service", round("1", "1\tpackage keel", "Read", "file_path=/ship/keel-service.go"), nil, false},
		"a plain word":        {"Do it as in service", round("1", "1\tpackage keel", "Read", "file_path=/ship/service.go"), nil, false},
		"changed":             {"Mend a.go", read, round("2", "ok", "Edit", "file_path=/ship/keel/a.go", "old_string=a", "new_string=b"), false},
		"changed by a path":   {"Mend a.go", read, round("2", "ok", "Edit", "file_path=keel/a.go", "old_string=a", "new_string=b"), false},
		"another one changed": {"Mend a.go", read, round("2", "ok", "Edit", "file_path=/ship/keel/b.go", "old_string=a", "new_string=b"), true},
		"one request ago":     {"Mend a.go", read, []*transcript.Message{transcripttest.Model("So."), transcripttest.User("Go on")}, true},
		"named by the model":  {"Mend the keel.", read, []*transcript.Message{transcripttest.Model("The planks are in `keel/a.go`, so I start there.")}, true},
		"named a turn ago":    {"Mend the keel.", read, []*transcript.Message{transcripttest.Model("The planks are in keel/a.go."), transcripttest.User("Count the sails of the ship instead, please.")}, false},
		"agreed to":           {"Mend the keel.", read, []*transcript.Message{transcripttest.Model("The planks are in keel/a.go."), transcripttest.User("Go on")}, true},
		"two requests ago":    {"Mend a.go", read, []*transcript.Message{transcripttest.Model("So."), transcripttest.User("Go on"), transcripttest.Model("So."), transcripttest.User("And then?")}, false},
	} {
		c := transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User(tt.asked)}, tt.read, tt.more)...)
		c.Folder = "/ship"
		ch := choiceOf(1000, c)
		if got := ch.due[c.Messages[1].Blocks[0]]; got != tt.want {
			t.Errorf("%s: %v, want %t", name, got, tt.want)
		}
	}
}

// TestDueNames checks that in a read that is due, a line with a name of the request has more value than
// another, and that this is not so in another read.
func TestDueNames(t *testing.T) {
	for file, want := range map[string]bool{"keel.go": true, "mast.go": false} {
		var lines []string
		for range 40 {
			lines = append(lines, "level")
		}
		lines[10], lines[20] = "call(contextFiles)", "call(otherFiles)"
		c := choiceOf(100, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Count the contextFiles in keel.go.")},
			round("1", strings.Join(lines, "\n"), "Read", "file_path=/ship/"+file))...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		values := extrasOf(c, x)
		if got := values["call(contextFiles)"] > values["call(otherFiles)"]+valueNamed; got != want {
			t.Errorf("%s: the values are %v", file, values)
		}
	}
}

// extrasOf returns the values of the lines of a result beside those of their facts.
func extrasOf(c *choice, x *text) map[string]float64 {
	c.words = vocabulary{lines: map[uint64]int32{}}
	c.words.count(x)
	x.seldoms().hits = c.asked.hits(x, nil)
	values := map[string]float64{}
	for i, value := range c.extras(x) {
		values[strings.TrimSpace(x.source(i, i+1))] = value
	}
	return values
}

// TestDueCode checks that a word which a request marks as code counts as a name of code, and that a line which imports
// names has no value for them.
func TestDueCode(t *testing.T) {
	source := strings.Repeat("level\n", 20) + "open the Sluice\n" + strings.Repeat("level\n", 20) + "import { Sluice } from \"keel\"\n" + strings.Repeat("level\n", 20) + "Harbour\n"
	c := choiceOf(100, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Close the `<Sluice>` of the Harbour in keel.go.")},
		round("1", source, "Read", "file_path=/ship/keel.go"))...))
	x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
	values := extrasOf(c, x)
	if values["open the Sluice"] < valueNamed/2 || values["Harbour"] >= valueNamed/2 || values[`import { Sluice } from "keel"`] >= valueAsked {
		t.Errorf("the values are %v", values)
	}
}

// TestEachName checks how names are divided into words, and which names count besides.
func TestEachName(t *testing.T) {
	for text, want := range map[string][2]int{ // different words, and names
		"Read the contextFiles":   {3, 1},
		"read_file":               {2, 1},
		"READ_FILE read":          {2, 1},
		"sha256sum":               {0, 1}, // its words are short
		"HTTPServer":              {1, 0}, // no small letter divides it
		"level 12 of 3":           {1, 0},
		"v2":                      {0, 0},
		"a.b.c":                   {0, 0},
		"größeDerFlut und größe ": {2, 1},
	} {
		words, names := map[uint64]bool{}, map[uint64]bool{}
		eachName(text, func(word uint64, joined bool) {
			if joined {
				names[word] = true
			} else {
				words[word] = true
			}
		})
		if got := [2]int{len(words), len(names)}; got != want {
			t.Errorf("%q has %v words and names, want %v", text, got, want)
		}
	}
}

// outcomeOf returns the words for the outcome of a command with an output.
func outcomeOf(output string) string {
	c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Bash", "command=ls")), transcripttest.Tool("1", output))
	d := draft{Source: &Source{Conv: c}}
	return d.outcome(&step{results: []transcript.Ref{{Msg: 1, Block: c.Messages[1].Blocks[0].ID, Part: transcript.Whole}}}, c.Messages[0].Blocks[0])
}

// TestShortOutputs checks that a record states the whole of a short output of several lines.
func TestShortOutputs(t *testing.T) {
	for _, output := range []string{"a.go", "a.go\nb.go", "a.go\nb.go\nc.go\nd.go\ne.go\nf.go"} {
		if got, want := outcomeOf(output), ": "+strings.ReplaceAll(output, "\n", " / "); got != want {
			t.Errorf("%q: got %q, want %q", output, got, want)
		}
	}
	long := strings.Repeat("harbour/src/gate.go\n", 8)
	if got := outcomeOf(long); got != " (8 lines)" {
		t.Errorf("%q: got %q", long, got)
	}
}

// TestLastStatusStays checks that a record quotes the whole of the last output of git status, if it is short.
func TestLastStatusStays(t *testing.T) {
	status := func(id, text string) []*transcript.Message {
		return []*transcript.Message{transcripttest.Model("", transcripttest.Call(id, "Bash", "command=cd /work && git status --short --branch", "note="+strings.Repeat("the gate ", 60))), transcripttest.Tool(id, text)}
	}
	const last = "## main...origin/main [ahead 1]\n M harbour/src/gate.go\n M harbour/src/wall.go\n?? harbour/src/door.go\n?? harbour/src/key.go"
	msgs := slices.Concat([]*transcript.Message{transcripttest.User("What is left to commit?")}, status("s", "## main...origin/main\n M docs/old.md\n M docs/older.md\n M docs/oldest.md\n?? docs/new.md\n?? docs/newer.md"), work("a"), status("u", last), work("b"),
		[]*transcript.Message{transcripttest.Model("Two files are new."), transcripttest.User("go on")}, work("c"), []*transcript.Message{transcripttest.Model("I do.")})
	got := left(t, 100, msgs...)
	for line := range strings.Lines(last + "\n") {
		if !strings.Contains(got, " "+line) {
			t.Errorf("without %q:\n%s", line, got)
		}
	}
}

// TestStepsOfAPlan checks that the reads which a plan needs for a step that is done are not due.
func TestStepsOfAPlan(t *testing.T) {
	plan := "# Plan\n\n## 1. The mast\n\nChange `src/mast.go`, as `sail.go` does.\n\n```sh\n# not a heading\n```\n\n## 2. The hull\n\nChange `src/hull.go` and `src/keel.go`, as `sail.go` and rope.go do.\n"
	change := func(id, file string) []*transcript.Message {
		return round(id, "ok", "Edit", "file_path="+file, "old_string=a", "new_string=b")
	}
	for name, tt := range map[string]struct {
		plan    string
		changes []*transcript.Message
		want    string // the first letters of the files that are due
	}{
		"nothing done":       {plan, nil, "mshkr"},
		"the first step":     {plan, change("1", "/ship/src/mast.go"), "shkr"},
		"half of the second": {plan, change("1", "/ship/src/hull.go"), "mskr"},
		"the second step":    {plan, append(change("1", "/ship/src/hull.go"), change("2", "/ship/src/keel.go")...), "ms"},
		"another folder":     {plan, change("1", "/ship/old/mast.go"), "mshkr"},
		"all":                {plan, slices.Concat(change("1", "/ship/src/mast.go"), change("2", "/ship/src/hull.go"), change("3", "/ship/src/keel.go")), ""},
		"no folders":         {strings.ReplaceAll(plan, "src/", ""), change("1", "/ship/src/mast.go"), "shkr"},
		"no headings":        {"Change src/mast.go, as sail.go does.", change("1", "/ship/src/mast.go"), "s"},
	} {
		msgs := []*transcript.Message{transcripttest.User(tt.plan)}
		for i, file := range []string{"src/mast.go", "sail.go", "src/hull.go", "src/keel.go", "rope.go"} {
			msgs = append(msgs, round("r"+string(rune('1'+i)), "package ship", "Read", "file_path=/ship/"+file)...)
		}
		c := transcripttest.Conversation(append(msgs, tt.changes...)...)
		c.Folder = "/ship"
		ch := choiceOf(1000, c)
		var got strings.Builder
		for _, b := range c.Blocks() {
			if ch.due[b] {
				got.WriteByte(path.Base(b.Arg("file_path"))[0])
			}
		}
		if got.String() != tt.want {
			t.Errorf("%s: due %q, want %q", name, got.String(), tt.want)
		}
	}
}
