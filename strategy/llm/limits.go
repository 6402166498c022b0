package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
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
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.afford(c.Estimate(in, out))
}

// afford is Afford while c.mu is held.
func (c *Client) afford(estimate *float64) error {
	if estimate == nil || c.cfg.MaxCost == 0 {
		return nil
	}
	if sum := *c.spent.Cost + c.pledged + *estimate; sum > c.cfg.MaxCost {
		return &CostError{Estimate: sum, Limit: c.cfg.MaxCost}
	}
	return nil
}

// pledge reserves the largest cost of an attempt, in USD, if it is within the limit,
// so that concurrent questions share what is left.
func (c *Client) pledge(in, out int) (usd float64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	estimate := c.Estimate(in, out)
	if err := c.afford(estimate); err != nil || estimate == nil {
		return 0, err
	}
	c.pledged += *estimate
	return *estimate, nil
}

// settle replaces a reservation by the cost of the answer; without an answer it
// releases the reservation.
func (c *Client) settle(pledged float64, answered bool, in, out int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pledged -= pledged
	if !answered {
		return
	}
	c.spent.Calls++
	c.spent.In += in
	c.spent.Out += out
	if cost := c.Estimate(in, out); cost != nil {
		*c.spent.Cost += *cost
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
