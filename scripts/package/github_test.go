package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A form is an issue form of GitHub.
type form struct {
	Name, Description string
	Labels            []string
	Body              []struct {
		Type, ID    string
		Attributes  map[string]any
		Validations map[string]bool
	}
}

// readForm reads an issue form, and refuses members that a form does not have.
func readForm(t *testing.T, name string) (f form) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// TestIssueForms checks the members that GitHub requires in issue forms.
func TestIssueForms(t *testing.T) {
	names, err := filepath.Glob("../../.github/ISSUE_TEMPLATE/*.yml")
	if err != nil || len(names) != 3 {
		t.Fatalf("%v, %q", err, names)
	}
	for _, name := range names {
		if filepath.Base(name) == "config.yml" {
			continue
		}
		f, seen := readForm(t, name), map[string]bool{}
		if f.Name == "" || f.Description == "" || len(f.Body) == 0 {
			t.Errorf("%s has no name, description or body", name)
		}
		for _, part := range f.Body {
			wanted := "label"
			if part.Type == "markdown" {
				wanted = "value"
			} else if part.ID == "" || seen[part.ID] {
				t.Errorf("%s: the id %q is empty or twice", name, part.ID)
			}
			seen[part.ID] = true
			if !slices.Contains([]string{"markdown", "textarea", "input"}, part.Type) || part.Attributes[wanted] == nil {
				t.Errorf("%s: %s %s has no %s", name, part.Type, part.ID, wanted)
			}
		}
	}
}

// TestIssueShape runs the command of the form for formats with sessions. Its output must be JSON, and
// must not have any word of the sessions besides the names of members and kinds.
func TestIssueShape(t *testing.T) {
	program(t, "jq")
	bash := program(t, "bash")
	var command string
	for _, part := range readForm(t, "../../.github/ISSUE_TEMPLATE/format.yml").Body {
		if text, _ := part.Attributes["value"].(string); strings.Contains(text, "```sh\n") {
			_, command, _ = strings.Cut(text, "```sh\n")
			command, _, _ = strings.Cut(command, "```")
		}
	}
	command = strings.Replace(command, "' FILE |", `' "$FILE" |`, 1)
	value := regexp.MustCompile(`:"([^"]*)"`)
	secret := filepath.Join(t.TempDir(), "secret.json")
	text := `{"type":"hunter2","role":"My secret","kind":"user","password":"swordfish","/home/ada/x.go":["diary",42,null,true,""],"version":"10.0.0.1"}`
	if err := os.WriteFile(secret, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	shape := func(name string) string {
		c := exec.Command(bash, "-c", command)
		c.Env = append(os.Environ(), "FILE="+name)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return string(out)
	}
	want := `{"type":"text","role":"text","kind":"user","password":"text","other":["text",0,null,true,""],"version":"text"}`
	if got := strings.TrimSpace(shape(secret)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, name := range []string{"claude-code/session.jsonl", "openai/messages.json", "pi/ferry.jsonl"} {
		out := shape(filepath.Join("../../testdata/sessions", name))
		line, _, _ := strings.Cut(out, "\n")
		if len(out) < 100 || len(out) < 20000 && !json.Valid([]byte(line)) {
			t.Errorf("%s: %s", name, out)
		}
		for _, m := range value.FindAllStringSubmatch(out, -1) {
			if len(m[1]) > 24 || strings.ContainsAny(m[1], " /") {
				t.Errorf("%s: the output has %q", name, m[1])
			}
		}
	}
}

// TestUpdates checks that the automatic updates name all folders with modules and actions.
func TestUpdates(t *testing.T) {
	text, err := os.ReadFile("../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var updates struct {
		Version int
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
			Schedule    map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &updates); err != nil || updates.Version != 2 || len(updates.Updates) != 2 {
		t.Fatalf("%v: %+v", err, updates)
	}
	for _, u := range updates.Updates {
		name := map[string]string{"gomod": "go.mod", "github-actions": "action.yml"}[u.Ecosystem]
		for _, dir := range u.Directories {
			if u.Ecosystem == "github-actions" && dir == "/" { // the workflows
				continue
			}
			if _, err := os.Stat(filepath.Join("../..", dir, name)); err != nil {
				t.Errorf("%s: %v", u.Ecosystem, err)
			}
		}
	}
}
