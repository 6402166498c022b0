package notes

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Plan lists the questions of a request before they are asked.
type Plan struct {
	Calls   []Call
	In, Out int      // largest numbers of tokens of all calls
	Cost    *float64 // largest cost in USD; nil when the price is not known
	Window  int      // context window in tokens
	Assumed bool     // reports whether Window is an assumption
}

// A Call is one question of a plan.
type Call struct {
	What    string // "part 2 of 3", "merging 3 parts"
	In, Out int    // largest numbers of tokens
	Cost    *float64
}

// PlanOf returns the plan of a request. It asks no question.
func PlanOf(env Env, req Request) (Plan, error) {
	w := newWork(env, req)
	err := w.split()
	return w.result.Plan, err
}

// A WindowError reports a window that leaves no room for messages.
type WindowError struct{ Window, Needed int }

func (e *WindowError) Error() string {
	return fmt.Sprintf("the model's window of %d tokens is too small: at least %d are needed", e.Window, e.Needed)
}

// smallest is the least number of tokens of messages in a question.
const smallest = 1_000

// split cuts the messages at their borders into parts that fit the window, and makes the plan.
func (w *work) split() error {
	plan := &w.result.Plan
	plan.Window = w.req.Window
	if plan.Window <= 0 {
		plan.Window, plan.Assumed = assumedWindow, true
	}
	frame := w.partPrompt("", 0)
	overhead := w.tokens(frame.System) + w.tokens(frame.Text) + w.req.Room
	// A tenth stays free: the model's tokenizer may count more, and servers add framing.
	capacity := plan.Window*9/10 - overhead
	if capacity < smallest {
		return &WindowError{plan.Window, windowFor(overhead + smallest)}
	}
	w.fan = capacity / (w.req.Room + fenceTokens)
	var chunk []string
	held, number := 0, 0
	for _, m := range w.req.Messages {
		text := render(m)
		if m.Hidden || text == "" {
			continue
		}
		number++
		text = fmt.Sprintf("%s %d, %s\n%s", messageLine, number, m.Role, text)
		n := w.tokens(text) + 1
		if n > capacity {
			text = withoutMiddle(text, capacity, n)
			n = w.tokens(text) + 1
		}
		if held+n > capacity && len(chunk) > 0 {
			w.chunks = append(w.chunks, strings.Join(chunk, "\n"))
			chunk, held = nil, 0
		}
		chunk, held = append(chunk, text), held+n
		w.size += n
	}
	if len(chunk) > 0 {
		w.chunks = append(w.chunks, strings.Join(chunk, "\n"))
	}
	pair := 2 * (w.req.Room + fenceTokens)
	switch {
	case len(w.chunks) == 0:
		return &AnswerError{"there are no messages to write about"}
	case len(w.chunks) > 1 && capacity < pair: // merged parts have to fit, too
		return &WindowError{plan.Window, windowFor(overhead + pair)}
	}
	w.plan(plan)
	return nil
}

// windowFor returns the window whose nine tenths hold a number of tokens.
func windowFor(tokens int) int { return tokens*10/9 + 1 }

// fenceTokens limits the tokens of the lines around the notes of a part.
const fenceTokens = 60

// plan lists the questions: one for each part, then those that merge as many parts as fit, until one is
// left.
func (w *work) plan(plan *Plan) {
	if w.env.Price != nil {
		plan.Cost = w.env.Price(0, 0)
	}
	for i, chunk := range w.chunks {
		p := w.partPrompt(chunk, i)
		what := fmt.Sprintf("part %d of %d", i+1, len(w.chunks))
		w.planned(plan, what, w.tokens(p.System)+w.tokens(p.Text))
	}
	frame := w.mergePrompt(nil)
	fixed := w.tokens(frame.System) + w.tokens(frame.Text)
	for n := len(w.chunks); n > 1; n = (n + w.fan - 1) / w.fan {
		for from := 0; from < n; from += w.fan {
			if k := min(w.fan, n-from); k > 1 {
				w.planned(plan, fmt.Sprintf("merging %d parts", k), fixed+k*(w.req.Room+fenceTokens))
			}
		}
	}
}

func (w *work) planned(plan *Plan, what string, in int) {
	call := Call{What: what, In: in, Out: w.req.Room}
	if w.env.Price != nil {
		call.Cost = w.env.Price(call.In, call.Out)
	}
	if plan.Cost != nil && call.Cost != nil {
		sum := *plan.Cost + *call.Cost
		plan.Cost = &sum
	}
	plan.Calls = append(plan.Calls, call)
	plan.In += call.In
	plan.Out += call.Out
}

// withoutMiddle removes the middle of a message that is larger than a whole part.
func withoutMiddle(text string, capacity, tokens int) string {
	keep := int(float64(len(text)) * float64(capacity) / float64(tokens) * 0.9)
	head, tail := keep/2, len(text)-keep/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes omitted]\n%s", text[:head], tail-head, text[tail:])
}
