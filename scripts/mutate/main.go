// Mutate measures how many small faults the tests notice. It changes a package
// in one place at a time, runs the tests, and lists the changes that no test
// notices.
//
//	go run ./scripts/mutate [--seed N] [--n N] [--only TEXT] [--parts EXPR] [--list] [PACKAGE ...]
//
// It must run at the top of the tree. PACKAGE is a folder such as
// transcript/format; without one, all packages with code are measured.
//
// All changes of a package, called mutants, are compiled into one test binary.
// The variable MUTATE in the environment holds the number of the one that is
// active, so a mutant costs no build. The files of the tree stay as they are:
// a temporary copy of the tree is built with go build -overlay. The tests run
// in that copy, so they cannot see files beside the checkout, and tests that
// need such files are skipped.
//
// First every test runs alone, without a mutant. The run records its time and
// the mutants that it reaches. Tests that fail, or take more processor time
// than --slow, are left out, and listed. The subtests of slow tests are used like
// other tests if the name of the slow test matches --parts. Without the flag these
// are the scripts of testdata/endtoend; --parts . takes much longer. Each mutant is
// judged by the tests that reach it, the fast ones first, up to the first failure.
// A run that takes ten times as long as without the mutant, and five seconds more,
// counts as a failure.
//
// A package is judged by its own tests. Packages that are parts of another one
// are also judged by the tests of that one; the table judges has them.
//
// Mutants are drawn by a hash of the seed and their text, at most two in a
// function or a declaration of variables. A change elsewhere in the package
// leaves most of the draw as it is. These changes are made:
//
//   - && and || are exchanged, + and - of numbers are exchanged
//   - comparisons are negated, or include or exclude the boundary
//   - a condition is always true, or always false
//   - a number is one more, or zero; a string is empty
//   - a returned boolean is negated; a returned value is the zero value
//   - a call, an assignment, ++ or -- is left out
//   - break and continue are exchanged
//
// These are not made, because tests cannot notice them: changes of
// capacities, of calls of Grow, of locks and of arguments of panic.
//
// The file equivalent.txt in the folder of this program lists survivors that
// behave as the original does, with the reason. They are not counted, but no
// more than one mutant in eight may be listed. The exit code is 1 if a package
// has a lower rate than --floor, or if too many of its mutants are listed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// judges lists the packages that are judged by tests of other packages, too.
var judges = map[string][]string{
	"cmd":                        {"testdata/endtoend", "cmd/help"}, // endtoend is a module of its own
	"cmd/batch":                  {"cmd"},
	"cmd/report":                 {"cmd/ui"},
	"cmd/report/survey":          {"cmd/ui", "cmd/report"},
	"cmd/stash":                  {"cmd"},
	"cmd/ui/ci":                  {"cmd/ui"},
	"cmd/ui/content":             {"cmd/ui"},
	"cmd/ui/escape":              {"cmd/ui"},
	"cmd/ui/html":                {"cmd/ui"},
	"cmd/ui/reading":             {"cmd/ui"},
	"transcript/internal/column": {"transcript/format"},
	"transcript/internal/splice": {"transcript/format"},
}

// options are the flags.
type options struct {
	seed  int
	n     int
	jobs  int
	floor float64
	slow  time.Duration
	only  string
	parts string
	list  bool
}

func main() {
	log.SetFlags(0)
	var o options
	flag.IntVar(&o.seed, "seed", 1, "seed of the draw")
	flag.IntVar(&o.n, "n", 60, "mutants of a package")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "processes at the same time")
	flag.Float64Var(&o.floor, "floor", 90, "lowest rate in percent; 5 less for cmd/ui")
	flag.DurationVar(&o.slow, "slow", 5*time.Second, "leave out tests that take more processor time")
	flag.StringVar(&o.only, "only", "", "judge only mutants whose line contains this text")
	flag.StringVar(&o.parts, "parts", "^TestScripts$", "use the subtests of slow tests whose names match as tests of their own")
	flag.BoolVar(&o.list, "list", false, "print the mutants and run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	good, err := mutate(ctx, os.Stdout, o, flag.Args())
	stop()
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// mutate measures the packages, all if there are none, and prints the results to
// w. It reports whether every package reaches the floor.
func mutate(ctx context.Context, w io.Writer, o options, dirs []string) (bool, error) {
	m, err := loadModule(ctx, dirs)
	if err != nil {
		return false, err
	}
	accepted, err := readEquivalents("scripts/mutate/equivalent.txt")
	if err != nil {
		return false, err
	}
	tree, err := newTree()
	if err != nil {
		return false, err
	}
	defer tree.remove()

	good := true
	fmt.Fprintf(w, "seed %d, at most %d mutants of a package\n", o.seed, o.n)
	for _, p := range m.chosen {
		began := time.Now()
		b, err := m.draw(p, o)
		if err != nil {
			return false, fmt.Errorf("%s: %w", p.dir, err)
		}
		if o.list {
			for _, mutant := range b.mutants {
				fmt.Fprintln(w, mutant)
			}
			continue
		}
		c, err := judge(ctx, tree, m, b, o)
		if err != nil {
			return false, fmt.Errorf("%s: %w", p.dir, err)
		}
		s := c.score(accepted)
		s.print(w, p.dir, time.Since(began))
		good = good && (o.only != "" || s.reaches(floorOf(p.dir, o.floor)))
	}
	return good, nil
}

// floorOf returns the lowest rate of a package.
func floorOf(dir string, floor float64) float64 {
	if strings.HasPrefix(dir, "cmd/ui") {
		return floor - 5
	}
	return floor
}

// score is the result of a package.
type score struct {
	mutants, killed int
	survivors       []string // lines, with file, line and change
	equivalent      []string // the same, of accepted ones
	stale           []string // the same, of mutants that are accepted but noticed
	skipped         []string // tests that were left out
}

// rate returns the share of the noticed mutants in percent, without accepted ones.
func (s *score) rate() float64 {
	if n := s.mutants - len(s.equivalent); n > 0 {
		return 100 * float64(s.killed) / float64(n)
	}
	return 100
}

// reaches reports whether the rate is at least floor, and whether no more than
// one mutant in eight is accepted.
func (s *score) reaches(floor float64) bool {
	return s.rate() >= floor && 8*len(s.equivalent) <= s.mutants
}

// print prints the survivors and a line of the package.
func (s *score) print(w io.Writer, dir string, d time.Duration) {
	for _, line := range s.skipped {
		fmt.Fprintln(w, "  left out:", line)
	}
	for _, line := range s.stale {
		fmt.Fprintln(w, "  listed as equivalent, but noticed:", line)
	}
	for _, line := range s.equivalent {
		fmt.Fprintln(w, "  equivalent:", line)
	}
	for _, line := range s.survivors {
		fmt.Fprintln(w, "  survived:", line)
	}
	fmt.Fprintf(w, "%s: %d mutants, %d killed, %d survived, %d equivalent, %.0f %%, %.0f s\n",
		dir, s.mutants, s.killed, len(s.survivors), len(s.equivalent), s.rate(), d.Seconds())
}

// readEquivalents returns the accepted mutants, by key. A line of the file has
// the folder and the key of a mutant, " | ", and the reason. Lines that begin
// with # are comments. An absent file is an empty one.
func readEquivalents(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make(map[string]string)
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, " | ")
		if at < 0 || strings.TrimSpace(line[at+3:]) == "" {
			return nil, fmt.Errorf("%s:%d: no reason", path, i+1)
		}
		list[line[:at]] = line[at+3:]
	}
	return list, nil
}
