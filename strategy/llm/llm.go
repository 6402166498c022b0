// Package llm asks language models over the network, at any endpoint that implements
// OpenAI's chat completions: OpenAI, Azure's /openai/v1, routers, Ollama, vLLM,
// llama.cpp. It is the only package that opens a connection, and it opens none before
// [Client.Ask] is called.
//
// Secrets are removed from prompts and answers by package redact. A prompt that was
// answered before is answered from the cache. Otherwise the cost is estimated and
// compared with the limit, the rate limits are observed, and attempts that failed for
// a temporary reason are repeated. Redirects are not followed: a key is sent to one
// host.
//
// Prices are in USD for a million tokens, costs in USD. Errors are *[ConfigError] for
// a configuration, and from Ask *[Error], *[CostError] or the error of the context.
package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"condense/strategy/notes"
	"condense/transcript/redact"
)

// Config describes the model to ask. Model and Tokens are required.
type Config struct {
	Model   string
	BaseURL string // base URL of the API with its version: https://host/v1; "": DefaultBaseURL
	Key     string // sent as a bearer token; "": none is sent

	Retries int           // attempts after the first, after temporary failures
	Timeout time.Duration // longest duration of one attempt; 0: DefaultTimeout
	Idle    time.Duration // longest pause within an answer; 0: 2 minutes
	Stream  bool          // ask for a stream, for servers that drop silent connections

	RPM, TPM int              // largest numbers of requests and tokens a minute; 0: no limit
	MaxCost  float64          // largest cost of all questions together in USD; 0: no limit; requires Price
	Price    *Price           // price of the model; nil when not known
	Cache    string           // directory of earlier answers; "": no cache
	NoRedact bool             // send and return texts with their secrets
	Tokens   func(string) int // returns the tokens of a text as the model counts them, at least approximately
}

// Defaults of a [Config], and limits without an option.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultRetries = 4
	DefaultTimeout = 10 * time.Minute

	defaultIdle = 2 * time.Minute
	maxBody     = 8 << 20         // bytes of an answer
	maxWait     = 2 * time.Minute // longest delay that a server may ask for
)

// Client asks one model. [New] returns one. It is safe for concurrent use.
type Client struct {
	cfg   Config
	base  string
	http  *http.Client
	rates limiter

	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	jitter func() float64 // 0 to 1

	mu      sync.Mutex
	shape   shape // the request that the server is known to accept
	spent   Spent
	pledged float64 // largest cost in USD of the questions in progress
}

// Spent holds the use of a client so far.
type Spent struct {
	Calls    int           // answers over the network, unusable ones included
	Cached   int           // answers from the cache
	Retries  int           // repeated attempts
	In, Out  int           // tokens of the prompts and answers of Calls
	Cost     *float64      // cost of Calls in USD; nil when the price is not known
	Redacted redact.Counts // secrets that were replaced in prompts and answers
}

// New returns a client for a configuration. It sends nothing. Its error is a
// *ConfigError.
func New(cfg Config) (*Client, error) {
	base, err := checkBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.TrimSpace(cfg.Model) == "":
		return nil, &ConfigError{"no model is named"}
	case cfg.MaxCost > 0 && cfg.Price == nil:
		return nil, &ConfigError{fmt.Sprintf("the price of %s is not known, so no limit can be held", cfg.Model)}
	case cfg.Retries < 0 || cfg.Timeout < 0 || cfg.Idle < 0 || cfg.RPM < 0 || cfg.TPM < 0 || !(cfg.MaxCost >= 0):
		return nil, &ConfigError{"a limit is below 0"}
	}
	if err := checkKey(cfg.Key); err != nil {
		return nil, err
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.Idle == 0 {
		cfg.Idle = defaultIdle
	}
	c := &Client{cfg: cfg, base: base, now: time.Now, sleep: sleep, jitter: rand.Float64}
	c.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	c.shape = shapeOf(cfg.Model)
	c.spent.Cost = cfg.Price.of(0, 0)
	c.rates = limiter{rpm: cfg.RPM, tpm: cfg.TPM}
	return c, nil
}

// ConfigError is a configuration that cannot be used.
type ConfigError struct{ Problem string }

func (e *ConfigError) Error() string { return e.Problem }

// Spent returns what the client has used so far.
func (c *Client) Spent() Spent {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.spent
	s.Redacted = nil
	s.Redacted.Add(c.spent.Redacted)
	return s
}

// Ask sends a prompt to the model and returns its answer. The error is that of the
// context as soon as the context is done, a *CostError instead of an attempt that may
// exceed the limit, and otherwise an *Error.
func (c *Client) Ask(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
	if err := ctx.Err(); err != nil {
		return notes.Reply{}, err
	}
	var redacted redact.Counts
	p.System, p.Text = c.clean(p.System, &redacted), c.clean(p.Text, &redacted)
	key := c.cacheKey(p)
	if reply, ok := c.cached(key); ok {
		reply.Text = c.clean(reply.Text, &redacted) // it may have been stored with NoRedact
		c.mu.Lock()
		c.spent.Cached++
		c.mu.Unlock()
		return reply, nil
	}
	reply, err := c.try(ctx, p)
	if err != nil {
		return notes.Reply{}, err
	}
	reply.Text = c.clean(reply.Text, &redacted)
	reply.Redacted = redacted
	reply.Cost = c.cfg.Price.of(reply.In, reply.Out)
	c.store(key, reply)
	return reply, nil
}

// clean removes the secrets from a text, and adds their numbers to sum.
func (c *Client) clean(text string, sum *redact.Counts) string {
	if c.cfg.NoRedact {
		return text
	}
	text, counts := redact.Text(text)
	sum.Add(counts)
	c.mu.Lock()
	c.spent.Redacted.Add(counts)
	c.mu.Unlock()
	return text
}

// try makes attempts until one succeeds or another cannot help.
func (c *Client) try(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
	in := c.cfg.Tokens(p.System) + c.cfg.Tokens(p.Text)
	adapted := 0
	for attempt := 0; ; {
		s := c.known()
		reply, err := c.once(ctx, p, s, in)
		if err == nil {
			return reply, nil
		}
		if ctx.Err() != nil {
			return notes.Reply{}, ctx.Err()
		}
		var failure *Error
		if !errors.As(err, &failure) {
			return notes.Reply{}, err
		}
		if adapted < 2 && c.adapt(failure, s) {
			adapted++
			continue
		}
		if !failure.retry || attempt == c.cfg.Retries || failure.wait > maxWait {
			failure.Attempts = attempt + adapted + 1
			return notes.Reply{}, failure
		}
		if err := c.sleep(ctx, c.pause(attempt, failure.wait)); err != nil {
			return notes.Reply{}, err
		}
		attempt++
		c.mu.Lock()
		c.spent.Retries++
		c.mu.Unlock()
	}
}

// once makes one attempt within the limits, with a prompt of in tokens, and counts its
// use: an unusable answer has its price, too.
func (c *Client) once(ctx context.Context, p notes.Prompt, s shape, in int) (notes.Reply, error) {
	out := c.room(p)
	pledged, err := c.pledge(in, out)
	if err != nil {
		return notes.Reply{}, err
	}
	var a answer
	if err = c.rates.wait(ctx, in+out, c.now, c.sleep); err == nil {
		a, err = c.attempt(ctx, p, s)
	}
	if a.in == 0 { // the server does not report it
		a.in = in
	}
	if a.out == 0 {
		a.out = c.cfg.Tokens(a.text)
	}
	c.settle(pledged, err == nil, a.in, a.out)
	if err != nil {
		return notes.Reply{}, err
	}
	return a.reply()
}

// pause returns the delay before the next attempt: as long as the server asked for,
// otherwise twice as long each time, with half of it random so that many clients do
// not return at once.
func (c *Client) pause(attempt int, asked time.Duration) time.Duration {
	const first, longest = 500 * time.Millisecond, 30 * time.Second
	if asked > 0 {
		return asked
	}
	d := longest
	if attempt < 6 {
		d = min(longest, first<<attempt)
	}
	return d/2 + time.Duration(c.jitter()*float64(d/2))
}

// sleep waits for d, or until ctx is done.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
