package notes

import (
	"testing"

	"condense/transcript"
)

func block(kind transcript.Kind, name string, failed bool, parts ...transcript.Part) *transcript.Block {
	return &transcript.Block{Kind: kind, Tool: name, Error: failed, Parts: parts}
}

// TestRenderTT checks the cases TT1 to TT12 of the conversion to text in .github/CONFORMANCE.md. Nested
// arguments (TT2) are written by their leaves, not as JSON.
func TestRenderTT(t *testing.T) {
	const call, result = transcript.ToolCall, transcript.ToolResult
	image := transcript.Part{Media: &transcript.Medium{Type: "image/png"}}
	tests := []struct {
		name   string
		blocks []*transcript.Block
		want   string
	}{
		{"TT1", []*transcript.Block{block(call, "read_file", false, transcript.Part{Name: "path", Text: "test.ts"}, transcript.Part{Name: "encoding", Text: "utf-8"})}, "[Tool Use: read_file]\npath: test.ts\nencoding: utf-8"},
		{"TT2", []*transcript.Block{block(call, "x", false, transcript.Part{Name: "a.b[0]", Text: "1"})}, "[Tool Use: x]\na.b[0]: 1"},
		{"TT3", []*transcript.Block{block(call, "x", false, transcript.Part{Text: "as it is"})}, "[Tool Use: x]\nas it is"},
		{"TT4", []*transcript.Block{block(call, "x", false)}, "[Tool Use: x]\n"},
		{"TT5", []*transcript.Block{block(result, "", false, transcript.Part{Text: "done"})}, "[Tool Result]\ndone"},
		{"TT6", []*transcript.Block{block(result, "", true, transcript.Part{Text: "no"})}, "[Tool Result (Error)]\nno"},
		{"TT7", []*transcript.Block{block(result, "", false, transcript.Part{Text: "a"}, transcript.Part{Text: "b"})}, "[Tool Result]\na\nb"},
		{"TT8", []*transcript.Block{block(result, "", false, transcript.Part{Text: "a"}, image)}, "[Tool Result]\na\n[Image]"},
		{"TT9", []*transcript.Block{block(result, "", false)}, "[Tool Result]"},
		{"TT10", []*transcript.Block{text("first", transcript.ByModel), block(call, "x", false), text("last", transcript.ByModel)}, "first\n[Tool Use: x]\n\nlast"},
		{"TT12", nil, ""},
		{"image alone", []*transcript.Block{block(transcript.Media, "", false, image)}, "[Referenced image in conversation]"},
		{"document", []*transcript.Block{block(transcript.Media, "", false, transcript.Part{Media: &transcript.Medium{Type: "application/pdf"}})}, "[application/pdf]"},
		{"brackets in a type", []*transcript.Block{block(transcript.Media, "", false, transcript.Part{Media: &transcript.Medium{Type: "a[b]\nc"}})}, "[a(b) c]"},
		{"thinking", []*transcript.Block{block(transcript.Thinking, "", false, transcript.Part{Text: "hm"})}, ""},
	}
	for _, tt := range tests {
		m := message(transcript.Assistant, tt.blocks...)
		t.Run(tt.name, func(t *testing.T) {
			if got := render(m); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
		t.Run("TT11 with "+tt.name, func(t *testing.T) {
			if again := render(m); again != tt.want {
				t.Errorf("the input is changed: %q", again)
			}
		})
	}
}
