//go:build !js

package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	domino "perfectplay/game/domino/oracle"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve"
	"perfectplay/play/serve/web"
)

// patience bounds the wait for an event: the machine may be busy.
const patience = 3 * time.Minute

// names are the names of browsers. Browsers without a window come first: they take half the
// processor time of the others.
var names = []string{"chromium-headless-shell", "headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"}

// world is shared by the tests of this package: a browser, and a server with the real service.
var world struct {
	once    sync.Once
	reason  string // why there is no browser
	browser context.Context
	service *explore.Service
	server  *httptest.Server
	stop    []func()
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	for _, stop := range slices.Backward(world.stop) {
		stop()
	}
	os.Exit(code)
}

// start starts server and browser. Without a browser it skips the test, unless
// PERFECTPLAY_REQUIRE demands one.
func start(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("plays games in a browser; not with -short")
	}
	world.once.Do(func() {
		var path string
		for _, name := range names {
			if found, err := exec.LookPath(name); err == nil {
				path = found
				break
			}
		}
		if path == "" {
			world.reason = "none of " + strings.Join(names, ", ") + " is in the path; in Debian the package chromium-headless-shell or chromium"
			return
		}
		var err error
		// Few nodes: open positions stay open, for an eighth of the work.
		world.service, err = explore.New(explore.Options{Wings: []wing.Wing{halma.Wing(), mnk.Wing(), domino.Wing()}, Threads: 2, Nodes: explore.DefaultNodes / 8})
		if err != nil {
			world.reason = err.Error()
			return
		}
		s, err := serve.New(serve.Options{Explorer: world.service, Page: web.Files(), Version: "test"})
		if err != nil {
			world.reason = err.Error()
			return
		}
		world.server = httptest.NewServer(s)
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path))
		if os.Geteuid() == 0 {
			options = append(options, chromedp.NoSandbox)
		}
		allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
		browser, stopBrowser := chromedp.NewContext(allocator)
		world.browser = browser
		world.stop = append(world.stop, world.server.Close, stopAllocator, stopBrowser)
		if err := chromedp.Do(browser); err != nil {
			world.reason = fmt.Sprintf("%s does not start: %v", path, err)
		}
	})
	if world.reason != "" {
		if strings.Contains(os.Getenv("PERFECTPLAY_REQUIRE"), "chromium") {
			t.Fatal(world.reason)
		}
		t.Skip(world.reason)
	}
}

// tab is a page in the browser. At the end of its test it must have had no unexpected error and
// no request to another origin.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string
	// refusals says that the test makes the server refuse requests, which the browser reports
	// as errors.
	refusals bool
	visits   int

	mu       sync.Mutex
	messages []string
	requests []string
}

// open opens a tab at a link, the part after the site's address.
func open(t *testing.T, origin, link string, width, height int64) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(world.browser)
	b := &tab{t: t, ctx: ctx, origin: origin}
	requests := chromedp.Events(ctx, network.RequestWillBeSent)
	console := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for m, err := range console {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == "warning" || m.IsException() {
				b.mu.Lock()
				b.messages = append(b.messages, fmt.Sprintf("%s: %s", m.Source, m))
				b.mu.Unlock()
			}
		}
	})
	listening.Go(func() {
		for r, err := range requests {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.requests = append(b.requests, r.Request.URL)
			b.mu.Unlock()
		}
	})
	t.Cleanup(func() {
		cancel()
		listening.Wait()
		if len(b.requests) == 0 {
			t.Error("no request was seen: nobody looked")
		}
		for _, url := range b.requests {
			if !strings.HasPrefix(url, origin+"/") && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:"+origin) {
				t.Errorf("the page asked for %s", url)
			}
		}
		for _, m := range b.messages {
			if !b.refusals || !strings.HasPrefix(m, "network:") {
				t.Errorf("the console says %s", m)
			}
		}
	})
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{})
		return err
	}), chromedp.EmulateViewport(width, height))
	b.bypass(true)
	b.visit(link)
	return b
}

// opened opens a tab of the usual size at a link of the server, in a test beside others.
func opened(t *testing.T, link string) *tab {
	t.Helper()
	start(t)
	t.Parallel()
	return open(t, world.server.URL, link, width, height)
}

// bypass keeps the page's service worker out, or lets it in. The worker loads all files at
// every visit, a quarter of the work of a tab, and only a test without a network needs it.
func (b *tab) bypass(on bool) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: on})
		return err
	}))
}

// visit loads another link of the site in the tab. A second tab would start a process beside
// the first.
func (b *tab) visit(link string) {
	b.t.Helper()
	b.visits++ // a new address, or a link to the same page would load nothing
	b.do(chromedp.Navigate(fmt.Sprintf("%s/?%d%s", b.origin, b.visits, link)))
	b.wait(`document.body.dataset.ready && document.querySelector('#sentence').textContent`)
}

// follow goes to a link as by a click on the page: without loading.
func (b *tab) follow(link string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf("(location.hash = %q, true)", link))
}

// do runs steps in the page.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v\nthe page says: %s", err, b.says())
	}
}

// says returns the page's sentence and fault, for failures.
func (b *tab) says() string {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll('.says p, #analysis p, #figures, #fault')].map(p => p.textContent).join(' | ') + ' ' + location.hash`))
	return fmt.Sprint(text, " ", errors.Join(err))
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression in the page is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && ok {
			return
		}
		select {
		case <-ctx.Done():
			b.t.Fatalf("waited for %s: %v\nthe page says: %s", expression, err, b.says())
		case <-time.After(15 * time.Millisecond):
		}
	}
}

// click clicks an element as a mouse does, once no piece is moving: a moving piece widens its
// cell, and the middle shifts. If something moves the element between aim and press, the page sees
// nothing of the click, and the mouse aims anew, as a person would.
func (b *tab) click(selector string) {
	b.t.Helper()
	for {
		b.wait("document.getAnimations().every((a) => !a.effect?.target?.closest?.('[data-cell]'))")
		eval[bool](b, fmt.Sprintf(guard, selector))
		b.do(chromedp.Click(chromedp.CSS(selector)))
		if !eval[bool](b, "Boolean(window.unguard?.())") { // a page that the click has loaded has none
			return
		}
	}
}

// guard hides the events of a click from the page if they are not on an element. unguard ends it
// and says whether there were any.
const guard = `(() => {
	let missed = false;
	const guard = new AbortController();
	for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
		addEventListener(kind, (e) => {
			if (e.composedPath().includes(document.querySelector(%q))) return;
			missed = true;
			e.stopImmediatePropagation();
			e.preventDefault();
		}, { capture: true, signal: guard.signal });
	}
	window.unguard = () => (guard.abort(), missed);
	return true;
})()`

// set gives a field another value, as a person would.
func (b *tab) set(selector, value string) {
	b.t.Helper()
	b.do(chromedp.SetValue(chromedp.CSS(selector), value))
	eval[bool](b, fmt.Sprintf("document.querySelector(%q).dispatchEvent(new Event('change'))", selector))
}

// press types keys at the focus.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// text returns the text of an element.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

// is checks the text of an element.
func (b *tab) is(selector, want string) {
	b.t.Helper()
	if got := b.text(selector); got != want {
		b.t.Errorf("%s says %q, want %q", selector, got, want)
	}
}

// never says what is wrong if an expression in the page is true.
func (b *tab) never(expression, wrong string) {
	b.t.Helper()
	if eval[bool](b, expression) {
		b.t.Error(wrong)
	}
}

// ask returns the service's answer.
func ask(t *testing.T, q explore.Query) *explore.Answer {
	t.Helper()
	q.Seconds = 60
	a, err := world.service.Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// choose clicks the piece of a move, and returns the cell where it goes, once that is a target.
func (b *tab) choose(move string) (to string) {
	b.t.Helper()
	from, to, _ := strings.Cut(move, "-")
	b.click(fmt.Sprintf("[data-cell=%s]", from))
	b.wait(fmt.Sprintf("document.querySelector('[data-cell=%s]').classList.contains('target')", to))
	return to
}

// newServer returns a server of the page for a service.
func newServer(t *testing.T, e *explore.Service) *serve.Server {
	t.Helper()
	s, err := serve.New(serve.Options{Explorer: e, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// attribute returns an attribute of an element.
func (b *tab) attribute(selector, name string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q).getAttribute(%q)", selector, name))
}

// known waits until the page shows a ply of the game with values.
func (b *tab) known(ply int) {
	b.t.Helper()
	b.wait(fmt.Sprintf("document.body.dataset.ply === '%d' && !document.body.dataset.busy && !document.querySelector('#source').textContent.startsWith('finding')", ply))
}

// best returns the move at the top of the list.
func (b *tab) best() string {
	b.t.Helper()
	return eval[string](b, "document.querySelector('#moves [data-move]').dataset.move")
}

// colours sets the reader's preference for light or dark.
func (b *tab) colours(scheme string) {
	b.t.Helper()
	b.prefers("prefers-color-scheme", scheme)
}

// prefers sets a preference of the reader.
func (b *tab) prefers(name, value string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
		return err
	}))
}
