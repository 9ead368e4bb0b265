package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// All mutants of a package are compiled at once; a variable of the environment selects the one
// in force. An expression or statement with mutants becomes a call of a function that selects.
// A mutant that allows neither is compiled alone.

// force is a file that reads the selection.
const force = `package %s

import (
	"os"
	"strconv"
)

var mutantInForce = func() int { n, _ := strconv.Atoi(os.Getenv("MUTANT")); return n }()
`

// loop is a test that runs the tests %[2]s for mutant after mutant in one process. For each it
// prints "begun", then "killed" or "alive". Too much processor time ends the process.
const loop = `package %[1]s

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"perfectplay/internal/host"
)

func TestEachMutant(t *testing.T) {
	var since atomic.Int64
	most, _ := time.ParseDuration(os.Getenv("MOST"))
	go func() {
		for ; ; time.Sleep(20 * time.Millisecond) {
			if host.ProcessTime()-time.Duration(since.Load()) > most {
				os.Exit(1)
			}
		}
	}()
	for _, name := range strings.Fields(os.Getenv("MUTANTS")) {
		mutantInForce, _ = strconv.Atoi(name)
		since.Store(int64(host.ProcessTime()))
		fmt.Printf("\n%%s begun\n", name)
		said := "alive"
		for _, test := range []func(*testing.T){%[2]s} {
			if said == "alive" && !t.Run(name, test) {
				said = "killed"
			}
		}
		fmt.Printf("\n%%s %%s\n", name, said)
	}
}
`

// choice is a place of a file with mutants to select from.
type choice struct {
	start, end int
	typ        string // of an expression; empty for a statement
	mutants    []int
}

// checked holds the types of a package, and its files by name.
type checked struct {
	fset  *token.FileSet
	info  types.Info
	pkg   *types.Package
	files map[string]*ast.File
}

// check finds the types of the package in a directory.
func check(dir string) (*checked, error) {
	type found struct {
		ImportPath, Export, Name string
		GoFiles                  []string
		DepOnly                  bool
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,Name,GoFiles,DepOnly", "./"+dir)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	c := &checked{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	c.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	var list []*ast.File
	path := ""
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var f found
		if err := d.Decode(&f); err != nil {
			return nil, err
		}
		if exports[f.ImportPath] = f.Export; f.DepOnly {
			continue
		}
		path = f.ImportPath
		for _, name := range f.GoFiles {
			name = filepath.Join(dir, name)
			file, err := parser.ParseFile(c.fset, name, nil, 0)
			if err != nil {
				return nil, err
			}
			c.files[name] = file
			list = append(list, file)
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	conf := types.Config{Importer: importer.ForCompiler(c.fset, "gc", open)}
	c.pkg, err = conf.Check(path, c.fset, list, &c.info)
	return c, err
}

// choices finds the place of each mutant of a file; apart lists mutants without one.
func (c *checked) choices(name string, list []mutant) (places []choice, apart []int) {
	file := c.files[name]
	at := func(p token.Pos) int { return c.fset.Position(p).Offset }
	imported := map[string]string{}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if imported[path] = path[strings.LastIndex(path, "/")+1:]; spec.Name != nil {
			imported[path] = spec.Name.Name
		}
	}
	// typeOf names the type of a single value as the file may write it.
	typeOf := func(e ast.Expr) string {
		tv, ok := c.info.Types[e]
		if !ok || !tv.IsValue() || tv.IsNil() {
			return ""
		}
		if _, tuple := tv.Type.(*types.Tuple); tuple {
			return ""
		}
		known := true
		text := types.TypeString(types.Default(tv.Type), func(p *types.Package) string {
			if p == c.pkg {
				return ""
			}
			known = known && imported[p.Path()] != ""
			return imported[p.Path()]
		})
		if !known {
			return ""
		}
		return text
	}
	// All places where mutants may be, outer ones first.
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		var parent ast.Node
		if len(stack) > 0 {
			parent = stack[len(stack)-1]
		}
		if inBlock(n, parent) {
			places = append(places, choice{start: at(n.Pos()), end: at(n.End())})
		}
		if e, ok := n.(ast.Expr); ok && replaceable(e, parent) {
			if typ := typeOf(e); typ != "" {
				places = append(places, choice{start: at(n.Pos()), end: at(n.End()), typ: typ})
				return false
			}
		}
		stack = append(stack, n)
		return true
	})
	for i, m := range list {
		found := slices.IndexFunc(places, func(p choice) bool {
			return p.start <= m.start && m.end <= p.end && (p.typ == "") == m.statement && (!m.statement || p.start == m.start)
		})
		if found < 0 {
			apart = append(apart, i)
			continue
		}
		places[found].mutants = append(places[found].mutants, i)
	}
	return slices.DeleteFunc(places, func(p choice) bool { return len(p.mutants) == 0 }), apart
}

// inBlock reports whether a node is a statement that may be left out, at a place for any
// statement.
func inBlock(n, parent ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return false
		}
	case *ast.IncDecStmt, *ast.ExprStmt:
	default:
		return false
	}
	switch p := parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != n
	}
	return false
}

// replaceable reports whether a call may replace an expression, if the expression has one
// value.
func replaceable(e ast.Expr, parent ast.Node) bool {
	switch p := parent.(type) {
	case *ast.AssignStmt:
		if slices.Contains(p.Lhs, e) || len(p.Lhs) != len(p.Rhs) {
			return false
		}
	case *ast.ValueSpec:
		if p.Type == e || len(p.Names) != len(p.Values) {
			return false
		}
	case *ast.RangeStmt:
		if p.X != e {
			return false
		}
	case *ast.IndexExpr:
		if p.X == e {
			return false
		}
	case *ast.CompositeLit:
		if p.Type == e {
			return false
		}
	case *ast.KeyValueExpr:
		if p.Key == e {
			return false
		}
	case *ast.CallExpr:
		if p.Fun == e {
			return false
		}
	case *ast.UnaryExpr, *ast.SelectorExpr, *ast.SliceExpr, *ast.IncDecStmt, *ast.Field, *ast.ArrayType, *ast.MapType, *ast.ChanType,
		*ast.TypeAssertExpr, *ast.Ellipsis, *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.ParenExpr:
		return false
	}
	whole := true // contains no statements
	ast.Inspect(e, func(n ast.Node) bool {
		_, nested := n.(*ast.FuncLit)
		whole = whole && !nested
		return whole
	})
	return whole
}

// endOfCase ends the text that a mutant adds to a file.
const endOfCase = "/**/"

// fault matches the place of a compiler's error.
var fault = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):(\d+):`)

// blamed finds the mutants that the compiler rejects, by its output and the files in a
// directory.
func blamed(said []byte, dir string) (list []int, err error) {
	begin := regexp.MustCompile(`case (\d+): `)
	for _, m := range fault.FindAllSubmatch(said, -1) {
		text, err := os.ReadFile(filepath.Join(dir, filepath.Base(string(m[1])))) // the compiler shortens directories
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		line, _ := strconv.Atoi(string(m[2]))
		column, _ := strconv.Atoi(string(m[3]))
		before := bytes.Join(bytes.SplitAfterN(text, []byte("\n"), line)[:line-1], nil)
		before = text[:len(before)+column-1]
		if at := begin.FindAllSubmatchIndex(before, -1); at != nil {
			last := at[len(at)-1]
			if n, err := strconv.Atoi(string(before[last[2]:last[3]])); err == nil && !bytes.Contains(before[last[1]:], []byte(endOfCase)) {
				list = append(list, n)
			}
		}
	}
	return list, nil
}

// chosen returns a file that selects from mutants of places, numbered from first on, except some.
func chosen(src []byte, list []mutant, places []choice, first int, without map[int]bool) []byte {
	var text func(start, end int, inside []choice) string
	text = func(start, end int, inside []choice) string {
		var b strings.Builder
		for len(inside) > 0 {
			p := inside[0]
			n := 1
			for n < len(inside) && inside[n].end <= p.end {
				n++
			}
			b.Write(src[start:p.start])
			whole := text(p.start, p.end, inside[1:n])
			if p.typ != "" {
				fmt.Fprintf(&b, "func() %s { switch mutantInForce {", p.typ)
			} else {
				b.WriteString("switch mutantInForce {")
			}
			for _, i := range p.mutants {
				if without[first+i] {
					continue
				}
				m := list[i]
				other := string(src[p.start:m.start]) + m.instead + string(src[m.end:p.end])
				if p.typ != "" {
					other = "return " + other
				}
				fmt.Fprintf(&b, "case %d: %s %s\n", first+i, other, endOfCase)
			}
			if p.typ != "" {
				fmt.Fprintf(&b, "}; return %s }()", whole)
			} else {
				fmt.Fprintf(&b, "default: %s\n}", whole)
			}
			start, inside = p.end, inside[n:]
		}
		b.Write(src[start:end])
		return b.String()
	}
	return []byte(text(0, len(src), places))
}
