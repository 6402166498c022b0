package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// claudeSession makes a session of about size bytes: rounds of reads with their
// mirror, as the client writes them.
func claudeSession(size int) []byte {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	body := strings.Repeat("     1→func handle(w http.ResponseWriter, r *http.Request) error { return fmt.Errorf(\"%d\", 404) }\n", 60)
	parent := any(nil)
	line := func(n int, kind string, message any, more map[string]any) {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		v := map[string]any{
			"parentUuid": parent, "isSidechain": false, "sessionId": "s", "type": kind, "uuid": id,
			"timestamp": "2026-03-01T10:00:00.000Z", "message": message,
		}
		for k, x := range more {
			v[k] = x
		}
		_ = enc.Encode(v) // a strings.Builder does not fail
		parent = id
	}
	for n := 0; out.Len() < size; n += 3 {
		call := fmt.Sprintf("toolu_%d", n)
		if n%30 == 0 {
			line(n, "user", map[string]any{"role": "user", "content": fmt.Sprintf("task %d: mend it, and do not touch config.go", n)}, nil)
		}
		line(n+1, "assistant", map[string]any{"id": fmt.Sprintf("msg_%d", n), "role": "assistant", "content": []any{
			map[string]any{"type": "tool_use", "id": call, "name": "Read", "input": map[string]any{"file_path": fmt.Sprintf("/src/%d.go", n%21)}},
		}}, nil)
		text := fmt.Sprintf("%s%d\n", body, n)
		line(n+2, "user", map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": call, "content": text},
		}}, map[string]any{"toolUseResult": map[string]any{"type": "text", "file": map[string]any{"content": text}}})
	}
	return []byte(out.String())
}

func BenchmarkDecode(b *testing.B) {
	src := claudeSession(8 << 20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(src, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEncode rewrites every second result.
func BenchmarkEncode(b *testing.B) {
	src := claudeSession(8 << 20)
	f, err := Decode(src, "")
	if err != nil {
		b.Fatal(err)
	}
	var edits []transcript.Edit
	for ref, block := range f.Convs[0].Blocks() {
		if block.Kind == transcript.ToolResult && ref.Msg%4 == 0 {
			edits = append(edits, transcript.Edit{At: ref, Op: transcript.Rewrite, Text: transcript.Marker("Read: 61 lines")})
		}
	}
	final, err := f.Convs[0].Apply(edits)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Bytes([]*transcript.Conversation{final}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeDialect decodes the largest fixture of each dialect, repeated
// to about 4 MB.
func BenchmarkDecodeDialect(b *testing.B) {
	largest := map[string][]byte{}
	for path, src := range fixtures(b) {
		if name := dialectOf(path); len(src) > len(largest[name]) && filepath.Ext(path) != ".md" {
			largest[name] = src
		}
	}
	for _, d := range Dialects {
		src := largest[d.Name]
		if src == nil {
			continue
		}
		if many := manyTimes(b, src, 1+(4<<20)/len(src)); many != nil {
			src = many
		}
		src = bytes.Clone(src)
		b.Run(d.Name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(src, d.Name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
