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

// filter is the state of one run of condense filter.
type filter struct {
	a       *app
	o       *filterOptions
	counter *token.Counter
	end     byte // ends each record

	sum     survey.Summary
	records int   // number of records that are not empty
	failed  int   // number of records that could not be condensed
	first   error // the first error of a record
}

// record is one conversation of the stream.
type record struct {
	number int    // from 1
	in     []byte // without the byte that ends it
	ended  bool   // false for a last record that ends without that byte
	out    []byte
	sum    survey.Summary // sizes of this record
	err    error          // set if it could not be condensed
	done   chan struct{}  // closed when out, sum and err are set
}

// stream condenses all records. One goroutine reads them, each record is condensed in a
// goroutine of its own (as many as there are workers), and the calling goroutine writes the
// outputs in order.
func (f *filter) stream(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan *record, f.o.workers-1) // in order; with the record being written, one for each worker
	var unread error
	go func() {
		defer close(queue)
		unread = f.read(ctx, queue)
	}()
	out := bufio.NewWriterSize(f.a.out, 64<<10)
	for {
		r, err := next(ctx, out, queue)
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

// next returns the next record after it is done, nil at the end of the stream. It flushes out
// before it waits.
func next(ctx context.Context, out *bufio.Writer, queue <-chan *record) (r *record, err error) {
	var more bool
	select {
	case r, more = <-queue:
	default:
		if err := out.Flush(); err != nil {
			return nil, &outputError{err}
		}
		select {
		case r, more = <-queue:
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

// read splits the input into records of any length, sends them to queue, and starts a
// goroutine that condenses each. It returns nil only at the end of the input.
func (f *filter) read(ctx context.Context, queue chan<- *record) error {
	in := bufio.NewReaderSize(f.a.in, 256<<10)
	for number := 1; ; number++ {
		data, err := in.ReadBytes(f.end)
		if err != nil && err != io.EOF {
			return &streamError{err}
		}
		if number == 1 {
			// If a compressed stream were read, its lines could not be processed in parts.
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
		case queue <- r:
		case <-ctx.Done():
			return ctx.Err() // r is lost, so nil would be wrong even at the end of the input
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

// condense sets the output of one record, or its error. An empty record is copied.
func (f *filter) condense(ctx context.Context, r *record) {
	if r.out = r.in; len(bytes.TrimSpace(r.in)) == 0 {
		return
	}
	c, err := condenseSource(ctx, r.in, f.o.run, f.counter, noEvents())
	if err == nil && bytes.IndexByte(c.Out, f.end) >= 0 {
		err = &refusedError{errors.New("the output holds the byte that ends a conversation of the stream")}
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

// put writes the output of a record. If the record failed, it does what --on-error says.
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

// streamError reports that reading standard input failed.
type streamError struct{ err error }

func (e *streamError) Error() string { return "standard input: " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }
func (e *streamError) ExitCode() int { return exitInput }
