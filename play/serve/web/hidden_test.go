//go:build !js

package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"perfectplay/play/explore"
)

// TestHidden plays a deal with hidden hands by clicks. Before the end neither the page nor its
// link names a tile of the other hand; then every move is reviewed, and the deal can be seen
// with open hands.
func TestHidden(t *testing.T) {
	start(t)
	t.Parallel()
	q := explore.HiddenQuery{Game: "domino", Deal: 7, Seat: "starter", Player: "candidates"}
	b := open(t, world.server.URL, "#game=domino&deal=7&seat=starter&player=candidates", width, height)
	const listed = "[...document.querySelectorAll('#record [data-ply]')].slice(1).map((b) => b.ariaLabel.split(': ')[1])"
	seen, advised := map[string]string{}, false // the page's text by moves
	for range 40 {
		b.wait("document.querySelectorAll('#moves [data-move]:not(:disabled)').length || !document.querySelector('#review').hidden")
		moves := eval[[]string](b, listed)
		if eval[bool](b, "!document.querySelector('#review').hidden") {
			q.Moves = moves
			break
		}
		seen[strings.Join(moves, ",")] = eval[string](b, "location.href + document.documentElement.outerHTML")
		if !advised && eval[bool](b, "document.querySelector('#hints').checkVisibility()") {
			b.never("/%/.test(document.querySelector('#moves').textContent)", "advice is shown before it is wished for")
			b.click("#hints")
			b.wait("/[0-9] %/.test(document.querySelector('#moves').textContent)")
			advised = true
		}
		move := b.best()
		b.click("#moves button")
		b.wait(fmt.Sprintf("%s.length > %d && %s[%d] === %q", listed, len(moves), listed, len(moves), move))
	}
	end, err := world.service.Hidden(context.Background(), q)
	if err != nil || !end.Over {
		t.Fatalf("after %v: %+v, %v", q.Moves, end, err)
	}
	c, err := world.service.Course(explore.Query{Game: "domino", Position: end.Position})
	if err != nil {
		t.Fatal(err)
	}
	state := c.State
	for i, move := range q.Moves {
		if html, ok := seen[strings.Join(q.Moves[:i], ",")]; ok {
			_, other, _ := strings.Cut(state.String(), "_")
			other, _, _ = strings.Cut(other, "_")
			for tile := range strings.SplitSeq(other, ".") {
				if len(tile) == 2 && (strings.Contains(html, tile[:1]+"|"+tile[1:]) || strings.Contains(html, tile[1:]+"|"+tile[:1])) {
					t.Errorf("after %v the page holds %s", q.Moves[:i], tile)
				}
			}
		}
		m, err := state.ParseMove(move)
		if err != nil {
			t.Fatal(err)
		}
		state.Make(m)
	}
	if len(seen) < 3 {
		t.Errorf("%d positions were looked at", len(seen))
	}
	for i, r := range end.Review {
		if got := eval[int](b, fmt.Sprintf("+document.querySelectorAll('#review li')[%d].dataset.lost", i)); got != *r.Was.Score-*r.Is.Score {
			t.Errorf("%s is said to lose %d, want %d", r.Move, got, *r.Was.Score-*r.Is.Score)
		}
		if got := eval[bool](b, fmt.Sprintf("/Hidden: /.test(document.querySelectorAll('#review li')[%d].textContent)", i)); got != (r.Advice != nil) {
			t.Errorf("advice on %s is shown: %v", r.Move, got)
		}
	}
	b.click("#review button")
	b.wait("/position=/.test(location.hash) && document.body.dataset.charted === 'yes'")
	if got := eval[int](b, "document.querySelectorAll('#chart .point .dot:not(.open)').length"); got != len(q.Moves)+1 {
		t.Errorf("the chart knows %d plies of %d", got, len(q.Moves)+1)
	}
}
