package token

import "sync"

// memoFrom is the length in bytes from which a text is remembered. Shorter ones
// cost less to count again than to keep.
const memoFrom = 64

// memo remembers counts by text. It compares the texts themselves, so a hash
// collision cannot give a wrong count. The zero value is empty.
type memo struct {
	mu     sync.RWMutex
	counts map[string]int
}

func (m *memo) get(s string) (int, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, ok := m.counts[s]
	return n, ok
}

func (m *memo) put(s string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = map[string]int{}
	}
	m.counts[s] = n
}
