// Golden detects changes of outputs. It runs condense over many conversations
// and compares hashes of all outputs and reports with recorded ones. It uses
// only the command line, so it needs no change when packages change. All runs
// are in its own process, since a start of the program takes longer than most
// runs.
//
//	go run ./scripts/golden [--update] [--strategies a,b] [--corpus DIR] [--keep DIR]
//
// It must run at the top of the tree. Each file is condensed by every strategy
// to 50, 25 and 10 % (once by strategies without a target) and by every preset.
// The lines of fixtures.txt and corpus.txt are
//
//	path strategy@target exit-code output-hash report-hash
//
// A hash is 12 digits of a SHA-256, or "-" for no file. The hash of the report
// covers the JSON, without version and times, and the printed text. A file that
// cannot be read has one line, unreadable@-. The exit code is 1 if something
// differs.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const home = "scripts/golden" // folder of the recorded hashes

// options are the flags.
type options struct {
	update     bool
	strategies string
	corpus     string
	keep       string
}

// set is a folder of conversations.
type set struct {
	name     string // of the set, and of the file with its hashes
	dir      string
	link     string // name of the folder in recorded paths
	patterns []string
}

func main() {
	log.SetFlags(0)
	var o options
	flag.BoolVar(&o.update, "update", false, "record the new hashes")
	flag.StringVar(&o.strategies, "strategies", "", "run only these strategies and presets, separated by commas")
	flag.StringVar(&o.corpus, "corpus", "", "folder of real conversations, or none (default ../shared/corpus, if present)")
	flag.StringVar(&o.keep, "keep", "", "folder to keep outputs and reports in")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("golden takes only flags, not %s", flag.Arg(0))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	same, err := golden(ctx, o)
	stop()
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

// golden runs the program over all sets, in a temporary folder. It reports
// whether nothing differs.
func golden(ctx context.Context, o options) (bool, error) {
	sets, err := findSets(o.corpus)
	if err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp("", "golden-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)

	r, err := newRunner(ctx, tmp, o.keep)
	if err != nil {
		return false, err
	}
	all, err := listVariants()
	if err != nil {
		return false, err
	}
	if r.variants, err = choose(all, o.strategies); err != nil {
		return false, err
	}
	same := true
	for _, s := range sets {
		ok, err := r.check(s, o)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		same = same && ok
	}
	return same, nil
}

// findSets returns the fixtures, and the corpus if it is present.
func findSets(corpus string) ([]set, error) {
	if _, err := os.Stat(home); err != nil {
		return nil, errors.New(home + " does not exist here: run golden at the top of the tree")
	}
	sets := []set{{"fixtures", "testdata", "testdata", []string{"sessions/*/*", "compressed/*", "refused/*", "refused/*/*"}}}
	if corpus != "none" {
		dir := cmp.Or(corpus, "../shared/corpus")
		_, err := os.Stat(dir)
		switch {
		case err == nil:
			sets = append(sets, set{"corpus", dir, "corpus", []string{"*/*"}})
		case corpus == "" && errors.Is(err, fs.ErrNotExist):
			fmt.Printf("corpus: %s is absent, skipped\n", dir)
		default:
			return nil, err
		}
	}
	for i := range sets {
		dir, err := filepath.Abs(sets[i].dir)
		if err != nil {
			return nil, err
		}
		sets[i].dir = dir
	}
	return sets, nil
}

// files returns the paths of all files in the set, sorted.
func (s set) files() (list []string, err error) {
	tree := os.DirFS(s.dir)
	for _, pattern := range s.patterns {
		names, err := fs.Glob(tree, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			info, err := fs.Stat(tree, name)
			if err != nil {
				return nil, err
			}
			if info.Mode().IsRegular() {
				list = append(list, path.Join(s.link, name))
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no files in " + s.dir)
	}
	slices.Sort(list)
	return list, nil
}

// check runs the program over a set and prints how the results differ from the
// recorded lines. With --update, it records the new lines. It reports whether
// nothing differs or the new lines are recorded.
func (r *runner) check(s set, o options) (bool, error) {
	files, err := s.files()
	if err != nil {
		return false, err
	}
	record := filepath.Join(r.home, s.name+".txt")
	want, err := readLines(record)
	if err != nil && (!o.update || !errors.Is(err, fs.ErrNotExist)) {
		return false, err
	}
	others := map[string]result{}
	if o.strategies != "" {
		want, others = r.split(want)
	}
	began := time.Now()
	got, err := r.runAll(s, files)
	if err != nil {
		return false, err
	}
	took := time.Since(began).Round(100 * time.Millisecond)
	list := compare(want, got)
	fmt.Printf("%s: %d files, %d runs in %v: %s\n", s.name, len(files), len(got), took, verdict(list))
	describe(os.Stdout, list)
	if !o.update {
		return len(list) == 0, nil
	}
	if err := sound(got); err != nil {
		return false, err
	}
	maps.Copy(got, others)
	return true, writeLines(record, got)
}

// split divides recorded lines into those of the chosen variants and all
// others. Lines of unreadable files belong to every choice.
func (r *runner) split(lines map[string]result) (chosen, others map[string]result) {
	chosen, others = map[string]result{}, map[string]result{}
	for key, line := range lines {
		name := variantOf(key)
		if name == unreadable || slices.ContainsFunc(r.variants, func(v variant) bool { return v.String() == name }) {
			chosen[key] = line
		} else {
			others[key] = line
		}
	}
	return chosen, others
}

// choose returns the variants whose strategy or preset is in list, which is
// separated by commas. An empty list chooses all.
func choose(all []variant, list string) (chosen []variant, err error) {
	if list == "" {
		return all, nil
	}
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.ContainsFunc(all, func(v variant) bool { return v.name == name }) {
			return nil, fmt.Errorf("--strategies: unknown strategy or preset %q", name)
		}
	}
	for _, v := range all {
		if slices.Contains(names, v.name) {
			chosen = append(chosen, v)
		}
	}
	return chosen, nil
}
