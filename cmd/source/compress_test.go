package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"condense/transcript/parquet"
)

// gzipped compresses content like the gzip tool, with a name and a time in the header.
func gzipped(t *testing.T, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	must(t, err)
	w.Name, w.Comment = "session.jsonl", "kept"
	_, err = io.WriteString(w, content)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func zstandard(t *testing.T, content string) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	must(t, err)
	return e.EncodeAll([]byte(content), nil)
}

func stream(t *testing.T, raw []byte, limit int64) (*Input, error) {
	t.Helper()
	return ReadStream(t.Context(), "-", bytes.NewReader(raw), limit)
}

var packers = map[string]func(*testing.T, string) []byte{"gzip": gzipped, "zstd": zstandard}

func TestCompressedRoundTrip(t *testing.T) {
	content := strings.Repeat(`{"role":"user","content":"héllo"}`+"\n", 300)
	for name, pack := range packers {
		t.Run(name, func(t *testing.T) {
			raw := pack(t, content)
			in, err := stream(t, raw, 0)
			must(t, err)
			if string(in.Data) != content || !bytes.Equal(in.Raw, raw) || in.Encoding == nil || in.Encoding.Name != name {
				t.Fatalf("got %d bytes from %d, encoding %v", len(in.Data), len(in.Raw), in.Encoding)
			}
			same, err := in.pack(slices.Clone(in.Data), in.Encoding)
			must(t, err)
			if !bytes.Equal(same, raw) {
				t.Error("unchanged content is packed in other bytes")
			}
			for _, other := range []string{content[:3000], "", "x"} {
				packed, err := in.pack([]byte(other), in.Encoding)
				must(t, err)
				twice, err := in.pack([]byte(other), in.Encoding)
				must(t, err)
				if !bytes.Equal(packed, twice) {
					t.Error("packing twice has two results")
				}
				again, err := stream(t, packed, 0)
				must(t, err)
				if string(again.Data) != other || again.Encoding != in.Encoding {
					t.Errorf("unpacked to %.40q, want %.40q", again.Data, other)
				}
			}
		})
	}
}

// TestGzipHeader checks that the header has no name, time or operating system.
func TestGzipHeader(t *testing.T) {
	in, err := stream(t, gzipped(t, "old"), 0)
	must(t, err)
	packed, err := in.pack([]byte("new"), in.Encoding)
	must(t, err)
	if want := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"; !bytes.HasPrefix(packed, []byte(want)) {
		t.Errorf("the header is %q, want %q", packed[:10], want)
	}
}

func TestPlainIsNotPacked(t *testing.T) {
	in, err := stream(t, []byte("[]"), 0)
	must(t, err)
	if in.Encoding != nil || string(in.Data) != "[]" || string(in.Raw) != "[]" {
		t.Errorf("got %+v", in)
	}
	packed, err := in.pack([]byte("[1]"), in.Encoding)
	must(t, err)
	if string(packed) != "[1]" {
		t.Errorf("got %q", packed)
	}
}

func TestEncodingFor(t *testing.T) {
	for _, c := range []struct{ source, output, want string }{
		{"", "a.jsonl.gz", "gzip"},
		{"", "a.jsonl.zst", "zstd"},
		{"", "A.JSONL.GZ", "gzip"},
		{"", "a.jsonl", ""},
		{"", "gz", ""},
		{"", "", ""},
		{"gzip", "a.jsonl.zst", "zstd"},
		{"zstd", "a.jsonl.gz", "gzip"},
		{"gzip", "a.jsonl", "gzip"},
		{"zstd", "", "zstd"},
	} {
		raw := []byte("[]")
		if c.source != "" {
			raw = packers[c.source](t, "[]")
		}
		in, err := stream(t, raw, 0)
		must(t, err)
		got := ""
		if e := in.EncodingFor(c.output); e != nil {
			got = e.Name
		}
		if got != c.want {
			t.Errorf("%q from %q: got %q, want %q", c.output, c.source, got, c.want)
		}
	}
}

// TestConcatenated checks that all members or frames are read, as in logs that grow by one at a time.
func TestConcatenated(t *testing.T) {
	for name, pack := range packers {
		raw := append(pack(t, "one\n"), pack(t, "two\n")...)
		if name == "zstd" { // skippable frames may be before, between and after others
			skipped := []byte("\x5f\x2a\x4d\x18\x02\x00\x00\x00xy")
			raw = slices.Concat(skipped, pack(t, "one\n"), skipped, pack(t, "two\n"), skipped)
		}
		in, err := stream(t, raw, 0)
		must(t, err)
		if string(in.Data) != "one\ntwo\n" {
			t.Errorf("%s: got %q", name, in.Data)
		}
	}
}

// TestSkippableFrames checks that a source that begins with any of the frames that zstd skips is
// recognised.
func TestSkippableFrames(t *testing.T) {
	for first := byte(0x4f); first <= 0x60; first++ {
		raw := append([]byte{first, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x'}, zstandard(t, "text")...)
		in, err := stream(t, raw, 0)
		must(t, err)
		if packed := first >= 0x50 && first <= 0x5f; packed != (in.Encoding != nil) || packed != (string(in.Data) == "text") {
			t.Errorf("a source that begins with the byte %#x is unpacked to %q", first, in.Data)
		}
	}
}

// readPacked unpacks a stream.
func readPacked(raw string) (*Input, string, error) {
	in := incoming("in", strings.NewReader(raw))
	r, err := in.Unpack(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		return in, "", err
	}
	text, err := io.ReadAll(r)
	return in, string(text), err
}

// TestUnpack checks that a stream is unpacked as it is read, and that archives and damage are errors.
func TestUnpack(t *testing.T) {
	unpack := readPacked
	for _, plain := range []string{"", "{}\n", "P", "\x1f", "BZ", "text"} {
		if in, got, err := unpack(plain); err != nil || got != plain || in.Encoding != nil {
			t.Errorf("%q: %q (%v)", plain, got, err)
		}
	}
	for _, e := range encodings {
		var out bytes.Buffer
		w, err := new(Input).EncodingFor("x" + e.suffix).Writer(&out)
		must(t, err)
		text := strings.Repeat("a line\n", 1<<15)
		_, err = io.WriteString(w, text)
		must(t, err)
		must(t, w.Close())
		in, got, err := unpack(out.String() + out.String())
		if err != nil || got != text+text || in.Encoding != e {
			t.Errorf("%s: %d bytes (%v)", e.Name, len(got), err)
		}
		_, got, err = unpack(out.String()[:out.Len()-4])
		if refused(t, err, "in", exitInput); got == "" || !strings.HasPrefix(text, got) || !strings.Contains(err.Error(), "ends too early") {
			t.Errorf("%s, cut off: %d bytes (%v)", e.Name, len(got), err)
		}
		lost := errors.New("lost")
		in = incoming("in", nil)
		r, err := in.Unpack(bufio.NewReader(io.MultiReader(strings.NewReader(out.String()[:out.Len()-4]), iotest.ErrReader(lost))))
		must(t, err)
		if _, err := io.Copy(io.Discard, r); !errors.Is(err, lost) {
			t.Errorf("%s: %v, want the error of the stream", e.Name, err)
		}
	}
	r, w := io.Pipe()
	go io.WriteString(w, "{")
	if _, err := incoming("in", r).Unpack(bufio.NewReader(r)); err != nil { // it must not wait for more
		t.Error(err)
	}
	for start, want := range map[string]string{
		"PK\x03\x04": "ZIP archive", "PK\x05\x06": "empty ZIP", "BZh9": "bzip2", "7z\xbc\xaf\x27\x1c": "7z", "\xfd7zXZ\x00": "xz", "\x04\x22\x4d\x18": "lz4",
	} {
		_, _, err := unpack(start)
		refused(t, err, "in", exitInput)
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to name %s", start, err, want)
		}
	}
}

// TestReadsOnlyTheStart checks that more of a stream is read only while a compression or an archive can begin so.
func TestReadsOnlyTheStart(t *testing.T) {
	starts := []string{parquet.Magic}
	for _, e := range encodings {
		starts = append(starts, e.starts...)
	}
	for _, a := range archives {
		starts = append(starts, a.start)
	}
	for _, start := range starts {
		if len(start) > longestStart {
			t.Errorf("%q is longer than what is read", start)
		}
		for n := range len(start) + 1 {
			if got := mayBePacked([]byte(start[:n])); got != (n < len(start)) {
				t.Errorf("%q may begin a longer start: %v", start[:n], got)
			}
		}
		if mayBePacked([]byte(start+"x")) || mayBePacked([]byte("x"+start)) {
			t.Errorf("more than %q may begin a start", start)
		}
	}
}

// writeCloser is a compressor whose steps may fail.
type writeCloser struct {
	io.Writer
	close error
}

func (w writeCloser) Close() error { return w.close }

// failingWriter is a writer that fails.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestPackFails checks that an output is refused if a step of its compression fails, or if unpacking
// it has another result.
func TestPackFails(t *testing.T) {
	broken := errors.New("broken")
	writes := func(w io.Writer, _ int) (io.WriteCloser, error) { return writeCloser{w, nil}, nil }
	reads := func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(r), nil }
	in := &Input{Name: "in"}
	packed, err := in.pack([]byte("text"), &Encoding{suffix: ".x", reader: reads, writer: writes})
	if must(t, err); string(packed) != "text" {
		t.Fatalf("packed to %q", packed)
	}
	for name, e := range map[string]*Encoding{
		"no writer": {reader: reads, writer: func(io.Writer, int) (io.WriteCloser, error) { return nil, broken }},
		"write": {reader: reads, writer: func(io.Writer, int) (io.WriteCloser, error) {
			return writeCloser{failingWriter{broken}, nil}, nil
		}},
		"close":     {reader: reads, writer: func(w io.Writer, _ int) (io.WriteCloser, error) { return writeCloser{w, broken}, nil }},
		"no reader": {writer: writes, reader: func(io.Reader) (io.ReadCloser, error) { return nil, broken }},
		"read": {writer: writes, reader: func(r io.Reader) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(r, iotest.ErrReader(broken))), nil
		}},
		"other bytes": {writer: writes, reader: func(io.Reader) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("TEXT")), nil
		}},
		"fewer bytes": {writer: writes, reader: func(io.Reader) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("tex")), nil }},
		"more bytes":  {writer: writes, reader: func(io.Reader) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("text+")), nil }},
	} {
		e.suffix = ".x"
		packed, err := in.pack([]byte("text"), e)
		refused(t, err, "in", exitOutput)
		if packed != nil || strings.HasSuffix(name, "bytes") != strings.Contains(err.Error(), "different result") || errors.Is(err, broken) == strings.HasSuffix(name, "bytes") {
			t.Errorf("%s: packed to %q with the error %v", name, packed, err)
		}
	}
}

// TestTruncatedAnywhere checks that truncated files are refused. With 0 bytes the file is empty, and
// with fewer bytes than the magic number it is not recognised as compressed.
func TestTruncatedAnywhere(t *testing.T) {
	for name, pack := range packers {
		raw := pack(t, `{"role":"user","content":"a b c a b c a b c"}`)
		magic := map[string]int{"gzip": 2, "zstd": 4}[name]
		for n := magic; n < len(raw); n++ {
			_, err := stream(t, raw[:n], 0)
			refused(t, err, "-", exitInput)
			if !strings.Contains(err.Error(), "ends too early") {
				t.Errorf("%s, %d of %d bytes: %v", name, n, len(raw), err)
			}
		}
	}
}

// TestDamagedAnywhere checks that a damaged byte either does not change the content or is an error,
// because both formats have checksums.
func TestDamagedAnywhere(t *testing.T) {
	const content = `{"role":"user","content":"a b c a b c a b c"}`
	for name, pack := range packers {
		raw := pack(t, content)
		for i := range raw {
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				broken := slices.Clone(raw)
				broken[i] ^= flip
				in, err := stream(t, broken, 0)
				switch {
				case err != nil:
					refused(t, err, "-", exitInput)
				case in.Encoding != nil && string(in.Data) != content:
					t.Errorf("%s: with byte %d ^ %#x, unpacked to %q", name, i, flip, in.Data)
				}
			}
		}
		_, err := stream(t, append(slices.Clone(raw), "garbage"...), 0)
		refused(t, err, "-", exitInput)
	}
}

func TestBomb(t *testing.T) {
	zeros := strings.Repeat("\x00", 100<<20)
	for name, pack := range packers {
		raw := pack(t, zeros)
		_, err := stream(t, raw, 0) // by its ratio
		refused(t, err, "-", exitInput)
		if !strings.Contains(err.Error(), "unpacks to more than 33554432 bytes") {
			t.Errorf("%s: %v", name, err)
		}
		_, err = stream(t, raw, 1<<20) // by the limit
		refused(t, err, "-", exitInput)
		if !strings.Contains(err.Error(), "limit of 1048576 bytes") {
			t.Errorf("%s: %v", name, err)
		}
		fits := pack(t, zeros[:1<<20])
		if in, err := stream(t, fits, 1<<20); err != nil || len(in.Data) != 1<<20 {
			t.Errorf("%s: a source that just fits is refused: %v", name, err)
		}
	}
}

// TestBombHoldsNothing checks that a source that unpacks to more than allowed is refused before much
// of it is in memory, even where its first megabyte is honest.
func TestBombHoldsNothing(t *testing.T) {
	honest := make([]byte, 1<<20)
	for i, x := 0, uint32(1); i < len(honest); i++ {
		x = x*1664525 + 1013904223
		honest[i] = byte(x >> 24)
	}
	for name, writer := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip":                     func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestSpeed) },
		"zstd":                     func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"zstd, the largest window": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithWindowSize(maxWindow)) },
	} {
		var raw bytes.Buffer
		w, err := writer(&raw)
		must(t, err)
		_, err = w.Write(honest)
		must(t, err)
		zeros := make([]byte, 1<<20)
		for range 400 {
			_, err = w.Write(zeros)
			must(t, err)
		}
		must(t, w.Close())
		packed := raw.Bytes()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = stream(t, packed, 0)
		runtime.ReadMemStats(&after)
		refused(t, err, "-", exitInput)
		if !strings.Contains(err.Error(), "which no transcript does") {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d bytes were allocated for a bomb of %d", name, took, len(packed))
		}
	}
}

// TestZstdWindow checks that a frame with a huge window is refused.
func TestZstdWindow(t *testing.T) {
	_, err := stream(t, []byte("\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00"), 0)
	refused(t, err, "-", exitInput)
	if !strings.Contains(err.Error(), "its zstd window is larger than 32 MiB") {
		t.Error(err)
	}
}

func TestUnpackCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := &Input{Name: "-", Raw: gzipped(t, "text")}
	if err := in.unpack(ctx, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
}

func TestArchivesRefused(t *testing.T) {
	for _, a := range archives {
		_, err := stream(t, []byte(a.start+"whatever follows"), 0)
		refused(t, err, "-", exitInput)
	}
}

// TestReplaceCompressed checks that Replace compares the file on disk with its compressed bytes.
func TestReplaceCompressed(t *testing.T) {
	for name, pack := range packers {
		path := filepath.Join(scratch(t), name)
		raw := pack(t, strings.Repeat("old ", 100))
		must(t, os.WriteFile(path, raw, 0o644))
		in := open(t, path)
		packed, err := in.pack([]byte("new"), in.Encoding)
		must(t, err)
		backup, err := in.Replace(t.Context(), text(string(packed)), ReplaceOptions{Backup: ".bak"})
		must(t, err)
		wantContent(t, backup, string(raw))
		if again := open(t, path); string(again.Data) != "new" {
			t.Errorf("%s: got %q", name, again.Data)
		}
	}
}
