package lint

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "perfectplay"

// root is the top of the repository, seen from this directory.
const root = "../.."

// allowed lists, for each directory and the directories below it, the other packages of this module
// that it may import. The longest matching entry counts.
//
//	leaves ← contract ← engines that know only the contract ← wings ← faces
//
// A wing is all code about one game: game/x. Wings never import each other, and only their commands
// read flags.
var allowed = map[string][]string{
	".ci/release":         {},
	".ci/types":           {},
	".ci/words":           {},
	".ci/cluster":         {},
	".ci/manifest":        {},
	".ci/mutants":         {"internal/rows"},
	"bitboard":            {"internal/impl"},
	"rank":                {"bitboard", "internal/impl"},
	"internal/impl":       {},
	"internal/genkernel":  {},
	"lab/figures":         {"internal/plot", "lab/thesis2025"},
	"internal/lint":       {},
	"internal/host":       {"internal/files"},
	"internal/table":      {"internal/host", "internal/impl"},
	"internal/rows":       {},
	"internal/blocks":     {},
	"internal/files":      {},
	"internal/stacks":     {},
	"internal/parts":      {"internal/blocks", "internal/files"},
	"lab/cluster":         {"internal/cli"},
	"internal/cli":        {"internal/stacks", "internal/files", "internal/host", "internal/parts", "internal/rows"},
	"internal/plot":       {"internal/cli", "internal/files"},
	"internal/journal":    {"internal/files", "internal/rows"},
	"internal/store":      {"game", "internal/blocks", "internal/files"},
	"internal/contract":   {"game"},
	"game":                {},
	"game/perft":          {"game"},
	"game/gametest":       {"game", "game/perft", "game/wing", "internal/contract", "internal/stacks"},
	"game/wing":           {"game", "solve/table"},
	"solve":               {"game", "internal/table"},
	"solve/book":          {"game", "solve", "internal/files"},
	"solve/frame":         {},
	"solve/retro":         {"game", "internal/blocks", "internal/contract", "internal/files", "internal/host", "internal/store"},
	"play/explore":        {"game", "game/wing", "solve"},
	"examples/teeko":      {"bitboard", "rank", "game", "game/wing", "solve", "app", "play"},
	"examples/dobutsu":    {"bitboard", "rank", "game", "game/wing", "solve", "app", "play"},
	"play/transcript":     {"game"},
	"play/serve":          {"game", "game/wing", "play/explore", "play/judge", "play/player", "internal/host"},
	"play/serve/web":      {},
	"play/serve/site":     {"internal/files"},
	"play/player":         {"game", "game/wing", "play/explore", "internal/host"},
	"play/player/search":  {"game", "game/wing", "internal/host", "internal/table"},
	"play/engine":         {"game", "game/wing", "play/explore", "play/player"},
	"play/judge":          {"game", "play/explore", "play/transcript"},
	"play/match":          {"game", "play/player", "play/engine", "play/transcript", "internal/host", "internal/journal"},
	"play/terminal":       {"game", "game/wing", "play/explore", "play/player", "play/engine", "play/transcript", "internal/files"},
	"app/export":          {"game", "game/wing", "internal/blocks", "solve/table"},
	"app/family":          {"play/explore", "game", "game/wing", "play/player", "play/transcript", "solve", "internal/stacks", "internal/cli", "internal/files", "internal/host", "internal/store"},
	"game/halma":          wing,
	"game/mnk":            wing,
	"game/domino":         wing,
	"game/halma/command":  face,
	"game/mnk/command":    face,
	"game/domino/command": face,
	"bench":               {"bitboard", "rank", "game", "game/*", "solve", "internal/impl"},
	"app":                 {"bitboard", "rank", "game", "game/*", "solve", "play", "app/*", "internal/*"},
	"lab":                 {"app/export", "app/family", "bench", "game", "game/perft", "internal/*"},
	"lab/parquet":         {"app/export"},
	"lab/halma":           {"bitboard", "rank", "game", "game/halma", "solve", "app/family", "internal/*"},
	"lab/mnk":             {"game", "game/mnk", "app/family", "internal/*"},
	"lab/domino":          {"rank", "game", "game/domino", "app/family", "internal/*"},
	"lab/thesis2025":      {"bitboard", "rank", "game", "game/halma", "internal/host", "internal/table"},
	"lab/study2025":       {"game/domino", "internal/rows"},
	"cmd/solve":           {"app", "game/*"},
	"cmd/lab":             {"app", "game/*", "lab"},
	"cmd/wasm":            {"game", "game/*", "game/wing", "play"},

	"examples/connectfour": {"game", "game/wing", "app"},
}

var (
	// wing is the list of packages for rules, solvers and players of one game.
	wing = []string{"bitboard", "rank", "game", "game/wing", "internal/blocks", "internal/files", "internal/host", "internal/impl",
		"internal/journal", "internal/parts", "internal/rows", "internal/store", "internal/table", "solve/frame", "solve/table"}
	// face is the list of packages for the commands on one game, beside their wing.
	face = []string{"bitboard", "rank", "game", "game/perft", "game/wing", "solve", "app/family", "play/explore", "play/player", "play/engine", "play/terminal", "internal/*"}
)

// allowedInTests lists further packages for test files.
var allowedInTests = map[string][]string{
	"game":             {"game/*"},
	"game/halma":       {"game/gametest", "game/perft", "solve"},
	"game/mnk":         {"game/gametest", "game/perft", "solve"},
	"game/domino":      {"game/gametest", "game/perft", "lab/study2025"},
	"solve":            {"game/*"},
	"solve/retro":      {"game/*", "rank", "solve"},
	"solve/table":      {"game/*", "internal/blocks"},
	"examples/teeko":   {"game/gametest"},
	"examples/dobutsu": {"game/gametest"},
	"app":              {"lab"},
	"play/transcript":  {"game/*"},
	"play/explore":     {"game/*"},
	"play/player":      {"game/*", "solve"},
	"play/engine":      {"game/*"},
	"app/export":       {"bitboard", "game/*", "internal/host", "lab/parquet"},
	"play/judge":       {"game/*"},
	"play/match":       {"game/*"},
	"play/terminal":    {"game/*"},
	"bench":            {"game/gametest"},
	"play/serve":       {"game/*"},
	"play/serve/web":   {"game/*", "game/wing", "play/explore"},

	"examples/connectfour": {"game/gametest", "game/perft", "solve"},
}

// confined lists independent packages and all that they may import: the packages themselves, not
// the packages below them.
var confined = map[string][]string{
	"game/halma/verify":    {"bitboard", "game", "game/halma", "solve/table"},
	"game/halma/numbering": {"bitboard", "rank", "game", "game/halma", "solve/table"},
	"solve/table":          {"game", "internal/blocks", "internal/files"},
	"solve/retro/verify":   {"game", "solve/table"},
}

// file is a Go file of the tree.
type file struct {
	path string // path from the root, with slashes
	dir  string
	test bool
	ast  *ast.File
}

// files parses every Go file of the tree.
func files(t *testing.T, mode parser.Mode) []file {
	t.Helper()
	var list []file
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if d.Name() == "testdata" || d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, mode)
		if err != nil {
			return err
		}
		list = append(list, file{rel, path.Dir(rel), strings.HasSuffix(rel, "_test.go"), f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 20 {
		t.Fatalf("found %d Go files: not the whole tree", len(list))
	}
	return list
}

// longest returns the entry for a directory or the nearest one above it.
func longest(table map[string][]string, dir string) (entry string, ok bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := table[dir]; ok {
			return dir, true
		}
	}
	return "", false
}

// may reports whether a list names a package or a directory above it. A name that ends in /* stands
// for the directories below it.
func may(list []string, pkg string) bool {
	for _, want := range list {
		if under, ok := strings.CutSuffix(want, "/*"); ok {
			if strings.HasPrefix(pkg, under+"/") {
				return true
			}
		} else if pkg == want || strings.HasPrefix(pkg, want+"/") && want != "game" {
			return true
		}
	}
	return false
}

func TestImports(t *testing.T) {
	for _, f := range files(t, parser.ImportsOnly) {
		entry, ok := longest(allowed, f.dir)
		if !ok {
			t.Errorf("%s: package %s has no place in the plan of imports: add it to internal/lint", f.path, f.dir)
			continue
		}
		for _, spec := range f.ast.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if spec.Name != nil && spec.Name.Name == "." {
				t.Errorf("%s: dot import of %s", f.path, imported)
			}
			if imported == "testing" && !f.test && f.dir != "game/gametest" {
				t.Errorf("%s imports testing, which would end up in the command", f.path)
			}
			pkg, inside := strings.CutPrefix(imported, module+"/")
			if !inside {
				continue
			}
			if only, ok := confined[f.dir]; ok && !f.test {
				if !slices.Contains(only, pkg) {
					t.Errorf("%s imports %s, but %s must stay independent of it: it may import %v", f.path, imported, f.dir, only)
				}
				continue
			}
			if pkg == f.dir || room(entry) == room(pkg) && (len(strings.Split(pkg, "/")) < 3 || path.Base(pkg) != "command") {
				continue
			}
			if may(allowed[entry], pkg) {
				continue
			}
			if tests, ok := longest(allowedInTests, f.dir); ok && f.test && may(allowedInTests[tests], pkg) {
				continue
			}
			t.Errorf("%s imports %s, which %s may not: it may import %v", f.path, imported, entry, allowed[entry])
		}
	}
}

// room is the part of the tree that a package is in: a directory of game, app, play or internal,
// else the first directory.
func room(pkg string) string {
	parts := strings.Split(pkg, "/")
	if len(parts) > 1 && (parts[0] == "game" || parts[0] == "internal" || parts[0] == "app" || parts[0] == "play") {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// TestMay checks that the tests above can fail.
func TestMay(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"rank", "bitboard", true},
		{"bitboard", "rank", false},
		{"solve", "game", true},
		{"solve", "game/halma", false},
		{"solve/retro", "game", true},
		{"internal/table", "game", false},
		{"game/halma", "solve", false},
		{"game/halma", "game/mnk", false},
		{"game/halma", "rank", true},
		{"bench", "game/halma", true},
		{"game/halma/strong", "solve", false},
		{"game/halma/strong", "internal/cli", false},
		{"game/halma/command", "solve", true},
		{"game/halma/command", "game/mnk", false},
		{"app", "solve/retro", true},
		{"app", "lab", false},
		{"app", "bench", false},
		{"bench", "lab", false},
		{"cmd/solve", "lab", false},
		{"cmd/lab", "lab", true},
		{"play/explore", "app", false},
		{"play/explore", "game/halma", false},
		{"game", "bitboard", false},
		{"game/gametest", "game/halma", false},
		{"internal/cli", "game", false},
	} {
		entry, ok := longest(allowed, c.from)
		if !ok {
			t.Errorf("%s has no entry", c.from)
		}
		if got := may(allowed[entry], c.to); got != c.want {
			t.Errorf("%s may import %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// units are the units of benchmarks.
var units = []string{"positions/s", "nodes/s", "nodes/op", "ns/op", "B/position"}

// numbered matches a name whose end benchstat would read as a number of processors.
var numbered = regexp.MustCompile(`-[0-9]+$`)

func TestNames(t *testing.T) {
	for _, f := range files(t, parser.SkipObjectResolution) {
		name := strings.TrimSuffix(f.ast.Name.Name, "_test")
		if name == "util" || name == "utils" || name == "common" || name == "helpers" || name == "misc" {
			t.Errorf("%s: package %s says nothing", f.path, name)
		}
		if base := path.Base(f.dir); name != base && name != "main" {
			t.Errorf("%s: package %s in directory %s", f.path, name, base)
		}
		if f.test {
			benchmarkNames(t, f)
			benchmarkUnits(t, f)
		}
	}
}

// benchmarkUnits checks the units that benchmarks and their helpers report.
func benchmarkUnits(t *testing.T, f file) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "ReportMetric" {
			return true
		}
		lit, ok := call.Args[1].(*ast.BasicLit)
		if !ok || !slices.Contains(units, strings.Trim(lit.Value, `"`)) {
			t.Errorf("%s: a benchmark reports something else than %v", f.path, units)
		}
		return true
	})
}

// benchmarkNames checks the fixed names that benchmarks give their cases.
func benchmarkNames(t *testing.T, f file) {
	for _, decl := range f.ast.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(fn.Name.Name, "Benchmark") {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Run" {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(lit.Value); err == nil && numbered.MatchString(s) {
				t.Errorf("%s: %s has a case %q, which ends like a processor count", f.path, fn.Name.Name, s)
			}
			return true
		})
	}
}

const (
	longestFile = 700 // most lines of a file
	longestLine = 220 // most bytes of a line
)

func TestFiles(t *testing.T) {
	for _, f := range files(t, parser.PackageClauseOnly) {
		in, err := os.Open(filepath.Join(root, filepath.FromSlash(f.path)))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		scan := bufio.NewScanner(in)
		for scan.Scan() {
			lines++
			if len(scan.Text()) > longestLine {
				t.Errorf("%s:%d: %d bytes in a line", f.path, lines, len(scan.Text()))
			}
		}
		if err := scan.Err(); err != nil {
			t.Errorf("%s: %v", f.path, err)
		}
		in.Close()
		if lines > longestFile {
			t.Errorf("%s: %d lines: split it", f.path, lines)
		}
	}
}

func TestEveryPackageIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, f := range files(t, parser.PackageClauseOnly|parser.ParseComments) {
		if !f.test {
			described[f.dir] = described[f.dir] || f.ast.Doc != nil
		}
	}
	for dir, ok := range described {
		if !ok {
			t.Errorf("package %s has no comment that says what it is", dir)
		}
	}
}

// TestComments: no comment begins with the name of another function of its file.
func TestComments(t *testing.T) {
	for _, f := range files(t, parser.ParseComments|parser.SkipObjectResolution) {
		functions := map[string]*ast.FuncDecl{}
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				functions[fn.Name.Name] = fn
			}
		}
		for name, fn := range functions {
			first, _, _ := strings.Cut(fn.Doc.Text(), " ")
			first = strings.TrimSuffix(first, ":")
			if functions[first] != nil && first != name {
				t.Errorf("%s: %s begins its comment with %s", f.path, name, first)
			}
		}
	}
}

// machinePath matches a path on somebody's own machine.
var machinePath = regexp.MustCompile(`(^|[\s"'=(\x60])/(home|root|work|Users)/`)

func TestNoMachinePaths(t *testing.T) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".s", ".md", ".txt", ".txtar", ".csv", ".json", ".sh", "":
		default:
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if machinePath.MatchString(line) {
				t.Errorf("%s:%d: a path of one machine: %s", name, i+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
