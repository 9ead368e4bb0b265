//go:build !js

package web_test

import (
	"strings"
	"testing"

	"perfectplay/play/explore"
)

// TestFirstScreen begins as a stranger does: blue against perfect play, without hints. A move
// that gives the win away is reported and taken back; a card shows hints; a resignation is
// taken back without a move; the computer has a time of its own.
func TestFirstScreen(t *testing.T) {
	b := opened(t, "")
	b.known(0)
	if title, says := b.text("#welcome h2"), b.text("#sentence"); title != "Can you bring it home?" || says != "You can win in 15 moves" {
		t.Errorf("the first screen says %q and %q", title, says)
	}
	b.never("document.querySelector('#hints').checked || !document.querySelector('#slip').hidden || document.querySelectorAll('#table .worth').length > 0", "the first screen gives hints")
	answer := ask(t, explore.Query{Game: "halma-star37-2p", Rules: "house", Position: "start"})
	worst := answer.Moves[len(answer.Moves)-1]
	if worst.Value != explore.Loss {
		t.Fatalf("the last move is a %s", worst.Value)
	}
	b.click("#moves [data-move='" + worst.Move + "']")
	b.wait("!document.querySelector('#slip').hidden")
	b.known(2)
	b.is("#slip-says", worst.Move+" gave away the win.")
	b.click("#slip-again")
	b.known(0)
	b.click("#resign")
	b.wait("document.querySelector('#sentence').textContent === 'You resign: the computer wins.'")
	b.click("#undo")
	b.wait("!/resign/.test(document.querySelector('#sentence').textContent) && !document.querySelector('#resign').disabled")
	b.click("#home")
	b.wait("document.querySelector('#card-beat') && document.body.dataset.charted")
	b.click("#card-beat")
	b.wait("/players=2:level-4/.test(location.hash) && document.querySelector('#hints').checked && document.querySelectorAll('#table .worth').length > 0")
	if title, says := b.text("#welcome h2"), b.text("#welcome p"); title != "Can you beat it?" || !strings.Contains(says, "at level 4") {
		t.Errorf("against a weaker computer the page says %q, %q", title, says)
	}
	b.set("#think", "2")
	b.wait("/think=2/.test(location.hash) && !/time=/.test(location.hash)")
	// A choice made while the first screen loads stays, even if the answer comes late.
	b.click("#home")
	b.wait("/players=2:perfect/.test(location.hash) && document.querySelector('#card-beat')")
	eval[bool](b, `((ask) => {
		const held = new Promise((free) => { window.free = free; });
		window.fetch = async (...what) => {
			window.fetch = ask;
			const game = await (await ask(...what)).json();
			await held;
			setTimeout(() => { document.body.dataset.late = 'yes'; }); // after everything that waits for the answer
			return { ok: true, json: async () => game };
		};
		document.querySelector('#home').click();
		document.querySelector('#card-beat').click();
		return true;
	})(window.fetch)`)
	b.wait("/players=2:level-4/.test(location.hash)")
	eval[bool](b, "(free(), true)")
	b.wait("document.body.dataset.late")
	if got := eval[string](b, "location.hash"); !strings.Contains(got, "players=2:level-4") {
		t.Errorf("after a card was chosen the page goes to %s", got)
	}
}

// TestNewcomer clicks like somebody who knows nothing: the page explains errors, gives no
// answer away, and plays other games with the same opponent.
func TestNewcomer(t *testing.T) {
	b := opened(t, "")
	b.known(0)
	for _, c := range []struct{ cell, says string }{
		{"e3", "Choose a piece of yours first, then where it goes."}, {"h1", "That piece is Seat 2’s: choose one of yours."}, {"a1", ""},
		{"e5", "The piece on a1 cannot go to e5."},
	} {
		b.click("[data-cell=" + c.cell + "]")
		b.is("#fault", c.says)
	}
	if got := b.text("#line") + b.text("#force"); got != "" {
		t.Errorf("who wants no values is told %q", got)
	}
	b.set("#choose [name=family]", "mnk")
	b.wait("document.title.startsWith('mnk-')")
	b.wait("/players=o:(perfect|strongest)/.test(location.hash) && document.querySelector('#card-beat').checkVisibility()")
	if got := b.text("#sentence") + b.text("#welcome p"); !strings.HasPrefix(got, "Your move") && !strings.HasPrefix(got, "With best play") || !strings.Contains(got, "You are x.") {
		t.Errorf("who plays x is told %q", got)
	}
	game := b.text("title")
	b.click("#card-beat")
	b.wait("/players=o:level-4/.test(location.hash)")
	b.is("title", game)
	b.click("[data-cell=c3]")
	b.known(2)
	b.click("[data-cell=c3]")
	b.is("#fault", "The cell c3 is taken.")
	b.set("#choose [name=family]", "domino")
	b.wait("document.title.startsWith('domino') && /You are Starter/.test(document.querySelector('#welcome p').textContent) && document.querySelector('#fault').hidden")
	b.click("#home")
	b.wait("document.title.startsWith('halma-') && document.querySelector('#card-watch') && document.body.dataset.charted")
	b.click("#card-watch")
	b.wait("+document.body.dataset.ply >= 2")
}

// TestContrast: names of cells contrast with their holes by 4.5 to 1 and rims of holes with the
// board by 3 to 1, in light and dark.
func TestContrast(t *testing.T) {
	b := opened(t, "#game=halma-star37-2p")
	const ratio = `((inner, a, outer, b) => {
		const light = (selector, property) => {
			const c = document.createElement('canvas').getContext('2d');
			c.fillStyle = getComputedStyle(document.querySelector(selector))[property];
			c.fillRect(0, 0, 1, 1);
			const [red, green, blue] = [...c.getImageData(0, 0, 1, 1).data].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		};
		const [l, m] = [light(inner, a), light(outer, b)];
		return (Math.max(l, m) + 0.05) / (Math.min(l, m) + 0.05);
	})`
	for _, scheme := range []string{"light", "dark"} {
		b.colours(scheme)
		if got := eval[float64](b, ratio+"('.cell:not(.taken) .name', 'fill', '.well', 'fill')"); got < 4.5 {
			t.Errorf("%s: names stand out by %.2f", scheme, got)
		}
		if got := eval[float64](b, ratio+"('.well', 'stroke', '.wood', 'stroke')"); got < 3 {
			t.Errorf("%s: holes stand out by %.2f", scheme, got)
		}
	}
}
