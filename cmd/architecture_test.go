package cmd_test

import (
	"flag"
	"fmt"
	"go/doc"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestArchitecture compares the table of packages in .github/ARCHITECTURE.md with the tree:
// the first sentence of each package, its imports, and the reason in the table of layers.
func TestArchitecture(t *testing.T) {
	const path = "../.github/ARCHITECTURE.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := parseTree(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin packages -->\n", "<!-- end packages -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("ARCHITECTURE.md has no section packages")
	}
	got := before + begin + packageTable(t, packages) + end + after
	if got == string(old) {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatal("ARCHITECTURE.md differs from the tree: go test ./cmd -run TestArchitecture -update rewrites it")
	}
	if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// packageTable returns the table of packages in Markdown, in the order of the layers.
func packageTable(t *testing.T, packages []*pkg) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| package | purpose | imports | why no others |\n|---|---|---|---|\n")
	for _, l := range layers {
		i := slices.IndexFunc(packages, func(p *pkg) bool { return p.dir == l.dir })
		if i < 0 || l.dir == "." {
			continue
		}
		p := packages[i]
		sentence := p.synopsis()
		if sentence == "" {
			t.Errorf("package %s has no comment", p.dir)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.dir, sentence, strings.Join(p.imports(), ", "), l.why)
	}
	return b.String()
}

// synopsis returns the first sentence of the package comment without "Package x".
func (p *pkg) synopsis() string {
	for _, f := range p.files {
		if f.Doc != nil {
			text := new(doc.Package).Synopsis(f.Doc.Text())
			return strings.TrimRight(strings.TrimPrefix(text, "Package "+f.Name.Name+" "), ".:")
		}
	}
	return ""
}

// imports returns the imports of a package outside of the standard library: packages of this
// module by their folder, others by their path.
func (p *pkg) imports() (list []string) {
	for _, f := range p.files {
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			inside, ok := strings.CutPrefix(name, module+"/")
			if first, _, _ := strings.Cut(name, "/"); ok || strings.Contains(first, ".") {
				list = append(list, inside)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestLayersExact checks that a row allows no import that its package does not have.
func TestLayersExact(t *testing.T) {
	packages, err := parseTree(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers {
		i := slices.IndexFunc(packages, func(p *pkg) bool { return p.dir == l.dir })
		if i < 0 {
			continue // a row may be written before its package
		}
		has := packages[i].imports()
		for _, may := range strings.Fields(l.inside + " " + l.outside) {
			planned := slices.ContainsFunc(layers, func(l layer) bool { return l.dir == may }) &&
				!slices.ContainsFunc(packages, func(p *pkg) bool { return p.dir == may })
			if planned {
				continue
			}
			if !slices.ContainsFunc(has, func(name string) bool {
				return name == may || strings.HasPrefix(name, may+"/") && !slices.Contains(strings.Fields(l.inside), may)
			}) {
				t.Errorf("%s may import %s and does not: remove it from the row", l.dir, may)
			}
		}
	}
}
