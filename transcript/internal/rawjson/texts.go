package rawjson

import "sync"

// Texts remembers the decoded texts of long literals, so that what is written
// twice the same way is decoded and held once: a result that is repeated, or all
// that an output has in common with its source. The zero value is empty. It is
// safe for concurrent use.
//
// A literal is known by its bytes, which are not copied: a Texts keeps alive the
// sources of the Docs that use it.
type Texts struct {
	mu    sync.Mutex
	known map[string]string // text by literal
}

// rememberFrom is the length in bytes from which a literal is remembered. To
// remember a shorter one takes more memory than to decode it again.
const rememberFrom = 256

// decode is [Decode] of raw, remembered if keep says so. A nil Texts remembers nothing.
func (t *Texts) decode(raw []byte, keep bool) string {
	if t == nil || len(raw) < rememberFrom {
		return Decode(raw)
	}
	lit := shared(raw)
	t.mu.Lock()
	text, ok := t.known[lit]
	t.mu.Unlock()
	if ok {
		return text
	}
	text = Decode(raw)
	if !keep {
		return text
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]string{}
	}
	t.known[lit] = text
	return text
}
