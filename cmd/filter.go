package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/ui"
	"condense/cmd/ui/escape"
)

// filterOptions holds the flags of condense filter.
type filterOptions struct {
	run     *runOptions // how each conversation is condensed
	null    bool        // records end with NUL instead of a line feed
	onError string
	workers int
}

// Values of --on-error: what to do with a record that cannot be condensed.
const (
	errorPass     = "pass"
	errorSkip     = "skip"
	errorFail     = "fail"
	errorEnvelope = "envelope"
)

func newFilter(a *app) *cobra.Command {
	o := &filterOptions{run: newRunOptions(), onError: errorPass, workers: runtime.GOMAXPROCS(0)}
	cmd := &cobra.Command{
		Use:   "filter",
		Short: "Condense a stream with one conversation in each line",
		Long: `Read conversations from standard input, one JSON document on each line or, with -0, any
saved conversations, each ended by NUL. Write them to standard output in the same order,
each condensed to its own --target.

Memory holds one conversation for each worker, however long the stream is. The output for a
line depends only on that line and the flags: a stream that is cut into parts between lines
has the same output as the whole. A line is written as soon as it is done; an empty line is
copied. A compressed stream is refused: unpack it first (zstd -dc FILE | condense filter).

--on-error sets what happens to a line that cannot be condensed, because it is not a
conversation or its output was refused:

  pass      it is copied
  skip      it is left out
  fail      nothing more is written; the exit code is that of the error
  envelope  {"condense_error": "why", "exit": 3, "input": "the line"} is written in its
            place; input_base64 instead of input if it is not UTF-8

Except with fail, the exit code is 0. The counts are printed on standard error.`,
		Example: `  tr -d '\n' < chat.json | condense filter > smaller.jsonl
  printf '{"messages":[]}\n' | condense filter --target 30% --on-error envelope
  condense filter -0 --target 20k < session.jsonl > smaller.jsonl`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(a.in) {
				return usage("filter reads conversations from standard input, which is a terminal")
			}
			return runFilter(cmd.Context(), a, o)
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *filterOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.BoolVarP(&o.null, "null", "0", false, "conversations end with NUL, in the input and the output, and may have several lines")
	fs.Var(oneOf(&o.onError, []string{errorPass, errorSkip, errorFail, errorEnvelope}), "on-error", "what to do with a line that cannot be condensed")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "conversations to condense at the same time")
	fs.BoolVarP(&o.run.quiet, "quiet", "q", false, "print no counts, only errors")
	o.run.addCondensingFlags(cmd, fs)
	addCompletions(cmd)
}

// runFilter condenses the stream on standard input.
func runFilter(ctx context.Context, a *app, o *filterOptions) error {
	if err := o.run.check(""); err != nil {
		return err
	}
	switch {
	case o.workers < 1:
		return usage("--jobs is a number of conversations from 1, not %d", o.workers)
	case len(o.run.external.before)+len(o.run.external.after) > 0:
		return usage("--before and --after take files, and filter has none")
	}
	o.run.strict = true // if one conversation of a record fails, the record fails
	counter, err := o.run.ready(ctx, a)
	if err != nil {
		return err
	}
	o.run.external.limit(a, o.run.quiet)
	f := &filter{a: a, o: o, counter: counter, end: '\n'}
	if o.null {
		f.end = 0
	}
	err = f.stream(ctx)
	if !o.run.quiet {
		f.printCounts()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return &interruptedError{fmt.Sprintf("interrupted after %d conversations", f.records), "the output ends after a whole conversation"}
	}
	return err
}

// envelope returns the JSON object for a record that could not be condensed: the error, its
// exit code and the record itself.
func envelope(r *record) []byte {
	e := struct {
		Error string `json:"condense_error"`
		Exit  int    `json:"exit"`
		Text  string `json:"input,omitempty"`
		Bytes []byte `json:"input_base64,omitempty"`
	}{Error: r.err.Error(), Exit: exitCode(context.Background(), r.err)}
	if utf8.Valid(r.in) {
		e.Text = string(r.in)
	} else {
		e.Bytes = r.in
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // strings and a number: it cannot fail
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// printCounts prints the number of records and tokens, and the first error, on standard error.
func (f *filter) printCounts() {
	done := map[string]string{
		errorPass: "passed on as they were", errorSkip: "left out", errorFail: "the first of which ended it", errorEnvelope: "in envelopes",
	}
	text := ui.ItemLine("filter:", fmt.Sprintf("%d read", f.records), f.sum.Tokens, "")
	if f.failed > 0 {
		text += fmt.Sprintf("; %d not condensed, %s: %s", f.failed, done[f.o.onError], f.first)
	}
	for _, line := range append([]string{text}, f.o.run.llmOptions.spent()...) {
		fmt.Fprintln(f.a.err, escape.Line(line))
	}
}
