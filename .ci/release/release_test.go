package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// unpackTar returns the members of an archive, which have one time and no owner.
func unpackTar(t *testing.T, data []byte, at time.Time) map[string][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(at) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
			t.Errorf("%s: time %v, owner %d:%d %q; want %v and no owner", h.Name, h.ModTime, h.Uid, h.Gid, h.Uname, at)
		}
		if members[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// TestArchives packs twice and unpacks: the bytes are equal and contain the files.
func TestArchives(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	members := []file{{"a/solve", 0o755, []byte("program"), 0}, {"a/LICENSE", 0o644, nil, 0}}
	first, err := tarball(members, at)
	if err != nil {
		t.Fatal(err)
	}
	second, err := tarball(members, at)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two archives differ, error %v", err)
	}
	if got := unpackTar(t, first, at); len(got) != 2 || string(got["a/solve"]) != "program" {
		t.Errorf("packed %v", got)
	}
	first, err = zipped(members, at)
	if err != nil {
		t.Fatal(err)
	}
	second, err = zipped(members, at)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two zip archives differ, error %v", err)
	}
	z, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "a/solve" || !z.File[0].Modified.Equal(at) {
		t.Errorf("packed %v, error %v", z.File, err)
	}
}

// TestRelease makes releases of two clones for this platform, which must be equal, and checks
// checksums, members, bill of materials and the program's version. Both builds share the build
// cache.
func TestRelease(t *testing.T) {
	native := runtime.GOOS + "/" + runtime.GOARCH
	if native != "linux/amd64" {
		t.Skip("releases are made on linux/amd64")
	}
	clone, other := filepath.Join(t.TempDir(), "clone"), filepath.Join(t.TempDir(), "elsewhere")
	git := func(args ...string) string {
		out, err := command(nil, "git", args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	git("clone", "--quiet", "../..", clone)
	git("clone", "--quiet", "../..", other)
	t.Chdir(other)
	again := filepath.Join(t.TempDir(), "dist")
	if err := run(again, native); err != nil {
		t.Fatal(err)
	}
	t.Chdir(clone)
	commit := git("rev-parse", "HEAD")
	at, err := time.Parse(time.RFC3339, git("log", "-1", "--format=%cI"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	if err := run(out, native); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(out, sums))
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(filepath.Join(again, sums)); err != nil || !bytes.Equal(list, second) {
		t.Errorf("two clones make different releases, error %v:\n%s\n%s", err, list, second)
	}
	var names []string
	for line := range strings.Lines(string(list)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			t.Errorf("the checksum of %s is wrong", name)
		}
		names = append(names, name)
	}
	if entries, _ := os.ReadDir(out); len(names) != 3 || len(entries) != 4 {
		t.Fatalf("files %v, want an archive, a bill of materials, an image, and the checksums", names)
	}
	var members map[string][]byte
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, ".image.tar.gz"):
			held := unpackTar(t, data, at)
			if len(held) != 3 || held["manifest.json"] == nil || held["layer.tar"] == nil {
				t.Errorf("%s: unexpected members", name)
			}
		case strings.HasSuffix(name, ".tar.gz"):
			members = unpackTar(t, data, at)
		case strings.HasSuffix(name, ".cdx.json"):
			var bill struct {
				Components []struct{ Name, Version string }
			}
			if err := json.Unmarshal(data, &bill); err != nil || len(bill.Components) < 10 {
				t.Errorf("%s: %d modules, error %v", name, len(bill.Components), err)
			}
		}
	}
	top := ""
	var held []string
	for name := range members {
		dir, rest, _ := strings.Cut(name, "/")
		top = dir
		held = append(held, rest)
	}
	for _, want := range []string{"solve", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "man/man1/solve.1", "man/man1/solve-strong.1",
		"lab", "NOTICES", "man/man1/lab.1", "completions/_lab", "completions/solve.bash", "completions/_solve", "completions/solve.fish", "completions/solve.ps1"} {
		if !slices.Contains(held, want) || len(members[path.Join(top, want)]) == 0 {
			t.Errorf("the archive has no %s, or it is empty", want)
		}
	}
	if page := string(members[path.Join(top, "man/man1/solve.1")]); !strings.HasPrefix(page, `.TH "SOLVE" "1" "`+at.UTC().Format(time.DateOnly)+`"`) {
		t.Errorf("the page begins %.60q", page)
	}
	if bytes.Contains(members[path.Join(top, "solve")], []byte("text/template.(*state)")) {
		t.Error("solve calls methods by names that the linker does not know: it has every method of every type, 2 MB more in memory")
	}
	noticed(t, string(members[path.Join(top, "NOTICES")]), members[path.Join(top, "solve")], members[path.Join(top, "lab")])
	program := filepath.Join(t.TempDir(), "solve")
	if err := os.WriteFile(program, members[path.Join(top, "solve")], 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(program, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var version struct{ Version, Revision, Date string }
	if err := json.Unmarshal(text, &version); err != nil {
		t.Fatal(err)
	}
	if want := "perfectplay-" + strings.TrimPrefix(version.Version, "v") + "-linux-amd64"; top != want {
		t.Errorf("the archive is %s, its program of version %s", top, version.Version)
	}
	date, err := time.Parse(time.RFC3339, version.Date)
	if version.Revision == "" || !strings.HasPrefix(commit, version.Revision) || err != nil || !date.Equal(at) {
		t.Errorf("the program says commit %q of %q, it is %s of %v", version.Revision, version.Date, commit, at)
	}
	// Every command of the program has a page.
	help, err := exec.Command(program, "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for line := range strings.Lines(string(help)) {
		word, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), "  ")
		if !ok || !strings.HasPrefix(line, "  ") || strings.HasPrefix(strings.TrimSpace(word), "-") || strings.Contains(word, " ") || word == "" || word == "help" {
			continue
		}
		commands++
		if !slices.Contains(held, "man/man1/solve-"+word+".1") {
			t.Errorf("no page for solve %s", word)
		}
	}
	if commands < 12 {
		t.Errorf("help lists %d commands", commands)
	}
}

// noticed checks that the notices contain the licence of every module in a program.
func noticed(t *testing.T, text string, binaries ...[]byte) {
	t.Helper()
	seen := 0
	for _, b := range binaries {
		info, err := buildinfo.Read(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range info.Deps {
			dir, err := command(nil, "go", "list", "-m", "-f", "{{.Dir}}", d.Path)
			if err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "[Ll][Ii][Cc][Ee][Nn]*"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s has no licence: %v", d.Path, err)
			}
			for _, name := range files {
				if filepath.Base(name) == "licenses" {
					continue
				}
				terms, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(text, "\n"+d.Path+" "+d.Version+", "+filepath.Base(name)+"\n\n"+strings.TrimSpace(string(terms))+"\n") {
					t.Errorf("the notices lack %s of %s %s", filepath.Base(name), d.Path, d.Version)
				}
				seen++
			}
		}
	}
	if seen < 30 || !strings.Contains(text, "\nGo go1.") || !strings.Contains(text, "licenses/ftl.txt\n\n") || !strings.Contains(text, "zstd/internal/xxhash/LICENSE.txt\n\n") {
		t.Errorf("%d terms of modules; the notices begin %.300q", seen, text)
	}
}
