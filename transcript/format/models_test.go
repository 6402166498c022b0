package format_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"condense/transcript/format"
)

// TestModels checks which models are read from sessions of each format that records them.
func TestModels(t *testing.T) {
	for path, want := range map[string][]string{
		"adk/session.json":             {"gemini-2.0-flash-001"},
		"aistudio/new.json":            {"models/gemini-2.5-flash"},
		"anthropic/cline-hybrid.json":  {"claude-opus-4-5-20251101"}, // beside each message
		"anthropic/request.json":       {"claude-sonnet-4-5-20250929"},
		"claude-code/session.jsonl":    {"claude-opus-4-6"},
		"codex/session.jsonl":          {"gpt-5.5"}, // of the turn
		"continue/session.json":        {"tide-coder"},
		"copilot-cli/session.jsonl":    {"claude-sonnet-4.6"},
		"gemini/request.json":          {"gemini-2.5-pro"},
		"gemini-cli/session.json":      {"gemini-2.5-pro"},
		"gemini-stream/readme.jsonl":   {"gemini-2.5-flash"},
		"inspect/log.json":             {"oar-70b"},
		"librechat/flat.json":          {"tide-9"},
		"mini-swe-agent/run.traj.json": {"oar-70b"},
		"openai/messages.json":         {"gpt-4o-2024-11-20"},
		"openai/array.json":            nil,
		"openai-ft/batch.jsonl":        {"gpt-5-mini"}, // of the row
		"opencode/session.json":        {"gpt-5.3-codex"},
		"openhands/events.json":        {"oar-70b"},
		"openwebui/export.json":        {"tide:9b"},
		"pi/session.jsonl":             {"glm-5"},
		"responses/request.json":       {"gpt-5.2"},
	} {
		src, err := os.ReadFile(filepath.Join("../../testdata/sessions", path))
		if err != nil {
			t.Fatal(err)
		}
		f, err := format.Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Convs[0].Models(); !slices.Equal(got, want) {
			t.Errorf("%s names the models %q, want %q", path, got, want)
		}
	}
}
