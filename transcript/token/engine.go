package token

import (
	"sync"

	"condense/transcript/token/bpe"
)

// engine counts texts, and is safe for concurrent use.
type engine struct {
	count  func(s string) int
	tokens func(dst []uint32, s string) []uint32 // appends them; nil in units that are no encoding
}

// The Counters of an encoding share its engine, which keeps scratch space.
var (
	o200k  = sync.OnceValue(func() engine { return engineOf(bpe.O200kBase()) })
	cl100k = sync.OnceValue(func() engine { return engineOf(bpe.CL100kBase()) })
)

func engineOf(e *bpe.Encoding) engine { return engine{e.Count, e.AppendTokens} }

func bytes4() engine {
	return engine{count: func(s string) int { return (len(s) + 3) / 4 }}
}
