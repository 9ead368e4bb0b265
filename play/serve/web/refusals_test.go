//go:build !js

package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// TestRefusedPlayers: the page refuses an unknown player, a player that this game lacks, and an
// impossible time in a sentence, and drops them from the address. Nobody thinks for ever.
func TestRefusedPlayers(t *testing.T) {
	b := opened(t, "")
	b.refusals = true
	for _, c := range []struct{ link, says, left string }{
		{"#game=halma-star13-3p&players=1:alphabeta,3:level-2", `Seat 1: nobody here plays as "alphabeta"; a person has the seat.`, "#game=halma-star13-3p&players=3:level-2"},
		{"#game=halma-star121-3p&players=1:perfect", "Halma-star121-3p base is not solved: strongest plays as well as this program can.", "#game=halma-star121-3p"},
		{"#game=mnk-3x3k3&players=x:level-2&think=1e-10", "Seconds 1e-10: want 0.001 to 60, or 0 for the default.", "#game=mnk-3x3k3&players=x:level-2"},
		{"#game=mnk-3x3k3&time=-3&think=1e999", "", "#game=mnk-3x3k3&think=60"},
	} {
		b.visit(c.link)
		b.wait(fmt.Sprintf("document.querySelector('#fault').textContent === %q && (document.querySelector('#fault').hidden || location.hash === %q)", c.says, c.left))
		if got := b.text("#source"); strings.Contains(got, "thinks") {
			t.Errorf("%s: the page says %q", c.link, got)
		}
	}
	b.click("#swap") // exchanges computer and person
	b.wait("document.querySelector('[data-seat=x]').value === 'person' && document.querySelector('[data-seat=o]').value === 'person' && document.querySelector('#fault').hidden")
	b.set("#players [data-seat=o]", "level-3")
	b.wait("/players=o:level-3/.test(location.hash)")
	b.click("#swap")
	b.wait("/players=x:level-3/.test(location.hash) && document.querySelector('#fault').hidden")
	eval[bool](b, `(fetch('api/v1/games/halma-star13-3p/move?level=alphabeta')
		.then(async (r) => { document.body.dataset.refused = r.status + ' ' + (await r.json()).error; }), true)`)
	b.wait("document.body.dataset.refused")
	if got := eval[string](b, "document.body.dataset.refused"); !strings.HasPrefix(got, `400 player: "alphabeta": not known: want random, level-1 to level-9`) {
		t.Errorf("among three the service says %q", got)
	}
}

// TestLargestBoard: of a board of 4,900 cells the page requests kilobytes, shows all cells,
// lists the first moves, and plays.
func TestLargestBoard(t *testing.T) {
	b := opened(t, "#game=mnk-70x70k5")
	b.wait("document.querySelectorAll('[data-cell]').length === 4900 && document.querySelector('#moves li:last-child').textContent === 'and 4,600 moves more'")
	b.click("#hints") // values of moves are not the point here
	b.click("[data-cell=b2]")
	b.wait("document.body.dataset.ply === '1' && document.querySelector('[data-cell=b2] .stroke')")
	const answers = "performance.getEntriesByType('resource').filter((e) => e.name.includes('/games/mnk-70x70k5/')).map((e) => e.encodedBodySize)"
	if got := eval[[]int](b, answers); len(got) < 2 || max(got[0], got[1]) > 100_000 {
		t.Errorf("answers of %d bytes", got)
	}
}

// TestHalfSent: while another client holds 300 connections with half a header, each after one
// whole request, the page loads and plays.
func TestHalfSent(t *testing.T) {
	start(t)
	t.Parallel()
	s := newServer(t, world.service)
	l, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	for range 300 {
		c, err := from.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Skip("this machine has one loopback address: ", err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := io.WriteString(c, "GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 64<<10)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "GET"); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, "http://"+l.Addr().String(), "#game=mnk-3x3k3&players=o:perfect", width, height)
	b.known(0)
	b.click("[data-cell=b2]")
	b.known(2)
}
