package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestGoReleaser compares .goreleaser.yaml with .ci/release: platforms, compiler flags, files in an
// archive.
func TestGoReleaser(t *testing.T) {
	var config struct {
		Version int
		Builds  []struct {
			Main, Binary                      string
			Env, Flags, Ldflags, Goos, Goarch []string
			Ignore                            []struct{ Goos, Goarch string }
		}
		Archives []struct {
			Files []struct{ Src, Dst string }
		}
		Checksum struct {
			Name string `yaml:"name_template"`
		}
	}
	text, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if config.Version != 2 || len(config.Builds) != 2 || len(config.Archives) != 1 {
		t.Fatalf("version %d with %d builds and %d archives, want version 2, two and one", config.Version, len(config.Builds), len(config.Archives))
	}
	source := filepath.Join(root, ".ci/release/main.go")
	release, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var words []string // all texts of the program
	var platforms []string
	ast.Inspect(release, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if n.Names[0].Name == "platforms" {
				for _, e := range n.Values[0].(*ast.CompositeLit).Elts {
					s, _ := strconv.Unquote(e.(*ast.BasicLit).Value)
					platforms = append(platforms, s)
				}
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				words = append(words, s)
			}
		}
		return true
	})
	slices.Sort(platforms)
	want := []string{config.Checksum.Name}
	for _, b := range config.Builds {
		var built []string
		for _, goos := range b.Goos {
			for _, goarch := range b.Goarch {
				if !slices.ContainsFunc(b.Ignore, func(i struct{ Goos, Goarch string }) bool { return i.Goos == goos && i.Goarch == goarch }) {
					built = append(built, goos+"/"+goarch)
				}
			}
		}
		slices.Sort(built)
		if !slices.Equal(built, platforms) {
			t.Errorf("GoReleaser builds %s for %v, .ci/release for %v", b.Binary, built, platforms)
		}
		if b.Main != "./cmd/"+b.Binary {
			t.Errorf("GoReleaser builds %s from %s", b.Binary, b.Main)
		}
		want = append(append(want, slices.Concat(b.Env, b.Flags)...), b.Binary, "-ldflags="+strings.Join(b.Ldflags, " "))
	}
	for _, f := range config.Archives[0].Files {
		if f.Dst == "" {
			want = append(want, f.Src)
		} else if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, path.Clean(f.Dst)+"/") }) {
			t.Errorf("GoReleaser packs %s/, .ci/release does not", f.Dst)
		}
	}
	for _, w := range want {
		if !slices.Contains(words, w) {
			t.Errorf("GoReleaser has %q, .ci/release has not", w)
		}
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"} {
		if !slices.Contains(want, name) {
			t.Errorf("GoReleaser packs no %s", name)
		}
	}
}
