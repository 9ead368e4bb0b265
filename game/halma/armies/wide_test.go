package armies

import (
	"context"
	"fmt"
	"math"
	"testing"

	"perfectplay/game/halma"
	"perfectplay/game/halma/internal/sets"
)

// TestWords solves boards of one word in two and three, too: layers and reachable positions are the
// same.
func TestWords(t *testing.T) {
	var specs []*halma.Armies
	for _, rules := range []string{"liou", "house", "house-readme"} {
		_, spec := described(t, "halma-star37p1-3p", rules)
		specs = append(specs, spec)
	}
	_, four := described(t, "halma-star13-4p", "house-code")
	specs = append(specs, four, small(t, 2, "fgoc"))
	if !testing.Short() {
		specs = append(specs, small(t, 2, "")) // it takes as long as all others
	}
	for _, spec := range specs {
		t.Run(fmt.Sprintf("game=%s,rules=%s", spec.ID, spec.Rules), func(t *testing.T) {
			t.Parallel()
			e, ok := spec.EmbedWord()
			if !ok {
				t.Fatal("the board fits no word")
			}
			var want [2]string
			for words := sets.Words1; words <= sets.Words3; words++ {
				b, err := newBoardIn(spec, &e, words)
				if err != nil {
					t.Fatal(err)
				}
				s, err := b.solve(context.Background(), Options{Named: true, Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				var got [2]string
				for _, r := range s.orbits {
					for _, l := range r.layers {
						got[0] += fmt.Sprintln(l.counts)
						for i := range l.Blocks() {
							chunk, err := l.Block(i, math.MaxUint32, nil)
							if err != nil {
								t.Fatal(err)
							}
							got[0] += string(chunk)
						}
					}
				}
				if len(spec.Home[0]) == spec.Pieces {
					reach, err := s.Reach(context.Background(), 1)
					if err != nil {
						t.Fatal(err)
					}
					got[1] = fmt.Sprint(reach.seen)
				}
				if words == sets.Words1 {
					want = got
				} else if got != want {
					t.Errorf("other answers in %d words", words)
				}
			}
		})
	}
}

// TestWide checks tables of boards of two words and three against the rules.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		id, rules string
		words     int
	}{
		{"halma-star73p1-3p", "liou", 2}, {"halma-star73p1-3p", "house-code", 2}, {"halma-star121p1-3p", "house", 3}, {"halma-star121p1-3p", "liou", 3},
	} {
		t.Run(fmt.Sprintf("game=%s,rules=%s", c.id, c.rules), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && (c.words == 3 || c.rules == "liou") {
				t.Skip("takes seconds; not with -short")
			}
			g, spec := described(t, c.id, c.rules)
			b, err := newBoard(spec)
			if err != nil {
				t.Fatal(err)
			}
			switch b.kernel.(type) {
			case *cells2:
				if c.words != 2 {
					t.Error("solved in two words")
				}
			case *cells3:
				if c.words != 3 {
					t.Error("solved in three words")
				}
			default:
				t.Error("solved in one word")
			}
			_, table, s := written(t, c.id, c.rules, 2)
			if err := table.Check(context.Background(), 2, nil); err != nil {
				t.Error(err)
			}
			if info := table.Info(); info.Positions != uint64(b.period)*b.placements(b.n) {
				t.Errorf("%d positions, want %d", info.Positions, b.placements(b.n))
			}
			v, err := verified(table, 10_000, true)
			if err != nil || v.Faults > 0 || v.Checked < 9_000 {
				t.Fatalf("%d faults in %d, %v: %v", v.Faults, v.Checked, err, v.First)
			}
			// At the start, compare the table and the solution.
			r := s.Reader()
			p, err := s.Place(0, Sides(g, g.Start()))
			if err != nil {
				t.Fatal(err)
			}
			for seats := uint8(1); seats < 7; seats++ {
				v, d, err := r.Value(seats, p)
				if err != nil {
					t.Fatal(err)
				}
				if got, in, err := table.Value(g.Start(), seats); err != nil || got != v || in != d {
					t.Errorf("seats %b: the table says %v in %d, the solution %v in %d (%v)", seats, got, in, v, d, err)
				}
			}
		})
	}
}
