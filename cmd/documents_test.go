package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocuments checks that all files, commands and identifiers in the documents for contributors
// exist. Identifiers are looked up in the package that they name.
func TestDocuments(t *testing.T) {
	declared := declarations(t)
	code := regexp.MustCompile("`([^`]+)`")
	identifier := regexp.MustCompile(`^(?:[a-z]+\.)?[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$`)
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile("../.github/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			what := strings.Join(strings.Fields(m[1]), " ")
			_, err := os.Stat("../" + what)
			switch {
			case err == nil || what == "net/http":
			case strings.Contains(what, " "): // a command line
				continue
			case !strings.Contains(what, "/") && identifier.MatchString(what) && declared[what]:
			default:
				t.Errorf("%s names %s, which is neither a file nor a declared name", name, what)
			}
			found++
		}
		if found < 20 {
			t.Errorf("%s names %d things", name, found)
		}
	}
}

// TestGlossary checks that the glossary of CONTRIBUTING.md has each word once, and that each name
// in its third column is declared.
func TestGlossary(t *testing.T) {
	text, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, glossary, ok := strings.Cut(string(text), "\n| word | meaning | in code |\n|---|---|---|\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no glossary")
	}
	for _, fault := range checkGlossary(glossary, declarations(t)) {
		t.Error(fault)
	}
}

// checkGlossary returns a sentence for every fault of the rows of a glossary.
func checkGlossary(rows string, declared map[string]bool) (faults []string) {
	seen := map[string]bool{}
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if len(cells) != 3 {
			if strings.HasPrefix(row, "|") {
				faults = append(faults, "a row without three columns: "+row)
				continue
			}
			break // the table ends
		}
		word, meaning, code := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.Trim(strings.TrimSpace(cells[2]), "`")
		if seen[word] {
			faults = append(faults, word+" has two meanings")
		}
		seen[word] = true
		if meaning == "" {
			faults = append(faults, word+" has no meaning")
		}
		if code != "" && !declared[code] {
			faults = append(faults, word+" is "+code+" in code, which is not declared")
		}
	}
	if len(seen) == 0 {
		faults = append(faults, "the glossary is empty")
	}
	return faults
}

// TestGlossaryNotices tests checkGlossary with one error at a time.
func TestGlossaryNotices(t *testing.T) {
	declared := map[string]bool{"a.Unit": true}
	for rows, want := range map[string]string{
		"| unit | a run | `a.Unit` |\n| turn | a message | |\n": "",
		"| unit | a run | `a.Run` |\n":                          "unit is a.Run in code",
		"| unit | a run | |\n| unit | a message | |\n":          "unit has two meanings",
		"| unit | | |\n":     "unit has no meaning",
		"| unit | a run |\n": "three columns",
		"":                   "empty",
	} {
		got := strings.Join(checkGlossary(rows, declared), "; ")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", rows, got, want)
		}
	}
}

// declarations returns all declared names, including those of tests, in the forms Name,
// package.Name and Type.Member.
func declarations(t *testing.T) map[string]bool {
	names := map[string]bool{}
	add := func(pkg, name string) { names[name], names[pkg+"."+name] = true, true }
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // a fixture
		}
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(f.Name.Name, d.Name.Name)
				} else if of := receiver(d.Recv.List[0].Type); of != "" {
					names[of+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					addSpec(spec, func(name string) { add(f.Name.Name, name) })
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func addSpec(spec ast.Spec, add func(string)) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		add(s.Name.Name)
		if fields, ok := s.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				for _, n := range f.Names {
					add(n.Name)
				}
			}
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			add(n.Name)
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
