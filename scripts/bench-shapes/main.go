//go:build unix

// Bench-shapes measures the memory and the time of condense for inputs of many
// shapes and two sizes. It generates the inputs, always the same ones.
//
//	go run ./scripts/bench-shapes [--bin FILE] [--size MB] [--only REGEXP] [--keep DIR]
//	    [--max-memory MB,MB [--commands run,batch,filter]] [ARGUMENT...]
//
// It must run at the top of the tree. Each input has --size MB, or a quarter of
// that. The arguments are those of condense run; the default condenses to 25 %
// by the strategy hybrid. Each line has the shape, the bytes of the large input,
// its peak of memory in MB, the factor, the bound of the factor, the processor
// seconds, and the exponent of the time in the size.
//
// The factor is the peak without 32 MB for the program, divided by the bytes of
// the input. The exponent is 1 for linear time. The exit code is 1 if a factor
// exceeds its bound, an exponent exceeds 1.3, or a run fails. Memory is measured
// on Linux only.
//
// With --max-memory MB,MB the inputs are condensed with each of these limits, by
// each of --commands. A line has the peaks, divided by the limits. The exit code is
// 1 if one exceeds 1.2, or if a run fails otherwise than by refusing the input.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Limits of a measurement.
const (
	constant    = 32 << 20 // bytes of the program itself
	growth      = 4        // size of the large input, divided by that of the small one
	steepest    = 1.3      // exponent of the time
	noise       = 0.3      // seconds up to which the exponent is not judged
	longestTime = 5 * time.Minute
)

type options struct {
	bin  string
	size float64
	only string
	keep string
	args []string

	limits   string // of the memory; "" to measure without
	commands string

	write string // only write the input of this shape; see measure
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench-shapes: ")
	var o options
	flag.StringVar(&o.bin, "bin", "", "condense `FILE` to measure (default: a new build)")
	flag.Float64Var(&o.size, "size", 16, "`MB` of the large input")
	flag.StringVar(&o.only, "only", "", "measure the shapes whose names match `REGEXP`")
	flag.StringVar(&o.keep, "keep", "", "keep the inputs in `DIR`")
	flag.StringVar(&o.limits, "max-memory", "", "measure with these limits, in `MB` with commas between them")
	flag.StringVar(&o.commands, "commands", "run,batch,filter", "`COMMANDS` to measure with limits")
	flag.StringVar(&o.write, "write", "", "only write the input of `SHAPE` to standard output")
	flag.Parse()
	if o.write != "" {
		if err := o.writeShape(); err != nil {
			log.Fatal(err)
		}
		return
	}
	o.args = flag.Args()
	if len(o.args) == 0 {
		o.args = []string{"--strategy", "hybrid", "--target", "25%"}
	}
	failed, err := bench(&o)
	if err != nil {
		log.Fatal(err)
	}
	if failed > 0 {
		log.Fatalf("%d shapes exceed a bound", failed)
	}
}

// bench measures all shapes. It returns the number of those that exceed a bound.
func bench(o *options) (failed int, err error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return 0, err
	}
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bench-shapes-"); err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	if o.bin == "" {
		o.bin = filepath.Join(dir, "condense")
		if out, err := exec.Command("go", "build", "-trimpath", "-o", o.bin, ".").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	measure := o.measure
	if o.limits != "" {
		measure = o.limit
		fmt.Printf("%-24s %11s %-7s %s\n", "shape", "bytes", "command", "peak / limit")
	} else {
		fmt.Printf("%-24s %11s %8s %7s %6s %8s %6s\n", "shape", "bytes", "peak MB", "factor", "bound", "seconds", "exp")
	}
	for _, s := range shapes() {
		if !only.MatchString(s.name) {
			continue
		}
		ok, err := measure(s, dir)
		if err != nil {
			return failed, fmt.Errorf("%s: %w", s.name, err)
		}
		if !ok {
			failed++
		}
	}
	return failed, nil
}

// measure prints the line of a shape. It reports whether no bound is exceeded.
func (o *options) measure(s shape, dir string) (bool, error) {
	var small, large run
	for _, one := range []struct {
		r    *run
		size float64
	}{{&small, o.size / growth}, {&large, o.size}} {
		path := filepath.Join(dir, fmt.Sprintf("%s-%g.json", s.name, one.size))
		size, err := generate(s.name, one.size, path)
		if err != nil {
			return false, err
		}
		*one.r = o.run(path, size, limited["run"])
		if o.keep == "" {
			os.Remove(path)
		}
	}
	factor := float64(large.peak-constant) / float64(large.bytes)
	exponent := math.Log(large.seconds/small.seconds) / math.Log(float64(large.bytes)/float64(small.bytes))
	ok, why := true, ""
	for _, bad := range []struct {
		is  bool
		why string
	}{
		{large.err != nil || small.err != nil, "FAILED"},
		{factor > s.bound, "MEMORY"},
		{large.seconds > noise && exponent > steepest, "TIME"},
	} {
		if bad.is {
			ok, why = false, why+" "+bad.why
		}
	}
	fmt.Printf("%-24s %11d %8.0f %7.1f %6.0f %8.2f %6.2f%s\n",
		s.name, large.bytes, float64(large.peak)/(1<<20), factor, s.bound, large.seconds, exponent, why)
	for _, r := range []run{small, large} {
		if r.err != nil {
			fmt.Printf("  %d bytes: %v\n", r.bytes, r.err)
		}
	}
	return ok, nil
}

// generate writes the input of a shape to a file, and returns its size. Another process makes it:
// the peak of a process, as Linux counts it, includes that of the process that started it.
func generate(name string, size float64, path string) (int, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	cmd := exec.Command(os.Args[0], "--write", name, "--size", fmt.Sprint(size))
	cmd.Stdout, cmd.Stderr = file, os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return int(info.Size()), file.Close()
}

// writeShape writes the input of one shape to standard output.
func (o *options) writeShape() error {
	for _, s := range shapes() {
		if s.name == o.write {
			_, err := os.Stdout.Write(s.make(int(o.size * (1 << 20))))
			return err
		}
	}
	return fmt.Errorf("no shape has the name %q", o.write)
}

// run is the measurement of one input.
type run struct {
	bytes   int
	peak    int64   // bytes
	seconds float64 // of the processor
	code    int     // of exit
	err     error
}

// run condenses one input with a command, in which OUT stands for the output.
func (o *options) run(path string, size int, command string) run {
	ctx, stop := context.WithTimeout(context.Background(), longestTime)
	defer stop()
	args := strings.Fields(strings.Replace(command, "OUT", path+".out", 1))
	cmd := exec.CommandContext(ctx, o.bin, slices.Concat(args, o.args, []string{path})...)
	out, err := cmd.CombinedOutput()
	os.RemoveAll(path + ".out")
	if err != nil {
		err = fmt.Errorf("%w: %.300s", err, out)
	}
	r := run{bytes: size, err: err, code: cmd.ProcessState.ExitCode(), seconds: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.peak = use.Maxrss << 10
	}
	return r
}
