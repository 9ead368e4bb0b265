package retro_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/game"
	"perfectplay/solve/retro"
)

// farsighted is a toy of two seats that sees ends ahead. The seat that moves last wins. Positions
// that end alike share one number, that of the first of these positions.
type farsighted struct {
	backwards
	number []int // number of each position
}

func newFarsighted(rng *rand.Rand, places, most int) farsighted {
	t := newToy(rng, 2, places, most)
	for n, r := range t.result {
		if _, won := r.Winner(); won {
			t.result[n] = game.Result((n + 1) % 2)
		}
	}
	g := farsighted{backwards{numbered{t}}, nil}
	shared := map[[2]int]int{}
	for n := range t.to {
		g.number = append(g.number, n)
		if t.hole[n] {
			continue
		}
		end := game.Ending(g.at(n), 2)
		if end < 0 {
			continue
		}
		_, won := t.result[n].Winner()
		alike := [2]int{end, map[bool]int{true: 1}[won]}
		if first, ok := shared[alike]; ok {
			g.number[n] = first
		} else {
			shared[alike] = n
		}
	}
	return g
}

func (g farsighted) at(n int) *sees { return &sees{unmover{place{toy: g.toy, at: n}}, g.number} }

func (g farsighted) Start() game.State { return g.at(0) }

func (g farsighted) Number(s game.State) uint64 { return uint64(g.number[g.numbered.Number(s)]) }

func (g farsighted) At(s game.State, n uint64) bool {
	return g.number[n] == int(n) && g.numbered.At(s, n)
}

type sees struct {
	unmover
	number []int
}

func (s *sees) Clone() game.State { return &sees{unmover{place{toy: s.toy, at: s.at}}, s.number} }

func (s *sees) Before(buf []uint64) []uint64 { return s.share(s.unmover.Before(buf)) }
func (s *sees) After(buf []uint64) []uint64  { return s.share(s.unmover.After(buf)) }

func (s *sees) share(list []uint64) []uint64 {
	for i, n := range list {
		list[i] = uint64(s.number[n])
	}
	return list
}

// wins returns the index of a move from place n that wins at once, −1 if there is none.
func (t *toy) wins(n int) int {
	return slices.IndexFunc(t.to[n], func(to int) bool { return t.result[to] == game.Result(n%2) })
}

func (s *sees) WinningMove() game.Move {
	if i := s.wins(s.at); i >= 0 {
		return game.Move(i)
	}
	return game.NoMove
}

func (s *sees) SafeMoves(buf []game.Move) []game.Move {
	for i, to := range s.to[s.at] {
		if s.wins(to) < 0 {
			buf = append(buf, game.Move(i))
		}
	}
	return buf
}

// TestAhead compares solutions of games that see ends ahead with the plain definition, also at
// positions that share a number.
func TestAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 28))
	alike, longest := 0, 0
	for round := range 150 {
		g := newFarsighted(rng, 1+rng.IntN(400), 1+rng.IntN(6))
		// Positions with up to 500 moves: such counts are also codes of ends ahead.
		if round%50 == 0 {
			g = newFarsighted(rng, 700, 500)
		}
		for name, o := range map[string]retro.Options{"unmoves": {Threads: 2}, "graph": {Method: retro.Graph}} {
			s, err := retro.Solve(t.Context(), g, o)
			if err != nil {
				t.Fatalf("round %d, %s: %v", round, name, err)
			}
			wins, losses := g.plain(1), g.plain(2)
			for n := range g.to {
				if g.hole[n] {
					continue
				}
				want, in := worth(wins[n], losses[n])
				if n%2 == 1 {
					want = want.Negate()
				}
				if v, d, ok := s.Value(g.at(n)); !ok || v != want || d != in {
					t.Fatalf("round %d, %s: %v in %d at %d, want %v in %d", round, name, v, d, n, want, in)
				}
				if g.number[n] != n {
					alike++
				}
				longest = max(longest, in)
			}
			walk(t, s)
		}
	}
	if alike < 10_000 || longest < 10 {
		t.Errorf("%d positions share numbers, the longest win takes %d plies", alike, longest)
	}
}
