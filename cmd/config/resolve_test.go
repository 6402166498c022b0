package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// parsed returns a file of settings.
func parsed(t *testing.T, path, text string) *File {
	t.Helper()
	c, problems := Parse([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c.Path, c.Dir = path, "/p"
	return c
}

// flagsOf returns a flag set with string flags, of which given are set.
func flagsOf(names string, given ...string) *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	for name := range strings.FieldsSeq(names) {
		fs.String(name, "", "")
	}
	for _, name := range given {
		if err := fs.Set(name, "typed"); err != nil {
			panic(err)
		}
	}
	return fs
}

// TestReplacedFlags checks, for every pair of flags that exclude each other, that a setting does
// not set one of them if the other was given.
func TestReplacedFlags(t *testing.T) {
	for flag, others := range map[string]string{
		"target": "fraction", "fraction": "target", "tokenizer": "model", "model": "tokenizer", "api-key-env": "api-key-file",
		"api-key-file": "api-key-env", "in-place": "output", "output": "in-place", "json": "diff markdown", "diff": "json",
		"markdown": "json report-format", "report": "html", "report-format": "html markdown output-format", "html": "report report-format",
		"output-format": "report-format", "quiet": "verbose", "verbose": "quiet",
	} {
		for other := range strings.FieldsSeq(others + " none") {
			fs := flagsOf("none "+flag+" "+others, other)
			s := &Settings{Files: []*File{parsed(t, "c.yaml", flag+": set")}}
			origins, err := Resolve(fs, s.Levels(""))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fs.Lookup(flag).Value.String() == "set", other == "none"; got != want || (origins[flag] == "c.yaml:1") != want {
				t.Errorf("%s is set beside %s: %v, from %s", flag, other, got, origins[flag])
			}
		}
	}
}

// TestPresetYields checks the values of presets, and the flags to which they yield.
func TestPresetYields(t *testing.T) {
	const names = "preset strategy target keep-rounds thinking images fraction window tag"
	for preset, want := range map[string]string{
		"conservative": "keep-rounds=20 strategy=dedupe,smart-compress target=70% thinking=keep",
		"balanced":     "keep-rounds=10 strategy=hybrid target=50%",
		"aggressive":   "images=last 1 keep-rounds=3 strategy=hybrid target=20%",
	} {
		for given, gone := range map[string]string{"": "", "fraction": "target", "window": "target", "tag": "images"} {
			fs := flagsOf(names)
			if given != "" {
				fs = flagsOf(names, given)
			}
			c := parsed(t, "c.yaml", "preset: "+preset)
			if _, err := Resolve(fs, (&Settings{Files: []*File{c}}).Levels("")); err != nil {
				t.Fatal(err)
			}
			var got []string
			fs.VisitAll(func(f *pflag.Flag) {
				if v := f.Value.String(); v != "" && f.Name != "preset" && f.Name != given {
					got = append(got, f.Name+"="+v)
				}
			})
			var left []string
			for part := range strings.SplitSeq(strings.ReplaceAll(want, "last 1", "last_1"), " ") {
				if gone == "" || !strings.HasPrefix(part, gone+"=") {
					left = append(left, strings.ReplaceAll(part, "_", " "))
				}
			}
			if !slices.Equal(got, left) {
				t.Errorf("%s beside %q: %q, want %q", preset, given, got, left)
			}
		}
	}
}

// TestLevelsInOrder checks that the last section that matches a file is stronger than others,
// that sections are stronger than the rest of their file, and earlier files than later ones. The
// preset of a level is weaker than the level, and stronger than the next.
func TestLevelsInOrder(t *testing.T) {
	project := parsed(t, "p.yaml", "target: 1\npreset: aggressive\nfiles:\n  '*.json': {target: 2, strategy: two}\n  'a.*': {target: 3}\n  'b.*': {target: 4}\n")
	user := parsed(t, "u.yaml", "target: 5\nstrategy: mask\nkeep-rounds: 9\nfraction: 6\n")
	s := &Settings{Files: []*File{project, user}}
	if !s.Sectioned() || (&Settings{Files: []*File{user}}).Sectioned() {
		t.Error("a file has sections: not found, or found in vain")
	}
	for path, want := range map[string]string{
		"/p/a.json": "target=3 strategy=two keep-rounds=3", "/p/b.json": "target=4 strategy=two keep-rounds=3", "/p/c.json": "target=2 strategy=two keep-rounds=3",
		"/p/c.txt": "target=1 strategy=hybrid keep-rounds=3", "": "target=1 strategy=hybrid keep-rounds=3", "-": "target=1 strategy=hybrid keep-rounds=3",
	} {
		fs := flagsOf("preset target strategy keep-rounds fraction")
		if _, err := Resolve(fs, s.Levels(path)); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("target=%s strategy=%s keep-rounds=%s", fs.Lookup("target").Value, fs.Lookup("strategy").Value, fs.Lookup("keep-rounds").Value)
		if got != want || fs.Lookup("fraction").Changed {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Int("target", 0, "")
	_, err := Resolve(fs, (&Settings{Files: []*File{parsed(t, "c.yaml", "\ntarget: x")}}).Levels(""))
	var wrong *ValueError
	if !errors.As(err, &wrong) || err.Error() != `c.yaml:2: target: expected a whole number, not "x"` {
		t.Errorf("got %v", err)
	}
}

// TestPresetGiven checks that the preset of the command line is weaker than the environment, and stronger than all
// files.
func TestPresetGiven(t *testing.T) {
	env := func(name string) string { return map[string]string{"CONDENSE_STRATEGY": "mask"}[name] }
	s := &Settings{Env: env, Files: []*File{parsed(t, "p.yaml", "target: 1\nstrategy: dedupe\nwindow: 2"), parsed(t, "u.yaml", "keep-rounds: 3\ntag: u")}}
	for preset, want := range map[string]string{
		"aggressive": "keep-rounds=[\"3\"]\npreset=[\"aggressive\"]\nstrategy=[\"mask\"]\ntag=[\"u\"]\ntarget=[\"20%\"]\nwindow=[\"2\"]\n",
		"balanced":   "keep-rounds=[\"10\"]\npreset=[\"balanced\"]\nstrategy=[\"mask\"]\ntag=[\"u\"]\ntarget=[\"50%\"]\nwindow=[\"2\"]\n",
	} {
		fs := flagsOf("preset target strategy keep-rounds window tag")
		if err := fs.Set("preset", preset); err != nil {
			t.Fatal(err)
		}
		if _, err := Resolve(fs, s.Levels("")); err != nil {
			t.Fatal(err)
		}
		if got := FlagValues(fs, nil); got != want {
			t.Errorf("%s: got\n%swant\n%s", preset, got, want)
		}
	}
}

// TestPerFile checks that files with the same settings share their options, which are checked
// once, and that files without settings of their own have those of the command.
func TestPerFile(t *testing.T) {
	type options struct{ fs *pflag.FlagSet }
	const names = "target help config"
	s := &Settings{Files: []*File{parsed(t, "c.yaml", "files:\n  'a.*': {target: 3}\n  'b.*': {target: 3}\n  'c.*': {target: 4}\n  'd.*': {target: bad}\n")}}
	whole, checked, made := &options{flagsOf(names)}, 0, 0
	p := &PerFile[*options]{
		Settings: s, Whole: whole, Flags: whole.fs,
		Fresh: func() (*options, *pflag.FlagSet) {
			made++
			o := &options{flagsOf(names)}
			return o, o.fs
		},
		Ready: func(own *options, fs *pflag.FlagSet) error {
			checked++
			if fs.Lookup("target").Value.String() == "bad" {
				return errors.New("no such target")
			}
			return nil
		},
	}
	of := func(path string) *options {
		o, err := p.Of(path)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	a, b, c, other := of("/p/a.json"), of("/p/b.json"), of("/p/c.json"), of("/p/x.json")
	if a != of("/p/a.txt") || a != b || a == c || other != whole || checked != 2 || a.fs.Lookup("target").Value.String() != "3" {
		t.Errorf("checked %d times, %p %p %p %p", checked, a, b, c, other)
	}
	if of("/p/a.txt"); made != 4 { // for a, b, c and x
		t.Errorf("options were made %d times", made)
	}
	if _, err := p.Of("/p/d.json"); err == nil || err.Error() != "/p/d.json: no such target" {
		t.Errorf("got %v", err)
	}
	p.Settings = &Settings{}
	if of("/p/a.json") != whole {
		t.Error("without sections, a file has options of its own")
	}
	fs := flagsOf("help config a b", "help", "config", "a", "b")
	if got, want := FlagValues(fs, map[string]bool{"b": true}), "a=[\"typed\"]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestForFile checks that the options of a file have the flags of the command line, then the environment, then the
// section of the file, then the rest of it.
func TestForFile(t *testing.T) {
	c := parsed(t, "c.yaml", "target: 1\nstrategy: mask\npin: a\nfiles:\n  '*.json': {target: 2, strategy: two}\n")
	env := func(name string) string { return map[string]string{"CONDENSE_STRATEGY": "env"}[name] }
	s := &Settings{Env: env, Files: []*File{c}, Given: map[string][]string{"cap": {"x", "y"}}}
	for i := range 20 {
		s.Given[fmt.Sprintf("flag-%d-of-another-command", i)] = []string{"z"}
	}
	fs := flagsOf("target strategy pin")
	fs.StringArray("cap", nil, "")
	if err := s.ForFile(fs, "/p/a.json"); err != nil {
		t.Fatal(err)
	}
	if got, want := FlagValues(fs, nil), "cap=[\"x\" \"y\"]\npin=[\"a\"]\nstrategy=[\"env\"]\ntarget=[\"2\"]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	wrong := pflag.NewFlagSet("", pflag.ContinueOnError)
	wrong.Int("target", 0, "")
	if err := (&Settings{Given: map[string][]string{"target": {"x"}}}).ForFile(wrong, ""); err == nil {
		t.Error("a wrong text of the command line is no error")
	}
	var value *ValueError
	if err := (&Settings{Files: []*File{parsed(t, "c.yaml", "target: x")}}).ForFile(wrong, ""); !errors.As(err, &value) || errors.Unwrap(value) == nil {
		t.Errorf("a wrong value of a file: %v", err)
	}
}

// TestMisplaced checks that keys of sections are reported which have one value for all files of every command.
func TestMisplaced(t *testing.T) {
	c := parsed(t, "c.yaml", "jobs: 1\nfiles:\n  '*': {target: 3}\n  'a.*':\n    other: 5\n    jobs: 4\n")
	problems := c.Misplaced(map[string]bool{"target": true, "jobs": false})
	if len(problems) != 1 || problems[0].Line != 6 || problems[0].Err.Error() != "jobs holds for all files of a command: move it out of files" {
		t.Errorf("got %v", problems)
	}
	keys := c.Keys()
	if slices.Sort(keys); !slices.Equal(keys, []string{"jobs"}) {
		t.Errorf("the keys for all files are %q", keys)
	}
}

// TestTables checks the keys that a project file must not set, and those that count as limits.
func TestTables(t *testing.T) {
	refused := strings.Fields("validator before after exec-env llm llm-model llm-fallback-model llm-cache llm-stream llm-temperature base-url api-key-env " +
		"api-key-file no-redact no-stash max-cost llm-max-tokens prices models retries timeout rpm tpm session-id prompt-file focus output in-place force report " +
		"events html backup unpin fraction tags drop-hidden drop-rows drop-snapshots out-dir manifest summary update update-baseline")
	slices.Sort(refused)
	if got := slices.Sorted(maps.Keys(UserOnly)); !slices.Equal(got, refused) {
		t.Errorf("refused are %q", got)
	}
	named := "always cap exec-timeout max-bytes max-growth max-memory max-tokens min-gain min-gap min-messages min-retention min-savings min-stage-gain min-tokens " +
		"preset profile profile-threshold reserve target threshold window"
	fs := flagsOf(named + " other")
	var text strings.Builder
	var want []string
	for name := range strings.FieldsSeq(named + " other") {
		fmt.Fprintf(&text, "%s: value\n", name)
		if name != "other" {
			want = append(want, name+" value")
		}
	}
	c := parsed(t, "c.yaml", strings.ReplaceAll(text.String(), "preset: value\n", ""))
	c.Project = true
	s := &Settings{Files: []*File{c}}
	origins, err := Resolve(fs, s.Levels(""))
	if err != nil {
		t.Fatal(err)
	}
	want = slices.DeleteFunc(want, func(s string) bool { return s == "preset value" })
	if got := s.Limits(fs, origins); !slices.Equal(got, want) {
		t.Errorf("limits %q, want %q", got, want)
	}
	c.Project = false
	if got := s.Limits(fs, origins); got != nil {
		t.Errorf("the user's own limits are %q", got)
	}
}
