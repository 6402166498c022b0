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

// TestDocuments: what the documents for contributors name in code exists: files, commands, and
// names, which are found by the package that declares them.
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
				t.Errorf("%s names %s, which is no file of the tree and nothing that it declares", name, what)
			}
			found++
		}
		if found < 20 {
			t.Errorf("%s names %d things", name, found)
		}
	}
}

// declarations are the names that the tree declares: Name, package.Name, Type.Member,
// tests included.
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

// receiver is the name of the type that a method is of.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
