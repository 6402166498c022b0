package rawjson

import (
	"hash/maphash"
	"sync"
)

// Texts remembers the decoded texts of long literals, so that what is written
// twice the same way is decoded and held once: a result that is repeated, or all
// that an output has in common with its source. The zero value is empty. It is
// safe for concurrent use.
//
// A literal is known by its bytes, which are not copied: a Texts keeps alive the
// sources of the Docs that use it.
type Texts struct {
	seeded sync.Once
	seed   maphash.Seed
	mu     sync.Mutex
	// By hash, which is made once: a map of literals would make it again to add one,
	// and of all of them to grow. Of literals with the same hash, one is remembered.
	known map[uint64]decoded
}

type decoded struct{ literal, text string }

// rememberFrom is the length in bytes from which a literal is remembered. To
// remember a shorter one takes more memory than to decode it again.
const rememberFrom = 256

// decode is [Decode] of raw, remembered if keep says so. A nil Texts remembers nothing.
func (t *Texts) decode(raw []byte, keep bool) string {
	if t == nil || len(raw) < rememberFrom {
		return Decode(raw)
	}
	t.seeded.Do(func() { t.seed, t.known = maphash.MakeSeed(), map[uint64]decoded{} })
	hash := maphash.Bytes(t.seed, raw)
	t.mu.Lock()
	d, known := t.known[hash]
	t.mu.Unlock()
	if known && d.literal == shared(raw) {
		return d.text
	}
	text := Decode(raw)
	if keep && !known {
		t.mu.Lock()
		t.known[hash] = decoded{shared(raw), text}
		t.mu.Unlock()
	}
	return text
}
