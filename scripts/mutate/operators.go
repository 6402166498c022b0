package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// exchanged has the operators that stand for others.
var exchanged = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// opposite has the negations of comparisons.
var opposite = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// switches has the functions that stand for an operator, in helper.
var switches = map[token.Token]string{
	token.LAND: "mutantAnd", token.LOR: "mutantOr",
	token.LSS: "mutantLess", token.LEQ: "mutantLessEqual",
	token.GTR: "mutantGreater", token.GEQ: "mutantGreaterEqual",
}

// binary adds the mutants of an operator.
func (f *finder) binary(n *ast.BinaryExpr) {
	if f.info.Types[n].Value != nil {
		return
	}
	show := func(op token.Token) string {
		return f.in(n) + " -> " + f.in(n.X) + " " + op.String() + " " + f.in(n.Y)
	}
	at := f.offset(n.OpPos)
	op := edit{off: at, end: at + len(n.Op.String()), text: ", "}
	switch n.Op {
	case token.LAND, token.LOR:
		op.text = ", func() bool { return ("
		f.add(n, show(exchanged[n.Op]), append(f.around(n, inside, switches[n.Op]+"(\x00, ", ") })"), op)...)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.add(n, show(exchanged[n.Op]), append(f.around(n, inside, switches[n.Op]+"(\x00, ", ")"), op)...)
		f.add(n, show(opposite[n.Op]), f.around(n, between, "mutantNot(\x00, ", ")")...)
	case token.EQL, token.NEQ:
		f.add(n, show(opposite[n.Op]), f.around(n, between, "mutantNot(\x00, ", ")")...)
	case token.ADD, token.SUB:
		if f.numeric(n.Y) {
			f.negate(n, n.Y, f.in(n), f.in(n.X)+" "+exchanged[n.Op].String()+" "+f.in(n.Y))
		}
	}
}

// negate adds the mutant of n with the opposite of the number e.
func (f *finder) negate(n ast.Node, e ast.Expr, from, to string) {
	if _, ok := n.(*ast.AssignStmt); ok {
		to = strings.Replace(f.in(n), from, to, 1)
		from = f.in(n)
	}
	if t := f.typeName(e); t != "" {
		f.add(n, from+" -> "+to, f.around(e, between, "mutantNegate["+t+"](\x00, ", ")")...)
	}
}

// literal adds the mutants of a constant.
func (f *finder) literal(n *ast.BasicLit) {
	t := f.typeName(n)
	if t == "" {
		return
	}
	change := func(to string) {
		f.add(n, f.near(n)+" -> "+to, f.around(n, between, "mutantValue["+t+"](\x00, ", ", "+to+")")...)
	}
	switch n.Kind {
	case token.STRING:
		if n.Value != `""` && n.Value != "``" {
			change(`""`)
		}
	case token.INT, token.FLOAT:
		change(n.Value + "+1")
		if strings.Trim(n.Value, "0.") != "" {
			change("0")
		}
	case token.CHAR:
		change(n.Value + "+1")
	}
}

// near returns the text of a literal, with the expression around it if that is short.
func (f *finder) near(n ast.Node) string {
	const short = 60
	if p, ok := f.parent(0).(ast.Expr); ok {
		if s := f.in(p); len(s) < short {
			return s + " with " + f.in(n)
		}
	}
	return f.in(n)
}

// condition adds the mutants of a condition that is always false, and of one
// that is always true where that ends.
func (f *finder) condition(e ast.Expr, always bool) {
	b, ok := f.info.TypeOf(e).(*types.Basic)
	if !ok || b.Info()&types.IsBoolean == 0 || f.info.Types[e].Value != nil {
		return
	}
	if always {
		f.add(e, "if "+f.in(e)+" -> true", f.around(e, between, "mutantOn(\x00) || (", ")")...)
	}
	f.add(e, "if "+f.in(e)+" -> false", f.around(e, between, "!mutantOn(\x00) && (", ")")...)
}

// returned adds the mutants of the values of a return statement.
func (f *finder) returned(n *ast.ReturnStmt) {
	results := f.results()
	if len(results) != len(n.Results) {
		return
	}
	for i, e := range n.Results {
		tv := f.info.Types[e]
		if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			f.add(e, "return "+f.in(e)+" -> negated", f.around(e, between, "mutantNot["+results[i]+"](\x00, ", ")")...)
			continue
		}
		if s := f.in(e); s != "nil" && !isZero(tv.Value) && !strings.HasSuffix(s, "{}") {
			f.add(e, "return "+f.in(n)[len("return "):]+" -> zero for "+s, f.around(e, between, "mutantZero["+results[i]+"](\x00, ", ")")...)
		}
	}
}

// isZero reports whether a constant is the zero value of its type. It returns false for nil, which stands for
// what is no constant.
func isZero(v constant.Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind() {
	case constant.Int, constant.Float:
		return constant.Sign(v) == 0
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return false
}

// results returns the types of the results of the function around, as they are written.
func (f *finder) results() []string {
	var t *ast.FuncType
	for i := 0; t == nil && f.parent(i) != nil; i++ {
		switch p := f.parent(i).(type) {
		case *ast.FuncLit:
			t = p.Type
		case *ast.FuncDecl:
			t = p.Type
		}
	}
	if t == nil || t.Results == nil {
		return nil
	}
	var list []string
	for _, field := range t.Results.List {
		for range max(len(field.Names), 1) {
			list = append(list, string(f.bytes(field.Type)))
		}
	}
	return list
}

// remove adds the mutant without a statement of a block.
func (f *finder) remove(n ast.Stmt) {
	if f.inList() {
		f.add(n, f.in(n)+" -> removed", f.around(n, outside, "if !mutantOn(\x00) { ", " }")...)
	}
}

// branch adds the mutant with continue for break, or break for continue.
func (f *finder) branch(n *ast.BranchStmt) {
	to := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]
	if to == "" || !f.inList() {
		return
	}
	if n.Label != nil {
		to += " " + n.Label.Name
	}
	off := f.offset(n.Pos())
	f.add(n, f.in(n)+" -> "+to, edit{off, off, "if mutantOn(\x00) { " + to + " }; ", 1})
}

// inList reports whether the present node is in a list of statements.
func (f *finder) inList() bool {
	switch f.parent(0).(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// numeric reports whether e is a number.
func (f *finder) numeric(e ast.Expr) bool {
	b, ok := f.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// typeName returns the type of e as the file writes it, or "" where it has no name.
func (f *finder) typeName(e ast.Expr) string {
	t := f.info.TypeOf(e)
	if t == nil {
		return ""
	}
	named := true
	s := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		for _, imp := range f.syntax.Imports {
			if strings.Trim(imp.Path.Value, `"`) != p.Path() {
				continue
			}
			if imp.Name != nil {
				return imp.Name.Name
			}
			return p.Name()
		}
		named = false
		return ""
	})
	if !named {
		return ""
	}
	return s
}
