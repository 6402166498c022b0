// Package notes asks a model for notes that replace old messages, and checks them.
//
// [Write] sends the messages as fenced data, without tools, in one question or in parts that are merged.
// It refuses notes that are cut off, too short, not smaller than the messages, without most of their
// sections, or a refusal, and those that speak in a role or call a tool. It removes and counts lines that
// quote text outside the conversation. It cannot check statements in the model's own words, so the
// caller must label the notes as a model's. [PlanOf] returns the questions for a dry run.
//
// An error of Write is an *[AnswerError], a *[WindowError], or that of Env.Ask or
// Env.Afford.
package notes

import (
	"context"

	"condense/transcript"
	"condense/transcript/redact"
)

// An Env holds everything impure that the package uses.
type Env struct {
	Ask    Ask
	Tokens func(string) int           // counts a text, roughly as the model does
	Price  func(in, out int) *float64 // USD for in and out tokens; nil, or a nil result, if not known
	Afford func(in, out int) error    // returns an error if a plan costs too much; nil for no limit
	// Shorten returns a copy of a message that is larger than the window, with about this number
	// of tokens, or nil if it cannot. Without it, the middle of such a message is omitted.
	Shorten func(m *transcript.Message, tokens int) *transcript.Message
}

// A Prompt is one question to a model. It offers no tools.
type Prompt struct {
	System string // instructions
	Text   string // the message of the user
	// Answer and Again continue the exchange: the answer to Text that could not be used, and the
	// message of the user behind it. Both are "" for a first question.
	Answer, Again string
	MaxTokens     int // largest number of tokens of the answer; 0 for the limit of the model
}

// A Reply is the answer of a model.
type Reply struct {
	Text    string // without thinking; never empty
	Cut     bool   // set if MaxTokens cut the answer off
	Refused bool   // set if the model refuses to answer, with the reason in Text
	// In and Out are the tokens of prompt and answer: as the server counted them or,
	// without such a count, as the caller's tokenizer does. With Cached they cost nothing.
	In, Out int
	Cost    *float64 // USD; nil when the price of the model is not known
	Cached  bool     // set for an earlier answer to the same prompt, from disk
	// Redacted counts the secrets that were replaced in prompt and answer.
	Redacted redact.Counts
}

// Ask asks a model. It returns an error of the network or the server only after all retries, and a
// *[LengthError] for a prompt that is too long.
type Ask func(context.Context, Prompt) (Reply, error)

// A Request describes the notes to write.
type Request struct {
	Messages []*transcript.Message // oldest first; hidden ones and thinking are skipped
	Behind   []*transcript.Message // messages that stay behind the notes, whose state the notes must not contradict
	Previous string                // notes on earlier messages, to be continued; "" for none
	Focus    string                // the most important content, in the user's words; "" for none
	Prompt   string                // instructions that replace those for the sections; blank for the sections
	Latest   string                // the user's latest request, which need not be among Messages; "" for none
	Typed    bool                  // whether the notes must quote the user's messages, because nothing else holds them
	Room     int                   // tokens that the notes may have; 0 for 2,000
	Window   int                   // context window of the model in tokens; 0 for an unknown one, which counts as 32,000
}

// assumedWindow is the context window, in tokens, of a model whose window is not known. Servers of
// local models offer at least as much when they are set up for agents.
const assumedWindow = 32_000

const defaultRoom = 2_000

// A Result holds the notes and the cost of a request.
type Result struct {
	Text    string   // the notes; "" with an error
	Plan    Plan     // made before the first question
	Removed int      // removed lines, which quoted text outside the conversation
	Remarks []string // for people: where the notes fall short of the request
	Calls   int      // questions, repeated ones included
	Cached  int      // further questions, answered from disk
	In, Out int      // tokens of Calls
	Cost    *float64 // USD; nil when a price is not known
	// Redacted counts the secrets that were replaced in prompts and answers.
	Redacted redact.Counts
}

// A LengthError reports a prompt that is longer than the model's window.
type LengthError struct {
	Window int // context window in tokens, as the server counts them; 0 when it does not say
	Err    error
}

func (e *LengthError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the server.
func (e *LengthError) Unwrap() error { return e.Err }

// An AnswerError reports an answer that cannot be used, after a second try.
type AnswerError struct{ Reason string }

func (e *AnswerError) Error() string { return "the model's notes cannot be used: " + e.Reason }
