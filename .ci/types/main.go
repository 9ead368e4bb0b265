// Command types checks the types of every package of the module, its tests and imports for other
// systems:
//
//	go run -modfile=.ci/tools.mod ./.ci/types freebsd/amd64 windows/arm64
//
// It finds names, files and constants that a system lacks, in a tenth of the time of compiling.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"
)

func main() {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "types: go env GOROOT:", err)
		os.Exit(1)
	}
	failed := false
	fset, parse := token.NewFileSet(), bodiless(filepath.Join(strings.TrimSpace(string(root)), "src"))
	for _, target := range os.Args[1:] {
		from := time.Now()
		goos, goarch, ok := strings.Cut(target, "/")
		if !ok {
			fmt.Fprintf(os.Stderr, "types: %q is no GOOS/GOARCH\n", target)
			os.Exit(2)
		}
		roots, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
				packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes | packages.NeedModule,
			Env:       append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			Tests:     true,
			Fset:      fset,
			ParseFile: parse,
		}, "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "types: %s: %v\n", target, err)
			os.Exit(1)
		}
		failed = complain(roots) > 0 || len(roots) == 0 || failed
		fmt.Printf("%s: the types of %d packages, %.0f s\n", target, len(roots), time.Since(from).Seconds())
	}
	if failed {
		os.Exit(1)
	}
}

// complain prints the errors of packages and their imports, and returns their number. It leaves out
// the standard library: without the bodies of functions, its imports are unused.
func complain(roots []*packages.Package) int {
	n := 0
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Module == nil {
			return
		}
		for _, err := range p.Errors {
			fmt.Fprintln(os.Stderr, err)
			n++
		}
	})
	return n
}

// bodiless returns a parser that leaves out the bodies of functions below a folder, and parses each
// file once.
func bodiless(folder string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	folder += string(filepath.Separator)
	var parsed sync.Map // files without errors, by name
	return func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
		if file, ok := parsed.Load(name); ok {
			return file.(*ast.File), nil
		}
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return file, err
		}
		if strings.HasPrefix(name, folder) {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok {
					f.Body = nil
				}
			}
		}
		parsed.Store(name, file)
		return file, nil
	}
}
