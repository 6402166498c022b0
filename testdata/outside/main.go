// Outside is a program in another module. It condenses the file that its argument
// names with one call of the library, and writes the result to standard output.
package main

import (
	"context"
	"log"
	"os"

	"condense/strategy/condense"
)

func main() {
	log.SetFlags(0)
	src, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	out, err := condense.Condense(context.Background(), src, condense.Defaults())
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(out.Out)
}
