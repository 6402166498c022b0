package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// readLines reads recorded results. The keys are "path strategy@target".
func readLines(name string) (map[string]result, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := map[string]result{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), " ")
		n := len(fields) - 3 // a path may hold spaces
		var res result
		if n < 2 {
			return nil, fmt.Errorf("%s: not a line of hashes: %q", name, line)
		}
		if _, err := fmt.Sscan(strings.Join(fields[n:], " "), &res.exit, &res.output, &res.report); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, line, err)
		}
		lines[strings.Join(fields[:n], " ")] = res
	}
	return lines, nil
}

// writeLines records results, sorted.
func writeLines(name string, lines map[string]result) error {
	var text bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		l := lines[key]
		fmt.Fprintf(&text, "%s %d %s %s\n", key, l.exit, l.output, l.report)
	}
	return os.WriteFile(name, text.Bytes(), 0o644)
}

// variantOf returns the strategy and target in a key.
func variantOf(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// difference describes how one line differs.
type difference struct {
	key                  string
	output, report, exit bool // set for each part that differs
	gone                 bool // recorded, but there is no such run
	added                bool // not recorded
	was, is              int  // exit codes
}

func (d difference) String() string {
	switch {
	case d.gone:
		return "recorded, but there is no such run"
	case d.added:
		return "not recorded"
	}
	var parts []string
	if d.exit {
		parts = append(parts, fmt.Sprintf("exit code %d instead of %d", d.is, d.was))
	}
	if d.output {
		parts = append(parts, "output")
	}
	if d.report {
		parts = append(parts, "report")
	}
	return strings.Join(parts, ", ")
}

// compare returns the differences between recorded and new lines, sorted. A
// line that only one of them has is a difference, too.
func compare(want, got map[string]result) (list []difference) {
	for key, w := range want {
		g, ok := got[key]
		switch {
		case !ok:
			list = append(list, difference{key: key, gone: true})
		case g != w:
			list = append(list, difference{
				key: key, output: g.output != w.output, report: g.report != w.report,
				exit: g.exit != w.exit, was: w.exit, is: g.exit,
			})
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			list = append(list, difference{key: key, added: true})
		}
	}
	slices.SortFunc(list, func(a, b difference) int { return strings.Compare(a.key, b.key) })
	return list
}

// verdict returns one sentence about a list of differences.
func verdict(list []difference) string {
	switch len(list) {
	case 0:
		return "nothing differs"
	case 1:
		return "1 line differs"
	}
	return fmt.Sprintf("%d lines differ", len(list))
}

// describe prints how many lines differ by strategy and target, and the first of them.
func describe(w io.Writer, list []difference) {
	if len(list) == 0 {
		return
	}
	const most = 20
	counts := map[string]*[6]int{}
	for _, d := range list {
		name := variantOf(d.key)
		if counts[name] == nil {
			counts[name] = new([6]int)
		}
		for i, moved := range [...]bool{true, d.output, d.report, d.exit, d.gone, d.added} {
			if moved {
				counts[name][i]++
			}
		}
	}
	fmt.Fprintf(w, "  %-22s %7s %7s %7s %7s %7s %7s\n", "strategy@target", "differ", "output", "report", "exit", "gone", "new")
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		fmt.Fprintf(w, "  %-22s %7d %7d %7d %7d %7d %7d\n", name, c[0], c[1], c[2], c[3], c[4], c[5])
	}
	for _, d := range list[:min(most, len(list))] {
		fmt.Fprintf(w, "  %s: %s\n", d.key, d)
	}
	if n := len(list) - most; n > 0 {
		fmt.Fprintf(w, "  and %d more\n", n)
	}
}

// sound returns an error if a run had the exit code of a wrong flag or a crash,
// which must not be recorded.
func sound(lines map[string]result) error {
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		if exit := lines[key].exit; exit < 0 || exit == 2 {
			return fmt.Errorf("nothing recorded: %s ended with exit code %d, a wrong flag or a crash", key, exit)
		}
	}
	return nil
}
