package token

import (
	"strings"
	"testing"
)

func TestForModel(t *testing.T) {
	for _, tt := range []struct{ model, unit, method string }{
		{"", "o200k_base", Exact},
		{"gpt-4", "cl100k_base", Exact},
		{"gpt-4-0613", "cl100k_base", Exact},
		{"gpt-4-turbo-2024-04-09", "cl100k_base", Exact},
		{"gpt-4o", "o200k_base", Exact},
		{"gpt-4o-mini", "o200k_base", Exact},
		{"chatgpt-4o-latest", "o200k_base", Exact},
		{"gpt-4.1-nano", "o200k_base", Exact},
		{"gpt-4.5-preview", "o200k_base", Exact},
		{"gpt-4.7", "o200k_base", Estimate},
		{"gpt-5", "o200k_base", Exact},
		{"gpt-5.1-codex", "o200k_base", Exact},
		{"gpt-6", "o200k_base", Estimate},
		{"o1", "o200k_base", Exact},
		{"o1-preview", "o200k_base", Exact},
		{"o3-mini", "o200k_base", Exact},
		{"o4-mini", "o200k_base", Exact},
		{"gpt-3.5-turbo", "cl100k_base", Exact},
		{"gpt-35-turbo-16k", "cl100k_base", Exact},
		{"text-embedding-3-large", "cl100k_base", Exact},
		{"gpt-oss-120b", "o200k_base", Exact},
		{"ft:gpt-4o-2024-08-06:acme::9x", "o200k_base", Exact},
		{"ft:gpt-4-0613:acme::9x", "cl100k_base", Exact},
		{"ft:gpt-3.5-turbo:acme", "cl100k_base", Exact},
		{"openai/gpt-4o", "o200k_base", Exact},
		{"openrouter/anthropic/claude-sonnet-4.5", "o200k_base", Estimate},
		{"claude-opus-4-5-20251101", "o200k_base", Estimate},
		{"us.anthropic.claude-3-5-sonnet-20241022-v2:0", "o200k_base", Estimate},
		{"Claude-3-Haiku", "o200k_base", Estimate},
		{"models/gemini-2.5-pro", "o200k_base", Estimate},
		{"qwen2.5-coder", "o200k_base", Estimate},
	} {
		c, err := ForModel(tt.model)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name() != tt.unit || c.Method() != tt.method || c.Model() != tt.model {
			t.Errorf("ForModel(%q) is %s, %s for %q, want %s, %s", tt.model, c.Name(), c.Method(), c.Model(), tt.unit, tt.method)
		}
	}
}

func TestForModelUnknown(t *testing.T) {
	for _, model := range []string{"gpt2", "my-model", "<synthetic>", "a.b", "/", "."} {
		if _, err := ForModel(model); err == nil || !strings.Contains(err.Error(), "--tokenizer (o200k_base") {
			t.Errorf("ForModel(%q) says %v", model, err)
		}
	}
}

// TestBuiltIn: the table keeps the rules of the files that stand for it.
func TestBuiltIn(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range BuiltIn() {
		if err := m.check(); err != nil || seen[m.Name] || m.Source == "" {
			t.Errorf("%q: twice, without a source, or %v", m.Name, err)
		}
		seen[m.Name] = true
	}
}
