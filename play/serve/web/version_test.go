//go:build !js

package web_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"perfectplay/play/serve/web"
)

// stamp finds the version in a service worker.
var stamp = regexp.MustCompile(`KEPT = OWN \+ '(\w+)';`)

// TestComplete: the version in the service worker changes with the name or bytes of any file,
// and the list has all files.
func TestComplete(t *testing.T) {
	worker, err := fs.ReadFile(web.Files(), "sw.js")
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, c := range []map[string]string{
		{}, {"a": ""}, {"b": ""}, {"a": "b"}, {"ab": ""}, {"a": "", "b": ""}, {"a": "b", "b": ""}, {"a": "", "b": "b"}, {"sw.js": string(worker) + "\n"},
	} {
		files := map[string][]byte{"sw.js": worker}
		for name, body := range c {
			files[name] = []byte(body)
		}
		web.Complete(files)
		found := stamp.FindSubmatch(files["sw.js"])
		if found == nil || string(found[1]) == "VERSION" {
			t.Fatalf("%v: no version in\n%s", c, files["sw.js"])
		}
		if other, ok := versions[string(found[1])]; ok {
			t.Errorf("%v and %s have the same version", c, other)
		}
		versions[string(found[1])] = fmt.Sprint(c)
		for name := range files {
			if name != "files.json" && !bytes.Contains(files["files.json"], fmt.Appendf(nil, "%q", name)) {
				t.Errorf("%s is not in %s", name, files["files.json"])
			}
		}
	}
}

// keeps returns the names of the caches that the page's origin has.
func (b *tab) keeps() []string {
	b.t.Helper()
	names, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string]("caches.keys()", chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.Sorted(slices.Values(names))
}

// renewed publishes another version of the site in a directory: the browser replaces the old files,
// and keeps the files of other pages of the origin.
func renewed(b *tab, dir string) {
	b.t.Helper()
	worker := filepath.Join(dir, "sw.js")
	text, err := os.ReadFile(worker)
	if err != nil {
		b.t.Fatal(err)
	}
	own := "perfectplay " + b.origin + "/ "
	version := string(stamp.FindSubmatch(text)[1])
	if got := b.keeps(); !slices.Equal(got, []string{own + version}) {
		b.t.Fatalf("the browser keeps %q, the site is version %s", got, version)
	}
	below := "perfectplay " + b.origin + "/below/ 1"
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := chromedp.Evaluate[bool](fmt.Sprintf("Promise.all(['another page', %q].map((n) => caches.open(n))).then(() => true)", below), chromedp.EvalAwaitPromise)(ctx, target)
		return err
	}))
	if err := os.WriteFile(worker, bytes.Replace(text, []byte(version), []byte("next"), 1), 0o666); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Reload())
	want := []string{"another page", own + "next", below}
	slices.Sort(want)
	for end := time.Now().Add(patience); !slices.Equal(b.keeps(), want); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("after a new version the browser keeps %q, want %q", b.keeps(), want)
		}
	}
	b.wait("document.body.dataset.ready")
}
