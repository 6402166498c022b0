package bpe_test

import (
	"fmt"

	"condense/transcript/token/bpe"
)

func Example() {
	e := bpe.O200kBase()
	fmt.Println(e.Count("Hello world"))
	fmt.Println(e.AppendTokens(nil, "Hello world"))
	// Output:
	// 2
	// [13225 2375]
}
