package summary

import (
	"context"

	"condense/transcript/redact"
)

// Prompt is one question to a model. It offers no tools.
type Prompt struct {
	System    string // instructions
	Text      string // the one message of the user
	MaxTokens int    // of the answer, at most; 0: as the model has it
}

// Reply is what a model answered.
type Reply struct {
	Text string // without what the model thought before it; never empty
	Cut  bool   // it ended at MaxTokens, not where it was finished
	// In and Out are the tokens of prompt and answer, as the server counted them or,
	// where it does not say, as they were counted here. Nobody paid for them when
	// Cached is set.
	In, Out int
	Cost    *float64 // USD; nil when the price of the model is not known
	Cached  bool     // an earlier answer to the same prompt, from disk
	// Redacted are the secrets that were replaced in prompt and answer.
	Redacted redact.Counts
}

// Ask puts a prompt to a model. An error is of the network, of the server or of
// its refusal, after all retries: it is no use to ask again.
type Ask func(context.Context, Prompt) (Reply, error)
