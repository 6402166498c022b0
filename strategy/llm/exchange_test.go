package llm

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"condense/strategy/notes"
)

// TestRefusal checks that a refusal is returned as one, and is not cached.
func TestRefusal(t *testing.T) {
	refuses := says(200, `{"choices":[{"message":{"refusal":"I will not"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}}`)
	s := serve(t, refuses)
	c, _ := s.client(t, func(c *Config) { c.Cache = t.TempDir() })
	for range 2 {
		reply, err := c.Ask(t.Context(), question())
		if err != nil || !reply.Refused || reply.Text != "I will not" || reply.In != 9 || reply.Cached {
			t.Errorf("got %+v, %v", reply, err)
		}
	}
}

// TestExchange checks that a second question holds the first one, its answer and what
// follows, each in its role and without secrets, and that it is an entry of its own in
// the cache.
func TestExchange(t *testing.T) {
	const secret = "postgres://gauge:k9Lw2x7Qr5@db.example/valves"
	s := serve(t, well("OK."), well("the notes"))
	c, _ := s.client(t, func(c *Config) { c.Cache = t.TempDir() })
	p := question()
	if _, err := c.Ask(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	p.Answer, p.Again = "It is at "+secret, "Once more, without "+secret
	reply, err := c.Ask(t.Context(), p)
	if err != nil || reply.Text != "the notes" || reply.Redacted.Total() != 2 {
		t.Errorf("got %+v, %v", reply, err)
	}
	var sent []string
	for _, m := range s.asked()[1].fields["messages"].([]any) {
		m := m.(map[string]any)
		sent = append(sent, fmt.Sprintf("%s: %.10s", m["role"], m["content"]))
	}
	if got, want := strings.Join(sent, "; "), "system: be short; user: what was s; assistant: It is at p; user: Once more,"; got != want {
		t.Errorf("sent %s", got)
	}
	if strings.Contains(s.asked()[1].body, "k9Lw2x7Qr5") {
		t.Error("a secret was sent")
	}
}

// TestTemperature checks that the temperature is sent, and that an answer of another
// temperature is not taken from the cache.
func TestTemperature(t *testing.T) {
	s := serve(t, well("done"))
	cache := t.TempDir()
	for i, want := range []float64{0, 0.5} {
		c, _ := s.client(t, func(c *Config) { c.Cache, c.Temperature = cache, want })
		if _, err := c.Ask(t.Context(), question()); err != nil || len(s.asked()) != i+1 {
			t.Fatalf("asked %d times, %v", len(s.asked()), err)
		}
		if got, ok := s.asked()[i].fields["temperature"].(float64); !ok || got-want > 1e-6 || got < want {
			t.Errorf("sent %v, want %v", got, want)
		}
	}
	for _, wrong := range []float64{-1, 2.5} {
		var fault *ConfigError
		if _, err := New(Config{Model: "m", Temperature: wrong}); !errors.As(err, &fault) {
			t.Errorf("%v: got %v", wrong, err)
		}
	}
}

// TestTooLong checks that the reports of servers about a prompt that is too long are
// recognised, with the window that they name, and that other failures are not.
func TestTooLong(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		window int // -1: not too long
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 8192},
		{"OpenAI, newer", 400, `{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens.","code":"context_length_exceeded"}}`, 0},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).","code":400}`, 4096},
		{"vLLM, of the answer", 400, `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 3000. This model's maximum context length is 4096 tokens and your request has 2000 input tokens (3000 > 4096 - 2000)."}}`, 4096},
		{"llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`, 4096},
		{"LM Studio", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`, 4096},
		{"Anthropic", 400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, 200000},
		{"Google", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, 1048576},
		{"Mistral", 400, `{"message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}`, 32768},
		{"xAI", 400, `{"error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`, 131072},
		{"a router", 200, `{"error":{"message":"This endpoint's maximum context length is 32,768 tokens.","code":400}}`, 32768},
		{"413", 413, `{"error":{"message":"Please reduce the length of the messages or completion."}}`, 0},
		{"busy", 503, `{"error":{"message":"maximum context length"}}`, -1},
		{"no such field", 400, `{"error":{"message":"unknown field context"}}`, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, says(tt.status, tt.body))
			c, _ := s.client(t, func(c *Config) { c.Retries = 0 })
			_, err := c.Ask(t.Context(), question())
			var long *notes.LengthError
			var failure *Error
			if !errors.As(err, &failure) || errors.As(err, &long) != (tt.window >= 0) || long != nil && long.Window != tt.window {
				t.Errorf("got %v, %+v", err, long)
			}
			if len(s.asked()) != 1 {
				t.Errorf("asked %d times", len(s.asked()))
			}
		})
	}
}

// TestOther checks that clients of two models share the limit of cost, and are counted
// together.
func TestOther(t *testing.T) {
	s := serve(t, says(503, ""), well("done"))
	price := &Price{Input: 1, Output: 10} // 500 tokens out: $0.005
	c, _ := s.client(t, func(c *Config) { c.Retries, c.MaxCost, c.Price = 0, 0.0055, price })
	other, err := c.Other("n", &Price{Input: 1, Output: 10}, c.cfg.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), question()); err == nil || c.Answered() {
		t.Fatalf("got %v", err)
	}
	if _, err := other.Ask(t.Context(), question()); err != nil || !other.Answered() || c.Answered() {
		t.Fatalf("got %v", err)
	}
	if s.asked()[1].fields["model"] != "n" || s.asked()[1].header.Get("Authorization") != "Bearer "+testKey {
		t.Errorf("sent %v", s.asked()[1])
	}
	both := c.Spent()
	if own := other.Spent(); both.Calls != 1 || both.Out != 20 || *both.Cost != *own.Cost {
		t.Errorf("spent %+v and %+v", both, own)
	}
	for _, c := range []*Client{c, other} {
		var dear *CostError
		p := question()
		p.MaxTokens = 530 // with the cost so far it exceeds the limit
		if _, err := c.Ask(t.Context(), p); !errors.As(err, &dear) {
			t.Errorf("got %v", err)
		}
	}
	if len(s.asked()) != 2 {
		t.Errorf("asked %d times", len(s.asked()))
	}
	if _, err := c.Other("no price", nil, c.cfg.Tokens); err == nil {
		t.Error("a model without a price was accepted in spite of the limit")
	}
}

// TestUsageInStreams checks that usage is asked for in streams, and no more where the
// server does not know the field.
func TestUsageInStreams(t *testing.T) {
	unknown := says(400, `{"error":{"message":"stream_options: extra fields not permitted"}}`)
	s := serve(t, unknown, stream(piece("done", "stop"), "data: [DONE]"))
	c, _ := s.client(t, func(c *Config) { c.Stream, c.Retries = true, 0 })
	for range 2 {
		if reply, err := c.Ask(t.Context(), question()); err != nil || reply.Text != "done" || reply.Out == 0 {
			t.Fatalf("got %+v, %v", reply, err)
		}
	}
	asked := s.asked()
	if options, _ := asked[0].fields["stream_options"].(map[string]any); options["include_usage"] != true {
		t.Errorf("sent %v", asked[0].fields)
	}
	if len(asked) != 3 || asked[1].fields["stream_options"] != nil || asked[2].fields["stream_options"] != nil {
		t.Errorf("asked %d times", len(asked))
	}
}
