package halma

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
)

// TestMovesAgainst puts the next seat one piece away from its win and all other pieces at random,
// and compares the kernel with the mailbox. There is a threat if and only if the next seat could
// win at once if it were to move. After every move that MovesAgainst leaves out, the next seat can
// win at once, and nobody has won.
func TestMovesAgainst(t *testing.T) {
	threats, left, listed := 0, 0, 0
	for _, g := range variants(t) {
		if g.rules.Illegal != NoIllegal || g.seats < 2 {
			continue
		}
		rng, plain := rand.New(rand.NewPCG(uint64(g.board.Cells()), uint64(g.seats))), g.Mailbox()
		for range 100 {
			p := nearWin(g, rng)
			next := (p.seat + 1) % g.seats
			s := g.kernel.newState(g, p)
			if s.Result() != game.Ongoing {
				continue
			}
			waits := *p
			waits.seat = next
			moves := s.Moves(nil)
			got, all, threat := s.(game.ThreatLister).MovesAgainst(nil, -1)
			if could := winsAtOnce(plain.newState(&waits)); threat != (could && !g.race.shared) {
				t.Fatalf("%s %s: %s: threat %t, a win at once %t", g.ID(), g.Rules(), s, threat, could)
			}
			if !threat {
				continue
			}
			if threats++; !all {
				t.Fatalf("%s %s: %s: moves are said to be left out for being slow", g.ID(), g.Rules(), s)
			}
			m := plain.newState(p)
			for _, move := range moves {
				if slices.Contains(got, move) {
					listed++
					continue
				}
				left++
				m.Make(move)
				if m.Result() != game.Ongoing || !winsAtOnce(m) {
					t.Fatalf("%s %s: %s: %s is left out", g.ID(), g.Rules(), s, s.MoveString(move))
				}
				m.Unmake()
			}
		}
	}
	t.Logf("%d threats, %d moves left out, %d listed", threats, left, listed)
	if threats < 1000 || left < 2*listed {
		t.Errorf("%d threats, %d moves left out, %d listed: too few to say anything", threats, left, listed)
	}
}

// nearWin is a random position in which the next seat lacks one piece.
func nearWin(g *Game, rng *rand.Rand) *position {
	p := &position{seat: rng.IntN(g.seats)}
	next := (p.seat + 1) % g.seats
	var occ bitboard.Set128
	put := func(seat int, from bitboard.Set128) {
		from = from.AndNot(occ)
		if from.IsEmpty() {
			return
		}
		for range rng.IntN(from.Count()) {
			from = from.DropMin()
		}
		occ, p.own[seat] = occ.With(from.Min()), p.own[seat].With(from.Min())
	}
	var open bitboard.Set128
	for cell := range g.board.Cells() {
		open = open.With(cell)
	}
	n := g.board.Pieces()
	others := rng.IntN(2) == 0 // pieces of other seats may stand in the goal, too
	for range min(n, g.goal[next].Count()) - 1 {
		if seat := rng.IntN(g.seats); others && seat != next {
			put(seat, g.goal[next])
		} else {
			put(next, g.goal[next])
		}
	}
	for p.own[next].Count() < n {
		put(next, open.AndNot(g.goal[next]))
	}
	for seat := range g.seats {
		for seat != next && p.own[seat].Count() < n {
			put(seat, open)
		}
	}
	return p
}

func winsAtOnce(s game.State) bool {
	seat := s.Seat()
	return slices.ContainsFunc(s.Moves(nil), func(m game.Move) bool {
		s.Make(m)
		defer s.Unmake()
		return int(s.Result()) == seat
	})
}
