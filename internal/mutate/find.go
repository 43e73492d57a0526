package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// mutant is a change of one place in one file.
type mutant struct {
	file, position string
	what           string
	from, to       int // bytes of the source
	with           string
	tests          []string
}

// swaps are operators that look alike to a tired eye.
var swaps = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
}

// finder collects the mutants of a file.
type finder struct {
	file    string
	source  []byte
	set     *token.FileSet
	mutants []mutant
}

func find(file string, source []byte) ([]mutant, error) {
	f := &finder{file: file, source: source, set: token.NewFileSet()}
	parsed, err := parser.ParseFile(f.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(parsed, f.visit)
	return f.mutants, nil
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.StructType:
		return false // a path or a tag is no constant of the program
	case *ast.BinaryExpr:
		if with, ok := swaps[n.Op]; ok && !isText(n) {
			f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), with)
		}
	case *ast.IfStmt:
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
		}
	case *ast.Ident:
		if with, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(n.Pos(), n.End(), with)
		}
	case *ast.BlockStmt:
		for _, s := range n.List {
			f.statement(s)
		}
	}
	return true
}

// statement leaves one out, where the rest compiles without it.
func (f *finder) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt:
		f.add(s.Pos(), s.End(), "")
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE && f.text(s.Lhs[0]) != "_" {
			f.add(s.Pos(), s.End(), "")
		}
	}
}

// isText finds concatenations, which have no minus.
func isText(n *ast.BinaryExpr) bool {
	for _, side := range []ast.Expr{n.X, n.Y} {
		if lit, ok := side.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			return n.Op == token.ADD
		}
		if inner, ok := side.(*ast.BinaryExpr); ok && inner.Op == token.ADD && isText(inner) {
			return n.Op == token.ADD
		}
	}
	return false
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) add(from, to token.Pos, with string) {
	start, end := f.set.Position(from), f.set.Position(to)
	what := fmt.Sprintf("%s -> %s", f.source[start.Offset:end.Offset], with)
	if with == "" {
		what = "without " + string(f.source[start.Offset:end.Offset])
	}
	f.mutants = append(f.mutants, mutant{
		file: f.file, position: fmt.Sprintf("%s:%d:%d", f.file, start.Line, start.Column), what: what,
		from: start.Offset, to: end.Offset, with: with,
	})
}
