package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/transcript/token"
)

// filter is a stream under way.
type filter struct {
	a       *app
	o       *filterOptions
	counter *token.Counter
	end     byte // of a record

	sum     survey.Summary
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
	sum    survey.Summary // of this one
	err    error          // why it could not be condensed
	done   chan struct{}
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

// read cuts the input into records and sends each on its way. A line may be of any length. It
// ends without an error only at the end of the input.
func (f *filter) read(ctx context.Context, line chan<- *record) error {
	in := bufio.NewReaderSize(f.a.in, 256<<10)
	for number := 1; ; number++ {
		data, err := in.ReadBytes(f.end)
		if err != nil && err != io.EOF {
			return &streamError{err}
		}
		if number == 1 {
			// Unpacked and packed again, a stream could no longer be cut between its lines.
			if packed := source.Plain("standard input", data); packed != nil {
				return packed
			}
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
			return ctx.Err() // the record is lost: this is not the end of the stream
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
	c, err := condenseSource(ctx, r.in, f.o.run, f.counter, noEvents())
	if err == nil && bytes.IndexByte(c.Out, f.end) >= 0 {
		err = &refusedError{errors.New("it would hold what ends a conversation of the stream")}
	}
	if err == nil {
		err = leastRetained(&f.o.run.minRetention, c)
	}
	if err == nil {
		err = f.o.run.external.askValidators(ctx, c, "-", "-")
	}
	if err != nil {
		r.err = err
		return
	}
	r.out = c.Out
	r.sum = survey.Summary{Conversations: len(c.Conversations), Bytes: report.Change{Before: len(r.in), After: len(r.out)}}
	for _, conv := range c.Conversations {
		after, _ := conv.Result.Measure(conv.Final)
		r.sum.Tokens.Before += conv.Result.Before
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

// streamError is standard input that cannot be read any more.
type streamError struct{ err error }

func (e *streamError) Error() string { return "standard input: " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }
func (e *streamError) ExitCode() int { return exitInput }
