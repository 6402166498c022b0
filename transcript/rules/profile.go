package rules

// A Profile holds the rules of one API or client.
type Profile struct {
	Name  string // name for users: "openai"
	Doc   string // the API or client, in a phrase
	Rules []*Rule

	reassembles bool // the client moves every result right after its call before it sends a request
	unnamed     bool // calls need no ids
}

// The rules that hold for every API with tools.
var (
	anyCallRepeated = Rule{
		ID:  "any/tool-id-dup",
		Doc: "No two calls have the same id.",
		Fix: "drop the repeated call, or rename it together with its result", find: findRepeatedCalls,
	}
	anyCallUnanswered = Rule{
		ID:  "any/tool-use-unanswered",
		Doc: "Every call has a result behind it.",
		Fix: "add the missing result, or drop the call", find: findUnanswered,
	}
	anyResultOrphan = Rule{
		ID:  "any/tool-result-orphan",
		Doc: "Every result has its call before it.",
		Fix: "drop the result", find: findOrphans,
	}
	againResultOrphan = Rule{
		ID:  "gemini-cli/tool-result-orphan",
		Doc: "Every result has its call before it. The client itself saves and sends results again, so a second result is no fault.",
		Fix: "drop the result", find: findStrays,
	}
	anyTextEmpty = Rule{
		ID:  "any/text-empty",
		Doc: "No text block is empty.",
		Fix: "drop the block", find: findEmptyTexts,
	}
	// BrokenLine requires complete lines, in any dialect whose files consist of lines.
	BrokenLine = Rule{
		ID: "any/line", Severity: Warning,
		Doc: "Every line is one JSON object, and the last one is complete.",
		Fix: "remove a torn last line",
	}
)

// The profiles.
var (
	Any = Profile{
		Name: "any", Doc: "the rules of every API with tools",
		Rules: []*Rule{&anyCallRepeated, &anyCallUnanswered, &anyResultOrphan, &anyTextEmpty, &BrokenLine},
	}
	Anthropic = Profile{
		Name: "anthropic", Doc: "Anthropic Messages",
		Rules: []*Rule{
			&firstRoleUser, &toolUseUnanswered, &toolResultOrphan, &serverToolOrphan, &toolResultFirst, &toolResultDup,
			&toolIDDup, &textEmpty, &finalAssistantWS, &mustEndUser, &thinkingLead, &thinkingSignature, &imageLimits,
			&CacheControlMax4, &UTF16WellFormed, &BrokenLine,
		},
	}
	OpenAI = Profile{
		Name: "openai", Doc: "OpenAI chat completions",
		Rules: []*Rule{
			&toolOrphan, &toolUnanswered, &ContentNull, &idLength, &callsMax, &ArgsJSON, &FunctionName, &nameRule, &openAIImages,
			&BrokenLine,
		},
	}
	Responses = Profile{
		Name: "responses", Doc: "OpenAI Responses items",
		Rules: []*Rule{&callUnanswered, &outputOrphan, &reasoningOrphan, &ItemDup, &ReasoningContent, &openAIImages, &BrokenLine},
	}
	Codex = Profile{
		Name: "codex", Doc: "Codex, resuming a rollout",
		Rules: []*Rule{&RolloutHeader, &RolloutLine, &Ordinal, &rolloutPairs, &reasoningOrphan, &openAIImages},
	}
	Gemini = Profile{
		Name: "gemini", Doc: "Gemini contents",
		Rules: []*Rule{
			&geminiUserFirst, &geminiUserLast, &geminiAlternation, &callResponseCount, &responseOrphan, &responseOrder,
			&thoughtSignature, &BrokenLine,
		},
		unnamed: true,
	}
	// GeminiCLI keeps a result beside its call, and after a resume once more as a message.
	GeminiCLI = Profile{
		Name: "gemini-cli", Doc: "Gemini CLI, resuming a session",
		Rules: []*Rule{&anyCallRepeated, &anyCallUnanswered, &againResultOrphan, &anyTextEmpty, &BrokenLine},
	}
	QwenCode = Profile{
		Name: "qwen-code", Doc: "Qwen Code, resuming a session",
		Rules: []*Rule{&QwenChain, &anyCallRepeated, &anyCallUnanswered, &anyResultOrphan, &anyTextEmpty, &BrokenLine},
	}
	ATIF = Profile{
		Name: "atif", Doc: "the validator of harbor's trajectories",
		Rules: []*Rule{&StepID, &anyCallRepeated, &anyCallUnanswered, &anyResultOrphan, &anyTextEmpty, &BrokenLine},
	}
	// ClaudeCode moves results right after their calls and appends a user message before it
	// sends a request, so the order of results and the last role do not matter.
	ClaudeCode = Profile{
		Name: "claude-code", Doc: "Claude Code, resuming a session",
		Rules: []*Rule{
			&JSONLLine, &Chain, &UUIDUnique, &Boundary, &SummaryLeaf, &SessionID, &SplitMessage,
			&toolUseUnanswered, &toolResultOrphan, &serverToolOrphan, &toolResultDup, &toolIDDup, &savedTextEmpty,
			&thinkingSignature, &imageLimits, &UTF16WellFormed,
		},
		reassembles: true,
	}
	// Roo matches results with calls itself, leaves thinking to the provider, and
	// continues with a user message.
	Roo = Profile{
		Name: "roo", Doc: "Roo Code and Cline, resuming a task",
		Rules: []*Rule{
			&TagOrphan, &firstRoleUser, &toolUseUnanswered, &toolResultOrphan, &toolResultDup, &toolIDDup, &textEmpty,
			&imageLimits, &UTF16WellFormed,
		},
	}
	StrictAlternation = Profile{
		Name: "strict-alternation", Doc: "models and gateways that require user and assistant in turn (Mistral, Perplexity, Bedrock Converse)",
		Rules: []*Rule{&strictUserFirst, &strictRoles, &strictAdjacency},
	}
)

// Profiles lists every profile.
var Profiles = []*Profile{
	&Any, &Anthropic, &OpenAI, &Responses, &Codex, &Gemini, &GeminiCLI, &QwenCode, &ATIF, &ClaudeCode, &Roo, &StrictAlternation,
}

// EndsWithUser reports whether a request must end with the user or with results.
func (p *Profile) EndsWithUser() bool {
	return p.Rule(mustEndUser.ID) != nil || p.Rule(geminiUserLast.ID) != nil
}

// Rule returns the rule of the profile with an id, or nil.
func (p *Profile) Rule(id string) *Rule {
	for _, r := range p.Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// ProfileNamed returns the profile with a name, or nil.
func ProfileNamed(name string) *Profile {
	for _, p := range Profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}
