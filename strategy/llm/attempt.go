package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sashabaranov/go-openai"

	"condense/strategy/notes"
)

// shape is the form of request that a server or a model accepts.
type shape struct {
	completion bool // max_completion_tokens instead of max_tokens
	fixed      bool // temperature and seed must be left out
	thinks     bool // thinking is part of the tokens of the answer
	silent     bool // usage must not be asked for in a stream
}

// thinkingRoom is the number of tokens for the thinking of a model, besides those of
// the answer.
const thinkingRoom = 8192

// shapeOf returns the shape for a model by its name, as OpenAI defines it. The client learns from
// errors what other servers accept.
func shapeOf(model string) shape {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(name, prefix) {
			return shape{completion: true, fixed: true, thinks: true}
		}
	}
	return shape{}
}

// room returns the number of tokens that the answer may have, thinking included; 0: no
// limit.
func (c *Client) room(p notes.Prompt) int {
	if p.MaxTokens > 0 && shapeOf(c.cfg.Model).thinks {
		return p.MaxTokens + thinkingRoom
	}
	return p.MaxTokens
}

// adapt changes the shape after an error that names what the server does not accept of
// the shape that was sent. It reports whether there is another shape to try; a
// concurrent question may have found it already.
func (c *Client) adapt(e *Error, sent shape) bool {
	if e.Status != 400 && e.Status != 422 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch s := &c.shape; {
	case *s != sent:
	case strings.Contains(e.Message, "max_completion_tokens") && !s.completion:
		s.completion = true
	case strings.Contains(e.Message, "max_completion_tokens") && !s.thinks:
		s.completion = false
	case (strings.Contains(e.Message, "temperature") || strings.Contains(e.Message, "seed")) && !s.fixed:
		s.fixed = true
	case (strings.Contains(e.Message, "stream_options") || strings.Contains(e.Message, "include_usage")) && !s.silent:
		s.silent = true
	default:
		return false
	}
	return true
}

// known returns the shape that is known so far.
func (c *Client) known() shape {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shape
}

func (c *Client) request(p notes.Prompt, s shape) openai.ChatCompletionRequest {
	req := openai.ChatCompletionRequest{
		Model: c.cfg.Model,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: p.System},
			{Role: openai.ChatMessageRoleUser, Content: p.Text},
		},
	}
	if p.Again != "" {
		req.Messages = append(req.Messages,
			openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: p.Answer},
			openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: p.Again})
	}
	if !s.fixed {
		seed := 1
		// The library omits 0, and servers then use 1.
		req.Temperature = max(math.SmallestNonzeroFloat32, float32(c.cfg.Temperature))
		req.Seed = &seed
	}
	if s.completion {
		req.MaxCompletionTokens = c.room(p)
	} else {
		//lint:ignore SA1019 old servers of local models know no other name for it
		req.MaxTokens = c.room(p)
	}
	if c.cfg.Stream && !s.silent {
		req.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	return req
}

// attempt asks once, with a shape.
func (c *Client) attempt(parent context.Context, p notes.Prompt, s shape) (answer, error) {
	ctx, abandon := context.WithCancelCause(parent)
	defer abandon(nil)
	ctx, stop := context.WithTimeoutCause(ctx, c.cfg.Timeout, errTimeout)
	defer stop()
	conf := openai.DefaultConfig(c.cfg.Key)
	conf.BaseURL = c.base
	conf.HTTPClient = &wire{c: c, abandon: abandon, stream: c.cfg.Stream}
	conf.EmptyMessagesLimit = 1 << 20 // comments that keep a connection alive
	ask := c.whole
	if c.cfg.Stream {
		ask = c.pieces
	}
	a, err := ask(ctx, openai.NewClientWithConfig(conf), c.request(p, s))
	if err != nil {
		return answer{}, c.explain(ctx, err)
	}
	return a, nil
}

// explain returns the *Error for a failed attempt.
func (c *Client) explain(ctx context.Context, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var api *openai.APIError
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTooLong):
		return &Error{Message: fmt.Sprintf("%v: over %d bytes", errTooLong, maxBody)}
	case errors.Is(cause, errIdle), errors.Is(cause, errTimeout):
		return &Error{Message: cause.Error(), retry: true}
	case errors.As(err, &api): // in the middle of a stream
		return &Error{Message: c.scrub(api.Message), retry: true}
	}
	return &Error{Message: c.scrub(err.Error()), retry: true}
}

// answer is the answer of a server, before it is judged.
type answer struct {
	text, refusal string
	tools         bool
	finish        openai.FinishReason
	in, out       int
}

// whole asks for the answer in one piece.
func (c *Client) whole(ctx context.Context, client *openai.Client, req openai.ChatCompletionRequest) (answer, error) {
	resp, err := client.CreateChatCompletion(ctx, req)
	if err != nil {
		return answer{}, err
	}
	if len(resp.Choices) == 0 {
		return answer{}, &Error{Message: "the answer has no choices", retry: true}
	}
	m := resp.Choices[0].Message
	return answer{
		text: m.Content, refusal: m.Refusal, tools: len(m.ToolCalls) > 0 || m.FunctionCall != nil,
		finish: resp.Choices[0].FinishReason, in: resp.Usage.PromptTokens, out: resp.Usage.CompletionTokens,
	}, nil
}

// pieces asks for the answer as a stream. The answer is complete when a reason to
// finish arrived: the library ends an interrupted stream like a complete one.
func (c *Client) pieces(ctx context.Context, client *openai.Client, req openai.ChatCompletionRequest) (answer, error) {
	stream, err := client.CreateChatCompletionStream(ctx, req)
	if err != nil {
		return answer{}, err
	}
	defer stream.Close()
	var a answer
	var text, refusal strings.Builder
	for {
		raw, err := stream.RecvRaw()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return answer{}, err
		}
		if hasError(raw) {
			e := c.failed(200, nil, raw)
			e.retry = e.retry || !e.quota
			return answer{}, e
		}
		var chunk openai.ChatCompletionStreamResponse
		if err := json.Unmarshal(raw, &chunk); err != nil {
			return answer{}, &Error{Message: "a piece of the answer is not JSON", retry: true}
		}
		if chunk.Usage != nil {
			a.in, a.out = chunk.Usage.PromptTokens, chunk.Usage.CompletionTokens
		}
		if len(chunk.Choices) == 0 { // the last one, with the usage
			continue
		}
		choice := chunk.Choices[0]
		text.WriteString(choice.Delta.Content)
		refusal.WriteString(choice.Delta.Refusal)
		a.tools = a.tools || len(choice.Delta.ToolCalls) > 0
		if choice.FinishReason != "" && choice.FinishReason != openai.FinishReasonNull {
			a.finish = choice.FinishReason
		}
	}
	if a.finish == "" {
		return answer{}, &Error{Message: "the answer was cut off before its end", retry: true}
	}
	a.text, a.refusal = text.String(), refusal.String()
	return a, nil
}

// reply returns the usable part of an answer, or an *Error.
func (a answer) reply() (notes.Reply, error) {
	text := withoutThinking(a.text)
	cut := a.finish == openai.FinishReasonLength
	switch {
	case a.refusal != "":
		return notes.Reply{Text: a.refusal, Refused: true, In: a.in, Out: a.out}, nil
	case a.finish == openai.FinishReasonContentFilter:
		return notes.Reply{}, &Error{Message: "the provider's filter held the answer back"}
	case a.tools:
		return notes.Reply{}, &Error{Message: "the model calls a tool, and there is none"}
	case text == "" && cut:
		return notes.Reply{}, &Error{Message: "the model used all of its tokens for thinking"}
	case text == "":
		return notes.Reply{}, &Error{Message: "the answer is empty", retry: true}
	}
	return notes.Reply{Text: text, Cut: cut, In: a.in, Out: a.out}, nil
}

// withoutThinking removes the thinking that local models write before their answer:
// <think>…</think>. Some templates leave only the end of it, and some interrupted
// answers only the start.
func withoutThinking(text string) string {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		begin, end := "<"+tag+">", "</"+tag+">"
		head, rest, closed := strings.Cut(text, end)
		switch {
		case closed && strings.HasPrefix(head, begin), closed && !strings.Contains(head, begin) && strings.HasPrefix(rest+"\n", "\n"):
			return withoutThinking(rest)
		case strings.HasPrefix(text, begin):
			return ""
		}
	}
	return text
}
