package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// TestDeferredResults: no variable hides a named result from the deferred function that sets it.
func TestDeferredResults(t *testing.T) {
	for _, f := range files(t, parser.SkipObjectResolution) {
		for _, lost := range lostResults(f.ast) {
			t.Errorf("%s: %s: a variable hides the result that a deferred function sets", f.path, lost)
		}
	}
}

// TestLostResults checks that the test above can fail.
func TestLostResults(t *testing.T) {
	const begin, set = "package p\nfunc f() (err error) {\n", "defer func() { err = g() }()\n"
	for body, want := range map[string]int{
		set: 0, "x, err := g()\n" + set: 0, "if x {\n" + set + "}\n": 0, "if x {\n err = g()\n" + set + "}\n": 0,
		"if x {\n y, err := g()\n" + set + "}\n": 1, "if x {\n var err error\n" + set + "}\n": 1, "if err := g(); true {\n" + set + "}\n": 1,
		"for {\n err := g()\n switch {\n case x:\n" + set + "}\n}\n": 1, "h(func() { err := g()\n" + set + "})\n": 0, "if x {\n err := g()\n}\n" + set: 0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", begin+body+"return nil\n}\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(lostResults(file)); got != want {
			t.Errorf("%d found, want %d, in\n%s", got, want, body)
		}
	}
}

// lostResults lists the functions in which a deferred function sets a variable instead of a result.
func lostResults(file *ast.File) (list []string) {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Type.Results == nil {
			continue
		}
		for _, field := range fn.Type.Results.List {
			for _, name := range field.Names {
				// In the outermost block := assigns the result itself.
				for _, s := range fn.Body.List {
					if hides(s, name.Name, false) {
						list = append(list, fn.Name.Name)
					}
				}
			}
		}
	}
	return list
}

// hides reports whether a deferred function in a statement sets a variable of a name that is
// declared inside the statement, or around it if hidden.
func hides(n ast.Node, name string, hidden bool) (found bool) {
	if d, ok := n.(*ast.DeferStmt); ok {
		return hidden && sets(d, name)
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false // the results of a function literal are its own
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if m == n {
				return true
			}
			found = found || hides(m, name, hidden)
			return false
		case *ast.DeferStmt:
			found = found || hides(m, name, hidden)
			return false
		case ast.Stmt:
			hidden = hidden || m != n && declares(m, name)
		}
		return true
	})
	return found
}

// declares reports whether a statement declares a variable.
func declares(s ast.Stmt, name string) bool {
	is := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name }
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && slices.ContainsFunc(s.Lhs, is)
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return id.Name == name }) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a deferred function assigns to a variable that it does not declare.
func sets(d *ast.DeferStmt, name string) (found bool) {
	fn, ok := d.Call.Fun.(*ast.FuncLit)
	if !ok {
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			found = found || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name })
		}
		return true
	})
	return found
}
