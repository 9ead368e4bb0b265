// Package web holds the page that plays and explains positions: plain HTML, CSS
// and ES modules, which a browser takes as they are. The page knows how boards
// look and how games are recorded; it knows no values, for which it asks a
// client: the HTTP API of package serve, or the same service as WebAssembly in a
// Web Worker. js/client.js says what it asks.
package web

import (
	"embed"
	"encoding/json"
	"io/fs"
	"slices"
)

//go:embed index.html style.css icon.svg manifest.webmanifest sw.js puzzles.jsonl js
var files embed.FS

// Files returns the page as it is served: index.html and what it names. The page
// loads nothing else, needs no inline script or style, and talks to the API of its
// own origin.
func Files() fs.FS { return files }

// ListName is the file that tells the service worker which files to keep.
const ListName = "files.json"

// List is the content of [ListName] for files of these names.
func List(names []string) []byte {
	names = append(slices.Clone(names), "./")
	slices.Sort(names)
	text, _ := json.Marshal(names) // of strings
	return append(text, '\n')
}
