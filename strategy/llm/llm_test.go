package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"condense/strategy/notes"
)

// TestAsk checks how the client treats the answers of servers.
func TestAsk(t *testing.T) {
	stall := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"choices":`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	drip := func(w http.ResponseWriter, r *http.Request) { // sends without end
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	broken := says(200, `{"choices":[{"message"`, "Content-Length", "1000")
	comments := strings.Repeat(": keep-alive\n", 2000)
	streams := func(c *Config) { c.Stream = true }
	tests := []struct {
		name  string
		turns []turn
		set   func(*Config)
		want  string // the answer, or part of the error
		asked int
	}{
		{"at once", []turn{well("done")}, nil, "done", 1},
		{"500, then well", []turn{says(500, ""), well("done")}, nil, "done", 2},
		{"408, 409, 429, then well", []turn{says(408, ""), says(409, ""), says(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`), well("done")}, nil, "done", 4},
		{"503 for ever", []turn{says(503, `{"error":{"message":"overloaded"}}`)}, nil, "503 Service Unavailable: overloaded, after 4 attempts", 4},
		{"no retries", []turn{says(503, "")}, func(c *Config) { c.Retries = 0 }, "503", 1},
		{"400", []turn{says(400, `{"error":{"message":"context length"}}`)}, nil, "400 Bad Request: context length", 1},
		{"401", []turn{says(401, `{"error":{"message":"bad key"}}`)}, nil, "is the key the one for 127.0.0.1?", 1},
		{"403", []turn{says(403, `{"detail":"not you"}`)}, nil, "403 Forbidden: not you", 1},
		{"404", []turn{says(404, `{"error":"model not found"}`)}, nil, "404 Not Found: model not found", 1},
		{"no credit is no rate limit", []turn{says(429, `{"error":{"message":"You exceeded your quota","type":"insufficient_quota","code":"insufficient_quota"}}`)}, nil, "quota; the account has no credit", 1},
		{"a proxy's page", []turn{says(502, "<html><head><title>502 Bad Gateway</title></head></html>", "Content-Type", "text/html"), well("done")}, nil, "done", 2},
		{"a proxy's page for ever", []turn{says(502, "<html><title>Bad Gateway</title></html>")}, nil, "502 Bad Gateway: an HTML page came: Bad Gateway, after 4", 4},
		{"FastAPI", []turn{says(422, `{"detail":[{"msg":"field required"}]}`)}, nil, `422 Unprocessable Entity: [{"msg":"field required"}]`, 1},
		{"Ollama's errors are strings", []turn{says(400, `{"error":"model 'm' is not there"}`)}, nil, "400 Bad Request: model 'm' is not there", 1},
		{"200 with an error", []turn{says(200, `{"error":{"message":"no provider","code":400}}`)}, nil, "no provider", 1},
		{"200 with an error that passes", []turn{says(200, `{"error":{"message":"upstream","code":502}}`), well("done")}, nil, "done", 2},
		{"200 with an error as text", []turn{says(200, `{"error":"gone"}`)}, nil, "gone", 1},
		{"no choices", []turn{says(200, `{"choices":[]}`), well("done")}, nil, "done", 2},
		{"no choices for ever", []turn{says(200, `{"choices":[]}`)}, nil, "no choices", 4},
		{"a page instead of an API", []turn{says(200, "<!doctype html><title>Welcome</title>")}, func(c *Config) { c.BaseURL = strings.TrimSuffix(c.BaseURL, "/v1") }, "an HTML page came: Welcome; is the base URL missing /v1?", 1},
		{"nothing at the address", []turn{says(404, "404 page not found")}, func(c *Config) { c.BaseURL = strings.TrimSuffix(c.BaseURL, "/v1") }, "is the base URL missing /v1?", 1},
		{"not JSON", []turn{says(200, "oops"), well("done")}, nil, "done", 2},
		{"body cut", []turn{broken, well("done")}, nil, "done", 2},
		{"body cut for ever", []turn{broken}, nil, "unexpected EOF", 4},
		{"silence in the middle", []turn{stall, well("done")}, func(c *Config) { c.Idle = 50 * time.Millisecond }, "done", 2},
		{"silence for ever", []turn{stall}, func(c *Config) { c.Idle = 20 * time.Millisecond }, "the answer stopped in the middle, after 4 attempts", 4},
		{"slow drip", []turn{drip}, func(c *Config) { c.Timeout = 60 * time.Millisecond; c.Retries = 1 }, "no whole answer came in time", 2},
		{"too long", []turn{says(200, strings.Repeat(" ", maxBody+1))}, nil, "the answer is too long", 1},
		{"empty", []turn{well(" \n"), well("done")}, nil, "done", 2},
		{"thought first", []turn{well("<think>\nhm\n</think>\n\ndone")}, nil, "done", 1},
		{"thought, with the tag of the template", []turn{well("hm, hm\n</think>\n\ndone")}, nil, "done", 1},
		{"nothing but thought", []turn{well("<think>hm"), well("done")}, nil, "done", 2},
		{"a tag that is spoken of", []turn{well("it ends at `</think>` there")}, nil, "it ends at `</think>` there", 1},
		{"nothing left after thinking", []turn{says(200, completion("", "length"))}, nil, "used all of its tokens", 1},
		{"filtered", []turn{says(200, completion("par", "content_filter"))}, nil, "filter", 1},
		{"tool call", []turn{says(200, `{"choices":[{"message":{"content":"x","tool_calls":[{"id":"1","type":"function","function":{"name":"rm"}}]},"finish_reason":"tool_calls"}]}`)}, nil, "calls a tool", 1},

		{"SU12: stream", []turn{stream(piece("do", ""), piece("ne", "stop"), "data: [DONE]")}, streams, "done", 1},
		{"stream with usage at the end", []turn{stream(piece("done", "stop"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}`, "", "data: [DONE]")}, streams, "done", 1},
		{"stream cut", []turn{stream(piece("do", "")), stream(piece("done", "stop"))}, streams, "done", 2},
		{"stream cut for ever", []turn{stream(piece("do", ""))}, streams, "cut off before its end", 4},
		{"stream with an error", []turn{stream(piece("do", ""), `data: { "error": {"message":"gone"}}`, "")}, streams, "gone, after 4 attempts", 4},
		{"stream kept alive", []turn{stream(comments, piece("done", "stop"), "data: [DONE]")}, streams, "done", 1},
		{"no stream", []turn{well("done")}, streams, "the server does not stream; ask without streaming", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.turns...)
			c, _ := s.client(t, tt.set)
			reply, err := c.Ask(t.Context(), question())
			if got := reply.Text + fmt.Sprint(err); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var failure *Error
			if (err == nil) == (reply.Text == "") || err != nil && !errors.As(err, &failure) {
				t.Errorf("got %q and %v", reply.Text, err)
			}
			if n := len(s.asked()); n != tt.asked {
				t.Errorf("asked %d times, want %d", n, tt.asked)
			}
		})
	}
}

// TestCut checks that an answer that ends at the limit is reported as cut, and is not
// cached.
func TestCut(t *testing.T) {
	s := serve(t, says(200, completion("half of it", "length")))
	c, _ := s.client(t, func(c *Config) { c.Cache = t.TempDir() })
	for range 2 {
		if reply, err := c.Ask(t.Context(), question()); err != nil || !reply.Cut || reply.Cached {
			t.Errorf("got %+v, %v", reply, err)
		}
	}
}

// TestPauses (BP4 in .github/CONFORMANCE.md) holds the delays between attempts: those
// that the server asked for, and otherwise a doubled delay with a random half.
func TestPauses(t *testing.T) {
	tests := []struct {
		name   string
		header string // Retry-After
		want   []time.Duration
	}{
		{"BP4, of its own", "", []time.Duration{375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond}},
		{"seconds", "7", []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}},
		{"date", "Sun, 01 Mar 2026 12:00:30 GMT", []time.Duration{30 * time.Second, 750 * time.Millisecond, 1500 * time.Millisecond}}, // then it is past
		{"nonsense", "soon", []time.Duration{375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond}},
		{"an hour", "3600", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, says(429, `{}`, "Retry-After", tt.header))
			c, slept := s.client(t, nil)
			_, err := c.Ask(t.Context(), question())
			if !slices.Equal(*slept, tt.want) {
				t.Errorf("slept %v, want %v", *slept, tt.want)
			}
			if err == nil || (tt.want == nil) != strings.Contains(err.Error(), "it asks to wait 1h0m0s") {
				t.Errorf("said %v", err)
			}
		})
	}
	c := &Client{jitter: func() float64 { return 1 }}
	for attempt := range 200 {
		if d := c.pause(attempt, 0); d <= 0 || d > 30*time.Second {
			t.Errorf("pause %d is %v", attempt, d)
		}
	}
}

// TestRequest checks the request that is sent, by model.
func TestRequest(t *testing.T) {
	tests := []struct {
		model string
		want  map[string]any // nil: absent
	}{
		{"llama3", map[string]any{"max_tokens": 500.0, "max_completion_tokens": nil, "seed": 1.0, "stream": false, "tools": nil, "model": "llama3"}},
		{"gpt-4o", map[string]any{"max_tokens": 500.0, "max_completion_tokens": nil}},
		{"gpt-5-mini", map[string]any{"max_tokens": nil, "max_completion_tokens": 500.0 + thinkingRoom, "temperature": nil, "seed": nil}},
		{"o3", map[string]any{"max_tokens": nil, "max_completion_tokens": 500.0 + thinkingRoom}},
		{"openai/gpt-6-sol", map[string]any{"max_tokens": nil, "max_completion_tokens": 500.0 + thinkingRoom}},
	}
	for _, tt := range tests {
		s := serve(t, well("done"))
		c, _ := s.client(t, func(c *Config) { c.Model = tt.model })
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		sent := s.asked()[0]
		for name, want := range tt.want {
			if sent.fields[name] != want {
				t.Errorf("%s: %s is %v, want %v", tt.model, name, sent.fields[name], want)
			}
		}
		if temperature, ok := sent.fields["temperature"].(float64); ok != (tt.want["seed"] != nil || tt.model == "gpt-4o") || ok && !(0 < temperature && temperature < 1e-6) {
			t.Errorf("%s: temperature is %v", tt.model, sent.fields["temperature"])
		}
		if got := sent.header.Get("Authorization"); got != "Bearer "+testKey || sent.path != "/v1/chat/completions" {
			t.Errorf("%s: %q to %s", tt.model, got, sent.path)
		}
	}
}

// TestAdapt checks that a field which a server does not accept is left out of the next
// request.
func TestAdapt(t *testing.T) {
	refuses := func(message string) turn { return says(400, fmt.Sprintf(`{"error":{"message":%q}}`, message)) }
	s := serve(t,
		refuses("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
		refuses("Unsupported value: 'temperature' does not support 1e-45"),
		well("done"), well("again"))
	c, _ := s.client(t, func(c *Config) { c.Model = "deployment-of-ours"; c.Retries = 0 })
	for range 2 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	asked := s.asked()
	if len(asked) != 4 {
		t.Fatalf("asked %d times", len(asked))
	}
	for _, sent := range asked[2:] {
		if sent.fields["max_tokens"] != nil || sent.fields["max_completion_tokens"] != 500.0 || sent.fields["temperature"] != nil {
			t.Errorf("sent %v", sent.fields)
		}
	}
	s = serve(t, says(422, `{"detail":"seed: extra fields not permitted"}`), well("done"))
	c, _ = s.client(t, nil)
	if _, err := c.Ask(t.Context(), question()); err != nil || s.asked()[1].fields["seed"] != nil {
		t.Errorf("after a 422: %v", err)
	}
	s = serve(t, refuses("temperature: must be 1"))
	c, _ = s.client(t, nil)
	if _, err := c.Ask(t.Context(), question()); err == nil || len(s.asked()) != 2 {
		t.Errorf("asked %d times: %v", len(s.asked()), err)
	}
}

// TestAdaptAtOnce checks that two questions that fail for the same reason do not undo
// what each other learned.
func TestAdaptAtOnce(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	old := func(w http.ResponseWriter, r *http.Request) {
		both.Done()
		both.Wait()
		says(400, `{"error":{"message":"use max_completion_tokens"}}`)(w, r)
	}
	s := serve(t, old, old, well("done"))
	c, _ := s.client(t, nil)
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			if _, err := c.Ask(t.Context(), question()); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	for i, r := range s.asked() {
		if _, ok := r.fields["max_completion_tokens"]; ok != (i >= 2) {
			t.Errorf("request %d is %s", i+1, r.body)
		}
	}
}

// TestCancel checks that a question ends with its context, both while it waits for the
// server and while it waits for the next attempt.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	c, slept := s.client(t, nil)
	if _, err := c.Ask(ctx, question()); !errors.Is(err, context.Canceled) || len(*slept) > 0 {
		t.Errorf("got %v after %v", err, *slept)
	}
	ctx, cancel = context.WithCancel(t.Context())
	s = serve(t, func(w http.ResponseWriter, _ *http.Request) { says(503, "", "Retry-After", "60")(w, nil) })
	c, _ = s.client(t, nil)
	c.sleep = func(ctx context.Context, d time.Duration) error {
		cancel()
		return sleep(ctx, d)
	}
	if _, err := c.Ask(ctx, question()); !errors.Is(err, context.Canceled) || len(s.asked()) != 1 {
		t.Errorf("got %v after %d questions", err, len(s.asked()))
	}
	if _, err := c.Ask(ctx, question()); !errors.Is(err, context.Canceled) || len(s.asked()) != 1 {
		t.Error("asked although it was cancelled before")
	}
}

// TestRates checks the limits of requests and tokens a minute.
func TestRates(t *testing.T) {
	s := serve(t, well("done"))
	c, slept := s.client(t, func(c *Config) { c.RPM = 2 })
	for range 5 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Duration{time.Minute, time.Minute}; !slices.Equal(*slept, want) {
		t.Errorf("slept %v, want %v", *slept, want)
	}
	c, slept = s.client(t, func(c *Config) { c.TPM = 600 }) // a question is of 505
	for range 3 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Duration{time.Minute, time.Minute}; !slices.Equal(*slept, want) {
		t.Errorf("slept %v, want %v", *slept, want)
	}
	c, slept = s.client(t, func(c *Config) { c.RPM = 2 })
	for range 3 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
		_ = c.sleep(t.Context(), 20*time.Second) // the work between questions
	}
	if want := slices.Repeat([]time.Duration{20 * time.Second}, 4); !slices.Equal(*slept, want) {
		t.Errorf("the first question counts for 20 seconds more; slept %v, want %v", *slept, want)
	}
	c, slept = s.client(t, func(c *Config) { c.TPM = 10 }) // less than one question: it goes alone
	if _, err := c.Ask(t.Context(), question()); err != nil || len(*slept) > 0 {
		t.Errorf("slept %v, %v", *slept, err)
	}
}

// TestCost checks which answers have a cost.
func TestCost(t *testing.T) {
	s := serve(t, well("done"))
	price := &Price{Input: 10, Output: 100} // an answer of the server: 0.001 + 0.002
	c, _ := s.client(t, func(c *Config) { c.Price = price; c.MaxCost = 0.055 })
	reply, err := c.Ask(t.Context(), question()) // at most 5 × 10 + 500 × 100, per million
	if err != nil || reply.Cost == nil || *reply.Cost != 0.003 || reply.In != 100 || reply.Out != 20 {
		t.Fatalf("got %+v, %v", reply, err)
	}
	if _, err = c.Ask(t.Context(), question()); err != nil {
		t.Error(err)
	}
	var over *CostError
	if _, err = c.Ask(t.Context(), question()); !errors.As(err, &over) || len(s.asked()) != 2 {
		t.Errorf("got %v after %d questions", err, len(s.asked()))
	}
	if spent := c.Spent(); spent.Calls != 2 || *spent.Cost != 0.006 || spent.In != 200 || spent.Out != 40 {
		t.Errorf("spent %+v", spent)
	}
	c, _ = s.client(t, nil)
	if reply, err = c.Ask(t.Context(), question()); err != nil || reply.Cost != nil || c.Spent().Cost != nil || c.Estimate(1, 1) != nil {
		t.Errorf("without a price: %v, %v", reply.Cost, err)
	}
	s = serve(t, says(200, `{"choices":[{"message":{"content":"four of it now.."},"finish_reason":"stop"}]}`)) // no usage
	c, _ = s.client(t, nil)
	if reply, err = c.Ask(t.Context(), question()); err != nil || reply.In != 5 || reply.Out != 4 {
		t.Errorf("without usage: %+v, %v", reply, err)
	}
}

// TestSpent checks the counts of answers, cached answers and repeated attempts, and
// that what Spent returned stays as it is.
func TestSpent(t *testing.T) {
	s := serve(t, says(503, ""), says(503, ""), well("done"))
	c, _ := s.client(t, func(c *Config) { c.Cache, c.Price = t.TempDir(), &Price{Input: 10, Output: 100} })
	before := c.Spent()
	for range 3 {
		if _, err := c.Ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	after := c.Spent()
	if before.Calls != 0 || *before.Cost != 0 || *after.Cost != 0.003 {
		t.Errorf("spent %v before, %v after", *before.Cost, *after.Cost)
	}
	after.Cost = nil
	if want := (Spent{Calls: 1, Cached: 2, Retries: 2, In: 100, Out: 20}); !reflect.DeepEqual(after, want) {
		t.Errorf("got %+v, want %+v", after, want)
	}
}

// TestErrorText checks the text of an error, which has a status only when an answer
// arrived, and the number of attempts only when there were several.
func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		e    Error
		want string
	}{
		{Error{Message: "no route"}, "no route"},
		{Error{Message: "gone", Status: 200, Attempts: 1}, "gone"},
		{Error{Message: "gone", Status: 404, Hint: "try /v1"}, "404 Not Found: gone; try /v1"},
		{Error{Message: "busy", Status: 503, Attempts: 2, wait: maxWait}, "503 Service Unavailable: busy, after 2 attempts"},
		{Error{Message: "busy", Status: 429, wait: maxWait + 1}, "429 Too Many Requests: busy (it asks to wait 2m0s)"},
	} {
		if got := tt.e.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestCostOfNoUse checks that an answer that cannot be used has its cost.
func TestCostOfNoUse(t *testing.T) {
	price := &Price{Input: 10, Output: 100} // an answer of the server: 0.001 + 0.002
	s := serve(t, says(200, completion("", "length")))
	c, _ := s.client(t, func(c *Config) { c.Price = price })
	if reply, err := c.Ask(t.Context(), question()); err == nil {
		t.Errorf("got %+v", reply)
	}
	if spent := c.Spent(); spent.Calls != 1 || *spent.Cost != 0.003 || spent.In != 100 || spent.Out != 20 {
		t.Errorf("spent %+v", spent)
	}
	s = serve(t, well(" "))
	c, _ = s.client(t, func(c *Config) { c.Price = price; c.MaxCost = 0.055 })
	var over *CostError
	if _, err := c.Ask(t.Context(), question()); !errors.As(err, &over) || len(s.asked()) != 2 {
		t.Errorf("got %v after %d attempts", err, len(s.asked()))
	}
}

// TestCostAtOnce checks that concurrent questions do not spend the same part of the
// limit.
func TestCostAtOnce(t *testing.T) {
	arrived, answer := make(chan bool), make(chan bool)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- true
		<-answer
		well("done")(w, r)
	})
	c, _ := s.client(t, func(c *Config) { c.Price = &Price{Input: 10, Output: 100}; c.MaxCost = 0.06 }) // one is 0.05005 at most
	first := make(chan error)
	go func() {
		_, err := c.Ask(t.Context(), question())
		first <- err
	}()
	<-arrived
	var over *CostError
	if _, err := c.Ask(t.Context(), question()); !errors.As(err, &over) {
		t.Errorf("while the first is asked: %v", err)
	}
	answer <- true
	if err := <-first; err != nil {
		t.Error(err)
	}
	if err := c.Afford(5, 500); err != nil {
		t.Errorf("behind it: %v", err)
	}
}

// TestCache checks that the same question is asked once, and asked again when its
// answer cannot be read.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "cache")
	s := serve(t, well("done"))
	price := &Price{1, 1}
	ask := func(set func(*Config), p notes.Prompt) notes.Reply {
		t.Helper()
		c, _ := s.client(t, func(c *Config) {
			c.Cache, c.Price = dir, price
			if set != nil {
				set(c)
			}
		})
		reply, err := c.Ask(t.Context(), p)
		if err != nil || reply.Text != "done" {
			t.Fatalf("got %+v, %v", reply, err)
		}
		return reply
	}
	if ask(nil, question()).Cached {
		t.Error("the first answer is from the cache")
	}
	if r := ask(nil, question()); !r.Cached || *r.Cost != 0 || r.In != 100 || r.Out != 20 {
		t.Errorf("the second answer is %+v", r)
	}
	longer := question()
	longer.MaxTokens++
	if ask(nil, longer).Cached || ask(func(c *Config) { c.Model = "other" }, question()).Cached {
		t.Error("another question has the same answer")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	if len(files) != 3 {
		t.Fatalf("the cache has %v", files)
	}
	for i, name := range files {
		other, err := os.ReadFile(files[(i+1)%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		whole, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(whole), testKey) {
			t.Error("the key is in the cache", err)
		}
		for _, bad := range []string{"", "{", string(whole[:len(whole)-2]), strings.Replace(string(whole), "done", "gone", 1), string(other)} {
			if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			ask(nil, question())
			ask(nil, longer)
			ask(func(c *Config) { c.Model = "other" }, question())
			if mended, err := os.ReadFile(name); err != nil || string(mended) != string(whole) {
				t.Errorf("after %q the entry is %q", bad, mended)
			}
		}
	}
}

// TestRedacted checks that secrets are removed from prompts and answers.
func TestRedacted(t *testing.T) {
	secret := "ghp_" + "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2K"
	for _, open := range []bool{false, true} {
		s := serve(t, well("it is "+secret))
		dir := t.TempDir()
		c, _ := s.client(t, func(c *Config) { c.NoRedact = open; c.Cache = dir })
		reply, err := c.Ask(t.Context(), notes.Prompt{System: "about " + secret, Text: "with " + secret})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.asked()[0].body, secret) != open || strings.Contains(reply.Text, secret) != open {
			t.Errorf("with NoRedact %v: sent %s, got %q", open, s.asked()[0].body, reply.Text)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
		for _, name := range files {
			if data, _ := os.ReadFile(name); strings.Contains(string(data), secret) != open {
				t.Errorf("with NoRedact %v the cache has %s", open, data)
			}
		}
		if got := c.Spent().Redacted.String(); (got == "3 GitHub tokens") == open {
			t.Errorf("counted %q", got)
		}
	}
}

// TestRedactedInCache checks that secrets are removed from an answer that was stored
// with them.
func TestRedactedInCache(t *testing.T) {
	secret := "ghp_" + "q7Rk2Vx9Lm4Tz8Np1Wc6Yd3Hb5Js0Fg7Qa2K"
	s := serve(t, well("it is "+secret))
	dir := t.TempDir()
	for _, open := range []bool{true, false} {
		c, _ := s.client(t, func(c *Config) { c.NoRedact = open; c.Cache = dir })
		reply, err := c.Ask(t.Context(), question())
		if err != nil || reply.Cached == open || strings.Contains(reply.Text, secret) != open {
			t.Errorf("with NoRedact %v: %+v, %v", open, reply, err)
		}
	}
}
