// Command condense shrinks saved LLM conversations. See README.md.
package main

import (
	"os"

	"condense/cmd"
)

func main() {
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
