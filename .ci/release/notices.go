package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licence matches names of files with the terms of a module.
var licence = regexp.MustCompile(`(?i)^(un)?(licen[cs]es?|copying|copyright|notice|patents)\b`)

// notices returns the licences and notices of Go and of all modules that the programs for a
// platform link. A module without a licence is an error.
func notices(goos, goarch string) ([]byte, error) {
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"}
	for _, program := range programs {
		args = append(args, "./cmd/"+program)
	}
	list, err := command([]string{"GOOS=" + goos, "GOARCH=" + goarch}, "go", args...)
	if err != nil {
		return nil, err
	}
	env, err := command(nil, "go", "env", "GOVERSION", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, root, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	texts := map[string]map[string][]byte{} // by module and version, then by path in the module
	for line := range strings.Lines("Go\t" + version + "\t" + root + "\t" + root + "\n" + string(list)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 4 {
			continue
		}
		name := f[0] + " " + f[1]
		if texts[name] == nil {
			texts[name] = map[string][]byte{}
		}
		if err := gather(texts[name], f[2], f[3]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "perfectplay, LICENSE\n\n%s\n\nIt is built from the following, each on its own terms.\n", bytes.TrimSpace(own))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if len(texts[name]) == 0 {
			return nil, fmt.Errorf("%s has no file with its licence", name)
		}
		for _, file := range slices.Sorted(maps.Keys(texts[name])) {
			fmt.Fprintf(&b, "\n%s\n%s, %s\n\n%s\n", strings.Repeat("=", 80), name, file, bytes.TrimSpace(texts[name][file]))
		}
	}
	return b.Bytes(), nil
}

// gather reads the licences in a package's directory and in the directories above, up to the root
// of the module. It reads a directory of licences whole.
func gather(texts map[string][]byte, root, dir string) error {
	for ; ; dir = filepath.Dir(dir) {
		held, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, entry := range held {
			if !licence.MatchString(entry.Name()) || slices.Contains([]string{".go", ".s", ".h"}, filepath.Ext(entry.Name())) {
				continue
			}
			err := filepath.WalkDir(filepath.Join(dir, entry.Name()), func(file string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				name, err := filepath.Rel(root, file)
				if err == nil {
					texts[filepath.ToSlash(name)], err = os.ReadFile(file)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		if dir == root {
			return nil
		}
	}
}
