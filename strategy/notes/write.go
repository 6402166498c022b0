package notes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
)

// Write asks a model for notes on the messages. It asks one question when they fit the window, and
// otherwise one for each part, oldest first, and then merges the answers. When the server reports that a
// prompt is too long, the messages without notes are split again into smaller parts. The Result is never
// nil: with an error it holds the cost so far.
func Write(ctx context.Context, env Env, req Request) (*Result, error) {
	w := newWork(env, req)
	s := w.result
	err := w.split()
	s.Plan = w.plan
	if err == nil && s.Plan.Assumed {
		s.Remarks = append(s.Remarks, fmt.Sprintf("the model's context window is not known, %d tokens are assumed", assumedWindow))
	}
	for err == nil {
		if err = w.afford(); err == nil {
			err = w.write(ctx)
		}
		var long *LengthError
		if !errors.As(err, &long) || !w.shrink(long) {
			break
		}
		err = w.split()
	}
	if err != nil {
		return s, err
	}
	text := w.parts[0]
	if w.tokens(text) >= w.size {
		return s, &AnswerError{fmt.Sprintf("they are larger than what they replace: %d tokens, not less than %d", w.tokens(text), w.size)}
	}
	s.Text = text
	return s, nil
}

// work holds the state of a request.
type work struct {
	env       Env
	req       Request
	result    *Result
	originals *originals
	wishes    string

	window  int    // context window of the model, in tokens
	room    int    // tokens that the notes may have
	behind  string // what questions show of the messages behind the notes
	shrunk  int    // number of reports that a prompt was too long
	size    int    // tokens of all messages
	plan    Plan
	left    []numbered // messages without notes, oldest first
	chunks  []chunk    // those messages as texts for questions
	parts   []string   // notes so far, oldest first
	fan     int        // number of parts that are merged at once
	partsOf int        // number of parts altogether, before they are merged
}

// numbered is a message with the line that stands above it.
type numbered struct {
	message *transcript.Message
	head    string
	text    string // with the head
	tokens  int
}

// chunk is the text of adjacent messages for one question.
type chunk struct {
	text     string
	messages int
}

// newWork renders the messages of a request.
func newWork(env Env, req Request) *work {
	if req.Room <= 0 {
		req.Room = defaultRoom
	}
	if strings.TrimSpace(req.Prompt) == "" {
		req.Prompt = ""
	}
	w := &work{env: env, req: req, result: &Result{}, originals: newOriginals(req), room: req.Room, window: req.Window}
	if w.window <= 0 {
		w.window = assumedWindow
	}
	w.wishes = wishes(req.Messages)
	w.behind = w.shownBehind()
	if env.Price != nil {
		w.result.Cost = env.Price(0, 0)
	}
	for _, m := range req.Messages {
		text := render(m)
		if m.Hidden || text == "" {
			continue
		}
		n := numbered{message: m, head: fmt.Sprintf("%s %d, %s\n", messageLine, len(w.left)+1, m.Role)}
		n.text = n.head + text
		n.tokens = w.tokens(n.text) + 1
		w.left = append(w.left, n)
		w.size += n.tokens
	}
	return w
}

func (w *work) tokens(text string) int { return w.env.Tokens(text) }

// afford returns an error if the questions of the plan cost too much.
func (w *work) afford() error {
	if w.env.Afford == nil {
		return nil
	}
	return w.env.Afford(w.plan.In, w.plan.Out)
}

// write asks the questions that are left, and merges the notes until one part is left.
func (w *work) write(ctx context.Context) error {
	for len(w.chunks) > 0 {
		c := w.chunks[0]
		text, err := w.ask(ctx, w.partPrompt(c.text, len(w.parts)), w.partsOf == 1, w.least(w.tokens(c.text)))
		if err != nil {
			return err
		}
		w.parts, w.left, w.chunks = append(w.parts, text), w.left[c.messages:], w.chunks[1:]
	}
	for len(w.parts) > 1 {
		for at := 0; at < len(w.parts); at++ {
			group := w.parts[at:min(at+w.fan, len(w.parts))]
			if len(group) == 1 { // a single part needs no merging
				continue
			}
			text, err := w.ask(ctx, w.mergePrompt(group), len(group) == len(w.parts), w.least(w.size))
			if err != nil {
				return err
			}
			w.parts = slices.Replace(w.parts, at, at+len(group), text)
		}
	}
	return nil
}

// most is the number of times that the parts of a request may be made smaller.
const most = 5

// shrink lowers the window after a report that a prompt is too long. It reports whether another try
// makes sense.
func (w *work) shrink(e *LengthError) bool {
	w.shrunk++
	switch {
	case w.shrunk > most:
		return false
	case e.Window <= 0:
		w.window /= 2
	case e.Window < w.window:
		w.window = e.Window
	default: // the server counts more tokens than we do
		w.window = w.window * 2 / 3
	}
	w.room = min(w.room, max(leastRoom, w.window/roomOfAWindow))
	w.result.Remarks = append(w.result.Remarks, fmt.Sprintf("a question was longer than the model's window; smaller parts were sent, for a window of %d tokens", w.window))
	return true
}

// When the server reports a smaller window, notes may have this part of it, but at least leastRoom
// tokens.
const (
	roomOfAWindow = 8
	leastRoom     = 120
)

// ask asks a question. When the answer cannot be used, it continues the exchange once: the second prompt
// begins with the question and the answer. final is set for the notes that are the result,
// and least is the number of tokens that they must have besides headings.
func (w *work) ask(ctx context.Context, p Prompt, final bool, least int) (string, error) {
	var best *judged
	for {
		reply, err := w.env.Ask(ctx, p)
		if err != nil && (best == nil || ctx.Err() != nil) {
			return "", err
		}
		if err == nil {
			w.spend(reply)
			j := w.judge(reply, final, least)
			if j.usable && (best == nil || len(j.lacking) <= len(best.lacking)) {
				best = &j
			}
			if j.problem != "" && p.Again == "" {
				p.Answer = withoutMiddle(reply.Text, w.answerTokens(), w.tokens(reply.Text))
				p.Again = "That answer cannot be used: " + j.problem + ". Write the notes again, whole, as described above."
				continue
			}
			if best == nil {
				return "", &AnswerError{j.problem}
			}
		}
		if len(best.lacking) > 0 {
			w.result.Remarks = append(w.result.Remarks, "the notes lack sections: "+strings.Join(best.lacking, ", "))
		}
		w.result.Removed += best.removed
		return best.text, nil
	}
}

// Add adds the cost of an earlier request.
func (s *Result) Add(earlier *Result) {
	s.Calls += earlier.Calls
	s.Cached += earlier.Cached
	s.In += earlier.In
	s.Out += earlier.Out
	s.Redacted.Add(earlier.Redacted)
	s.Cost = sum(s.Cost, earlier.Cost)
}

// sum returns the sum of two costs; nil when one of them is not known.
func sum(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	both := *a + *b
	return &both
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
	s.Cost = sum(s.Cost, r.Cost)
}
