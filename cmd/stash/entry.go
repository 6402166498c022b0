package stash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"condense/cmd/source"
)

// Header describes an entry. The names of its members are part of the file format.
type Header struct {
	Output      string `json:"output"` // SHA-256 of the output, 64 hexadecimal digits
	OutputBytes int    `json:"output_bytes"`
	Input       string `json:"input"` // SHA-256 of the input; equal to Output if nothing changed
	InputBytes  int    `json:"input_bytes"`
	After       string `json:"after,omitempty"`  // name of the entry whose output is the input; "" if there was none
	Whole       bool   `json:"whole,omitempty"`  // set if the input is restored without the output
	Backup      string `json:"backup,omitempty"` // suffix of the backups that the run made; "" for none

	Modified string `json:"modified,omitempty"` // when the input was changed last, as RFC 3339 with fractions; "" if it was not a file

	File   string `json:"file"`   // as the user named it; "-" for standard input
	Format string `json:"format"` // dialect of the file
	How    string `json:"how"`    // the run, such as "hybrid, target 50%"

	Removed int `json:"removed_bytes"` // bytes of the input that are not in the output; all of a whole entry
	Edits   int `json:"edits"`         // entries of the list

	// Sizes of the other parts. The parts are compressed in this order: the ops of the input, the
	// removed bytes, the ops of the list, whose base is the removed bytes, and its extra bytes.
	Ops       int `json:"ops"`
	ListOps   int `json:"list_ops"`
	ListExtra int `json:"list_extra"`
	List      int `json:"list"` // bytes of the list itself: the edits, then the texts

	IDs string `json:"ids,omitempty"` // the ids in markers of the output, with the rest of their numbers
}

// magic begins every entry.
const magic = "condense stash 1\n"

// entry is an entry in memory.
type entry struct {
	Header
	toInput delta // the input, with the output as base
	toList  delta // the list, with toInput.extra as base
}

// newEntry returns the entry that restores in from out. If whole is set, the entry does not need out, and
// has no list.
func newEntry(in, out []byte, edits []Edit, texts []Text, whole bool) *entry {
	e := &entry{Header: Header{Output: digest(out), OutputBytes: len(out), Input: digest(in), InputBytes: len(in)}}
	if e.Output == e.Input {
		return e
	}
	if e.Whole = whole; whole { // a list would take time and space
		e.toInput.copy(in, 0, 0)
		e.Removed, e.Ops = len(e.toInput.extra), len(e.toInput.ops)
		return e
	}
	list := append(marshal(edits), marshal(texts)...)
	e.toInput = newDelta(out, in)
	e.toList = newDelta(e.toInput.extra, list)
	e.Removed, e.Edits, e.List = len(e.toInput.extra), len(edits), len(list)
	e.IDs = shownIDs(texts)
	e.Ops, e.ListOps, e.ListExtra = len(e.toInput.ops), len(e.toList.ops), len(e.toList.extra)
	return e
}

// prove returns an error unless the bytes of an entry restore in from out, and its list can be
// read.
func prove(file, in, out []byte) error {
	e, err := parse(file)
	if err != nil {
		return err
	}
	again, err := e.input(out)
	if err == nil && !bytes.Equal(again, in) {
		err = errDelta
	}
	if err == nil {
		_, err = e.edits()
	}
	if err == nil {
		_, err = e.texts()
	}
	return err
}

// input restores the input from the output.
func (e *entry) input(out []byte) ([]byte, error) {
	if e.Output == e.Input {
		return out, nil
	}
	if e.Whole {
		out = nil
	}
	in, err := e.toInput.apply(out, e.InputBytes)
	if err == nil && digest(in) != e.Input {
		err = errDelta
	}
	return in, err
}

// edits returns the list.
func (e *entry) edits() ([]Edit, error) {
	list, err := e.toList.apply(e.toInput.extra, e.List)
	if err != nil {
		return nil, err
	}
	return unmarshal(list, e.Edits)
}

// bytes returns the entry as a file.
func (e *entry) bytes() ([]byte, error) {
	header, err := json.Marshal(e.Header)
	if err != nil {
		return nil, err
	}
	file := append(append([]byte(magic), header...), '\n')
	if e.Whole {
		return e.appendWhole(file)
	}
	parts := bytes.Join([][]byte{e.toInput.ops, e.toInput.extra, e.toList.ops, e.toList.extra}, nil)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(windowOf(len(parts))))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(parts, file), nil
}

// appendWhole appends the compressed parts of a whole entry to its header, and checks them. It makes no
// copy of the input, which may be large.
func (e *entry) appendWhole(header []byte) ([]byte, error) {
	b := bytes.NewBuffer(header)
	w, err := zstd.NewWriter(b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(windowOf(len(e.toInput.extra))), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	parts := [][]byte{e.toInput.ops, e.toInput.extra}
	for _, part := range parts {
		_, _ = w.Write(part) // what is not written is found below
	}
	_ = w.Close()
	r, err := zstd.NewReader(bytes.NewReader(b.Bytes()[len(header):]), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, part := range append(parts, nil) {
		if !begins(r, part) {
			return nil, errDelta
		}
	}
	return b.Bytes(), nil
}

// windowOf returns the size of the window for n bytes. A larger one would only take memory and time.
func windowOf(n int) int {
	window := zstd.MinWindowSize
	for window < n && window < widest {
		window *= 2
	}
	return window
}

// widest is the largest window in bytes. Sessions repeat texts within a few megabytes.
const widest = 8 << 20

// begins reads as many bytes as part has, and reports whether they are equal. A nil part stands for the
// end.
func begins(r io.Reader, part []byte) bool {
	buffer := make([]byte, 64<<10)
	for len(part) > 0 {
		n := min(len(part), len(buffer))
		if _, err := io.ReadFull(r, buffer[:n]); err != nil || !bytes.Equal(buffer[:n], part[:n]) {
			return false
		}
		part = part[n:]
	}
	if part != nil {
		return true
	}
	n, err := r.Read(buffer[:1])
	return n == 0 && err == io.EOF
}

// leastMemory is the smallest memory limit of a decoder, because even a frame of a few bytes may
// have a window of this size.
const leastMemory = 64 << 20

// parse reads an entry.
func parse(file []byte) (*entry, error) {
	header, packed, err := parseHeader(file)
	if err != nil {
		return nil, err
	}
	e := &entry{Header: header}
	size := e.size()
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(size, leastMemory))))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	raw, err := r.DecodeAll(packed, nil)
	if err != nil || len(raw) != size {
		return nil, errDelta
	}
	part := func(n int) (bytes []byte) { bytes, raw = raw[:n:n], raw[n:]; return bytes }
	e.toInput = delta{part(e.Ops), part(e.Removed)}
	e.toList = delta{part(e.ListOps), part(e.ListExtra)}
	return e, nil
}

// parseHeader reads the header of an entry, and returns it and the compressed rest.
func parseHeader(file []byte) (h Header, packed []byte, err error) {
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	line, packed, ended := bytes.Cut(rest, []byte("\n"))
	if !ok || !ended || json.Unmarshal(line, &h) != nil {
		return h, nil, errDelta
	}
	for _, n := range []int{h.OutputBytes, h.InputBytes, h.Removed, h.Edits, h.Ops, h.ListOps, h.ListExtra, h.List} {
		if n < 0 || n > source.DefaultLimit {
			return h, nil, errDelta
		}
	}
	if len(h.Output) != 2*sha256.Size || len(h.Input) != 2*sha256.Size {
		return h, nil, errDelta
	}
	return h, packed, nil
}

// size returns the number of bytes before compression.
func (h *Header) size() int { return h.Ops + h.Removed + h.ListOps + h.ListExtra }

// IsOriginal reports whether the entry is of a run that changed nothing.
func (h *Header) IsOriginal() bool { return h.Output == h.Input }

// name returns the name of the entry's file.
func (h *Header) name() string {
	return fmt.Sprintf("%s-%s-%d%s", h.Output[:digits], h.Input[:digits], h.OutputBytes, suffix)
}

const (
	digits = 32 // of a hash in a name; with 64 for both hashes, names are too long for some file systems
	suffix = ".stash"
)

// place is the name of an entry and its parts.
type place struct {
	dir    string // folder of the entry in a store of many files; "" in others
	name   string
	out    string // the first digits of the hash of the output
	in     string // and of the input
	length int    // of the output
	short  string // its id, if it was looked up
}

// parseName returns the place of a file in a stash; ok is false for a file that is no entry.
func parseName(name string) (p place, ok bool) {
	stem, ok := strings.CutSuffix(name, suffix)
	parts := strings.Split(stem, "-")
	if !ok || len(parts) != 3 || len(parts[0]) != digits || len(parts[1]) != digits {
		return p, false
	}
	p = place{name: name, out: parts[0], in: parts[1]}
	_, err := fmt.Sscanf(parts[2], "%d", &p.length)
	return p, err == nil && p.length >= 0
}

// digest returns the SHA-256 of b in hexadecimal.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
