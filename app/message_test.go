package app

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"perfectplay/internal/cli"
	"perfectplay/internal/files"
)

// TestMessagesNameNoPackage: errors for people name the fault, not the package that found it.
// Package game is left out: its name is a word of messages.
func TestMessagesNameNoPackage(t *testing.T) {
	found := 0
	seen := map[string]bool{"main": true, "command": true, "game": true, "lint": true}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git" || strings.HasSuffix(entry.Name(), "test")) {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		p := file.Name.Name
		if seen[p] {
			return nil
		}
		seen[p] = true
		found++
		for _, err := range []error{fmt.Errorf("%s: halma: it is wrong", p), fmt.Errorf("--flag x: %s: it is wrong", p)} {
			if text := cli.Message(err); strings.TrimPrefix(text, "--flag x: ") != "it is wrong" {
				t.Errorf("%v: people read %q", err, text)
			}
		}
		return nil
	})
	if err != nil || found < 20 {
		t.Errorf("%d packages: %v", found, err)
	}
	_, missing := files.Open("none", 1)
	for _, err := range []error{missing, fmt.Errorf("table: none: %w", missing)} {
		if text := cli.Message(err); text != "none: no such file or directory" {
			t.Errorf("%v: people read %q", err, text)
		}
	}
	if text := cli.Message(errors.New("file table: line 3: game: want its id")); text != "file table: line 3: game: want its id" {
		t.Error(text)
	}
}
