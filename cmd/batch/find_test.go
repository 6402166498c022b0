package batch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
)

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
		it := Item{Path: path, Rel: relative(path)}
		if got := it.Out(); got != filepath.FromSlash(want) || !filepath.IsLocal(got) {
			t.Errorf("%q goes to %q, want %q", path, got, want)
		}
	}
}

func FuzzPlacesOfOutputs(f *testing.F) {
	for _, s := range []string{"a.json", "../a", "/../a", "a/..", "a\x1b", ".../b", "..", "/", ".. /../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		it := Item{Path: path, Rel: relative(path)}
		got := it.Out()
		if got != ".." && got != "" && !filepath.IsLocal(got) {
			t.Errorf("%q goes to %q", path, got)
		}
		if strings.ContainsAny(got, "\x1b\n\u202e\a") {
			t.Errorf("%q becomes %q, which acts on a terminal", path, got)
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
		want  string // PATH=REL, with * if the file was named
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
		g := &Gathering{Own: []string{"out", "m.jsonl"}}
		g.Gather(c.paths)
		var got []string
		for _, it := range g.Items {
			mark := ""
			if it.Named {
				mark = "*"
			}
			got = append(got, mark+it.Path+"="+it.Rel)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: got %v, want %v", c.paths, got, c.want)
		}
		if (len(g.Failed) > 0) != (c.want == "") {
			t.Errorf("%v: failed with %v", c.paths, g.Failed)
		}
	}
}

// TestWanted checks which files of a folder --include and --exclude choose, and that a named file needs neither.
func TestWanted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b.txt", "logs/c.json", "logs/d.txt", "logs/deep/e.json"} {
		write(t, dir, name, "x")
	}
	globs := func(texts ...string) (list []strategy.Glob) {
		for _, text := range texts {
			var g strategy.Glob
			if err := g.UnmarshalText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			list = append(list, g)
		}
		return list
	}
	for _, tt := range []struct {
		include, exclude []string
		path, want       string
	}{
		{nil, nil, "", "a.json logs/c.json logs/deep/e.json"},
		{[]string{"*.txt"}, nil, "", "b.txt logs/d.txt"},
		{[]string{"b.*", "logs/**"}, nil, "", "b.txt logs/c.json logs/d.txt logs/deep/e.json"},
		{nil, []string{"logs/*"}, "", "a.json logs/deep/e.json"},
		{[]string{"*"}, []string{"*.json"}, "", "b.txt logs/d.txt"},
		{[]string{"none"}, nil, "", ""},
		{nil, []string{"*"}, "b.txt", "b.txt"},
		{nil, []string{"*.json"}, "*.json", ""},
		{nil, nil, "logs/**", "logs/c.json logs/d.txt logs/deep/e.json"},
	} {
		g := &Gathering{Include: globs(tt.include...), Exclude: globs(tt.exclude...)}
		g.Gather([]string{filepath.Join(dir, tt.path)})
		var got []string
		for _, it := range g.Items {
			got = append(got, strings.TrimPrefix(filepath.ToSlash(it.Path), filepath.ToSlash(dir)+"/"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q without %q in %q: %q, want %q", tt.include, tt.exclude, tt.path, got, tt.want)
		}
	}
}

func TestIsSaved(t *testing.T) {
	for name, want := range map[string]bool{
		"a.json": true, "b.jsonl": true, "b.jsonl.gz": true, "c.ndjson.zst": true, "run.traj": true,
		"a.txt": false, "a.json.bak": false, "json": false, "a.gz": false, "": false,
	} {
		if got := isSaved(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// TestFixturesAreWalked checks that a walk finds the fixtures of all formats.
func TestFixturesAreWalked(t *testing.T) {
	err := filepath.WalkDir("../../testdata/sessions", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !isSaved(d.Name()) {
			t.Errorf("a walk does not find %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.jsonl", "a.json", "c.json.gz", "d.txt", "e.zst", "sub/f.jsonl.zst", ".hidden/g.json", ".h.json"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"loop", "z.json"} {
		if err := os.Symlink(map[string]string{"loop": dir, "z.json": filepath.Join(dir, "a.json")}[link], filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	list, failed := Expand([]string{"-", "missing.json", dir})
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	var got []string
	for _, f := range list {
		name := strings.TrimPrefix(filepath.ToSlash(f.Path), filepath.ToSlash(dir)+"/")
		if f.Walk {
			name += "?"
		}
		got = append(got, name)
	}
	want := []string{"-", "missing.json", ".h.json?", "a.json?", "b.jsonl?", "c.json.gz?", "sub/f.jsonl.zst?"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
