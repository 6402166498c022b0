package token

import (
	"fmt"
	"strings"
)

// family is the models whose names begin with a prefix.
type family struct {
	prefix string
	unit   string // that counts exactly, or "" when none here does
}

// families holds no prefix twice, and the longest that fits decides; the order
// is for the reader.
//
// The encodings are those of openai/tiktoken 0.14.0, tiktoken/model.py, without
// the completion models of 2022 and before (p50k_base, r50k_base). gpt-oss has
// the vocabulary of o200k_base; its further special tokens are not in texts.
//
// Without a unit are models whose tokenizer is not public (claude, gemini, grok,
// OpenAI's after that table) or not built in (open weights).
var families = []family{
	{"gpt-5", "o200k_base"},
	{"gpt-4.5", "o200k_base"},
	{"gpt-4.1", "o200k_base"},
	{"gpt-4o", "o200k_base"},
	{"chatgpt-4o", "o200k_base"},
	{"o1", "o200k_base"},
	{"o3", "o200k_base"},
	{"o4-mini", "o200k_base"},
	{"gpt-oss", "o200k_base"},

	{"gpt-4", "cl100k_base"},
	{"gpt-3.5", "cl100k_base"},
	{"gpt-35-turbo", "cl100k_base"}, // Azure's name
	{"text-embedding-", "cl100k_base"},

	{"gpt-", ""}, {"gpt-4.", ""}, {"codex-", ""}, // OpenAI
	{"claude", ""}, {"opus", ""}, {"sonnet", ""}, {"haiku", ""}, // Anthropic
	{"gemini", ""}, {"gemma", ""}, // Google
	{"mistral", ""}, {"mixtral", ""}, {"ministral", ""}, {"magistral", ""}, {"codestral", ""}, {"devstral", ""}, // Mistral
	{"deepseek", ""}, {"glm", ""}, {"kimi", ""}, {"minimax", ""}, {"moonshot", ""}, {"qwen", ""}, {"qwq", ""},
	{"command", ""}, {"granite", ""}, {"grok", ""}, {"llama", ""}, {"meta-llama", ""}, {"nova", ""}, {"phi", ""}, {"sonar", ""},
}

// ForModel makes a Counter for a model, named as in its provider's API or as a
// router or cloud spells it (openai/gpt-4o, us.anthropic.claude-sonnet-4-5-v1:0).
// A model without a tokenizer here counts in o200k_base, and [Counter.Method] is
// [Estimate]: Claude's tokenizers give 1.2 to 1.5 times as many tokens, Gemini's
// 1.1 times. "" is the default of [New]. An unknown model is an error that tells
// people how to choose.
func ForModel(model string) (*Counter, error) {
	if model == "" {
		return New("")
	}
	f := familyOf(bare(model))
	if f == nil {
		return nil, fmt.Errorf("no tokenizer is known for model %q: choose one with --tokenizer (%s)",
			model, strings.Join(Names(), ", "))
	}
	c, err := New(f.unit)
	if err != nil {
		return nil, err
	}
	c.model = model
	if f.unit == "" {
		c.method = Estimate
	}
	return c, nil
}

func familyOf(model string) *family {
	var best *family
	for i := range families {
		f := &families[i]
		if strings.HasPrefix(model, f.prefix) && (best == nil || len(f.prefix) > len(best.prefix)) {
			best = f
		}
	}
	return best
}

// bare takes off what others put before a model's own name: a router's path
// (openrouter/openai/), "ft:" for a fine-tuned model, and the region and vendor
// of a cloud (us.anthropic.), which are words of letters only.
func bare(model string) string {
	model = strings.ToLower(model)
	model = model[strings.LastIndexByte(model, '/')+1:]
	model = strings.TrimPrefix(model, "ft:")
	for {
		head, rest, found := strings.Cut(model, ".")
		if !found || strings.Trim(head, "abcdefghijklmnopqrstuvwxyz") != "" {
			return model
		}
		model = rest
	}
}
