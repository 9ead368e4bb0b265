//go:build !js

package web_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
	"perfectplay/play/explore"
	"perfectplay/play/serve/web"
)

// TestOutlook: without a proof the page shows the standing, with a bar, arrows, moves in the
// order of their estimates, and says that it is not proved; without hints it shows nothing.
func TestOutlook(t *testing.T) {
	b := opened(t, "#game=halma-star121-2p&moves=c1-e5,o1-m7")
	b.wait("document.querySelectorAll('.ahead').length === 3 && document.querySelectorAll('#bar > span').length === 2")
	b.known(2)
	if got := b.text("#sentence"); !strings.Contains(got, "ahead") && got != "About even" {
		t.Errorf("the page says %q", got)
	}
	if got := b.text("#unproved"); !strings.HasPrefix(got, "nothing is forced within ") {
		t.Errorf("the badge says %q", got)
	}
	turns := eval[[]string](b, "[...document.querySelectorAll('#moves .guess')].map((e) => e.textContent)")
	if len(turns) < 10 || !slices.IsSortedFunc(turns, func(x, y string) int { return int(100 * (number(t, y) - number(t, x))) }) {
		t.Errorf("the moves are in the order %v", turns)
	}
	b.click("#hints")
	b.wait("document.querySelector('#bar').hidden && !document.querySelector('.ahead') && document.querySelector('#sentence').textContent === 'Seat 1 to move'")

	b.visit("#game=mnk-15x15k5&moves=h8,a1,h9,a3,h10")
	b.wait("/x threatens to win: o must answer/.test(document.querySelector('#sentence').textContent)")
	if got := eval[int](b, "document.querySelectorAll('.threat').length"); got < 3 {
		t.Errorf("%d cells of the threat are marked", got)
	}
	b.wait("document.querySelectorAll('.ahead-spot').length > 0")
	if got := b.best(); !slices.Contains([]string{"h7", "h11", "h6", "h12"}, got) {
		t.Errorf("%s comes first, which answers no threat", got)
	}

	b.visit("#game=halma-star73-6p")
	b.wait("document.querySelectorAll('#bar > span').length === 6 && document.querySelectorAll('#moves .guess').length > 1")
	shares := eval[[]int](b, "[...document.querySelectorAll('#moves .guess')].map((e) => parseInt(e.textContent))")
	slices.Reverse(shares)
	if !slices.IsSorted(shares) {
		t.Errorf("the moves of six seats have, from the last to the first, the shares %v", shares)
	}
}

// number reads an estimate.
func number(t *testing.T, text string) (n float64) {
	t.Helper()
	if _, err := fmt.Sscan(strings.NewReplacer("−", "-", "+", "").Replace(text), &n); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

// TestReport plays a game in which both sides err, has it judged, and goes back to an error to
// play on from there.
func TestReport(t *testing.T) {
	start(t)
	t.Parallel()
	q := explore.Query{Game: "halma-star37-2p", Rules: "house", Position: "start"}
	given := 0
	for ply := range 6 { // the worst of all moves, each time
		a := ask(t, q)
		worst := a.Moves[len(a.Moves)-1]
		if worst.Value != a.Value {
			given++
		}
		if q.Moves = append(q.Moves, worst.Move); a.Over {
			t.Fatalf("over after %d plies", ply)
		}
	}
	if given < 2 {
		t.Fatalf("%v gives something away %d times", q.Moves, given)
	}
	b := open(t, world.server.URL, "#game=halma-star37-2p&rules=house&moves="+strings.Join(q.Moves, ","), width, height)
	b.wait("document.body.dataset.charted")
	b.click("#report-ask")
	b.wait("document.querySelectorAll('#report-players li').length === 2")
	if got := eval[int](b, "document.querySelectorAll('#report-moves li').length"); got != given {
		t.Errorf("the report names %d errors, want %d", got, given)
	}
	b.is("#report-says", fmt.Sprintf("%d moves gave something away.", given))
	for _, seat := range []string{"1", "2"} {
		if got := eval[int](b, fmt.Sprintf("+document.querySelector('#report-players [data-player=\"%s\"]').dataset.judged", seat)); got != 3 {
			t.Errorf("of seat %s %d moves are judged, want 3", seat, got)
		}
	}
	if got := eval[[]string](b, "[...document.querySelectorAll('#chart .scale')].map((e) => e.textContent)"); !slices.Contains(got, "=") || !slices.Contains(got, "0") {
		t.Errorf("the chart has the scale %v", got)
	}
	ply := eval[int](b, "+document.querySelector('#report-moves li').dataset.ply")
	b.click("#report-moves li button")
	b.wait(fmt.Sprintf("document.body.dataset.ply === '%d' && /players=[12]:perfect/.test(location.hash)", ply-1))
}

// puzzle is a line of puzzles.jsonl.
type puzzle struct {
	Game, Rules, Position, Seat, Move string
	Distance                          int
	Legal                             int `json:"legal_moves"`
}

// puzzles reads the file of puzzles.
func puzzles(t *testing.T) (list []puzzle) {
	t.Helper()
	text, err := fs.ReadFile(web.Files(), "puzzles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var p puzzle
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) < 20 {
		t.Fatalf("%d puzzles", len(list))
	}
	return list
}

// TestPuzzleFile: in every puzzle only the named move wins, in the named number of plies.
func TestPuzzleFile(t *testing.T) {
	start(t)
	t.Parallel()
	for _, p := range puzzles(t) {
		a := ask(t, explore.Query{Game: p.Game, Rules: p.Rules, Position: p.Position})
		wins := 0
		for _, m := range a.Moves {
			if !m.Final {
				t.Errorf("%s: %s is open", p.Position, m.Move)
			}
			if m.Value == explore.Win {
				wins++
			}
		}
		if wins != 1 || a.Moves[0].Move != p.Move || a.Seat != p.Seat || len(a.Moves) != p.Legal || a.Distance != nil && *a.Distance != p.Distance {
			t.Errorf("%+v: %d moves win, %s first", p, wins, a.Moves[0].Move)
		}
	}
}

// TestPuzzles plays a puzzle from the first screen: a wrong move is rejected and taken back,
// the right one is praised.
func TestPuzzles(t *testing.T) {
	b := opened(t, "")
	b.click("#card-puzzle")
	b.wait("/^Puzzle 1 of /.test(document.querySelector('#welcome h2').textContent)")
	all := puzzles(t)
	for want := len(all); ; want-- {
		if want == 0 {
			t.Fatal("no puzzle of the star comes")
		}
		b.known(0)
		if strings.HasPrefix(eval[string](b, "document.title"), "halma-star37-2p") {
			break
		}
		title := b.text("#welcome h2")
		b.click("#puzzle-next")
		b.wait(fmt.Sprintf("document.querySelector('#welcome h2').textContent !== %q", title))
	}
	position := b.text("#position")
	i := slices.IndexFunc(all, func(p puzzle) bool { return p.Position == position })
	if i < 0 {
		t.Fatalf("%s is no puzzle", position)
	}
	b.is("#sentence", "Only one move wins. Which?")
	b.never("document.querySelectorAll('#table .worth').length > 0", "the puzzle is told")
	wrong := eval[string](b, fmt.Sprintf("[...document.querySelectorAll('#moves [data-move]')].find((m) => m.dataset.move !== %q).dataset.move", all[i].Move))
	b.click("#moves [data-move='" + wrong + "']")
	b.wait("!document.querySelector('#slip').hidden && /gave away the win/.test(document.querySelector('#slip-says').textContent)")
	b.known(2)
	b.click("#slip-again")
	b.known(0)
	b.click("#moves [data-move='" + all[i].Move + "']")
	b.wait(fmt.Sprintf("document.querySelector('#sentence').textContent === 'Right: %s is the only move that wins'", all[i].Move))
}

// TestGallery follows all links of the first screen: each shows its game and keeps its promise.
func TestGallery(t *testing.T) {
	b := opened(t, "")
	links := eval[[][]string](b, "[...document.querySelectorAll('#welcome .gallery a')].map((a) => [a.getAttribute('href'), a.textContent])")
	if want := len(halma.Wing().Gallery) + len(mnk.Wing().Gallery); len(links) != want || want == 0 {
		t.Fatalf("%d links, want %d", len(links), want)
	}
	promise := regexp.MustCompile(`a draw|in \d+ plies`)
	for _, link := range links {
		b.click("#home")
		b.wait("document.querySelector('#welcome .gallery a') && !document.querySelector('#hints').checked && document.body.dataset.charted")
		eval[bool](b, "delete document.body.dataset.charted")
		b.click(fmt.Sprintf("#welcome .gallery a[href='%s']", link[0]))
		want := strings.TrimPrefix(promise.FindString(link[1]), "a ")
		shown := fmt.Sprintf("document.querySelector('#sentence').textContent.includes(%q)", want)
		b.wait(fmt.Sprintf("location.hash === %q && (%s || document.body.dataset.charted)", link[0], shown))
		if !eval[bool](b, shown) { // not proved yet on a busy machine
			b.click("#analyse")
			b.wait(shown)
		}
		if !eval[bool](b, "document.querySelector('#fault').hidden") {
			t.Errorf("%s: %s", link[0], b.text("#fault"))
		}
	}
}

// TestOwnGame: a page with only a stranger's game, known by the contract alone, opens on it. Boards
// are chosen by id, positions typed, and the page shows the pieces that board and picture name.
func TestOwnGame(t *testing.T) {
	start(t)
	t.Parallel()
	w := mnk.Wing()
	w.Title, w.Settings, w.Values, w.Template, w.Compose = "Own game", nil, nil, "", nil
	w.Board = redrawn(w.Board)
	w.Picture = named(w.Picture)
	w.First, w.IDs = "mnk-4x4k3", func() []string { return []string{"mnk-3x3k3", "mnk-4x4k3"} }
	b := open(t, served(t, w), "", width, height)
	b.refusals = true
	b.wait("document.title.startsWith('mnk-4x4k3 ·')")
	if got := eval[int](b, "document.querySelectorAll('#choose select').length"); got != 1 {
		t.Errorf("the chooser has %d selects, want one for the id", got)
	}
	b.set("#choose [name=id]", "mnk-3x3k3")
	b.wait("document.title.startsWith('mnk-3x3k3 ·')")
	b.known(0)
	b.click("[data-cell=b2]")
	b.known(2) // the computer has answered
	for selector, want := range map[string]int{"[data-cell=b2] .disc": 1, ".stroke": 1, ".well": 9, ".square": 0} {
		if got := eval[int](b, fmt.Sprintf("document.querySelectorAll('#table %s').length", selector)); got != want {
			t.Errorf("%d times %s is drawn, want %d", got, selector, want)
		}
	}
	const colour = "getComputedStyle(document.querySelector('#table .%s')).%s"
	if x, o := eval[string](b, fmt.Sprintf(colour, "disc", "fill")), eval[string](b, fmt.Sprintf(colour, "stroke", "stroke")); x == o || x == "rgb(0, 0, 0)" || o == "none" {
		t.Errorf("the seats have the colours %s and %s", x, o)
	}
	b.is("[data-cell=b2] .number", "K2")
	b.click("#setup")
	b.never("Boolean(document.querySelector('#setup-clear'))", "positions can be set up by clicking, but nobody composes their text")
	b.typeSetup("xo1.3")
	b.wait("/want 3 rows/.test(document.querySelector('#setup-fault').textContent) || document.querySelector('#setup-fault.fault')")
	b.typeSetup("xo1.3.3")
	b.wait("!document.querySelector('#setup-use').disabled")
	b.click("#setup-use")
	b.wait("document.querySelector('#position').textContent === 'xo1.3.3'")
}

// named calls every piece K2.
func named[G, S any](picture func(G, S) wing.Picture) func(G, S) wing.Picture {
	return func(g G, s S) wing.Picture {
		p := picture(g, s)
		p.Kinds = slices.Repeat([]string{"K2"}, len(p.Pieces))
		return p
	}
}

// redrawn draws the small board with holes and discs.
func redrawn[G any](squares func(G) wing.Board) func(G) wing.Board {
	return func(g G) wing.Board {
		b := squares(g)
		if len(b.Cells) == 9 {
			b.Squares, b.Seats = false, []wing.Seat{{}, {Sign: wing.Cross}}
		}
		return b
	}
}

// TestBareGame: moves of a game without a board are chosen from the list.
func TestBareGame(t *testing.T) {
	start(t)
	t.Parallel()
	w := mnk.Wing()
	b := open(t, served(t, wing.Wing{Name: "mnk", Title: "Noughts and crosses", About: "three in a row win", Open: w.Open,
		IDs: func() []string { return []string{"mnk-3x3k3"} }}), "#game=mnk-3x3k3", width, height)
	if got := b.text("#choose strong") + ": " + b.text("#about"); got != "Noughts and crosses: three in a row win." {
		t.Errorf("the page says of its game %q", got)
	}
	for ply := range 2 {
		b.known(ply)
		b.click("#moves button")
	}
	b.known(2)
	if got := b.text("#position"); got == "3.3.3" {
		t.Errorf("after two moves the position is %s", got)
	}
}

// served is the address of a page with the games of some wings.
func served(t *testing.T, wings ...wing.Wing) string {
	t.Helper()
	service, err := explore.New(explore.Options{Wings: wings, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	server := httptest.NewServer(newServer(t, service))
	t.Cleanup(server.Close)
	return server.URL
}

// typeSetup types text into the field of a position being set up.
func (b *tab) typeSetup(text string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf("((f) => { f.value = %q; f.dispatchEvent(new Event('input')); return true; })(document.querySelector('#setup-text'))", text))
}

// TestSetupByText types a position, drags a piece, and turns the board.
func TestSetupByText(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p&rules=house")
	b.refusals = true
	b.known(0)
	b.click("#setup")
	b.typeSetup("_.11.___1___.______._____.__2___._______.22._-2")
	b.wait("document.querySelector('#setup-mover').value === '1' && !document.querySelector('#setup-use').disabled && document.querySelector('[data-cell=h1]').classList.contains('seat-1')")
	b.drag("d3", "e3")
	b.wait("document.querySelector('#setup-text').value === '_.11.___1___.______.__2__.______._______.22._-2'")
	before := b.middle("a1")
	b.click("#setup-flip")
	b.wait("document.querySelectorAll('[data-cell]').length === 37")
	if after := b.middle("i1"); after != before {
		t.Errorf("on the turned board i1 is at %v, where a1 was at %v", after, before)
	}
	b.click("#setup-use")
	b.wait("document.querySelector('#setup-panel').hidden")
	b.known(0)
	// Moves can be dragged, too.
	move := b.best()
	from, to, _ := strings.Cut(move, "-")
	b.drag(from, to)
	b.known(1)
	if got := eval[string](b, "location.hash"); !strings.Contains(got, "moves="+move) {
		t.Errorf("dragged %s: %s", move, got)
	}
}

// middle is the middle of a cell in the window.
func (b *tab) middle(cell string) [2]float64 {
	b.t.Helper()
	p := eval[[]float64](b, fmt.Sprintf("(({x, y, width, height}) => [Math.round(x + width / 2), Math.round(y + height / 2)])(document.querySelector('[data-cell=%s] :is(.well, .square)').getBoundingClientRect())", cell))
	return [2]float64{p[0], p[1]}
}

// drag drags from a cell to another as a mouse does.
func (b *tab) drag(from, to string) {
	b.t.Helper()
	b.wait("document.getAnimations().every((a) => !a.effect?.target?.closest?.('[data-cell]'))")
	eval[bool](b, fmt.Sprintf("(document.querySelector('[data-cell=%s]').scrollIntoView({block: 'center'}), true)", from))
	p, q := b.middle(from), b.middle(to)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, p[0], p[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, (p[0]+q[0])/2, (p[1]+q[1])/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, q[0], q[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, q[0], q[1], chromedp.ButtonLeft))
}

// TestDeath: after the server's death the page says so and offers to try again, which works
// with a new server.
func TestDeath(t *testing.T) {
	start(t)
	t.Parallel()
	s := newServer(t, world.service)
	server := httptest.NewServer(s)
	b := open(t, server.URL, "#game=halma-star37-2p&rules=house&players=2:perfect", width, height)
	b.refusals = true
	b.known(0)
	address := server.Listener.Addr().String()
	server.CloseClientConnections()
	server.Close()
	b.click("#moves button")
	b.wait("!document.querySelector('#retry').hidden && /does not answer/.test(document.querySelector('#fault').textContent)")
	if got := b.text("#source"); strings.Contains(got, "thinks") {
		t.Errorf("the page says %q", got)
	}
	again := httptest.NewUnstartedServer(s)
	again.Listener.Close()
	l, err := listen(address)
	if err != nil {
		t.Skip("another program has taken the address: ", err)
	}
	again.Listener = l
	again.Start()
	t.Cleanup(again.Close)
	b.click("#retry")
	b.wait("document.querySelector('#retry').hidden && +document.body.dataset.ply >= 1")
}

// TestTargets: on a phone every cell is at least 24 pixels wide, the board comes before all
// panels, and the choice of a game takes one row.
func TestTargets(t *testing.T) {
	start(t)
	t.Parallel()
	b := open(t, world.server.URL, "", 390, 844)
	for _, link := range []string{"#game=halma-star37-2p", "#game=halma-star121-6p", "#game=mnk-15x15k5", "#game=mnk-19x19k5"} {
		b.visit(link)
		if got := eval[float64](b, "Math.min(...[...document.querySelectorAll('[data-cell] :is(.hit, .square)')].map((e) => e.getBoundingClientRect().width))"); got < 23.99 {
			t.Errorf("%s: a cell is %.1f pixels wide", link, got)
		}
		if got := eval[float64](b, "document.querySelector('.panels').getBoundingClientRect().top - document.querySelector('.board').getBoundingClientRect().bottom"); got < 0 {
			t.Errorf("%s: the panels begin %.0f pixels above the end of the board", link, -got)
		}
		const visible = "[...document.querySelectorAll('#choose > *')].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())"
		if got := eval[int](b, "new Set("+visible+".map((r) => Math.round(r.bottom))).size"); got != 1 {
			t.Errorf("%s: the choice takes %d rows", link, got)
		}
		if got := eval[float64](b, "Math.max(..."+visible+".map((r) => r.right))"); got > 390 {
			t.Errorf("%s: the choice reaches to %.0f of 390 pixels", link, got)
		}
		if got := eval[float64](b, "((e) => e.scrollWidth - e.clientWidth)(document.querySelector('#choose-more'))"); got > 0 {
			t.Errorf("%s: of what is chosen %.0f pixels are cut off", link, got)
		}
		hidden := "document.querySelectorAll('#choose label').length - [...document.querySelectorAll('#choose label')].filter((e) => e.checkVisibility()).length"
		if got := eval[int](b, hidden); got == 0 {
			t.Errorf("%s: nothing is behind the button for more", link)
		}
		b.click("#choose-more")
		if got := eval[int](b, hidden); got != 0 {
			t.Errorf("%s: %d settings stay hidden", link, got)
		}
		b.click("#choose-more")
		eval[bool](b, "(document.querySelector('#setup').click(), true)")
		b.wait("document.querySelector('#setup-fault').textContent")
		if got := eval[float64](b, "document.querySelector('.board').getBoundingClientRect().top"); got < 0 || got > 400 {
			t.Errorf("%s: while a position is set up the board begins at %.0f pixels", link, got)
		}
		const pressed = "[...document.querySelectorAll('button, select, input:not([type=checkbox]), #welcome a')].filter((e) => e.checkVisibility())"
		if got := eval[float64](b, "Math.min(..."+pressed+".map((e) => e.getBoundingClientRect().height))"); got < 24 {
			t.Errorf("%s: something to press is %.1f pixels high", link, got)
		}
	}
}

// TestLessons: every family shows its rules in four pictures on request.
func TestLessons(t *testing.T) {
	b := opened(t, "")
	for link, what := range map[string]string{"": ".way.hover", "#game=mnk-15x15k5": ".ahead-spot", "#game=domino": ".tile"} {
		b.visit(link)
		b.click("#learn")
		b.wait("document.querySelectorAll('#lessons figure').length === 4")
		b.wait("document.querySelector('#lessons figure').getBoundingClientRect().bottom < innerHeight")
		if got := eval[int](b, "document.querySelectorAll('#lessons figure:has("+what+")').length"); got != 4 {
			t.Errorf("%s: %d of 4 pictures show a move", link, got)
		}
	}
}

// TestMotion: a piece moves along its way, unless the reader prefers less motion.
func TestMotion(t *testing.T) {
	b := opened(t, "")
	for want, wish := range map[string]string{"true": "no-preference", "false": "reduce"} {
		b.prefers("prefers-reduced-motion", wish)
		b.visit("#game=halma-star37-2p&rules=house")
		b.known(0)
		eval[bool](b, `(Element.prototype.animate = function () { document.body.dataset.moved = this.closest('[data-cell]').dataset.cell; return { finished: Promise.resolve() }; }, true)`)
		b.click("#moves button")
		b.known(1)
		if got := eval[string](b, "String('moved' in document.body.dataset)"); got != want {
			t.Errorf("%s: a piece goes along its way: %s", wish, got)
		}
	}
}

// axe is the file of axe-core installed by npm. The directory named by PERFECTPLAY_AXE must
// have it.
func axe(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PERFECTPLAY_AXE")
	must := dir != ""
	if root, err := exec.Command("npm", "root", "--global").Output(); err == nil && !must {
		dir = filepath.Join(strings.TrimSpace(string(root)), "axe-core")
	}
	text, err := os.ReadFile(filepath.Join(dir, "axe.min.js"))
	switch {
	case err != nil && must:
		t.Fatal(err)
	case err != nil:
		t.Skip("axe-core is not there: npm install --global axe-core, or its directory in PERFECTPLAY_AXE")
	}
	return string(text)
}

// TestAxe: axe-core finds no fault with any screen, in light and dark.
func TestAxe(t *testing.T) {
	start(t)
	script := axe(t)
	t.Parallel()
	b := open(t, world.server.URL, "", width, height)
	for _, s := range screens(t) {
		s.show(b, "light")
		eval[bool](b, script+"; true")
		// Only contrast depends on the scheme.
		for scheme, rules := range map[string]string{"light": "", "dark": "color-contrast"} {
			b.colours(scheme)
			b.still()
			eval[bool](b, fmt.Sprintf(`(delete window.found, axe.run({ resultTypes: ['violations'], ...(%q ? { runOnly: %[1]q } : {}) }).then((r) => {
				const node = (n) => n.target + ' ' + (n.any[0]?.message ?? '');
				window.found = r.violations.map((v) => v.id + ': ' + v.nodes.map(node).slice(0, 3).join('; '));
			}, (e) => { window.found = [String(e)]; }), true)`, rules))
			b.wait("window.found")
			for _, v := range eval[[]string](b, "window.found") {
				t.Errorf("%s, %s: %s", s.name, scheme, v)
			}
		}
	}
}

// listen takes an address.
func listen(address string) (net.Listener, error) { return net.Listen("tcp", address) }
