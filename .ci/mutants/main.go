// Mutants changes one thing at a time in some files and asks tests whether they notice:
//
//	go run ./.ci/mutants [flags] FILE...
//
// It prints a row of comma-separated values for each mutant: where, what it changes, and
// whether it is killed, alive or does not compile; then one with the sums. Files stay as
// they are: the compiler sees the mutant in an overlay. A mutant that lives either gets a
// test, or changes no answer. results.csv keeps the last sums of each file and says why what
// lives does. Those of package solve took, with ten minutes of a processor a file:
//
//	go run ./.ci/mutants -lines horizon -first 'TestHelped|TestAgainstBruteForce|TestDrawOrOpen' solve/alphabeta.go
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is a change of a file: bytes from start to end become text.
type mutant struct {
	line       int
	start, end int
	text       string
	about      string
}

// swapped is by what an operator is replaced.
var swapped = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// mutants lists the changes of a file, in the order of its lines: operators replaced,
// conditions negated, min for max, numbers one larger, truths exchanged, assignments and
// calls left out.
func mutants(name string, src []byte) (list []mutant, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, 0)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	of := func(n ast.Node) string { return string(src[at(n.Pos()):at(n.End())]) }
	add := func(from, to token.Pos, text, about string) {
		list = append(list, mutant{fset.Position(from).Line, at(from), at(to), text, about})
	}
	negate := func(cond ast.Expr) {
		if cond != nil {
			add(cond.Pos(), cond.End(), "!("+of(cond)+")", "not "+of(cond))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
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
			other := map[string]string{"max": "min", "min": "max"}
			if f, ok := n.Fun.(*ast.Ident); ok && other[f.Name] != "" {
				add(f.Pos(), f.End(), other[f.Name], of(n)+": "+other[f.Name])
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add(n.Pos(), n.End(), strconv.Itoa(v+1), fmt.Sprintf("%d for %d", v+1, v))
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				add(n.Pos(), n.End(), other, other+" for "+n.Name)
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
			add(n.Pos(), n.End(), "", "without "+of(n))
		case *ast.ExprStmt:
			if _, call := n.X.(*ast.CallExpr); call {
				add(n.Pos(), n.End(), "", "without "+of(n))
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				blanks := strings.Repeat("_, ", len(n.Lhs)-1) + "_ = "
				add(n.Lhs[0].Pos(), n.Rhs[0].Pos(), blanks, "without "+of(n))
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b mutant) int { return a.start - b.start })
	return list, nil
}

func main() {
	lines := flag.String("lines", "", "change only lines that match this regular expression")
	tests := flag.String("tests", "", "packages whose tests should notice, with blanks between (default: the file's own)")
	first := flag.String("first", "", "regular expression of quick tests to run first, with -short")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: mutants [flags] FILE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *lines, *tests, *first); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(files []string, lines, tests, first string) error {
	only, err := regexp.Compile(lines)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := csv.NewWriter(os.Stdout)
	defer out.Flush()
	_ = out.Write([]string{"file", "line", "mutant", "result"})
	sums := map[string]int{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		list, err := mutants(name, src)
		if err != nil {
			return err
		}
		packages := strings.Fields(tests)
		if len(packages) == 0 {
			packages = []string{"./" + filepath.Dir(name)}
		}
		text := strings.Split(string(src), "\n")
		for _, m := range list {
			if !only.MatchString(text[m.line-1]) {
				continue
			}
			changed := slices.Concat(src[:m.start], []byte(m.text), src[m.end:])
			result, err := judge(dir, name, changed, packages, first)
			if err != nil {
				return err
			}
			sums[result]++
			_ = out.Write([]string{name, strconv.Itoa(m.line), strings.Join(strings.Fields(m.about), " "), result})
			out.Flush()
		}
	}
	return out.Write([]string{"all", "", fmt.Sprintf("%d mutants", sums["killed"]+sums["alive"]),
		fmt.Sprintf("%d killed, %d alive, %d do not compile", sums["killed"], sums["alive"], sums["does not compile"])})
}

// judge runs the tests of packages on a changed file.
func judge(dir, name string, changed []byte, packages []string, first string) (result string, err error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	file, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, changed, 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: file}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", err
	}
	rounds := [][]string{{"-timeout", "5m"}}
	if first != "" {
		rounds = slices.Insert(rounds, 0, []string{"-short", "-timeout", "1m", "-run", first})
	}
	for _, flags := range rounds {
		args := append([]string{"test", "-vet=off", "-failfast", "-overlay", overlay}, flags...)
		said, err := exec.Command("go", append(args, packages...)...).CombinedOutput()
		switch {
		case bytes.Contains(said, []byte("[build failed]")) || bytes.Contains(said, []byte("[setup failed]")):
			return "does not compile", nil
		case err != nil:
			return "killed", nil
		}
	}
	return "alive", nil
}
