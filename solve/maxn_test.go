package solve

import (
	"math/rand/v2"
	"testing"

	"perfectplay/game"
)

// TestOutlookPacked: an outcome comes back unchanged; plies come back unchanged, or fewer if
// they do not fit; a move of up to 16 bits comes back, a longer one is left out.
func TestOutlookPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
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

// TestOutlooksMerged: a merged payload says all that both payloads say, and has the newer move if
// there is one.
func TestOutlooksMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 20_000 {
		seats := 1 + rng.IntN(maxSeats)
		winner, distance := rng.IntN(seats), 1+rng.IntN(60)
		truth := func() (o outlook) {
			if rng.IntN(3) == 0 {
				return outlook{decided: true, winner: winner, distance: distance}
			}
			for s := range seats {
				if o.over[s] = rng.IntN(distance); s != winner && rng.IntN(2) == 0 {
					o.over[s] = endless
				}
			}
			return o
		}
		move := func() game.Move { return []game.Move{game.NoMove, game.Pass, 1, 2}[rng.IntN(4)] }
		old, now, oldMove, newMove := truth(), truth(), move(), move()
		p := mergeOutlooks(seats)(old.pack(oldMove, 0, seats), now.pack(newMove, 0, seats))
		var got outlook
		got.unpack(p, 0, seats)
		switch {
		case old.decided || now.decided:
			if !got.decided || got.winner != winner || got.distance != distance {
				t.Fatalf("%+v and %+v: together %+v", old, now, got)
			}
		default:
			for s := range seats {
				if got.over[s] != max(old.over[s], now.over[s]) {
					t.Fatalf("%+v and %+v: together %+v", old, now, got)
				}
			}
		}
		if newMove == game.NoMove {
			newMove = oldMove
		}
		if hinted(p) != newMove {
			t.Fatalf("moves %x, then %x: together %x", oldMove, newMove, hinted(p))
		}
	}
}

// TestBoundsOfOneSeat: the table learns a bound for seat 1 at a position where this seat has a
// better result, and uses the bound later. At one position seat 1 has a draw or an early win, at
// another, two rounds later, a draw. From both positions a forced chain also leads to a late win of
// seat 1, so no draw there is final.
func TestBoundsOfOneSeat(t *testing.T) {
	for seats := 2; seats <= 4; seats++ {
		for far := 6; far <= 10; far += 4 {
			for _, soon := range []int{0, 2} { // plies of a win at once, 0 for a draw
				m := newMaker()
				m.seats = seats
				root := m.node(game.Ongoing)
				draw, win := m.end(game.Drawn), m.end(1)
				way, hand := m.walk(win, far), draw
				if soon > 0 {
					hand = m.walk(win, soon)
				}
				early := m.node(game.Ongoing, hand, way)
				late := m.walk(m.node(game.Ongoing, draw, way), 2*seats)
				m.edges[root] = []int{early, late}
				for limit := 1; limit <= far+2*seats+4; limit++ {
					o := Options{Algo: MaxN, Limit: limit, Threads: 1, Memory: 1 << 16, Direct: limit%3 == 0, eager: limit%2 == 0}
					if err := checkToy(m.toy, o); err != nil {
						t.Errorf("%d seats, a win after %d plies and after %d, limit %d: %v", seats, far, soon, limit, err)
					}
				}
			}
		}
	}
}
