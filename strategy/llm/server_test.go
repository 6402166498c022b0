package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"condense/strategy/notes"
)

// server is a model that answers as a test prescribes: one turn for each request, and
// the last turn for all further ones.
type server struct {
	*httptest.Server
	turns []turn

	mu       sync.Mutex
	requests []seen
}

// A turn is the server's reaction to one request.
type turn func(w http.ResponseWriter, r *http.Request)

// seen is a request that arrived.
type seen struct {
	path   string
	header http.Header
	body   string
	fields map[string]any
}

func serve(t *testing.T, turns ...turn) *server {
	t.Helper()
	s := &server{turns: turns}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got := seen{path: r.URL.Path, header: r.Header.Clone(), body: string(body)}
		if err := json.Unmarshal(body, &got.fields); err != nil {
			t.Errorf("a request is not JSON: %v", err)
		}
		s.mu.Lock()
		s.requests = append(s.requests, got)
		turn := s.turns[min(len(s.requests), len(s.turns))-1]
		s.mu.Unlock()
		turn(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *server) asked() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// says is a turn that answers with a status and a body, after headers in pairs.
func says(status int, body string, headers ...string) turn {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// completion is the body of an answer.
func completion(text, finish string) string {
	body, _ := json.Marshal(map[string]any{
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": map[string]any{"role": "assistant", "content": text}}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 20},
	})
	return string(body)
}

// well is a turn that answers as it should.
func well(text string) turn {
	return says(200, completion(text, "stop"), "Content-Type", "application/json")
}

// stream is a turn that sends lines as they are.
func stream(lines ...string) turn {
	return says(200, strings.Join(lines, "\n")+"\n", "Content-Type", "text/event-stream")
}

// piece is a line of a stream.
func piece(text, finish string) string {
	end := "null"
	if finish != "" {
		end = `"` + finish + `"`
	}
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":%s}]}`+"\n", text, end)
}

// client is a client of the server whose clock stands, and moves by what it sleeps.
func (s *server) client(t *testing.T, set func(*Config)) (*Client, *[]time.Duration) {
	t.Helper()
	cfg := Config{Model: "m", BaseURL: s.URL + "/v1", Key: testKey, Retries: 3, Tokens: func(s string) int { return len(s) / 4 }}
	if set != nil {
		set(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var slept []time.Duration
	c.now = func() time.Time { return now }
	c.sleep = func(ctx context.Context, d time.Duration) error {
		slept = append(slept, d)
		now = now.Add(d)
		return ctx.Err()
	}
	c.jitter = func() float64 { return 0.5 }
	return c, &slept
}

const testKey = "key-of-the-test-0123456789"

func question() notes.Prompt {
	return notes.Prompt{System: "be short", Text: "what was seen?", MaxTokens: 500}
}
