//go:build !js

package web_test

import (
	"testing"

	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
)

// TestPaint records, by the page's clock, the time until the first picture, and until star 37,
// which is solved meanwhile, has a value on every move. It logs the figures: a busy machine is
// slow.
func TestPaint(t *testing.T) {
	start(t)
	b := open(t, served(t, halma.Wing(), mnk.Wing()), "#game=mnk-3x3k3", width, height)
	b.known(0)
	paint := eval[float64](b, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
	first := eval[float64](b, "performance.getEntriesByName('values')[0].duration")
	eval[bool](b, "(performance.clearMeasures('values'), location.hash = '#game=halma-star37-2p&rules=house', true)")
	b.wait("performance.getEntriesByName('values').length")
	values := eval[float64](b, "performance.getEntriesByName('values')[0].duration")
	b.is("#sentence", "Seat 1 wins in 29 plies")
	moves := eval[[]string](b, "[...document.querySelectorAll('#moves [data-move]')].map((m) => m.textContent)")
	worth := eval[int](b, "[...document.querySelectorAll('#moves [data-move]')].filter((m) => /[+−]2[89]/.test(m.textContent)).length")
	if len(moves) != 6 || worth != len(moves) {
		t.Errorf("moves %q, of which %d have values", moves, worth)
	}
	if paint < 0 || first <= 0 || values <= 0 {
		t.Errorf("first paint %v ms, values after %v and %v ms", paint, first, values)
	}
	t.Logf("first paint %.0f ms after the address was given, values of mnk-3x3k3 %.0f ms after that; star 37 chosen: values on all moves %.0f ms later", paint, first, values)
}

// TestRest: while a person thinks about a solved position, the page changes nothing but the
// seconds.
func TestRest(t *testing.T) {
	b := opened(t, "#game=mnk-3x3k3")
	b.wait("document.body.dataset.charted && document.querySelector('.turn .clock').textContent")
	eval[bool](b, `(window.seen = { changes: 0, seconds: new Set() }, new MutationObserver((list) => {
		seen.changes += list.length;
		seen.seconds.add(document.querySelector('.turn .clock').textContent);
	}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }), true)`)
	b.wait("seen.seconds.size >= 3")
	if got := eval[[]int](b, "[seen.changes, seen.seconds.size]"); got[0] > got[1] {
		t.Errorf("%d changes while the clock moved %d times", got[0], got[1])
	}
}
