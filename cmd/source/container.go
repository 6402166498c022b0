package source

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"condense/transcript/eval"
	"condense/transcript/parquet"
)

// containers lists the files that hold conversations in a binary form. Their content is read as JSON, and
// changed JSON is written back into them; all that did not change keeps its bytes.
var containers = []*Encoding{
	{
		Name:  "Parquet",
		holds: func(raw []byte) bool { return bytes.HasPrefix(raw, []byte(parquet.Magic)) },
		unwrap: func(w io.Writer, raw []byte) error {
			rows, err := parquet.Unpack(raw)
			if err == nil {
				_, err = io.Copy(w, rows)
			}
			return err
		},
		rewrap: parquet.Pack,
	},
	{Name: "an archive of Inspect", holds: eval.Holds, unwrap: eval.Unpack, rewrap: eval.Pack},
}

// containerOf returns the container that data is, or nil.
func containerOf(raw []byte) *Encoding {
	for _, e := range containers {
		if e.holds(raw) {
			return e
		}
	}
	return nil
}

// Container reports whether e is not a compression, but a file that holds conversations.
func (e *Encoding) Container() bool { return e != nil && e.rewrap != nil }

// Parquet returns the Parquet file that is read incrementally, or nil if it is no regular file or holds
// something else. Its rows can be read without holding the file in memory.
func (in *Input) Parquet() (*parquet.File, error) {
	start := make([]byte, len(parquet.Magic))
	if _, err := in.file.ReadAt(start, 0); err != nil || string(start) != parquet.Magic {
		return nil, nil // no file, too short, or something else
	}
	f, err := parquet.Open(in.file, in.Info.Size())
	if err != nil {
		return nil, in.unreadable("Parquet", err)
	}
	return f, nil
}

// unreadable returns the error for a container that cannot be read.
func (in *Input) unreadable(name string, err error) error {
	return inputError(in.Name, "cannot be read as "+name+": "+err.Error(), "if another program reads it, convert it to JSON Lines there", nil)
}

// asJSON reports whether the name of an output asks for the JSON of a container.
func asJSON(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".json" || ext == ".jsonl"
}

var errTooLarge = errors.New("too large")

// limited is a buffer that takes at most limit bytes.
type limited struct {
	buf   bytes.Buffer
	limit int64
}

func (b *limited) Write(p []byte) (int, error) {
	if int64(b.buf.Len()+len(p)) > b.limit {
		return 0, errTooLarge
	}
	return b.buf.Write(p)
}

// open sets Data to the content of a container.
func (in *Input) open(allowed, limit int64) error {
	content := &limited{limit: allowed}
	err := in.Encoding.unwrap(content, in.Raw)
	switch {
	case errors.Is(err, errTooLarge):
		return unpacksTo(in, allowed, limit)
	case err != nil:
		return in.unreadable(in.Encoding.Name, err)
	}
	in.Data = content.buf.Bytes()
	return nil
}

// PackRows compresses data with as, and verifies the result by unpacking it. The data lacks the rows of the
// source at the indexes without, in ascending order; nil stands for none. For unchanged content and the
// compression of the source, it returns the bytes of the source; if as is nil, it returns data. The error is
// an [*Error] with exit code 5.
func (in *Input) PackRows(data []byte, as *Encoding, without []int) ([]byte, error) {
	if len(without) == 0 || !as.Container() {
		return in.pack(data, as)
	}
	return in.repack(withGaps(data, without))
}

// withGaps returns lines with an empty line in the place of each that is left out.
func withGaps(lines []byte, without []int) (all []byte) {
	n := 0
	for line := range bytes.Lines(lines) {
		for ; len(without) > 0 && without[0] == n; n++ {
			all, without = append(all, '\n'), without[1:]
		}
		all = append(all, line...)
		n++
	}
	for range without {
		all = append(all, '\n')
	}
	return all
}

// repack returns the container with other content.
func (in *Input) repack(data []byte) ([]byte, error) {
	packed, err := in.Encoding.rewrap(in.Raw, data)
	if err != nil {
		return nil, outputError(in.Name, "the output could not be written as "+in.Encoding.Name, "name an output that ends in .jsonl or .json, which holds the JSON", err)
	}
	return packed, nil
}
