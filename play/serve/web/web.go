// Package web holds the page that plays and explains positions: plain HTML, CSS and ES modules,
// without a build step. The page knows boards and records of games; for values it asks a
// client: the HTTP API of package serve, or the same service as WebAssembly in a Web Worker.
// js/client.js lists the questions.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
)

//go:embed index.html style.css icon.svg manifest.webmanifest sw.js puzzles.jsonl js
var files embed.FS

// Files returns the files of the page: index.html and all files that it names. The page loads
// nothing else, needs no inline script or style, and talks to the API of its own origin.
func Files() fs.FS { return files }

// Policy allows the page the resources of its own origin, and nothing else: the value of
// Content-Security-Policy, as a header or in the page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

const (
	listName   = "files.json" // the files that the service worker keeps
	workerName = "sw.js"
	unstamped  = "'VERSION'" // in the service worker
)

// Read reads all files, by name; later ones replace earlier ones.
func Read(from ...fs.FS) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, files := range from {
		err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			all[name], err = fs.ReadFile(files, name)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Complete adds to the files of a page, by name, the list for its service worker, and writes a
// version into the service worker. The version depends on the names and bytes of all files, so
// any change makes browsers load all files again.
func Complete(files map[string][]byte) {
	names := slices.Sorted(maps.Keys(files))
	sum := sha256.New()
	for _, name := range names {
		part := sha256.Sum256(files[name])
		sum.Write([]byte(name))
		sum.Write(part[:])
	}
	version := hex.EncodeToString(sum.Sum(nil)[:8])
	if worker, ok := files[workerName]; ok {
		files[workerName] = bytes.Replace(worker, []byte(unstamped), []byte("'"+version+"'"), 1)
	}
	text, _ := json.Marshal(append(names, "./")) // strings always encode
	files[listName] = append(text, '\n')
}
