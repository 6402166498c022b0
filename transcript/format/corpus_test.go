package format

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"condense/transcript"
)

// families are the folders of the corpus that the dialects so far read.
var families = map[string][]string{
	"anthropic-messages": {"anthropic", "cline"},
	"openai-chat":        {"openai"},
	"claude-code-jsonl":  {"claude-code"},
	"codex-rollout":      {"codex"},
}

// corpusFiles lists the real conversations beside the checkout, where present.
func corpusFiles(t testing.TB) (files []string) {
	root := filepath.Join("..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpus beside the checkout")
	}
	for family := range families {
		found, _ := filepath.Glob(filepath.Join(root, family, "*"))
		files = append(files, found...)
	}
	return files
}

func TestCorpusRoundTrip(t *testing.T) {
	for _, path := range corpusFiles(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Decode(src, "")
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		msgs, blocks, hidden := 0, 0, 0
		for _, c := range f.Convs {
			msgs += len(c.Messages)
			for _, m := range c.Messages {
				blocks += len(m.Blocks)
				if m.Hidden {
					hidden++
				}
			}
		}
		t.Logf("%-12s convs %d msgs %d blocks %d hidden %d faults %d %s", f.Dialect.Name, len(f.Convs), msgs, blocks, hidden, len(f.Faults), filepath.Base(path))
		final := append([]*transcript.Conversation(nil), f.Convs...)
		for i, c := range final {
			final[i] = c.WithPins(map[transcript.Ref]transcript.Pin{{Msg: 0, Block: 0, Part: transcript.Whole}: transcript.Present})
		}
		var out bytes.Buffer
		if _, err := f.Encode(&out, final); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if !bytes.Equal(out.Bytes(), src) {
			t.Errorf("%s: changed without an edit", path)
		}
	}
}
