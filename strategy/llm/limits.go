package llm

import (
	"context"
	"fmt"
	"sync"
	"time"

	"condense/transcript/redact"
)

// Price is the price of a model in USD for a million tokens.
type Price struct{ Input, Output float64 }

// of returns the price in USD of a prompt of in tokens and an answer of out tokens;
// nil for a nil Price.
func (p *Price) of(in, out int) *float64 {
	if p == nil {
		return nil
	}
	usd := (float64(in)*p.Input + float64(out)*p.Output) / 1e6
	return &usd
}

// Estimate returns the largest cost in USD of prompts of in tokens and answers of out
// tokens; nil when the price is not known.
func (c *Client) Estimate(in, out int) *float64 { return c.cfg.Price.of(in, out) }

// Afford returns a *CostError when the estimate, with the cost so far and that of the
// questions in progress, exceeds the limit; otherwise nil.
func (c *Client) Afford(in, out int) error {
	c.account.mu.Lock()
	defer c.account.mu.Unlock()
	return c.account.afford(c.Estimate(in, out))
}

// Reserve is like Afford, and counts the questions as in progress for good. A dry run reserves the
// questions that it does not ask.
func (c *Client) Reserve(in, out int) error {
	_, err := c.account.pledge(c.Estimate(in, out))
	return err
}

// account holds what clients spend together, and the limit of it. All costs are in USD.
type account struct {
	limit float64 // 0: no limit

	mu      sync.Mutex
	spent   Spent
	pledged float64 // largest cost of the questions in progress
}

// Spent returns what the client has used so far.
func (c *Client) Spent() Spent {
	a := c.account
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.spent
	s.Redacted = nil
	s.Redacted.Add(a.spent.Redacted)
	if s.Cost != nil {
		cost := *s.Cost
		s.Cost = &cost
	}
	return s
}

// count adds to the counts that cost nothing.
func (a *account) count(cached, retries int, redacted redact.Counts) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent.Cached += cached
	a.spent.Retries += retries
	a.spent.Redacted.Add(redacted)
}

// afford returns a *CostError if an estimate exceeds the limit. The caller holds a.mu.
func (a *account) afford(estimate *float64) error {
	if estimate == nil || a.limit == 0 {
		return nil
	}
	if sum := *a.spent.Cost + a.pledged + *estimate; sum > a.limit {
		return &CostError{Estimate: sum, Limit: a.limit}
	}
	return nil
}

// pledge reserves the largest cost of an attempt if it is within the limit, so that
// concurrent questions share what is left. It returns the reservation.
func (a *account) pledge(estimate *float64) (usd float64, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.afford(estimate); err != nil || estimate == nil {
		return 0, err
	}
	a.pledged += *estimate
	return *estimate, nil
}

// settle ends a reservation. If the question was answered, it counts the answer with its
// cost, which is nil when the price is not known.
func (a *account) settle(pledged float64, answered bool, cost *float64, in, out int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pledged -= pledged
	if !answered {
		return
	}
	a.spent.Calls++
	a.spent.In += in
	a.spent.Out += out
	switch {
	case cost == nil:
		a.spent.Cost = nil
	case a.spent.Cost != nil:
		*a.spent.Cost += *cost
	}
}

// CostError is a question that was not asked because it could exceed the limit. Both
// numbers are in USD.
type CostError struct{ Estimate, Limit float64 }

func (e *CostError) Error() string {
	return fmt.Sprintf("it would cost up to $%.4f, more than the limit of $%.4f", e.Estimate, e.Limit)
}

// limiter keeps requests and tokens below the limits of a provider for a minute. A
// request with more tokens than the limit is sent when no other is counted. The zero
// limiter has no limits.
type limiter struct {
	rpm, tpm int

	mu   sync.Mutex
	last []request // of the last minute, oldest first
}

type request struct {
	at     time.Time
	tokens int
}

// wait returns when a request with some tokens may be sent, and counts it.
func (l *limiter) wait(ctx context.Context, tokens int, now func() time.Time, sleep func(context.Context, time.Duration) error) error {
	if l.rpm == 0 && l.tpm == 0 {
		return nil
	}
	for {
		d := l.take(tokens, now())
		if d == 0 {
			return nil
		}
		if err := sleep(ctx, d); err != nil {
			return err
		}
	}
}

// take counts the request and returns 0 when it may be sent; otherwise it returns how
// long to wait before the next try.
func (l *limiter) take(tokens int, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.last) > 0 && now.Sub(l.last[0].at) >= time.Minute {
		l.last = l.last[1:]
	}
	sum := tokens
	for _, r := range l.last {
		sum += r.tokens
	}
	full := l.rpm > 0 && len(l.last) >= l.rpm || l.tpm > 0 && sum > l.tpm
	if full && len(l.last) > 0 {
		return time.Minute - now.Sub(l.last[0].at)
	}
	l.last = append(l.last, request{now, tokens})
	return 0
}
