package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Price is what a model costs, in USD for a million tokens.
type Price struct{ Input, Output float64 }

// Of is the price of a prompt and an answer of so many tokens, in USD; nil for a
// nil Price.
func (p *Price) Of(in, out int) *float64 {
	if p == nil {
		return nil
	}
	usd := (float64(in)*p.Input + float64(out)*p.Output) / 1e6
	return &usd
}

// Estimate is what prompts and answers of so many tokens cost at most, in USD;
// nil when the price is not known.
func (c *Client) Estimate(in, out int) *float64 { return c.cfg.Price.Of(in, out) }

// Afford tells with a *CostError when the estimate, with what was spent before and
// what the questions under way may cost, is over the limit.
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

// pledge sets aside what an attempt may cost, in USD, if that is within the limit:
// others that ask at the same time have to do with the rest.
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

// settle counts an attempt with an answer of so many tokens in the place of what was
// pledged for it; without one, that is free again.
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

// CostError is a question that was not asked because it would cost too much, in USD.
type CostError struct{ Estimate, Limit float64 }

func (e *CostError) Error() string {
	return fmt.Sprintf("it would cost up to $%.4f, more than the limit of $%.4f", e.Estimate, e.Limit)
}

// limiter keeps requests and tokens below what a provider allows in a minute. A
// request of more tokens than that goes when nothing else is counted. The zero
// value has no limits.
type limiter struct {
	rpm, tpm int

	mu   sync.Mutex
	last []request // of the last minute, oldest first
}

type request struct {
	at     time.Time
	tokens int
}

// wait returns when a request of so many tokens may be sent, and counts it.
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

// take counts the request and gives 0 when it may go, else how long until it is
// worth asking again.
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
