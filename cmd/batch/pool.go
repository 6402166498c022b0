package batch

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// Memory limits the memory that sources may use together while they are condensed. It is
// estimated from samples of their content. A nil Memory has no limit.
type Memory struct {
	limit int64 // bytes
	room  *Room
}

// NewMemory returns a Memory of limit bytes, 0 for no limit. It sets the same limit for the
// garbage collector.
func NewMemory(limit int64) *Memory {
	if limit > 0 {
		debug.SetMemoryLimit(max(limit-outsideHeap, limit/2))
	}
	return newMemory(limit)
}

func newMemory(limit int64) *Memory {
	return &Memory{limit: limit, room: NewRoom(max(1, limit-idleBytes))}
}

// outsideHeap is the memory that the garbage collector does not count: the program itself.
const outsideHeap = 12 << 20

// Take waits until need bytes are free or, if need exceeds the limit, until no other source is
// processed. The function that it returns releases the bytes.
func (m *Memory) Take(ctx context.Context, need int64) (release func()) {
	if m == nil || m.limit <= 0 {
		return func() {}
	}
	return m.room.Take(ctx, need)
}

// Room is a number of bytes that several callers share.
type Room struct {
	most int64

	mu   sync.Mutex
	free *sync.Cond
	used int64
}

// NewRoom returns a Room of most bytes.
func NewRoom(most int64) *Room {
	r := &Room{most: most}
	r.free = sync.NewCond(&r.mu)
	return r
}

// Take waits until n bytes are free or, if n exceeds the room, until nobody uses any. It does not wait
// after ctx is done. The function that it returns releases the bytes.
func (r *Room) Take(ctx context.Context, n int64) (release func()) {
	n = min(n, r.most)
	r.mu.Lock()
	defer r.mu.Unlock()
	if full := func() bool { return r.used > 0 && r.used+n > r.most }; full() {
		defer context.AfterFunc(ctx, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.free.Broadcast()
		})()
		for full() && ctx.Err() == nil {
			r.free.Wait()
		}
	}
	r.used += n
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.used -= n
		r.free.Broadcast()
	}
}

// Pool is a number of workers that share a Memory.
type Pool struct {
	Workers int
	Memory  *Memory
	Stopped func() bool // reports whether no further file may be started
}

// Run calls do with each index of sizes, in order and by several workers at a time. sizes has
// the memory that each call takes. Run starts no further call after ctx is done or the pool is
// stopped, and returns after all calls have returned.
func (p *Pool) Run(ctx context.Context, sizes []int64, do func(i int)) {
	type job struct {
		i       int
		release func()
	}
	todo := make(chan job)
	var workers sync.WaitGroup
	for range min(p.Workers, len(sizes)) {
		workers.Go(func() {
			for j := range todo {
				if ctx.Err() == nil && !p.Stopped() {
					do(j.i)
				}
				j.release()
			}
		})
	}
	for i, size := range sizes {
		j := job{i, p.Memory.Take(ctx, size)}
		if ctx.Err() != nil || p.Stopped() {
			j.release()
			break
		}
		todo <- j
	}
	close(todo)
	workers.Wait()
}

// Garbage that may collect while small sources are condensed one after the other: laterGC percent of the
// memory in use and of a ballast, an allocation that is never written, so that it takes no memory. What is
// allocated during a collection counts as in use: with the default of 100 percent, much garbage would
// collect where other programs take the time of the collector.
const (
	ballast   = 48 << 20 // where one source is condensed at a time; a collection stops all workers, so that several get twice as much
	laterGC   = 50
	defaultGC = 100
)

// CollectLater makes the garbage collector run less often while a number of workers condense small sources
// one after the other: not before half of a ballast is garbage. By default it would start at 4 MB, many
// times for each MB of input. The function that it returns ends that.
//
// It must be called before other large allocations. In memory that was used before, the ballast would be
// cleared, and take its size.
func (m *Memory) CollectLater(workers int) (end func()) {
	if m != nil && m.limit > 0 { // the collector counts the ballast
		return func() {}
	}
	b := make([]byte, ballast*min(workers, 2))
	was := debug.SetGCPercent(laterGC)
	if was != defaultGC { // the environment decides
		debug.SetGCPercent(was)
	}
	return func() {
		debug.SetGCPercent(was)
		runtime.KeepAlive(b)
	}
}

// Limits of the memory that the garbage collector sees while a source is condensed. They are the bounds
// of scripts/bench-shapes for agent sessions, without the memory that the collector does not see.
const (
	leastLimited = 1 << 20 // bytes from which on a source has a limit
	idleLimit    = 8 << 20 // bytes, whatever the source is
	perByteLimit = 5.75    // for each byte of the source

	// A limit is at least this. A plug-in condenses 1 MB while a person waits: at 14 MB the collector
	// would run 70 times, and take more time than all else.
	leastLimit = 24 << 20 // bytes
)

// LimitGarbage makes the garbage collector run more often once the process takes more memory than a
// source of size bytes should take. A source that keeps more in use gets a higher limit, since work at
// the limit would be slow: beside the memory in use, garbage of spare percent of it may collect. The
// function that it returns removes the limit.
func LimitGarbage(size, spare int) (restore func()) {
	if size < leastLimited {
		return func() {}
	}
	l := &limiter{size: max(int64(perByteLimit*float64(size)), leastLimit-idleLimit), spare: int64(spare), done: new(atomic.Bool)}
	debug.SetMemoryLimit(idleLimit + l.size)
	runtime.SetFinalizer(l, (*limiter).raise)
	done := l.done
	return func() {
		done.Store(true)
		debug.SetMemoryLimit(math.MaxInt64)
	}
}

// A limiter raises a limit. No one refers to it, so the collector calls its finalizer each time.
type limiter struct {
	size  int64 // bytes of the limit besides idleLimit
	spare int64 // percent
	done  *atomic.Bool
}

// raise sets a higher limit if more than nine tenths of it are in use.
func (l *limiter) raise() {
	if l.done.Load() {
		debug.SetMemoryLimit(math.MaxInt64) // in case it was raised while it was removed
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if size := l.sizeWith(int64(live[0].Value.Uint64())); size > l.size {
		l.size = size
		debug.SetMemoryLimit(idleLimit + l.size)
	}
	runtime.SetFinalizer(l, (*limiter).raise)
}

// sizeWith returns the size of the limit for a number of bytes in use.
func (l *limiter) sizeWith(used int64) int64 {
	if used > (idleLimit+l.size)/10*9 {
		return used / 100 * (100 + l.spare)
	}
	return l.size
}
