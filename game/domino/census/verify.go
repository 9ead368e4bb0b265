package census

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"perfectplay/game/domino"
	"perfectplay/internal/host"
)

// Verified counts the games of a verification.
type Verified struct {
	Games    int `json:"games"`    // games that agree
	Classes  int `json:"classes"`  // different classes among them
	Families int `json:"families"` // different families of starter's hands, of Units
}

// Verify draws n games and solves each twice: as the census does, and by [domino.ReferenceStats],
// which shares no code with it. Both solutions must agree in value, lines, blocked lines and signs.
// The error names a disagreement, or is the error of the context.
//
// Every other game is drawn from all games, each equally likely; the games between are spread
// evenly over the families of starter's hands. Equal seeds draw equal games. progress, if not nil,
// is called after each game, on any thread.
func Verify(ctx context.Context, n int, seed uint64, threads int, progress func()) (Verified, error) {
	return newShared().verify(ctx, n, seed, threads, progress)
}

func (s *shared) verify(ctx context.Context, n int, seed uint64, threads int, progress func()) (Verified, error) {
	var mu sync.Mutex
	var done Verified
	classes, families := map[domino.Deal]bool{}, map[domino.Set]bool{}
	workers := make([]*worker, max(threads, 1))
	for i := range workers {
		workers[i] = newWorker(s, nil)
	}
	err := host.Parallel(ctx, workers, n, func(w *worker, i int) error {
		class, err := w.check(s.draw(i, seed))
		if err != nil {
			return fmt.Errorf("census: verify: %w", err)
		}
		mu.Lock()
		done.Games++
		classes[class], families[class.Starter] = true, true
		mu.Unlock()
		if progress != nil {
			progress()
		}
		return nil
	})
	done.Classes, done.Families = len(classes), len(families)
	return done, err
}

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

type found struct {
	Value          int
	Lines, Blocked uint64
	Sign           domino.Sign
}

// check compares both ways to solve a game. It returns the class: the starter's six tiles and the
// second hand.
func (w *worker) check(d domino.Deal) (class domino.Deal, err error) {
	class, got, err := w.solve(d)
	if err != nil {
		return class, err
	}
	plain := domino.ReferenceStats(d.Start())
	if want := (found{plain.Value, plain.Leaves, plain.Blocked, plain.Sign()}); got != want {
		return class, fmt.Errorf("%v: the census has %+v; one by one %+v", d, got, want)
	}
	return class, nil
}

// solve finds a game among the labelings of its class.
func (w *worker) solve(d domino.Deal) (class domino.Deal, f found, err error) {
	six := d.Starter.Without(d.FirstTile())
	unit := -1
	for p := range renamings {
		if w.maps.to[p][d.FirstDouble()] != 0 {
			continue
		}
		u, ok := w.unitOf[w.maps.rename(p, six)]
		if second := w.maps.rename(p, d.Second); ok && (unit < 0 || second < class.Second) {
			unit, class.Second = u, second
		}
	}
	if unit < 0 {
		return class, f, fmt.Errorf("%v belongs to no class", d)
	}
	class.Starter = w.starters[unit].tiles
	if ok, _ := w.canonical(unit, class.Second, nil); !ok {
		return class, f, fmt.Errorf("%v: the least second hand is not canonical", d)
	}
	l := w.evaluate(class.Starter, class.Second)
	lane := slices.IndexFunc(l.renaming, func(p uint16) bool {
		return w.maps.rename(int(p), class.Starter|1) == d.Starter && w.maps.rename(int(p), class.Second) == d.Second
	})
	if lane < 0 {
		return class, f, fmt.Errorf("%v is no labeling of its class", d)
	}
	f.Value = int(w.scores[lane]) - scoreOffset
	f.Lines, f.Blocked = w.graph.Leaves()
	for _, m := range w.marks {
		if int(m.lane) == lane {
			f.Sign = m.sign
		}
	}
	return class, f, nil
}
