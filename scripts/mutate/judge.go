package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tree is a copy of the module in a temporary folder, in which tests run.
type tree struct {
	tmp  string // holds everything
	root string // of the copy
}

// newTree copies the current folder, without .git.
func newTree() (*tree, error) {
	tmp, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	t := &tree{tmp, filepath.Join(tmp, "tree")}
	if err := os.Chmod(tmp, 0o711); err != nil { // some tests start programs as nobody
		return nil, err
	}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		to := filepath.Join(t.root, path)
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o777)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			return cmp.Or(err, os.Symlink(target, to))
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		return cmp.Or(err, os.WriteFile(to, data, info.Mode().Perm()|0o200))
	})
	if err != nil {
		t.remove()
		return nil, err
	}
	return t, nil
}

// remove deletes the copy.
func (t *tree) remove() {
	os.RemoveAll(t.tmp)
}

// court runs tests against the mutants of a package.
type court struct {
	ctx     context.Context
	tree    *tree
	jobs    int
	slow    time.Duration
	split   *regexp.Regexp // names of tests whose subtests are used if they are slow
	overlay string         // file for -overlay
	batch   *batch
	tests   []*test
	skipped []string
	killed  []bool // by number of the mutant, from 1
}

// test is a top-level test, fuzz test or example.
type test struct {
	dir    string // of its package
	bin    string // the program with it
	name   string
	time   time.Duration
	reache map[int]bool // mutants
	slow   bool
	err    error
	parts  []string // names of the subtests of a slow test
}

// pattern returns the expression for -test.run that matches only the test.
func (t *test) pattern() string {
	var list []string
	for name := range strings.SplitSeq(t.name, "/") {
		list = append(list, "^"+regexp.QuoteMeta(name)+"$")
	}
	return strings.Join(list, "/")
}

// judge builds the tests of a package and runs them against its mutants.
func judge(ctx context.Context, t *tree, m *module, b *batch, o options) (*court, error) {
	c := &court{ctx: ctx, tree: t, jobs: o.jobs, slow: o.slow, batch: b, killed: make([]bool, len(b.mutants)+1)}
	var err error
	if c.split, err = regexp.Compile(cmp.Or(o.parts, "^$")); err != nil {
		return nil, fmt.Errorf("--parts: %w", err)
	}
	if err := c.writeOverlay(); err != nil {
		return nil, err
	}
	for _, dir := range append([]string{b.dir}, judges[b.dir]...) {
		if m.known[dir] && !m.tested[dir] {
			continue
		}
		if err := c.build(dir); err != nil {
			return nil, err
		}
	}
	c.each(len(c.tests), func(i int) { c.record(c.tests[i]) })
	c.recordParts()
	for _, t := range c.tests {
		switch {
		case t.slow:
			c.skipped = append(c.skipped, fmt.Sprintf("%s in %s takes more than %v of processor time", t.name, t.dir, o.slow))
		case t.err != nil:
			c.skipped = append(c.skipped, fmt.Sprintf("%s in %s fails without a mutant: %v", t.name, t.dir, t.err))
		}
	}
	c.tests = slices.DeleteFunc(c.tests, func(t *test) bool { return t.slow || t.err != nil })
	c.each(len(b.mutants), func(i int) {
		if x := b.mutants[i]; strings.Contains(x.String(), o.only) {
			c.killed[x.id] = c.kills(x)
		}
	})
	if o.only != "" {
		b.mutants = slices.DeleteFunc(b.mutants, func(x *mutant) bool { return !strings.Contains(x.String(), o.only) })
	}
	return c, ctx.Err()
}

// writeOverlay writes the changed files, and the list of them for the compiler.
func (c *court) writeOverlay() error {
	dir := filepath.Join(c.tree.tmp, "overlay")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	replace := make(map[string]string)
	for name, text := range c.batch.texts {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
		replace[filepath.Join(c.tree.root, filepath.FromSlash(c.batch.dir), name)] = file
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	c.overlay = filepath.Join(dir, "overlay.json")
	return os.WriteFile(c.overlay, data, 0o666)
}

// build builds the tests of the package in dir, and lists them.
func (c *court) build(dir string) error {
	bin := filepath.Join(c.tree.tmp, "overlay", strings.ReplaceAll(dir, "/", "-")+".test.exe")
	cmd := exec.CommandContext(c.ctx, "go", "test", "-c", "-vet=off", "-overlay", c.overlay, "-o", bin, ".")
	cmd.Dir = filepath.Join(c.tree.root, filepath.FromSlash(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	list := exec.CommandContext(c.ctx, bin, "-test.list", "^(Test|Fuzz|Example)")
	list.Dir = filepath.Join(c.tree.root, filepath.FromSlash(dir))
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	for _, name := range strings.Fields(string(out)) {
		c.tests = append(c.tests, &test{dir: dir, bin: bin, name: name})
	}
	return nil
}

// each calls f for 0 to n-1, c.jobs at the same time.
func (c *court) each(n int, f func(int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range c.jobs {
		wg.Go(func() {
			for i := range next {
				if c.ctx.Err() == nil {
					f(i)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// busy is the largest expected ratio of time to processor time, on a machine with other work.
const busy = 8

// record runs a test without a mutant, and notes its time and what it reaches.
func (c *court) record(t *test) {
	dir, err := os.MkdirTemp(c.tree.tmp, "r")
	if err != nil {
		t.err = err
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "reached")
	if t.err = shared(dir, file); t.err != nil {
		return
	}
	patience, split := busy*c.slow, c.split.MatchString(t.name) && !strings.Contains(t.name, "/")
	if split {
		patience *= 10
	}
	began := time.Now()
	out, cpu, err := c.run([]*test{t}, patience, "MUTATE_RECORD="+file, "-test.v")
	t.time = time.Since(began)
	if t.slow = cpu > c.slow || t.time > patience; t.slow {
		if split && err == nil {
			t.parts = leaves(out)
		}
		return
	}
	if err != nil {
		t.err = fmt.Errorf("%w\n%s", err, out)
		return
	}
	t.reache = make(map[int]bool)
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.err = err
	}
	for _, line := range strings.Fields(string(data)) {
		id, _ := strconv.Atoi(line)
		t.reache[id] = true
	}
}

// started matches the line that a test prints at its start.
var started = regexp.MustCompile(`(?m)^=== RUN   (\S+)$`)

// leaves returns the names of the subtests without subtests of their own.
func leaves(out []byte) (list []string) {
	for _, m := range started.FindAllSubmatch(out, -1) {
		name := string(m[1])
		if n := len(list); n > 0 && strings.HasPrefix(name, list[n-1]+"/") {
			list = list[:n-1]
		}
		list = append(list, name)
	}
	if len(list) == 1 && !strings.Contains(list[0], "/") {
		return nil
	}
	return list
}

// recordParts replaces the slow tests by their subtests, and records those.
func (c *court) recordParts() {
	var tests, parts []*test
	for _, t := range c.tests {
		for _, name := range t.parts {
			parts = append(parts, &test{dir: t.dir, bin: t.bin, name: name})
		}
		if len(t.parts) == 0 {
			tests = append(tests, t)
		}
	}
	c.each(len(parts), func(i int) { c.record(parts[i]) })
	c.tests = append(tests, parts...)
}

// shared makes a file that programs of any user can write, since tests start some as nobody.
func shared(dir, file string) error {
	return cmp.Or(os.WriteFile(file, nil, 0o666), os.Chmod(file, 0o666), os.Chmod(dir, 0o711))
}

// kills reports whether a test notices the mutant.
func (c *court) kills(x *mutant) bool {
	const quick = time.Second // of the tests that run first
	var fast, rest []*test
	var sum time.Duration
	list := slices.SortedFunc(slices.Values(c.tests), func(a, b *test) int { return cmp.Compare(a.time, b.time) })
	for _, t := range list {
		if !t.reache[x.id] {
			continue
		}
		if sum += t.time; sum < quick {
			fast = append(fast, t)
		} else {
			rest = append(rest, t)
		}
	}
	for _, group := range append(byProgram(fast), byProgram(rest)...) {
		var limit time.Duration
		for _, t := range group {
			limit += t.time
		}
		if _, _, err := c.run(group, 10*limit+5*time.Second, "MUTATE="+strconv.Itoa(x.id)); err != nil {
			return true
		}
	}
	return false
}

// byProgram splits tests by their program.
func byProgram(tests []*test) (groups [][]*test) {
	for _, t := range tests {
		i := slices.IndexFunc(groups, func(g []*test) bool { return g[0].bin == t.bin })
		if i < 0 {
			groups = append(groups, []*test{t})
		} else {
			groups[i] = append(groups[i], t)
		}
	}
	return groups
}

// run runs tests of one program, with a variable in the environment. It returns
// what they print, the processor time of all processes, and an error if a test
// fails. A limit of the address space stops mutants that take memory without end.
func (c *court) run(tests []*test, limit time.Duration, variable string, flags ...string) (text []byte, cpu time.Duration, err error) {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.pattern()
	}
	tmp, err := os.MkdirTemp(c.tree.tmp, "t")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(c.ctx, limit+5*time.Second)
	defer cancel()
	args := append([]string{"-c", `ulimit -v 8000000 2>/dev/null; exec "$@"`, "sh", tests[0].bin,
		"-test.failfast", "-test.timeout", limit.String(), "-test.run", strings.Join(names, "|")}, flags...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = filepath.Join(c.tree.root, filepath.FromSlash(tests[0].dir))
	cmd.Env = append(os.Environ(), variable, "TMPDIR="+tmp, "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+c.overlay)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	kill := inGroup(cmd)
	err = cmd.Run()
	kill()
	if s := cmd.ProcessState; s != nil {
		cpu = s.UserTime() + s.SystemTime()
	}
	return out.Bytes(), cpu, err
}

// score counts the mutants. accepted has those that count as equivalent.
func (c *court) score(accepted map[string]string) *score {
	s := &score{mutants: len(c.batch.mutants), skipped: c.skipped}
	for _, x := range c.batch.mutants {
		reached := slices.ContainsFunc(c.tests, func(t *test) bool { return t.reache[x.id] })
		line := c.batch.dir + "/" + x.String()
		reason := accepted[c.batch.dir+"/"+x.key()]
		switch {
		case c.killed[x.id]:
			s.killed++
			if reason != "" {
				s.stale = append(s.stale, line)
			}
		case reason != "":
			s.equivalent = append(s.equivalent, line+" ("+reason+")")
		case !reached:
			s.survivors = append(s.survivors, line+" (no test reaches it)")
		default:
			s.survivors = append(s.survivors, line)
		}
	}
	return s
}
