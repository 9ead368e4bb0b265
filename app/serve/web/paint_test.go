//go:build !js

package web_test

import (
	"net/http/httptest"
	"testing"

	"perfectplay/app/explore"
	"perfectplay/app/serve"
	"perfectplay/app/serve/web"
	halma "perfectplay/game/halma/oracle"
	mnk "perfectplay/game/mnk/oracle"
	"perfectplay/game/wing"
)

// TestPaint records, by the page's own clock, how long it takes until something is
// seen, and until star 37, which nobody has asked for before, has a value on every
// move: it is solved in that time. The figures are logged: a busy machine is slow.
func TestPaint(t *testing.T) {
	start(t)
	service, err := explore.New(explore.Options{Wings: []wing.Wing{halma.Wing(), mnk.Wing()}, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	s, err := serve.New(serve.Options{Explorer: service, Page: web.Files(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	b := open(t, server.URL, "#game=mnk-3x3k3", width, height)
	b.known(0)
	paint := eval[float64](b, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1")
	first := eval[float64](b, "performance.getEntriesByName('values')[0].duration")
	eval[bool](b, "(performance.clearMeasures('values'), location.hash = '#game=halma-star37-2p&rules=house', true)")
	b.wait("performance.getEntriesByName('values').length")
	values := eval[float64](b, "performance.getEntriesByName('values')[0].duration")
	if got := b.text("#sentence"); got != "1 wins in 29 plies" {
		t.Errorf("the page says %q", got)
	}
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
