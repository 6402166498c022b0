// Package summary has a model write the notes that stand in for old messages,
// and trusts it with nothing.
//
// The messages go in as fenced data, without tools; what comes out is checked: it
// must have its sections, must not be cut, empty or larger than what it replaces,
// must not speak in a role or call a tool, and what it quotes must have been said.
// What was not said is taken out and counted. Words that a model puts in its own
// voice cannot be checked: whoever places the notes labels them as a model's.
package summary

import (
	"context"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/redact"
)

// Env is what a summary is made with.
type Env struct {
	Ask    Ask
	Tokens func(string) int           // counts a text, roughly as the model does
	Price  func(in, out int) *float64 // USD of so many tokens; nil, or a nil result: not known
	Afford func(in, out int) error    // refuses what a plan costs before the first question; nil: nothing is refused
}

// Request says what to summarise, and how.
type Request struct {
	Messages []*transcript.Message // oldest first; hidden ones and thinking are passed over
	Previous string                // notes on what came before them, to be carried on; ""
	Focus    string                // what to keep above all, in the user's words; ""
	Prompt   string                // instructions in place of those for the sections; blank: the sections
	Room     int                   // tokens that the notes may have; 0: 2,000
	Window   int                   // context window of the model in tokens; 0: unknown, AssumedWindow is taken
}

// AssumedWindow is taken for a model of which the window is not known: what
// servers of local models offer at least when they are set up for agents.
const AssumedWindow = 32_000

const defaultRoom = 2_000

// Summary is what came of a request.
type Summary struct {
	Text    string   // the notes
	Plan    Plan     // as it was before the first question
	Removed int      // lines that quoted what nobody had said
	Notes   []string // for people: what is less than asked for
	Calls   int      // questions, with those asked again
	Cached  int      // further questions, whose answers came from disk
	In, Out int      // tokens of Calls
	Cost    *float64 // USD; nil when a price is not known
	// Redacted are the secrets that were replaced in what was sent and came back.
	Redacted redact.Counts
}

// Fault is an answer that cannot be used, after one more try.
type Fault struct{ Reason string }

func (e *Fault) Error() string { return "the model's notes cannot be used: " + e.Reason }

// Summarize has notes written on the messages: in one question when they fit the
// window, else in parts, oldest first, that are then merged. An error is a *Fault,
// a *WindowError, or the error of Env.Ask or Env.Afford; what was spent until then
// is in the Summary, which is never nil.
func Summarize(ctx context.Context, env Env, req Request) (*Summary, error) {
	w := newWork(env, req)
	s := w.summary
	if err := w.split(); err != nil {
		return s, err
	}
	if s.Plan.Assumed {
		s.Notes = append(s.Notes, fmt.Sprintf("the model's context window is not known, %d tokens are assumed", AssumedWindow))
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
			if len(group) == 1 { // nothing to merge it with
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
		return s, &Fault{fmt.Sprintf("they are larger than what they replace: %d tokens, not less than %d", w.tokens(s.Text), w.size)}
	}
	return s, nil
}

// work is one request being done.
type work struct {
	env     Env
	req     Request
	summary *Summary
	source  *source
	wishes  string

	chunks []string // rendered messages, one text for each part
	fan    int      // parts that are merged at once
	size   int      // tokens of all messages, rendered
}

func newWork(env Env, req Request) *work {
	if req.Room <= 0 {
		req.Room = defaultRoom
	}
	if strings.TrimSpace(req.Prompt) == "" {
		req.Prompt = ""
	}
	w := &work{env: env, req: req, summary: &Summary{}, source: newSource(req)}
	w.wishes = wishes(req.Messages)
	if env.Price != nil {
		w.summary.Cost = env.Price(0, 0)
	}
	return w
}

func (w *work) tokens(text string) int { return w.env.Tokens(text) }

// ask puts a question, judges the answer, and asks once more when it is not what
// it should be. Of notes that are not final, sections may be missing.
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
				w.summary.Notes = append(w.summary.Notes, "the notes lack sections: "+strings.Join(lacking, ", "))
			}
			return w.verified(text)
		}
		if again {
			return "", &Fault{fault}
		}
		if fault == "" {
			fault = "sections were missing: " + strings.Join(lacking, ", ")
		}
		p.Text += "\n\nYour last answer could not be used: " + fault + ". Write the notes again, whole, as described, in fewer words."
	}
}

// verified takes out of notes what they quote and nobody said.
func (w *work) verified(text string) (string, error) {
	text, removed := w.source.verify(text, w.req.Prompt == "")
	w.summary.Removed += removed
	if text == "" {
		return "", &Fault{"nothing is left of them without what nobody said"}
	}
	return text, nil
}

func (w *work) spend(r Reply) {
	s := w.summary
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
