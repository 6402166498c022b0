package batch

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500M": 500 << 20, "2g": 2 << 30, "2GB": 2 << 30, "1K": 1 << 10, "1T": 1 << 40, "4194304T": 1 << 62} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d and %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1M", "M", "1.5G", "4194305T", "9999999999T", "1KM"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestMemoryOfOne checks that with less than the program needs sources are condensed one after the other, and
// that waiting for room ends with the context.
func TestMemoryOfOne(t *testing.T) {
	for _, limit := range []int64{1, idleBytes} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory(limit)
			var running atomic.Int64
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					release := m.Take(context.Background(), 1000)
					if running.Add(1) > 1 {
						t.Error("two at a time")
					}
					time.Sleep(time.Second)
					running.Add(-1)
					release()
				})
			}
			all.Wait()
		})
	}
	m := newMemory(idleBytes + 1)
	m.room.used = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.Take(ctx, 1)()
	if m.room.used != 1 {
		t.Errorf("%d bytes are used after a cancelled call, want 1", m.room.used)
	}
}

// TestRoomCancelled checks that a caller that waits for room does not wait after its context is done.
func TestRoomCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(10)
		leave := r.Take(t.Context(), 8)
		ctx, cancel := context.WithCancel(t.Context())
		var returned atomic.Bool
		go func() {
			r.Take(ctx, 8)()
			returned.Store(true)
		}()
		synctest.Wait()
		if returned.Load() {
			t.Error("took bytes that another caller uses")
		}
		cancel()
		synctest.Wait()
		if !returned.Load() {
			t.Error("waits after its context is done")
		}
		leave()
	})
}

// TestPool checks that every call is made once, by no more workers than there are, and none after the pool
// was stopped or its context is done.
func TestPool(t *testing.T) {
	never := func() bool { return false }
	for _, workers := range []int{1, 3, 100} {
		synctest.Test(t, func(t *testing.T) {
			var running atomic.Int64
			calls := make([]atomic.Int64, 20)
			p := &Pool{Workers: workers, Stopped: never}
			p.Run(context.Background(), make([]int64, len(calls)), func(i int) {
				if running.Add(1) > int64(workers) {
					t.Errorf("more than %d calls at a time", workers)
				}
				time.Sleep(time.Second)
				running.Add(-1)
				calls[i].Add(1)
			})
			for i := range calls {
				if n := calls[i].Load(); n != 1 {
					t.Errorf("%d calls with %d", n, i)
				}
			}
		})
	}
	for _, cancelled := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var n atomic.Int64
			p := &Pool{Workers: 1, Stopped: func() bool { return !cancelled && n.Load() >= 3 }}
			p.Run(ctx, make([]int64, 10), func(int) {
				time.Sleep(time.Second) // the next call waits for this one
				if n.Add(1) == 3 && cancelled {
					cancel()
				}
			})
			if n.Load() != 3 {
				t.Errorf("%d calls, want none after the third, cancelled %v", n.Load(), cancelled)
			}
		})
	}
}

// TestMemory checks that the files in progress never exceed the limit, except for a single file.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(idleBytes + 100)
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
		if most.Load() > 100 || most.Load() < 50 || m.room.used != 0 {
			t.Errorf("used %d bytes at most and %d at the end", most.Load(), m.room.used)
		}
	})
}

// TestLimitGarbage checks that a source has a limit in proportion to its size, which rises when more is in
// use and ends with the source. A small source has none, and that of any other is not below a least one.
func TestLimitGarbage(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	none := limit()
	LimitGarbage(leastLimited-1, 50)()
	if limit() != none {
		t.Fatal("a small source has a limit")
	}
	restore := LimitGarbage(leastLimited, 50)
	if limit() != leastLimit {
		t.Errorf("the least limit is %d", limit())
	}
	restore()
	const size = 4 << 20
	restore = LimitGarbage(size, 50)
	first := limit()
	if first != idleLimit+perByteLimit*size {
		t.Errorf("the limit is %d", first)
	}
	used := make([]byte, first)
	for wait := time.Now(); limit() == first && time.Since(wait) < 10*time.Second; time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	runtime.KeepAlive(used)
	if limit() < first/2*3 {
		t.Errorf("the limit is still %d with as much in use", limit())
	}
	restore()
	if limit() != math.MaxInt64 {
		t.Errorf("the limit is %d afterwards", limit())
	}
}

// TestLimitRises checks that a limit rises once more than nine tenths of it are in use, to these and the spare
// percent of them.
func TestLimitRises(t *testing.T) {
	const size = 1000 - idleLimit%1000 // so that the limit is a round number
	const limit = idleLimit + size
	for _, tt := range []struct{ used, spare, want int64 }{
		{0, 50, size},
		{limit / 2, 50, size},
		{limit / 10 * 9, 50, size},
		{limit/10*9 + 1, 50, limit / 1000 * 1350},
		{limit, 50, limit / 10 * 15},
		{limit, 100, 2 * limit},
	} {
		l := &limiter{size: size, spare: tt.spare}
		if got := l.sizeWith(tt.used); got != tt.want {
			t.Errorf("with %d bytes in use and %d percent to spare the limit is %d, want %d", tt.used, tt.spare, got, tt.want)
		}
	}
}

// TestCollectLater checks that the collector gets a ballast, which ends with the function that is returned,
// unless memory is limited or the environment sets its percentage.
func TestCollectLater(t *testing.T) {
	percent := func() int {
		was := debug.SetGCPercent(defaultGC)
		debug.SetGCPercent(was)
		return was
	}
	live := func() int64 {
		runtime.GC()
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	defer debug.SetGCPercent(percent())
	for _, tt := range []struct {
		name         string
		memory       *Memory
		workers, was int
		percent      int
		ballast      int64
	}{
		{"no memory", nil, 1, defaultGC, laterGC, ballast},
		{"no limit", newMemory(0), 1, defaultGC, laterGC, ballast},
		{"two workers", nil, 2, defaultGC, laterGC, 2 * ballast},
		{"many workers", nil, 8, defaultGC, laterGC, 2 * ballast},
		{"a limit", newMemory(1 << 30), 1, defaultGC, defaultGC, 0},
		{"the environment", nil, 1, 300, 300, ballast},
	} {
		debug.SetGCPercent(tt.was)
		before := live()
		end := tt.memory.CollectLater(tt.workers)
		if got := percent(); got != tt.percent {
			t.Errorf("%s: %d percent, want %d", tt.name, got, tt.percent)
		}
		if got := live() - before; got < tt.ballast-ballast/4 || got > tt.ballast+ballast/4 {
			t.Errorf("%s: a ballast of %d bytes, want %d", tt.name, got, tt.ballast)
		}
		end()
		if got := percent(); got != tt.was {
			t.Errorf("%s: %d percent at the end, want %d", tt.name, got, tt.was)
		}
	}
}
