package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"condense/cmd"
)

// exitInput is the exit code of the program for a file that it cannot read.
const exitInput = 3

// unreadable is the variant in the only line of such a file.
const unreadable = "unreadable@-"

// targets lists the targets for strategies that work towards one.
var targets = []string{"50%", "25%", "10%"}

// variant is one way to condense a file.
type variant struct {
	name   string // a strategy or a preset
	target string // "-" for a strategy without a target, "preset" for a preset
	flags  []string
}

func (v variant) String() string { return v.name + "@" + v.target }

// result holds the exit code of a run and the hashes of its output and report.
type result struct {
	exit           int
	output, report string
}

// runner runs the program, in a temporary folder with a link to each set.
type runner struct {
	ctx      context.Context // ends the runs
	home     string          // folder of the recorded hashes
	keep     string          // folder for outputs, or ""
	tmp      string
	variants []variant
}

// newRunner makes tmp the working directory, and sets an environment that has no
// settings.
func newRunner(ctx context.Context, tmp, keep string) (*runner, error) {
	r := &runner{ctx: ctx, keep: keep, tmp: tmp}
	var err error
	if r.home, err = filepath.Abs(home); err != nil {
		return nil, err
	}
	if keep != "" {
		if r.keep, err = filepath.Abs(keep); err != nil {
			return nil, err
		}
	}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "CONDENSE_") {
			err = errors.Join(err, os.Unsetenv(name))
		}
	}
	own := filepath.Join(tmp, "home")
	err = errors.Join(err, os.Setenv("HOME", own), os.Chdir(tmp))
	for _, name := range []string{"CACHE", "CONFIG", "DATA", "STATE"} {
		err = errors.Join(err, os.Setenv("XDG_"+name+"_HOME", filepath.Join(own, strings.ToLower(name))))
	}
	return r, err
}

// condense runs the program. It returns the exit code.
func condense(out, printed io.Writer, args ...string) int {
	return cmd.Main(args, strings.NewReader(""), out, printed, os.Getenv)
}

// presetFlag matches the names of the presets in the help of condense run.
var presetFlag = regexp.MustCompile(`(?m)^ +--preset ([a-z-]+(?:\|[a-z-]+)+)`)

// listVariants asks the program for its strategies and presets.
func listVariants() (all []variant, err error) {
	var out, printed bytes.Buffer
	if condense(&out, &printed, "strategies", "--json") != 0 {
		return nil, fmt.Errorf("condense strategies: %s", &printed)
	}
	var strategies []struct {
		Name string
		Aims bool
	}
	if err := json.Unmarshal(out.Bytes(), &strategies); err != nil {
		return nil, fmt.Errorf("condense strategies: %w", err)
	}
	for _, s := range strategies {
		if !s.Aims {
			all = append(all, variant{s.Name, "-", []string{"--strategy", s.Name}})
			continue
		}
		for _, t := range targets {
			all = append(all, variant{s.Name, t, []string{"--strategy", s.Name, "--target", t}})
		}
	}
	out.Reset()
	if condense(&out, &printed, "run", "--help") != 0 {
		return nil, fmt.Errorf("condense run --help: %s", &printed)
	}
	presets := presetFlag.FindSubmatch(out.Bytes())
	if len(all) == 0 || presets == nil {
		return nil, errors.New("condense lists no strategies or no presets")
	}
	for name := range strings.SplitSeq(string(presets[1]), "|") {
		all = append(all, variant{name, "preset", []string{"--preset", name}})
	}
	return all, nil
}

// runAll condenses all files of a set in every variant, on all cores. The keys
// of the results are "path strategy@target".
func (r *runner) runAll(s set, files []string) (map[string]result, error) {
	var (
		all   = map[string]result{}
		errs  []error
		mu    sync.Mutex
		group sync.WaitGroup
		queue = make(chan string, len(files))
	)
	for _, file := range files {
		queue <- file
	}
	close(queue)
	if err := os.Symlink(s.dir, s.link); err != nil {
		return nil, err
	}
	for i := range runtime.NumCPU() {
		dir := s.name + strconv.Itoa(i)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		group.Go(func() {
			for file := range queue {
				err := r.runFile(dir, file, func(variant string, res result) {
					mu.Lock()
					defer mu.Unlock()
					all[file+" "+variant] = res
				})
				if err != nil {
					mu.Lock()
					errs = append(errs, fmt.Errorf("%s: %w", file, err))
					mu.Unlock()
					return
				}
			}
		})
	}
	group.Wait()
	return all, errors.Join(errs...)
}

// runFile condenses one file in every variant, with dir for the outputs. A file
// that cannot be read is run once.
func (r *runner) runFile(dir, file string, add func(variant string, res result)) error {
	for i, v := range r.variants {
		res, err := r.run(dir, file, v)
		if err != nil {
			return fmt.Errorf("%s: %w", v, err)
		}
		if i == 0 && res.exit == exitInput {
			add(unreadable, res)
			return nil
		}
		add(v.String(), res)
	}
	return nil
}

// run condenses one file in one variant, with dir for the outputs.
func (r *runner) run(dir, file string, v variant) (res result, err error) {
	var printed bytes.Buffer
	args := append([]string{"run", "--config", "none", "--tokenizer", "o200k_base",
		"-o", dir + "/out", "--report", dir + "/report", "--report-format", "json"}, v.flags...)
	exit := condense(&printed, &printed, append(args, file)...)
	if err := r.ctx.Err(); err != nil {
		return res, err // the context ended it
	}
	output, err := take(filepath.Join(dir, "out"))
	if err != nil {
		return res, err
	}
	report, err := take(filepath.Join(dir, "report"))
	if err != nil {
		return res, err
	}
	report = bytes.ReplaceAll(append(normalise(report), printed.Bytes()...), []byte(dir+"/"), nil)
	if bytes.Contains(report, []byte(r.tmp)) {
		return res, errors.New("the report names the temporary folder")
	}
	if r.keep != "" {
		if err := save(filepath.Join(r.keep, file, v.String()), output, report); err != nil {
			return res, err
		}
	}
	return result{exit, hash(output), hash(report)}, nil
}

// take reads a file and removes it. It returns nil for a missing file.
func take(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, errors.Join(err, os.Remove(name))
}

// save writes an output and a report to two files.
func save(name string, output, report []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name+".out", output, 0o644), os.WriteFile(name+".report", report, 0o644))
}

// varying matches the members of a report that differ by run or build. Quotes
// in strings are escaped, so it never matches inside of a string.
var varying = regexp.MustCompile(`"(condense|milliseconds)":\s*("[^"]*"|[^,}\s]+)`)

// normalise removes the version and times from a report.
func normalise(report []byte) []byte { return varying.ReplaceAll(report, []byte(`"$1": 0`)) }

// hash returns 12 digits of a hash of data, and "-" for nil.
func hash(data []byte) string {
	if data == nil {
		return "-"
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))[:12]
}
