package solve

import (
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestOutlookPacked packs outlooks at random and takes them out again: an outcome comes
// back as it was; plies come back as they were, or as fewer where they do not fit; a move
// of up to 16 bits comes back, a longer one is left out.
func TestOutlookPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 200_000 {
		seats := 1 + rng.IntN(maxSeats)
		mover := rng.IntN(seats)
		var o, back outlook
		if o.decided = rng.IntN(2) == 0; o.decided {
			o.winner, o.distance = rng.IntN(seats), 1+rng.IntN(1<<15)
		} else {
			for s := range seats {
				if o.over[s] = rng.IntN(80); rng.IntN(4) == 0 {
					o.over[s] = rng.IntN(endless + 1)
				}
			}
		}
		m := game.Move(rng.Uint32N(1 << 24))
		if rng.IntN(2) == 0 {
			m = [...]game.Move{game.Pass, game.NoMove, 0, 1<<16 - 3, 1<<16 - 2, 1<<16 - 1}[rng.IntN(6)]
		}
		p := o.pack(m, mover, seats)
		if p.B != 0 || p.A == 0 || p.A>>outlookBits != 0 {
			t.Fatalf("%+v of %d seats: packed as %x, %x: not zero, and no more than %d bits", o, seats, p.A, p.B, outlookBits)
		}
		want := m
		if m >= 1<<16-2 && m != game.Pass {
			want = game.NoMove
		}
		if got := hinted(p); got != want {
			t.Fatalf("move %x comes back as %x", m, got)
		}
		back.unpack(p, mover, seats)
		most := endless - 1
		if w := overWidth(seats); w < 10 {
			most = 1<<w - 2
		}
		for s := range seats {
			if o.over[s] < endless {
				o.over[s] = min(o.over[s], most)
			}
		}
		if back != o {
			t.Fatalf("%d seats, seat %d to move: packed %+v, back %+v", seats, mover, o, back)
		}
	}
	if w := overWidth(maxSeats); w < 6 {
		t.Errorf("%d bits for the plies of each of %d seats, want 6 or more", w, maxSeats)
	}
}
