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

	Temperature float64 // of the answers, 0 to 2; 0: as little chance as possible

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
	cfg     Config
	base    string
	http    *http.Client
	rates   *limiter
	account *account

	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	jitter func() float64 // 0 to 1

	mu       sync.Mutex
	shape    shape // the request that the server is known to accept
	answered bool
}

// Spent holds the use of a client, and of those that [Client.Other] returned, so far.
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
	case !(cfg.Temperature >= 0 && cfg.Temperature <= 2):
		return nil, &ConfigError{"the temperature is not between 0 and 2"}
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
	c.account = &account{limit: cfg.MaxCost, spent: Spent{Cost: new(float64)}}
	if cfg.Price == nil {
		c.account.spent.Cost = nil
	}
	c.rates = &limiter{rpm: cfg.RPM, tpm: cfg.TPM}
	return c, nil
}

// Other returns a client for another model of the same server. The two share their
// limits, and what [Client.Spent] returns. The error is a *ConfigError.
func (c *Client) Other(model string, price *Price, tokens func(string) int) (*Client, error) {
	cfg := c.cfg
	cfg.Model, cfg.Price, cfg.Tokens = model, price, tokens
	other, err := New(cfg)
	if err != nil {
		return nil, err
	}
	other.rates, other.account = c.rates, c.account
	other.now, other.sleep, other.jitter = c.now, c.sleep, c.jitter
	return other, nil
}

// Answered reports whether the model answered a question, or the cache in its place.
func (c *Client) Answered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}

// ConfigError is a configuration that cannot be used.
type ConfigError struct{ Problem string }

func (e *ConfigError) Error() string { return e.Problem }

// Ask sends a prompt to the model and returns its answer. The error is that of the
// context as soon as the context is done, a *CostError instead of an attempt that may
// exceed the limit, and otherwise an *Error. For a prompt that is longer than the
// model's window it is a *notes.LengthError around one.
func (c *Client) Ask(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
	if err := ctx.Err(); err != nil {
		return notes.Reply{}, err
	}
	var redacted redact.Counts
	for _, text := range []*string{&p.System, &p.Text, &p.Answer, &p.Again} {
		*text = c.clean(*text, &redacted)
	}
	key := c.cacheKey(p)
	if reply, ok := c.cached(key); ok {
		reply.Text = c.clean(reply.Text, &redacted) // it may have been stored with NoRedact
		c.account.count(1, 0, nil)
		c.answers()
		return reply, nil
	}
	reply, err := c.try(ctx, p)
	if err != nil {
		return notes.Reply{}, err
	}
	c.answers()
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
	c.account.count(0, 0, counts)
	return text
}

// answers records that the model answered.
func (c *Client) answers() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answered = true
}

// try makes attempts until one succeeds or another cannot help.
func (c *Client) try(ctx context.Context, p notes.Prompt) (notes.Reply, error) {
	in := 0
	for _, text := range []string{p.System, p.Text, p.Answer, p.Again} {
		in += c.cfg.Tokens(text)
	}
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
		if adapted < 2 && !failure.tooLong && c.adapt(failure, s) {
			adapted++
			continue
		}
		if !failure.retry || attempt == c.cfg.Retries || failure.wait > maxWait {
			failure.Attempts = attempt + adapted + 1
			if failure.tooLong {
				return notes.Reply{}, &notes.LengthError{Window: failure.window, Err: failure}
			}
			return notes.Reply{}, failure
		}
		if err := c.sleep(ctx, c.pause(attempt, failure.wait)); err != nil {
			return notes.Reply{}, err
		}
		attempt++
		c.account.count(0, 1, nil)
	}
}

// once makes one attempt within the limits, with a prompt of in tokens, and counts its
// use: an unusable answer has its price, too.
func (c *Client) once(ctx context.Context, p notes.Prompt, s shape, in int) (notes.Reply, error) {
	out := c.room(p)
	pledged, err := c.account.pledge(c.Estimate(in, out))
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
	c.account.settle(pledged, err == nil, c.Estimate(a.in, a.out), a.in, a.out)
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
