package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// Memory limits the memory that files may use together while they are processed. The memory is
// estimated from the sizes of the files. The zero value has no limit.
type Memory struct {
	limit int64 // bytes

	mu   sync.Mutex
	free *sync.Cond
	used int64
}

// Estimates of memory. Of 25 real files of 1.5 to 4 MB in 9 formats, the one with the largest
// need took 10.3 bytes for each byte of the file; larger files take less.
const (
	idleBytes    = 24 << 20 // the program with its tokenizer
	bytesPerByte = 12       // for each byte of a file on disk
	unpacking    = 10       // unpacked size of a compressed conversation, divided by its size
)

// NewMemory returns a Memory of limit bytes, 0 for no limit. It sets the same limit for the
// garbage collector.
func NewMemory(limit int64) *Memory {
	m := &Memory{limit: limit}
	m.free = sync.NewCond(&m.mu)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	return m
}

// Estimate returns the estimated memory for condensing a file, in bytes.
func Estimate(it *Item) int64 {
	n := it.Size * bytesPerByte
	if strings.HasSuffix(it.Path, ".gz") || strings.HasSuffix(it.Path, ".zst") {
		n *= unpacking
	}
	return n
}

// take waits until n bytes are free or, if n exceeds the limit, until no other file is
// processed. The function that it returns releases the bytes.
func (m *Memory) take(ctx context.Context, n int64) (release func()) {
	if m.limit <= 0 {
		return func() {}
	}
	room := max(1, m.limit-idleBytes)
	n = min(n, room)
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.used > 0 && m.used+n > room && ctx.Err() == nil {
		m.free.Wait()
	}
	m.used += n
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.used -= n
		m.free.Broadcast()
	}
}

// ParseBytes parses a size in bytes, such as 500M or 2G. 1K is 1024 bytes.
func ParseBytes(s string) (int64, error) {
	digits := strings.TrimSuffix(strings.ToUpper(s), "B")
	shift := 0
	for i, unit := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(digits, unit); ok {
			digits, shift = rest, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("expected a size such as 500M or 2G")
	}
	return n << shift, nil
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
		j := job{i, p.Memory.take(ctx, size)}
		if ctx.Err() != nil || p.Stopped() {
			j.release()
			break
		}
		todo <- j
	}
	close(todo)
	workers.Wait()
}
