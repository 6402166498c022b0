package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Encoding is a compression of sources and outputs.
type Encoding struct {
	Name string // "gzip" or "zstd"

	suffix string   // of file names
	starts []string // possible first bytes
	reader func(io.Reader) (io.ReadCloser, error)
	writer func(w io.Writer, size int) (io.WriteCloser, error)
}

// encodings lists the compressions that are unpacked on reading. A source is recognised by its
// first bytes, not by its name.
var encodings = []*Encoding{
	{"gzip", ".gz", []string{"\x1f\x8b"}, gzipReader, gzipWriter},
	{"zstd", ".zst", append(skippable(), "\x28\xb5\x2f\xfd"), zstdReader, zstdWriter},
}

// archives lists the beginnings of files that are not unpacked: they hold several files, or no
// reader for them is linked in.
var archives = []struct{ start, problem, hint string }{
	{"PK\x03\x04", "is a ZIP archive, not a file", "unpack it first, and name a file that was in it"},
	{"PK\x05\x06", "is an empty ZIP archive", "get it again"},
	{"7z\xbc\xaf\x27\x1c", "is a 7z archive, not a file", "unpack it first, and name a file that was in it"},
	{"\xfd7zXZ\x00", "is compressed with xz, which condense does not unpack", "pipe it in: xz -dc FILE | condense …"},
	{"BZh", "is compressed with bzip2, which condense does not unpack", "pipe it in: bzip2 -dc FILE | condense …"},
	{"\x04\x22\x4d\x18", "is compressed with lz4, which condense does not unpack", "pipe it in: lz4 -dc FILE | condense …"},
}

// Limits of the unpacked size of a source. Transcripts, above all request logs, are repetitive, so
// the ratio applies only to sizes above freeSize.
const (
	freeSize    = 32 << 20
	maxRatio    = 100
	maxWindow   = 32 << 20 // of a zstd frame; zstd writes larger windows only with --long and --ultra
	skipMagic   = "\x2a\x4d\x18"
	skipVariant = 16
)

// skippable returns the first bytes of the frames that zstd skips. The output of parallel
// compressors begins with such a frame.
func skippable() []string {
	starts := make([]string, skipVariant)
	for i := range starts {
		starts[i] = string([]byte{0x50 + byte(i)}) + skipMagic
	}
	return starts
}

// unpacked unpacks in and returns it.
func unpacked(ctx context.Context, in *Input, limit int64) (*Input, error) {
	if err := in.unpack(ctx, limit); err != nil {
		return nil, err
	}
	return in, nil
}

// Plain returns an error if a stream is compressed, for callers that read it incrementally.
// start is the beginning of the stream, and name its name in the error, an [*Error] with exit
// code 3.
func Plain(name string, start []byte) error {
	if e := encodingOf(start); e != nil {
		return inputError(name, "is compressed with "+e.Name+", which condense does not unpack in a stream of records", "pipe it in: "+e.Name+" -dc FILE | condense …", nil)
	}
	return notArchive(name, start)
}

// notArchive returns an error for data that begins like an archive.
func notArchive(name string, start []byte) error {
	for _, a := range archives {
		if bytes.HasPrefix(start, []byte(a.start)) {
			return inputError(name, a.problem, a.hint, nil)
		}
	}
	return nil
}

// unpack sets Data and Encoding from Raw.
func (in *Input) unpack(ctx context.Context, limit int64) error {
	in.Data = in.Raw
	if err := notArchive(in.Name, in.Raw); err != nil {
		return err
	}
	in.Encoding = encodingOf(in.Raw)
	if in.Encoding == nil {
		return nil
	}
	allowed := min(limit, max(freeSize, maxRatio*int64(len(in.Raw))))
	size, err := in.unpackedSize(ctx, allowed)
	if err == nil && size <= allowed {
		in.Data = make([]byte, size)
		err = in.read(ctx, func(r io.Reader) error {
			_, err := io.ReadFull(r, in.Data)
			return err
		})
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return in.corrupt(err)
	case size > allowed:
		return unpacksTo(in, allowed, limit)
	}
	return nil
}

// unpackedSize returns the unpacked size, or any number above allowed if it is more than that. It
// unpacks the source and holds nothing of it, so that a bomb takes no memory: the size in an archive
// is that which its author wrote there.
func (in *Input) unpackedSize(ctx context.Context, allowed int64) (size int64, err error) {
	err = in.read(ctx, func(r io.Reader) error {
		size, err = io.Copy(io.Discard, io.LimitReader(r, allowed+1))
		return err
	})
	return size, err
}

// read calls use with the unpacked content.
func (in *Input) read(ctx context.Context, use func(io.Reader) error) error {
	r, err := in.Encoding.reader(bytes.NewReader(in.Raw))
	if err != nil {
		return err
	}
	defer r.Close()
	return use(&contextReader{ctx, r})
}

// EncodingFor returns the compression of an output with this name: that of the suffix .gz or
// .zst, otherwise that of the source; nil for none.
func (in *Input) EncodingFor(name string) *Encoding {
	suffix := strings.ToLower(filepath.Ext(name))
	for _, e := range encodings {
		if e.suffix == suffix {
			return e
		}
	}
	return in.Encoding
}

// Pack compresses data with as, and verifies the result by unpacking it. If as is nil, Pack
// returns data. For unchanged content and the compression of the source, it returns the bytes of
// the source. Otherwise the result depends only on data and as. The error is an [*Error] with
// exit code 5.
func (in *Input) Pack(data []byte, as *Encoding) ([]byte, error) {
	switch {
	case as == in.Encoding && bytes.Equal(data, in.Data):
		return in.Raw, nil
	case as == nil:
		return data, nil
	}
	packed, err := as.pack(data)
	if err != nil {
		return nil, outputError(in.Name, "the output could not be compressed", "unpack the file first, or name an output without "+as.suffix, err)
	}
	return packed, nil
}

// pack compresses data and verifies the result.
func (e *Encoding) pack(data []byte) ([]byte, error) {
	var buf bytes.Buffer
	w, err := e.writer(&buf, len(data))
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	r, err := e.reader(bytes.NewReader(buf.Bytes()))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	same, err := holds(r, data)
	if err == nil && !same {
		err = errors.New("unpacking it again has a different result")
	}
	return buf.Bytes(), err
}

// encodingOf returns the compression of data, or nil.
func encodingOf(raw []byte) *Encoding {
	for _, e := range encodings {
		for _, start := range e.starts {
			if bytes.HasPrefix(raw, []byte(start)) {
				return e
			}
		}
	}
	return nil
}

// corrupt returns the error for a damaged source. Its words do not depend on the library.
func (in *Input) corrupt(err error) error {
	name := in.Encoding.Name
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return inputError(in.Name, "the "+name+" data ends too early", "the file was cut off while it was written or copied; get it again", nil)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return inputError(in.Name, fmt.Sprintf("its zstd window is larger than %d MiB", maxWindow>>20), "pipe it in: zstd -dc --long=31 FILE | condense …", nil)
	}
	why := strings.TrimPrefix(err.Error(), name+": ")
	return inputError(in.Name, "the "+name+" data is corrupt: "+why, "the file is damaged; get it again", nil)
}

// unpacksTo returns the error for a source that is too large when unpacked, or that expands more
// than any transcript.
func unpacksTo(in *Input, allowed, limit int64) error {
	if allowed == limit {
		return inputError(in.Name, fmt.Sprintf("unpacks to more than the limit of %d bytes", limit), "split it into smaller files", nil)
	}
	return inputError(in.Name,
		fmt.Sprintf("unpacks to more than %d bytes from %d, which no transcript does", allowed, len(in.Raw)),
		"if you trust it, unpack it yourself and name the result", nil)
}

// contextReader is a reader that fails when ctx is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// gzipReader reads all members of a stream, one after the other.
func gzipReader(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

// gzipWriter writes a header without name and time.
func gzipWriter(w io.Writer, _ int) (io.WriteCloser, error) {
	return gzip.NewWriterLevel(w, gzip.DefaultCompression)
}

// zstdReader reads all frames of a stream. It starts no goroutines.
func zstdReader(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// zstdWriter writes one frame with size and checksum. With one goroutine the result is
// always the same.
func zstdWriter(w io.Writer, size int) (io.WriteCloser, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return nil, err
	}
	e.ResetContentSize(w, int64(size))
	return e, nil
}
