package halma

import (
	"flag"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"perfectplay/bitboard"
	"perfectplay/game"
)

var exhaustive = flag.Bool("exhaustive", false, "count all sets of 6 cells of 51 in the test of the code without a proof")

// TestCodeExhaustive: no two sets of p of n cells share a word. The test matters most for the code
// of length 51, whose distance does not follow from the BCH bound. A code for fewer cells is the
// same code cut short.
func TestCodeExhaustive(t *testing.T) {
	cases := []struct{ n, p int }{{13, 1}, {37, 3}, {49, 4}, {25, 4}, {64, 3}, {121, 2}, {121, 3}, {36, 6}, {25, 3}}
	if *exhaustive {
		cases = append(cases, struct{ n, p int }{51, 6}, struct{ n, p int }{121, 4})
	}
	for _, c := range cases {
		code := newCode(c.n, c.p)
		var words []uint64
		var add func(first, left int, word uint64)
		add = func(first, left int, word uint64) {
			if left == 0 {
				words = append(words, word)
				return
			}
			for i := first; i+left <= c.n; i++ {
				add(i+1, left-1, word^code.col[i])
			}
		}
		add(0, c.p, 0)
		slices.Sort(words)
		n := len(words)
		if got := len(slices.Compact(words)); got != n {
			t.Errorf("%d of %d cells in %d bits: %d sets share words", c.p, c.n, code.bits, n-got)
		}
		t.Logf("%d of %d cells in %d bits: %d sets", c.p, c.n, code.bits, n)
	}
}

// TestCodeDistance checks the theorem behind the larger codes. A cell's word consists of the
// powers 1, 3, 5 … 2p−1 of an element of the field. If the words of a set summed to zero, so
// would the powers 1 … 2p of its elements, which a Vandermonde matrix excludes for 2p or fewer
// elements. Checked here: the elements differ, the bits left out depend on those kept, and
// random small sets do not sum to zero.
func TestCodeDistance(t *testing.T) {
	for _, c := range []struct{ n, p, bits int }{{73, 6, 42}, {121, 10, 63}, {121, 6, 42}, {64, 6, 42}, {49, 10, 45}, {81, 10, 63}, {100, 10, 63}} {
		code := newCode(c.n, c.p)
		if code.bits != c.bits {
			t.Errorf("%d of %d cells in %d bits, want %d", c.p, c.n, code.bits, c.bits)
		}
		f := newField(bits.Len(uint(c.n)))
		seen := map[uint16]bool{}
		for _, x := range f.pow {
			if x == 0 || seen[x] {
				t.Fatalf("GF(2^%d): the powers repeat", f.m)
			}
			seen[x] = true
		}
		rng := rand.New(rand.NewPCG(3, 3))
		for range 200_000 {
			var word uint64
			var set bitboard.Set128
			for k := 1 + rng.IntN(2*c.p); set.Count() < k; {
				if i := rng.IntN(c.n); !set.Has(i) {
					set = set.With(i)
					word ^= code.col[i]
				}
			}
			if word == 0 {
				t.Fatalf("%d of %d cells: %v sums to nothing", c.p, c.n, set)
			}
		}
		for r := 1; r < 2*c.p; r += 2 {
			for b := range f.m {
				var row [2]uint64
				for i := range c.n {
					row[i>>6] |= uint64(f.pow[i*r%len(f.pow)]>>b&1) << (i & 63)
				}
				if !spanned(code, row) {
					t.Fatalf("%d of %d cells: bit %d of power %d is not a sum of the kept bits", c.p, c.n, b, r)
				}
			}
		}
	}
}

// spanned reports whether a row is a sum of the code's rows.
func spanned(c code, row [2]uint64) bool {
	rows := make([][2]uint64, c.bits)
	for b := range rows {
		for i, w := range c.col {
			rows[b][i>>6] |= w >> b & 1 << (i & 63)
		}
	}
	for i := range c.col {
		w, b := i>>6, i&63
		pivot := -1
		for j, r := range rows {
			if r[w]>>b&1 != 0 {
				pivot = j
				break
			}
		}
		if pivot < 0 {
			continue
		}
		p := rows[pivot]
		rows = slices.Delete(rows, pivot, pivot+1)
		for j := range rows {
			if rows[j][w]>>b&1 != 0 {
				rows[j][0] ^= p[0]
				rows[j][1] ^= p[1]
			}
		}
		if row[w]>>b&1 != 0 {
			row[0] ^= p[0]
			row[1] ^= p[1]
		}
	}
	return row == [2]uint64{}
}

// TestKeySymmetry turns and mirrors positions of play: the key does not change, or differs if
// the mirror does not keep the camps.
func TestKeySymmetry(t *testing.T) {
	for i, g := range variants(t) {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		b := g.board
		s := g.Start()
		for ply := 0; ply < 60 && s.Result() == game.Ongoing; ply++ {
			p := *s.(interface{ position() *position }).position()
			key := keyOf(s)
			turned := p
			if g.seats == 2 {
				turned = moved(g, p, symTurn)
			}
			for sym := 1; sym < 4; sym++ {
				if g.seats > 2 && sym&symTurn != 0 {
					continue // no position of the game's seats
				}
				q := moved(g, p, sym)
				if g.seats > 2 && closedTo(g, q) {
					continue // no position of the game
				}
				want := g.seats == 2 && (sym&symMirror == 0 || b.mirror) || q == p || q == turned
				if got := keyOf(g.kernel.newState(g, &q)); (got == key) != want {
					t.Fatalf("%s %s %s: symmetry %d: key %x, was %x, want same %v", g.ID(), g.Rules(), s, sym, got, key, want)
				}
			}
			moves := s.Moves(nil)
			s.Make(moves[rng.IntN(len(moves))])
		}
	}
}

func closedTo(g *Game, p position) bool {
	for seat := range g.seats {
		for r := p.own[seat]; !r.IsEmpty(); r = r.DropMin() {
			if g.closed(seat, r.Min()) {
				return true
			}
		}
	}
	return false
}

// moved applies a symmetry of the board to a position; half a turn exchanges the two seats.
func moved(g *Game, p position, sym int) position {
	q := position{seat: p.seat}
	for seat := range g.seats {
		to := seat
		if sym&symTurn != 0 {
			to = 1 - seat
		}
		for r := p.own[seat]; !r.IsEmpty(); r = r.DropMin() {
			q.own[to] = q.own[to].With(int(g.board.perm[sym][r.Min()]))
		}
	}
	if sym&symTurn != 0 {
		q.seat = 1 - p.seat
	}
	return q
}

func keyOf(s game.State) (key [6]uint64) {
	s.(game.Keyer).Key(key[:])
	return key
}

func TestKeyWords(t *testing.T) {
	for rules, keys := range map[string]map[string]int{
		"base": {
			"halma-star13-2p": 1, "halma-star37-2p": 1, "halma-star73-2p": 2, "halma-star121-2p": 2,
			"halma-5x5p6": 1, "halma-6x6p6": 1, "halma-7x7p6": 1, "halma-8x8p6": 2, "halma-11x11p10": 2, "halma-11x11p4": 1,
			"halma-star37-3p": 1, "halma-star37-4p": 2, "halma-star37-6p": 2, "halma-star73-3p": 2, "halma-star121-6p": 6,
		},
		"house": { // rule set house closes tips
			"halma-star37-3p": 1, "halma-star37-4p": 1, "halma-star37-6p": 2, "halma-star73-3p": 2, "halma-star73-6p": 4,
		},
	} {
		for id, want := range keys {
			g, err := ByID(id, rules)
			if err != nil {
				t.Fatal(err)
			}
			if got := g.Start().(game.Keyer).KeyWords(); got != want {
				t.Errorf("%s %s: keys of %d words, want %d", id, rules, got, want)
			}
		}
	}
}
