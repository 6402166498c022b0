package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/ui"
	"condense/transcript/token"
)

// filterOptions are the flags of condense filter.
type filterOptions struct {
	run     *runOptions // how each conversation is condensed
	null    bool        // records end with NUL, not with a line feed
	onError string
	workers int
}

// What becomes of a record that cannot be condensed.
const (
	errorPass     = "pass"
	errorSkip     = "skip"
	errorFail     = "fail"
	errorEnvelope = "envelope"
)

func newFilter(a *app) *cobra.Command {
	o := &filterOptions{run: newRunOptions(), onError: errorPass, workers: runtime.GOMAXPROCS(0)}
	o.run.command = "filter"
	cmd := &cobra.Command{
		Use:   "filter",
		Short: "Condense a stream with one conversation in each line",
		Long: `Read conversations from standard input, one JSON document in each line or, with -0, any
saved conversations with a NUL behind each, and write them to standard output in the
same order, each condensed by itself to its own --target.

One conversation for each worker is in memory, whatever the length of the stream or of
a line. What comes out of a line depends on that line and the flags alone: a stream cut
in parts between lines gives the same as the whole. A line goes out as soon as it is
done, an empty one as it is.

--on-error says what becomes of a line that cannot be condensed (it is no conversation,
the output was refused):

  pass      it goes out as it came in
  skip      it is left out
  fail      nothing more goes out; the exit code is that of the error
  envelope  {"condense_error": "why", "exit": 3, "input": "the line"} goes out in its
            place; input_base64 instead of input when it is no UTF-8

With all but fail the exit code is 0, and the counts on standard error tell.`,
		Example: `  tr -d '\n' < chat.json | condense filter > smaller.jsonl
  printf '{"messages":[]}\n' | condense filter --target 30% --on-error envelope
  condense filter -0 --target 20k < session.jsonl > smaller.jsonl`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(a.in) {
				return &usageError{errors.New("standard input is a terminal"), "see condense filter --help"}
			}
			return commandUsage("filter", runFilter(cmd.Context(), a, o))
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *filterOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.BoolVarP(&o.null, "null", "0", false, "conversations end with NUL, in the input and in the output, and may have many lines")
	fs.Var(oneOf(&o.onError, []string{errorPass, errorSkip, errorFail, errorEnvelope}), "on-error", "what becomes of a line that cannot be condensed")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "conversations in work at a time")
	fs.BoolVarP(&o.run.quiet, "quiet", "q", false, "no counts, only errors")
	o.run.addCondensingFlags(cmd, fs)
	addCompletions(cmd)
	complete(cmd, "on-error", errorPass, errorSkip, errorFail, errorEnvelope)
}

// filter is a stream under way.
type filter struct {
	a       *app
	o       *filterOptions
	counter *token.Counter
	end     byte // of a record

	sum     ui.Summary
	records int   // that were not empty
	failed  int   // that could not be condensed
	first   error // of these
}

// record is one conversation on its way.
type record struct {
	number int    // from 1
	in     []byte // without its end
	ended  bool   // false for the last, when nothing ends it
	out    []byte
	sum    ui.Summary // of this one
	err    error      // why it could not be condensed
	done   chan struct{}
}

func runFilter(ctx context.Context, a *app, o *filterOptions) error {
	if err := o.run.check(""); err != nil {
		return err
	}
	switch {
	case o.workers < 1:
		return usage("--jobs is a number of conversations from 1, not %d", o.workers)
	case len(o.run.external.before)+len(o.run.external.after) > 0:
		return usage("--before and --after are about files, and filter has none")
	}
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
		f.tell()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return &interruptedError{fmt.Sprintf("interrupted after %d conversations", f.records), "what went out is whole conversations"}
	}
	return err
}

// stream takes the records from one end to the other: one goroutine reads, each record has one
// of its own, no more of them than workers, and this one writes them in order.
func (f *filter) stream(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	line := make(chan *record, f.o.workers-1) // in order; with the one being written: workers
	var unread error
	go func() {
		defer close(line)
		unread = f.read(ctx, line)
	}()
	out := bufio.NewWriterSize(f.a.out, 64<<10)
	for {
		r, err := next(ctx, out, line)
		if err != nil {
			return err
		}
		if r == nil {
			break
		}
		if err := f.put(out, r); err != nil {
			if flushed := out.Flush(); flushed != nil {
				return &outputError{flushed}
			}
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return &outputError{err}
	}
	return unread
}

// next waits for the next record to be done, nil for the end of the stream. Before it waits,
// what is done goes out.
func next(ctx context.Context, out *bufio.Writer, line <-chan *record) (r *record, err error) {
	var more bool
	select {
	case r, more = <-line:
	default:
		if err := out.Flush(); err != nil {
			return nil, &outputError{err}
		}
		select {
		case r, more = <-line:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if !more {
		return nil, nil
	}
	select {
	case <-r.done:
	default:
		if err := out.Flush(); err != nil {
			return nil, &outputError{err}
		}
		<-r.done
	}
	return r, nil
}

// read cuts the input into records and sends each on its way. A line may be of any length.
func (f *filter) read(ctx context.Context, line chan<- *record) error {
	in := bufio.NewReaderSize(f.a.in, 256<<10)
	for number := 1; ; number++ {
		data, err := in.ReadBytes(f.end)
		if err != nil && err != io.EOF {
			return &streamError{err}
		}
		ended := err == nil
		if !ended && len(data) == 0 {
			return nil
		}
		r := &record{number: number, in: bytes.TrimSuffix(data, []byte{f.end}), ended: ended, done: make(chan struct{})}
		if !ended {
			r.in = data
		}
		select {
		case line <- r:
		case <-ctx.Done():
			return nil
		}
		go func() {
			defer close(r.done)
			f.condense(ctx, r)
		}()
		if !ended {
			return nil
		}
	}
}

// condense takes one record through. An empty one stays.
func (f *filter) condense(ctx context.Context, r *record) {
	if r.out = r.in; len(bytes.TrimSpace(r.in)) == 0 {
		return
	}
	c, err := condense(ctx, r.in, f.o.run, f.counter, noEvents())
	if err == nil && bytes.IndexByte(c.out, f.end) >= 0 {
		err = &refusedError{errors.New("it would hold what ends a conversation of the stream")}
	}
	if err == nil {
		err = leastRetained(f.o.run.minRetention, c)
	}
	if err == nil {
		err = f.o.run.external.askValidators(ctx, c, "-", "-")
	}
	if err != nil {
		r.err = err
		return
	}
	r.out = c.out
	r.sum = ui.Summary{Conversations: len(c.results), Bytes: ui.Change{Before: len(r.in), After: len(r.out)}}
	for i, result := range c.results {
		after, _ := result.Measure(c.final[i])
		r.sum.Tokens.Before += result.Before
		r.sum.Tokens.After += after
	}
}

// put writes a record, or what --on-error says in its place.
func (f *filter) put(out *bufio.Writer, r *record) error {
	if errors.Is(r.err, context.Canceled) {
		return r.err
	}
	if len(bytes.TrimSpace(r.in)) > 0 {
		f.records++
	}
	f.sum.Add(&r.sum)
	if r.err != nil {
		named := &namedError{fmt.Sprintf("input %d", r.number), r.err}
		if f.failed++; f.first == nil {
			f.first = named
		}
		switch f.o.onError {
		case errorFail:
			return named
		case errorSkip:
			return nil
		case errorEnvelope:
			r.out = envelope(r)
		}
	}
	_, err := out.Write(r.out)
	if err == nil && r.ended {
		err = out.WriteByte(f.end)
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// envelope is a record with why it could not be condensed.
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

// tell prints what was done.
func (f *filter) tell() {
	done := map[string]string{
		errorPass: "passed on as they were", errorSkip: "left out", errorFail: "the first of which ended it", errorEnvelope: "in envelopes",
	}
	text := ui.ItemLine("filter:", fmt.Sprintf("%d read", f.records), f.sum.Tokens, "")
	if f.failed > 0 {
		text += fmt.Sprintf("; %d not condensed, %s: %s", f.failed, done[f.o.onError], f.first)
	}
	for _, line := range append([]string{text}, f.o.run.llmOptions.spent()...) {
		fmt.Fprintln(f.a.err, ui.EscapeLine(line))
	}
}

// streamError is standard input that cannot be read any more.
type streamError struct{ err error }

func (e *streamError) Error() string { return "standard input: " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }
func (e *streamError) ExitCode() int { return exitInput }
