package prove

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"perfectplay/game/mnk"
)

// plainLambda is λ-search by its definition, the reference: every move, every reply, windows
// from the list and a map as memory. A λ-win of order 0 completes a window. One of order n
// leaves a win of a lower order if the loser passes, and one of order n after each reply.
type plainLambda struct {
	*plainWins
	memo map[[3]uint64]bool
}

func (p *plainLambda) won(s uint64) bool { return p.line(low(s)) }

// attack reports a λ-win of an order up to n with the winner to move.
func (p *plainLambda) attack(w, l uint64, n int) (win bool) {
	key := [3]uint64{w, l, uint64(n)}
	if v, ok := p.memo[key]; ok {
		return v
	}
	free := p.cells.Lo &^ (w | l)
	for x := free; x != 0 && !win; x &= x - 1 {
		c := x & -x
		if win = p.won(w | c); win || n == 0 {
			continue
		}
		// The stone c must leave a win of a lower order if the loser passes, and one of order n
		// after each reply.
		if !p.attack(w|c, l, n-1) {
			continue
		}
		win = true
		for y := free &^ c; y != 0 && win; y &= y - 1 {
			win = !p.won(l|y&-y) && p.attack(w|c, l|y&-y, n)
		}
	}
	p.memo[key] = win
	return win
}

// TestLambda compares λ-wins with the definition and with the wins of brute force, and puts
// more of the loser's stones outside the zones.
func TestLambda(t *testing.T) {
	for _, sh := range [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 5, 3}, {4, 4, 4}, {2, 7, 4}, {5, 5, 4}, {1, 9, 3}, {4, 5, 3}, {6, 6, 4}, {7, 4, 4}, {3, 6, 5}, {6, 6, 5}} {
		g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
		l := g.Lines64()
		ref := &plainLambda{newPlainWins(t, g), map[[3]uint64]bool{}}
		s := newLambda64(l, 1<<16)
		rng := rand.New(rand.NewPCG(uint64(sh[0]), uint64(sh[2])))
		wins := 0
		check := func(w, d uint64) {
			want := ref.attack(w, d, 1)
			got, z, move := s.wins(one(w), one(d), 1<<40)
			switch {
			case got != want:
				t.Fatalf("%s, winner %x loser %x: wins %v, want %v", g.ID(), w, d, got, want)
			case got && !ref.wins(low(w), low(d), true):
				t.Fatalf("%s, winner %x loser %x: wins what cannot be won", g.ID(), w, d)
			case got:
				wins++
				after := func(w, d uint64, attack bool) bool {
					return !ref.won(d) && (ref.won(w) || ref.wins(low(w), low(d), attack))
				}
				checkLambdaWin(t, g, rng, w, d, z.Lo, move, after)
			}
		}
		for tries := 0; tries < 30; {
			// This leaves out most positions that one stone decides.
			a, b := ref.randomStones(rng, g.Cells()-4-rng.IntN(min(6, g.Cells()-3)))
			w, d := a.Lo, b.Lo
			if free := g.Cells() - bits.OnesCount64(w|d); free <= 10 && (!ref.attack(w, d, 0) || rng.IntN(20) == 0) {
				check(w, d)
				tries++
			}
		}
		t.Logf("%s: %d wins", g.ID(), wins)
	}
}

// checkLambdaWin checks the move and the zone of a λ-win; after returns the winner by brute
// force.
func checkLambdaWin(t *testing.T, g *mnk.Game, rng *rand.Rand, w, d, zone uint64, move int, after func(w, d uint64, attack bool) bool) {
	t.Helper()
	free := g.Lines64().Cells.Lo &^ (w | d)
	if move < 0 || free>>move&1 == 0 || zone&^free != 0 {
		t.Fatalf("%s, winner %x loser %x: cell %d, zone %x", g.ID(), w, d, move, zone)
	}
	if !after(w|1<<move, d, false) {
		t.Fatalf("%s, winner %x loser %x: a λ-win by cell %d, which does not win", g.ID(), w, d, move)
	}
	for try := range 3 {
		e := free &^ zone
		if try > 0 {
			e &= rng.Uint64()
		}
		if !after(w, d|e, true) {
			t.Fatalf("%s, winner %x loser %x: zone %x does not stand against %x", g.ID(), w, d, zone, e)
		}
	}
}

// TestLambdaLarge looks at boards too large for the definition: the proof search must agree
// with every win, its move and its zone.
func TestLambdaLarge(t *testing.T) {
	for _, sh := range [][3]int{{5, 5, 4}, {6, 5, 4}, {6, 6, 4}, {7, 4, 4}, {7, 7, 4}, {6, 6, 5}} {
		g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
		l := g.Lines64()
		p := openProver(t, g, Options{Threads: 1, Memory: 4 << 20})
		after := func(w, d uint64, attack bool) bool {
			seat := 1
			if attack {
				seat = 0
			}
			return !l.Won(one(d)) && (l.Won(one(w)) || p.CanWin(t.Context(), low(w), low(d), seat, 0).Won)
		}
		s := newLambda64(l, 1<<20)
		ref := newPlainWins(t, g)
		rng := rand.New(rand.NewPCG(uint64(sh[1]), 3))
		wins := 0
		for range 40 {
			w, d := ref.randomStones(rng, rng.IntN(g.Cells()/2))
			if got, zone, move := s.wins(narrow64(w), narrow64(d), 20_000); got {
				wins++
				checkLambdaWin(t, g, rng, w.Lo, d.Lo, zone.Lo, move, after)
			}
		}
		t.Logf("%s: %d wins", g.ID(), wins)
	}
}
