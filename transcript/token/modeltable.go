package token

import "slices"

// The sources of the table. Windows and outputs are those of the providers' pages: developers.openai.com/api/docs/models,
// platform.claude.com/docs/en/models, ai.google.dev/gemini-api/docs/models.
const (
	// The encodings are those of openai/tiktoken 0.14.0, tiktoken/model.py,
	// without the completion models of 2022 and before. gpt-oss has the
	// vocabulary of o200k_base; its further special tokens are not in texts.
	fromTiktoken = "openai/tiktoken 0.14.0"
	// 1.18: mean error 17 % without the factor, 2 % with it; by content 1.16 (English)
	// to 1.30 (Python), hence the band. 1.53: by content 1.2 to 1.7.
	fromIngest = "sammcj/ingest, measured with Anthropic's count_tokens"
	// o200k_base × 1.08 reached 98.4 to 99.8 % of the counts of the API.
	fromAITokenizer = "coder/ai-tokenizer, measured with the API"
	byLikeness      = "a vocabulary of the same kind and size; not measured"
	byNothing       = "the default tokenizer; not measured"
)

// Framing by family. OpenAI's is in its Cookbook, "How to count tokens with
// tiktoken" (3 and the role's name for each message, 3 to begin the answer), and
// that of gpt-5, Anthropic and Google was measured by coder/ai-tokenizer.
func openAIFraming(tool int) Framing { return Framing{Message: 4, Reply: 3, Tools: 12, Tool: tool} }

// BuiltIn returns the table of models of this version, as of [ModelsDate].
func BuiltIn() Models {
	return slices.Concat(openAIModels(), anthropicModels(), googleModels(), otherModels())
}

func openAIModels() Models {
	row := func(name, unit string, window, output int, images string, f Framing) Model {
		return Model{name, unit, 1, Exact, 0, fromTiktoken, window, output, images, f}
	}
	const o200k, cl100k = "o200k_base", "cl100k_base"
	gpt4, gpt4o := openAIFraming(10), openAIFraming(7)
	gpt5 := Framing{Message: 4, Reply: 5, Tools: 12, Tool: 7}
	return Models{
		row("gpt-5", o200k, 400_000, 128_000, "tiles-70-140", gpt5),
		row("gpt-5-chat", o200k, 128_000, 16_384, "tiles-70-140", gpt5),
		row("gpt-5-mini", o200k, 400_000, 128_000, "patches-1.2", gpt5),
		row("gpt-5-nano", o200k, 400_000, 128_000, "patches-1.5", gpt5),
		row("gpt-5.2", o200k, 400_000, 128_000, "patches-1.2", gpt5),
		row("gpt-5.3", o200k, 400_000, 128_000, "patches-1.2", gpt5),
		row("gpt-5.3-codex-spark", o200k, 128_000, 0, "patches-1.2", gpt5),
		row("gpt-5.4", o200k, 1_050_000, 128_000, "patches-2500-1.2", gpt5),
		row("gpt-5.4-mini", o200k, 400_000, 128_000, "patches-1.2", gpt5),
		row("gpt-5.4-nano", o200k, 400_000, 128_000, "patches-1.2", gpt5),
		row("gpt-5.5", o200k, 1_050_000, 128_000, "patches-2500-1.2", gpt5),
		row("gpt-5.6", o200k, 1_050_000, 128_000, "patches-2500-1.2", gpt5),
		row("gpt-4.5", o200k, 128_000, 16_384, "tiles-85-170", gpt4o),
		row("gpt-4.1", o200k, 1_047_576, 32_768, "tiles-85-170", gpt4o),
		row("gpt-4.1-mini", o200k, 1_047_576, 32_768, "patches-1.62", gpt4o),
		row("gpt-4.1-nano", o200k, 1_047_576, 32_768, "patches-2.46", gpt4o),
		row("gpt-4o", o200k, 128_000, 16_384, "tiles-85-170", gpt4o),
		row("gpt-4o-mini", o200k, 128_000, 16_384, "tiles-2833-5667", gpt4o),
		row("chatgpt-4o", o200k, 128_000, 16_384, "tiles-85-170", gpt4o),
		row("o1", o200k, 200_000, 100_000, "tiles-75-150", gpt4o),
		row("o1-mini", o200k, 128_000, 65_536, flat, gpt4o),
		row("o1-preview", o200k, 128_000, 32_768, flat, gpt4o),
		row("o3", o200k, 200_000, 100_000, "tiles-75-150", gpt4o),
		row("o4-mini", o200k, 200_000, 100_000, "patches-1.72", gpt4o),
		row("gpt-oss", o200k, 131_072, 131_072, flat, gpt4o),
		row("gpt-4", cl100k, 8_192, 8_192, flat, gpt4),
		row("gpt-4-32k", cl100k, 32_768, 32_768, flat, gpt4),
		row("gpt-4-turbo", cl100k, 128_000, 4_096, "tiles-85-170", gpt4),
		row("gpt-4-1106", cl100k, 128_000, 4_096, "tiles-85-170", gpt4),
		row("gpt-4-0125", cl100k, 128_000, 4_096, flat, gpt4),
		row("gpt-3.5", cl100k, 16_385, 4_096, flat, gpt4),
		row("gpt-35-turbo", cl100k, 16_385, 4_096, flat, gpt4), // Azure's name
		row("text-embedding-", cl100k, 8_192, 0, flat, Framing{}),
	}
}

// anthropicModels returns two generations: models up to 4.6, and Haiku 4.5, have one
// tokenizer, later models another.
func anthropicModels() Models {
	claude := Framing{Message: 2, Reply: 6, Tools: 313, Tool: 53}
	claude45 := Framing{Message: 2, Reply: 6, Tools: 496, Tool: 53}
	older := func(name string, window, output int, f Framing) Model {
		return Model{name, "o200k_base", 1.18, Calibrated, 10, fromIngest, window, output, "claude-1568", f}
	}
	newer := func(name string, window, output int) Model {
		return Model{name, "o200k_base", 1.53, Calibrated, 15, fromIngest, window, output, "claude-2576", claude45}
	}
	unknown := newer("claude", 0, 0) // models that are not in the table yet
	unknown.Method = Estimate
	return Models{
		unknown,
		older("claude-2", 200_000, 4_096, claude),
		older("claude-instant", 100_000, 4_096, claude),
		older("claude-3", 200_000, 4_096, claude),
		older("claude-3-5", 200_000, 8_192, claude),
		older("claude-3-7", 200_000, 64_000, claude),
		older("claude-haiku-4", 200_000, 64_000, claude45),
		older("claude-sonnet-4", 200_000, 64_000, claude),
		older("claude-sonnet-4-5", 200_000, 64_000, claude45),
		older("claude-sonnet-4-6", 1_000_000, 64_000, claude45),
		older("claude-opus-4", 200_000, 32_000, claude),
		older("claude-opus-4-5", 200_000, 64_000, claude45),
		older("claude-opus-4-6", 1_000_000, 128_000, claude45),
		newer("claude-opus-4-7", 1_000_000, 128_000),
		newer("claude-opus-4-8", 1_000_000, 128_000),
		newer("claude-opus-5", 1_000_000, 128_000),
		newer("claude-sonnet-5", 1_000_000, 128_000),
		newer("claude-fable-5", 1_000_000, 128_000),
		newer("opus", 1_000_000, 128_000), // Claude Code's names for the newest
		newer("sonnet", 1_000_000, 128_000),
		older("haiku", 200_000, 64_000, claude45),
	}
}

func googleModels() Models {
	row := func(name string, window, output int, images string) Model {
		return Model{name, "o200k_base", 1.08, Calibrated, 5, fromAITokenizer, window, output, images, Framing{}}
	}
	return Models{
		row("gemini", 1_048_576, 65_536, "gemini-3"),
		row("gemini-1.5-flash", 1_048_576, 8_192, "gemini-1"),
		row("gemini-1.5-pro", 2_097_152, 8_192, "gemini-1"),
		row("gemini-2.0", 1_048_576, 8_192, "gemini-2"),
		row("gemini-2.5", 1_048_576, 65_536, "gemini-2"),
	}
}

// otherModels returns models with a vocabulary that is not built in or not published.
// Their windows differ too much within a name.
func otherModels() (table Models) {
	add := func(unit string, band float64, source string, names ...string) {
		for _, name := range names {
			table = append(table, Model{name, unit, 1, Estimate, band, source, 0, 0, flat, openAIFraming(7)})
		}
	}
	add("cl100k_base", 15, byLikeness,
		"llama", "meta-llama", "mistral", "mixtral", "ministral", "magistral", "codestral", "devstral", "qwen", "qwq")
	add("o200k_base", 15, byLikeness, "deepseek", "gemma")
	add("o200k_base", 25, byNothing, "gpt-", "gpt-4.", "codex-") // OpenAI's after tiktoken's table
	add("o200k_base", 25, byNothing,
		"command", "glm", "granite", "grok", "kimi", "minimax", "moonshot", "nova", "phi", "sonar")
	return table
}
