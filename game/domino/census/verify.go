package census

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"perfectplay/game/domino"
)

// Verify draws n games at random, every one equally likely, and solves each
// twice: as one labeling of its class, on the census's path, and by itself with
// [domino.AlphaBeta] and a walk over all lines of play, which share no code with
// it. It returns how many agreed and, if one did not, an error that says which
// and how.
func Verify(ctx context.Context, n int, seed uint64, threads int) (agreed int, err error) {
	s := newShared()
	var next, good atomic.Int64
	errs := make([]error, max(threads, 1))
	var all sync.WaitGroup
	for k := range errs {
		all.Go(func() {
			w := newWorker(s, nil)
			for ctx.Err() == nil {
				i := next.Add(1)
				if i > int64(n) {
					return
				}
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				a, b := domino.Unrank(r.Int64N(domino.DealCount))
				d, _, _ := domino.NewDeal(a, b)
				if errs[k] = w.check(d); errs[k] != nil {
					next.Store(int64(n))
					return
				}
				good.Add(1)
			}
		})
	}
	all.Wait()
	for _, e := range errs {
		if e != nil {
			err = e
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	return int(good.Load()), err
}

// check compares both ways to solve a deal.
func (w *worker) check(d domino.Deal) error {
	got, err := w.solve(d)
	if err != nil {
		return err
	}
	want := domino.Stats{Value: domino.AlphaBeta(d.Start(), -MaxScore-1, MaxScore+1)}
	sign := [3]bool{} // some line is negative, zero, positive
	domino.WalkLeaves(d.Start(), func(leaf domino.Position) {
		want.Leaves++
		if leaf.Blocked() {
			want.Blocked++
		}
		score := leaf.Score()
		sign[1+min(max(score, -1), 1)] = true
	})
	wantSign := domino.Mixed
	switch sign {
	case [3]bool{true, false, false}:
		wantSign = domino.OnlyNegative
	case [3]bool{false, true, false}:
		wantSign = domino.OnlyZero
	case [3]bool{false, false, true}:
		wantSign = domino.OnlyPositive
	}
	if got.value != want.Value || got.leaves != want.Leaves || got.blocked != want.Blocked || got.sign != wantSign {
		return fmt.Errorf("census: verify: %v: the census has value %d, %d lines, %d blocked, %v; one by one %d, %d, %d, %v",
			d, got.value, got.leaves, got.blocked, got.sign, want.Value, want.Leaves, want.Blocked, wantSign)
	}
	return nil
}

// solved is what the census finds about a deal.
type solved struct {
	value           int
	leaves, blocked uint64
	sign            domino.Sign
}

// solve finds a deal among the labelings of its class.
func (w *worker) solve(d domino.Deal) (solved, error) {
	six := d.Starter.Without(d.FirstTile())
	best, unit, found := domino.Set(0), 0, false
	for p := range renamings {
		if w.maps.to[p][d.FirstDouble()] != 0 {
			continue
		}
		u, ok := w.unitOf[w.maps.rename(p, six)]
		if !ok {
			continue
		}
		if second := w.maps.rename(p, d.Second); !found || second < best {
			best, unit, found = second, u, true
		}
	}
	if !found {
		return solved{}, fmt.Errorf("census: verify: %v belongs to no class", d)
	}
	if ok, _ := w.canonical(unit, best, nil); !ok {
		return solved{}, fmt.Errorf("census: verify: %v: the least second hand is not canonical", d)
	}
	l := w.evaluate(w.starters[unit].tiles, best)
	for lane, p := range l.renaming {
		if w.maps.rename(int(p), w.starters[unit].tiles|1) != d.Starter || w.maps.rename(int(p), best) != d.Second {
			continue
		}
		s := solved{value: int(w.scores[lane]) - scoreOffset}
		s.leaves, s.blocked = w.graph.Leaves()
		for _, m := range w.marks {
			if int(m.lane) == lane {
				s.sign = m.sign
			}
		}
		return s, nil
	}
	return solved{}, fmt.Errorf("census: verify: %v is no labeling of its class", d)
}
