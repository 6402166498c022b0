package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/strategy/external"
)

// externalOptions holds the flags about other programs.
type externalOptions struct {
	programs   []external.Program // strategies
	choosers   []external.Program // of --strategy-for, and the strategies that it may choose
	validators []external.Program
	before     []external.Program
	after      []external.Program
	timeout    time.Duration
	pass       []string // additional variables for programs
	onFailure  string

	limits external.Options // for all programs; set by limit
}

// use reports whether programs take part in condensing a conversation.
func (o *externalOptions) use() bool { return len(o.programs)+len(o.choosers)+len(o.validators) > 0 }

// Values of --exec-failure: what to do if a program that is a strategy fails.
const (
	failureStops = "stop"
	failureSkips = "skip"
)

func newExternalOptions() externalOptions {
	return externalOptions{timeout: external.DefaultTimeout, onFailure: failureStops}
}

func (o *externalOptions) addFlags(fs *pflag.FlagSet) {
	program := func(to *[]external.Program) pflag.Value {
		return &repeated[external.Program]{to: to, parse: external.Parse, kind: "exec:PROGRAM"}
	}
	fs.Var(program(&o.validators), "validator", "let this program check the output before it is written; see condense help exec (repeatable)")
	fs.Var(program(&o.before), "before", "run this program before anything is read (repeatable)")
	fs.Var(program(&o.after), "after", "run this program after everything is written, with the report as JSON on its standard input (repeatable)")
	fs.DurationVar(&o.timeout, "exec-timeout", o.timeout, "timeout of a program")
	fs.StringArrayVar(&o.pass, "exec-env", nil, "also pass this variable to programs (repeatable)")
	fs.Var(oneOf(&o.onFailure, []string{failureStops, failureSkips}), "exec-failure", "what to do if a strategy that is a program fails")
}

// parsePipeline parses a list of strategies and programs separated by commas. The name of the
// preset stands for its strategies.
func (o *externalOptions) parsePipeline(list string) ([]*strategy.Strategy, error) {
	stages, programs, err := o.readPipeline(list)
	if err == nil {
		o.programs = programs
	}
	return stages, err
}

// readPipeline returns the strategies of a list, and the programs among them.
func (o *externalOptions) readPipeline(list string) (stages []*strategy.Strategy, programs []external.Program, err error) {
	for _, name := range external.Fields(list) {
		if !strings.HasPrefix(strings.TrimSpace(name), external.Prefix) {
			known, err := strategy.Parse(name)
			if err != nil {
				return nil, nil, err
			}
			stages = append(stages, known...)
			continue
		}
		program, err := external.Parse(strings.TrimSpace(name))
		if err != nil {
			return nil, nil, err
		}
		programs = append(programs, program)
		stages = append(stages, external.Strategy(program, &o.limits))
	}
	return stages, programs, nil
}

// check refuses programs that do not exist.
func (o *externalOptions) check() error {
	if o.timeout <= 0 {
		return usage("--exec-timeout takes a time such as 30s, not %s", o.timeout)
	}
	for _, list := range [][]external.Program{o.programs, o.choosers, o.validators, o.before, o.after} {
		for _, p := range list {
			if err := p.Check(); err != nil {
				return usage("%w", err)
			}
		}
	}
	return nil
}

// limit sets the timeout and the environment of all programs, and where their output for
// people is shown.
func (o *externalOptions) limit(a *app, quiet bool) {
	o.limits = external.Options{
		Timeout: o.timeout, Env: external.Environment(a.env, o.pass), Skip: o.onFailure == failureSkips,
	}
	if !quiet {
		o.limits.Show = func(program, text string) { showOutput(a.err, program, text) }
	}
}

// showOutput prints the output of a program, escaped, each line after the program's name.
func showOutput(w io.Writer, program, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "%s: %s\n", escape.Line(program), escape.Line(strings.TrimRight(line, "\r\n")))
	}
}

// programError reports that another program failed or refused the output.
type programError struct {
	what        string // consequence for the run
	err         error
	interrupted bool // the interrupt came after everything was written
}

func (e *programError) Error() string { return e.what + ": " + e.err.Error() }
func (e *programError) Unwrap() error { return e.err }
func (e *programError) ExitCode() int {
	if e.interrupted {
		return exitInterrupted
	}
	return exitPolicy
}

// variables returns the environment variables that describe the run to a hook or validator.
// No flag has such a name, so no flag can be set by them.
func variables(event, file, format, output string) []string {
	return []string{
		"CONDENSE_EXEC_EVENT=" + event, "CONDENSE_EXEC_FILE=" + file,
		"CONDENSE_EXEC_FORMAT=" + format, "CONDENSE_EXEC_OUTPUT=" + output,
	}
}

// runHooks runs programs one after the other until one fails. Its error begins with what, the
// consequence for the run.
func (o *externalOptions) runHooks(ctx context.Context, list []external.Program, in []byte, vars []string, what string) error {
	for _, p := range list {
		err := p.Run(ctx, in, vars, &o.limits)
		var failed *external.Error
		if errors.As(err, &failed) {
			return &programError{what: what, err: err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runAfter runs the programs of --after with the report on standard input.
func (o *externalOptions) runAfter(ctx context.Context, r *report.Report) error {
	if len(o.after) == 0 || r.DryRun {
		return nil
	}
	var text bytes.Buffer
	if err := report.JSON(&text, r); err != nil {
		return err
	}
	const what = "the output is written, but --after failed"
	err := o.runHooks(ctx, o.after, text.Bytes(), variables("after", r.Input, r.Format, r.Output), what)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return &programError{what: what, err: errors.New("interrupted"), interrupted: true}
	}
	return err
}

// newExecHelp returns the help topic about other programs: condense help exec.
func newExecHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "exec",
		Short: "How other programs take part in a run",
		Long:  execHelp,
	}
}

const execHelp = `Other programs take part in condense run if a flag names them as exec:PROGRAM:

  --strategy exec:PROGRAM    proposes edits, alone or in a pipeline: dedupe,exec:./tidy.py
  --strategy-for exec:PROGRAM
                             names the strategies for a conversation; it reads
                             {"id": "…", "format": "codex", "kind": "agent", "model": "…",
                             "tokens": 6200, "messages": 40} and writes what --strategy
                             would take, or nothing to leave it to the next rule
  --validator exec:PROGRAM   gets the output, not compressed, on standard input before it
                             is written; if it does not exit with 0, nothing is written
                             and the exit code is 1
  --before exec:PROGRAM      runs before the input is read; if it fails, nothing is done
  --after exec:PROGRAM       runs after the output is written, even if nothing changed,
                             with the report as JSON on standard input

PROGRAM is a command line of words separated by spaces. '…' and "…" keep spaces and
commas in a word; no other character is special. No shell is started; to start one, write
exec:sh -c 'tidy "$1" | check' sh. A dry run runs strategies and validators, which must
not change anything, but no hooks. An output that did not change is not validated.

A program gets few variables: PATH, HOME, USER, LANG, TMPDIR and the like. Keys and
tokens are not passed on; --exec-env NAME passes one. Validators and hooks also get
CONDENSE_EXEC_EVENT (validate, before, after), CONDENSE_EXEC_FILE (the input),
CONDENSE_EXEC_FORMAT and CONDENSE_EXEC_OUTPUT. After --exec-timeout, or when condense is
interrupted, the program and all programs that it started are killed. The last 8 KiB of
its standard error are shown, escaped; of validators and hooks also its standard output.

A strategy is started once for each conversation. It reads one JSON object:

  {"protocol": 1, "budget": 5000, "need": 1200, "tokens": 6200,
   "conversation": {"id": "…", "model": "…", "messages": [
     {"id": 4, "role": "assistant", "blocks": [
       {"id": 0, "kind": "tool_call", "origin": "model", "pin": "none", "fixed": false,
        "call": "c1", "tool": "Read", "tokens": 9,
        "parts": [{"name": "path", "text": "a.go"}]}]}, …]}}

and writes one:

  {"protocol": 1, "edits": [
     {"message": 5, "block": 0, "op": "rewrite", "text": "[80 lines omitted]", "why": "old"},
     {"message": 9, "op": "drop", "group": 1, "why": "small talk"}]}

or {"protocol": 1, "skip": "why there is nothing to do"}. need is the number of tokens
over the budget. Without --target, the budget is that of condense run. Messages and blocks
are addressed by their id, and part is the position in parts. Without block, an edit is
for the whole message. op is drop or rewrite. Edits with the same group above 0 are made
together or not at all.

  kind    text, thinking, tool_call, tool_result, media, opaque
  origin  user, client, model, tool, condenser: the author of the block
  pin     present: never removed whole; verbatim: never changed

The edits follow the same rules as those of every strategy. Edits that save no tokens,
that change a pinned block, or that keep only a call or only its result are refused, and
the report names them. So is a result that would be invalid. Typed text is pinned. If a
flag unpins it (--unpin user), only whole lines of it, in order, and markers may be left.
In all other texts, condense does not check that a program invents nothing.

A program that fails, answers anything else or takes too long ends the run with exit
code 1, and nothing is written; with --exec-failure skip, the next strategy runs. The
schema of both objects is strategy/external/protocol.schema.json, an example is
scripts/exec-example.`
