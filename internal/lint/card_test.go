package lint

import (
	"go/ast"
	"go/build"
	"go/parser"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCard checks the requirements on this program: directories at its top, and libraries.
func TestCard(t *testing.T) {
	for _, name := range []string{"bitboard", "rank", "solve", "cmd/solve", "bench", "go.mod", "go.sum"} {
		stat, err := os.Stat(filepath.Join(root, name))
		if err != nil || stat.IsDir() != !strings.HasPrefix(name, "go.") {
			t.Errorf("%s is not at the top: %v", name, err)
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	reached := reachable(t, "cmd/solve")
	for _, lib := range []string{"github.com/klauspost/cpuid/v2", "github.com/dgryski/go-farm", "github.com/pkg/profile"} {
		if !regexp.MustCompile(`(?m)^(require )?\t?` + regexp.QuoteMeta(lib) + ` v\S+$`).Match(mod) {
			t.Errorf("go.mod does not require %s directly", lib)
		}
		if len(reached[lib]) == 0 {
			t.Errorf("nothing that cmd/solve runs imports %s", lib)
		}
	}
	if !slices.Contains(reached["github.com/klauspost/cpuid/v2"], "bitboard") {
		t.Error("bitboard does not ask the processor")
	}
	if !slices.Contains(reached["perfectplay/internal/table"], "solve") {
		t.Error("solve has no transposition table")
	}
}

// reachable returns, for each package that a command imports on this system, the directories that
// import it. It skips tests and blank imports.
func reachable(t *testing.T, command string) map[string][]string {
	from := map[string][]file{}
	for _, f := range files(t, parser.SkipObjectResolution) {
		if match, err := build.Default.MatchFile(filepath.Join(root, f.dir), filepath.Base(f.path)); !f.test && err == nil && match {
			from[f.dir] = append(from[f.dir], f)
		}
	}
	reached, seen := map[string][]string{}, map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, f := range from[dir] {
			for _, spec := range f.ast.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if spec.Name != nil && spec.Name.Name == "_" {
					continue
				}
				if !slices.Contains(reached[imported], dir) {
					reached[imported] = append(reached[imported], dir)
				}
				if inside, ok := strings.CutPrefix(imported, module+"/"); ok {
					visit(inside)
				}
			}
		}
	}
	if visit(command); len(from[command]) == 0 || len(seen) < 20 {
		t.Fatalf("%s reaches %d packages: not the whole program", command, len(seen))
	}
	return reached
}

// gated matches a kernel that begins with its switch and ends with a jump to the portable function.
var gated = regexp.MustCompile(`(?s)^(\w+)\(SB\)[^\n]*\n\tCMPB ·useBMI2\(SB\), \$0\n\tJEQ  portable\n.*\nportable:\n\tJMP ·\w+Portable\(SB\)`)

// TestCardKernels: PEXTQ and PDEPQ stand only in assembly of bitboard, built on amd64 without
// purego. Each of its functions is called behind the switch of impl.Register, whose reason asks
// for BMI2 and knows the processors with slow ones, and has a portable function.
func TestCardKernels(t *testing.T) {
	dir := filepath.Join(root, "bitboard")
	assembly, err := os.ReadFile(filepath.Join(dir, "extract_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"PEXTQ", "PDEPQ", "//go:build !purego"} {
		if !strings.Contains(string(assembly), word) {
			t.Errorf("the assembly has no %s", word)
		}
	}
	kernels := 0
	for _, text := range strings.Split(string(assembly), "\nTEXT ·")[1:] {
		if !strings.Contains(text, "PEXTQ") && !strings.Contains(text, "PDEPQ") {
			continue
		}
		kernels++
		if !gated.MatchString(text) {
			t.Errorf("%.20s… does not look at useBMI2 first, and go its portable way without", text)
		}
	}
	if kernels < 4 {
		t.Errorf("%d kernels with PEXTQ or PDEPQ", kernels)
	}
	for _, purego := range []bool{false, true} {
		for _, arch := range []string{"amd64", "arm64"} {
			ctx := build.Default
			ctx.GOARCH = arch
			if purego {
				ctx.BuildTags = []string{"purego"}
			}
			pkg, err := ctx.ImportDir(dir, 0)
			if err != nil {
				t.Fatal(err)
			}
			kernels := slices.Contains(pkg.GoFiles, "extract_amd64.go") && slices.Contains(pkg.SFiles, "extract_amd64.s")
			if want := arch == "amd64" && !purego; kernels != want || !slices.Contains(pkg.GoFiles, "extract.go") {
				t.Errorf("%s, purego %v: kernels %v, want %v, beside the portable path", arch, purego, kernels, want)
			}
		}
	}
	var gates, asks []string
	for _, f := range files(t, parser.SkipObjectResolution) {
		if f.dir != "bitboard" || f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Register" {
					gates = append(gates, f.path)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "cpuid" {
					asks = append(asks, n.Sel.Name)
				}
			}
			return true
		})
	}
	if len(gates) == 0 || !slices.Contains(asks, "BMI2") {
		t.Errorf("the kernels are behind the switches of %v, which ask for %v", gates, asks)
	}
}
