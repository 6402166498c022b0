package format

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEngineNamesNoDialect checks that package splice names no dialect and no program that writes
// one: it knows only JSON and conversations.
func TestEngineNamesNoDialect(t *testing.T) {
	names := []string{"roo", "claude", "gemini", "copilot", "vercel"}
	for _, d := range Dialects {
		names = append(names, strings.ReplaceAll(d.Name, "-", "[- _]?"))
	}
	// Words within identifiers begin with a capital letter: "geminiCall", "relinkPi".
	word := regexp.MustCompile(`(?i)(^|[^a-z])(` + strings.Join(names, "|") + `)([^a-z]|$)`)
	humps := regexp.MustCompile(`([a-z0-9])([A-Z])`)

	fset := token.NewFileSet()
	sources, err := filepath.Glob("../internal/splice/*.go")
	if err != nil || sources == nil {
		t.Fatalf("cannot find the engine: %v", err)
	}
	check := func(at token.Pos, text string) {
		if found := word.FindString(humps.ReplaceAllString(text, "$1 $2")); found != "" {
			t.Errorf("%s names a dialect: %q", fset.Position(at), found)
		}
	}
	for _, source := range sources {
		file, err := parser.ParseFile(fset, source, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				check(comment.Pos(), comment.Text)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				check(n.Pos(), n.Name)
			case *ast.BasicLit:
				check(n.Pos(), n.Value)
			}
			return true
		})
	}
}
