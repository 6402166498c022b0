package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// DefaultLimit is the largest source that is read when the caller names no other limit: 1 GiB.
const DefaultLimit = 1 << 30

// Input is one source, read whole.
type Input struct {
	Name   string      // as the user wrote it; "-" for the standard input
	Data   []byte      // the content, unpacked if it was compressed; not to be modified
	Raw    []byte      // everything that was read; Data itself unless that was compressed
	Info   fs.FileInfo // of the regular file that was read, from before it was read; nil for a pipe
	Stream bool        // was read as a stream, and cannot be replaced

	Encoding *Encoding // how Raw is compressed, nil if it is not; see Pack
}

// Open reads the file at path. Symbolic links are followed. A FIFO and names such as /dev/stdin
// and /dev/fd/63 are read as [ReadStream] does. A limit of 0 stands for [DefaultLimit].
// What is compressed with gzip or zstd is unpacked; the limit holds for both forms.
//
// A missing or unreadable file, a directory, a device, a socket, a file over the limit and a
// compressed one that is damaged are an [*Error] with exit code 3.
func Open(ctx context.Context, path string, limit int64) (*Input, error) {
	limit = bounded(limit)
	in, err := openFile(ctx, path, limit)
	if err != nil {
		return nil, err
	}
	return unpacked(ctx, in, limit)
}

func openFile(ctx context.Context, path string, limit int64) (*Input, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, inputError(path, "cannot be read", "check the spelling and the current directory", err)
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, inputError(path, "is a directory, not a file", "name a file in it; condense batch, check and stats take folders", nil)
	case isDescriptor(path) || info.Mode()&fs.ModeNamedPipe != 0:
		return await(ctx, func() (*Input, error) { return openAndRead(path, 0, limit) })
	case !info.Mode().IsRegular():
		return nil, inputError(path, "is a device or a socket, not a file", "pipe its content in, or save it to a file first", nil)
	}
	in, err := openAndRead(path, nonblock, limit)
	if err != nil {
		return nil, err
	}
	in.Stream = in.Info == nil // a FIFO has come between
	return in, nil
}

// ReadStream reads r to its end; name is what messages call it, "-" for the standard input. When
// ctx is done first, its error is returned, and the read is left behind to end with the process.
// The limit, compressed sources and errors are those of [Open].
func ReadStream(ctx context.Context, name string, r io.Reader, limit int64) (*Input, error) {
	limit = bounded(limit)
	in, err := await(ctx, func() (*Input, error) { return read(name, r, limit) })
	if err != nil {
		return nil, err
	}
	return unpacked(ctx, in, limit)
}

// bounded is the limit that a caller names, within what can be held.
func bounded(limit int64) int64 { return min(cmp.Or(limit, DefaultLimit), math.MaxInt-bytes.MinRead) }

// await lets read wait for as long as a pipe stays silent, but not longer than ctx.
func await(ctx context.Context, read func() (*Input, error)) (*Input, error) {
	type result struct {
		in  *Input
		err error
	}
	done := make(chan result, 1)
	go func() {
		in, err := read()
		done <- result{in, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		if r.err != nil {
			return nil, r.err
		}
		r.in.Stream = true
		return r.in, nil
	}
}

func openAndRead(path string, flag int, limit int64) (*Input, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|flag, 0)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	return read(path, f, limit)
}

// read reads r to its end. Redirected standard input may be a regular file too: then Info tells
// it, so that Create does not overwrite it.
func read(name string, r io.Reader, limit int64) (*Input, error) {
	in := &Input{Name: name}
	var size int64
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.Info, size = info, info.Size()
		}
	}
	if size > limit {
		return nil, tooLarge(name, limit)
	}
	buf := bytes.NewBuffer(make([]byte, 0, int(size)+bytes.MinRead)) // Grow would write zeros to all of it first
	n, err := buf.ReadFrom(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case n > limit:
		return nil, tooLarge(name, limit)
	}
	in.Raw = buf.Bytes()
	return in, nil
}

func unreadable(name string, err error) error {
	return inputError(name, "cannot be read", "check its permissions, or copy it to another place first", err)
}

func tooLarge(name string, limit int64) error {
	return inputError(name, fmt.Sprintf("is larger than the limit of %d bytes", limit), "split it into smaller files", nil)
}
