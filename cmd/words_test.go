package cmd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// phrase is a phrase that is hard to read, or that only people of this project
// understand.
type phrase struct {
	pattern string // regular expression; case is ignored
	instead string // plain words for it
}

// phrases lists phrases that comments, string literals and documents must not have.
// The glossary in .github/CONTRIBUTING.md has the words to use.
var phrases = []phrase{
	{`\btells?\s+whether\b`, "reports whether"},
	{`\b(says|say) whether\b`, "reports whether"},
	{`\bgives (the|a|an|back|how|what|which|it|them|its|all|each|every|no|one|whether|true|false|nil)\b`, "returns; an input that leads to an output"},
	{`\bso many\b`, "the number"},
	{`\banew\b`, "again"},
	{`\btold (of|by|in|once)\b`, "reported, written, described"},
	{`\btells? (of|by|how|what|where|which|why|that)\b`, "returns, reports, shows, describes"},
	{`\b(is|are|was|were) told\b`, "knows, is passed, is reported"},
	{`\bbut for\b`, "except for"},
	{`\b(is|are|was) said\b`, "is written, is reported"},
	{`\bwhoever\b`, "name the person or the program"},
	{`\bin company\b|\bcompany of\b`, "neighbours"},
	{`\bpiles? of\b|\bthe piles?\b`, "group, category"},
	{`\bis in (the )?stock\b|\bthe stock\b`, "statistics"},
	{`\b(DESIGN|SYSTEMS|QUALITY|VALIDITY|STYLE)(\.md)?( §|\b [0-9]| says)`, "the source itself, or .github/CONFORMANCE.md"},
	{`§[0-9]`, "the name of the section, with a document that the repository has"},
	{`\bthe issue\b`, "the reason itself"},
	{`\bnothing else gives\b`, "nothing else returns"},
	{`\bthan many\b`, "than that"},
}

// unrevised lists files that may have the phrases, with the reasons.
var unrevised = map[string]string{
	"strategy/notes/prompt.go": "its texts are sent to models, so a word more or less is behaviour",
}

// TestWords checks that comments, messages and documents have none of the phrases.
func TestWords(t *testing.T) {
	faults, err := checkWords(os.DirFS(".."), func(name string) bool {
		return unrevised[name] != ""
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// checkWords returns a message for every phrase in the Go files and documents of a
// tree. It ignores fixtures and this file.
func checkWords(tree fs.FS, skip func(name string) bool) (faults []string, err error) {
	list := make([]*regexp.Regexp, len(phrases))
	for i, p := range phrases {
		list[i] = regexp.MustCompile(`(?i)` + p.pattern)
	}
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == ".git" || base == "testdata" && name != "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if skip(name) || name == "cmd/words_test.go" {
			return nil
		}
		texts, err := prose(tree, name)
		for _, text := range texts {
			for i, p := range list {
				for _, at := range p.FindAllStringIndex(text.text, -1) {
					line := text.line + strings.Count(text.text[:at[0]], "\n")
					faults = append(faults, fmt.Sprintf("%s:%d: %q: write %s", name, line, text.text[at[0]:at[1]], phrases[i].instead))
				}
			}
		}
		return err
	})
	return faults, err
}

// passage is prose in a file, with the line in which it begins.
type passage struct {
	line int
	text string
}

// prose returns the comments and string literals of a Go file, and the text of a
// document without its blocks of code.
func prose(tree fs.FS, name string) (list []passage, err error) {
	switch path.Ext(name) {
	case ".md":
		src, err := fs.ReadFile(tree, name)
		return []passage{{1, withoutCode(string(src))}}, err
	case ".go":
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, group := range f.Comments {
			list = append(list, passage{fset.Position(group.Pos()).Line, joined(group)})
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					list = append(list, passage{fset.Position(lit.Pos()).Line, s})
				}
			}
			return true
		})
	}
	return list, nil
}

// joined returns the lines of a comment without slashes.
func joined(group *ast.CommentGroup) string {
	var lines []string
	for _, c := range group.List {
		lines = append(lines, strings.TrimPrefix(c.Text, "//"))
	}
	return strings.Join(lines, "\n")
}

var codeBlock = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")

// withoutCode returns a document with empty lines in place of blocks of code.
func withoutCode(document string) string {
	return codeBlock.ReplaceAllStringFunc(document, func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) })
}

// TestWordsNotices tests checkWords with one text at a time.
func TestWordsNotices(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"plain", "a/a.go", "package a\n\n// F reports whether x is even.\nfunc F() {}\n", ""},
		{"comment", "a/a.go", "package a\n\n// F tells whether x is even.\nfunc F() {}\n", `a/a.go:3: "tells whether": write reports whether`},
		{"over a line break", "a/a.go", "package a\n\n// F tells\n// whether x is even.\nfunc F() {}\n", `a/a.go:3: "tells`},
		{"message", "a/a.go", "package a\n\nconst e = \"read anew\"\n", `a/a.go:3: "anew": write again`},
		{"name", "a/a.go", "package a\n\nfunc anew() {}\n", ""},
		{"test", "a/a_test.go", "package a\n\n// All but for one.\n", `a/a_test.go:3: "but for"`},
		{"missing document", "a/a.go", "package a\n\n// As DESIGN §2 has it.\n", `"DESIGN §"`},
		{"document", "README.md", "# A\n\nIt gives the sum.\n", `README.md:3: "gives the"`},
		{"example in a document", "README.md", "# A\n```sh\necho anew\n```\nread anew\n", `README.md:5: "anew"`},
		{"fixture", "a/testdata/a.md", "anew", ""},
		{"skipped file", "b/a.md", "anew", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults, err := checkWords(fstest.MapFS{c.file: {Data: []byte(c.src)}}, func(name string) bool { return name == "b/a.md" })
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(faults, "\n")
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || len(faults) > 1 && c.name != "missing document" {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
