package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript/format"
	"condense/transcript/token"
)

const someUUID = "b6a2f1c0-0000-4000-8000-000000000000"

// fixtureFile decodes a fixture.
func fixtureFile(t *testing.T, name string) *format.File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../testdata/sessions", name))
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSecondSession checks when a run makes a second session, which gets a name of its own, and which id the session of an
// output has.
func TestSecondSession(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id, path, output string
		replaces, dry    bool
		want             bool
	}{
		{"new", "a.jsonl", "", false, false, true}, {someUUID, "a.jsonl", "", false, false, true}, {"new", "a.jsonl", dir, false, false, true},
		{"", "a.jsonl", "", false, false, false}, {"new", "", "", false, false, false}, {"new", "-", "", false, false, false}, {"new", "a.jsonl", taken, false, false, false},
		{"new", "a.jsonl", filepath.Join(dir, "absent"), false, false, false}, {"new", "a.jsonl", "", true, false, false}, {"new", "a.jsonl", dir, false, true, false},
	} {
		o := newRunOptions()
		o.sessionID, o.output, o.replaces, o.dryRun = tt.id, tt.output, tt.replaces, tt.dry
		if got := o.makesSession(tt.path); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	claude, openai := fixtureFile(t, "claude-code/session.jsonl"), fixtureFile(t, "openai/array.json")
	for _, tt := range []struct {
		file       *format.File
		id, output string
		many       bool
		want       string
	}{
		{claude, "", "", false, ""}, {claude, "new", "", false, "new"}, {claude, "", "x/" + someUUID + ".jsonl", false, someUUID}, {claude, "", someUUID, false, someUUID},
		{claude, "new", "x/" + someUUID + ".jsonl", false, "new"}, {claude, "", "x/" + someUUID + ".jsonl", true, ""}, {claude, "", someUUID + ".json", false, ""},
		{claude, "", strings.ToUpper(someUUID) + ".jsonl", false, ""}, {openai, "", someUUID + ".jsonl", false, ""}, {openai, "new", "", false, "new"},
	} {
		o := newRunOptions()
		o.sessionID, o.output, o.many = tt.id, tt.output, tt.many
		if got := sessionID(tt.file, o); got != tt.want {
			t.Errorf("%s, %+v: %q", tt.file.Dialect.Name, tt, got)
		}
	}
}

// TestNextStepsTable checks what a report says about going on: how to take a run back, how to resume the session, that its id
// is new, and the price of the model.
func TestNextStepsTable(t *testing.T) {
	claude, openai := fixtureFile(t, "claude-code/session.jsonl"), fixtureFile(t, "openai/array.json")
	id := claude.Convs[0].ID
	own, second := "/p/"+id+".jsonl", "/p/"+someUUID+".jsonl"
	const note = "the id of the session is " + someUUID + " now"
	for _, tt := range []struct {
		file       *format.File
		newID      string
		in, out    string
		backup     string
		undo       string
		unchanged  bool
		wantUndo   string
		resumed    string // the id in the command
		wantedNote string
	}{
		{claude, "", own, own, "", "", false, "", id, ""},
		{claude, "", own, own, own + ".bak", "", false, "mv " + own + ".bak " + own, id, ""},
		{claude, "", own, own, own + ".bak", "condense undo x", false, "condense undo x", id, ""},
		{claude, "", own, own, own + ".bak", "", true, "", "", ""},
		{claude, "", own, "", "", "", false, "", "", ""},
		{claude, "", own, "-", "", "", false, "", "", ""},
		{claude, "", own, "x.jsonl", "", "", false, "", "", ""},
		{claude, "", "x.jsonl", "x.jsonl", "", "", false, "", "", ""},
		{claude, someUUID, own, second, "", "", false, "", someUUID, ""},
		{claude, someUUID, own, "-", "", "", false, "", "", note},
		{claude, someUUID, own, "", "", "", false, "", "", note},
		{claude, someUUID, own, "x.jsonl", "", "", false, "", "", note},
		{openai, "", "a.json", "a.json", "a.json.bak", "", false, "mv a.json.bak a.json", "", ""},
		{openai, "", "a b.json", "a b.json", "a b.json.bak", "", false, "mv 'a b.json.bak' 'a b.json'", "", ""},
	} {
		c := &condensed{Outcome: &condense.Outcome{File: tt.file, SessionID: tt.newID}}
		r := &report.Report{Input: tt.in, Output: tt.out, Backup: tt.backup, Undo: tt.undo, Changed: !tt.unchanged}
		c.addNextSteps(r)
		if r.Undo != tt.wantUndo || strings.Contains(r.Resume, "-r") && tt.resumed == "" || !strings.Contains(r.Resume, tt.resumed) || (r.Resume == "") != (tt.resumed == "") || strings.Join(r.Notes, "|") != tt.wantedNote {
			t.Errorf("%s as %s: undo %q, resume %q, notes %q", tt.in, tt.out, r.Undo, r.Resume, r.Notes)
		}
	}
	for model, known := range map[string]bool{"": false, "gpt-5-mini": true, "nothing": false} {
		r := &report.Report{Tokenizer: report.Tokenizer{Model: model}}
		(&condensed{}).addNextSteps(r)
		if (r.Price > 0) != known {
			t.Errorf("the price of %q is %v", model, r.Price)
		}
	}
}

// TestMistakenTarget checks when a file is not replaced because its target reads like a percentage: only if it cannot be
// reached, and nothing shows that it is meant.
func TestMistakenTarget(t *testing.T) {
	missed := []report.Conversation{{Reached: true}, {Budget: 5, Tokens: report.Change{Before: 50, After: 40}}}
	if !missed[1].Missed() || missed[0].Missed() {
		t.Fatal("the conversations are not as they should be")
	}
	for _, tt := range []struct {
		tokens   int
		convs    []report.Conversation
		set      func(o *runOptions, r *report.Report)
		mistaken bool
	}{
		{2, missed, nil, true}, {40, missed, nil, true}, {100, missed, nil, true}, {1, missed, nil, false}, {0, missed, nil, false}, {101, missed, nil, false}, {40, missed[:1], nil, false},
		{40, missed, func(o *runOptions, _ *report.Report) { o.replaces = false }, false}, {40, missed, func(o *runOptions, _ *report.Report) { o.force = true }, false},
		{40, missed, func(o *runOptions, _ *report.Report) { o.dryRun = true }, false}, {40, missed, func(o *runOptions, _ *report.Report) { o.many = true }, false},
		{40, missed, func(_ *runOptions, r *report.Report) { r.Changed = false }, false},
	} {
		o := newRunOptions()
		o.replaces, o.strategy.Target = true, strategy.Target{Tokens: tt.tokens}
		r := &report.Report{Changed: true, Conversations: tt.convs}
		if tt.set != nil {
			tt.set(o, r)
		}
		err := o.mistaken(r)
		if (err != nil) != tt.mistaken || err != nil && (exitCode(t.Context(), err) != exitUsage || !strings.Contains(errorHint(err), "% is a share of the input")) {
			t.Errorf("%d tokens: %v, want an error: %v", tt.tokens, err, tt.mistaken)
		}
	}
}

// TestVerdict checks the exit code of a run that did its work: 1 if a conversation failed, if --strict demands a target or a
// number of bytes that is missed, and if --diff found changes.
func TestVerdict(t *testing.T) {
	reached, short, failed := report.Conversation{Reached: true}, report.Conversation{}, report.Conversation{Reached: true, Failed: "too odd", Number: 2}
	for _, tt := range []struct {
		strict, diff, changed bool
		maxBytes, bytes       int
		convs                 []report.Conversation
		want                  string
	}{
		{false, false, true, 0, 10, []report.Conversation{reached}, "done"}, {true, false, true, 0, 10, []report.Conversation{reached}, "done"}, {false, false, true, 5, 10, []report.Conversation{short}, "done"},
		{true, false, true, 5, 10, []report.Conversation{reached}, "the file has more bytes than --max-bytes"}, {true, false, true, 10, 10, []report.Conversation{reached}, "done"},
		{true, false, true, 9, 10, []report.Conversation{reached}, "the file has more bytes than --max-bytes"}, {true, false, true, 0, 10, []report.Conversation{reached, short}, "the target was not reached"},
		{false, false, true, 0, 10, []report.Conversation{reached, failed}, "conversation 2 was left as it is: too odd"}, {true, false, true, 0, 10, []report.Conversation{reached, failed}, "conversation 2 was left as it is: too odd"},
		{false, true, true, 0, 10, []report.Conversation{reached}, ""}, {false, true, false, 0, 10, []report.Conversation{reached}, "done"}, {false, true, false, 0, 10, nil, "done"},
	} {
		o := newRunOptions()
		o.strict, o.diff, o.maxBytes = tt.strict, tt.diff, int64(tt.maxBytes)
		err := verdict(o, &report.Report{Changed: tt.changed, Bytes: report.Change{After: tt.bytes}, Conversations: tt.convs})
		got := "done"
		if err != nil {
			if got = err.Error(); exitCode(t.Context(), err) != exitPolicy {
				t.Errorf("%+v: exit code %d", tt, exitCode(t.Context(), err))
			}
		}
		if got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestOverReport checks which files a report replaces without --force: all but saved conversations.
func TestOverReport(t *testing.T) {
	t.Chdir(t.TempDir())
	writeAll(t, map[string]string{"c.json": shortChat, "r.md": "# A report\n", "odd.json": `{"name": 7}`, "sub/x": ""})
	for path, want := range map[string]bool{"c.json": false, "r.md": true, "odd.json": true, "sub": false, "absent": false} {
		for _, force := range []bool{false, true} {
			in := &source.Input{Name: "in"}
			if got := overReport(path, source.CreateOptions{Force: force, From: in}); got.Force != (want || force) || got.From != in {
				t.Errorf("%s, force %v: %+v", path, force, got)
			}
		}
	}
}

// TestConnect checks what strategies get to know about the model that --llm names, and about the one that takes its place.
func TestConnect(t *testing.T) {
	prompt := filepath.Join(t.TempDir(), "prompt")
	if err := os.WriteFile(prompt, []byte("In one line."), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(string) string { return "key" }
	o := newLLMOptions()
	if err := o.connect(t.Context(), env, &countOptions{models: "absent"}, false); err != nil || o.client != nil || o.asked.Name != "" {
		t.Errorf("without --llm: %v, %+v", err, o.asked)
	}
	o.use, o.name, o.noRedact, o.maxTokens, o.focus, o.fallback, o.promptFile = true, "gpt-4o", true, 77, "tides", "truncate", prompt
	for _, dry := range []bool{true, false} {
		if err := o.connect(t.Context(), env, &countOptions{}, dry); err != nil {
			t.Fatal(err)
		}
		counter, err := token.BuiltIn().Counter("gpt-4o")
		if err != nil {
			t.Fatal(err)
		}
		window, _ := counter.Window()
		m := o.asked
		if m.Name != "gpt-4o" || m.Window != window || window == 0 || !m.NoRedact || m.MaxNotes != 77 || m.Focus != "tides" || m.Fallback != strategy.FallbackTruncate || m.DryRun != dry || m.Prompt != "In one line." ||
			m.Substitute != nil || m.Tokens("one two three") != counter.Text("one two three") || m.Price == nil || m.Afford == nil {
			t.Errorf("dry run %v: %+v", dry, m)
		}
	}
	first := o.client
	if err := o.connect(t.Context(), env, &countOptions{}, false); err != nil || o.client != first {
		t.Errorf("the client is not kept: %v", err)
	}
	o = newLLMOptions()
	o.use, o.name, o.substitute = true, "nothing", "gpt-5-mini"
	if err := o.connect(t.Context(), env, &countOptions{}, false); err != nil {
		t.Fatal(err)
	}
	other, err := token.BuiltIn().Counter("gpt-5-mini")
	if err != nil {
		t.Fatal(err)
	}
	window, _ := other.Window()
	if s := o.asked.Substitute; o.asked.Window != 0 || o.asked.Prompt != "" || s == nil || s.Model.Name != "gpt-5-mini" || s.Model.Window != window || s.Model.Tokens("one two three") != other.Text("one two three") || s.Ask == nil || s.Model.Price == nil || s.Model.Afford == nil {
		t.Errorf("%+v", o.asked)
	}
	if err := o.connect(t.Context(), env, &countOptions{models: "absent"}, false); !errors.As(err, new(*source.Error)) {
		t.Errorf("models that cannot be read: %v", err)
	}
}

// TestComparePrice checks the price of a comparison: --price, or that of --model.
func TestComparePrice(t *testing.T) {
	known, ok := token.BuiltInPrices().Find("gpt-5-mini")
	if !ok {
		t.Fatal("the price is not known")
	}
	for _, tt := range []struct {
		model string
		price float64
		want  float64
	}{{"gpt-5-mini", 0, known.Input}, {"gpt-5-mini", 7, 7}, {"nothing", 0, 0}, {"nothing", 7, 7}, {autoModel, 0, 0}} {
		o := &compareOptions{run: newRunOptions(), price: tt.price}
		o.run.model = tt.model
		if err := o.check("-"); err != nil || o.price != tt.want || len(o.pipelines) != len(strategy.Names()) || len(o.targets) != 3 {
			t.Errorf("%s, %v: price %v, %d pipelines, %d targets, %v", tt.model, tt.price, o.price, len(o.pipelines), len(o.targets), err)
		}
	}
}
