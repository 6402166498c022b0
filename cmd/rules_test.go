package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"condense/cmd/batch"
	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
	"condense/cmd/session"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/external"
	"condense/strategy/rescue"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// TestWrappedErrors checks that each error that adds something to another one still has it as its cause.
func TestWrappedErrors(t *testing.T) {
	cause := errors.New("the cause")
	for _, err := range []error{
		&usageError{cause, ""}, &refusedError{err: cause}, &namedError{"a.json", cause}, &unwritable{"--events", cause}, &outputError{cause}, &streamError{"a.json", cause},
		&summaryError{cause}, &programError{what: "nothing was done", err: cause}, usage("%w", cause),
	} {
		if !errors.Is(err, cause) {
			t.Errorf("%T hides its cause", err)
		}
	}
	unfit := &condense.UnfitError{Rows: 3}
	if err := error(&unfitError{unfit}); !errors.As(err, new(*condense.UnfitError)) || exitCode(t.Context(), err) != exitPolicy {
		t.Errorf("%v hides its cause", err)
	}
	for err, want := range map[error]int{
		&streamError{"a", cause}: exitInput, &summaryError{cause}: exitInput, &programError{err: cause}: exitPolicy, &programError{err: cause, interrupted: true}: exitInterrupted,
		&leftError{}: exitPolicy, &retentionError{}: exitPolicy, &namedError{"a", cause}: exitUsage,
	} {
		if code := exitCode(t.Context(), err); code != want {
			t.Errorf("%T: exit code %d, want %d", err, code, want)
		}
	}
}

// TestSessionCommands checks that each command of takeSessions exists, resolves an id in place of a file, and has --last as
// the table says. Other commands complete no ids.
func TestSessionCommands(t *testing.T) {
	home := t.TempDir()
	saveSession(t, home, "aaaabbbb-1", "/w/a", `"first"`, 2)
	saveSession(t, home, "aaaabbbb-2", "/w/b", `"second"`, 1)
	root := newRoot(&app{env: func(string) string { return "" }})
	for name, last := range takeSessions {
		cmd, _, err := root.Find([]string{name})
		if err != nil || cmd.Name() != name {
			t.Fatalf("%q: there is no such command: %v", name, err)
		}
		args := []string{name, "aaaa"}
		if name == "diff" {
			args = append(args, "aaaa")
		}
		if code, _, printed := atHome(home, args...); code != exitUsage || !strings.Contains(printed, `2 sessions begin with "aaaa"`) || !strings.HasSuffix(printed, "  hint: name more characters of the id, or the path\n") {
			t.Errorf("condense %s: exit code %d: %s", name, code, printed)
		}
		for _, flag := range []string{"last", "project", "tool"} {
			if got := cmd.Flags().Lookup(flag) != nil; got != last {
				t.Errorf("condense %s has --%s: %v, want %v", name, flag, got, last)
			}
		}
	}
	for _, cmd := range root.Commands() {
		if _, takes := takeSessions[cmd.Name()]; takes || cmd.Name() == "help" {
			continue
		}
		if _, out, _ := atHome(home, "__complete", cmd.Name(), "aaaa"); strings.Contains(out, "aaaabbbb") {
			t.Errorf("condense %s completes the ids of sessions: %s", cmd.Name(), out)
		}
	}
}

// TestFlagsWithoutEffect checks that the hash of the flags of a batch, by which --resume knows that an output is what it would
// make, changes with each flag except for those of withoutEffect, and that these exist.
func TestFlagsWithoutEffect(t *testing.T) {
	hash := func(flag, text string) string {
		o, cmd := newBatchOptions(), &cobra.Command{}
		o.addFlags(cmd, cmd.Flags())
		if flag != "" {
			if err := cmd.Flags().Set(flag, text); err != nil {
				t.Fatalf("--%s %s: %v", flag, text, err)
			}
		}
		return hashFlags(cmd.Flags(), withoutEffect())
	}
	o, cmd := newBatchOptions(), &cobra.Command{}
	o.addFlags(cmd, cmd.Flags())
	for flag := range withoutEffect() {
		if cmd.Flags().Lookup(flag) == nil {
			t.Errorf("there is no flag --%s", flag)
		}
	}
	if n := len(withoutEffect()); n != 24 {
		t.Errorf("%d flags have no effect on an output: does each of them say only where it goes, or how the work is done?", n)
	}
	plain := hash("", "")
	for flag, text := range map[string]string{
		"target": "40%", "strategy": "mask", "keep-last": "3", "pin": "x", "model": "gpt-4o", "tokenizer": "chars", "llm": "true", "llm-model": "m", "min-retention": "0.5", "strict": "true", "in-place": ".x",
		"format": "codex", "validator": "exec:true", "exec-env": "X", "fraction": "0.5", "max-bytes": "5M", "tag": "true", "calibrate": "2", "stash": "s", "for": "training", "drop-rows": "true",
	} {
		if hash(flag, text) == plain {
			t.Errorf("--%s %s does not change the hash", flag, text)
		}
	}
	for flag, text := range map[string]string{
		"out-dir": "x", "force": "true", "dry-run": "true", "tool": "codex", "project": "p", "include": "*", "exclude": "*", "jobs": "7", "max-memory": "1G", "manifest": "m", "resume": "true", "shard": "1/2",
		"fail-fast": "true", "summary": "s", "report": "r", "report-format": "html", "html": "r", "no-progress": "true", "quiet": "true", "verbose": "2", "color": "never", "exec-timeout": "3s", "timeout": "3s",
	} {
		if hash(flag, text) != plain {
			t.Errorf("--%s %s changes the hash", flag, text)
		}
	}
}

// TestRecordsTogether checks how many records of a stream a worker takes at a time: one of the first, and never more than
// the limit; one where a model is asked or any program runs.
func TestRecordsTogether(t *testing.T) {
	program := []external.Program{{}}
	slow := map[string]func(o *runOptions){
		"a model": func(o *runOptions) { o.use = true }, "a strategy": func(o *runOptions) { o.external.programs = program },
		"a chooser": func(o *runOptions) { o.external.choosers = program }, "a validator": func(o *runOptions) { o.external.validators = program },
		"a strategy and a validator": func(o *runOptions) { o.external.programs, o.external.validators = program, program },
		"a chooser and a validator":  func(o *runOptions) { o.external.choosers, o.external.validators = program, program },
	}
	for _, workers := range []int{1, 2, 8} {
		f := &filter{o: &filterOptions{run: newRunOptions(), workers: workers}}
		for number, last := 1, 0; number < 5000; number++ {
			got := f.together(number)
			if want := min(mostTogether, 1+number/(slowStart*workers)); got != want || got < last {
				t.Fatalf("%d workers, record %d: %d together, want %d", workers, number, got, want)
			}
			last = got
		}
		for what, set := range slow {
			own := &filter{o: &filterOptions{run: newRunOptions(), workers: workers}}
			set(own.o.run)
			if got := own.together(100_000); got != 1 {
				t.Errorf("with %s: %d together", what, got)
			}
		}
		for size, want := range map[int]int64{0: 0, 7: 7, 4 << 20: bytesAhead / int64(workers)} {
			if got := f.weight(&record{in: make([]byte, size)}); got != want {
				t.Errorf("%d workers: the weight of %d bytes is %d, want %d", workers, size, got, want)
			}
		}
	}
}

// TestLongRecords checks that a record is read whole up to its limit, and refused above it, with the reason for the limit.
func TestLongRecords(t *testing.T) {
	for _, limited := range []bool{false, true} {
		for _, size := range []int{0, 1, 15, 16, 17, 31, 32, 33, 40, 99, 100, 101, 300} {
			f := &filter{a: &app{}, end: '\n', largest: 100}
			why := "the limit in a compressed stream"
			if limited {
				f.a.memory, why = batch.NewMemory(1<<30), "which is too much for --max-memory"
			}
			in := bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", max(0, size-1))+"\nrest"), 16)
			data, err := f.readRecord(in)
			want := fmt.Sprintf("a conversation is larger than 100 bytes, %s", why)
			if size > 100 && (err == nil || err.Error() != want) || size <= 100 && (err != nil || len(data) != max(1, size)) {
				t.Errorf("%d bytes: %d bytes, %v", size, len(data), err)
			}
		}
	}
	debug.SetMemoryLimit(math.MaxInt64)
}

// TestAfterInterrupted checks that an interrupt during --after says that the output is written, and that hooks are not run
// in a dry run.
func TestAfterInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no program true")
	}
	program, err := external.Parse("exec:true")
	if err != nil {
		t.Fatal(err)
	}
	o := newExternalOptions()
	o.after = []external.Program{program}
	o.limit(&app{env: os.Getenv, err: &bytes.Buffer{}}, true)
	done, stop := context.WithCancel(t.Context())
	stop()
	err = o.runAfter(done, &report.Report{})
	if err == nil || err.Error() != "the output is written, but --after failed: interrupted" || exitCode(done, err) != exitInterrupted {
		t.Errorf("%v", err)
	}
	if err := o.runAfter(done, &report.Report{DryRun: true}); err != nil {
		t.Errorf("in a dry run: %v", err)
	}
	if err := o.runAfter(t.Context(), &report.Report{}); err != nil {
		t.Errorf("not interrupted: %v", err)
	}
	o.after = nil
	if err := o.runAfter(done, &report.Report{}); err != nil {
		t.Errorf("without programs: %v", err)
	}
}

// TestRefusedTrial checks that a strategy that fails is a result of condense compare and no error, and that its recall
// counts as that of a conversation that stays as it is.
func TestRefusedTrial(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.Decode([]byte(shortChat), "")
	if err != nil {
		t.Fatal(err)
	}
	fails := pipeline{"broken", []*strategy.Strategy{{Name: "broken", Aims: true, Run: func(context.Context, *strategy.Input) (strategy.Proposal, error) {
		return strategy.Proposal{}, errors.New("too odd")
	}}}}
	o := newRunOptions()
	o.stages = fails.stages
	one, notes, err := try(t.Context(), file, o, fails, target{text: "50%", Target: strategy.Target{Share: .5}}, nil, counter)
	if err != nil || !strings.Contains(one.Refused, "too odd") || one.Valid || one.Reached || one.Strategy != "broken" || one.Target != "50%" || notes != nil {
		t.Errorf("%+v, %q, %v", one, notes, err)
	}
	x := exam{counter: counter}
	r := x.prepare([]*transcript.Conversation{longExam()}, []bool{true})
	needed := 0
	for _, cut := range x.cuts {
		needed += cut.Needed()
	}
	if r.Needed != needed || needed == 0 || r.Cuts != len(x.cuts) {
		t.Errorf("%+v, want %d needed facts in %d cuts", r, needed, len(x.cuts))
	}
	if err := x.take(t.Context(), o, fails, target{}, nil, one); err != nil || one.Recalled != nil {
		t.Errorf("a refused trial has a recall: %+v, %v", one.Recalled, err)
	}
	one = &survey.Trial{Valid: true}
	if err := x.take(t.Context(), o, fails, target{text: "50%", Target: strategy.Target{Share: .5}}, nil, one); err != nil || one.Recalled == nil || one.Recalled.Present != 1 || one.Recalled.Within != 0 || one.Recalled.Over == 0 {
		t.Errorf("%+v, %v", one.Recalled, err)
	}
	p, err := parsePipeline("truncate")
	if err != nil {
		t.Fatal(err)
	}
	if err := x.take(t.Context(), newRunOptions(), p, target{text: "900", Target: strategy.Target{Tokens: 900}}, nil, one); err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{one.Recalled.Bound, one.Recalled.Far, one.Recalled.Present, one.Recalled.Within} {
		if share < 0 || share > 1 || math.Abs(share*1e4-math.Round(share*1e4)) > 1e-6 {
			t.Errorf("%v is no share of four digits", share)
		}
	}
}

// TestGarbageLimits checks when a run makes the garbage collector run more often: for large sources, unless the environment
// says how often it runs; and when the memory is limited.
func TestGarbageLimits(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for _, tt := range []struct {
		size    int
		need    int64
		env     string
		many    bool
		memory  int64
		percent int
		limited bool
	}{
		{1000, 1000, "", false, 0, 100, false},
		{largeSource - 1, 1, "", false, 0, 100, true},
		{largeSource, textNeed * largeSource, "", false, 0, textGC, true},
		{largeSource, textNeed*largeSource + 1, "", false, 0, denseGC, true},
		{largeSource, 1, "GOGC", false, 0, 100, false},
		{largeSource, 1, "GOMEMLIMIT", false, 0, textGC, false},
		{largeSource, 1, "", true, 0, textGC, false},
		{largeSource, 1, "", false, 1 << 30, textGC, false},
	} {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		a := &app{env: func(name string) string { return map[string]string{tt.env: "50"}[name] }}
		o := newRunOptions()
		o.many, o.maxMemory = tt.many, tt.memory
		restore := a.limitGarbage(o, tt.size, tt.need)
		percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
		restore()
		if percent != tt.percent || (limit < math.MaxInt64) != tt.limited {
			t.Errorf("%+v: %d percent, limit %d", tt, percent, limit)
		}
		if restored := debug.SetMemoryLimit(-1); restored != math.MaxInt64 {
			t.Errorf("%+v: the limit %d stays", tt, restored)
		}
	}
}

// TestRowNotes checks the notes on rows of a training set.
func TestRowNotes(t *testing.T) {
	const only, shares = "--for training: only results of tools and texts that a client adds become shorter", "--drop-rows: the shares of what is retained are those of the other rows"
	for _, tt := range []struct {
		rows *report.Rows
		want []string
	}{
		{nil, nil}, {&report.Rows{}, nil}, {&report.Rows{Fit: 1}, nil}, {&report.Rows{Fit: 1, Left: 1}, nil}, {&report.Rows{Left: 1}, []string{only}},
		{&report.Rows{Dropped: 1}, []string{only, shares}}, {&report.Rows{Fit: 1, Dropped: 1}, []string{shares}}, {&report.Rows{Left: 1, Dropped: 1}, []string{only, shares}},
	} {
		got := rowNotes(tt.rows)
		if len(got) != len(tt.want) || slices.ContainsFunc(got, func(s string) bool { return !strings.HasPrefix(s, tt.want[slices.Index(got, s)]) }) {
			t.Errorf("%+v: %q, want %q", tt.rows, got, tt.want)
		}
	}
}

// TestRescueNext checks what the report of condense rescue says about going on: the command, if the file is the one that
// the client reads, and a note if it is a copy.
func TestRescueNext(t *testing.T) {
	src, err := os.ReadFile("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	id := file.Convs[0].ID
	place := "/home/p/" + id + ".jsonl"
	for _, tt := range []struct {
		in, out           string // as in the report
		flag              string // -o
		dry, changed      bool
		wantCommand, note bool
	}{
		{place, place, "", false, true, true, false},
		{place, place, "", false, false, true, false},
		{place, "", "", false, false, true, false},
		{place, "", "", true, true, false, false},
		{place, "", "", true, false, true, false},
		{"copy.jsonl", "copy.jsonl", "", false, true, false, true},
		{"copy.jsonl", "", "", true, true, false, false},
		{place, "x.jsonl", "x.jsonl", false, true, false, true},
		{place, place, place, false, true, false, true},
	} {
		o := &rescueOptions{runOptions: *newRunOptions()}
		o.output, o.dryRun = tt.flag, tt.dry
		out := &rescue.Outcome{Outcome: &condense.Outcome{File: file, Changed: tt.changed}}
		s := &gate.Rescue{}
		s.Input, s.Output, s.Changed = tt.in, tt.out, tt.changed
		o.next(s, out)
		if (s.Resume != "") != tt.wantCommand || s.Resume != "" && !strings.Contains(s.Resume, id) || (len(s.Notes) == 1) != tt.note || tt.note && !strings.HasPrefix(s.Notes[0], "the client reads a session in its own folder, not this file") {
			t.Errorf("%+v: %q, %q", tt, s.Resume, s.Notes)
		}
	}
}

// TestChunkSums checks the summary of a file of rows that is condensed chunk by chunk: it counts rows of training sets, and
// only those.
func TestChunkSums(t *testing.T) {
	t.Chdir(t.TempDir())
	row := `{"messages": ` + strings.TrimSpace(shortChat) + "}\n"
	writeAll(t, map[string]string{"rows.jsonl": strings.Repeat(row, 2*chunkSize/len(row))})
	for flags, want := range map[string]bool{"": false, "--for training -t 100": true} {
		out, printed, code := run(nil, append(strings.Fields("batch -q -n -s dedupe --summary - rows.jsonl"), strings.Fields(flags)...)...)
		if code != exitOK || strings.Contains(string(out), `"rows"`) != want || want && !strings.Contains(string(out), fmt.Sprintf(`"fit": %d,`, 2*chunkSize/len(row))) {
			t.Errorf("%q: exit code %d: %s%s", flags, code, out, printed)
		}
	}
}

// TestEventTimes checks that the events of a run have its clock, in UTC, and that stages have durations.
func TestEventTimes(t *testing.T) {
	path := t.TempDir() + "/e"
	at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.FixedZone("", 3600))
	log, err := openEvents(path, nil, func() time.Time { at = at.Add(1500 * time.Millisecond); return at })
	if err != nil {
		t.Fatal(err)
	}
	ended := log.watch(1, "mask")
	ended(&strategy.Stage{Name: "mask", From: transcript.New("x", nil), Before: 7, After: 5, Skipped: "too odd", Failed: true})
	log.watch(1, "dedupe")(&strategy.Stage{Name: "dedupe", From: transcript.New("x", nil), Fallback: "no model"})
	log.done(nil, errors.New("too odd"), 3)
	if err := log.close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	want := `{"time":"2026-01-02T02:04:09.506Z","event":"stage","conversation":2,"id":"x","stage":"mask","edits":0,"tokens":{"before":7,"after":5},"milliseconds":1500,"skipped":"too odd"}
{"time":"2026-01-02T02:04:11.006Z","event":"fallback","conversation":2,"id":"x","stage":"mask","reason":"too odd"}
{"time":"2026-01-02T02:04:15.506Z","event":"stage","conversation":2,"id":"x","stage":"dedupe","edits":0,"tokens":{"before":0,"after":0},"milliseconds":1500}
{"time":"2026-01-02T02:04:17.006Z","event":"fallback","conversation":2,"id":"x","stage":"dedupe","reason":"no model"}
{"time":"2026-01-02T02:04:18.506Z","event":"done","exit":3,"error":"too odd"}
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if millis := log.timed(3); len(millis) != 3 || len(millis[0]) != 0 || !slices.Equal(millis[1], []float64{1500, 1500}) {
		t.Errorf("the durations are %v", millis)
	}
}

// TestStrategiesList checks the list of strategies: each option is a flag of condense run, and is named once; the preset runs
// the strategies of the library, and has their options except for --tag.
func TestStrategiesList(t *testing.T) {
	o, cmd := newRunOptions(), &cobra.Command{}
	o.addFlags(cmd, cmd.Flags())
	list := strategies()
	if len(list) != len(strategy.All)+1 || list[0].Name != strategy.HybridName {
		t.Fatalf("%d strategies, the first is %s", len(list), list[0].Name)
	}
	var union []string
	aims, asked := false, false
	for i, s := range list {
		for _, flag := range s.Options {
			if cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s: there is no flag --%s", s.Name, flag)
			}
		}
		if sorted := slices.Sorted(slices.Values(s.Options)); s.Options == nil || len(slices.Compact(sorted)) != len(s.Options) {
			t.Errorf("%s: the options are %q", s.Name, s.Options)
		}
		if s.Doc == "" || s.Loses == "" {
			t.Errorf("%s: it does %q and loses %q", s.Name, s.Doc, s.Loses)
		}
		if i == 0 {
			continue
		}
		own := strategy.All[i-1]
		if s.Name != own.Name || s.Aims != own.Aims || s.Asks != slices.Contains(own.Options, "Ask") || len(s.Options) != len(own.Options) || s.Stages != nil {
			t.Errorf("%+v, want %s", s, own.Name)
		}
		if slices.Contains(strategy.Hybrid, own) {
			union, aims, asked = append(union, s.Options...), aims || s.Aims, asked || s.Asks
		}
	}
	slices.Sort(union)
	union = slices.DeleteFunc(slices.Compact(union), func(flag string) bool { return flag == "tag" })
	if got := slices.Sorted(slices.Values(list[0].Options)); !slices.Equal(got, union) || list[0].Aims != aims || list[0].Asks != asked || len(list[0].Stages) != len(strategy.Hybrid) {
		t.Errorf("the preset is %+v, want the options %q", list[0], union)
	}
	for i, name := range list[0].Stages {
		if name != strategy.Hybrid[i].Name {
			t.Errorf("stage %d is %s", i, name)
		}
	}
}

// TestToolHelp checks that the help of condense ls names all tools, separated by commas.
func TestToolHelp(t *testing.T) {
	text := toolHelp()
	if got := strings.Join(strings.Fields(text), " "); got != strings.Join(session.Tools(), ", ") {
		t.Errorf("the tools are %q", got)
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") || len(line) > 100 {
			t.Errorf("%q", line)
		}
	}
}
