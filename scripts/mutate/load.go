package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the module in the current folder.
type module struct {
	exports map[string]string // import path to file of export data
	chosen  []*listed         // packages to measure
	known   map[string]bool   // folders of packages
	tested  map[string]bool   // folders of packages with tests
}

// listed is a package as go list prints it.
type listed struct {
	Dir, ImportPath, Name, Export string
	GoFiles                       []string
	TestGoFiles, XTestGoFiles     []string
	Module                        *struct {
		Path, Dir string
		Main      bool
	}

	dir string // within the module, with slashes
}

// loadModule lists the packages of the module, and chooses those in dirs.
func loadModule(ctx context.Context, dirs []string) (*module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=Dir,ImportPath,Name,Export,GoFiles,TestGoFiles,XTestGoFiles,Module",
		"-export", "-deps", "./...", "cmp", "os", "strconv", "sync") // the last four are for helper
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	m := &module{exports: make(map[string]string), known: make(map[string]bool), tested: make(map[string]bool)}
	var all []string
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(listed)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		m.exports[p.ImportPath] = p.Export
		if p.Module == nil || !p.Module.Main {
			continue
		}
		rel, err := filepath.Rel(p.Module.Dir, p.Dir)
		if err != nil {
			return nil, err
		}
		p.dir = filepath.ToSlash(rel)
		m.known[p.dir] = true
		m.tested[p.dir] = len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		all = append(all, p.dir)
		if wanted(p.dir, dirs) {
			m.chosen = append(m.chosen, p)
		}
	}
	for _, dir := range dirs {
		if !slices.Contains(all, clean(dir)) {
			return nil, fmt.Errorf("there is no package %s", dir)
		}
	}
	slices.SortFunc(m.chosen, func(a, b *listed) int { return cmp.Compare(a.dir, b.dir) })
	if len(m.chosen) == 0 {
		return nil, errors.New("no packages")
	}
	return m, nil
}

// wanted reports whether a package is among dirs. Without dirs, it reports
// whether the package is no program, no script and no helper of tests.
func wanted(dir string, dirs []string) bool {
	if len(dirs) == 0 {
		return dir != "." && !strings.HasPrefix(dir, "scripts/") && !strings.HasSuffix(dir, "test")
	}
	return slices.ContainsFunc(dirs, func(d string) bool { return clean(d) == dir })
}

// clean returns a folder as listed has it.
func clean(dir string) string {
	return filepath.ToSlash(filepath.Clean(dir))
}

// importer returns an importer that reads export data.
func (m *module) importer(fset *token.FileSet) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		file := m.exports[path]
		if file == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(file)
	})
}

// source is a file of a package.
type source struct {
	name   string // without folder
	text   []byte
	syntax *ast.File
}

// checked is a package with types.
type checked struct {
	fset  *token.FileSet
	files []*source
	info  *types.Info
	pkg   *types.Package
}

// check parses and checks a package. replaced has texts of files that differ
// from those on disk, or are not there, by name. Errors in types are given to
// report, with the name of the file and the line.
func (m *module) check(p *listed, replaced map[string][]byte, report func(file string, line int, message string)) (*checked, error) {
	c := &checked{fset: token.NewFileSet(), info: &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue),
		Defs:  make(map[*ast.Ident]types.Object),
		Uses:  make(map[*ast.Ident]types.Object),
	}}
	names := slices.Clone(p.GoFiles)
	for name := range replaced {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var trees []*ast.File
	for _, name := range names {
		text, ok := replaced[name]
		if !ok {
			var err error
			if text, err = os.ReadFile(filepath.Join(p.Dir, name)); err != nil {
				return nil, err
			}
		}
		tree, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, &source{name, text, tree})
		trees = append(trees, tree)
	}
	conf := types.Config{
		Importer: m.importer(c.fset),
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				at := e.Fset.Position(e.Pos)
				report(at.Filename, at.Line, e.Msg)
			} else {
				report("", 0, err.Error())
			}
		},
	}
	c.pkg, _ = conf.Check(p.ImportPath, c.fset, trees, c.info)
	return c, nil
}
