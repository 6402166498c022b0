package batch

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestLimitGarbage checks that a source has a limit in proportion to its size, which rises when more is in
// use and ends with the source. A small source has none.
func TestLimitGarbage(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	none := limit()
	LimitGarbage(leastLimited - 1)()
	if limit() != none {
		t.Fatal("a small source has a limit")
	}
	const size = 4 << 20
	restore := LimitGarbage(size)
	first := limit()
	if first != idleLimit+perByteLimit*size {
		t.Errorf("the limit is %d", first)
	}
	used := make([]byte, first)
	for wait := time.Now(); limit() == first && time.Since(wait) < 10*time.Second; time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	runtime.KeepAlive(used)
	if limit() < idleLimit+2*perByteLimit*size {
		t.Errorf("the limit is still %d with as much in use", limit())
	}
	restore()
	if limit() != math.MaxInt64 {
		t.Errorf("the limit is %d afterwards", limit())
	}
}
