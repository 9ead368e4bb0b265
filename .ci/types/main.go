// Command types checks the types of every package of the module, of its tests and
// of all it imports, for systems other than this one:
//
//	go run -modfile=.ci/tools.mod ./.ci/types freebsd/amd64 windows/arm64
//
// It reads sources only, in a tenth of the time that compiling takes, and finds
// what a compiler's front end finds: names, files and constants that a system has not.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, target := range os.Args[1:] {
		from := time.Now()
		goos, goarch, ok := strings.Cut(target, "/")
		if !ok {
			fmt.Fprintf(os.Stderr, "types: %q is no GOOS/GOARCH\n", target)
			os.Exit(2)
		}
		roots, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
				packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes,
			Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "types: %s: %v\n", target, err)
			os.Exit(1)
		}
		failed = packages.PrintErrors(roots) > 0 || len(roots) == 0 || failed
		fmt.Printf("%s: the types of %d packages, %.0f s\n", target, len(roots), time.Since(from).Seconds())
	}
	if failed {
		os.Exit(1)
	}
}
