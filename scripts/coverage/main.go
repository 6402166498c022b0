// Coverage runs the tests of all packages with -short, and compares the share of the statements that they
// run with the least share of each package, in floors.txt. It exits with 1 when a package is below its
// floor, has none, or fails. Run it before a release; it takes some minutes.
//
//	go run ./scripts/coverage            run the tests and compare
//	go run ./scripts/coverage -update    also raise and add floors: one point below what was measured
//	go run ./scripts/coverage -from FILE compare the output of go test -cover instead
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// floorsFile has a package and its least percentage in each line.
const floorsFile = "scripts/coverage/floors.txt"

func main() {
	update := flag.Bool("update", false, "raise and add floors")
	from := flag.String("from", "", "a file with the output of go test -cover")
	flag.Parse()
	if err := run(*from, *update); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

// run measures, compares, and writes the floors if update is set.
func run(from string, update bool) error {
	output, err := measure(from)
	if err != nil {
		return err
	}
	shares, err := read(bytes.NewReader(output))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(floorsFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	floors, err := parse(string(text))
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(floorsFile, []byte(raised(floors, shares)), 0o644)
	}
	return compare(os.Stdout, floors, shares)
}

// measure returns the output of the tests, or that in a file.
func measure(from string) ([]byte, error) {
	if from != "" {
		return os.ReadFile(from)
	}
	cmd := exec.Command("go", "test", "-short", "-cover", "-timeout", "30m", "./...")
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		os.Stdout.Write(output)
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	return output, nil
}

// covered matches the line of a package with tests. Packages without tests are helpers of tests, or are
// tested together with another one. Scripts are left out.
var covered = regexp.MustCompile(`^ok\s+(\S+)\s.*coverage: ([\d.]+)% of statements`)

// read returns the percentages in the output of go test -cover, by package. A failed package is an error.
func read(r io.Reader) (map[string]float64, error) {
	shares := map[string]float64{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "FAIL") {
			return nil, fmt.Errorf("the tests failed: %s", lines.Text())
		}
		m := covered.FindStringSubmatch(lines.Text())
		if m == nil || strings.Contains(m[1], "/scripts/") {
			continue
		}
		share, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		shares[m[1]] = share
	}
	if len(shares) == 0 {
		return nil, errors.New("no coverage of any package")
	}
	return shares, lines.Err()
}

// parse returns the floors in a text, by package.
func parse(text string) (map[string]float64, error) {
	floors := map[string]float64{}
	for line := range strings.Lines(text) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		floor, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", floorsFile, err)
		}
		floors[name] = floor
	}
	return floors, nil
}

// raised returns the text of the floors: one point below what was measured, and never lower than before.
func raised(floors, shares map[string]float64) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		fmt.Fprintf(&b, "%s %.0f\n", name, max(floors[name], math.Floor(shares[name])-1))
	}
	return b.String()
}

// compare prints a line for each package, and returns an error if one is below its floor or has none.
func compare(w io.Writer, floors, shares map[string]float64) error {
	var low []string
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		floor, known := floors[name]
		note := ""
		if !known || shares[name] < floor {
			low, note = append(low, name), "  below the floor, or without one"
		}
		fmt.Fprintf(w, "%-45s %5.1f %%  floor %3.0f%s\n", name, shares[name], floor, note)
	}
	for _, name := range slices.Sorted(maps.Keys(floors)) {
		if _, ok := shares[name]; !ok {
			low = append(low, name+" (not measured)")
		}
	}
	if low != nil {
		return fmt.Errorf("%d packages: %s", len(low), strings.Join(low, ", "))
	}
	return nil
}
