package notes

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/redact"
)

// A Plan lists the questions of a request before they are asked.
type Plan struct {
	Calls   []Call
	In, Out int      // largest numbers of tokens of all calls
	Cost    *float64 // largest cost in USD; nil when the price is not known
	Window  int      // context window in tokens
	Assumed bool     // set if Window is an assumption
	Sends   Contents // set by PlanOf
}

// Contents counts what the questions of a plan send besides their instructions.
type Contents struct {
	Typed, Injected, Instructions, Model int // texts, by who wrote them
	Calls, Results                       int
	Secrets                              redact.Counts // in all of them
}

// String returns the kinds with their counts, without the secrets: "3 typed texts and 1 call".
func (c Contents) String() string {
	var list []string
	for _, kind := range []struct {
		n          int
		one, other string
	}{
		{c.Instructions, "system prompt", "system prompts"}, {c.Typed, "typed text", "typed texts"},
		{c.Injected, "injected text", "injected texts"}, {c.Model, "text of the model", "texts of the model"},
		{c.Calls, "call", "calls"}, {c.Results, "result", "results"},
	} {
		if kind.n == 1 {
			list = append(list, "1 "+kind.one)
		} else if kind.n > 1 {
			list = append(list, transcript.Number(kind.n)+" "+kind.other)
		}
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
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
	w.plan.Sends = w.contents()
	return w.plan, err
}

// messages returns the messages without notes.
func (w *work) messages() (list []*transcript.Message) {
	for _, n := range w.left {
		list = append(list, n.message)
	}
	return list
}

// contents counts what the questions of the parts send.
func (w *work) contents() (c Contents) {
	for _, m := range append(w.messages(), w.req.Behind...) {
		for _, b := range m.Blocks {
			switch role := m.Role; {
			case m.Hidden, renderBlock(m, b) == "":
			case b.Kind == transcript.ToolCall:
				c.Calls++
			case b.Kind == transcript.ToolResult:
				c.Results++
			case b.Kind != transcript.Text:
			case role == transcript.Assistant:
				c.Model++
			case role == transcript.System:
				c.Instructions++
			case b.Origin == transcript.Typed:
				c.Typed++
			default:
				c.Injected++
			}
		}
	}
	for i, part := range w.chunks {
		p := w.partPrompt(part.text, i)
		for _, text := range []string{p.System, p.Text} {
			_, counts := redact.Text(text)
			c.Secrets.Add(counts)
		}
	}
	return c
}

// A WindowError reports a window that leaves no room for messages.
type WindowError struct{ Window, Needed int }

func (e *WindowError) Error() string {
	return fmt.Sprintf("the model's window of %d tokens is too small: at least %d are needed", e.Window, e.Needed)
}

// smallest is the least number of tokens of messages in a question.
const smallest = 1_000

// split cuts the messages without notes at their borders into parts that fit the window, and makes the
// plan for them. A message that is larger than a part is shortened.
func (w *work) split() error {
	w.plan = Plan{Window: w.window, Assumed: w.req.Window <= 0 && w.shrunk == 0}
	frame := w.partPrompt("", 0)
	overhead := w.tokens(frame.System) + w.tokens(frame.Text) + frame.MaxTokens + w.answerTokens() + againTokens
	// A tenth stays free: the model's tokenizer may count more, and servers add framing.
	capacity := w.window*9/10 - overhead
	largest := w.room
	for _, part := range w.parts { // written while more room was assumed
		largest = max(largest, w.tokens(part))
	}
	pair := 2 * (largest + fenceTokens)
	if capacity < smallest {
		return &WindowError{w.window, windowFor(overhead + max(smallest, min(w.size, pair)))}
	}
	w.chunks = nil
	var texts []string
	held := 0
	for _, n := range w.left {
		if n.tokens > capacity {
			n = w.shortened(n, capacity)
		}
		if held+n.tokens > capacity && len(texts) > 0 {
			w.chunks = append(w.chunks, chunk{strings.Join(texts, "\n"), len(texts)})
			texts, held = nil, 0
		}
		texts, held = append(texts, n.text), held+n.tokens
	}
	if len(texts) > 0 {
		w.chunks = append(w.chunks, chunk{strings.Join(texts, "\n"), len(texts)})
	}
	w.partsOf = len(w.parts) + len(w.chunks)
	w.fan = capacity / (largest + fenceTokens)
	switch {
	case w.partsOf == 0:
		return &AnswerError{"there are no messages to write about"}
	case w.partsOf > 1 && w.fan < 2: // merged parts have to fit, too
		return &WindowError{w.window, windowFor(overhead + pair)}
	}
	w.list()
	return nil
}

// shortened returns a message with at most a number of tokens.
func (w *work) shortened(n numbered, tokens int) numbered {
	if w.env.Shorten != nil {
		if m := w.env.Shorten(n.message, tokens-w.tokens(n.head)-1); m != nil {
			n.message, n.text = m, n.head+render(m)
			n.tokens = w.tokens(n.text) + 1
		}
	}
	if n.tokens > tokens {
		n.text = withoutMiddle(n.text, tokens, n.tokens)
		n.tokens = w.tokens(n.text) + 1
	}
	return n
}

// mostOfAnAnswer limits the tokens of an answer that cannot be used, where the exchange is continued.
const mostOfAnAnswer = 1_000

func (w *work) answerTokens() int { return min(w.room/2, mostOfAnAnswer) }

// againTokens limits the tokens of the question that follows such an answer.
const againTokens = 120

// windowFor returns the window whose nine tenths hold a number of tokens.
func windowFor(tokens int) int { return tokens*10/9 + 1 }

// fenceTokens limits the tokens of the lines around the notes of a part.
const fenceTokens = 60

// list adds the questions to the plan: one for each part, then those that merge as many parts as fit,
// until one part is left.
func (w *work) list() {
	if w.env.Price != nil {
		w.plan.Cost = w.env.Price(0, 0)
	}
	for i, c := range w.chunks {
		i += len(w.parts)
		p := w.partPrompt(c.text, i)
		w.planned(fmt.Sprintf("part %d of %d", i+1, w.partsOf), w.tokens(p.System)+w.tokens(p.Text))
	}
	frame := w.mergePrompt(nil)
	fixed := w.tokens(frame.System) + w.tokens(frame.Text)
	for n := w.partsOf; n > 1; n = (n + w.fan - 1) / w.fan {
		for from := 0; from < n; from += w.fan {
			if k := min(w.fan, n-from); k > 1 {
				w.planned(fmt.Sprintf("merging %d parts", k), fixed+k*(w.room+fenceTokens))
			}
		}
	}
}

// planned adds a question with a prompt of in tokens to the plan.
func (w *work) planned(what string, in int) {
	plan := &w.plan
	call := Call{What: what, In: in, Out: w.maxTokens()}
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

// withoutMiddle returns a text without its middle if tokens, the size of the text, exceeds the capacity.
func withoutMiddle(text string, capacity, tokens int) string {
	if tokens <= capacity {
		return text
	}
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
