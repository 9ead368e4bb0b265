package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	err := errUsage
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "pages":
			err = writePages(os.Args[2:])
		case "measure":
			err = measure(os.Args[2], os.Args[3:])
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// docs is the directory of the documents, data the directory of the tables.
const (
	docs = "../../docs"
	data = docs + "/data"
)

// pictures are drawn from tables, into docs.
var pictures = map[string]func(p *pages, w io.Writer) error{
	"several-seats.svg": func(p *pages, w io.Writer) error { return p.sets(w, setsRow) },
	"plies.svg":         (*pages).plies,
}

func writePages(roots []string) error {
	p := &pages{dir: data, tables: map[string]*table{}}
	for name, draw := range pictures {
		var b bytes.Buffer
		if err := draw(p, &b); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(docs, name), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	list, err := documents(roots)
	if err != nil {
		return err
	}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		out, err := p.render(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if out != string(text) {
			if err := os.WriteFile(name, []byte(out), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

func documents(names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
