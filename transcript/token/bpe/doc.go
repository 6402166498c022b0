// Package bpe counts the tokens of text exactly, and gives them, in OpenAI's
// encodings o200k_base and cl100k_base:
//
//	e := bpe.O200kBase()
//	e.Count("Hello world")             // 2
//	e.AppendTokens(nil, "Hello world") // [13225 2375]
//
// The tokens are those of OpenAI's tiktoken, encode_ordinary, for every text.
//
// # How
//
// A text is first split into pieces by a pattern, which is [Encoding]'s own code
// here and a regular expression elsewhere (scan.go, class.go). Then the bytes of
// each piece are joined to tokens (merge.go), by tables that are made beforehand
// and used as they lie in the program (vocab.go; [Build] makes them). Counts of
// short pieces are remembered, in a table of fixed size (cache.go).
//
// # Cost
//
// No time to load, about 800 KB for each goroutine that counts at the time, and
// no more than some bytes for each byte of the longest piece. Counting allocates
// nothing, but where a text is not UTF-8. The time grows with the length of the
// text and no faster: a megabyte without a space is a piece like any other.
package bpe
