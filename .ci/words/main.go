// Command words draws comments and texts at random, for a reader who judges whether they
// are plain:
//
//	go run ./.ci/words -seed 7 -comments 100 -texts 60 [DIRECTORY]
//
// It draws from all files that people wrote, tests included. A text is a string of at least
// four words in a program or page. The same seed and tree give the same sample.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// sample holds the comments and texts to draw from, each with its file and line.
type sample struct{ comments, texts []string }

func main() {
	seed := flag.Uint64("seed", 1, "draw by this seed")
	comments := flag.Int("comments", 100, "draw this many comments")
	texts := flag.Int("texts", 60, "draw this many texts")
	flag.Parse()
	log.SetFlags(0)
	files, err := exec.Command("git", append([]string{"ls-files", "--"}, flag.Args()...)...).Output()
	if err != nil {
		log.Fatal("words: git ls-files: ", err)
	}
	var all sample
	for _, name := range strings.Fields(string(files)) {
		if strings.Contains("/"+name, "/testdata/") {
			continue
		}
		switch {
		case strings.HasSuffix(name, ".go"):
			err = all.program(name)
		case strings.HasPrefix(name, "play/serve/web/") && (strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".html")):
			err = all.page(name)
		}
		if err != nil {
			log.Fatal("words: ", err)
		}
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	for _, part := range []struct {
		what string
		n    int
		of   []string
	}{{"comment", *comments, all.comments}, {"text", *texts, all.texts}} {
		fmt.Printf("%d of %d %ss\n\n", min(part.n, len(part.of)), len(part.of), part.what)
		for i, at := range r.Perm(len(part.of))[:min(part.n, len(part.of))] {
			fmt.Printf("%s %d  %s\n\n", part.what, i+1, part.of[at])
		}
	}
}

// program adds the comments of a Go file, each with the line of code below it. It also adds the
// file's strings, unless the file is a test.
func (s *sample) program(name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	lines := strings.Split(string(source), "\n")
	for _, group := range file.Comments {
		if group.Text() == "" { // a comment of directives only
			continue
		}
		from, to := fset.Position(group.Pos()), fset.Position(group.End())
		below := lines[to.Line-1] // the code before a comment at the end of a line
		if strings.HasPrefix(strings.TrimSpace(lines[from.Line-1]), "//") {
			below = lines[min(to.Line, len(lines)-1)]
		}
		s.comments = append(s.comments, fmt.Sprintf("%s:%d\n%s    %s",
			name, from.Line, group.Text(), strings.TrimSpace(below)))
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				s.text(name, fset.Position(lit.Pos()).Line, text)
			}
		}
		return true
	})
	return nil
}

// pageText finds strings in JavaScript, and text between tags.
var pageText = regexp.MustCompile("\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|>[^<>{}=\n]+<")

// page adds the texts of a page or script.
func (s *sample) page(name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, at := range pageText.FindAllIndex(source, -1) {
		line := 1 + strings.Count(string(source[:at[0]]), "\n")
		s.text(name, line, string(source[at[0]+1:at[1]-1]))
	}
	return nil
}

// word matches a word of a sentence.
var word = regexp.MustCompile(`(^|[\s("])[A-Za-z][a-z']*([\s.,;:)"?!]|$)`)

// text adds a string of at least four words.
func (s *sample) text(name string, line int, text string) {
	if len(word.FindAllString(strings.ReplaceAll(text, " ", "  "), -1)) >= 4 {
		s.texts = append(s.texts, fmt.Sprintf("%s:%d\n%s", name, line, strings.TrimSpace(text)))
	}
}
