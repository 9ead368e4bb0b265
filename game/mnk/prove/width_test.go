package prove

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/mnk"
)

// none has no stones, and low(x) is a set of one word.
var none bitboard.Set128

func low(x uint64) bitboard.Set128 { return bitboard.Set128{Lo: x} }

// one(x) is low(x) for the searches of one word.
func one(x uint64) bitboard.Set64 { return bitboard.Set64{Lo: x} }

// certified returns the certificate of a claim.
func certified(t testing.TB, g *mnk.Game, claim Claim, s Strategy) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Certify(t.Context(), g, claim, s, Room{Bits: 12}, &b, nil); err != nil {
		t.Fatalf("%s: %v", g.ID(), err)
	}
	return b.Bytes()
}

// TestWide proves small boards in both forms: with tables that lose nothing they are the
// same search, node for node, to the end or a limit, and write the same certificate.
func TestWide(t *testing.T) {
	for _, id := range []string{"mnk-3x3k3", "mnk-4x3k3", "mnk-4x4k4", "mnk-5x5k4", "mnk-6x5k4", "mnk-4x7k3", "mnk-2x32k3", "mnk-64x1k2", "mnk-7x7k5", "mnk-8x8k5", "mnk-8x8k8", "mnk-6x6k6", "mnk-1x1k1"} {
		g := gameOf(t, id)
		if testing.Short() && g.Cells() > 25 && g.Cells() < 64 {
			continue // boards that take seconds; those of a whole word stay
		}
		for method := range Methods() {
			for _, cuts := range []Cuts{{NoLambda: true}, {NoLambda: true, NoZone: true, NoSymmetry: true}, {}} {
				o := Options{Threads: 1, Memory: 4 << 20, Method: Method(method), Cuts: cuts, Nodes: 10_000}
				narrow, err := newProver64(g, o)
				if err != nil {
					t.Fatal(err)
				}
				wide, err := newProver128(g.Wide(), o)
				if err != nil {
					t.Fatal(err)
				}
				for narrow.t.t.Grow() {
				}
				for wide.t.t.Grow() {
				}
				p, w := &Prover{narrow}, &Prover{wide}
				v, r := p.Value(t.Context())
				vw, rw := w.Value(t.Context())
				// The caches of λ-searches lose different entries in the two forms: nodes are
				// equal only without them.
				if r.Known && rw.Known && v != vw || cuts.NoLambda && (v != vw || r.Nodes != rw.Nodes || r.Leaves != rw.Leaves || r.Hits != rw.Hits || r.Move != rw.Move) {
					t.Errorf("%s by %s with %+v: %v %+v, wide %v %+v", id, Methods()[method], cuts, v, r, vw, rw)
				}
				if !r.Known || !rw.Known {
					p.Close()
					w.Close()
					continue
				}
				claim := Claim{Win: v == game.Win}
				a, b := certified(t, g, claim, p.Solver(t.Context(), claim)), certified(t, g.Wide(), claim, w.Solver(t.Context(), claim))
				if cuts.NoLambda && !bytes.Equal(a, b) {
					t.Errorf("%s by %s with %+v: certificates of %d and %d bytes", id, Methods()[method], cuts, len(a), len(b))
				}
				p.Close()
				w.Close()
			}
		}
	}
}

// plainWide is plainWins for any board of at most 128 cells.
type plainWide struct {
	windows [][]int
	memo    map[[5]uint64]bool
}

func (p *plainWide) line(s bitboard.Set128) bool {
	for _, w := range p.windows {
		n := 0
		for _, c := range w {
			if s.Has(c) {
				n++
			}
		}
		if n == len(w) {
			return true
		}
	}
	return false
}

// wins reports whether the attacker completes a window first; free are the empty cells.
func (p *plainWide) wins(a, d, free bitboard.Set128, attack bool) bool {
	key := [5]uint64{a.Lo, a.Hi, d.Lo, d.Hi, bit(attack)}
	if won, ok := p.memo[key]; ok {
		return won
	}
	won := !attack && !free.IsEmpty()
	for c := range free.Cells() {
		var after bool
		if attack {
			after = p.line(a.With(c)) || p.wins(a.With(c), d, free.Without(c), false)
		} else {
			after = !p.line(d.With(c)) && p.wins(a, d.With(c), free.Without(c), true)
		}
		if after == attack {
			won = attack
			break
		}
	}
	p.memo[key] = won
	return won
}

// crowded returns stones that complete no window and leave at least the given number of
// cells empty, some of them next to each other.
func (p *plainWide) crowded(rng *rand.Rand, cells, empty int) (a, d bitboard.Set128) {
	keep := none
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

var wideBoards = [][3]int{{9, 8, 4}, {3, 22, 3}, {10, 10, 5}, {16, 8, 4}, {2, 64, 3}, {1, 70, 4}, {70, 1, 3}, {11, 11, 6}, {13, 9, 7}, {9, 9, 8}}

// TestWideAgainstPlain compares both searches of wide boards with play without any cut, and
// tests the zones.
func TestWideAgainstPlain(t *testing.T) {
	for _, sh := range wideBoards {
		t.Run(fmt.Sprintf("%dx%dk%d", sh[0], sh[1], sh[2]), func(t *testing.T) {
			g := gameOf(t, mnk.ID(sh[0], sh[1], sh[2]))
			all := bitboard.First128(g.Cells())
			plain := &plainWide{listWindows(sh[0], sh[1], sh[2]), map[[5]uint64]bool{}}
			rng := rand.New(rand.NewPCG(uint64(sh[0]), uint64(sh[1])))
			var provers []*prover128
			for _, c := range cutSets() {
				p, err := newProver128(g, Options{Threads: 1, Memory: MinMemory, Cuts: c})
				if err != nil {
					t.Fatal(err)
				}
				s := p.pool[0]
				s.stop, s.shared = new(atomic.Bool), new(atomic.Uint64)
				provers = append(provers, p)
			}
			values, zones := [2]int{}, 0
			for range 60 {
				a, d := plain.crowded(rng, g.Cells(), 2+rng.IntN(7))
				free := all.AndNot(a.Or(d))
				if free.Count() > 10 {
					continue
				}
				attack := rng.IntN(2) == 0
				clear(plain.memo)
				want := plain.wins(a, d, free, attack)
				values[bit(want)]++
				for i, p := range provers {
					s := p.pool[0]
					if left := rng.IntN(5); left < 4 { // leaves entries of a search cut short
						if won, _, sure := s.search(a, d, attack, 0, left); won != want && (won || sure) {
							t.Fatalf("cuts %+v, %s, attack=%v, %d moves: %v and %v, want %v", cutSets()[i], g.Text(a, d), attack, left, won, sure, want)
						}
					}
					won, zone, sure := s.search(a, d, attack, 0, endless)
					if won != want || !sure {
						t.Fatalf("cuts %+v, %s, attack=%v: %v, want %v", cutSets()[i], g.Text(a, d), attack, won, want)
					}
					if phi, _ := s.proofNumbers(a, d, attack, infinitePN, infinitePN, 0); phi == 0 != want {
						t.Fatalf("cuts %+v, %s, attack=%v by proof numbers: %v, want %v", cutSets()[i], g.Text(a, d), attack, phi == 0, want)
					}
					// Outside its zone the opponent may have any stones.
					extra := none
					for c := range free.AndNot(zone).Cells() {
						if rng.IntN(2) == 0 {
							extra = extra.With(c)
						}
					}
					a2, d2 := a.Or(extra), d
					if won {
						a2, d2 = a, d.Or(extra)
					}
					if extra.IsEmpty() || plain.line(a2) || plain.line(d2) {
						if !extra.IsEmpty() {
							t.Fatalf("cuts %+v, %s, attack=%v: stones outside the zone %x complete a window", cutSets()[i], g.Text(a, d), attack, zone)
						}
						continue
					}
					zones++
					if left := free.AndNot(extra); !left.IsEmpty() && plain.wins(a2, d2, left, attack) != want {
						t.Fatalf("cuts %+v, %s, attack=%v: zone %x does not hold against %x", cutSets()[i], g.Text(a, d), attack, zone, extra)
					}
				}
			}
			if t.Logf("refuted, won: %v; %d zones", values, zones); values[1] == 0 && g.K() < 6 || values[0] == 0 && g.K() > 3 {
				t.Errorf("positions of one value only: %v", values)
			}
		})
	}
}

// TestWideFacts compares the entries that the table of wide boards returns with the entries stored:
// only zones above cell 109 may be larger.
func TestWideFacts(t *testing.T) {
	for _, sh := range [][2]int{{10, 10}, {11, 10}, {16, 8}, {13, 9}} {
		g := gameOf(t, mnk.ID(sh[0], sh[1], 5))
		tab, err := openFacts128(1<<20, g)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, uint64(sh[0])))
		set := func() bitboard.Set128 {
			return bitboard.Set128{Lo: rng.Uint64(), Hi: rng.Uint64()}.And(bitboard.First128(g.Cells()))
		}
		for range 20_000 {
			x, y, attack := set(), set(), rng.Uint64N(2)
			f := fact128{verdict: verdict(1 + rng.IntN(2)), move: uint8(rng.IntN(noMove128 + 1)), word: set()}
			if rng.IntN(3) == 0 {
				f = openFact128(rng.Uint32(), rng.Uint32(), uint8(rng.IntN(128)))
			}
			tab.store(x, y, attack, f, rng.Uint64N(1000))
			got, ok := tab.load(x, y, attack)
			if other, _ := tab.load(x, y, 1-attack); ok && other == got {
				t.Fatal("found with the other side to move")
			}
			if !ok {
				t.Fatal("lost at once")
			}
			more := got.word.AndNot(f.word)
			got.word = got.word.AndNot(more)
			if got != f || !more.IsEmpty() && (f.verdict == open || g.Cells() <= 110 || !more.Shr(92).Shl(92).AndNot(more).IsEmpty()) || !more.And(bitboard.First128(92)).IsEmpty() {
				t.Fatalf("%s: stored %+v, got %+v and %x more", g.ID(), f, got, more)
			}
		}
		tab.t.Close()
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
