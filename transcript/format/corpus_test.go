package format

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"condense/transcript"
)

// families are the folders of the corpus, each with the dialects that read its
// files; none where they are refused.
var families = map[string][]string{
	"anthropic-messages":          {"anthropic", "cline"},
	"chatgpt-export":              {"chatgpt"},
	"claude-ai-export":            {"claude-ai"},
	"claude-code-jsonl":           {"claude-code"},
	"claude-managed-agents-jsonl": {"managed-agents"},
	"cline-ui-messages":           nil,
	"codex-rollout":               {"codex"},
	"continue-session":            {"continue"},
	"copilot-cli-events":          {"copilot-cli"},
	"cursor-jsonl":                {"cursor"},
	"gemini-cli-session":          {"gemini-cli"},
	"gemini-cli-stream":           {"gemini-stream"},
	"gemini-contents":             {"gemini", "adk", "aistudio"},
	"grok-export":                 {"grok"},
	"inspect-eval-log":            {"inspect"},
	"langchain-dict":              {"langchain"},
	"librechat-export":            {"librechat", "chatbot-ui"},
	"mini-swe-agent-traj":         {"mini-swe-agent", "openai"},
	"openai-chat":                 {"openai"},
	"openai-ft-jsonl":             {"openai-ft"},
	"openai-responses":            {"responses"},
	"opencode-export":             {"opencode"},
	"openhands":                   {"openhands"},
	"openwebui-export":            {"openwebui"},
	"other-agent-log":             nil,
	"pi-session-jsonl":            {"pi"},
	"sharegpt":                    {"sharegpt", "openai"},
	"swe-agent-traj":              {"swe-agent"},
	"vscode-copilot-chat":         {"vscode-copilot"},
}

// corpusFiles lists the real conversations beside the checkout, where present: of
// the given families, or of all.
func corpusFiles(t testing.TB, of ...string) (files []string) {
	root := filepath.Join("..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpus beside the checkout")
	}
	for family, dialects := range families {
		if of != nil && !slices.Contains(of, family) {
			continue
		}
		if len(dialects) == 0 {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(root, family, "*"))
		for _, path := range found {
			if reasonToRefuse(family+"/"+filepath.Base(path)) == "" {
				files = append(files, path)
			}
		}
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
			final[i] = c.WithPins(func(ref transcript.Ref) transcript.Pin {
				if ref.Msg == 0 && ref.Block == 0 {
					return transcript.Present
				}
				return transcript.Unpinned
			})
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
