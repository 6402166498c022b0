package strategy

import "condense/strategy/summary"

// What a strategy may ask a model, through [Env].Ask. The types are those of
// package summary, which writes the prompts and reads the replies.
type (
	Prompt = summary.Prompt
	Reply  = summary.Reply
)

// Fallback is what a run does when no model could be had.
type Fallback string

// The fallbacks.
const (
	FallbackDigest   Fallback = "digest"   // a summary without a model
	FallbackTruncate Fallback = "truncate" // none: the strategies that follow drop what is too much
	FallbackFail     Fallback = "fail"     // the run ends with an *AskError
)

// Fallbacks lists what --fallback takes, the default first.
func Fallbacks() []string {
	return []string{string(FallbackDigest), string(FallbackTruncate), string(FallbackFail)}
}

// AskError is a model that could not be had, or gave nothing that can be used,
// where [FallbackFail] rules out doing without.
type AskError struct{ Err error }

func (e *AskError) Error() string { return "the model gave no summary: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *AskError) Unwrap() error { return e.Err }
