package prove

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"perfectplay/game/mnk"
)

// plainWins answers the prover's question from the rules alone: by trying all
// moves, with windows from the list and a map as memory. It is the reference.
type plainWins struct {
	l    *mnk.Lines64
	memo map[[3]uint64]bool
}

func (p *plainWins) won(s uint64) bool {
	for _, w := range p.l.All {
		if w.Lo&^s == 0 {
			return true
		}
	}
	return false
}

// wins reports whether the attacker can complete a window first. Nobody has.
func (p *plainWins) wins(a, d uint64, attack bool) (win bool) {
	key := [3]uint64{a, d, 0}
	if attack {
		key[2] = 1
	}
	if v, ok := p.memo[key]; ok {
		return v
	}
	win = !attack
	free := p.l.Cells.Lo &^ (a | d)
	if free == 0 {
		win = false
	}
	for x := free; x != 0; x &= x - 1 {
		c := x & -x
		if attack && (p.won(a|c) || p.wins(a|c, d, false)) {
			win = true
			break
		}
		if !attack && (p.won(d|c) || !p.wins(a, d|c, true)) {
			win = false
			break
		}
	}
	p.memo[key] = win
	return win
}

// small are boards that the reference can search, of different shapes and k.
var small = [][3]int{{3, 3, 3}, {4, 3, 3}, {3, 5, 3}, {4, 4, 3}, {4, 4, 4}, {5, 3, 3}, {2, 7, 4}, {5, 4, 4}, {2, 6, 2}, {1, 9, 3}, {3, 6, 5}, {4, 5, 5}}

// randomStones puts stones on a board without finishing a window: mostly equal numbers,
// sometimes far more of one side, as in positions with added stones outside a zone.
func randomStones(rng *rand.Rand, l *mnk.Lines64, p *plainWins, n int) (a, d uint64) {
	skew := rng.IntN(4) == 0
	for range n * 3 {
		if bits.OnesCount64(a|d) >= n {
			break
		}
		c := uint64(1) << rng.IntN(l.Rows*l.Cols)
		if (a|d)&c != 0 {
			continue
		}
		toA := bits.OnesCount64(a) <= bits.OnesCount64(d)
		if skew {
			toA = rng.IntN(2) == 0
		}
		if toA && !p.won(a|c) {
			a |= c
		} else if !toA && !p.won(d|c) {
			d |= c
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

// TestAgainstPlain compares answers and zones with the reference on random positions with
// few empty cells. A zone must hold whatever stones its opponent gets outside of it.
func TestAgainstPlain(t *testing.T) {
	early := 0
	for _, sh := range small {
		g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
		ref := &plainWins{g.Lines64(), map[[3]uint64]bool{}}
		rng := rand.New(rand.NewPCG(uint64(sh[0]), uint64(sh[1])))
		var provers []*prover64
		for _, c := range cutSets() {
			p, err := newProver64(g, Options{Threads: 1, Memory: MinMemory, Cuts: c})
			if err != nil {
				t.Fatal(err)
			}
			s := p.pool[0]
			s.stop, s.shared = new(atomic.Bool), new(atomic.Uint64)
			provers = append(provers, p)
		}
		zones, unsure := 0, 0
		rounds := 700
		if testing.Short() {
			rounds = 150
		}
		for range rounds {
			empty := 1 + rng.IntN(min(11, g.Cells()))
			a, d := randomStones(rng, g.Lines64(), ref, g.Cells()-empty)
			if bits.OnesCount64(a|d) < g.Cells()-12 {
				continue
			}
			attack := rng.IntN(2) == 0
			want := ref.wins(a, d, attack)
			for i, p := range provers {
				s := p.pool[0]
				left := endless
				if rng.IntN(2) == 0 { // the table also holds entries of searches cut short
					left = rng.IntN(4)
				}
				won, z, sure := s.search(one(a), one(d), attack, 0, left)
				zone := z.Lo
				if !sure {
					unsure++
					if won || left == endless {
						t.Fatalf("%s, cuts %+v, attacker %x defender %x attack=%v, %d moves: %v, and not sure", g.ID(), cutSets()[i], a, d, attack, left, won)
					}
					continue
				}
				if won != want {
					t.Fatalf("%s, cuts %+v, attacker %x defender %x attack=%v: %v, want %v", g.ID(), cutSets()[i], a, d, attack, won, want)
				}
				zones++
				if i > 0 && zones%7 != 0 {
					continue
				}
				extra := g.Lines64().Cells.Lo &^ (a | d | zone)
				for try := range 4 {
					e := extra
					if try > 0 {
						e &= rng.Uint64()
					}
					ea, ed := a|e, d
					if won {
						ea, ed = a, d|e
					}
					if ref.won(ea) || ref.won(ed) {
						t.Fatalf("%s, cuts %+v, attacker %x defender %x attack=%v: zone %x of %v lets the other side have a window", g.ID(), cutSets()[i], a, d, attack, zone, won)
					}
					if ref.wins(ea, ed, attack) != won {
						t.Fatalf("%s, cuts %+v, attacker %x defender %x attack=%v: zone %x of %v does not hold against %x", g.ID(), cutSets()[i], a, d, attack, zone, won, e)
					}
				}
			}
		}
		if len(ref.memo) > 3_000_000 {
			clear(ref.memo)
		}
		t.Logf("%s: %d zones, %d searches that ended early", g.ID(), zones, unsure)
		early += unsure
	}
	if early == 0 {
		t.Error("no search ended early")
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
