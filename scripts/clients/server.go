//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A step is one answer of the model.
type step struct {
	Think, Text string
	Calls       []call
}

// A call is a call of a tool of the client.
type call struct {
	Name  string
	Input map[string]any
}

// A request is what a client sent to the model.
type request struct {
	Path string
	Body []byte
}

// server answers the requests of a client as its model: Anthropic Messages, OpenAI Responses and
// chat completions, and Gemini. It records each request. A request that offers tools gets the
// next step; without steps, and for side requests without tools, the answer is a fixed text.
type server struct {
	mu       sync.Mutex
	steps    []step
	requests []request
	n        int // answers so far, for ids
}

// answer is the text of the model when there are no steps.
const answer = "FAKE-ANSWER: understood."

// begin sets the next steps, and forgets the requests so far.
func (s *server) begin(steps []step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.requests = steps, nil
}

// first returns the body of the first request to the model that offers tools; nil if there is none.
func (s *server) first(path string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.Contains(r.Path, path) && !strings.Contains(r.Path, "ount") && offersTools(r.Body) {
			return r.Body
		}
	}
	return nil
}

func offersTools(body []byte) bool {
	var b struct{ Tools []json.RawMessage }
	return json.Unmarshal(body, &b) == nil && len(b.Tools) > 0
}

// next returns the answer to a request, and its number.
func (s *server) next(path string, body []byte) (step, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request{path, body})
	s.n++
	if len(s.steps) == 0 || !offersTools(body) {
		return step{Text: answer}, s.n
	}
	st := s.steps[0]
	s.steps = s.steps[1:]
	return st, s.n
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := bodyOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	path := r.URL.Path
	if r.Method == http.MethodGet {
		models(w, path)
		return
	}
	var asked struct {
		Model  string
		Stream bool
	}
	_ = json.Unmarshal(body, &asked) // telemetry may be anything
	o := &output{w: w, model: asked.Model, stream: asked.Stream, tokens: len(body) / 4}
	switch {
	case strings.HasSuffix(path, "/count_tokens"):
		o.json(object{"input_tokens": o.tokens})
	case strings.HasSuffix(path, ":countTokens"):
		o.json(object{"totalTokens": o.tokens})
	case strings.HasSuffix(path, "/messages"):
		st, n := s.next(path, body)
		o.anthropic(st, n)
	case strings.HasSuffix(path, "/responses"):
		st, n := s.next(path, body)
		o.responses(st, n)
	case strings.HasSuffix(path, "/chat/completions"):
		st, n := s.next(path, body)
		o.chat(st, n)
	case strings.HasSuffix(path, "enerateContent"):
		o.stream = strings.Contains(path, "stream")
		st, n := s.next(path, body)
		o.gemini(st, n)
	default:
		o.json(object{})
	}
}

// bodyOf returns the body of a request, decompressed.
func bodyOf(r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	switch r.Header.Get("Content-Encoding") {
	case "zstd":
		d, err := zstd.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		return io.ReadAll(d)
	case "gzip":
		d, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(d)
	}
	return raw, nil
}

type object = map[string]any

// models answers a request for the list of models.
func models(w http.ResponseWriter, path string) {
	o := &output{w: w}
	if strings.Contains(path, "v1beta") {
		o.json(object{"models": []object{{"name": "models/gemini-2.5-pro", "supportedGenerationMethods": []string{"generateContent"}}}})
		return
	}
	var list []object
	for _, id := range []string{"claude-sonnet-4-5", "gpt-5.1", "fake-model"} {
		list = append(list, object{"id": id, "object": "model", "type": "model", "display_name": id, "created_at": "2025-01-01T00:00:00Z", "created": 1, "owned_by": "fake"})
	}
	o.json(object{"object": "list", "has_more": false, "data": list, "models": []object{}})
}

// output writes one answer.
type output struct {
	w      http.ResponseWriter
	model  string
	stream bool
	tokens int // estimated, of the request
	events int
}

func (o *output) json(v any) {
	o.w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(o.w).Encode(v) // the client may be gone
}

// event writes one event of a stream. An event without a name has only data.
func (o *output) event(name string, v any) {
	if o.events == 0 {
		o.w.Header().Set("Content-Type", "text/event-stream")
	}
	o.events++
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	if name != "" {
		fmt.Fprintf(o.w, "event: %s\n", name)
	}
	fmt.Fprintf(o.w, "data: %s\n\n", data)
	if f, ok := o.w.(http.Flusher); ok {
		f.Flush()
	}
}

func quoted(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(b)
}
