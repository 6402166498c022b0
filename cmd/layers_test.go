package cmd_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "condense"

// layer is a row of the table of packages: the imports that a package may have besides
// the standard library, and why no others. A row may be written before its package.
type layer struct {
	dir     string
	inside  string // packages of this module that it may import
	outside string // packages of others that it may import, each with all below it
	why     string
}

var layers = []layer{
	{".", "cmd", "",
		"main only calls cmd.Main"},
	{"cmd", "cmd/batch cmd/config cmd/help cmd/mcp cmd/pager cmd/picker cmd/report cmd/report/gate cmd/report/inventory cmd/report/survey cmd/session cmd/source cmd/stash cmd/ui cmd/ui/content cmd/ui/escape strategy strategy/breakdown strategy/choose strategy/condense strategy/external strategy/llm strategy/rescue strategy/retain transcript transcript/format transcript/marker transcript/parquet transcript/rules transcript/token",
		"github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term",
		"it connects flags, streams and exit codes and computes nothing: transcript/format reads JSON, transcript/token counts, strategy/llm uses the network"},
	{"cmd/config", "strategy strategy/external", "github.com/spf13/pflag go.yaml.in/yaml/v3",
		"it alone reads condense.yaml and the variables for flags; it knows flags but no commands, and parses globs and names of programs like strategies"},
	{"cmd/pager", "", "",
		"it runs one program; the command decides when, and writes the output"},
	{"cmd/help", "", "github.com/spf13/cobra github.com/spf13/pflag github.com/charmbracelet/x/ansi",
		"it writes the help of any tree of commands; the command line has the tree"},
	{"cmd/batch", "cmd/report cmd/ui/escape strategy", "",
		"it finds, orders and records files; the command passes the function that processes one"},
	{"cmd/report", "cmd/ui/escape strategy strategy/breakdown strategy/condense strategy/retain strategy/subject transcript transcript/fact transcript/format transcript/token",
		"",
		"it is data about a run, which cmd/ui writes"},
	{"cmd/report/survey", "cmd/report cmd/source strategy strategy/breakdown strategy/subject transcript transcript/diff transcript/format transcript/token", "",
		"it counts and compares files, and changes none; counts of a run come from cmd/report"},
	{"cmd/report/gate", "cmd/report strategy/rescue transcript/format transcript/rules", "",
		"it is data about broken rules; transcript/rules has the rules, and the command the gate"},
	{"cmd/report/inventory", "cmd/report", "",
		"it is data about condense and the machine, which others collect"},
	{"cmd/picker", "", "github.com/charmbracelet/x/ansi golang.org/x/term",
		"it draws rows and reads keys; the command has the rows and knows when a person is there"},
	{"cmd/terminaltest", "", "golang.org/x/sys",
		"only tests use it, to open terminals"},
	{"cmd/session", "cmd/report cmd/report/inventory cmd/source transcript/format transcript/token", "",
		"it knows folders and files of tools; transcript/format alone reads what is in them"},
	{"cmd/ui", "cmd/report cmd/report/gate cmd/report/inventory cmd/report/survey cmd/ui/ci cmd/ui/content cmd/ui/escape cmd/ui/html cmd/ui/reading transcript transcript/token",
		"github.com/charmbracelet/lipgloss github.com/charmbracelet/x/ansi github.com/muesli/termenv golang.org/x/term github.com/aymanbagabas/go-udiff",
		"it writes results for terminals, holds the table of forms, and alone uses lipgloss and its family; it opens no files"},
	{"cmd/ui/content", "cmd/report cmd/report/survey cmd/ui/escape strategy/subject transcript transcript/token",
		"github.com/charmbracelet/x/ansi github.com/aymanbagabas/go-udiff",
		"it has the numbers, sentences and tables that several forms share, and knows none of these forms"},
	{"cmd/ui/reading", "cmd/report/survey strategy/subject transcript", "github.com/aymanbagabas/go-udiff",
		"it has the words of a view, which text, Markdown and pages share"},
	{"cmd/ui/escape", "", "",
		"it makes any string safe for terminals"},
	{"cmd/ui/html", "cmd/report cmd/report/survey cmd/ui/content cmd/ui/escape cmd/ui/reading transcript",
		"github.com/charmbracelet/x/ansi github.com/aymanbagabas/go-udiff",
		"it writes pages, and alone uses html/template"},
	{"cmd/ui/ci", "cmd/report cmd/report/gate cmd/ui/content cmd/ui/escape transcript/rules", "",
		"it writes the forms of CI systems, which are data without colours or widths"},
	{"cmd/source", "transcript/eval transcript/parquet", "github.com/klauspost/compress golang.org/x/sys/unix",
		"it reads and writes files and streams with any content; two packages know the files that are not text"},
	{"cmd/stash", "cmd/source", "github.com/klauspost/compress",
		"a stash is bytes in files with their own compression: source compresses only outputs, like their inputs"},
	{"cmd/mcp", "cmd/stash transcript transcript/marker", "github.com/modelcontextprotocol/go-sdk",
		"it alone speaks the protocol; the stash finds the texts, and the command opens files and streams"},
	{"strategy", "strategy/allocate strategy/breakdown strategy/chronicle strategy/expand strategy/notes strategy/squeeze strategy/subject transcript transcript/fact transcript/lazyregexp transcript/marker transcript/rules",
		"github.com/bmatcuk/doublestar/v4 github.com/rivo/uniseg",
		"strategies are pure: no file format, no tokenizer, no network, no command line; texts are cut on grapheme boundaries"},
	{"strategy/condense", "strategy strategy/expand strategy/notes transcript transcript/format transcript/rules transcript/token",
		"",
		"the library call keeps every promise alone; the caller passes a model and a clock, and reads and writes files"},
	{"strategy/rescue", "strategy strategy/condense transcript/format transcript/rules", "",
		"it combines what the formats and package condense do; the caller finds the session and shows the result"},
	{"strategy/choose", "strategy transcript", "",
		"it compares properties of conversations; the caller passes the counter, and has the strategies"},
	{"strategy/breakdown", "strategy/subject transcript", "",
		"it counts conversations and knows no strategy; the caller passes the counter"},
	{"strategy/expand", "transcript transcript/marker", "",
		"it compares a conversation before and after a run; the caller knows the ids of other runs, and keeps the texts"},
	{"strategy/subject", "transcript", "github.com/rivo/uniseg",
		"the subject of a call depends on the call alone; names are cut on grapheme boundaries"},
	{"strategy/allocate", "", "",
		"it chooses by values and costs, which the caller passes as functions"},
	{"strategy/chronicle", "strategy/allocate strategy/squeeze strategy/subject transcript transcript/fact transcript/lazyregexp transcript/marker", "",
		"it is pure; the caller passes the counter"},
	{"strategy/squeeze", "transcript/fact", "github.com/rivo/uniseg",
		"reducers see only text, and cut it on grapheme boundaries; fact has the tables of tools and error words, and the caller chooses the pieces to keep"},
	{"strategy/retain", "transcript transcript/fact", "",
		"it judges the work of squeeze and the strategies, so it must not use them"},
	{"strategy/llm", "strategy/notes transcript/lazyregexp transcript/redact", "github.com/sashabaranov/go-openai",
		"it alone connects to models"},
	{"strategy/notes", "transcript transcript/lazyregexp transcript/redact", "",
		"it writes prompts and judges answers; the caller sends and receives them"},
	{"strategy/external", "strategy transcript", "",
		"it exchanges conversations with other programs, not files"},
	{"transcript", "", "",
		"the types of a conversation depend on no other package"},
	{"transcript/lazyregexp", "", "",
		"it compiles expressions, and knows none"},
	{"transcript/marker", "", "",
		"it reads and writes the ids in markers, which are text"},
	{"transcript/diff", "transcript transcript/rules", "",
		"it compares two conversations and needs no other package"},
	{"transcript/eval", "", "github.com/klauspost/compress",
		"it knows the members of an archive and the samples as JSON; the formats read what is in them"},
	{"transcript/parquet", "", "github.com/parquet-go/parquet-go github.com/pierrec/lz4/v4",
		"it alone uses a library for Parquet; rows are JSON, which the formats read"},
	{"transcript/fact", "transcript", "",
		"the facts of a text depend on the conversation alone"},
	{"transcript/picture", "", "golang.org/x/image",
		"it makes any image smaller"},
	{"transcript/redact", "", "",
		"it finds secrets in any text"},
	{"transcript/rules", "transcript", "",
		"rules are about conversations, not about files"},
	{"transcript/format", "transcript transcript/internal/column transcript/internal/rawjson transcript/internal/splice transcript/picture transcript/rules", "",
		"formats know files and conversations but no strategies; rawjson alone scans JSON"},
	{"transcript/internal/column", "transcript/internal/rawjson", "",
		"it finds values in rows and writes them back; what a value means is for the formats"},
	{"transcript/internal/splice", "transcript transcript/internal/rawjson", "",
		"the engine finds conversations in JSON and writes their changes; it names no dialect"},
	{"transcript/internal/rawjson", "", "",
		"the scanner knows only JSON"},
	{"transcript/transcripttest", "transcript", "",
		"only tests use it, to build conversations"},
	{"transcript/transcripttest/mutate", "", "",
		"only tests use it, to damage files; it shares no code with the readers that it tests"},
	{"transcript/transcripttest/reader", "", "",
		"only tests use it, to read files; it shares no code with the decoders that it is compared with"},
	{"transcript/token", "transcript transcript/token/bpe transcript/token/tiktoken transcript/token/tokenizerjson", "",
		"it counts blocks; texts are counted by bpe"},
	{"transcript/token/tokenizerjson", "transcript/internal/rawjson transcript/token/bpe", "golang.org/x/text/unicode/norm",
		"it counts text as a file says; the caller reads the file"},
	{"transcript/token/tiktoken", "transcript/token/bpe", "github.com/pkoukk/tiktoken-go",
		"it alone uses tiktoken-go, and passes it the vocabularies, so that it downloads none"},
	{"transcript/token/bpe", "", "",
		"the encodings know only text"},
}

// exempt lists package-level variables that are neither tables nor sentinels, with the reasons.
var exempt = map[string]string{
	"transcript/token.o200k":            "all counters share the scratch space of an encoding",
	"transcript/token.cl100k":           "the same",
	"transcript/token/tiktoken.offline": "the library keeps its loader in a variable",
	"cmd/report/inventory.from":         "the linker sets it",
	"transcript/redact.known":           "the table of rules has an index, which is made when it is needed first",
}

const maxFunc = 60 // lines of a function

// longFuncs are functions that may be longer, with the reason.
var longFuncs = map[string]string{}

// TestLayers checks that the tree follows the table of packages.
func TestLayers(t *testing.T) {
	for _, fault := range checkTree(os.DirFS("..")) {
		t.Error(fault)
	}
}

// checkTree returns a message for everything in the tree of a module that the
// table forbids. It ignores tests, test data and scripts.
func checkTree(tree fs.FS) (faults []string) {
	packages, err := parseTree(tree)
	if err != nil {
		return []string{err.Error()}
	}
	for _, p := range packages {
		faults = append(faults, p.checkPlace()...)
		faults = append(faults, p.checkImports()...)
		faults = append(faults, p.checkDeclarations()...)
		faults = append(faults, p.checkAssignments()...)
	}
	return faults
}

// pkg holds the non-test files of one directory.
type pkg struct {
	dir   string
	fset  *token.FileSet
	files []*ast.File
}

func parseTree(tree fs.FS) (list []*pkg, err error) {
	dirs := map[string]*pkg{}
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); name != "." && (base == "testdata" || name == "scripts" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		p := dirs[path.Dir(name)]
		if p == nil {
			p = &pkg{dir: path.Dir(name), fset: token.NewFileSet()}
			dirs[p.dir] = p
			list = append(list, p)
		}
		f, err := parser.ParseFile(p.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		p.files = append(p.files, f)
		return err
	})
	return list, err
}

func (p *pkg) faultf(n ast.Node, format string, args ...any) string {
	at := p.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d: ", at.Filename, at.Line) + fmt.Sprintf(format, args...)
}

func (p *pkg) layer() (layer, bool) {
	i := slices.IndexFunc(layers, func(l layer) bool { return l.dir == p.dir })
	if i < 0 {
		return layer{}, false
	}
	return layers[i], true
}

func (p *pkg) checkPlace() (faults []string) {
	first, _, _ := strings.Cut(p.dir, "/")
	if first == "internal" {
		faults = append(faults, p.faultf(p.files[0], "there is no internal at the top: it would hide what nobody else imports anyway"))
	} else if _, ok := p.layer(); !ok {
		faults = append(faults, p.faultf(p.files[0],
			"package %s is not in the table of packages: give it a row with its reason in cmd/layers_test.go, or put the code where it belongs", p.dir))
	}
	for _, f := range p.files {
		switch name := f.Name.Name; name {
		case "util", "utils", "helper", "helpers", "common", "misc":
			faults = append(faults, p.faultf(f, "package %s has no subject: keep helpers unexported beside their caller", name))
		}
	}
	return faults
}

func (p *pkg) checkImports() (faults []string) {
	l, ok := p.layer()
	if !ok {
		return nil // checkPlace reports the missing row
	}
	for _, f := range p.files {
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || l.allows(name) {
				continue
			}
			may := "nothing but the standard library"
			if all := strings.TrimSpace(l.inside + " " + l.outside); all != "" {
				may = "besides the standard library only " + strings.ReplaceAll(all, " ", ", ")
			}
			faults = append(faults, p.faultf(spec, "package %s must not import %s; it may import %s: %s", p.dir, name, may, l.why))
		}
	}
	return faults
}

func (l layer) allows(name string) bool {
	if inside, ok := strings.CutPrefix(name, module+"/"); ok {
		return slices.Contains(strings.Fields(l.inside), inside)
	}
	if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") && first != module {
		return (!opensConnections(name) || l.dir == backendDir) && (name != "html/template" || l.dir == pageDir) // standard library
	}
	return slices.ContainsFunc(strings.Fields(l.outside), func(allowed string) bool {
		return name == allowed || strings.HasPrefix(name, allowed+"/")
	})
}

// pageDir is the only package that renders pages.
const pageDir = "cmd/ui/html"

// backendDir is the only package that may open a connection.
const backendDir = "strategy/llm"

// opensConnections reports whether a package of the standard library does.
func opensConnections(name string) bool {
	switch name {
	case "net", "crypto/tls", "net/http", "net/rpc", "net/smtp", "net/textproto":
		return true
	}
	return strings.HasPrefix(name, "net/http/") || strings.HasPrefix(name, "net/rpc/")
}

func (p *pkg) checkDeclarations() (faults []string) {
	for _, f := range p.files {
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" && d.Recv == nil {
					faults = append(faults, p.faultf(d, "init functions run unseen: call a function where it is needed"))
				}
				if n := p.fset.Position(d.End()).Line - p.fset.Position(d.Pos()).Line + 1; n > maxFunc && longFuncs[p.dir+"."+d.Name.Name] == "" {
					faults = append(faults, p.faultf(d, "function %s has %d lines, more than %d: split it by what it does", d.Name.Name, n, maxFunc))
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					faults = append(faults, p.checkVars(d)...)
				}
			}
		}
	}
	return faults
}

// checkVars finds package-level variables that may change.
func (p *pkg) checkVars(d *ast.GenDecl) (faults []string) {
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		embedded := d.Doc != nil && strings.Contains(d.Doc.List[len(d.Doc.List)-1].Text, "//go:embed")
		for i, name := range v.Names {
			if name.Name == "_" || embedded || exempt[p.dir+"."+name.Name] != "" {
				continue
			}
			if len(v.Values) != len(v.Names) || !constantLike(v.Values[i]) {
				faults = append(faults, p.faultf(name, "variable %s is global state: only error sentinels, compiled patterns and tables that never change may be package-level; pass it, or make it a constant", name.Name))
			}
		}
	}
	return faults
}

// constantLike reports whether a value is a table or the result of a call that
// returns an immutable value. [pkg.checkAssignments] checks that tables never change.
func constantLike(value ast.Expr) bool {
	switch v := value.(type) {
	case *ast.CompositeLit:
		of := types.ExprString(v.Type)
		return !strings.HasPrefix(of, "sync.") && !strings.HasPrefix(of, "atomic.")
	case *ast.UnaryExpr:
		return v.Op == token.AND && constantLike(v.X)
	case *ast.CallExpr:
		switch types.ExprString(v.Fun) {
		case "errors.New", "fmt.Errorf", "regexp.MustCompile", "lazyregexp.New", "strings.NewReplacer":
			return true
		}
	}
	return false
}

// checkAssignments finds statements that change a package-level variable of this
// package or of another. It resolves names within the package, but does not know
// the types of imported packages.
func (p *pkg) checkAssignments() (faults []string) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}} // ignores errors, which unresolved imports cause
	scope := types.NewPackage(p.dir, "p").Scope()
	if checked, _ := conf.Check(p.dir, p.fset, p.files, info); checked != nil {
		scope = checked.Scope()
	}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			for _, target := range targets(n) {
				id := root(target)
				if id == nil || id.Name == "_" {
					continue
				}
				switch obj := info.Uses[id].(type) {
				case *types.Var:
					if obj.Parent() == scope {
						faults = append(faults, p.faultf(n, "%s changes the package-level variable %s: tables never change", types.ExprString(target), id.Name))
					}
				case *types.PkgName, nil: // nil for a package whose name is not the last element of its path
					faults = append(faults, p.faultf(n, "%s changes a variable of another package", types.ExprString(target)))
				}
			}
			return true
		})
	}
	return faults
}

// targets lists the expressions that a node assigns to or changes in place.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return slices.DeleteFunc([]ast.Expr{n.Key, n.Value}, func(e ast.Expr) bool { return e == nil })
		}
	case *ast.CallExpr:
		switch types.ExprString(n.Fun) {
		case "delete", "clear", "copy":
			return n.Args[:min(1, len(n.Args))]
		}
	}
	return nil
}

// root returns the leftmost name of an expression: x for x.a[i].b.
func root(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.ParenExpr:
		return root(e.X)
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SliceExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	}
	return nil
}

// TestLayersNotices tests checkTree with one error at a time.
func TestLayersNotices(t *testing.T) {
	long := func(n int) string { return strings.Repeat("\n", n) }
	tests := []struct{ name, file, src, want string }{
		{"nothing wrong", "strategy/a.go", `package strategy; import ("strings"; "condense/transcript"; "github.com/rivo/uniseg"); var t = []string{"a"}; func f(t []string) { t[0] = "" }`, ""},
		{"allowed below an allowed path", "cmd/source/a.go", `package source; import _ "github.com/klauspost/compress/zstd"`, ""},
		{"unknown package", "strategy/magic/a.go", `package magic`, "package strategy/magic is not in the table"},
		{"internal at the top", "internal/a/a.go", `package a`, "there is no internal at the top"},
		{"package without a subject", "transcript/util/a.go", `package util`, "package util has no subject"},
		{"upward import", "transcript/a.go", `package transcript; import _ "condense/strategy"`, "a.go:1: package transcript must not import condense/strategy; it may import nothing but the standard library: the types of a conversation"},
		{"forbidden inside", "strategy/a.go", `package strategy; import _ "condense/transcript/format"`, "package strategy must not import condense/transcript/format; it may import besides the standard library only strategy/allocate, "},
		{"forbidden outside", "cmd/a.go", `package cmd; import _ "github.com/pkoukk/tiktoken-go"`, "package cmd must not import github.com/pkoukk/tiktoken-go"},
		{"connection", "cmd/a.go", `package cmd; import _ "net/http"`, "package cmd must not import net/http"},
		{"allowed connection", "strategy/llm/a.go", `package llm; import ("net"; "net/http")`, ""},
		{"net package without connections", "cmd/a.go", `package cmd; import "net/url"`, ""},
		{"pages", "cmd/ui/a.go", `package ui; import _ "html/template"`, "package cmd/ui must not import html/template"},
		{"path with an allowed prefix", "cmd/a.go", `package cmd; import _ "github.com/spf13/cobra-cli"`, "package cmd must not import github.com/spf13/cobra-cli"},
		{"root", "cmd/a.go", `package cmd; import _ "` + module + `"`, "package cmd must not import " + module + ";"},
		{"init", "cmd/a.go", `package cmd; func init() {}`, "init functions run unseen"},
		{"method called init", "cmd/a.go", `package cmd; type t int; func (t) init() {}`, ""},
		{"long function", "cmd/a.go", "package cmd; func f() {" + long(60) + "}", "function f has 61 lines"},
		{"function just short enough", "cmd/a.go", "package cmd; func f() {" + long(59) + "}", ""},
		{"row before its package", "strategy/allocate/a.go", `package allocate; import "container/heap"; var _ heap.Interface`, ""},
		{"variable without a value", "cmd/a.go", `package cmd; import "sync"; var mu sync.Mutex`, "variable mu is global state"},
		{"lock as a literal", "cmd/a.go", `package cmd; import "sync"; var mu = sync.Mutex{}`, "variable mu is global state"},
		{"constant as a variable", "cmd/a.go", `package cmd; var limit = 5`, "variable limit is global state"},
		{"hook", "cmd/a.go", `package cmd; import "time"; var now = time.Now`, "variable now is global state"},
		{"sentinels, patterns, tables", "cmd/a.go", `package cmd; import ("errors"; "regexp"); var (e = errors.New("e"); r = regexp.MustCompile("r"); m = map[string]int{"a": 1}; p = &struct{ a int }{1}; _ error = nil)`, ""},
		{"embedded", "cmd/a.go", "package cmd\nimport _ \"embed\"\n//go:embed a.txt\nvar a string", ""},
		{"table replaced", "cmd/a.go", `package cmd; var t = []int{1}; func f() { t = nil }`, "t changes the package-level variable t"},
		{"element replaced", "cmd/a.go", `package cmd; var t = []struct{ a []int }{}; func f() { t[0].a[1]++ }`, "t[0].a[1] changes the package-level variable t"},
		{"through a pointer", "cmd/a.go", `package cmd; var t = &struct{ a int }{}; func f() { (*t).a += 1 }`, "changes the package-level variable t"},
		{"in a closure passed to another package", "cmd/a.go", `package cmd; import "github.com/spf13/cobra"; var t = map[string]int{}; func f() { cobra.OnInitialize(func() { t["a"] = 1 }) }`, "changes the package-level variable t"},
		{"entry deleted", "cmd/a.go", `package cmd; var t = map[int]int{}; func f() { delete(t, 1) }`, "t changes the package-level variable t"},
		{"in a loop", "cmd/a.go", `package cmd; var t = [1]int{}; func f() { for t[0] = range 3 {} }`, "t[0] changes the package-level variable t"},
		{"shadowed name", "cmd/a.go", `package cmd; var t = []int{1}; func f() { t := t; t = nil; for t = range [][]int{} {} }`, ""},
		{"variable of another package", "cmd/a.go", `package cmd; import "os"; func f() { os.Args = nil }`, "os.Args changes a variable of another package"},
		{"variable of a package with another name", "transcript/token/a.go", `package token; import "github.com/pkoukk/tiktoken-go"; func f() { tiktoken.Loader = nil }`, "tiktoken.Loader changes a variable of another package"},
		{"field of a value of another package", "cmd/a.go", `package cmd; import "github.com/spf13/cobra"; func f() { c := cobra.New(); c.Use = ""; c, err := cobra.Two(); err = nil; _ = err }`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := checkTree(fstest.MapFS{
				tt.file:                   {Data: []byte(tt.src)},
				"cmd/a_test.go":           {Data: []byte(`package util; func init() {}`)},
				"cmd/testdata/a.go":       {Data: []byte(`package util; func init() {}`)},
				"scripts/bench/bench.go":  {Data: []byte(`package main; func init() {}`)},
				"scripts/bench/README.md": {},
			})
			got := strings.Join(faults, "\n")
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestLayersTable checks that the table has each package once, and allows no import of a package
// without a row.
func TestLayersTable(t *testing.T) {
	known := map[string]bool{}
	for _, l := range layers {
		if known[l.dir] {
			t.Errorf("%s has two rows", l.dir)
		}
		known[l.dir] = true
	}
	for _, l := range layers {
		for _, name := range strings.Fields(l.inside) {
			if !known[name] {
				t.Errorf("%s may import %s, which has no row", l.dir, name)
			}
		}
	}
}
