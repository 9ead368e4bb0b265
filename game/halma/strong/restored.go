package strong

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"perfectplay/internal/host"
)

// If a resumed solve has at most allPlaces places, all are checked, else a sample of checkedPlaces.
const (
	checkedPlaces = 1 << 12
	allPlaces     = 1 << 16
)

// checkRestored checks that files hold a state that a solve can have: the records count the
// positions of the planes, positions over or illegal are known as such, and each place follows from
// the places after its turns. Forged files of a large table may pass, until package verify compares
// the table with the rules.
func (s *solver) checkRestored(ctx context.Context, passes []PassRecord) error {
	if err := s.checkCounts(passes); err != nil {
		return err
	}
	err := host.Parallel(ctx, s.workers, s.rows, func(w *worker, row int) (wrong error) {
		w.terminal(row, func(col int, state state) {
			if k := s.knownAt(row, col); !k.is(state) {
				wrong = fmt.Errorf("row %d column %d: %v, which by the rules is %v", row, col, k, state)
			}
		})
		return wrong
	})
	if err != nil {
		return err
	}
	places := uint64(s.rows) * uint64(s.cols)
	n := places
	if places > allPlaces {
		n = checkedPlaces
	}
	return host.Parallel(ctx, s.workers, int(n), func(_ *worker, i int) error {
		place := uint64(i)
		if n < places {
			place = rand.Uint64N(places)
		}
		return s.checkPlace(int(place/uint64(s.cols)), int(place%uint64(s.cols)))
	})
}

func (s *solver) checkCounts(passes []PassRecord) error {
	var wins, losses [maxPly + 1]uint64
	for row := range s.rows {
		weight := s.weight(row)
		for j := range s.words {
			at := row*s.words + j
			if (s.seen[at]|s.known[at])&^s.columnMask(j) != 0 {
				return fmt.Errorf("row %d: word %d holds an impossible position", row, j)
			}
			win, _ := s.table.halves(row, j)
			if s.dist == nil {
				wins[0] += weight * uint64(bits.OnesCount64(win&s.seen[at]))
				losses[0] += weight * uint64(bits.OnesCount64(s.seen[at]&^win))
				continue
			}
			for bit, d := range s.dist[64*at : 64*at+64] {
				switch {
				case s.seen[at]>>bit&1 == 0 && d > 0:
					return fmt.Errorf("row %d: word %d has distances of undecided positions", row, j)
				case s.seen[at]>>bit&1 == 0:
				case win>>bit&1 != 0:
					wins[d] += weight
				default:
					losses[d] += weight
				}
			}
		}
	}
	wins[0] -= s.illegal.Load() // illegal positions are kept as wins
	for _, p := range passes {
		d := 0
		if s.dist != nil {
			d = max(p.Pass-1, 0)
		}
		wins[d] -= p.Wins
		losses[d] -= p.Losses
	}
	for d := range wins {
		if wins[d]|losses[d] != 0 {
			return fmt.Errorf("the records of the passes count other positions than the tiles hold, at distance %d", d)
		}
	}
	return nil
}

// knowledge is the state of a place between two passes.
type knowledge struct {
	win, loss bool
	fresh     bool // decided, but not yet propagated
	distance  int  // plies to the end, in a solve with distances
}

func (k knowledge) String() string {
	switch {
	case k.win:
		return fmt.Sprintf("won in %d", k.distance)
	case k.loss:
		return fmt.Sprintf("lost in %d", k.distance)
	}
	return "not decided"
}

// is reports whether k is right about a position whose state is over or illegal.
func (k knowledge) is(state state) bool {
	return k.distance == 0 && k.win == (state != isLost) && k.loss == (state == isLost)
}

func (s *solver) knownAt(row, col int) (k knowledge) {
	word, at, bit := *s.table.word(row, col)>>(col&31), row*s.words+col>>6, col&63
	k.win = word&1 != 0
	k.loss = !k.win && word>>32&1 != 0
	k.fresh = word>>32&1 != 0 && s.seen[at]>>bit&1 == 0
	switch {
	case s.dist != nil && k.fresh:
		k.distance = s.level
	case s.dist != nil:
		k.distance = int(s.dist[64*at+bit])
	}
	return k
}

// checkPlace compares a place with the places after its turns.
func (s *solver) checkPlace(row, col int) error {
	k := s.knownAt(row, col)
	wrong := func(why string) error {
		return fmt.Errorf("row %d column %d: %v, but %s", row, col, k, why)
	}
	if s.columnMask(col>>6)>>(col&63)&1 == 0 {
		return nil // the column has no army: see checkCounts
	}
	if mover, other := s.kernel.cells(row, col); mover.Meets(other) {
		r, c := s.kernel.back(row, col)
		if k.win || k.loss || s.known[r*s.words+c>>6]>>(c&63)&1 != 0 {
			return wrong("two pieces are on a cell")
		}
		return nil
	}
	over := s.kernel.state(row, col)
	if r, c := s.kernel.back(row, col); s.known[r*s.words+c>>6]>>(c&63)&1 != 0 && over == ongoing && !k.win && !k.loss {
		return wrong("it is taken for known")
	}
	if over != ongoing {
		if !k.is(over) {
			return wrong("the rules decide it otherwise")
		}
		return nil
	}
	// The best turn leads to the opponent's soonest loss, else to an open position, else to the
	// win that takes longest.
	soonest, propagated, open, latest, turns, fresh := -1, false, false, 0, 0, false
	s.kernel.follow(row, col, func(r, c int) {
		turns++
		next := s.knownAt(r, c)
		switch {
		case next.loss:
			if soonest < 0 || next.distance < soonest {
				soonest = next.distance
			}
			propagated = propagated || !next.fresh
		case next.win:
			latest = max(latest, next.distance)
			fresh = fresh || next.fresh
		default:
			open = true
		}
	})
	switch {
	case k.win && (soonest < 0 || s.dist != nil && k.distance != soonest+1):
		return wrong("no turn leads there")
	case k.loss && (soonest >= 0 || open || turns == 0 || s.dist != nil && k.distance != latest+1):
		return wrong("some turn leads elsewhere")
	case !k.win && !k.loss && propagated:
		return wrong("a turn leads to a loss")
	case !k.win && !k.loss && soonest < 0 && !open && turns > 0 && !fresh:
		return wrong("all turns lead to wins")
	}
	return nil
}
