package strong

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"perfectplay/internal/host"
)

// checkedPlaces is how many places of a checkpoint are compared with what their
// turns lead to: all, where there are no more than allPlaces.
const (
	checkedPlaces = 1 << 12
	allPlaces     = 1 << 16
)

// checkRestored checks that what was read is a state that solving comes to: that
// the counters are those of the planes, that positions that are over or illegal
// are known as such, and that places follow from what their turns lead to. It
// looks at all places of small tables and at a sample of others: a forged
// checkpoint of a large one may be believed, its checksums being right, until
// package verify compares the table with the rules.
func (s *solver) checkRestored(ctx context.Context) error {
	var illegal, illegalPlaces, terminal, atZero, decided atomic.Uint64
	err := s.inParallel(ctx, s.gap/64, func(block int) (wrong error) {
		s.terminal(block, func(row, col int, state rowState) {
			terminal.Add(1)
			if state == isIllegal {
				illegal.Add(s.weight(row, col))
				illegalPlaces.Add(1)
			}
			if k := s.known(row, col); !k.is(state) {
				wrong = fmt.Errorf("row %d column %d: %v, which by the rules is %v", row, col, k, state)
			}
		})
		if wrong != nil {
			return wrong
		}
		// Here a block is as many words.
		size := len(s.win) / (s.gap / 64)
		s.space.Charge(2 * 8 * size)
		if s.byPly {
			s.space.Charge(len(s.dist.planes) * 8 * size)
		}
		for at := block * size; at < (block+1)*size; at++ {
			x := s.win[at] | s.loss[at]
			decided.Add(uint64(bits.OnesCount64(x)))
			if s.byPly {
				atZero.Add(uint64(bits.OnesCount64(x & s.dist.none(at))))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if illegal.Load() != s.illegal {
		return fmt.Errorf("%d illegal positions, by the rules %d", s.illegal, illegal.Load())
	}
	if want := decided.Load() - illegalPlaces.Load(); s.decided.Load() != want {
		return fmt.Errorf("%d places decided, in the planes %d", s.decided.Load(), want)
	}
	if s.byPly && atZero.Load() != terminal.Load() {
		return fmt.Errorf("%d places at distance 0, by the rules %d", atZero.Load(), terminal.Load())
	}
	places := uint64(s.reps) * uint64(s.cols)
	if places > allPlaces {
		return s.inParallel(ctx, checkedPlaces, func(int) error {
			place := rand.Uint64N(places)
			return s.checkPlace(int(place/uint64(s.cols)), int(place%uint64(s.cols)))
		})
	}
	return s.inParallel(ctx, s.reps, func(row int) error {
		for col := range s.cols {
			if err := s.checkPlace(row, col); err != nil {
				return err
			}
		}
		return nil
	})
}

// inParallel calls do with 0…n−1 until one fails.
func (s *solver) inParallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range s.threads {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					stop(err)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// known is what is known of a place between two passes.
type known struct {
	win, loss bool
	fresh     bool // a loss that is not yet propagated
	distance  int  // with distances
}

func (k known) String() string {
	switch {
	case k.win:
		return fmt.Sprintf("won in %d", k.distance)
	case k.loss:
		return fmt.Sprintf("lost in %d", k.distance)
	}
	return "not decided"
}

// is reports whether a position that is over, or illegal, is known as such.
func (k known) is(state rowState) bool {
	return k.distance == 0 && k.win == (state != isLost) && k.loss == (state == isLost)
}

// known returns what is known of a place.
func (s *solver) known(row, col int) (k known) {
	at, bit := s.at64(row, col), col&63
	s.space.Charge(2 * host.PageSize)
	k.win, k.loss = s.win[at]>>bit&1 != 0, s.loss[at]>>bit&1 != 0
	if !s.byPly {
		k.fresh = k.win && k.loss
		k.win = k.win && !k.loss
		return k
	}
	s.space.Charge(len(s.dist.planes) * host.PageSize)
	k.distance = s.dist.of(at, bit)
	k.fresh = k.loss && k.distance == s.level-1
	return k
}

// checkPlace compares what is known of a place with what is known of those that
// its turns lead to.
func (s *solver) checkPlace(row, col int) error {
	k := s.known(row, col)
	wrong := func(why string) error {
		return fmt.Errorf("row %d column %d: %v, but %s", row, col, k, why)
	}
	if s.kernel.overlap(row, col) || row >= s.pairs && col >= s.gap {
		if k != (known{}) {
			return wrong("this is no position")
		}
		return nil
	}
	if state := s.kernel.state(row, col); state != ongoing {
		if !k.is(state) {
			return wrong("the rules decide it otherwise")
		}
		return nil
	}
	// The best that follows: a loss of the opponent, the soonest; else an open
	// position; else the win that takes longest.
	soonest, propagated, open, latest, turns, due := -1, false, false, 0, 0, false
	s.kernel.follow(row, col, func(r, c int) {
		turns++
		next := s.known(r, c)
		due = s.newWin[r].Load()
		switch {
		case next.loss:
			if soonest < 0 || next.distance < soonest {
				soonest = next.distance
			}
			propagated = propagated || !next.fresh
		case next.win:
			latest = max(latest, next.distance)
		default:
			open = true
		}
	})
	switch {
	case k.win && (soonest < 0 || s.byPly && k.distance != soonest+1):
		return wrong("no turn leads there")
	case k.loss && (soonest >= 0 || open || turns == 0 || s.byPly && k.distance != latest+1):
		return wrong("some turn leads elsewhere")
	case !k.win && !k.loss && propagated:
		return wrong("a turn leads to a loss")
	// All turns lead into one row.
	case !k.win && !k.loss && soonest < 0 && !open && turns > 0 && (s.byPly && latest < s.level-1 || !s.byPly && !due):
		return wrong("all turns lead to wins")
	}
	return nil
}
