package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/strategy/external"
)

// externalOptions are the flags about other programs.
type externalOptions struct {
	programs   []external.Program // that are strategies
	validators []external.Program
	before     []external.Program
	after      []external.Program
	timeout    time.Duration
	pass       []string // variables that programs get too
	onFailure  string

	limits external.Options // what the flags amount to, for all programs
}

// What becomes of a run in which a strategy that is a program fails.
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
	fs.Var(program(&o.validators), "validator", "ask this program about the output before it is written; see condense help exec (repeatable)")
	fs.Var(program(&o.before), "before", "run this program before anything is read (repeatable)")
	fs.Var(program(&o.after), "after", "run this program after everything is written, with the report as JSON on its input (repeatable)")
	fs.DurationVar(&o.timeout, "exec-timeout", o.timeout, "timeout of a program")
	fs.StringArrayVar(&o.pass, "exec-env", nil, "also pass this variable to programs (repeatable)")
	fs.Var(oneOf(&o.onFailure, []string{failureStops, failureSkips}), "exec-failure", "what to do if a strategy that is a program fails")
}

// parsePipeline reads names of strategies, of the preset, and programs, separated
// by commas.
func (o *externalOptions) parsePipeline(list string) ([]*strategy.Strategy, error) {
	var stages []*strategy.Strategy
	o.programs = nil
	for _, name := range external.Fields(list) {
		if !strings.HasPrefix(strings.TrimSpace(name), external.Prefix) {
			known, err := strategy.Parse(name)
			if err != nil {
				return nil, err
			}
			stages = append(stages, known...)
			continue
		}
		program, err := external.Parse(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		o.programs = append(o.programs, program)
		stages = append(stages, external.Strategy(program, &o.limits))
	}
	return stages, nil
}

// check refuses programs that do not exist.
func (o *externalOptions) check() error {
	if o.timeout <= 0 {
		return usage("--exec-timeout takes a time such as 30s, not %s", o.timeout)
	}
	for _, list := range [][]external.Program{o.programs, o.validators, o.before, o.after} {
		for _, p := range list {
			if err := p.Check(); err != nil {
				return usage("%w", err)
			}
		}
	}
	return nil
}

// limit says what holds for the programs of a run.
func (o *externalOptions) limit(a *app, quiet bool) {
	o.limits = external.Options{
		Timeout: o.timeout, Env: external.Environment(a.env, o.pass), Skip: o.onFailure == failureSkips,
	}
	if !quiet {
		o.limits.Show = func(program, text string) { showSaid(a.err, program, text) }
	}
}

// showSaid prints what a program said, escaped, each line with its name.
func showSaid(w io.Writer, program, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "%s: %s\n", escape.Line(program), escape.Line(strings.TrimRight(line, "\r\n")))
	}
}

// programError is another program that refused the output or failed.
type programError struct {
	what        string // what follows from it
	err         error
	interrupted bool // when all was written already
}

func (e *programError) Error() string { return e.what + ": " + e.err.Error() }
func (e *programError) Unwrap() error { return e.err }
func (e *programError) ExitCode() int {
	if e.interrupted {
		return exitInterrupted
	}
	return exitPolicy
}

// variables tell a hook or validator what the run is about. They are not named as
// those that stand for flags.
func variables(event, file, format, output string) []string {
	return []string{
		"CONDENSE_EXEC_EVENT=" + event, "CONDENSE_EXEC_FILE=" + file,
		"CONDENSE_EXEC_FORMAT=" + format, "CONDENSE_EXEC_OUTPUT=" + output,
	}
}

// runHooks runs programs one after the other, up to the first that fails.
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

// askValidators asks programs about an output that is not written yet.
func (o *externalOptions) askValidators(ctx context.Context, c *condensed, file, output string) error {
	if !c.Changed {
		return nil
	}
	vars := variables("validate", file, c.File.Dialect.Name, output)
	return o.runHooks(ctx, o.validators, c.Out, vars, "output refused, nothing was written")
}

// runAfter runs the programs that want to know of what is written.
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

// runBefore runs the programs that come before everything else.
func (o *runOptions) runBefore(ctx context.Context, path string) error {
	if o.dryRun {
		return nil
	}
	return o.external.runHooks(ctx, o.external.before, nil, variables("before", path, o.format, o.output), "nothing was done, --before failed")
}
