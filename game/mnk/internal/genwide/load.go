package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// unit is a package with the files that products are made of.
type unit struct {
	fset    *token.FileSet
	sources []*ast.File
	files   map[string][]byte // sources, by name
	pkg     *types.Package
	info    *types.Info

	// words says what is known of a value of type uint64, or of an array or slice of
	// them: a variable, or an expression that is none.
	words map[any]*word
	// made are the names of declarations that products have, by what they are made of.
	made map[types.Object]string
	errs []error
}

// module is where packages come from whose types may hold sets.
const module = "perfectplay"

// prefix begins the names of products.
const prefix = "z"

// product is the file that is made of a source.
func product(source string) string {
	return prefix + strings.TrimSuffix(strings.TrimSuffix(source, ".go"), "64") + "128.go"
}

// load reads a package without its products and tests.
func load(dir string, sources []string) (*unit, error) {
	u := &unit{fset: token.NewFileSet(), files: map[string][]byte{}, words: map[any]*word{}, made: map[types.Object]string{}}
	u.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, prefix) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(u.fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		if slices.Contains(sources, base) {
			u.sources = append(u.sources, f)
			u.files[name] = text
		}
	}
	if len(u.sources) != len(sources) {
		return nil, fmt.Errorf("%s: not all of %v are there", dir, sources)
	}
	if err := findLibrary(); err != nil {
		return nil, err
	}
	conf := types.Config{Importer: importer.ForCompiler(u.fset, "source", nil), Error: func(error) {}}
	// What refers to products does not check; the sources do, or the products do not compile.
	u.pkg, _ = conf.Check(module+"/"+files[0].Name.Name, u.fset, files, u.info)
	return u, nil
}

// findLibrary says where the sources of the standard library are, which a program built with
// -trimpath does not know.
func findLibrary() error {
	if build.Default.GOROOT != "" {
		return nil
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	build.Default.GOROOT = strings.TrimSpace(string(root))
	return nil
}

func (u *unit) position(n ast.Node) token.Position { return u.fset.Position(n.Pos()) }

// fail notes what a source says that has no wide form.
func (u *unit) fail(n ast.Node, what string) {
	u.errs = append(u.errs, fmt.Errorf("%s: %s", u.position(n), what))
}

// object is what an identifier stands for.
func (u *unit) object(id *ast.Ident) types.Object {
	if o := u.info.Defs[id]; o != nil {
		return o
	}
	return u.info.Uses[id]
}
