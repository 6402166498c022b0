// Command condense shrinks saved LLM conversations. See README.md.
package main

import (
	"os"
	"runtime/debug"

	"condense/cmd"
)

// gcPercent is the default of GOGC. A source stays in memory to the end. With Go's own default of
// 100, as much garbage may collect beside it.
const gcPercent = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
