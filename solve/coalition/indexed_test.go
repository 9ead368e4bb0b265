package coalition

import (
	"context"
	"strings"
	"testing"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/solve"
)

// indexedMNK is an m,n,k-game that numbers its positions: a ternary digit a cell.
type indexedMNK struct {
	*mnk.Game
	rows, cols int
}

func (x indexedMNK) Indices() int {
	n := 1
	for range x.rows * x.cols {
		n *= 3
	}
	return n
}

func (x indexedMNK) At(number int) game.State {
	var text []byte
	empty := 0
	flush := func() {
		if empty > 0 {
			text = append(text, byte('0'+empty))
		}
		empty = 0
	}
	for c := range x.rows * x.cols {
		if c > 0 && c%x.cols == 0 {
			flush()
			text = append(text, '.')
		}
		if number%3 == 0 {
			empty++
		} else {
			flush()
			text = append(text, " xo"[number%3])
		}
		number /= 3
	}
	flush()
	s, err := x.Parse(string(text))
	if err != nil {
		return nil // the numbers of stones do not fit
	}
	return s
}

func (x indexedMNK) Index(s game.State) (int, bool) {
	number, unit := 0, 1
	for _, c := range s.String() {
		switch {
		case c == 'x':
			number += unit
			unit *= 3
		case c == 'o':
			number += 2 * unit
			unit *= 3
		case c >= '1' && c <= '9':
			for range c - '0' {
				unit *= 3
			}
		}
	}
	return number, true
}

// TestIndexedGames solves small m,n,k-games by their numbers and by exploring
// them, compares all positions that both know, and the start with a search. The
// values are known: 3,3,3 is a draw, 3,4,3 a win for who begins; and
// noughts and crosses has 5,478 positions.
func TestIndexedGames(t *testing.T) {
	for _, c := range []struct {
		m, n, k  int
		value    game.Value
		distance int
		reached  int
	}{
		{1, 4, 2, game.Win, 3, 0},
		{3, 3, 3, game.Draw, 0, 5478},
		{3, 4, 3, game.Win, 7, 0},
		{2, 5, 4, game.Draw, 0, 0},
	} {
		if testing.Short() && c.m*c.n > 10 {
			continue
		}
		g, err := mnk.New(c.m, c.n, c.k)
		if err != nil {
			t.Fatal(err)
		}
		index := indexedMNK{g, c.m, c.n}
		all, err := Solve(context.Background(), index, 1_000_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, d := all.Start(1); v != c.value || d != c.distance {
			t.Errorf("%s: %v in %d, want %v in %d", g.ID(), v, d, c.value, c.distance)
		}
		report, err := solve.Run(context.Background(), g, g.Start(), solve.Options{Scope: solve.WholeOnly, Threads: 1, Memory: 1 << 20, NoLine: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Whole; got.Value != c.value || got.Distance != c.distance {
			t.Errorf("%s: search finds %v in %d", g.ID(), got.Value, got.Distance)
		}
		some, err := Solve(context.Background(), g, 1_000_000, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.reached > 0 && some.Positions() != c.reached {
			t.Errorf("%s: %d positions reached, known are %d", g.ID(), some.Positions(), c.reached)
		}
		met := 0
		for n := range index.Indices() {
			s := index.At(n)
			if s == nil {
				continue
			}
			for seats := uint8(1); seats < 4; seats++ {
				v, d, ok := all.Value(s, seats)
				if !ok {
					t.Fatalf("%s: position %s is not known", g.ID(), s)
				}
				w, e, reached := some.Value(s, seats)
				if reached && (v != w || d != e) {
					t.Fatalf("%s: position %s for seats %b: %v in %d by number, %v in %d explored", g.ID(), s, seats, v, d, w, e)
				}
				if reached && seats == 1 {
					met++
				}
			}
		}
		if met != some.Positions() || all.Positions() < met {
			t.Errorf("%s: %d positions compared of %d explored, %d numbered", g.ID(), met, some.Positions(), all.Positions())
		}
	}
}

// misnumbered is one with a mistake in its numbers.
type misnumbered struct {
	indexedMNK
	hole int // a position without a number
	same int // a number that another position gets
}

func (x misnumbered) At(number int) game.State {
	if number == x.hole {
		return nil
	}
	return x.indexedMNK.At(number)
}

func (x misnumbered) Index(s game.State) (int, bool) {
	n, ok := x.indexedMNK.Index(s)
	if n == x.same {
		n = 0
	}
	return n, ok
}

func TestIndexedRefuses(t *testing.T) {
	g, err := mnk.New(2, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	good := indexedMNK{g, 2, 2}
	for want, index := range map[string]game.Game{
		"no position's":        misnumbered{good, 1, -1},
		"start is not":         misnumbered{good, 0, -1},
		"has numbers 1 and 0":  misnumbered{good, -1, 1},
		"at most 10 are wante": good,
	} {
		limit := 1000
		if index == game.Game(good) {
			limit = 10
		}
		if _, err := Solve(context.Background(), index, limit, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}
