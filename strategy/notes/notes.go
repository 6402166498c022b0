// Package notes asks a model for notes that replace old messages, and checks them.
//
// [Write] sends the messages as fenced data, without tools, in one question or in parts that are merged.
// It refuses notes that are cut off, empty, not smaller than the messages, speak in a role or call a
// tool. It removes and counts lines that quote text outside the conversation. It cannot check
// statements in the model's own words, so that the caller labels the notes as a model's. [PlanOf]
// returns the questions for a dry run.
//
// An error of Write is an *[AnswerError], a *[WindowError], or that of Env.Ask or
// Env.Afford.
package notes

import (
	"context"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/redact"
)

// An Env holds everything impure that the package uses.
type Env struct {
	Ask    Ask
	Tokens func(string) int           // counts a text, roughly as the model does
	Price  func(in, out int) *float64 // USD for in and out tokens; nil, or a nil result, if not known
	Afford func(in, out int) error    // returns an error if a plan costs too much; nil for no limit
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
	Previous string                // notes on earlier messages, to be continued; "" for none
	Focus    string                // the most important content, in the user's words; "" for none
	Prompt   string                // instructions that replace those for the sections; blank for the sections
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

// Write asks a model for notes on the messages. It asks one question when they fit the window, and
// otherwise one for each part, oldest first, and then merges the answers. The Result is never nil: with
// an error it holds the cost so far.
func Write(ctx context.Context, env Env, req Request) (*Result, error) {
	w := newWork(env, req)
	s := w.result
	if err := w.split(); err != nil {
		return s, err
	}
	if s.Plan.Assumed {
		s.Remarks = append(s.Remarks, fmt.Sprintf("the model's context window is not known, %d tokens are assumed", assumedWindow))
	}
	if env.Afford != nil {
		if err := env.Afford(s.Plan.In, s.Plan.Out); err != nil {
			return s, err
		}
	}
	var parts []string
	for i, chunk := range w.chunks {
		text, err := w.ask(ctx, w.partPrompt(chunk, i), len(w.chunks) == 1)
		if err != nil {
			return s, err
		}
		parts = append(parts, text)
	}
	for len(parts) > 1 {
		var merged []string
		for from := 0; from < len(parts); from += w.fan {
			group := parts[from:min(from+w.fan, len(parts))]
			if len(group) == 1 { // a single part needs no merging
				merged = append(merged, group[0])
				continue
			}
			text, err := w.ask(ctx, w.mergePrompt(group), len(parts) <= w.fan)
			if err != nil {
				return s, err
			}
			merged = append(merged, text)
		}
		parts = merged
	}
	s.Text = parts[0]
	if w.tokens(s.Text) >= w.size {
		return s, &AnswerError{fmt.Sprintf("they are larger than what they replace: %d tokens, not less than %d", w.tokens(s.Text), w.size)}
	}
	return s, nil
}

// work holds the state of a request.
type work struct {
	env    Env
	req    Request
	result *Result
	source *source
	wishes string

	chunks []string // rendered messages, one text for each part
	fan    int      // number of parts that are merged at once
	size   int      // tokens of all rendered messages
}

// newWork renders the messages of a request.
func newWork(env Env, req Request) *work {
	if req.Room <= 0 {
		req.Room = defaultRoom
	}
	if strings.TrimSpace(req.Prompt) == "" {
		req.Prompt = ""
	}
	w := &work{env: env, req: req, result: &Result{}, source: newSource(req)}
	w.wishes = wishes(req.Messages)
	if env.Price != nil {
		w.result.Cost = env.Price(0, 0)
	}
	return w
}

func (w *work) tokens(text string) int { return w.env.Tokens(text) }

// ask asks a question, and repeats it once when the answer cannot be used. Notes that are not final may
// lack sections.
func (w *work) ask(ctx context.Context, p Prompt, final bool) (string, error) {
	for again := false; ; again = true {
		reply, err := w.env.Ask(ctx, p)
		if err != nil {
			return "", err
		}
		w.spend(reply)
		text, fault := judge(reply)
		var lacking []string
		if fault == "" && final && w.req.Prompt == "" {
			lacking = missing(text)
		}
		if fault == "" && (len(lacking) == 0 || again) {
			if len(lacking) > 0 {
				w.result.Remarks = append(w.result.Remarks, "the notes lack sections: "+strings.Join(lacking, ", "))
			}
			return w.verified(text)
		}
		if again {
			return "", &AnswerError{fault}
		}
		if fault == "" {
			fault = "sections were missing: " + strings.Join(lacking, ", ")
		}
		p.Text += "\n\nYour last answer could not be used: " + fault + ". Write the notes again, whole, as described, in fewer words."
	}
}

// verified returns notes without the lines that quote text outside the conversation.
func (w *work) verified(text string) (string, error) {
	text, removed := w.source.verify(text, w.req.Prompt == "")
	w.result.Removed += removed
	if text == "" {
		return "", &AnswerError{"nothing is left of them without what nobody said"}
	}
	return text, nil
}

// spend adds the cost of a reply to the result.
func (w *work) spend(r Reply) {
	s := w.result
	if r.Cached {
		s.Cached++
		return
	}
	s.Calls++
	s.Redacted.Add(r.Redacted)
	s.In += r.In
	s.Out += r.Out
	if s.Cost != nil && r.Cost != nil {
		sum := *s.Cost + *r.Cost
		s.Cost = &sum
	} else {
		s.Cost = nil
	}
}
