//go:build !js

package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"perfectplay/play/explore"
	"perfectplay/play/serve/site"
)

// The size of the window if it does not matter.
const width, height = 1400, 1000

// TestPerfectPlay plays star 37 by clicks against the perfect level: as the first player, who
// wins by the values on the page, and as the second, half way, who loses even with the best
// defence. Both games take the theory's number of plies, and the page counts them down.
func TestPerfectPlay(t *testing.T) {
	start(t)
	t.Parallel()
	for seat, done := range map[int]int{1: 0, 2: 15} {
		t.Run(fmt.Sprintf("seat %d", seat), func(t *testing.T) {
			t.Parallel()
			perfectGame(open(t, world.server.URL, perfectLink(t, seat, done), width, height), seat, done)
		})
	}
}

// plies is the length of star 37 under house rules with perfect play.
const plies = 29

// perfectLink is a game of star 37 after done plies of perfect play, with a person in one seat.
func perfectLink(t *testing.T, person, done int) string {
	t.Helper()
	q := explore.Query{Game: "halma-star37-2p", Rules: "house", Position: "start"}
	for ply := 0; ; ply++ {
		theory := ask(t, q)
		if theory.Distance == nil || *theory.Distance != plies-ply {
			t.Fatalf("after %d plies of perfect play: %v, want %d more", ply, theory.Text, plies-ply)
		}
		if ply == done {
			return fmt.Sprintf("#game=halma-star37-2p&rules=house&players=%d:perfect&moves=%s", 3-person, strings.Join(q.Moves, ","))
		}
		q.Moves = append(q.Moves, theory.Moves[0].Move)
	}
}

// perfectGame plays star 37 to its end as one of its seats, after done plies.
func perfectGame(b *tab, person, done int) {
	b.t.Helper()
	ply := done
	if ply%2 != person-1 { // the computer is to move
		ply++
	}
	for ; ply < plies; ply += 2 {
		b.known(ply)
		want := fmt.Sprintf("%s can win in %d moves", []string{"You", "The computer"}[person-1], (plies-ply+1)/2)
		want = strings.Replace(want, " 1 moves", " 1 move", 1)
		if got := b.text("#sentence"); got != want {
			b.t.Fatalf("after %d plies: %q, want %q", ply, got, want)
		}
		move := b.best()
		to := b.choose(move)
		sign := "+"
		if person == 2 {
			sign = "−"
		}
		if got := b.text(fmt.Sprintf("[data-mark=%s] .worth", to)); got != fmt.Sprint(sign, plies-ply) {
			b.t.Fatalf("after %d plies the target %s of %s says %q, want %s%d; moves %q; the page says %s", ply, to, move, got, sign, plies-ply, b.text("#moves"), b.says())
		}
		b.click(fmt.Sprintf("[data-cell=%s]", to))
	}
	b.wait("document.querySelector('#resign').disabled")
	if got := eval[int](b, "+document.body.dataset.ply"); got != plies {
		b.t.Errorf("the game took %d plies, want %d", got, plies)
	}
	if got, want := b.text("#sentence"), map[int]string{1: "You have won", 2: "The computer has won"}[person]; got != want {
		b.t.Errorf("at the end the page says %q, want %q", got, want)
	}
	if got := eval[int](b, "document.querySelectorAll('#chart .point .dot:not(.open)').length"); got < plies/2 {
		b.t.Errorf("the chart knows %d plies of %d", got, plies)
	}
}

// TestLink opens the link of a game in another tab, and goes back and forward.
func TestLink(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p&rules=house")
	for ply := range 4 {
		b.known(ply)
		b.click("#moves button")
	}
	b.known(4)
	position, hash := b.text("#position"), eval[string](b, "location.hash")
	c := open(t, world.server.URL, hash, width, height)
	c.known(4)
	if got := c.text("#position"); got != position {
		t.Errorf("the link shows %s, want %s", got, position)
	}
	const record = "[...document.querySelectorAll('#record [data-ply]')].map((b) => b.ariaLabel).join('; ')"
	if mine, theirs := eval[string](b, record), eval[string](c, record); mine != theirs || strings.Count(mine, "Seat 2") != 2 {
		t.Errorf("the records are %q and %q", mine, theirs)
	}
	b.do(chromedp.Evaluate[chromedp.Void]("history.back()"))
	b.known(3)
	b.do(chromedp.Evaluate[chromedp.Void]("history.back()"))
	b.known(2)
	b.do(chromedp.Evaluate[chromedp.Void]("history.forward()"))
	b.known(3)
	b.do(chromedp.Evaluate[chromedp.Void]("history.go(-3)"))
	b.known(0)
	b.do(chromedp.Evaluate[chromedp.Void]("history.go(3)"))
	b.known(3)
	b.click("#record [data-ply='1']")
	b.known(1)
	b.click("#latest")
	b.known(3)
	b.click("#undo")
	b.known(2)
	b.click("#redo")
	b.known(3)
}

// TestWrongLinks: the page reports the wrong parts of a link, and shows the rest.
func TestWrongLinks(t *testing.T) {
	b := opened(t, "")
	b.refusals = true
	for _, c := range []struct{ link, says, ply string }{
		{"#game=chess", "unknown game", "0"},
		{"#game=halma-star37-2p&rules=none", "unknown rules", "0"},
		{"#game=mnk-3x3k3&position=xxx", "rows", "0"},
		{"#game=mnk-3x3k3&moves=a1,a2,a1,b2", "a1", "2"},
		{"#game=mnk-3x3k3&moves=%zz", "zz", "0"},
	} {
		b.visit(c.link)
		b.wait("!document.querySelector('#fault').hidden")
		if got := b.text("#fault"); !strings.Contains(strings.ToLower(got), c.says) {
			t.Errorf("%s: %q, want something about %q", c.link, got, c.says)
		}
		if got := eval[string](b, "document.body.dataset.ply"); got != c.ply {
			t.Errorf("%s: shows ply %s, want %s", c.link, got, c.ply)
		}
		if got := eval[string](b, "location.hash"); got == c.link || !strings.HasPrefix(got, "#game=") {
			t.Errorf("%s: the address is %s", c.link, got)
		}
	}
}

// TestSetup sets up a position by clicking; the page explains impossible positions.
func TestSetup(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p&rules=house")
	b.refusals = true
	b.known(0)
	b.click("#hints")
	b.click("#card-ask") // the card asks for values, so hints come on
	b.wait("document.querySelector('#hints').checked && document.querySelector('#type-form').hidden")
	if got := eval[float64](b, "document.querySelector('#setup-panel').getBoundingClientRect().top"); got < 0 || got > height/2 {
		t.Errorf("the panel of a position that is set up begins at %.0f pixels", got)
	}
	const top = "document.querySelector('#setup-clear').getBoundingClientRect().top"
	before := eval[float64](b, top)
	b.wait("document.querySelector('#setup-fault').textContent")
	if after := eval[float64](b, top); after != before {
		t.Errorf("a button moves from %v to %v when the answer comes", before, after)
	}
	b.click("#setup-clear")
	b.wait("/0 pieces/.test(document.querySelector('#setup-fault').textContent)")
	if !eval[bool](b, "document.querySelector('#setup-use').disabled") {
		t.Error("an empty board may be played")
	}
	for seat, cells := range [][]string{{"h1", "h2", "g4"}, {"b1", "b2", "d3"}} {
		b.click(fmt.Sprintf("[data-key=brush%d]", seat))
		for _, cell := range cells {
			b.click(fmt.Sprintf("[data-cell=%s]", cell))
		}
	}
	b.wait("!document.querySelector('#setup-use').disabled")
	b.click("#setup-use")
	const want = "_.11.___1___.______._____.__2___._______.22._-1"
	b.wait(fmt.Sprintf("document.querySelector('#position').textContent === %q", want))
	b.known(0)
	answer := ask(t, explore.Query{Game: "halma-star37-2p", Rules: "house", Position: want})
	b.is("#sentence", "Seat "+answer.Text)
}

// TestSetupDominoes gives tiles to the hands by clicking.
func TestSetupDominoes(t *testing.T) {
	b := opened(t, "#game=domino")
	b.refusals = true
	b.known(0)
	b.click("#setup")
	b.click("#setup-clear")
	b.wait("document.querySelector('#setup-use').disabled && document.querySelector('#setup-fault').textContent")
	for seat, tiles := range []string{"6|6 1|6 2|4", "0|0 0|6 1|5"} {
		b.click(fmt.Sprintf("[data-key=brush%d]", seat))
		for tile := range strings.FieldsSeq(tiles) {
			b.click(fmt.Sprintf("[data-set='%s']", tile))
		}
	}
	for side, number := range map[string]string{"left": "6", "right": "5"} {
		b.set("#setup-panel [data-key="+side+"]", number)
	}
	b.wait("!document.querySelector('#setup-use').disabled")
	b.click("#setup-use")
	b.wait("document.querySelector('#position').textContent === '16.24.66_00.06.15_65_0'")
}

// TestKeyboard plays a whole game by keys alone: both sides of noughts and
// crosses, and the shortest win on the star of 13 holes.
func TestKeyboard(t *testing.T) {
	b := opened(t, "")
	for _, id := range []string{"mnk-3x3k3", "halma-star13-2p"} {
		b.visit("#game=" + id)
		b.known(0)
		b.focusBoard()
		for ply := 0; !eval[bool](b, "document.querySelector('#resign').disabled"); ply++ {
			if ply > 60 {
				t.Fatal("the game does not end")
			}
			b.known(ply)
			from, to, moves := strings.Cut(b.best(), "-")
			b.walk(from)
			b.press(kb.Enter)
			if moves {
				b.walk(to)
				b.press(" ")
			}
			b.wait(fmt.Sprintf("document.body.dataset.ply === '%d'", ply+1))
		}
		// Two perfect players draw the first, and the first to move wins the second.
		if got := b.text("#sentence"); !strings.Contains(got, "draw") && !strings.Contains(got, "won") {
			t.Errorf("%s: at the end the page says %q", id, got)
		}
		b.press("u")
		b.wait("!document.querySelector('#resign').disabled")
		b.press("v")
		b.wait("!document.querySelector('#hints').checked")
	}
}

// focusBoard presses the tab key until the focus is on a cell that may be chosen.
func (b *tab) focusBoard() {
	b.t.Helper()
	for range 30 {
		b.press(kb.Tab)
		if eval[bool](b, "Boolean(document.activeElement.dataset.cell)") {
			if !eval[bool](b, "document.activeElement.classList.contains('active')") {
				b.t.Error("the tab key leads to a cell that cannot be chosen")
			}
			return
		}
	}
	b.t.Fatal("the tab key does not lead to the board")
}

// walk presses arrow keys until the focus is on a cell. They lead only to cells that may be
// chosen.
func (b *tab) walk(cell string) {
	b.t.Helper()
	keys := map[string]string{"0": kb.ArrowLeft, "1": kb.ArrowRight, "2": kb.ArrowUp, "3": kb.ArrowDown}
	eval[string](b, fmt.Sprintf(`(async () => {
		const { toward } = await import('./js/geometry.js');
		const groups = [...document.querySelectorAll('[data-cell]')];
		const places = groups.map((g) => (([, x, y]) => ({ x: +x, y: +y }))(/translate\(([-.\d]+) ([-.\d]+)\)/.exec(g.getAttribute('transform'))));
		const active = new Set([...groups.keys()].filter((i) => groups[i].classList.contains('active')));
		const at = (name) => groups.findIndex((g) => g.dataset.cell === name);
		const from = at(document.activeElement.dataset.cell), to = at(%q);
		const ways = new Map([[from, '']]);
		for (const cell of ways.keys()) {
			[[-1, 0], [1, 0], [0, -1], [0, 1]].forEach(([dx, dy], k) => {
				const next = toward(places, cell, dx, dy, active);
				if (!ways.has(next)) ways.set(next, ways.get(cell) + k);
			});
		}
		document.body.dataset.way = [...active].every((i) => ways.has(i)) ? ways.get(to) ?? 'none' : 'none';
	})() && ''`, cell))
	b.wait("document.body.dataset.way !== undefined")
	path := eval[string](b, "(() => { const w = document.body.dataset.way; delete document.body.dataset.way; return w; })()")
	if path == "none" {
		b.t.Fatalf("no arrow keys lead to %s, or not to all cells that may be chosen", cell)
	}
	for _, k := range path {
		b.press(keys[string(k)])
		if !eval[bool](b, "document.activeElement.classList.contains('active')") {
			b.t.Error("an arrow key leads to a cell that cannot be chosen")
		}
	}
	b.wait(fmt.Sprintf("document.activeElement.dataset.cell === %q", cell))
}

// TestHops points at the end of a chain of hops: the page draws the service's chain.
func TestHops(t *testing.T) {
	start(t)
	t.Parallel()
	moves := strings.Split(sixSeats, ",")[:12]
	answer, err := world.service.Position(explore.Query{Game: "halma-star121-6p", Position: "start", Moves: moves})
	if err != nil {
		t.Fatal(err)
	}
	chain := slices.MaxFunc(answer.Moves, func(a, b explore.Move) int { return len(a.Path) - len(b.Path) })
	if len(chain.Path) < 3 {
		t.Fatalf("no move of more than one hop: %v", chain)
	}
	b := open(t, world.server.URL, "#game=halma-star121-6p&moves="+strings.Join(moves, ","), width, height)
	b.known(12)
	from, to, _ := strings.Cut(chain.Move, "-")
	b.click(fmt.Sprintf("[data-cell=%s]", from))
	place := eval[[]float64](b, fmt.Sprintf("(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.querySelector('[data-cell=%s]').getBoundingClientRect())", to))
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, place[0], place[1]))
	b.wait("document.querySelector('.way.hover')")
	if got := strings.Count(b.attribute(".way.hover", "d"), "L") + 1; got != len(chain.Path) {
		t.Errorf("the way of %s has %d cells, want %d", chain.Move, got, len(chain.Path))
	}
}

// TestWidths shows every kind of board from phones to large screens: nothing sticks out to the
// side, and the board is visible.
func TestWidths(t *testing.T) {
	b := opened(t, "")
	for _, link := range []string{"#game=halma-star37-6p", "#game=halma-5x5p3", "#game=mnk-10x10k5", "#game=domino&moves=4%7C4,2%7C4,2%7C6-2,4%7C6-4"} {
		b.visit(link)
		for _, width := range []int64{360, 2560} {
			b.do(chromedp.EmulateViewport(width, 800))
			if got := eval[int64](b, "document.documentElement.scrollWidth"); got > width {
				t.Errorf("%s is %d pixels wide in a window of %d", link, got, width)
			}
			if got := eval[float64](b, "document.querySelector('.board, .dominoes').getBoundingClientRect().width"); got < 250 {
				t.Errorf("%s at %d: the board is %.0f pixels wide", link, width, got)
			}
		}
	}
}

// TestChoice changes game, board, pieces, players and rules by the form above the board, and
// checks the game.
func TestChoice(t *testing.T) {
	b := opened(t, "")
	for _, c := range []struct{ field, value, game string }{
		{"pieces", "1", "halma-star37p1-2p"},
		{"players", "3", "halma-star37p1-3p"},
		{"players", "1", "halma-star37p1-1p"},
		{"players", "3", "halma-star37p1-3p"},
		{"board", "13 holes", "halma-star13-3p"},
		{"board", "73 holes", "halma-star73p1-3p"},
		{"pieces", "6", "halma-star73-3p"},
		{"shape", "diamond", "halma-4x4p6"},
		{"board", "5×5", "halma-5x5p6"},
		{"board", "4×4", "halma-4x4p6"},
		{"players", "1", "halma-4x4p6-1p"},
		{"players", "2", "halma-4x4p6"},
		{"rules", "sturtevant", "halma-4x4p6"},
		{"family", "mnk", "mnk-5x5k4"},
		{"k", "3", "mnk-5x5k3"},
		{"columns", "4", "mnk-5x4k3"},
		{"family", "domino", "domino"},
	} {
		b.wait(fmt.Sprintf("document.querySelector('#choose [name=%s]')", c.field))
		b.set("#choose [name="+c.field+"]", c.value)
		b.wait(fmt.Sprintf("document.title.startsWith('%s ·')", c.game))
		if c.field == "rules" {
			b.wait("/rules=" + c.value + "/.test(location.hash)")
		}
	}
	b.click("#deal")
	b.wait("/position=/.test(location.hash)")
	b.known(0)
}

// TestTime lets a person run out of time.
func TestTime(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p&rules=house&time=1")
	b.wait("/Seat 1 has used up its time: Seat 2 wins/.test(document.querySelector('#sentence').textContent)")
	if got := eval[string](b, "location.hash"); !strings.Contains(got, "end=time:1") {
		t.Errorf("the link is %s", got)
	}
}

// TestSearch starts, stops and resumes a search in a game that is not solved.
func TestSearch(t *testing.T) {
	b := opened(t, "#game=halma-star121-2p")
	b.known(0)
	for range 2 {
		b.wait("!document.querySelector('#analyse').disabled && !document.querySelector('#analyse').hidden")
		before := b.text("#figures")
		b.click("#analyse")
		b.wait("document.querySelector('#analyse').hidden && !document.querySelector('#stop').hidden")
		b.wait(fmt.Sprintf("(text => /Positions/.test(text) && text !== %q)(document.querySelector('#figures').textContent)", before))
		b.never("!document.querySelector('#analyse').hidden || document.querySelector('#stop').hidden", "while a search reports, the page offers to start one")
		b.click("#stop")
		b.wait("!document.querySelector('#analyse').hidden")
	}
	if got := b.text("#analysis-says") + " " + b.text("#analyse"); got != "The search has ended: stopped. Search deeper" {
		t.Errorf("the page says %q", got)
	}
	if got := b.text("#unproved"); !strings.HasPrefix(got, "nothing is forced within ") || eval[bool](b, "document.querySelector('#unproved').hidden") {
		t.Errorf("the page says %q, want that nothing is decided", got)
	}
	// A value from a complete solution is shown as solved, not as a search that is done.
	eval[bool](b, `(import('./js/panels.js').then((m) => {
		m.drawFigures({ answer: { final: true, moves: [], progress: { nodes: 9, depth: 3, fraction: 0, seconds: 1 } } }, { why: '' });
		document.body.dataset.drawn = 'yes';
	}), true)`)
	b.wait("document.body.dataset.drawn")
	if got := b.text("#analysis-says") + b.text("#figures"); !strings.HasPrefix(got, "Solved") || strings.Contains(got, "Done") {
		t.Errorf("the figures of a solved position are %q", got)
	}
}

// TestSteady: the board and the buttons of the analysis stay where they are while values, estimates
// and the reports of a search arrive.
func TestSteady(t *testing.T) {
	start(t)
	t.Run("wide", func(t *testing.T) { testSteady(t, width, height) })
	t.Run("narrow", func(t *testing.T) { testSteady(t, 390, 844) })
}

func testSteady(t *testing.T, width, height int64) {
	t.Parallel()
	estimates := make(chan struct{})
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/outlook") {
			<-estimates
		}
		world.server.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(late.Close)
	come := sync.OnceFunc(func() { close(estimates) })
	t.Cleanup(come)
	b := open(t, late.URL, "#game=halma-star121-2p", width, height)
	const button = "[...document.querySelectorAll('#analyse, #stop')].find((e) => !e.hidden)"
	const top = ".getBoundingClientRect().top"
	const tops = "[document.querySelector('#table')" + top + " - document.querySelector('#stage')" + top + ", scrollY + " + button + top + "].map(Math.round)"
	before := eval[[]int](b, tops)
	steady := func(when string) {
		t.Helper()
		if got := eval[[]int](b, tops); !slices.Equal(got, before) {
			t.Errorf("%s board and button of the analysis are at %d pixels, before at %d", when, got, before)
		}
	}
	b.known(0)
	b.wait("document.querySelector('#figures').textContent")
	steady("after the values")
	come()
	b.wait("!document.querySelector('#bar').hidden && document.querySelector('#line').textContent")
	steady("after the estimates")
	b.click("#analyse")
	b.wait("!document.querySelector('#stop').hidden")
	steady("during a search")
	// Reports leave in place what they do not change: a press on it counts, an open menu stays open.
	const kept = "[...document.querySelectorAll('#players select, #record button')]"
	b.wait("document.querySelector('#players .clock').textContent")
	eval[bool](b, kept+".every((e) => e.kept = true)")
	b.wait(fmt.Sprintf("document.querySelector('#figures').textContent !== %q", b.text("#figures")))
	if !eval[bool](b, kept+".every((e) => e.kept)") {
		t.Error("a report of the search replaced the menus of players or the record")
	}
}

// TestDominoes plays a deal with open hands to its end and compares the page with the service,
// move by move.
func TestDominoes(t *testing.T) {
	b := opened(t, "#game=domino")
	for ply := 0; ; ply++ {
		b.known(ply)
		if eval[bool](b, "document.querySelector('#resign').disabled") {
			break
		}
		if ply > 30 {
			t.Fatal("the deal does not end")
		}
		move := b.best()
		if move == "pass" {
			b.click("#pass")
			continue
		}
		tile, end, _ := strings.Cut(move, "-")
		ends := eval[int](b, fmt.Sprintf("document.querySelectorAll('#moves [data-move^=\"%s\"]').length", tile))
		b.click(fmt.Sprintf(".hand.turn [data-tile='%s']", tile))
		if ends == 2 { // the tile fits both ends: click one
			b.wait("document.querySelectorAll('.end.active .worth').length === 2")
			b.click(fmt.Sprintf(".end.active[aria-label*='number %s']", end))
		}
		b.wait(fmt.Sprintf("document.body.dataset.ply === '%d'", ply+1))
	}
	if got := b.text("#sentence"); got == "" || strings.Contains(got, "to move") {
		t.Errorf("at the end the page says %q", got)
	}
}

// TestText exports a game, changes the players, and imports it again. A resignation is taken
// back without a move.
func TestText(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p&rules=house&moves=b1-c4,h1-g4,c4-d4&players=2:level-2&at=1")
	b.known(1)
	b.click("#export")
	text := eval[string](b, "document.querySelector('#text').value")
	want := "game halma-star37-2p\nrules house\nseat 1 person\nseat 2 level-2\n\nb1-c4 h1-g4 c4-d4\n"
	if text != want {
		t.Errorf("exported %q, want %q", text, want)
	}
	b.click("#text-dialog button[value=close]")
	b.click("#again")
	b.known(0)
	b.click("#import")
	b.refusals = true
	for _, c := range []struct{ text, says string }{
		{"b1-c4", "a game begins with"},
		{"game halma-star37-2p\nrules house\n\nb1-c4 h1-h2", "move 2"},
		{want, ""},
	} {
		quoted, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		eval[string](b, fmt.Sprintf("document.querySelector('#text').value = %s", quoted))
		b.click("#text-use")
		if c.says != "" {
			b.wait(fmt.Sprintf("document.querySelector('#text-fault').textContent.toLowerCase().includes(%q)", c.says))
		}
	}
	b.known(3)
	if got := eval[string](b, "location.hash"); !strings.Contains(got, "moves=b1-c4,h1-g4,c4-d4") || !strings.Contains(got, "players=2:level-2") {
		t.Errorf("imported %s", got)
	}
	b.click("#resign")
	b.wait("/Seat 2 resigns: Seat 1 wins/.test(document.querySelector('#sentence').textContent)")
	b.click("#undo")
	b.wait("!/resigns/.test(document.querySelector('#sentence').textContent) && document.body.dataset.ply === '3'")
}

// TestSeats lets six seats of all levels play an unsolved game, and pauses them.
func TestSeats(t *testing.T) {
	b := opened(t, "#game=halma-star37-6p&players=1:strongest,6:level-3,3:level-2,2:level-1,4:random,5:strongest")
	b.wait("+document.body.dataset.ply >= 4")
	b.click("#pause")
	b.wait("document.querySelector('#pause').textContent === 'Play on' || document.querySelector('#resign').disabled")
	ply := eval[int](b, "+document.body.dataset.ply")
	b.click("#swap")
	b.wait("document.querySelector('[data-seat=\"6\"]').value === 'strongest'")
	if got := eval[int](b, "+document.body.dataset.ply"); got < ply {
		t.Errorf("after the swap ply %d, before it %d", got, ply)
	}
}

// TestStaticSite visits the static site: the solver runs as WebAssembly in the browser, and the
// host sends files only. One tab reads a link to hidden hands, estimates an open position,
// plays the end of the game of TestPerfectPlay, and goes on without its host.
func TestStaticSite(t *testing.T) {
	start(t)
	t.Parallel()
	dir := t.TempDir()
	if _, err := site.Write(t.Context(), dir, ""); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer host.Close()
	// A link to hidden hands, with a number beyond JavaScript's integers, is read, and read
	// again.
	const deal, shown = "#game=domino&deal=18446744073709551615&seat=starter&player=greedy",
		"document.title.startsWith('domino ·') && document.querySelector('#fault').hidden && document.querySelectorAll('.tile').length > 7"
	b := open(t, host.URL, deal, width, height)
	b.wait(shown)
	b.bypass(false)
	b.do(chromedp.Reload())
	b.wait("document.body.dataset.ready && " + shown + " && /deal=18446744073709551615/.test(location.hash)")

	// Estimates of the site come from a worker of its own.
	b.follow("#game=mnk-15x15k5&moves=h8,a1,h9,a3,h10")
	b.wait("/x threatens to win: o must answer/.test(document.querySelector('#sentence').textContent) && document.querySelector('.threat')")
	b.click("#setup")
	b.click("#setup-clear")
	b.wait("document.querySelector('#setup-text').value === '15' + '.15'.repeat(14)")

	b.follow(perfectLink(t, 1, 22))
	perfectGame(b, 1, 22)

	b.wait("navigator.serviceWorker.controller")
	renewed(b, dir)

	// After one visit the site works without its host.
	host.Close()
	b.refusals = true
	b.visit("#game=mnk-3x3k3")
	b.known(0)
	if got := b.text("title") + ": " + b.text("#sentence"); !strings.HasPrefix(got, "mnk-3x3k3 ·") || !strings.HasSuffix(got, ": A draw") {
		t.Errorf("without its host the site says %q", got)
	}
}

// TestAlone takes one army across by clicks, one turn longer than necessary: the page shows the
// turns left, with every move, and at the end the shortest number.
func TestAlone(t *testing.T) {
	b := opened(t, "#game=halma-star13-1p")
	b.known(0)
	b.is("#sentence", "It takes 4 turns")
	for ply, move := range []string{"a1-b2", "b2-b1", "b1-c1", "c1-d2", "d2-e1"} {
		b.known(ply)
		to := b.choose(move)
		want := ask(t, explore.Query{Game: "halma-star13-1p", Position: b.text("#position")})
		i := slices.IndexFunc(want.Moves, func(m explore.Move) bool { return m.Move == move })
		if got := b.text(fmt.Sprintf("[data-mark=%s] .worth", to)); got != fmt.Sprint(*want.Moves[i].Distance) {
			t.Errorf("%s says %s, want %d", move, got, *want.Moves[i].Distance)
		}
		b.click(fmt.Sprintf("[data-cell=%s]", to))
	}
	b.wait("/It took 5 turns; 4 turns would have done/.test(document.querySelector('#sentence').textContent)")
}

// TestResign: among three the computer plays on for whoever resigns.
func TestResign(t *testing.T) {
	b := opened(t, "#game=halma-star13-3p")
	b.known(0)
	b.click("#resign")
	b.wait("/Seat 1 resigns: the computer plays on for it/.test(document.querySelector('#fault').textContent)")
	b.wait("document.querySelector('#players [data-seat=\"1\"]').value === 'strongest' && +document.body.dataset.ply >= 1")
}

// TestPass: the page says that a shut-in player passes.
func TestPass(t *testing.T) {
	b := opened(t, "#game=halma-star13-6p&position=_._32_.__4._165._-5&seats=human,human,human,human,human,human")
	b.wait("/has no legal move and passes/.test(document.querySelector('#sentence').textContent)")
}

// TestRepetition: a position's third occurrence ends the game.
func TestRepetition(t *testing.T) {
	start(t)
	t.Parallel()
	round := "b1-c3,h1-g3,c3-b1,g3-h1"
	b := open(t, world.server.URL, "#game=halma-star37-2p&moves="+round+",b1-c3,h1-g3,c3-b1", width, height)
	b.known(7)
	b.click("[data-cell=" + b.choose("g3-h1") + "]")
	b.wait("/third time: the game is drawn by endless play/.test(document.querySelector('#sentence').textContent)")
	if got := eval[string](b, "location.hash"); !strings.Contains(got, "end=repetition") {
		t.Errorf("the link is %s", got)
	}
}
