package solve

import (
	"testing"

	"perfectplay/game"
	"perfectplay/internal/table"
)

const far = 6

// fate is the truth about a position whose game ends within far plies or never: win and loss are
// the plies in which the side to move wins or loses, infinite if it does not.
type fate struct{ win, loss int }

func fates() (list []fate) {
	for n := 1; n <= far; n++ {
		list = append(list, fate{n, infinite}, fate{infinite, n})
	}
	return append(list, fate{infinite, infinite})
}

func (b bounds) allows(f fate) bool {
	in := func(over, n, by int) bool { return (over < n || n == infinite) && n <= by }
	return in(b.winOver, f.win, b.winBy) && in(b.lossOver, f.loss, b.lossBy)
}

func (f fate) score(d int) int {
	switch {
	case f.win <= d:
		return d + 1 - f.win
	case f.loss <= d:
		return f.loss - d - 1
	}
	return 0
}

// around returns the tightest bounds that allow some fates.
func around(list []fate) bounds {
	b := bounds{infinite, 0, infinite, 0}
	for _, f := range list {
		if f.win < infinite {
			b.winOver = min(b.winOver, f.win-1)
		}
		if f.loss < infinite {
			b.lossOver = min(b.lossOver, f.loss-1)
		}
		b.winBy, b.lossBy = max(b.winBy, f.win), max(b.lossBy, f.loss)
	}
	return b
}

func kept(is func(fate) bool) (list []fate) {
	for _, f := range fates() {
		if is(f) {
			list = append(list, f)
		}
	}
	return list
}

// facts lists all facts made of some numbers, valid or not.
func facts() (list []Fact) {
	numbers := []int{-1, 0, 1, 2, 4, Never, Never + 1} // smaller than far, so that fates tell them apart
	for _, a := range numbers {
		for _, b := range numbers {
			for _, c := range numbers {
				for _, d := range numbers {
					list = append(list, Fact{a, b, c, d, game.NoMove, 0})
				}
			}
		}
	}
	return list
}

// TestFacts compares facts with the sets of fates that they allow.
func TestFacts(t *testing.T) {
	var valid []Fact
	for _, f := range facts() {
		b := f.bounds()
		want := len(kept(b.allows)) > 0 && (f.WinBy == Never || f.LossOver == Never) && (f.LossBy == Never || f.WinOver == Never)
		for _, n := range []int{f.WinOver, f.WinBy, f.LossOver, f.LossBy} {
			want = want && 0 <= n && n <= Never
		}
		if f.Valid() != want {
			t.Errorf("%+v: valid %v", f, f.Valid())
		}
		if !want {
			continue
		}
		valid = append(valid, f)
		for _, is := range fates() {
			value, plies := game.Draw, 0
			switch {
			case is.win < infinite:
				value, plies = game.Win, is.win
			case is.loss < infinite:
				value, plies = game.Loss, is.loss
			}
			if f.Holds(value, plies) != b.allows(is) {
				t.Errorf("%+v: holds %v of %v in %d", f, f.Holds(value, plies), value, plies)
			}
		}
		if back, m := unpack(pack(b, 77)); back != b || m != 77 {
			t.Errorf("%+v: packed, and back as %+v, %d", b, back, m)
		}
	}
	for _, f := range valid {
		for _, g := range valid {
			both := f.bounds().and(g.bounds())
			in := kept(func(is fate) bool { return f.bounds().allows(is) && g.bounds().allows(is) })
			if got := kept(both.allows); len(got) != len(in) {
				t.Errorf("%+v and %+v allow %v, together %v", f, g, in, got)
			}
			if says := len(in) < len(kept(g.bounds().allows)); f.Says(g) != says {
				t.Errorf("%+v says more than %+v: %v", f, g, !says)
			}
			if merged, _ := unpack(mergeBounds(pack(f.bounds(), 1), pack(g.bounds(), 2))); len(in) > 0 && merged != both {
				t.Errorf("%+v and %+v merge to %+v", f, g, merged)
			}
		}
	}
	for _, c := range []struct{ old, new, want game.Move }{{3, 4, 4}, {3, game.NoMove, 3}, {game.NoMove, 4, 4}, {game.NoMove, game.NoMove, game.NoMove}} {
		p := table.Payload{}
		if p = mergeBounds(pack(unbounded, c.old), pack(unbounded, c.new)); p != pack(unbounded, c.want) {
			t.Errorf("moves %x and %x merge to %x", c.old, c.new, p)
		}
		f := Fact{0, Never, 0, Never, c.old, 5}.And(Fact{0, Never, 0, Never, c.new, 7})
		if f.Best != c.want || f.Nodes != 7 {
			t.Errorf("moves %x and %x: %+v", c.old, c.new, f)
		}
	}
}

// TestScores: the scores that bounds allow, and the bounds that scores prove, are as tight as
// sets of fates.
func TestScores(t *testing.T) {
	for d := 1; d < far; d++ {
		for _, f := range facts() {
			if !f.Valid() {
				continue
			}
			lower, upper := f.bounds().scoreRange(d)
			least, most := d+1, -d-1
			for _, is := range kept(f.bounds().allows) {
				least, most = min(least, is.score(d)), max(most, is.score(d))
			}
			if lower != least || upper != most {
				t.Errorf("%+v with %d plies left: from %d to %d, want %d to %d", f, d, lower, upper, least, most)
			}
		}
		for v := -d; v <= d; v++ {
			for bits := range 8 {
				atLeast, atMost, final := bits&1 != 0, bits&2 != 0, bits&4 != 0
				if final && v != 0 {
					continue // only a draw can stand for an open horizon
				}
				want := around(kept(func(is fate) bool {
					s := is.score(d)
					if final {
						s = is.score(far) // more plies change nothing
					}
					return (!atLeast || s >= v) && (!atMost || s <= v)
				}))
				if got := learned(v, d, atLeast, atMost, final); got != want {
					t.Errorf("score %d with %d plies left, at least %v, at most %v, final %v: %+v, want %+v", v, d, atLeast, atMost, final, got, want)
				}
			}
		}
	}
}
