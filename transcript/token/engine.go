package token

import (
	"fmt"
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// engine counts one text. It is safe for concurrent use.
type engine func(s string) count

// count is what an engine finds.
type count struct {
	tokens int
	cut    int // bytes in runs that were counted in pieces, see split
}

// The engines are loaded when first asked for, once in the life of the program.
var (
	o200k  = load("o200k_base")
	cl100k = load("cl100k_base")
)

// offline makes tiktoken-go read its vocabularies from the program. It would
// fetch them from a network otherwise. It sets a global of that library, so it
// must have happened before any encoding is asked for.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

func load(encoding string) func() (engine, error) {
	return sync.OnceValues(func() (engine, error) {
		offline()
		t, err := tiktoken.GetEncoding(encoding)
		if err != nil {
			return nil, fmt.Errorf("load the vocabulary of %s: %w", encoding, err)
		}
		return func(s string) count { return encode(t, s) }, nil
	})
}

// encoder loads what gives the tokens themselves. It keeps nothing: one command
// asks, once for each text.
func encoder(encoding string) (func(s string) []int, error) {
	offline()
	t, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		return nil, fmt.Errorf("load the vocabulary of %s: %w", encoding, err)
	}
	return t.EncodeOrdinary, nil
}

// encode counts with EncodeOrdinary, the one entry of tiktoken-go that neither
// panics on names of special tokens nor loses text next to them.
func encode(t *tiktoken.Tiktoken, s string) count {
	ends, cut := split(s)
	n := count{cut: cut}
	start := 0
	for _, end := range ends {
		n.tokens += len(t.EncodeOrdinary(s[start:end]))
		start = end
	}
	return n
}

func bytes4() (engine, error) {
	return func(s string) count { return count{tokens: (len(s) + 3) / 4} }, nil
}
