package batch

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Limits of the memory that the garbage collector sees while a source is condensed. They are the bounds
// of scripts/bench-shapes for agent sessions, without the memory that the collector does not see.
const (
	leastLimited = 1 << 20  // bytes from which on a source has a limit
	idleLimit    = 14 << 20 // bytes, whatever the source is
	perByteLimit = 6        // for each byte of the source
)

// LimitGarbage makes the garbage collector run more often once the process takes more memory than a
// source of size bytes should take. A source that keeps more in use gets a higher limit, since work at
// the limit would be slow. The function that it returns removes the limit.
func LimitGarbage(size int) (restore func()) {
	if size < leastLimited {
		return func() {}
	}
	l := &limiter{size: perByteLimit * int64(size), done: new(atomic.Bool)}
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
	size int64 // bytes of the limit besides idleLimit
	done *atomic.Bool
}

// raise doubles the limit if four fifths of it are in use.
func (l *limiter) raise() {
	if l.done.Load() {
		debug.SetMemoryLimit(math.MaxInt64) // in case it was raised while it was removed
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if int64(live[0].Value.Uint64()) > (idleLimit+l.size)/5*4 {
		l.size *= 2
		debug.SetMemoryLimit(idleLimit + l.size)
	}
	runtime.SetFinalizer(l, (*limiter).raise)
}
