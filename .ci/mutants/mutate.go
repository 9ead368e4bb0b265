package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// mutant is a change of a file: the text instead replaces the bytes from start to end.
type mutant struct {
	file       string
	line       int
	function   string
	text       string // the source line that changes
	start, end int
	instead    string
	about      string
}

// swapped maps operators to their replacements.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

var other = map[string]string{"true": "false", "false": "true", "max": "min", "min": "max"}

// spoken are calls with messages for people.
var spoken = map[string]bool{"Errorf": true, "Sprintf": true, "New": true, "panic": true}

// mutants lists the changes of a file by line: another operator, a negated condition, min for
// max, a number larger by one, true for false, an assignment or call left out.
func mutants(name string, src []byte) (list []mutant, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, 0)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(src), "\n")
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	of := func(n ast.Node) string { return string(src[at(n.Pos()):at(n.End())]) }
	function := ""
	add := func(from, to token.Pos, instead, about string) {
		line := fset.Position(from).Line
		list = append(list, mutant{file: name, line: line, function: function, text: strings.TrimSpace(lines[line-1]),
			start: at(from), end: at(to), instead: instead, about: strings.Join(strings.Fields(about), " ")})
	}
	// without moves a statement into a function that nobody calls. So variables and imports stay in
	// use, and the file compiles.
	without := func(n ast.Node, blanks int, values string) {
		add(n.Pos(), n.End(), strings.Repeat("_, ", blanks)+"_ = "+values+"func() { "+of(n)+" }", "without "+of(n))
	}
	negate := func(cond ast.Expr) {
		if cond != nil {
			add(cond.Pos(), cond.End(), "!("+of(cond)+")", "not "+of(cond))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BinaryExpr:
			if to, ok := swapped[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String(), of(n)+": "+to.String())
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, n.OpPos+1, "", of(n)+": without !")
			}
		case *ast.CallExpr:
			f := n.Fun
			if s, ok := f.(*ast.SelectorExpr); ok {
				f = s.Sel
			}
			if f, ok := f.(*ast.Ident); ok && spoken[f.Name] {
				return false
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add(n.Pos(), n.End(), strconv.Itoa(v+1), fmt.Sprintf("%d for %d", v+1, v))
			}
		case *ast.Ident:
			if to := other[n.Name]; to != "" {
				add(n.Pos(), n.End(), to, to+" for "+n.Name)
			}
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.CaseClause:
			for _, e := range n.List {
				if _, binary := e.(*ast.BinaryExpr); binary {
					negate(e)
				}
			}
		case *ast.IncDecStmt:
			without(n, 0, "")
		case *ast.ExprStmt:
			if _, call := n.X.(*ast.CallExpr); call {
				without(n, 0, "")
			}
		case *ast.AssignStmt:
			switch values := string(src[at(n.Rhs[0].Pos()):at(n.End())]); {
			case n.Tok == token.DEFINE:
			case len(n.Lhs) == len(n.Rhs):
				without(n, len(n.Lhs), values+", ")
			default:
				add(n.Pos(), n.Rhs[0].Pos(), strings.Repeat("_, ", len(n.Lhs)-1)+"_ = ", "without "+of(n))
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b mutant) int { return a.start - b.start })
	seen := map[[3]string]int{}
	for i := range list {
		m := &list[i]
		id := [3]string{m.function, m.text, m.about}
		if seen[id]++; seen[id] > 1 { // an earlier mutant has the same function, line and change
			m.about += fmt.Sprintf(" (%d)", seen[id])
		}
	}
	return list, nil
}
