package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/transcript/parquet"
)

// filterOptions holds the flags of condense filter.
type filterOptions struct {
	run      *runOptions // how each conversation is condensed; output and force of it say where the stream goes
	compress string      // --compress; "" for the default
	null     bool        // records end with NUL instead of a line feed
	onError  string
	workers  int
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
		Use:   "filter [FILE|-]",
		Short: "Condense a stream with one conversation in each line",
		Long: `Read conversations from a FILE or standard input, one JSON document on each line or, with
-0, any saved conversations, each ended by NUL. Write them to standard output or, with -o, to
a file in the same order, each condensed to its own --target.

Memory holds one conversation for each worker, and up to 1 MB of others that wait for a slow
one, however long the stream is; --max-memory limits it. The output for a line depends only on
that line and the flags: a stream that is cut into parts between lines has the same output as
the whole. A line is written as soon as it and those before it are done; an empty line is
copied.

Of a Parquet file, memory holds one row group and the changed columns of it. The output is a
Parquet file with the same columns and row groups; a row group that would become larger is
copied. Rows that --on-error skip or --drop-rows leaves out are gone from all columns.

A stream that is compressed with gzip or zstd is unpacked as it is read, and the output is
compressed in the same way. The suffix .gz or .zst of -o, or --compress, says otherwise. A
compressed output is written in blocks.

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
  condense filter -0 --target 20k < session.jsonl > smaller.jsonl
  condense filter --target 50% rows.jsonl -o smaller.jsonl.zst`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := strings.Join(args, "")
			if (path == "" || path == "-") && isTerminal(a.in) {
				return usage("filter reads conversations from standard input, which is a terminal")
			}
			return runFilter(cmd.Context(), a, o, path)
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *filterOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.BoolVarP(&o.null, "null", "0", false, "conversations end with NUL, in the input and the output, and may have several lines")
	fs.Var(oneOf(&o.onError, []string{errorPass, errorSkip, errorFail, errorEnvelope}), "on-error", "what to do with a line that cannot be condensed")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "conversations to condense at the same time")
	config.WholeCommand(fs, "jobs") // as in batch
	fs.StringVarP(&o.run.output, "output", "o", "", "write to this file instead of standard output; compressed if the name ends in .gz or .zst")
	fs.BoolVarP(&o.run.force, "force", "f", false, "overwrite an existing file")
	fs.Var(oneOf(&o.compress, []string{"gzip", "zstd", uncompressed}), "compress", "compression of the output (default: that of the name of -o or of the input)")
	fs.BoolVarP(&o.run.quiet, "quiet", "q", false, "print no counts, only errors")
	o.run.addCondensingFlags(cmd, fs)
}

// uncompressed is the value of --compress for plain output.
const uncompressed = "none"

// compressions holds the names of files that are compressed in each way of --compress.
var compressions = map[string]string{"gzip": "x.gz", "zstd": "x.zst"}

// runFilter condenses the stream in the file at path; "" and "-" stand for standard input.
func runFilter(ctx context.Context, a *app, o *filterOptions, path string) error {
	if err := o.run.check(""); err != nil {
		return err
	}
	switch {
	case o.workers < 1:
		return usage("--jobs is a number of conversations from 1, not %d", o.workers)
	case len(o.run.external.before)+len(o.run.external.after) > 0:
		return usage("--before and --after take files, and filter has none")
	}
	a.memory = batch.NewMemory(o.run.maxMemory)
	defer a.memory.CollectLater(o.workers)()
	o.run.strict = true // if one conversation of a record fails, the record fails
	count, err := o.run.ready(ctx, a)
	if err != nil {
		return err
	}
	o.run.external.limit(a, o.run.quiet)
	f := &filter{a: a, o: o, count: count, end: '\n', largest: a.memory.Largest()}
	if o.null {
		f.end = 0
	}
	err = f.through(ctx, path)
	if f.began && !o.run.quiet {
		f.printCounts()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return &interruptedError{fmt.Sprintf("interrupted after %d conversations", f.records), "the output ends after a whole conversation"}
	}
	return err
}

// filter is the state of one run of condense filter.
type filter struct {
	a     *app
	o     *filterOptions
	count *counting
	end   byte // ends each record

	in      io.Reader
	name    string        // of the input, in messages
	table   *parquet.File // the input, if it is one
	copied  int           // changed rows of the table that could not be written
	largest int64         // most bytes of a record, 0 for no limit
	began   bool          // the stream was opened

	ahead   *batch.Room // for the records that were read and not yet written
	sum     survey.Summary
	records int   // number of records that are not empty
	failed  int   // number of records that could not be condensed
	first   error // the first error of a record
}

// Limits of the records that were read and not yet written. The output has the order of the input, so
// records wait behind a slow one. Without room for them, the other workers would wait, too.
const (
	recordsAhead = 64      // for each worker
	bytesAhead   = 1 << 20 // of all records, beyond one for each worker
)

// weight returns the part of bytesAhead that a record takes. There is room for one record of each worker,
// however long they are.
func (f *filter) weight(r *record) int64 {
	return min(int64(len(r.in)), bytesAhead/int64(f.o.workers))
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
	leave  func()         // makes room for another record
}

// through opens the input and the output, and condenses the stream.
func (f *filter) through(ctx context.Context, path string) error {
	in, stream, err := source.OpenStream(path, f.a.in)
	if err != nil {
		return err
	}
	defer stream.Close()
	f.name = in.Name
	create := source.CreateOptions{From: in, Force: f.o.run.force}
	if f.o.run.toFile() {
		if err := source.Creatable(f.o.run.output, create); err != nil {
			return err
		}
	}
	table, err := in.Parquet()
	if table != nil || err != nil {
		return f.throughTable(ctx, table, create, err)
	}
	if f.in, err = in.Unpack(bufio.NewReaderSize(stream, 64<<10)); err != nil {
		return err
	}
	if in.Encoding != nil && f.largest == 0 {
		f.largest = source.DefaultLimit // a small file can unpack to any size
	}
	as := in.EncodingFor(f.o.run.output)
	if f.o.compress != "" {
		as = nil
		if f.o.compress != uncompressed {
			as = in.EncodingFor(compressions[f.o.compress])
		}
	}
	if f.o.run.toFile() {
		return source.Create(ctx, f.o.run.output, create, func(w io.Writer) error { return f.packed(ctx, w, as) })
	}
	if as != nil && isTerminal(f.a.out) {
		return &usageError{errors.New("the output is compressed, and standard output is a terminal"), "write it to a file with -o FILE, or to a pipe"}
	}
	return f.packed(ctx, f.a.out, as)
}

// throughTable condenses the rows of a Parquet file, unless there is an error already.
func (f *filter) throughTable(ctx context.Context, table *parquet.File, create source.CreateOptions, err error) error {
	switch {
	case err != nil:
		return err
	case f.end == 0 || f.o.compress != "":
		return usage("the output is a Parquet file like the input: --null and --compress are for streams of text")
	case f.o.onError == errorEnvelope:
		return usage("an envelope has no place in the columns of a Parquet file: --on-error takes pass, skip or fail")
	case !f.o.run.toFile() && isTerminal(f.a.out):
		return &usageError{errors.New("the output is a Parquet file, and standard output is a terminal"), "write it to a file with -o FILE, or to a pipe"}
	}
	f.table = table
	// The columns of a row group are large and have few pointers, so that it costs little to collect often.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	write := func(w io.Writer) error {
		rows, err := parquet.NewStream(table, w)
		if err != nil {
			return err
		}
		f.in = rows
		err = f.stream(ctx, rows)
		f.copied = rows.Copied()
		if closed := rows.Close(); err == nil && closed != nil {
			err = &outputError{closed}
		}
		return err
	}
	if f.o.run.toFile() {
		return source.Create(ctx, f.o.run.output, create, write)
	}
	return write(f.a.out)
}

// packed condenses the stream, and writes it to w, compressed with as. After an error, too, what was
// written can be unpacked.
func (f *filter) packed(ctx context.Context, w io.Writer, as *source.Encoding) error {
	if as == nil {
		return f.stream(ctx, w)
	}
	packed, err := as.Writer(w)
	if err != nil {
		return err
	}
	err = f.stream(ctx, packed)
	if closed := packed.Close(); closed != nil && err == nil {
		err = &outputError{closed}
	}
	return err
}

// stream condenses all records. One goroutine reads them, each worker condenses one record after
// the other, and the calling goroutine writes the outputs to w in order. All of them run on no more cores
// than there are workers.
func (f *filter) stream(ctx context.Context, w io.Writer) error {
	f.began = true
	// To wake another core for each record costs a tenth of the work on it.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(f.o.workers, runtime.GOMAXPROCS(0))))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan *record, recordsAhead*f.o.workers) // in order
	f.ahead = batch.NewRoom(bytesAhead)
	todo := make(chan []*record)
	for range f.o.workers { // a new goroutine for each record would grow its stack again
		go func() {
			for records := range todo {
				for _, r := range records {
					f.condense(ctx, r)
					close(r.done)
				}
			}
		}()
	}
	var unread error
	go func() {
		defer close(queue)
		defer close(todo)
		unread = f.read(ctx, queue, todo)
	}()
	out := bufio.NewWriterSize(w, 64<<10)
	for {
		r, err := next(ctx, out, queue)
		if err != nil {
			return err
		}
		if r == nil {
			break
		}
		err = f.put(out, r)
		r.leave()
		if err != nil {
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

// read splits the input into records of any length, and sends each to queue and then, with those that are
// read next, to todo. It returns nil only at the end of the input.
func (f *filter) read(ctx context.Context, queue chan<- *record, todo chan<- []*record) error {
	in := bufio.NewReaderSize(f.in, 256<<10)
	var next []*record // not yet in todo
	size := 0          // in bytes
	defer func() {
		if len(next) > 0 {
			todo <- next // the caller waits for each record in queue
		}
	}()
	for number := 1; ; number++ {
		data, err := f.readRecord(in)
		var unreadable *source.Error
		switch {
		case errors.As(err, &unreadable):
			return err
		case err != nil && err != io.EOF:
			return &streamError{f.name, err}
		}
		ended := err == nil
		if !ended && len(data) == 0 {
			return nil
		}
		r := &record{number: number, in: bytes.TrimSuffix(data, []byte{f.end}), ended: ended, done: make(chan struct{})}
		if !ended {
			r.in = data
		}
		r.leave = f.ahead.Take(ctx, f.weight(r))
		select {
		case queue <- r:
		case <-ctx.Done():
			return ctx.Err() // r is lost, so nil would be wrong even at the end of the input
		}
		next, size = append(next, r), size+len(r.in)
		if len(next) < f.together(number) && size < bytesTogether && ended && f.waits(in) {
			continue
		}
		todo <- next
		next, size = nil, 0
		if !ended {
			return nil
		}
	}
}

// Limits of the records that a worker takes at a time. To hand over each short record alone costs a tenth of
// the work on it.
const (
	mostTogether  = 16
	slowStart     = 16       // records of each worker for each one more that it may take
	bytesTogether = 64 << 10 // far less than bytesAhead, which records that are not handed over take a part of
)

// together returns how many records a worker may take at a time, when a number of them is read: one of
// the first, so that all workers have some, and one where a model is asked or other programs run, which takes
// long.
func (f *filter) together(number int) int {
	if f.o.run.use || f.o.run.external.use() {
		return 1
	}
	return min(mostTogether, 1+number/(slowStart*f.o.workers))
}

// waits reports whether a whole record is in the buffer, so that to read it takes no time.
func (f *filter) waits(in *bufio.Reader) bool {
	buffered, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(buffered, f.end) >= 0
}

// readRecord reads up to the byte that ends a record. A record that is too large whatever it holds is
// an error, with --max-memory or in a compressed stream.
func (f *filter) readRecord(in *bufio.Reader) ([]byte, error) {
	if f.largest == 0 {
		return in.ReadBytes(f.end)
	}
	var pieces [][]byte // joined at the end: a slice that grows would leave its earlier arrays as garbage
	size := 0
	for {
		piece, err := in.ReadSlice(f.end)
		pieces = append(pieces, bytes.Clone(piece))
		if size += len(piece); int64(size) > f.largest {
			why := "which is too much for --max-memory"
			if f.a.memory.Largest() == 0 {
				why = "the limit in a compressed stream"
			}
			return nil, fmt.Errorf("a conversation is larger than %d bytes, %s", f.largest, why)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if len(pieces) == 1 {
			return pieces[0], err
		}
		return bytes.Join(pieces, nil), err
	}
}

// streamError reports that reading the stream failed.
type streamError struct {
	name string
	err  error
}

func (e *streamError) Error() string { return e.name + ": " + e.err.Error() }

func (e *streamError) Unwrap() error { return e.err }

func (e *streamError) ExitCode() int { return exitInput }
