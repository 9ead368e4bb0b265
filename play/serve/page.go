package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"perfectplay/play/serve/web"
)

type asset struct {
	kind string
	body []byte
}

// assets reads the files of a page by the paths that name them.
func assets(files fs.FS) (map[string]asset, error) {
	all := map[string]asset{}
	if files == nil {
		return all, nil
	}
	bodies, err := web.Read(files)
	if err != nil {
		return nil, err
	}
	if bodies["index.html"] == nil {
		return nil, errors.New("serve: page: there is no index.html")
	}
	web.Complete(bodies)
	for name, body := range bodies {
		kind := cmp.Or(kinds[path.Ext(name)], mime.TypeByExtension(path.Ext(name)))
		if kind == "" {
			return nil, fmt.Errorf("serve: page: %s: no media type for files of this kind", name)
		}
		all["/"+name] = asset{kind, body}
	}
	all["/"] = all["/index.html"]
	return all, nil
}

// kinds are the media types of the page's files, whatever the system says.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".jsonl": "application/jsonl", ".wasm": "application/wasm",
	".webmanifest": "application/manifest+json",
}

// file sends a file of the page. The page keeps its state in the query, which the server
// ignores.
func (s *Server) file(w *response, r *http.Request) error {
	f, ok := s.page[r.URL.Path]
	if !ok {
		return wrong(http.StatusNotFound, "path", "there is no %s here", shown(strings.TrimSpace(r.URL.Path))).about(r.URL.Path)
	}
	send(w, r, http.StatusOK, f.kind, f.body, asked)
	return nil
}
