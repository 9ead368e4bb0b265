// Package site writes the page as a static site: files that any host can send,
// and that need no server of ours. The service behind the page is a program in
// WebAssembly, which Web Workers run in the visitor's browser; see [Write].
//
// The Go toolchain builds the program from the sources of this module when the site is
// written: the command does not carry its 3 MB, since few people need them.
package site

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"perfectplay/internal/files"
	"perfectplay/play/serve/web"
)

// program is the package of the WebAssembly program.
const program = "perfectplay/cmd/wasm"

// The files in which a static site differs from the page of a server: the source of answers.
//
//go:embed js
var overlay embed.FS

// File is a file of a site.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"bytes"`
	// Sent is the number of bytes that a visit transfers for this file if the host compresses text;
	// 0 if no visit needs the file.
	Sent int64 `json:"sent_bytes"`
}

// Write makes the directory dir with the site in it, and replaces the files of an existing
// site. source is a directory in a clone of this module; empty is the current one. It returns
// the files by name. It builds the program and completes the page before it writes anything.
func Write(ctx context.Context, dir, source string) ([]File, error) {
	content, err := content(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	var list []File
	for name, body := range content {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := files.MakeDir("site", filepath.Dir(path)); err != nil {
			return nil, err
		}
		if err := files.Write(path, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
		f := File{Name: name, Size: int64(len(body)), Sent: int64(len(body))}
		switch {
		case name == programName:
			f.Sent = 0
		case name != programName+".gz":
			f.Sent = int64(len(compressed(body)))
		}
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// In reports whether a directory holds a site.
func In(dir string) bool {
	stat, err := os.Stat(filepath.Join(dir, programName+".gz"))
	return err == nil && stat.Mode().IsRegular()
}

// programName is the program's file. Browsers that can unpack gzip take the file with .gz after
// this name, whatever the host does about compression.
const programName = "perfectplay.wasm"

// policy is the server's policy, inside the page, because other hosts send no policy. The page
// compiles its program, which counts as a script.
var policy = strings.Replace(web.Policy, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", 1)

// content returns the files of a site.
func content(ctx context.Context, source string) (map[string][]byte, error) {
	all, err := web.Read(web.Files(), overlay)
	if err != nil {
		return nil, err
	}
	body, loader, err := build(ctx, source)
	if err != nil {
		return nil, err
	}
	all[programName+".gz"], all["wasm_exec.js"] = compressed(body), loader
	const charset = "<meta charset=\"utf-8\">\n"
	page := bytes.Replace(all["index.html"], []byte(charset), []byte(charset+`<meta http-equiv="Content-Security-Policy" content="`+policy+"\">\n"), 1)
	if all["index.html"] = page; !bytes.Contains(page, []byte(policy)) {
		return nil, errors.New("index.html has no place for its policy")
	}
	web.Complete(all)
	all[programName] = body // for browsers that cannot unpack; not in the cache
	return all, nil
}

// build compiles the program and returns it with the JavaScript loader of the same release of
// the toolchain.
func build(ctx context.Context, source string) (body, loader []byte, err error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, nil, errors.New("the program of the page is made with the Go toolchain, and there is no go in the path: see https://go.dev/dl")
	}
	scratch, err := os.MkdirTemp("", "perfectplay-site-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(scratch)
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, tool, args...)
		cmd.Dir = source
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=-mod=readonly")
		var out, complaint bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaint
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
			return "", fmt.Errorf("go %s: %w: %s", args[0], err, first)
		}
		return strings.TrimSpace(out.String()), nil
	}
	if _, err := run("list", "-f", "{{.Dir}}", program); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("the sources are needed, and %s is no clone of perfectplay (%w)", cmp.Or(source, "this directory"), err)
	}
	file := filepath.Join(scratch, programName)
	if _, err := run("build", "-trimpath", "-ldflags=-s -w -buildid=", "-buildvcs=false", "-o", file, program); err != nil {
		return nil, nil, err
	}
	if body, err = os.ReadFile(file); err != nil {
		return nil, nil, err
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	loader, err = os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, nil, fmt.Errorf("the toolchain %s has no loader of WebAssembly: %w", runtime.Version(), err)
	}
	return body, loader, nil
}

// compressed compresses bytes by gzip. Equal bytes give equal results.
func compressed(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, 8) // within a thousandth of the best level, in a quarter of the time
	_, _ = w.Write(body)               // writing to a buffer cannot fail
	_ = w.Close()
	return b.Bytes()
}
