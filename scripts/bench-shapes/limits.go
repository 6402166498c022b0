//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Bounds with a limit of the memory.
const (
	over    = 1.2 // a peak, divided by the limit
	refusal = 3   // exit code of condense for a source that needs more
)

// limited has the arguments of the commands that take --max-memory, without those of condensing.
var limited = map[string]string{
	"run":    "run -q --force -o OUT",
	"batch":  "batch -q --force --out-dir OUT",
	"filter": "filter -q --force --on-error fail -0 -o OUT",
	"lines":  "filter -q --force --on-error fail -o OUT", // each line is a conversation
}

// limit prints a line for each command: with each limit the peak, divided by the limit, and whether the
// command has refused the input. It reports whether all commands have kept to their limits.
func (o *options) limit(s shape, dir string) (ok bool, err error) {
	path := filepath.Join(dir, fmt.Sprintf("%s-%g.json", s.name, o.size))
	size, err := generate(s.name, o.size, path)
	if err != nil {
		return false, err
	}
	if o.keep == "" {
		defer os.Remove(path)
	}
	ok = true
	for command := range strings.SplitSeq(o.commands, ",") {
		if command == "filter" && strings.Contains(s.name, "rows-") && s.name != "rows-array" {
			command = "lines"
		}
		line, faults := fmt.Sprintf("%-24s %11d %-7s", s.name, size, command), ""
		for text := range strings.SplitSeq(o.limits, ",") {
			limit, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return false, err
			}
			r := o.run(path, size, limited[command]+" --max-memory "+text+"M")
			share := float64(r.peak) / float64(limit<<20)
			switch {
			case r.code == refusal:
				line += fmt.Sprintf(" refused %.2f", share)
			case r.err != nil:
				faults += fmt.Sprintf("  %s MB: %v\n", text, r.err)
				fallthrough
			default:
				line += fmt.Sprintf(" %12.2f", share)
			}
			if share > over {
				faults += fmt.Sprintf("  %s MB: a peak of %d MB\n", text, r.peak>>20)
			}
		}
		fmt.Printf("%s\n%s", line, faults)
		ok = ok && faults == ""
	}
	return ok, nil
}
