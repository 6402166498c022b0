package token

import (
	"sync"

	"condense/transcript/token/bpe"
)

// engine counts one text, in tokens. It is safe for concurrent use.
type engine func(s string) int

// The Counters of an encoding share its engine, which keeps scratch space.
var (
	o200k  = sync.OnceValue(func() engine { return bpe.O200kBase().Count })
	cl100k = sync.OnceValue(func() engine { return bpe.CL100kBase().Count })
)

func bytes4() engine {
	return func(s string) int { return (len(s) + 3) / 4 }
}
