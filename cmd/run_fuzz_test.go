package cmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
	"condense/transcript/transcripttest/mutate"
)

// The flags of TestRunMutants. scripts/fuzz sets them.
var (
	fuzzRuns = flag.Int("fuzzruns", 150, "number of runs of TestRunMutants")
	fuzzFrom = flag.Int("fuzzfrom", 0, "the first of them")
	fuzzSeed = flag.Uint64("fuzzseed", 11, "its seed")
	fuzzSave = flag.Bool("fuzzsave", false, "save its failures as seeds of FuzzRun")
)

// A trial is one run of the program on a source.
type trial struct {
	src  []byte
	args []string // flags, each as --name=value

	refused bool // set by check if an output was refused because of the faults of the source
	whole   bool // set by check if the run decided again with all messages
}

// A fault is a broken promise: its kind in a word or two, and the details.
type fault struct{ kind, detail string }

func (f *fault) String() string { return f.kind + ": " + f.detail }

func faultOf(kind, format string, args ...any) *fault {
	return &fault{kind, fmt.Sprintf(format, args...)}
}

// result holds what the trial led to.
type trialResult struct {
	code    int
	out     []byte
	printed string
	report  report.Report
}

// run runs the program.
func (tr *trial) run() (*trialResult, *fault) {
	args := append([]string{"run", "-", "--report-format=json"}, tr.args...)
	if !given(tr.args, "tokenizer") && !given(tr.args, "model") {
		args = append(args, "--tokenizer=bytes4")
	}
	out, printed, code := runAlone(tr.src, args)
	r := &trialResult{code: code, out: out, printed: printed}
	if code == exitUsage || code == exitInput || len(out) == 0 {
		return r, nil
	}
	if err := json.NewDecoder(strings.NewReader(printed)).Decode(&r.report); err != nil { // notes and errors follow
		return r, faultOf("report", "%v: %.300s", err, printed)
	}
	return r, nil
}

// runAlone is run with condense run as the only command. The library of commands keeps what completes the
// flags for ever, and with it the program. So the program and its commands are emptied: thousands of runs
// fit in one process.
func runAlone(in []byte, args []string) (out []byte, printed string, code int) {
	var stdout, stderr bytes.Buffer
	a := &app{in: bytes.NewReader(in), out: &stdout, err: &stderr, env: func(string) string { return "" }, now: time.Now}
	root := &cobra.Command{Use: "condense", SilenceErrors: true, SilenceUsage: true, PersistentPreRunE: a.configure}
	root.PersistentFlags().String(config.FlagName, "none", "")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err: err} })
	root.AddCommand(newRun(a))
	a.addSessionFlags(root)
	root.SetArgs(args)
	code = a.exit(context.Background(), root.ExecuteContext(context.Background()))
	for _, c := range append(root.Commands(), root) {
		for _, flags := range []*pflag.FlagSet{c.PersistentFlags(), c.Flags()} {
			flags.VisitAll(func(f *pflag.Flag) { *f = pflag.Flag{} })
			*flags = pflag.FlagSet{}
		}
		*c = cobra.Command{}
	}
	*a = app{}
	return stdout.Bytes(), stderr.String(), code
}

// check runs the program and returns the first promise that it breaks, or nil. done is false if the
// source is no conversation or the flags contradict each other.
func (tr *trial) check() (broken *fault, done bool) {
	defer func() {
		if p := recover(); p != nil {
			broken, done = faultOf("panic", "%v\n%s", p, debug.Stack()), true
		}
	}()
	r, broken := tr.run()
	tr.whole = strings.Contains(r.printed, "no message was removed whole")
	switch {
	case broken != nil:
		return broken, true
	case r.code == exitUsage || r.code == exitInput:
		return nil, false
	case r.code != exitOK && r.code != exitPolicy:
		return faultOf("exit code", "%d: %.300s", r.code, r.printed), true
	case strings.Contains(r.printed, damaged):
		tr.refused = true
		return nil, true
	case ownFault.MatchString(r.printed):
		return faultOf("fault of condense", "exit code %d: %.600s", r.code, tailOf(r.printed)), true
	case len(r.out) == 0 && len(tr.src) > 0:
		return nil, r.code == exitPolicy // --strict and others write nothing
	}
	for _, c := range r.report.Conversations {
		if c.Failed != "" {
			return faultOf("fault of condense", "%.600s", c.Failed), true
		}
	}
	return tr.compare(r), true
}

// ownFault matches the error of an output that breaks a promise, or of a stage that would.
var ownFault = regexp.MustCompile(`(?m)^condense: .*strategy [a-z-]+: |this is a bug in condense`)

// damaged is in the error of an output that was refused because of the faults of its source.
const damaged = "the source is damaged"

// tailOf returns the end of a text, where errors are.
func tailOf(s string) string { return s[max(0, len(s)-500):] }

// compare compares the source with the output.
func (tr *trial) compare(r *trialResult) *fault {
	before, err := format.Decode(tr.src, "")
	if err != nil {
		return faultOf("decode", "the source: %v", err)
	}
	after, err := format.Decode(r.out, "")
	if err != nil {
		return faultOf("detection", "of a %s file: %v", before.Dialect.Name, err)
	}
	grows := given(tr.args, "tag") || given(tr.args, "session-id")
	switch {
	case after.Dialect != before.Dialect:
		return faultOf("detection", "a %s file became a %s file", before.Dialect.Name, after.Dialect.Name)
	case json.Valid(tr.src) && !json.Valid(r.out):
		return faultOf("detection", "the output is not JSON")
	case len(r.out) > len(tr.src) && !grows:
		return faultOf("bytes", "%d became %d", len(tr.src), len(r.out))
	case r.report.Tokens.After > r.report.Tokens.Before:
		return faultOf("tokens", "%d became %d", r.report.Tokens.Before, r.report.Tokens.After)
	case given(tr.args, "drop-rows"):
		return nil // the rest compares conversations one by one
	case len(after.Convs) != len(before.Convs):
		return faultOf("detection", "%d conversations became %d", len(before.Convs), len(after.Convs))
	}
	for _, check := range []func(r *trialResult, before, after *format.File) *fault{tr.counts, tr.findings, tr.typed, tr.last, tr.again} {
		if broken := check(r, before, after); broken != nil {
			return broken
		}
	}
	return nil
}

// counts compares the tokens of the report with those of the output.
func (tr *trial) counts(r *trialResult, _, after *format.File) *fault {
	if given(tr.args, "tokenizer", "chars", "o200k_base") || given(tr.args, "model") || given(tr.args, "calibrate") {
		return nil
	}
	counter, err := token.New("bytes4")
	if err != nil {
		return faultOf("report", "%v", err)
	}
	sum := 0
	for i, c := range after.Convs {
		if i < len(r.report.Conversations) && given(tr.args, "select") && i+1 != 1 {
			return nil
		}
		n, _ := breakdown.Measure(c, counter.Block)
		sum += n
	}
	if !given(tr.args, "select") && sum != r.report.Tokens.After {
		return faultOf("report", "the output has %d tokens, reported are %d", sum, r.report.Tokens.After)
	}
	return nil
}

// findings returns a fault if a rule of the format's profile, or of all, is broken more often than before.
func (tr *trial) findings(_ *trialResult, before, after *format.File) *fault {
	for _, p := range []*rules.Profile{before.Dialect.Target(), &rules.Any} {
		was := map[string]int{}
		for _, f := range before.Check(p) {
			was[fmt.Sprint(f.Conv, f.Rule)]++
		}
		for _, f := range after.Check(p) {
			key := fmt.Sprint(f.Conv, f.Rule)
			if was[key]--; was[key] < 0 && f.Severity == rules.Error {
				return faultOf("finding", "%s", f)
			}
		}
	}
	return nil
}

// typed returns a fault if a typed text is not in the output word for word.
func (tr *trial) typed(_ *trialResult, before, after *format.File) *fault {
	if given(tr.args, "unpin", "user") || given(tr.args, "fraction") || given(tr.args, "tags") {
		return nil
	}
	for i, c := range before.Convs {
		there := map[string]int{}
		var all strings.Builder
		for m := range after.Convs[i].Visible() {
			for _, b := range m.Blocks {
				if b.Origin == transcript.Typed || b.Origin == transcript.Generated {
					text := foldedText(b)
					there[text]++
					all.WriteString(text + " ")
				}
			}
		}
		for ref, b := range c.Blocks() {
			if b.Kind != transcript.Text || b.Origin != transcript.Typed {
				continue
			}
			text := foldedText(b)
			if there[text]--; there[text] < 0 && !strings.Contains(all.String(), text) {
				return faultOf("typed text", "%s of conversation %d: %.200q", ref, i, text)
			}
		}
	}
	return nil
}

func foldedText(b *transcript.Block) string { return strings.Join(strings.Fields(b.Text()), " ") }

// last returns a fault if the last text of the model is not in the output word for word.
func (tr *trial) last(_ *trialResult, before, after *format.File) *fault {
	if given(tr.args, "unpin", "last") || given(tr.args, "fraction") || given(tr.args, "tags", "all") && bytes.Contains(tr.src, []byte("drop>")) {
		return nil // the user gave it up, or a part of it
	}
	for i, c := range before.Convs {
		want := ""
		for _, b := range c.Blocks() {
			if text := foldedText(b); b.Kind == transcript.Text && b.Origin == transcript.ByModel && text != "" && !transcript.IsMarker(b.Text()) {
				want = text
			}
		}
		found := false
		for _, b := range after.Convs[i].Blocks() {
			found = found || strings.Contains(foldedText(b), want)
		}
		if want != "" && !found {
			return faultOf("last answer", "of conversation %d: %.200q", i, want)
		}
	}
	return nil
}

// again returns a fault if a run on the output with the target that the report names changes something.
func (tr *trial) again(r *trialResult, before, after *format.File) *fault {
	if len(before.Convs) != 1 || len(r.report.Conversations) != 1 || r.report.Conversations[0].Budget == 0 || !r.report.Conversations[0].Reached {
		return nil
	}
	for _, flag := range []string{"fraction", "messages", "min-tokens", "preset", "session-id", "min-gain", "min-stage-gain", "calibrate", "strategy-for"} {
		if given(tr.args, flag) {
			return nil
		}
	}
	if given(tr.args, "unpin", "user") || strings.Contains(r.printed, "--max-bytes: cannot reach") {
		return nil
	}
	if tr.whole && !isSound(before) {
		return nil // no message could be removed whole; the second run has less to do, so some can
	}
	args := slices.DeleteFunc(slices.Clone(tr.args), func(arg string) bool { return strings.HasPrefix(arg, "--target=") })
	second := trial{src: r.out, args: append(args, fmt.Sprint("--target=", r.report.Conversations[0].Budget))}
	twice, broken := second.run()
	if broken != nil {
		return broken
	}
	if twice.code != exitOK && twice.code != exitPolicy {
		return faultOf("idempotence", "a second run ends with exit code %d: %.300s", twice.code, tailOf(twice.printed))
	}
	if len(twice.out) > 0 && !bytes.Equal(twice.out, r.out) {
		i := 0
		for i < min(len(r.out), len(twice.out)) && r.out[i] == twice.out[i] {
			i++
		}
		return faultOf("idempotence", "at byte %d: %.120q became %.120q", i, r.out[max(0, i-40):], twice.out[min(max(0, i-40), len(twice.out)):])
	}
	return nil
}

// arguments returns the flags in a text, one a line, or false if a flag is not one of randomFlags.
func arguments(text string) (args []string, ok bool) {
	for line := range strings.SplitSeq(text, "\n") {
		name, _, has := strings.Cut(strings.TrimPrefix(line, "--"), "=")
		if line == "" {
			continue
		}
		if !strings.HasPrefix(line, "--") || !has || randomFlags[name] == nil {
			return nil, false
		}
		args = append(args, line)
	}
	return args, true
}

// FuzzRun checks the promises of condense run for any source and any flags, one a line.
func FuzzRun(f *testing.F) {
	for i, src := range transcripttest.Sources(f, "../testdata") {
		if len(src) < 8<<10 && i%3 == 0 {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			f.Add(src, strings.Join(randomArguments(draw{r, nil}), "\n"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, flags string) {
		args, ok := arguments(flags)
		if !ok || len(src) > 64<<10 {
			t.Skip()
		}
		tr := trial{src: src, args: args}
		if broken, _ := tr.check(); broken != nil {
			t.Fatalf("%s\n%s", broken, args)
		}
	})
}

// TestRunMutants checks the promises of condense run for damaged fixtures and random flags.
func TestRunMutants(t *testing.T) {
	sources := transcripttest.Sources(t, "../testdata")
	kinds, done, refused, whole, sound := map[string]int{}, 0, 0, 0, 0
	for i := *fuzzFrom; i < *fuzzFrom+*fuzzRuns; i++ {
		r := rand.New(rand.NewPCG(*fuzzSeed, uint64(i)))
		src, names := sources[r.IntN(len(sources))], "none"
		if r.IntN(6) > 0 {
			src, names = mutate.Source(r, src)
		}
		file := readable(src)
		tr := trial{src: src, args: randomArguments(draw{r, file})}
		broken, counted := tr.checkBounded()
		if counted {
			done++
		}
		if tr.refused {
			refused++
		}
		if tr.whole {
			if whole++; isSound(file) {
				sound++
				t.Logf("run %d of a sound source keeps all messages: flags %q, changes: %s\n%.1500s", i, tr.args, names, src)
			}
		}
		if broken == nil {
			continue
		}
		kinds[broken.kind]++
		broken = tr.shrink(broken)
		t.Errorf("seed %d, run %d, %s\n%s\nflags %q, changes: %s%s\n%.1500s", *fuzzSeed, i, nameOf(file), broken, tr.args, names, tr.save(t), tr.src)
	}
	if done < *fuzzRuns/4 {
		t.Errorf("only %d of %d runs read their source: the flags or the program are not as they should be", done, *fuzzRuns)
	}
	t.Logf("seed %d: %d runs, %d of them condensed, %d refused because the source is damaged, %d keep all messages for that (%d of them of sound sources); faults by kind: %v",
		*fuzzSeed, *fuzzRuns, done, refused, whole, sound, kinds)
}

// readable returns a decoded source, or nil if that fails. A panic shows again in the trial.
func readable(src []byte) (file *format.File) {
	defer func() {
		if recover() != nil {
			file = nil
		}
	}()
	if f, err := format.Decode(src, ""); err == nil {
		return f
	}
	return nil
}

// isSound reports whether nothing is known to be wrong with a source.
func isSound(f *format.File) bool {
	if f == nil || len(f.Faults) > 0 || len(f.Check(f.Dialect.Target()))+len(f.Check(&rules.Any)) > 0 {
		return false
	}
	for i := range f.Convs {
		if f.Unlinked(i) != "" {
			return false
		}
	}
	return true
}

func nameOf(f *format.File) string {
	if f == nil {
		return "unreadable"
	}
	return f.Dialect.Name
}

// Bounds of one run: time and allocated memory.
const (
	mostTime      = 5 * time.Second
	mostAllocated = 1 << 30
)

// checkBounded is check within bounds of time and memory.
func (tr *trial) checkBounded() (broken *fault, done bool) {
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	start := time.Now()
	broken, done = tr.check()
	took := time.Since(start)
	runtime.ReadMemStats(&is)
	switch used := is.TotalAlloc - was.TotalAlloc; {
	case broken != nil:
	case took > mostTime:
		broken = faultOf("time", "%v for %d bytes", took, len(tr.src))
	case used > mostAllocated:
		broken = faultOf("memory", "%d bytes allocated for %d bytes", used, len(tr.src))
	}
	return broken, done
}

// shrink removes flags, and parts of the source, as long as the same kind of fault remains. It returns
// the last fault.
func (tr *trial) shrink(broken *fault) *fault {
	if broken.kind == "time" || broken.kind == "memory" {
		return broken
	}
	try := func(smaller trial) bool {
		again, _ := smaller.check()
		if again == nil || again.kind != broken.kind {
			return false
		}
		*tr, broken = smaller, again
		return true
	}
	for i := 0; i < len(tr.args); {
		if !try(trial{src: tr.src, args: slices.Delete(slices.Clone(tr.args), i, i+1)}) {
			i++
		}
	}
	for start, smaller := time.Now(), true; smaller && time.Since(start) < 10*time.Second; {
		smaller = false
		for src := range mutate.Smaller(tr.src) {
			if len(src) < len(tr.src) && try(trial{src: src, args: tr.args}) || time.Since(start) > 10*time.Second {
				smaller = true
				break
			}
		}
	}
	return broken
}

// save writes a failing trial as a seed of FuzzRun, if -fuzzsave is set.
func (tr *trial) save(t *testing.T) string {
	if !*fuzzSave {
		return ""
	}
	data := fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\nstring(%q)\n", tr.src, strings.Join(tr.args, "\n"))
	path := fmt.Sprintf("testdata/fuzz/FuzzRun/%x", sha256.Sum256(data))[:len("testdata/fuzz/FuzzRun/")+16]
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return ", saved as cmd/" + path
}
