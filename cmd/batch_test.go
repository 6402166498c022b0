package cmd

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"
)

func TestShard(t *testing.T) {
	for text, want := range map[string]shard{
		"1/1": {index: 1, of: 1}, "3/7": {index: 3, of: 7}, "auto": {auto: true}, "auto/7": {of: 7, auto: true},
	} {
		if got, err := parseShard(text); err != nil || got != want {
			t.Errorf("%q is %+v and %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "3", "0/7", "8/7", "-1/7", "a/7", "3/", "3/7/9", "auto/0", "auto/x", "1/-1"} {
		if got, err := parseShard(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestShardOfAScheduler(t *testing.T) {
	type vars map[string]string
	slurm := func(id, count, first, last string) vars {
		return vars{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_MIN": first, "SLURM_ARRAY_TASK_MAX": last}
	}
	for _, c := range []struct {
		text      string
		env       vars
		index, of int // 0 for an error
	}{
		{"2/3", vars{"JOB_COMPLETION_INDEX": "0"}, 2, 3},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "0"}, 1, 7},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "6"}, 7, 7},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "7"}, 0, 0},
		{"auto", vars{"JOB_COMPLETION_INDEX": "0"}, 0, 0},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "x"}, 0, 0},
		{"auto", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 4, 4},
		{"auto/4", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 4, 4},
		{"auto/5", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 0, 0},
		{"auto/5", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3"}, 4, 5},
		{"auto", slurm("1", "4", "1", "4"), 1, 4},
		{"auto", slurm("4", "4", "1", "4"), 4, 4},
		{"auto", slurm("0", "4", "0", "3"), 1, 4},
		{"auto", slurm("20", "4", "0", "30"), 3, 4},
		{"auto", slurm("5", "1", "5", "5"), 1, 1},
		{"auto", slurm("9", "3", "1", "9"), 3, 3},
		{"auto", slurm("7", "3", "1", "7"), 3, 3},
		{"auto", slurm("2", "3", "1", "9"), 0, 0},
		{"auto", slurm("9", "4", "1", "9"), 0, 0},
		{"auto", vars{}, 0, 0},
	} {
		s, err := parseShard(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.resolve(func(name string) string { return c.env[name] })
		if (err != nil) != (c.of == 0) || err == nil && (got.index != c.index || got.of != c.of) {
			t.Errorf("%s with %v: %d of %d and %v, want %d of %d", c.text, c.env, got.index, got.of, err, c.index, c.of)
		}
	}
}

// TestShardsAreAPartition: every file is in one shard, none of which gets much more than its share.
func TestShardsAreAPartition(t *testing.T) {
	const files, shards = 7000, 7
	count := make([]int, shards+1)
	for i := range files {
		in := 0
		for n := 1; n <= shards; n++ {
			if (shard{index: n, of: shards}).has("sessions/" + strings.Repeat("a", i%50) + string(rune('0'+i/50))) {
				in++
				count[n]++
			}
		}
		if in != 1 {
			t.Fatalf("file %d is in %d shards", i, in)
		}
	}
	for n, c := range count[1:] {
		if c < files/shards/2 || c > files/shards*2 {
			t.Errorf("shard %d has %d files of %d", n+1, c, files)
		}
	}
	if !(shard{index: 5, of: 7}).has("a/session.jsonl") {
		t.Error("a file has moved to another shard: other versions say the fifth")
	}
}

func TestPlacesOfOutputs(t *testing.T) {
	for path, want := range map[string]string{
		"a.json":                 "a.json",
		"./a//b/../c.json":       "a/c.json",
		"../../a.json":           "a.json",
		"/etc/a.json":            "etc/a.json",
		"/../../a.json":          "a.json",
		"a/../../../b.json":      "b.json",
		"x\x1b[2J\x07.json":      "x%1b[2J%07.json",
		"\xff\xfe.json":          "%ff%fe.json",
		"right\u202eto left":     "right%e2%80%aeto left",
		"日本語 é.json":             "日本語 é.json",
		"\uFFFD.json":            "\uFFFD.json",
		"line\nfeed/\ttab.jsonl": "line%0afeed/%09tab.jsonl",
	} {
		it := item{path: path, rel: relative(path)}
		if got := it.out(); got != filepath.FromSlash(want) || !filepath.IsLocal(got) {
			t.Errorf("%q goes to %q, want %q", path, got, want)
		}
	}
}

func FuzzPlacesOfOutputs(f *testing.F) {
	for _, s := range []string{"a.json", "../a", "/../a", "a/..", "a\x1b", ".../b", "..", "/", ".. /../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		it := item{path: path, rel: relative(path)}
		got := it.out()
		if got != ".." && got != "" && !filepath.IsLocal(got) {
			t.Errorf("%q goes to %q", path, got)
		}
		if strings.ContainsAny(got, "\x1b\n\u202e\a") {
			t.Errorf("%q is %q, which acts on a terminal", path, got)
		}
	})
}

func TestGathering(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a/x.json", "a/b/y.jsonl.gz", "a/.git/z.json", "a/notes.txt", "out/x.json", "m.jsonl", "a/[1].json"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, "a/circle"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../m.jsonl", "a/link.json"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", "linked"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		paths []string
		want  string // path=rel, * when it was named
	}{
		{[]string{"."}, "a/[1].json=a/[1].json a/b/y.jsonl.gz=a/b/y.jsonl.gz a/x.json=a/x.json"},
		{[]string{"a"}, "a/[1].json=[1].json a/b/y.jsonl.gz=b/y.jsonl.gz a/x.json=x.json"},
		{[]string{"linked"}, "linked/[1].json=[1].json linked/b/y.jsonl.gz=b/y.jsonl.gz linked/x.json=x.json"},
		{[]string{"a/x.json", "a", "./a/x.json"}, "*a/x.json=a/x.json a/[1].json=[1].json a/b/y.jsonl.gz=b/y.jsonl.gz"},
		{[]string{"a/[1].json"}, "*a/[1].json=a/[1].json"},
		{[]string{"a/*.json"}, "a/[1].json=a/[1].json a/x.json=a/x.json"},
		{[]string{"**/*.gz"}, "a/b/y.jsonl.gz=a/b/y.jsonl.gz"},
		{[]string{"*.jsonl"}, ""},
		{[]string{"a/link.json"}, "*a/link.json=a/link.json"},
		{[]string{"missing.json"}, "*missing.json=missing.json"},
	} {
		g := &gathering{own: []string{"out", "m.jsonl"}}
		g.gather(c.paths)
		var got []string
		for _, it := range g.items {
			mark := ""
			if it.named {
				mark = "*"
			}
			got = append(got, mark+it.path+"="+it.rel)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: got %v, want %v", c.paths, got, c.want)
		}
		if (len(g.failed) > 0) != (c.want == "") {
			t.Errorf("%v: failed with %v", c.paths, g.failed)
		}
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500M": 500 << 20, "2g": 2 << 30, "2GB": 2 << 30, "1K": 1 << 10, "1T": 1 << 40} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d and %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1M", "M", "1.5G", "9999999999T", "1KM"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestMemory: never is more in work than there is room for, but for one alone.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(0)
		m.limit = idleBytes + 100
		var used, most atomic.Int64
		var all sync.WaitGroup
		for i := range int64(50) {
			n := i%7*20 + 1
			all.Go(func() {
				release := m.take(context.Background(), n)
				now := used.Add(min(n, 100))
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				time.Sleep(time.Second) // of the bubble: all who have room are here
				used.Add(-min(n, 100))
				release()
			})
		}
		all.Wait()
		if most.Load() > 100 || most.Load() < 50 || m.used != 0 {
			t.Errorf("%d at most, %d at the end", most.Load(), m.used)
		}
	})
}

// TestHashOfFlags: flags that decide about the output are told apart by their values, repeated
// ones too; others do not count.
func TestHashOfFlags(t *testing.T) {
	hash := func(args ...string) string {
		cmd := newBatch(&app{env: func(string) string { return "" }})
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		return hashFlags(cmd.Flags(), undeciding())
	}
	plain := hash()
	seen := map[string][]string{plain: nil}
	for _, args := range [][]string{
		{"--target", "30%"}, {"--pin", "a"}, {"--pin", "b"}, {"--pin", "a", "--pin", "b"}, {"--strategy", "mask"},
		{"--cap", "Bash=5"}, {"--keep-first", "3"}, {"--stash", "x"}, {"-w"}, {"--tokenizer", "bytes4"}, {"--strict"},
	} {
		h := hash(args...)
		if other, taken := seen[h]; taken {
			t.Errorf("%v and %v are one to a manifest", args, other)
		}
		seen[h] = args
	}
	for name := range undeciding() {
		if newBatch(&app{}).Flags().Lookup(name) == nil && name != "help" {
			t.Errorf("there is no flag --%s", name)
		}
	}
	if got := hash("-j", "3", "-q", "--manifest", "x", "-v", "--shard", "1/2", "--resume"); got != plain {
		t.Error("flags that decide nothing count")
	}
	var list []string
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Var(&repeated[string]{to: &list, parse: func(s string) (string, error) { return s, nil }}, "x", "")
	if err := fs.Parse([]string{"--x", "1", "--x", "2"}); err != nil || fs.Lookup("x").Value.String() != "1, 2" || !reflect.DeepEqual(list, []string{"1", "2"}) {
		t.Errorf("%v, %v, %q", err, list, fs.Lookup("x").Value)
	}
}

// FuzzManifest: whatever a manifest holds, opening it either refuses it and leaves it alone, or
// what is appended is read back.
func FuzzManifest(f *testing.F) {
	line := `{"manifest":1,"condense":"v","options":"o","input":"a.json","read":"r","done":true,"status":"condensed"}`
	for _, s := range []string{"", line + "\n", line, line + "\n" + line[:40], line[:30], "[]", "x\n" + line, line + "\nx\n" + line + "\n", `{"manifest":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "m")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := openManifest(path)
		if err != nil {
			if got, _ := os.ReadFile(path); string(got) != string(data) {
				t.Errorf("%q was refused, and is %q now", data, got)
			}
			return
		}
		want := manifestEntry{Input: "b\x1b\xff.json", Status: condensedFile, Written: "w", Done: true}
		if err := m.add(want); err != nil {
			t.Fatal(err)
		}
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
		again, err := openManifest(path)
		if err != nil {
			t.Fatalf("%q cannot be read any more: %v", data, err)
		}
		defer again.close()
		for input, e := range m.known {
			if got := again.known[input]; input != plainName(want.Input) && !reflect.DeepEqual(got, e) {
				t.Errorf("%q was %+v, is %+v", input, e, got)
			}
		}
		if got := again.last(want.Input); got == nil || got.Written != "w" {
			t.Errorf("what was appended is %+v", got)
		}
	})
}
