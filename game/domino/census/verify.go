package census

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"perfectplay/game/domino"
)

// Verified is what a verification has compared.
type Verified struct {
	Games    int // games that agree
	Classes  int // different classes among them
	Families int // different families of starter's hands, of Units
}

// Verify draws n games and solves each twice: as one labeling of its class, on
// the census's path, and by itself with [domino.ReferenceStats], which shares no
// code with it. They must agree in value, lines,
// blocked lines and signs. The error says where one does not, or is that of the
// context.
//
// Every other game is drawn from all games, each equally likely; those between
// are spread evenly over the families of starter's hands, so that small and
// symmetric classes are met too. Equal seeds draw equal games, whatever the
// number of threads. progress, if not nil, is called after each, on any thread.
func Verify(ctx context.Context, n int, seed uint64, threads int, progress func()) (Verified, error) {
	return newShared().verify(ctx, n, seed, threads, progress)
}

func (s *shared) verify(ctx context.Context, n int, seed uint64, threads int, progress func()) (Verified, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var mu sync.Mutex
	var done Verified
	classes, families := map[domino.Deal]bool{}, map[int]bool{}
	var all sync.WaitGroup
	for range max(threads, 1) {
		all.Go(func() {
			w := newWorker(s, nil)
			for ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				if i >= n {
					return
				}
				unit, second, err := w.check(s.draw(i, seed))
				if err != nil {
					stop(err)
					return
				}
				mu.Lock()
				done.Games++
				classes[domino.Deal{Starter: s.starters[unit].tiles, Second: second}] = true
				families[unit] = true
				mu.Unlock()
				if progress != nil {
					progress()
				}
			}
		})
	}
	all.Wait()
	done.Classes, done.Families = len(classes), len(families)
	return done, context.Cause(ctx)
}

// draw returns game i of a verification.
func (s *shared) draw(i int, seed uint64) domino.Deal {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	if i%2 == 0 {
		d, _ := domino.RandomDeal(r)
		return d
	}
	six := s.starters[i/2%Units].tiles
	var others []domino.Tile
	for rest := domino.AllTiles &^ (six | 1); rest != 0; rest = rest.DropMin() {
		others = append(others, rest.Min())
	}
	r.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	second := domino.SetOf(others[:domino.HandSize]...)
	l := &s.lanes[otherDoubles(six|second)]
	p := int(l.renaming[r.IntN(len(l.renaming))])
	return domino.Deal{Starter: s.maps.rename(p, six|1), Second: s.maps.rename(p, second)}
}

// check compares both ways to solve a deal, and returns its class.
func (w *worker) check(d domino.Deal) (unit int, second domino.Set, err error) {
	got, err := w.solve(d)
	if err != nil {
		return 0, 0, err
	}
	want := domino.ReferenceStats(d.Start())
	if got.value != want.Value || got.leaves != want.Leaves || got.blocked != want.Blocked || got.sign != want.Sign() {
		return 0, 0, fmt.Errorf("census: verify: %v: the census has value %d, %d lines, %d blocked, %v; one by one %d, %d, %d, %v",
			d, got.value, got.leaves, got.blocked, got.sign, want.Value, want.Leaves, want.Blocked, want.Sign())
	}
	return got.unit, got.second, nil
}

// solved is what the census finds about a deal.
type solved struct {
	unit            int
	second          domino.Set // of the class
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
		s := solved{unit: unit, second: best, value: int(w.scores[lane]) - scoreOffset}
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
