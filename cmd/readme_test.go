package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/cmd/config"
)

var update = flag.Bool("update", false, "rewrite the generated parts of documents")

// pages returns the README and the pages in .github/docs, in the order of their names.
func pages(t *testing.T) []string {
	docs, err := filepath.Glob("../.github/docs/*.md")
	if err != nil || len(docs) < 10 {
		t.Fatalf("%d pages, %v", len(docs), err)
	}
	return append([]string{"../README.md"}, docs...)
}

// readPages returns the text of all pages, except those that are named.
func readPages(t *testing.T, except ...string) string {
	var b strings.Builder
	for _, path := range pages(t) {
		if slices.Contains(except, path) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// TestReadme compares the generated parts of the README and of the pages with the program. They are
// between <!-- begin NAME --> and <!-- end NAME -->.
func TestReadme(t *testing.T) {
	sections := map[string]string{
		"formats": formatsTable(), "presets": presetsTable(), "strategies": strategiesTable(),
		"library": libraryExample(t), "commands": commandsTable(), "flags": flagsTable(), "exit codes": exitTable(),
		"user only": userOnlyTable(), "comparison": comparisonTable(t),
	}
	found := map[string]int{}
	for _, path := range pages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := string(page)
		for name, text := range sections {
			replaced, ok := replaceSection(got, name, text)
			if ok {
				got = replaced
				found[name]++
			}
		}
		if got == string(page) {
			continue
		}
		if !*update {
			t.Errorf("generated parts of %s are out of date: go test ./cmd -run TestReadme -update rewrites them", path)
		} else if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name := range sections {
		if found[name] != 1 {
			t.Errorf("%d pages have the section %s", found[name], name)
		}
	}
}

// TestReadmeLength checks that the README stays short: details belong to the pages.
func TestReadmeLength(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(readme, []byte("\n")); n > 250 {
		t.Errorf("the README has %d lines, which is more than 250", n)
	}
}

// link matches the target of a link in a page.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestPageLinks checks that files and headings exist that the pages refer to, and that the README
// refers to each page.
func TestPageLinks(t *testing.T) {
	linked := map[string]bool{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), target)
			}
			doc, err := os.ReadFile(path)
			if err != nil {
				t.Errorf("%s: %v", page, err)
			} else if anchor != "" && !anchors(string(doc))[anchor] {
				t.Errorf("%s: %s has no heading %s", page, path, anchor)
			}
			linked[path] = linked[path] || page == "../README.md"
		}
	}
	for _, page := range pages(t)[1:] {
		if !linked[page] {
			t.Errorf("the README does not refer to %s", page)
		}
	}
}

// anchors returns the names by which links refer to the headings of a document.
func anchors(document string) map[string]bool {
	set := map[string]bool{}
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(document) {
		if _, heading, ok := strings.Cut(line, "# "); ok && strings.HasPrefix(line, "#") {
			set[strings.ReplaceAll(drop.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")] = true
		}
	}
	return set
}

// replaceSection replaces the text of a section of a document, and reports whether the document has
// the section.
func replaceSection(doc, name, text string) (string, bool) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(doc, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return doc, false
	}
	return before + begin + text + end + after, true
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
