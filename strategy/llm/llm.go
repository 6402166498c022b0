// Package llm asks language models over the network, at any endpoint that speaks
// OpenAI's chat completions: OpenAI, Azure's /openai/v1, routers, Ollama, vLLM,
// llama.cpp. It is the only package that opens a connection, and none does before
// [Client.Ask] is called.
//
// What is sent and what returns passes package redact. A prompt that was answered
// before comes from the cache; otherwise the price is estimated and held against
// the limit, the rates are kept, and what fails for a passing reason is tried
// again. Redirects are not followed: a key goes to one host, the one it is for.
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

	"condense/strategy"
	"condense/transcript/redact"
)

// Config says whom to ask, and how. Model and Tokens are required.
type Config struct {
	Model   string
	BaseURL string // of the API, with its version: https://host/v1; "" is OpenAI's
	Key     string // sent as a bearer token; "": none is sent

	Retries int           // attempts after the first, for what passes
	Timeout time.Duration // longest that one attempt may take; 0: 10 minutes
	Idle    time.Duration // longest silence within an answer that has begun; 0: 2 minutes
	Stream  bool          // take the answer in pieces, for servers that drop silent connections

	RPM, TPM int              // requests and tokens a minute, at most; 0: no limit
	MaxCost  float64          // USD for all questions together; 0: no limit. It needs Price
	Price    *Price           // of the model; nil when not known
	Cache    string           // directory of earlier answers; "": none
	NoRedact bool             // send and take text as it is
	Tokens   func(string) int // counts a text as the model does, or nearly
}

// Defaults of a [Config], and limits that nobody needs to set.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultRetries = 4
	DefaultTimeout = 10 * time.Minute

	defaultIdle = 2 * time.Minute
	maxBody     = 8 << 20         // bytes of an answer
	maxWait     = 2 * time.Minute // longest pause that a server may ask for
)

// Client asks one model. [New] makes one; it is safe for concurrent use.
type Client struct {
	cfg   Config
	base  string
	http  *http.Client
	rates limiter

	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	jitter func() float64 // 0 to 1

	mu      sync.Mutex
	shape   shape // what the server has shown that it takes
	spent   Spent
	pledged float64 // USD that the questions under way cost at most
}

// Spent is what a client has done so far.
type Spent struct {
	Calls    int      // answers that came over the network, those of no use among them
	Cached   int      // answers that came from the cache
	Retries  int      // further attempts
	In, Out  int      // tokens of Calls
	Cost     *float64 // USD; nil when the price is not known
	Redacted redact.Counts
}

// New checks a configuration. Nothing is sent. An error is a *ConfigError.
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
	c.spent.Cost = cfg.Price.Of(0, 0)
	c.rates = limiter{rpm: cfg.RPM, tpm: cfg.TPM}
	return c, nil
}

// ConfigError is a configuration that cannot be used.
type ConfigError struct{ Problem string }

func (e *ConfigError) Error() string { return e.Problem }

// Spent tells what was done so far.
func (c *Client) Spent() Spent {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.spent
	s.Redacted = nil
	s.Redacted.Add(c.spent.Redacted)
	return s
}

// Ask puts a prompt to the model. It gives the context's error as soon as that is
// done, a *CostError in place of an attempt that may go beyond the limit, and else an
// *Error.
func (c *Client) Ask(ctx context.Context, p strategy.Prompt) (strategy.Reply, error) {
	if err := ctx.Err(); err != nil {
		return strategy.Reply{}, err
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
		return strategy.Reply{}, err
	}
	reply.Text = c.clean(reply.Text, &redacted)
	reply.Redacted = redacted
	reply.Cost = c.cfg.Price.Of(reply.In, reply.Out)
	c.store(key, reply)
	return reply, nil
}

// clean takes the secrets out of a text, and adds up what they were.
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

// try makes attempts until one succeeds or there is no hope.
func (c *Client) try(ctx context.Context, p strategy.Prompt) (strategy.Reply, error) {
	in := c.cfg.Tokens(p.System) + c.cfg.Tokens(p.Text)
	adapted := 0
	for attempt := 0; ; {
		s := c.known()
		reply, err := c.once(ctx, p, s, in)
		if err == nil {
			return reply, nil
		}
		if ctx.Err() != nil {
			return strategy.Reply{}, ctx.Err()
		}
		var failure *Error
		if !errors.As(err, &failure) {
			return strategy.Reply{}, err
		}
		if adapted < 2 && c.adapt(failure, s) {
			adapted++
			continue
		}
		if !failure.retry || attempt == c.cfg.Retries || failure.wait > maxWait {
			failure.Attempts = attempt + adapted + 1
			return strategy.Reply{}, failure
		}
		if err := c.sleep(ctx, c.pause(attempt, failure.wait)); err != nil {
			return strategy.Reply{}, err
		}
		attempt++
		c.mu.Lock()
		c.spent.Retries++
		c.mu.Unlock()
	}
}

// once makes one attempt within the limits, with a prompt of so many tokens, and
// counts what came of it: an answer of no use has its price, too.
func (c *Client) once(ctx context.Context, p strategy.Prompt, s shape, in int) (strategy.Reply, error) {
	out := c.room(p)
	pledged, err := c.pledge(in, out)
	if err != nil {
		return strategy.Reply{}, err
	}
	var a answer
	if err = c.rates.wait(ctx, in+out, c.now, c.sleep); err == nil {
		a, err = c.attempt(ctx, p, s)
	}
	if a.in == 0 { // the server does not say
		a.in = in
	}
	if a.out == 0 {
		a.out = c.cfg.Tokens(a.text)
	}
	c.settle(pledged, err == nil, a.in, a.out)
	if err != nil {
		return strategy.Reply{}, err
	}
	return a.reply()
}

// pause is how long to wait before the next attempt: as long as the server asked
// for, or twice as long each time, half of it by lot so that many do not come
// back at once.
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

// sleep waits, and no longer than ctx.
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
