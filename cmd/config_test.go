package cmd

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
)

// What config init writes is read again, commented or not, and names every flag of run.
func TestConfigTemplate(t *testing.T) {
	root := newRoot(&app{env: func(string) string { return "" }})
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range []bool{true, false} {
		text := config.Template(run.Flags(), project)
		if c, problems := config.Parse([]byte(text)); len(problems) > 0 || len(c.Keys()) > 0 {
			t.Errorf("as it is written: %v %v", c.Keys(), problems)
		}
		var lines []string
		for line := range strings.Lines(text) {
			if key, _, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok && run.Flags().Lookup(key) != nil {
				lines = append(lines, strings.TrimPrefix(line, "# "))
			}
		}
		c, problems := config.Parse([]byte(strings.Join(lines, "")))
		c.Project, c.Dir = project, t.TempDir()
		problems = append(problems, c.CheckKeys(configKeys(root))...)
		if len(problems) > 0 {
			t.Errorf("uncommented: %d: %v", problems[0].Line, problems[0].Err)
		}
		run.Flags().VisitAll(func(f *pflag.Flag) {
			ok := slices.Contains(c.Keys(), f.Name)
			if want := !project || config.UserOnly[f.Name] == ""; ok != want && f.Name != "help" {
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
	c, problems := config.Parse([]byte(text))
	if s := (config.Settings{Files: []*config.File{c}}); len(c.Keys()) < 4 || !s.Sectioned() {
		t.Fatal("it says nothing")
	}
	root := newRoot(&app{env: func(string) string { return "" }})
	c.Project, c.Dir = true, t.TempDir()
	problems = append(problems, c.CheckKeys(configKeys(root))...)
	for _, p := range append(problems, checkValues(c, root)...) {
		t.Errorf("%d: %v", p.Line, p.Err)
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
	"no-progress":    "what is reported",
	"verbose":        "what is reported",
	"strict":         "writes less",
	"resume":         "what is read, of what was named",
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
			if !configured(c) || config.UserOnly[f.Name] != "" || harmless[f.Name] != "" || slices.Contains(config.PathKeys, f.Name) {
				return
			}
			for word := range strings.FieldsFuncSeq(strings.ToLower(f.Usage), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if slices.Contains(words, strings.TrimSuffix(word, "s")) {
					t.Errorf("%s --%s (%s): may a project file set it? Say so in config/trust.go, or among those that are harmless", c.CommandPath(), f.Name, f.Usage)
					return
				}
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&app{env: func(string) string { return "" }}))
	for name := range config.UserOnly {
		if !seen[name] {
			t.Errorf("there is no --%s", name)
		}
	}
}
