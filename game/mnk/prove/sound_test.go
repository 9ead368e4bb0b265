package prove

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// plainWins answers the prover's question from the rules alone: by trying all
// moves, with windows from the list and a map as memory. It is the reference.
type plainWins struct {
	windows []bitboard.Set128
	cells   bitboard.Set128
	memo    map[[5]uint64]bool
}

func newPlainWins(t testing.TB, g *mnk.Game) *plainWins {
	r := newReplay(t.Context(), g, Claim{}, nil)
	return &plainWins{r.windows, r.cells, map[[5]uint64]bool{}}
}

func (p *plainWins) line(s bitboard.Set128) bool {
	return slices.ContainsFunc(p.windows, func(w bitboard.Set128) bool { return w.AndNot(s).IsEmpty() })
}

// wins reports whether the attacker can complete a window first. Nobody has. Stones of both are
// walls.
func (p *plainWins) wins(a, d bitboard.Set128, attack bool) bool {
	key := [5]uint64{a.Lo, a.Hi, d.Lo, d.Hi, bit(attack)}
	if won, ok := p.memo[key]; ok {
		return won
	}
	free := p.cells.AndNot(a.Or(d))
	won := !attack && !free.IsEmpty()
	for c := range free.Cells() {
		var after bool
		if attack {
			after = p.line(a.With(c).AndNot(d)) || p.wins(a.With(c), d, false)
		} else {
			after = !p.line(d.With(c).AndNot(a)) && p.wins(a, d.With(c), true)
		}
		if after == attack {
			won = attack
			break
		}
	}
	p.memo[key] = won
	return won
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// small are boards that the reference can search, of different shapes and k; wideBoards have more
// than 64 cells.
var small = [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 5, 3}, {4, 4, 3}, {4, 4, 4}, {5, 3, 3}, {2, 7, 4}, {5, 4, 4}, {2, 6, 2}, {1, 9, 3}, {3, 6, 5}, {4, 5, 5}}

var wideBoards = [][3]int{{9, 8, 4}, {3, 22, 3}, {10, 10, 5}, {16, 8, 4}, {2, 64, 3}, {1, 70, 4}, {70, 1, 3}, {11, 11, 6}, {13, 9, 7}, {9, 9, 8}}

// randomStones puts stones on a board without finishing a window: mostly equal numbers,
// sometimes far more of one side, as in positions with added stones outside a zone.
func (p *plainWins) randomStones(rng *rand.Rand, n int) (a, d bitboard.Set128) {
	skew := rng.IntN(4) == 0
	for range n * 3 {
		if a.Or(d).Count() >= n {
			break
		}
		c := rng.IntN(p.cells.Count())
		if a.Or(d).Has(c) {
			continue
		}
		toA := a.Count() <= d.Count()
		if skew {
			toA = rng.IntN(2) == 0
		}
		if toA && !p.line(a.With(c)) {
			a = a.With(c)
		} else if !toA && !p.line(d.With(c)) {
			d = d.With(c)
		}
	}
	return a, d
}

// crowded returns stones that complete no window and leave at least the given number of
// cells empty, some of them next to each other.
func (p *plainWins) crowded(rng *rand.Rand, empty int) (a, d bitboard.Set128) {
	cells, keep := p.cells.Count(), none
	for c := rng.IntN(cells); keep.Count() < empty; c = (c + 1 + rng.IntN(3)) % cells {
		keep = keep.With(c)
	}
	for _, c := range rng.Perm(cells) {
		switch {
		case keep.Has(c):
		case rng.IntN(2) == 0 && !p.line(a.With(c)):
			a = a.With(c)
		case !p.line(d.With(c)):
			d = d.With(c)
		case !p.line(a.With(c)):
			a = a.With(c)
		}
	}
	return a, d
}

// cutSets returns sets of cuts: each part switched off alone, and all together.
func cutSets() []Cuts {
	return []Cuts{
		{}, {NoWeight: true}, {NoPairing: true}, {NoZone: true}, {NoForks: true}, {NoSymmetry: true}, {NoWalls: true}, {NoLambda: true},
		{PairingFrom: 1, SymmetryTo: 64}, {NoWeight: true, PairingFrom: 1}, {NoWeight: true, NoPairing: true, NoZone: true, NoForks: true, NoSymmetry: true, NoWalls: true, NoLambda: true},
	}
}

// cutSearch is a search of either width with some cuts.
type cutSearch struct {
	cuts    Cuts
	search  func(a, d bitboard.Set128, attack bool, left int) (won bool, zone bitboard.Set128, sure bool)
	numbers func(a, d bitboard.Set128, attack bool) (won bool)
}

// cutSearches returns the searches of a board with all sets of cuts, each with a small table.
func cutSearches(t *testing.T, g *mnk.Game) (list []cutSearch) {
	for _, cuts := range cutSets() {
		p := openProver(t, g, Options{Threads: 1, Memory: MinMemory, Cuts: cuts})
		c := cutSearch{cuts: cuts}
		switch p := p.searches.(type) {
		case *prover64:
			s := p.pool[0]
			s.stop, s.shared = new(atomic.Bool), new(atomic.Uint64)
			c.search = func(a, d bitboard.Set128, attack bool, left int) (bool, bitboard.Set128, bool) {
				won, zone, sure := s.search(narrow64(a), narrow64(d), attack, 0, left)
				return won, wide64(zone), sure
			}
			c.numbers = func(a, d bitboard.Set128, attack bool) bool {
				phi, _ := s.proofNumbers(narrow64(a), narrow64(d), attack, infinitePN, infinitePN, 0)
				return phi == 0
			}
		case *prover128:
			s := p.pool[0]
			s.stop, s.shared = new(atomic.Bool), new(atomic.Uint64)
			c.search = func(a, d bitboard.Set128, attack bool, left int) (bool, bitboard.Set128, bool) {
				return s.search(a, d, attack, 0, left)
			}
			c.numbers = func(a, d bitboard.Set128, attack bool) bool {
				phi, _ := s.proofNumbers(a, d, attack, infinitePN, infinitePN, 0)
				return phi == 0
			}
		}
		list = append(list, c)
	}
	return list
}

// TestAgainstPlain compares the answers and zones of both searches with the reference on random
// positions with few empty cells, on boards of both widths. A zone must hold whatever stones its
// opponent gets outside of it.
func TestAgainstPlain(t *testing.T) {
	for _, sh := range append(small, wideBoards...) {
		t.Run(fmt.Sprintf("%dx%dk%d", sh[0], sh[1], sh[2]), func(t *testing.T) {
			g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
			wide, rounds := g.Lines64() == nil, 700
			if wide {
				rounds = 60
			}
			ref, searches := newPlainWins(t, g), cutSearches(t, g)
			rng := rand.New(rand.NewPCG(uint64(sh[0]), uint64(sh[1])))
			values, zones, unsure := [2]int{}, 0, 0
			for range rounds {
				var a, d bitboard.Set128
				if wide {
					a, d = ref.crowded(rng, 2+rng.IntN(7))
				} else {
					a, d = ref.randomStones(rng, g.Cells()-1-rng.IntN(min(11, g.Cells())))
				}
				free := ref.cells.AndNot(a.Or(d))
				if n := free.Count(); n > 12 || wide && n > 10 {
					continue
				}
				if wide || len(ref.memo) > 3_000_000 {
					clear(ref.memo)
				}
				attack := rng.IntN(2) == 0
				want := ref.wins(a, d, attack)
				values[bit(want)]++
				for i, s := range searches {
					fail := func(format string, args ...any) {
						t.Helper()
						t.Fatalf("cuts %+v, %s, attack=%v, want %v: %s", s.cuts, g.Text(a, d), attack, want, fmt.Sprintf(format, args...))
					}
					for _, left := range []int{rng.IntN(4), endless} { // the first leaves entries of a search cut short
						won, zone, sure := s.search(a, d, attack, left)
						if !sure && left != endless && !won {
							unsure++
							continue
						}
						if won != want || !sure {
							fail("with %d moves %v, sure %v", left, won, sure)
						}
						zones++
						for try := range 4 {
							if !wide && i > 0 && zones%7 != 0 {
								break
							}
							more := free.AndNot(zone)
							if try > 0 {
								more = more.And(bitboard.Set128{Lo: rng.Uint64(), Hi: rng.Uint64()})
							}
							a2, d2 := a.Or(more), d
							if won {
								a2, d2 = a, d.Or(more)
							}
							if ref.line(a2) || ref.line(d2) {
								fail("stones %x outside the zone %x complete a window", more, zone)
							}
							if ref.wins(a2, d2, attack) != won {
								fail("the zone %x does not hold against %x", zone, more)
							}
						}
					}
					if won := s.numbers(a, d, attack); won != want {
						fail("by proof numbers %v", won)
					}
				}
			}
			if t.Logf("refuted, won: %v; %d zones, %d searches that ended early", values, zones, unsure); unsure == 0 && !wide && sh[2] > 2 ||
				wide && (values[1] == 0 && g.K() < 6 || values[0] == 0 && g.K() > 3) {
				t.Error("too few kinds of positions")
			}
		})
	}
}

// TestStrips: on boards with lines in one direction alone, pairs of neighbours hold at
// once, however long the board is, and games against the proof confirm it.
func TestStrips(t *testing.T) {
	for _, id := range []string{"mnk-20x1k3", "mnk-40x1k3", "mnk-64x1k3", "mnk-70x1k3", "mnk-32x2k3", "mnk-33x2k3", "mnk-64x2k3", "mnk-70x1k6"} {
		g := gameOf(t, id)
		for _, method := range []Method{Mixed, Zones, ProofNumbers, Deepening} {
			p := openProver(t, g, Options{Threads: 1, Memory: 4 << 20, Nodes: 100, Method: method})
			if r := p.CanWin(context.Background(), none, none, 0, 0); !r.Known || r.Won || r.Nodes > 1 {
				t.Errorf("%s, %s: %+v, want a draw at the first node", id, Methods()[method], r)
			}
			claim := Claim{Attacker: 0}
			if _, err := sample(context.Background(), g, claim, p.Solver(context.Background(), claim), 20, rand.New(rand.NewPCG(1, 2))); err != nil {
				t.Errorf("%s, %s: %v", id, Methods()[method], err)
			}
		}
	}
}

// TestValues proves the values of small and middle boards, each with a known
// value (testdata of package mnk).
func TestValues(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		win     bool
	}{
		{3, 3, 3, false}, {4, 3, 3, true}, {4, 4, 3, true}, {4, 4, 4, false}, {5, 4, 4, false}, {5, 5, 4, false}, {5, 5, 5, false},
		{6, 4, 4, false}, {6, 5, 4, true}, {5, 6, 4, true}, {6, 6, 4, true}, {6, 6, 5, false}, {6, 6, 6, false}, {7, 5, 4, true},
		{7, 5, 5, false}, {7, 6, 6, false}, {7, 7, 6, false}, {7, 7, 7, false}, {8, 8, 8, false}, {1, 1, 1, true}, {2, 2, 2, true}, {8, 8, 3, true},
	} {
		g := gameOf(t, mnk.ID(c.m, c.n, c.k))
		for _, threads := range []int{1, 2} {
			p := openProver(t, g, Options{Threads: threads, Memory: 16 << 20})
			if r := p.CanWin(context.Background(), none, none, 0, 0); !r.Known || r.Won != c.win {
				t.Errorf("%s, %d threads: %+v, want %v", g.ID(), threads, r, c.win)
			}
			// The second player never wins.
			if r := p.CanWin(context.Background(), none, none, 0, 1); c.m*c.n <= 20 && (!r.Known || r.Won) {
				t.Errorf("%s, %d threads: the second player wins: %+v", g.ID(), threads, r)
			}
		}
	}
}
