package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mutant is a change in one place.
type mutant struct {
	id     int    // in the environment, from 1
	file   string // name without folder
	line   int    // first line
	end    int    // last line
	fn     string // function or variable
	change string // the original text, "->", and the new text
	edits  []edit
}

// String returns the place and the change.
func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.fn, m.change)
}

// key returns what names the mutant although lines move.
func (m *mutant) key() string {
	return m.file + " " + m.fn + ": " + m.change
}

// edit replaces the bytes from off to end by text, where place stands for the
// number of the mutant. Insertions at the same offset are ordered: those that
// end a node, the smaller first, and those that begin one, the larger first.
type edit struct {
	off, end int
	text     string
	size     int // of the node, and the level; negative if the edit stands at its end
}

// place stands for the number of the mutant.
const place = "\x00"

// The levels order edits around the same node.
const (
	inside  = iota // an operator of the node is replaced, too
	between        // an expression
	outside        // a statement
	levels
)

// finder finds the mutants of a file.
type finder struct {
	*checked
	*source
	stack   []ast.Node
	fn      string
	found   []*mutant
	ordinal map[string]int
}

// find returns all mutants of a package.
func (c *checked) find() []*mutant {
	var all []*mutant
	for _, s := range c.files {
		f := &finder{checked: c, source: s, ordinal: make(map[string]int)}
		for _, d := range s.syntax.Decls {
			f.declaration(d)
		}
		all = append(all, f.found...)
	}
	return all
}

// declaration finds the mutants of a function, or of variables.
func (f *finder) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		f.fn = d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			f.fn = f.in(d.Recv.List[0].Type) + "." + f.fn
		}
		if d.Body != nil {
			f.walk(d)
		}
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, s := range d.Specs {
			f.fn = "var " + s.(*ast.ValueSpec).Names[0].Name
			f.walk(s)
		}
	}
}

// walk visits the nodes below n.
func (f *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			f.stack = f.stack[:len(f.stack)-1]
			return true
		}
		if f.hidden(n) {
			return false
		}
		f.visit(n)
		f.stack = append(f.stack, n)
		return true
	})
}

// hidden reports whether nothing below n is changed, because it must stay
// constant, or because no test could notice the change.
func (f *finder) hidden(n ast.Node) bool {
	parent := f.parent(0)
	switch p := parent.(type) {
	case *ast.ArrayType:
		return p.Len == n
	case *ast.KeyValueExpr:
		if lit, ok := f.parent(1).(*ast.CompositeLit); ok && p.Key == n {
			t := f.info.TypeOf(lit)
			if t == nil {
				return true
			}
			_, isMap := t.Underlying().(*types.Map)
			return !isMap
		}
	case *ast.CallExpr:
		switch name := callee(p); {
		case name == "panic":
			return p.Fun != n
		case name == "make":
			_, slice := f.info.TypeOf(p).Underlying().(*types.Slice)
			return len(p.Args) > 2 && p.Args[2] == n || !slice && len(p.Args) > 1 && p.Args[1] == n
		case name == "Grow":
			return true
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.CONST
	case *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	case *ast.CallExpr:
		name := callee(n)
		return name == "Lock" || name == "Unlock" || name == "RLock" || name == "RUnlock"
	}
	return false
}

// callee returns the name of the called function or method, without package or
// receiver, or "".
func callee(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// visit adds the mutants of a node.
func (f *finder) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.IfStmt:
		f.condition(n.Cond, true)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(n.Cond, false)
		}
	case *ast.CaseClause:
		if s, ok := f.parent(1).(*ast.SwitchStmt); ok && s.Tag == nil {
			for _, e := range n.List {
				f.condition(e, true)
			}
		}
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.AssignStmt:
		if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && f.numeric(n.Rhs[0]) {
			f.negate(n, n.Rhs[0], n.Tok.String(), exchanged[n.Tok].String())
		}
		if call, ok := n.Rhs[0].(*ast.CallExpr); n.Tok != token.DEFINE && f.in(n.Lhs[0]) != "_" && !(ok && callee(call) == "Grow") {
			f.remove(n)
		}
	case *ast.IncDecStmt:
		f.remove(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && callee(call) != "panic" && callee(call) != "Grow" && !f.hidden(call) {
			f.remove(n)
		}
	case *ast.BranchStmt:
		f.branch(n)
	}
}

// parent returns the node that holds the present one, or one further out.
func (f *finder) parent(out int) ast.Node {
	if i := len(f.stack) - 1 - out; i >= 0 {
		return f.stack[i]
	}
	return nil
}

// add adds a mutant of the node n.
func (f *finder) add(n ast.Node, change string, edits ...edit) {
	m := &mutant{
		file: f.name, fn: f.fn, change: change, edits: edits,
		line: f.fset.Position(n.Pos()).Line, end: f.fset.Position(n.End()).Line,
	}
	f.ordinal[m.key()]++
	if i := f.ordinal[m.key()]; i > 1 {
		m.change += fmt.Sprintf(" #%d", i)
	}
	f.found = append(f.found, m)
}

// around returns the edits that put texts before and after n.
func (f *finder) around(n ast.Node, level int, before, after string) []edit {
	off, end := f.offset(n.Pos()), f.offset(n.End())
	size := (end-off)*levels + level
	return []edit{{off, off, before, size}, {end, end, after, -size}}
}

// offset returns the place of p in the text.
func (f *finder) offset(p token.Pos) int {
	return f.fset.Position(p).Offset
}

// text returns the bytes of n.
func (f *finder) bytes(n ast.Node) []byte {
	return f.text[f.offset(n.Pos()):f.offset(n.End())]
}

// in returns the text of n in one line.
func (f *finder) in(n ast.Node) string {
	const limit = 90
	s := string(bytes.Join(bytes.Fields(f.bytes(n)), []byte(" ")))
	if len(s) > limit {
		s = s[:limit/2] + "..." + s[len(s)-limit/2:]
	}
	return strings.ToValidUTF8(s, "?")
}
