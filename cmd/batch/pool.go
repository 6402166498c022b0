package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// Memory is the memory that the files in work may use together, estimated by their sizes. The zero
// value has no limit.
type Memory struct {
	limit int64 // bytes

	mu   sync.Mutex
	free *sync.Cond
	used int64
}

// The memory that work needs: for the program with its tokenizer, and for each byte of a file on
// disk. Of 25 real files of 1.5 to 4 MB in 9 formats, the largest need was 10.3 bytes a byte; larger
// files need less. Compressed conversations unpack to about ten times their size.
const (
	idleBytes    = 24 << 20
	bytesPerByte = 12
	unpacking    = 10
)

// NewMemory returns a Memory of limit bytes, 0 for no limit, and sets the same limit for the garbage
// collector.
func NewMemory(limit int64) *Memory {
	m := &Memory{limit: limit}
	m.free = sync.NewCond(&m.mu)
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	return m
}

// Estimate returns the memory that condensing a file is expected to take, in bytes.
func Estimate(it *Item) int64 {
	n := it.Size * bytesPerByte
	if strings.HasSuffix(it.Path, ".gz") || strings.HasSuffix(it.Path, ".zst") {
		n *= unpacking
	}
	return n
}

// take waits until there is room for n bytes, or, if n is more than the limit, until no other file
// is in work. The function that it returns releases the room.
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

// ParseBytes reads a number of bytes: 500M, 2G, with units of 1024.
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

// Pool is workers that share the memory for the files in work.
type Pool struct {
	Workers int
	Memory  *Memory
	Stopped func() bool // no other file is begun
}

// Run calls do for each number below the number of sizes, the memory that each takes, in order and
// several at a time. None is begun once ctx is done or the pool is stopped. It returns when all
// that began have ended.
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
