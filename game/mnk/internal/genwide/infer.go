package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// word is a class of values of type uint64 that are all sets or all numbers: those
// that are assigned to, compared or combined with one another.
type word struct {
	up       *word
	set, num bool
	at       ast.Node // where it became a number
}

func (w *word) root() *word {
	for w.up != nil {
		w = w.up
	}
	return w
}

// same puts two classes together.
func (u *unit) same(a, b *word) {
	if a == nil || b == nil {
		return
	}
	if a, b = a.root(), b.root(); a != b {
		b.up = a
		a.set, a.num = a.set || b.set, a.num || b.num
		if a.at == nil {
			a.at = b.at
		}
	}
}

// number says that a class is one of numbers.
func number(w *word, at ast.Node) {
	if w != nil {
		w = w.root()
		if w.num = true; w.at == nil {
			w.at = at
		}
	}
}

// isWord reports whether a type is uint64.
func isWord(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Uint64
}

// holdsWords reports whether a type is uint64, or arrays, slices or pointers of it.
func holdsWords(t types.Type) bool {
	for {
		switch c := t.(type) {
		case *types.Array:
			t = c.Elem()
		case *types.Slice:
			t = c.Elem()
		case *types.Pointer:
			t = c.Elem()
		default:
			return t != nil && isWord(t)
		}
	}
}

// of returns the class of a variable; key is the variable, or an expression of this type.
func (u *unit) of(key any, t types.Type) *word {
	if !holdsWords(t) {
		return nil
	}
	w := u.words[key]
	if w == nil {
		w = new(word)
		if v, ok := key.(*types.Var); ok && v.Pkg() != nil && v.Pkg() != u.pkg {
			w.num = true
		}
		u.words[key] = w
	}
	return w
}

func (u *unit) variable(o types.Object) *word {
	if v, ok := o.(*types.Var); ok {
		return u.of(v, v.Type())
	}
	return nil
}

// class is the class of an expression, nil if it holds no words.
func (u *unit) class(e ast.Expr) *word {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return u.class(e.X)
	case *ast.Ident:
		if w := u.variable(u.object(e)); w != nil {
			return w
		}
	case *ast.SelectorExpr:
		return u.variable(u.object(e.Sel))
	case *ast.IndexExpr:
		if _, ok := u.info.Types[e.X].Type.Underlying().(*types.Map); !ok {
			return u.class(e.X)
		}
	case *ast.SliceExpr:
		return u.class(e.X)
	case *ast.StarExpr:
		return u.class(e.X)
	case *ast.UnaryExpr:
		return u.class(e.X)
	case *ast.BinaryExpr:
		if u.info.Types[e].Value == nil {
			return u.class(e.X)
		}
	case *ast.CallExpr:
		if sig := u.signature(e); sig != nil && sig.Results().Len() == 1 {
			return u.variable(sig.Results().At(0))
		}
		if id, ok := e.Fun.(*ast.Ident); ok && len(e.Args) > 0 {
			if _, builtin := u.object(id).(*types.Builtin); builtin && id.Name != "make" {
				return u.class(e.Args[0])
			}
		}
	}
	return u.of(e, u.info.Types[e].Type)
}

// signature is that of a function that is called, nil for conversions and builtins.
func (u *unit) signature(c *ast.CallExpr) *types.Signature {
	if tv := u.info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
		return nil
	}
	switch f := c.Fun.(type) { // the declared one, whose variables are those of its body
	case *ast.Ident:
		if fn, ok := u.object(f).(*types.Func); ok {
			return fn.Signature()
		}
	case *ast.SelectorExpr:
		if fn, ok := u.object(f.Sel).(*types.Func); ok {
			return fn.Signature()
		}
	}
	sig, _ := u.info.Types[c.Fun].Type.(*types.Signature)
	return sig
}

// seed says what is a set to begin with: the words in fields and methods of types of
// the module whose names end in 64. What is asked for its lowest or highest bit is one,
// too, see call.
func (u *unit) seed() {
	mark := func(v *types.Var) {
		if w := u.variable(v); w != nil {
			*w.root() = word{set: true}
		}
	}
	for _, pkg := range append(u.pkg.Imports(), u.pkg) {
		if root, _, _ := strings.Cut(pkg.Path(), "/"); root != module {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !strings.HasSuffix(name, "64") {
				continue
			}
			if s, ok := t.Type().Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					mark(f)
				}
			}
			if named, ok := t.Type().(*types.Named); ok {
				for m := range named.Methods() {
					for v := range m.Signature().Params().Variables() {
						mark(v)
					}
					for v := range m.Signature().Results().Variables() {
						mark(v)
					}
				}
			}
		}
	}
}

// infer finds the classes of all that the sources name.
func (u *unit) infer() {
	u.seed()
	for _, f := range u.sources {
		for _, d := range f.Decls {
			var results []*types.Tuple
			if fn, ok := d.(*ast.FuncDecl); ok {
				results = append(results, u.info.Defs[fn.Name].(*types.Func).Signature().Results())
			}
			u.walk(d, results)
		}
	}
	for key, w := range u.words {
		if r := w.root(); r.set && r.num {
			switch k := key.(type) {
			case ast.Node:
				u.fail(k, "a set that is used as a number")
			case *types.Var:
				if k.Pkg() == u.pkg {
					u.fail(r.at, "a number, while "+k.Name()+" is a set")
				}
			}
		}
	}
}

// walk joins classes in a declaration or a function; results are those of the functions
// around, the innermost last.
func (u *unit) walk(n ast.Node, results []*types.Tuple) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			sig := u.info.Types[n].Type.(*types.Signature)
			u.walk(n.Body, append(results, sig.Results()))
			return false
		case *ast.AssignStmt:
			u.assign(n)
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if len(n.Names) == len(n.Values) {
					u.same(u.variable(u.object(n.Names[i])), u.class(v))
				}
			}
		case *ast.IncDecStmt:
			number(u.class(n.X), n)
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				u.same(u.variable(u.object(id)), u.class(n.X))
			}
		case *ast.ReturnStmt:
			u.returns(n, results[len(results)-1])
		case *ast.BinaryExpr:
			u.binary(n)
		case *ast.CallExpr:
			u.call(n)
		case *ast.CompositeLit:
			u.literal(n)
		}
		return true
	})
}

func (u *unit) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN, token.REM_ASSIGN:
		number(u.class(n.Lhs[0]), n)
	case token.SHL_ASSIGN, token.SHR_ASSIGN:
		return
	}
	if len(n.Lhs) == len(n.Rhs) {
		for i, l := range n.Lhs {
			u.same(u.target(l), u.class(n.Rhs[i]))
		}
		return
	}
	if call, ok := n.Rhs[0].(*ast.CallExpr); ok {
		sig := u.signature(call)
		for i, l := range n.Lhs {
			u.same(u.target(l), u.variable(sig.Results().At(i)))
		}
	}
}

// target is the class of what is assigned to.
func (u *unit) target(e ast.Expr) *word {
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	return u.class(e)
}

func (u *unit) returns(n *ast.ReturnStmt, results *types.Tuple) {
	if len(n.Results) == results.Len() {
		for i, e := range n.Results {
			u.same(u.variable(results.At(i)), u.class(e))
		}
		return
	}
	if len(n.Results) == 1 { // another call
		if sig := u.signature(n.Results[0].(*ast.CallExpr)); sig != nil {
			for i := range results.Len() {
				u.same(u.variable(results.At(i)), u.variable(sig.Results().At(i)))
			}
		}
	}
}

func (u *unit) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.SHL, token.SHR:
		return
	case token.SUB:
		if isOne(n.Y) { // x & (x − 1) drops the lowest cell
			return
		}
		fallthrough
	case token.ADD, token.MUL, token.QUO, token.REM:
		number(u.class(n.X), n)
	}
	u.same(u.class(n.X), u.class(n.Y))
}

func isOne(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Value == "1"
}

func (u *unit) call(n *ast.CallExpr) {
	if tv := u.info.Types[n.Fun]; tv.IsType() {
		if len(n.Args) == 1 && u.info.Types[n.Args[0]].Value == nil {
			number(u.of(n, tv.Type), n)
		}
		return
	}
	sig := u.signature(n)
	if sig == nil { // a builtin
		for _, a := range n.Args[1:] {
			u.same(u.class(n.Args[0]), u.class(a))
		}
		return
	}
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok && setFunction(sel) != "" {
		if w := u.class(n.Args[0]); w != nil && setFunction(sel) != "Count" { // only sets have a lowest cell
			w.root().set = true
		}
		return
	}
	for i, a := range n.Args {
		if i < sig.Params().Len() {
			u.same(u.variable(sig.Params().At(i)), u.class(a))
		}
	}
}

// setFunction is the method of sets for a function of package math/bits.
func setFunction(f *ast.SelectorExpr) string {
	if pkg, ok := f.X.(*ast.Ident); !ok || pkg.Name != "bits" {
		return ""
	}
	return map[string]string{"TrailingZeros64": "Min", "OnesCount64": "Count", "LeadingZeros64": "Max"}[f.Sel.Name]
}

func (u *unit) literal(n *ast.CompositeLit) {
	t := u.info.Types[n].Type
	s, _ := t.Underlying().(*types.Struct)
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case s != nil && keyed:
			u.same(u.variable(u.object(kv.Key.(*ast.Ident))), u.class(kv.Value))
		case s != nil:
			u.same(u.variable(s.Field(i)), u.class(e))
		case keyed:
			u.same(u.class(n), u.class(kv.Value))
		case holdsWords(t):
			u.same(u.class(n), u.class(e))
		}
	}
}
