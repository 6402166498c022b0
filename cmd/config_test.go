package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
)

// TestConfigTemplate checks that the file of config init can be read, commented or uncommented, and
// names every flag of condense run.
func TestConfigTemplate(t *testing.T) {
	root := newRoot(&app{env: func(string) string { return "" }})
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range []bool{true, false} {
		text := config.Template(run.Flags(), project)
		if c, problems := config.Parse([]byte(text)); len(problems) > 0 || len(c.Keys()) > 0 {
			t.Errorf("commented: %v %v", c.Keys(), problems)
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
			if want := !project || config.UserOnly[f.Name] == ""; ok != want && f.Name != "help" && !config.Annotated(f, config.Ignored) {
				t.Errorf("project %v: has %s: %v, want %v", project, f.Name, ok, want)
			}
		})
	}
}

// TestConfigOfReadme checks that the condense.yaml in the documents is valid for a project.
func TestConfigOfReadme(t *testing.T) {
	_, text, _ := strings.Cut(readPages(t), "```yaml\n# condense.yaml\n")
	text, _, _ = strings.Cut(text, "```")
	c, problems := config.Parse([]byte(text))
	if s := (config.Settings{Files: []*config.File{c}}); len(c.Keys()) < 4 || !s.Sectioned() {
		t.Fatal("the condense.yaml in the documents has no keys")
	}
	root := newRoot(&app{env: func(string) string { return "" }})
	c.Project, c.Dir = true, t.TempDir()
	problems = append(problems, c.CheckKeys(configKeys(root))...)
	for _, p := range append(problems, checkValues(c, root)...) {
		t.Errorf("%d: %v", p.Line, p.Err)
	}
}

// harmless lists flags whose usage mentions a file, a folder, a model or a program, and that a
// project file may set nevertheless, with the reasons. All other such flags must be in UserOnly or
// PathKeys.
var harmless = map[string]string{
	"format":         "how a file is read",
	"select":         "which part of a file is read",
	"model":          "how tokens are counted",
	"target-model":   "which thinking is kept",
	"tokenizer":      "how tokens are counted; a path stays in the folder of the file",
	"calibrate":      "how tokens are counted",
	"window":         "a number",
	"exec-timeout":   "a time limit; it names no program",
	"exec-failure":   "the reaction to an error; it names no program",
	"protect-path":   "paths in transcripts",
	"verify-restore": "reads the output again",
	"dry-run":        "writes less",
	"fallback":       "the reaction to an error of the model",
	"top":            "the length of lists",
	"merge":          "how files are read",
	"message":        "what is shown",
	"conversation":   "what is shown",
	"hidden":         "what is shown",
	"ids":            "what is shown",
	"thinking":       "what is left of a file",
	"min-retention":  "writes less",
	"via":            "which of two originals",
	"json":           "the form of a report",
	"price":          "a number",
	"markdown":       "the form of a report",
	"report-format":  "the form of a report",
	"exclude":        "what is read",
	"include":        "which of the named files are read",
	"shard":          "which of the named files are read",
	"skip-others":    "which of the named files are read",
	"fail-fast":      "when the batch ends",
	"jobs":           "a number",
	"max-memory":     "a number",
	"max-growth":     "a number",
	"max-bytes":      "a number",
	"no-progress":    "what is reported",
	"verbose":        "what is reported",
	"strict":         "writes less",
	"resume":         "which of the named files are read",
}

// TestProjectKeys checks that there is a decision for each flag that names a file, a program or a
// server: a checkout may set it or not.
func TestProjectKeys(t *testing.T) {
	words := []string{"file", "folder", "directory", "program", "model", "server", "send", "network", "write", "overwrite", "path"}
	seen := map[string]bool{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			seen[f.Name] = true
			if slices.Contains(f.Annotations[config.Annotation], config.Ignored) {
				return // no file can set it
			}
			if !configured(c) || config.UserOnly[f.Name] != "" || harmless[f.Name] != "" || slices.Contains(config.PathKeys, f.Name) {
				return
			}
			for word := range strings.FieldsFuncSeq(strings.ToLower(f.Usage), func(r rune) bool { return r < 'a' || r > 'z' }) {
				if slices.Contains(words, strings.TrimSuffix(word, "s")) {
					t.Errorf("%s --%s (%s): may a project file set it? Add it to cmd/config/trust.go, or to harmless", c.CommandPath(), f.Name, f.Usage)
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
