package cmd_test

import (
	"encoding/json"
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
	"testing"
)

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir, Export, ForTest         string
	GoFiles, TestGoFiles, XTestGoFiles       []string
	Imports, TestImports, XTestImports, Deps []string
	Standard                                 bool
	Module                                   *struct{ Path string }
}

// checkedModule holds the type-checked packages of this module. They are checked from source with
// one importer, so that an object is identical in all of them.
type checkedModule struct {
	fset    *token.FileSet
	info    *types.Info
	list    map[string]*listed
	checked map[string]*types.Package
	files   map[string][]*ast.File
	other   types.Importer
}

// TestExports checks that every exported name has a comment, and that it is used outside of its
// package, also by tests, or shown in an example. Errors are exempt from the second rule, because
// callers may look for them.
func TestExports(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of all packages")
	}
	for _, fault := range loadModule(t).faults(t) {
		t.Error(fault)
	}
}

// faults returns a message for every exported name that breaks a rule of TestExports.
func (p *checkedModule) faults(t *testing.T) (faults []string) {
	t.Helper()
	used, demanded := p.usedOutside(t), p.demanded()
	for _, path := range p.paths() {
		if strings.Contains(path+"/", "/internal/") {
			continue
		}
		faults = append(faults, p.undocumented(path)...)
		for _, obj := range p.exported(path) {
			if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil && demanded[f.Name()] || used[obj] || isError(obj.Type()) {
				continue
			}
			faults = append(faults, fmt.Sprintf("%s: %s is used nowhere outside its package: unexport it, or show it in an example", p.position(obj.Pos()), name(obj)))
		}
	}
	return faults
}

// position returns FILE:LINE of a position.
func (p *checkedModule) position(pos token.Pos) string {
	at := p.fset.Position(pos)
	if root, err := filepath.Abs(".."); err == nil {
		if rel, err := filepath.Rel(root, at.Filename); err == nil {
			at.Filename = rel
		}
	}
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

// isError reports whether a value of a type, or a pointer to one, is an error.
func isError(typ types.Type) bool {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(typ, errorType) || types.Implements(types.NewPointer(typ), errorType)
}

func loadModule(t *testing.T) *checkedModule {
	t.Helper()
	c := exec.Command("go", "list", "-export", "-deps", "-test", "-json=ImportPath,Dir,Export,ForTest,GoFiles,TestGoFiles,XTestGoFiles,Imports,Standard,Module", "./...")
	c.Dir = ".."
	out, err := c.Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	list := map[string]*listed{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		if err := dec.Decode(&l); err == io.EOF {
			return checkModule(t, list)
		} else if err != nil {
			t.Fatal(err)
		}
		if l.ForTest == "" && !strings.HasSuffix(l.ImportPath, ".test") {
			list[l.ImportPath] = &l
		}
	}
}

// checkModule type-checks the packages of this module. list has the packages by their paths.
func checkModule(t *testing.T, list map[string]*listed) *checkedModule {
	t.Helper()
	p := &checkedModule{
		fset: token.NewFileSet(), list: list, checked: map[string]*types.Package{}, files: map[string][]*ast.File{},
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}},
	}
	p.other = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		l := p.list[path]
		if l == nil || l.Export == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(l.Export)
	})
	for path, l := range p.list {
		if p.own(path) {
			if _, err := p.Import(path); err != nil {
				t.Fatalf("%s: %v", l.ImportPath, err)
			}
		}
	}
	return p
}

// own reports whether a package is of this module.
func (p *checkedModule) own(path string) bool {
	l := p.list[path]
	return l != nil && l.Module != nil && l.Module.Path == module
}

// paths returns the packages of this module in order.
func (p *checkedModule) paths() (list []string) {
	for path := range p.checked {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// Import type-checks a package of this module from its source, and reads the export data of all
// others.
func (p *checkedModule) Import(path string) (*types.Package, error) {
	if !p.own(path) {
		return p.other.Import(path)
	}
	if pkg := p.checked[path]; pkg != nil {
		return pkg, nil
	}
	l := p.list[path]
	files, err := p.parse(l.Dir, l.GoFiles)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: p}
	pkg, err := conf.Check(path, p.fset, files, p.info)
	p.checked[path], p.files[path] = pkg, files
	return pkg, err
}

func (p *checkedModule) parse(dir string, names []string) (files []*ast.File, err error) {
	for _, name := range names {
		f, err := parser.ParseFile(p.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// name returns the name of an object with its receiver.
func name(obj types.Object) string {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		return fmt.Sprintf("%s.%s", types.TypeString(f.Signature().Recv().Type(), func(*types.Package) string { return "" }), obj.Name())
	}
	return obj.Name()
}

// exported returns the exported names of a package: those of its scope, and the methods of
// its exported types.
func (p *checkedModule) exported(path string) (list []types.Object) {
	scope := p.checked[path].Scope()
	for _, n := range scope.Names() {
		obj := scope.Lookup(n)
		if !obj.Exported() {
			continue
		}
		list = append(list, obj)
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !ok || !isType {
			continue
		}
		for m := range named.Methods() {
			if m.Exported() {
				list = append(list, m)
			}
		}
	}
	return list
}

// demanded returns the names of methods that interfaces of the standard library, of pflag or of
// this module have.
func (p *checkedModule) demanded() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields("Error Unwrap Is As String Read Write Close Len Less Swap Push Pop Set Type " +
		"MarshalJSON UnmarshalJSON MarshalText UnmarshalText MarshalYAML UnmarshalYAML") {
		names[name] = true
	}
	for _, obj := range p.info.Defs {
		if f, ok := obj.(*types.Func); ok {
			if r := f.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
				names[f.Name()] = true
			}
		}
	}
	return names
}

// usedOutside returns the objects that another package of the module or an example of their own
// package uses. It also returns the types of their results, parameters and fields.
func (p *checkedModule) usedOutside(t *testing.T) map[types.Object]bool {
	t.Helper()
	used := map[types.Object]bool{}
	collect := func(root ast.Node, from string, info *types.Info) {
		ast.Inspect(root, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := info.Uses[id]; obj != nil && obj.Pkg() != nil && obj.Pkg().Path() != from {
					p.mark(used, origin(obj))
				}
			}
			return true
		})
	}
	for path, files := range p.files {
		for _, f := range files {
			collect(f, path, p.info)
		}
		l := p.list[path]
		external, info := p.tests(t, path+"_test", l.Dir, l.XTestGoFiles)
		for _, f := range external {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Example") {
					collect(fn, path+"_test", info) // an example uses its package from outside
				}
			}
			collect(f, path, info)
		}
		internal, info := p.tests(t, path, l.Dir, slices.Concat(l.GoFiles, l.TestGoFiles))
		for _, f := range internal[len(l.GoFiles):] {
			collect(f, path, info)
		}
	}
	return used
}

// tests parses and type-checks the tests of a package.
func (p *checkedModule) tests(t *testing.T, path, dir string, names []string) ([]*ast.File, *types.Info) {
	t.Helper()
	files, err := p.parse(dir, names)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: p, Error: func(error) {}} // names of other test files are unknown
	conf.Check(path, p.fset, files, info)                    // for the same reason, errors are ignored
	return files, info
}

func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// mark adds an object, and the types in its type with their fields.
func (p *checkedModule) mark(used map[types.Object]bool, obj types.Object) {
	if used[obj] || obj.Pkg() == nil || !p.own(obj.Pkg().Path()) {
		return
	}
	used[obj] = true
	p.markType(used, obj.Type(), map[types.Type]bool{})
}

func (p *checkedModule) markType(used map[types.Object]bool, typ types.Type, seen map[types.Type]bool) {
	if seen[typ] {
		return
	}
	seen[typ] = true
	switch typ := typ.(type) {
	case *types.Named:
		obj := typ.Origin().Obj()
		if obj.Pkg() == nil || !p.own(obj.Pkg().Path()) {
			break
		}
		used[obj] = true
		for i := range typ.TypeArgs().Len() {
			p.markType(used, typ.TypeArgs().At(i), seen)
		}
		p.markType(used, typ.Underlying(), seen)
		p.markConstants(used, obj)
	case *types.Pointer:
		p.markType(used, typ.Elem(), seen)
	case *types.Slice:
		p.markType(used, typ.Elem(), seen)
	case *types.Array:
		p.markType(used, typ.Elem(), seen)
	case *types.Map:
		p.markType(used, typ.Key(), seen)
		p.markType(used, typ.Elem(), seen)
	case *types.Signature:
		for v := range typ.Params().Variables() {
			p.markType(used, v.Type(), seen)
		}
		for v := range typ.Results().Variables() {
			p.markType(used, v.Type(), seen)
		}
	case *types.Struct:
		for f := range typ.Fields() {
			if f.Exported() {
				p.markType(used, f.Type(), seen)
			}
		}
	}
}

// markConstants adds the constants of a type, because all values of an enumeration belong to it.
func (p *checkedModule) markConstants(used map[types.Object]bool, of *types.TypeName) {
	scope := of.Pkg().Scope()
	for _, n := range scope.Names() {
		if c, ok := scope.Lookup(n).(*types.Const); ok && c.Type() == of.Type() {
			used[c] = true
		}
	}
}

// undocumented returns a message for every exported name of a package without a comment. One
// comment can document a group.
func (p *checkedModule) undocumented(path string) (faults []string) {
	fault := func(id *ast.Ident) {
		switch id.Name {
		case "Error", "Unwrap", "String": // well-known methods need no comment
			return
		}
		if id.IsExported() {
			faults = append(faults, fmt.Sprintf("%s: %s has no comment", p.position(id.Pos()), id.Name))
		}
	}
	for _, f := range p.files[path] {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && (d.Recv == nil || receiverOf(d).IsExported()) {
					fault(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if d.Doc == nil && s.Doc == nil && s.Comment == nil {
							fault(s.Name)
						}
					case *ast.ValueSpec:
						if d.Doc == nil && s.Doc == nil && s.Comment == nil {
							for _, id := range s.Names {
								fault(id)
							}
						}
					}
				}
			}
		}
	}
	return faults
}

func receiverOf(d *ast.FuncDecl) *ast.Ident {
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.Ident:
			return t
		}
	}
}

// TestExportsNotices tests the rules with a package that breaks each of them.
func TestExportsNotices(t *testing.T) {
	dir := t.TempDir()
	list := map[string]*listed{}
	for path, files := range map[string]map[string]string{
		"condense/a": {
			"a.go": "package a\n\n// F is shown in an example, and G used by b.\nfunc F() {}\n\nfunc G() Result { return Result{} }\n\n" +
				"// Result is in G.\ntype Result struct{ N Number }\n\n// Number is in Result.\ntype Number int\n\n// One is a Number.\nconst One Number = 1\n\n" +
				"// Lost returns no news.\nfunc (r Result) Lost() {}\n\n// String is for fmt.\nfunc (r Result) String() string { return \"\" }\n\n" +
				"// Fault is an error.\ntype Fault struct{}\n\nfunc (Fault) Error() string { return \"\" }\n\n// Alone is used here.\nvar Alone = One\n",
			"a_test.go": "package a_test\n\nimport \"condense/a\"\n\nfunc ExampleF() { a.F() }\n\nfunc TestA() { _ = a.Alone }\n",
		},
		"condense/b": {"b.go": "package b\n\nimport \"condense/a\"\n\nvar r = a.G()\n"},
	} {
		l := &listed{ImportPath: path, Dir: filepath.Join(dir, filepath.Base(path)), Module: &struct{ Path string }{module}}
		list[path] = l
		if err := os.Mkdir(l.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, src := range files {
			if strings.HasSuffix(name, "_test.go") {
				l.XTestGoFiles = append(l.XTestGoFiles, name)
			} else {
				l.GoFiles = append(l.GoFiles, name)
			}
			if err := os.WriteFile(filepath.Join(l.Dir, name), []byte(src), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := strings.Join(checkModule(t, list).faults(t), "\n")
	for _, want := range []string{"G has no comment", "Alone is used nowhere", "Result.Lost is used nowhere"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 3 {
		t.Errorf("%d faults, want 3:\n%s", n, got)
	}
}
