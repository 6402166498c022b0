package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestResponsesMedia checks that a text that replaces an image has the type of texts in this API.
func TestResponsesMedia(t *testing.T) {
	f := decoded(t, `{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:,"},{"type":"input_text","text":"a"}]}]}`)
	out := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: transcript.Whole}, "[image omitted]")
	if !strings.Contains(out, `[{"type":"input_text","text":"[image omitted]"},`) {
		t.Error(out)
	}
}
