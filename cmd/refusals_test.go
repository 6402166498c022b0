package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

// TestRefusals checks command lines that are refused before anything is done, and their neighbours that
// are not.
func TestRefusals(t *testing.T) {
	chat, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.json": string(chat), "b.json": string(chat), "sub/a.json": string(chat), "taken": "a file", "want/x": "", "pages/condense-run.1": "a page"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(outside, chat, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line string
		code int
		want string // in the messages
	}{
		{"explain --message 0 a.json", exitUsage, "messages are numbered from 1"},
		{"explain --message 1 a.json", exitOK, ""},
		{"diff - -", exitUsage, "only one of two files can be standard input"},
		{"diff a.json -", exitOK, ""},
		{"diff - a.json", exitOK, ""},
		{"diff --calibrate auto a.json b.json", exitUsage, "--calibrate auto would count the two files in different units"},
		{"config init one.yaml two.yaml", exitUsage, "config init takes [FILE], and was given 2 arguments"},
		{"config init one.yaml", exitOK, ""},
		{"batch --out-dir taken/below a.json", exitOutput, "--out-dir"},
		{"batch -q --out-dir fresh a.json", exitOK, ""},
		{"check --expect want -u " + outside, exitUsage, "is elsewhere"},
		{"check --expect want -u want/x", exitUsage, "lies in the folder of --expect"},
		{"check --expect want -u a.json sub/a.json", exitOK, ""},
		{"check --expect want " + strings.Repeat("a.json ", 2), exitOK, ""},
		{"run --exec-timeout 0s a.json", exitUsage, "--exec-timeout takes a time such as 30s, not 0s"},
		{"run --session-id x a.json", exitUsage, "expected a UUID, or new"},
		{"validate absent.json", exitInput, "absent.json"},
		{"tokens --tokenizer absent/tokenizer.json a.json", exitInput, "absent/tokenizer.json: cannot be read"},
		{"tokens --model nonsense a.json", exitUsage, "condense models lists the models"},
		{"formats x", exitUsage, `formats takes no arguments, and was given "x"`},
		{"man --dir pages", exitOutput, "condense-run.1"},
		{"man --dir pages -f", exitOK, ""},
		{"undo", exitUsage, "there is no state directory"},
		{"check --max-tokens 1m --format openai a.json", exitOK, ""},
		{"check --max-tokens 1m --format codex a.json", exitInput, ""},
		{"stats --report b.json --report-format html -f a.json b.json", exitUsage, "b.json"},
		{"stats --report b.json --report-format html a.json", exitOutput, "b.json"},
		{"validate a.json", exitOK, ""},
	} {
		_, printed, code := run(chat, strings.Fields(tt.line)...)
		if code != tt.code || !strings.Contains(printed, tt.want) {
			t.Errorf("condense %s: exit code %d, want %d with %q: %s", tt.line, code, tt.code, tt.want, printed)
		}
	}
}

// TestUnusedFlags checks that a note names the flags that no stage uses, if they were typed.
func TestUnusedFlags(t *testing.T) {
	chat, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"run -n -s truncate --fraction 0.5": "", "run -n -s dedupe": "", "run -n -s truncate": "",
		"run -n -s dedupe --fraction 0.5": "--fraction has no effect on dedupe: only on truncate",
	} {
		_, printed, code := run(chat, strings.Fields(line)...)
		if code != exitOK || !strings.Contains(printed, want) || strings.Contains(printed, "no effect") != (want != "") {
			t.Errorf("condense %s: exit code %d, want a note %q:\n%s", line, code, want, printed)
		}
	}
}

// TestConfigCheckLines checks that a wrong value is reported once, although several commands have the
// flag, and that each wrong line is reported.
func TestConfigCheckLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "condense.yaml")
	if err := os.WriteFile(path, []byte("target: nonsense\nkeep-last: 2\nstrategy: nothing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, printed, code := run(nil, "config", "check", path)
	text := string(out) + printed
	if code == exitOK || strings.Count(text, path+":1: ") != 1 || strings.Count(text, path+":2: ") != 0 || strings.Count(text, path+":3: ") != 1 {
		t.Errorf("exit code %d:\n%s", code, text)
	}
}

// TestEventLines checks that each line of the events is a JSON object with a time.
func TestEventLines(t *testing.T) {
	chat, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if _, printed, code := run(chat, "run", "-q", "--events", path); code != exitOK {
		t.Fatal(printed)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for line := range strings.Lines(string(text)) {
		var e struct {
			Time  time.Time
			Event string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Time.IsZero() {
			t.Fatalf("%q: %v", line, err)
		}
		kinds = append(kinds, e.Event)
	}
	if len(kinds) < 3 || kinds[0] != "start" || !slices.Contains(kinds, "stage") {
		t.Errorf("the events are %q", kinds)
	}
}

// TestFlagsAreExplained checks that the help says what each flag does.
func TestFlagsAreExplained(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.TrimSpace(f.Usage) == "" && !f.Hidden {
				t.Errorf("%s --%s has no help", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{env: func(string) string { return "" }}))
}

// TestNotesNameTheConversation checks that notes of strategies name the conversation where there are
// several.
func TestNotesNameTheConversation(t *testing.T) {
	one := func(id, note string) condense.Conversation {
		return condense.Conversation{Result: &strategy.Result{From: transcript.New(id, nil), Notes: []string{note}}}
	}
	several := &condensed{Outcome: &condense.Outcome{Conversations: []condense.Conversation{one("a", "first"), {}, one("b", "second")}}}
	if got, want := strategyNotes(several), []string{"conversation a: first", "conversation b: second"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	alone := &condensed{Outcome: &condense.Outcome{Conversations: []condense.Conversation{one("a", "first")}}}
	if got := strategyNotes(alone); !slices.Equal(got, []string{"first"}) {
		t.Errorf("one conversation: %q", got)
	}
}

// longExam returns a conversation that an exam can cut.
func longExam() *transcript.Conversation {
	var msgs []*transcript.Message
	for i := range 80 {
		if i%10 == 0 {
			msgs = append(msgs, transcripttest.User(fmt.Sprintf("go on with step %d", i)))
		}
		if i >= 10 {
			msgs = append(msgs, transcripttest.Model(fmt.Sprintf("Now load_part_%dx calls load_part_%dx.", i/2, i/3)))
		}
		id := fmt.Sprint(i)
		msgs = append(msgs, transcripttest.Model(transcripttest.Call(id, "Read", fmt.Sprintf("file_path=src/part%dx.go", i))),
			transcripttest.Tool(id, fmt.Sprintf("the function load_part_%dx opens the part\n", i)+strings.Repeat("filler text without any facts in it\n", 40)))
	}
	return transcripttest.Conversation(msgs...)
}

// TestExamWithoutTarget checks that a strategy without a target is measured at the targets that it met: a part
// that stays larger than a target counts as 0 there.
func TestExamWithoutTarget(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	targets, err := parseTargets("1%,100%")
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePipeline("dedupe") // which has no target
	if err != nil {
		t.Fatal(err)
	}
	x := exam{counter: counter}
	x.prepare([]*transcript.Conversation{longExam()}, []bool{true})
	one := &survey.Trial{Valid: true, Met: []string{"1%", "100%"}}
	if err := x.take(t.Context(), newRunOptions(), p, target{}, targets, one); err != nil {
		t.Fatal(err)
	}
	if one.Recalled == nil || one.Recalled.Within == 0 || one.WithinAt["1%"] != 0 || one.WithinAt["100%"] != one.Recalled.Within {
		t.Errorf("recalled %+v, within %v", one.Recalled, one.WithinAt)
	}
}

// TestExamOfSeveral checks that an exam has no reason against it if one of several conversations can be cut.
func TestExamOfSeveral(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	short := transcripttest.Conversation(transcripttest.User("Hello."), transcripttest.Model("Hello."))
	long := longExam()
	for _, tt := range []struct {
		convs  []*transcript.Conversation
		picked []bool
		cuts   bool
		why    string
	}{
		{[]*transcript.Conversation{short, long}, []bool{true, true}, true, ""},
		{[]*transcript.Conversation{long, short}, []bool{true, true}, true, ""},
		{[]*transcript.Conversation{long, short}, []bool{false, true}, false, "it has 2 messages"},
		{[]*transcript.Conversation{long, short}, []bool{false, false}, false, "there is no conversation in it"},
	} {
		x := exam{counter: counter}
		got := x.prepare(tt.convs, tt.picked)
		if (got.Cuts > 0) != tt.cuts || !strings.HasPrefix(got.Why, tt.why) || tt.cuts && got.Why != "" {
			t.Errorf("%v: %d cuts, %q", tt.picked, got.Cuts, got.Why)
		}
	}
}

// TestRowText checks the sentence about the rows of a training set that do not fit.
func TestRowText(t *testing.T) {
	for want, rows := range map[string]*report.Rows{
		"1 of 5 rows do not fit within the target and are left as they are":                {Fit: 4, Left: 1},
		"2 of 2 rows do not fit within the target and are left out":                        {Dropped: 2},
		"3 of 7 rows do not fit within the target; 2 are left out, 1 are left as they are": {Fit: 4, Left: 1, Dropped: 2},
		"1,001 of 1,002 rows do not fit within the target and are left out":                {Fit: 1, Dropped: 1001},
	} {
		if got := rowText(rows); got != want {
			t.Errorf("%+v: %q, want %q", *rows, got, want)
		}
	}
	if a, b := rowText(nil), rowText(&report.Rows{Fit: 4}); a != "" || b != "" {
		t.Errorf("when all fit: %q, %q", a, b)
	}
}

// TestUnit checks that a baseline names the factor of a tokenizer, so that counts with another factor are
// not compared with it.
func TestUnit(t *testing.T) {
	exact, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := token.ForModel("claude-opus-4-5")
	if err != nil {
		t.Fatal(err)
	}
	if got := unit(&counting{base: exact}); got != "o200k_base" {
		t.Errorf("an exact tokenizer is %q", got)
	}
	if got, want := unit(&counting{base: scaled}), fmt.Sprintf("%s × %g", scaled.Name(), scaled.Scale().Factor); got != want || scaled.Scale().Factor == 1 {
		t.Errorf("a scaled tokenizer is %q, want %q", got, want)
	}
}

// TestVerbatim checks how a help text becomes Markdown: its indented lines are code between blank lines,
// and the signs in other lines are escaped.
func TestVerbatim(t *testing.T) {
	for text, want := range map[string]string{
		"one <file>\ntwo":                     "one \\<file\\>\ntwo",
		"see:\n  condense run *.json\nand so": "see:\n\n      condense run *.json\n\nand so",
		"see:\n\n  one\n\n  two\n\nand so":    "see:\n\n      one\n\n      two\n\nand so",
		"  one\n  two":                        "      one\n      two",
	} {
		if got := verbatim(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
