package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"condense/cmd/config"
)

var update = flag.Bool("update", false, "rewrite the generated parts of documents")

// TestReadme compares the generated parts of the README with the program. They are between
// <!-- begin NAME --> and <!-- end NAME -->.
func TestReadme(t *testing.T) {
	const path = "../README.md"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := readme
	for name, text := range map[string]string{
		"formats": formatsTable(), "presets": presetsTable(), "strategies": strategiesTable(),
		"library": libraryExample(t), "commands": commandsTable(), "flags": flagsTable(), "exit codes": exitTable(),
	} {
		got, err = replaceSection(got, name, text)
		if err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(got, readme) {
		return
	}
	if !*update {
		t.Fatal("generated parts of the README are out of date: go test ./cmd -run TestReadme -update rewrites them")
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Fatal(err)
	}
}

// replaceSection replaces the text of a section of a document.
func replaceSection(doc []byte, name, text string) ([]byte, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(string(doc), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return nil, fmt.Errorf("the README has no section %s", name)
	}
	return []byte(before + begin + text + end + after), nil
}

// formatsTable returns the table of formats in Markdown.
func formatsTable() string {
	var b strings.Builder
	b.WriteString("| name | files | read | write | validate | hidden history | mirrors |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	yes := map[bool]string{true: "yes", false: "–"}
	for _, f := range formats() {
		fmt.Fprintf(&b, "| `%s` | %s; %s | %s | %s | %s | %s | %s |\n",
			f.Name, cell.Replace(f.Doc), cell.Replace(f.Where), yes[f.Read], yes[f.Write], f.Rules, yes[f.Hidden], yes[f.Mirrors])
	}
	return b.String()
}

// presetsTable returns the table of presets in Markdown.
func presetsTable() string {
	var b strings.Builder
	b.WriteString("| preset | flags | purpose |\n")
	b.WriteString("|---|---|---|\n")
	for _, p := range config.Presets {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", p.Name, p.Flags(), p.Why)
	}
	return b.String()
}

// libraryExample returns the body of an example that the tests of its package run.
func libraryExample(t *testing.T) string {
	src, err := os.ReadFile("../strategy/condense/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(src), "\nfunc ExampleCondense() {\n")
	body, _, ended := strings.Cut(body, "\t// Output:")
	if !ok || !ended {
		t.Fatal("there is no ExampleCondense")
	}
	var b strings.Builder
	b.WriteString("```go\n")
	for line := range strings.Lines(body) {
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	b.WriteString("```\n")
	return b.String()
}
