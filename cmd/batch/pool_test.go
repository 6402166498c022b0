package batch

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500M": 500 << 20, "2g": 2 << 30, "2GB": 2 << 30, "1K": 1 << 10, "1T": 1 << 40} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d and %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1M", "M", "1.5G", "9999999999T", "1KM"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestMemory checks that the files in progress never exceed the limit, except for a single file.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(0)
		m.limit = idleBytes + 100
		var used, most atomic.Int64
		var all sync.WaitGroup
		for i := range int64(50) {
			n := i%7*20 + 1
			all.Go(func() {
				release := m.Take(context.Background(), n)
				now := used.Add(min(n, 100))
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				time.Sleep(time.Second) // in the synctest bubble: all goroutines that have room get here
				used.Add(-min(n, 100))
				release()
			})
		}
		all.Wait()
		if most.Load() > 100 || most.Load() < 50 || m.used != 0 {
			t.Errorf("used %d bytes at most and %d at the end", most.Load(), m.used)
		}
	})
}
