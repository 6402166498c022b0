package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"condense/cmd/ui/escape"
)

// interruptible are command lines that work on files, in a folder with messageFiles.
var interruptible = []string{
	"run c.json", "run -n c.json", "run -o x.json c.json", "run -w c.json", "run -q --stash s c.json", "run - --json -n", "filter rows.jsonl", "filter -o x rows.jsonl", "filter -0 c.json",
	"check --max-tokens 4k c.json", "check --valid in", "check --expect want c.json", "check --baseline b --update-baseline c.json", "check --min-savings 0 c.json",
	"stats c.json", "stats in", "tokens c.json", "tokens --raw c.json notes.txt", "validate c.json", "validate c.json orphan.json", "explain c.json",
	"compare -q -s dedupe c.json", "compare -q --recall c.json", "repair orphan.json", "repair -w orphan.json", "repair -o x orphan.json",
	"rescue c.json", "rescue -n c.json", "undo c.json", "batch -q -o x in", "batch -q -n in", "batch -q -w in", "run --models models.json c.json",
	"run --llm --llm-model m --prices prices.json c.json",
}

// underContext runs a command line with a context, as [Main] does.
func underContext(ctx context.Context, line, input string, env map[string]string) (out, printed string, code int) {
	var stdout, stderr bytes.Buffer
	words := strings.Fields(line)
	a := &app{args: words, in: strings.NewReader(input), out: &stdout, err: &stderr, now: time.Now, env: func(name string) string { return env[name] }}
	root := newRoot(a)
	root.SetArgs(words)
	code = a.exit(ctx, root.ExecuteContext(ctx))
	return stdout.String(), stderr.String(), code
}

// TestInterrupted checks that every command that is interrupted before it reads a file exits with 130, says so, prints
// no result, and neither makes nor changes a file.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	t.Chdir(t.TempDir())
	writeAll(t, messageFiles)
	for _, line := range interruptible {
		env := map[string]string{"CONDENSE_TOKENIZER": "bytes4", "HOME": t.TempDir(), "CONDENSE_MAX_MEMORY": "2G"}
		out, printed, code := underContext(ctx, line, shortChat, env)
		said := strings.HasSuffix(printed, "condense: interrupted, nothing was written\n") || strings.HasPrefix(line, "batch ") && strings.HasPrefix(printed, "condense: interrupted: 0 of ") ||
			strings.HasPrefix(line, "filter ") && strings.HasSuffix(printed, "condense: interrupted after 0 conversations\n  hint: the output ends after a whole conversation\n")
		if code != exitInterrupted || out != "" || !said {
			t.Errorf("condense %s: exit code %d, %q, %q", line, code, out, printed)
		}
		for _, name := range []string{"x", "x.json", "b", "s.json", "want/c.json", "c.json.bak"} {
			if info, err := os.Stat(name); err == nil && !info.IsDir() {
				t.Errorf("condense %s made %s", line, name)
			}
		}
		for name, text := range messageFiles {
			if data, err := os.ReadFile(name); err != nil || string(data) != text {
				t.Errorf("condense %s changed %s: %v", line, name, err)
			}
		}
	}
}

// TestHowToContinue checks the hint of an interrupted batch: it depends on where the outputs are, and on whether a
// manifest says which are done.
func TestHowToContinue(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	t.Chdir(t.TempDir())
	writeAll(t, messageFiles)
	for line, want := range map[string]string{
		"batch -q -n in":                  "nothing was written",
		"batch -q -o x in":                "run the same command again: outputs that exist in x are computed again, compared and kept; with a --manifest they would be skipped",
		"batch -q -w in":                  "files that were replaced would be condensed again; with a --manifest, --resume skips them",
		"batch -q -o x --manifest m in":   "run the same command again with --resume",
		"batch -q -w --manifest m2 in":    "run the same command again with --resume",
		"batch -q -o x -w in":             "see condense batch --help",
		"batch -q -n --resume in":         "see condense batch --help",
		"batch -q -o x -n --manifest m a": "see condense batch --help",
	} {
		_, printed, _ := underContext(ctx, line, "", map[string]string{"HOME": t.TempDir()})
		if !strings.HasSuffix(printed, "\n  hint: "+want+"\n") {
			t.Errorf("condense %s: %q, want the hint %q", line, printed, want)
		}
	}
}

// TestExitPrints checks how an error is printed: as one line with a hint, escaped and bounded; and that one
// without a text prints none.
func TestExitPrints(t *testing.T) {
	long := strings.Repeat("x", 2*maxError)
	done, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		ctx  context.Context
		err  error
		code int
		want string
	}{
		{t.Context(), nil, exitOK, ""},
		{done, nil, exitOK, ""},
		{t.Context(), errors.New("too odd"), exitUsage, "condense: too odd\n"},
		{t.Context(), errors.New("one\ntwo\x1b[2J"), exitUsage, "condense: " + escape.Line("one\ntwo\x1b[2J") + "\n"},
		{t.Context(), usage("wrong %d", 1), exitUsage, "condense: wrong 1\n  hint: see condense --help\n"},
		{t.Context(), &usageError{errors.New("wrong"), "do\x1bthis"}, exitUsage, "condense: wrong\n  hint: do\\x1bthis\n"},
		{t.Context(), &policyError{}, exitPolicy, ""},
		{t.Context(), &policyError{"missed"}, exitPolicy, "condense: missed\n"},
		{t.Context(), &printedError{7}, 7, ""},
		{t.Context(), &namedError{"a.json", &outputError{errors.New("full")}}, exitOutput, "condense: a.json: standard output: full\n"},
		{t.Context(), &unwritable{"--events", errors.New("full")}, exitOutput, "condense: --events: full\n"},
		{t.Context(), context.Canceled, exitUsage, "condense: context canceled\n"},
		{done, context.Canceled, exitInterrupted, "condense: interrupted, nothing was written\n"},
		{done, &namedError{"a.json", context.Canceled}, exitInterrupted, "condense: interrupted, nothing was written\n"},
		{done, errors.New("too odd"), exitUsage, "condense: too odd\n"},
		{done, &interruptedError{"interrupted: 1 of 2", "again"}, exitInterrupted, "condense: interrupted: 1 of 2\n  hint: again\n"},
		{t.Context(), &refusedError{err: errors.New("broken")}, exitPolicy, "  hint: nothing was written; this is a bug in condense, please report it with the file if you can\n"},
		{t.Context(), &refusedError{errors.New("broken"), "line 7"}, exitPolicy, "  hint: nothing was written; condense validate lists the faults of the file, and condense repair corrects those that it can\n"},
		{t.Context(), errors.New(long), exitUsage, "condense: " + long[:maxError] + "… (2,000 more bytes)\n"},
		{t.Context(), errors.New(long[:maxError]), exitUsage, "condense: " + long[:maxError] + "\n"},
		{t.Context(), &usageError{errors.New("wrong"), long}, exitUsage, "  hint: " + long[:maxError] + "… (2,000 more bytes)\n"},
	} {
		var printed bytes.Buffer
		code := (&app{err: &printed}).exit(tt.ctx, tt.err)
		if code != tt.code || !strings.HasSuffix(printed.String(), tt.want) || tt.want == "" && printed.Len() > 0 {
			t.Errorf("%v: exit code %d, want %d; %q, want %q", tt.err, code, tt.code, printed.String(), tt.want)
		}
	}
}

// TestExitAll checks that all errors are printed, and that the highest of their exit codes counts.
func TestExitAll(t *testing.T) {
	var printed bytes.Buffer
	a := &app{err: &printed}
	if code := a.exitAll(t.Context(), nil); code != exitOK || printed.Len() > 0 {
		t.Errorf("no errors: exit code %d, %q", code, printed.String())
	}
	code := a.exitAll(t.Context(), []error{&policyError{"first"}, &outputError{errors.New("second")}, &printedError{exitInput}})
	if want := "condense: first\ncondense: standard output: second\n"; code != exitOutput || printed.String() != want {
		t.Errorf("exit code %d, %q, want %q", code, printed.String(), want)
	}
}
