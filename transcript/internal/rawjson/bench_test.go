package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleLog returns a JSONL log of about size bytes in the shape of an agent
// session: short prompts, calls with arguments, and results that are source
// code and the output of other programs. Like real ones (5 to 70 in the corpus),
// it has about 40 escapes in 1,000 bytes.
func sampleLog(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the file func return error test config if err != nil { } user path string int value request " +
		"server update build 0x1f 12.5 TODO: parser index ok function /usr/local/bin implementation result := range")
	odd := strings.Fields(`"name" <div> C:\dir é — 日本語`)
	text := func(lines int) string {
		var b strings.Builder
		for range lines {
			b.WriteString(strings.Repeat("\t", rng.IntN(3)))
			for range 3 + rng.IntN(12) {
				if rng.IntN(30) == 0 {
					b.WriteString(odd[rng.IntN(len(odd))] + " ")
				}
				b.WriteString(words[rng.IntN(len(words))] + " ")
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	var log bytes.Buffer
	enc := json.NewEncoder(&log)
	enc.SetEscapeHTML(false)
	for n := 0; log.Len() < size; n++ {
		id := fmt.Sprintf("toolu_%016x", rng.Uint64())
		block := map[string]any{"type": "tool_result", "tool_use_id": id, "content": text(1 + rng.IntN(120))}
		switch n % 3 {
		case 0:
			block = map[string]any{"type": "text", "text": text(1 + rng.IntN(8))}
		case 1:
			block = map[string]any{"type": "tool_use", "id": id, "name": "Edit", "input": map[string]any{
				"file_path": "/home/u/project/main.go", "old_string": text(3), "new_string": text(4), "replace_all": false,
			}}
		}
		line := map[string]any{
			"uuid": fmt.Sprintf("%032x", rng.Uint64()), "parentUuid": nil, "isSidechain": false, "type": "user",
			"timestamp": "2026-01-02T03:04:05.678Z", "sessionId": "6f1c9b1e-8f44-4c0e-9b5e-1d8f5c1a2b3c",
			"message": map[string]any{
				"role": "user", "content": []any{block},
				"usage": map[string]any{"input_tokens": rng.IntN(1e5), "output_tokens": rng.IntN(1e3), "cost": rng.Float64()},
			},
		}
		if err := enc.Encode(line); err != nil {
			panic(err) // maps, strings and numbers always encode
		}
	}
	return log.Bytes()
}

// benchLogs calls bench for the sample log and, where the shared corpus is at
// hand, for one real file.
func benchLogs(b *testing.B, bench func(b *testing.B, log []byte)) {
	b.Run("sample", func(b *testing.B) { bench(b, sampleLog(50<<20)) })
	real := filepath.FromSlash("../../../../shared/corpus/claude-code-jsonl/entireio__cli__entire-2026012453ea19.jsonl")
	if log, err := os.ReadFile(real); err == nil {
		b.Run("real", func(b *testing.B) { bench(b, log) })
	}
}

func BenchmarkScan(b *testing.B) {
	perLine := func(name string, f func(log []byte, line Line) error) {
		b.Run(name, func(b *testing.B) {
			benchLogs(b, func(b *testing.B, log []byte) {
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				for b.Loop() {
					for n, line := range Lines(log) {
						if err := f(log, line); err != nil {
							b.Fatalf("line %d: %v", n, err)
						}
					}
				}
			})
		})
	}
	var doc Doc
	invalid := fmt.Errorf("invalid")
	perLine("rawjson", func(log []byte, l Line) error { return doc.ScanAll(log, l.Start, l.End) })
	perLine("json.Valid", func(log []byte, l Line) error {
		if !json.Valid(log[l.Start:l.End]) {
			return invalid
		}
		return nil
	})
	perLine("json.Unmarshal", func(log []byte, l Line) error {
		var v any
		return json.Unmarshal(log[l.Start:l.End], &v)
	})
}

// BenchmarkText decodes all strings, keys too, of the scanned lines.
func BenchmarkText(b *testing.B) {
	benchLogs(b, func(b *testing.B, log []byte) {
		b.SetBytes(int64(len(log)))
		b.ReportAllocs()
		var doc Doc
		var text []byte
		for b.Loop() {
			for _, l := range Lines(log) {
				if err := doc.ScanAll(log, l.Start, l.End); err != nil {
					b.Fatal(err)
				}
				for v := range doc.all() {
					if v.Kind() == String {
						text = appendDecoded(text[:0], content(v.Raw()))
					}
				}
			}
		}
	})
}

// BenchmarkQuote writes all strings of the scanned lines.
func BenchmarkQuote(b *testing.B) {
	log := sampleLog(4 << 20)
	var texts []string
	var doc Doc
	size := 0
	for _, l := range Lines(log) {
		if err := doc.ScanAll(log, l.Start, l.End); err != nil {
			b.Fatal(err)
		}
		for v := range doc.all() {
			texts = append(texts, strings.Clone(v.Str()))
			size += len(texts[len(texts)-1])
		}
	}
	var dst []byte
	for name, style := range map[string]Style{"default": {}, "ascii": {yes: escapeNonASCII}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, text := range texts {
					dst = style.Append(dst[:0], text)
				}
			}
		})
	}
}

func BenchmarkStyleOf(b *testing.B) {
	log := sampleLog(4 << 20)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		StyleOf(log)
	}
}

// BenchmarkWriteTo changes one string in every third line.
func BenchmarkWriteTo(b *testing.B) {
	log := sampleLog(50 << 20)
	var doc Doc
	var edits []Edit
	short := []byte(`"new"`)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		edits = edits[:0]
		for n, l := range Lines(log) {
			if err := doc.ScanAll(log, l.Start, l.End); err != nil {
				b.Fatal(err)
			}
			if n%3 == 0 {
				edits = append(edits, Edit{doc.Root().Get("uuid").Span(), short})
			}
		}
		if _, err := WriteTo(io.Discard, log, edits); err != nil {
			b.Fatal(err)
		}
	}
}
