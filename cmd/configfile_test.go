package cmd

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Files, and what is found wrong in them.
func TestParseConfig(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", ""},
		{"only comments", "# nothing\n", ""},
		{"all shapes", "target: 40%\npin: [a, b]\ncap: {Bash: 5}\nfiles: {'*.json': {target: 5k}}", ""},
		{"no keys", "- target", "1: expected keys, each with a value: they are names of flags, such as target: 50%"},
		{"no value", "target:\npin:\n", "1: target: there is no value: for none at all, write \"\"\n2: pin: there is no value: for none at all, write \"\""},
		{"deeper than lists go", "pin: [[a]]\ncap: {a: {b: c}}", "1: pin: a list in a list: it is to be a word or a number\n2: cap: a list in a list: it is to be a word or a number"},
		{"aliases", "pin: &a [b]\nprotect: *a", "2: protect: aliases are not followed: say it again"},
		{"twice", "target: 1\n\ntarget: 2", "3: target stands in line 1, too"},
		{"sections without globs", "files: 5\n", "1: files takes globs, each with keys below it"},
		{"sections without keys", "files:\n  '*': target\n", "2: expected keys, each with a value: they are names of flags, such as target: 50%"},
		{"a wrong glob", "files:\n  '[a': {target: 5}\n", "2: malformed pattern \"[a\": no ] for its ["},
		{"two documents", "target: 1\n---\ntarget: 2\n", "0: a second document: there is to be one"},
		{"a list that does not end", "target: 4\npin: [a\n", "2: did not find expected ',' or ']'"},
		{"found at the end", "pin: [a\n", "2: did not find expected ',' or ']'"},
		{"a wrong indentation", "a: b\nfiles:\n   c: d\n  e: f\n", "4: did not find expected key"},
		{"two values", "target: 4\npin: a: b\n", "2: mapping values are not allowed in this context"},
		{"a glob without quotes", "files:\n  *.json: {target: 5k}\n", "2: did not find expected alphabetic or numeric character"},
	} {
		_, problems := parseConfig([]byte(tt.file))
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%d: %v", p.line, p.err))
		}
		if text := strings.Join(got, "\n"); text != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, text, tt.want)
		}
	}
}

// What a value is for flags of each kind.
func TestConfigArguments(t *testing.T) {
	fs := newRun(&app{env: func(string) string { return "" }}).Flags()
	for _, tt := range []struct{ key, value, want string }{
		{"target", "20k", "20k"},
		{"target", "[20k]", "target takes one value, not a list"},
		{"strategy", "[dedupe, truncate]", "dedupe,truncate"},
		{"strategy", "{dedupe: 1}", "strategy takes NAME[,NAME…], not keys"},
		{"pin", "TODO", "TODO"},
		{"pin", "[a, b]", "a b"},
		{"pin", "[]", ""},
		{"cap", "{Bash: 500, 'mcp__*': 1k}", "Bash=500 mcp__*=1k"},
		{"profile-threshold", "{work: -1}", "work=-1"},
		{"exec-env", "[A, B]", "A B"},
		{"exec-env", "{A: B}", "exec-env takes stringArray, not keys"},
		{"always", "true", "true"},
	} {
		c, problems := parseConfig([]byte(tt.key + ": " + tt.value))
		if len(problems) > 0 {
			t.Errorf("%s: %v", tt.key, problems)
			continue
		}
		texts, err := c.values[tt.key].arguments(fs.Lookup(tt.key))
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s: got %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}

// What config init writes is read again, commented or not, and names every flag of run.
func TestConfigTemplate(t *testing.T) {
	root := newRoot(&app{env: func(string) string { return "" }})
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range []bool{true, false} {
		text := configTemplate(run.Flags(), project)
		if c, problems := parseConfig([]byte(text)); len(problems) > 0 || len(c.values) > 0 {
			t.Errorf("as it is written: %v %v", c.values, problems)
		}
		var lines []string
		for line := range strings.Lines(text) {
			if key, _, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok && run.Flags().Lookup(key) != nil {
				lines = append(lines, strings.TrimPrefix(line, "# "))
			}
		}
		c, problems := parseConfig([]byte(strings.Join(lines, "")))
		c.project, c.dir = project, t.TempDir()
		problems = append(problems, c.checkKeys(configKeys(root))...)
		if len(problems) > 0 {
			t.Errorf("uncommented: %d: %v", problems[0].line, problems[0].err)
		}
		run.Flags().VisitAll(func(f *pflag.Flag) {
			_, ok := c.values[f.Name]
			if want := !project || userOnly[f.Name] == ""; ok != want && f.Name != "help" {
				t.Errorf("project %v: %s is there: %v", project, f.Name, ok)
			}
		})
	}
}

// The file that the README shows is one, and a project may have it.
func TestConfigOfReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(readme), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	c, problems := parseConfig([]byte(text))
	if len(c.values) < 4 || len(c.files) != 1 {
		t.Fatal("it says nothing")
	}
	root := newRoot(&app{env: func(string) string { return "" }})
	c.project, c.dir = true, t.TempDir()
	problems = append(problems, c.checkKeys(configKeys(root))...)
	for _, p := range append(problems, checkValues(c, root)...) {
		t.Errorf("%d: %v", p.line, p.err)
	}
}

// harmless are flags that name files or folders, a model or a program, and that a project file may
// set all the same, with the reason. Everything else that speaks of such things has to be
// in userOnly or in pathKeys.
var harmless = map[string]string{
	"format":         "how a file is read",
	"select":         "what of a file is read",
	"model":          "how tokens are counted",
	"target-model":   "whose thinking is kept",
	"tokenizer":      "how tokens are counted",
	"calibrate":      "how tokens are counted",
	"window":         "a number",
	"exec-timeout":   "how long programs may take that somebody else named",
	"exec-failure":   "what follows when they fail",
	"protect-path":   "paths in transcripts",
	"session-id":     "an id in the output",
	"verify-restore": "reads what was written",
	"dry-run":        "writes less",
	"focus":          "a text for a model that somebody else named",
	"retries":        "a number",
	"llm-stream":     "how answers come",
	"fallback":       "what follows without a model",
	"top":            "how long a list is",
	"merge":          "what files hold",
	"message":        "what is shown",
	"conversation":   "what is shown",
	"timeout":        "how long an answer may take",
	"tpm":            "a number",
	"rpm":            "a number",
	"ids":            "what is shown",
	"thinking":       "what is left of a file",
	"min-retention":  "writes less",
	"via":            "which of two originals",
	"json":           "the form of a report",
	"price":          "a number",
	"markdown":       "the form of a report",
	"report-format":  "the form of a report",
	"exclude":        "what is read",
	"include":        "what is read, of what was named",
	"shard":          "what is read, of what was named",
	"skip-others":    "what is read, of what was named",
	"fail-fast":      "when it ends",
	"jobs":           "a number",
	"max-memory":     "a number",
	"max-growth":     "a number",
	"no-progress":    "what is told",
	"verbose":        "what is told",
}

// TestProjectKeys: nobody adds a flag that names a file, a program or a server without
// deciding whether a checkout may set it.
func TestProjectKeys(t *testing.T) {
	words := []string{"file", "folder", "directory", "program", "model", "server", "send", "network", "write", "overwrite", "path"}
	seen := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			seen[f.Name] = true
			if !configured(c) || userOnly[f.Name] != "" || harmless[f.Name] != "" || slices.Contains(pathKeys, f.Name) {
				return
			}
			for word := range strings.FieldsFuncSeq(strings.ToLower(f.Usage), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if slices.Contains(words, strings.TrimSuffix(word, "s")) {
					t.Errorf("%s --%s (%s): may a project file set it? Say so in configtrust.go, or among those that are harmless", c.CommandPath(), f.Name, f.Usage)
					return
				}
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{env: func(string) string { return "" }}))
	for name := range userOnly {
		if !seen[name] {
			t.Errorf("there is no --%s", name)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"target: 40%\nfiles: {'*': {pin: [a]}}", "a: &b [*b]", "? [a]\n: {b: c}", "%YAML 1.1\n---\na: !!int x", "a: |\n  b\n", "<<: {a: b}"} {
		f.Add([]byte(s))
	}
	fs := newRun(&app{env: func(string) string { return "" }}).Flags()
	f.Fuzz(func(t *testing.T, data []byte) {
		c, problems := parseConfig(data)
		c.project, c.dir = true, "/project"
		for _, p := range append(problems, c.checkKeys([]string{"target", "pin", "stash"})...) {
			if p.err == nil || p.line < 0 || p.line > strings.Count(string(data), "\n")+strings.Count(string(data), "\r")+2 {
				t.Errorf("a problem in line %d: %v", p.line, p.err)
			}
		}
		for key, e := range c.values {
			if f := fs.Lookup(key); f != nil {
				e.arguments(f)
			}
		}
	})
}
