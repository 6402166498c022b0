// Package bpe counts and encodes text in OpenAI's encodings o200k_base and
// cl100k_base:
//
//	e := bpe.O200kBase()
//	e.Count("Hello world")             // 2
//	e.AppendTokens(nil, "Hello world") // [13225 2375]
//
// For every text the tokens are those of encode_ordinary in OpenAI's tiktoken.
//
// # How
//
// Code in place of the published regular expressions splits a text into pieces
// (scan.go, class.go). Then the bytes of each piece are joined to tokens (merge.go) by
// tables that [Build] writes and that are used in place (vocab.go). A cache of fixed
// size has the counts of short pieces (bpe.go).
//
// # Cost
//
// Loading takes no time. Each goroutine that counts at the same time needs about 800 KB
// and a few bytes for each byte of its longest piece. Counting allocates only for text
// that is not UTF-8. It takes linear time for every text, even for a megabyte without
// a space.
package bpe
