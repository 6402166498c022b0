// Package tiktoken counts text in the encodings that OpenAI has published, with the library tiktoken-go:
// r50k_base, p50k_base, p50k_edit, cl100k_base and o200k_base. The vocabularies are in the program, and
// nothing is fetched from a network. An encoding is loaded when it is asked for, which takes some tenths
// of a second.
package tiktoken

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pkoukk/tiktoken-go"

	"condense/transcript/token/bpe"
)

// The vocabulary of p50k_base as OpenAI published it, from tiktoken-go-loader.
//
//go:embed p50k_base.tiktoken.gz
var p50k []byte

// r50kTokens is the number of tokens of r50k_base, which are the first of p50k_base.
const r50kTokens = 50256

// Names returns the names of the encodings.
func Names() []string {
	return []string{tiktoken.MODEL_O200K_BASE, tiktoken.MODEL_CL100K_BASE, tiktoken.MODEL_P50K_BASE, tiktoken.MODEL_P50K_EDIT, tiktoken.MODEL_R50K_BASE}
}

// offline makes tiktoken-go read the vocabularies from the program. Without it, the library would
// download them.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(builtIn{}) })

// builtIn returns the vocabularies in the program to tiktoken-go.
type builtIn struct{}

// LoadTiktokenBpe returns the ranks of the tokens in the file with this address.
func (builtIn) LoadTiktokenBpe(address string) (map[string]int, error) {
	switch path.Base(address) {
	case "o200k_base.tiktoken":
		return ranks(bpe.O200kBase()), nil
	case "cl100k_base.tiktoken":
		return ranks(bpe.CL100kBase()), nil
	case "p50k_base.tiktoken":
		return readRanks(1 << 20)
	case "r50k_base.tiktoken":
		return readRanks(r50kTokens)
	}
	return nil, fmt.Errorf("no vocabulary for %s", address)
}

// ranks returns the numbers of the tokens of an encoding.
func ranks(e *bpe.Encoding) map[string]int {
	words := e.Vocabulary()
	ranks := make(map[string]int, len(words))
	for id, word := range words {
		ranks[word] = id
	}
	return ranks
}

// readRanks reads the tokens of p50k_base whose numbers are below most: lines of base64 and a number.
func readRanks(most int) (map[string]int, error) {
	r, err := gzip.NewReader(bytes.NewReader(p50k))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	ranks := map[string]int{}
	for line := range strings.Lines(string(text)) {
		word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		token, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			return nil, err
		}
		id, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		if id < most {
			ranks[string(token)] = id
		}
	}
	return ranks, nil
}

// Encoding is a loaded encoding. It is safe for concurrent use.
type Encoding struct{ t *tiktoken.Tiktoken }

// Load returns the encoding with a name, nil if there is none. The error is about the vocabulary.
func Load(name string) (*Encoding, error) {
	if !slices.Contains(Names(), name) {
		return nil, nil
	}
	offline()
	t, err := tiktoken.GetEncoding(name)
	if err != nil {
		return nil, err
	}
	return &Encoding{t}, nil
}

// Count returns the number of tokens of s. Names of special tokens are ordinary text, and each byte
// that is not UTF-8 is U+FFFD.
func (e *Encoding) Count(s string) int { return len(e.AppendTokens(nil, s)) }

// AppendTokens appends the numbers of the tokens of s to dst and returns the result.
func (e *Encoding) AppendTokens(dst []uint32, s string) []uint32 {
	for _, id := range e.t.EncodeOrdinary(s) { // it reads s as runes, so that broken bytes are U+FFFD
		dst = append(dst, uint32(id))
	}
	return dst
}
