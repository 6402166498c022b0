package llm

import (
	"context"
	"sync"
	"time"
)

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
