package strategy

import "testing"

func TestFamily(t *testing.T) {
	for model, want := range map[string]string{
		"claude-sonnet-4-5":       "anthropic",
		"anthropic/Claude-3-opus": "anthropic",
		"gpt-5-codex":             "openai",
		"chatgpt-4o-latest":       "openai",
		"o3":                      "openai",
		"openai/o4-mini":          "openai",
		"azure:o1-preview":        "openai",
		"gemini-3-pro1":           "google",
		"qwen-turbo3":             "qwen-turbo3",
		"marco-o14":               "marco-o14",
	} {
		if got := family(model); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}
