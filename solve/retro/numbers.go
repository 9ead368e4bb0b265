package retro

import (
	"context"
	"fmt"

	"perfectplay/game"
	"perfectplay/internal/contract"
)

// numbers are the positions of a game that numbers them itself.
type numbers struct {
	game  game.Game
	by    game.Numberer
	n     uint64
	moves uint64 // estimated number of moves of all positions
	graph graph  // empty if the game lists moves backwards
}

const (
	some    = 64      // count of numbers in a task
	sampled = 1 << 14 // largest count of numbers that are all checked closely
)

func newNumbers(g game.Game) (_ *numbers, err error) {
	by := game.NumbererOf(g)
	s := &numbers{game: g, by: by, n: by.Numbers()}
	if s.n == 0 || s.n > MaxNumbers {
		return nil, fmt.Errorf("%d numbers: want 1 to %d", s.n, uint64(MaxNumbers))
	}
	w := s.worker()
	_, state, fresh := w.guards()
	defer game.Guard(&err, g, state, fresh)
	step := s.n/4096 | 1
	for n := uint64(0); n < s.n; n += step {
		if _, result, ok := w.at(n); ok && result == game.Ongoing {
			s.moves += step * uint64(w.moves())
		}
	}
	return s, nil
}

func (s *numbers) number(at game.State) (uint64, bool) {
	n := s.by.Number(at)
	return n, n < s.n
}

func (s *numbers) walk(yield func(game.State) bool) error {
	w := s.worker()
	for n := range s.n {
		if _, _, ok := w.at(n); ok && !yield(w.state) {
			break
		}
	}
	return nil
}

func (s *numbers) worker() *numbered {
	w := &numbered{of: s, state: s.game.Start()}
	w.counter, _ = w.state.(game.Counter)
	w.follower, _ = w.state.(game.Follower)
	w.unmover, _ = w.state.(game.Unmover)
	w.safe = safeLister(s.game, w.state)
	return w
}

func (s *numbers) workers(threads int) (list []*numbered) {
	for range threads {
		list = append(list, s.worker())
	}
	return list
}

// numbered visits positions by their numbers. It belongs to one goroutine.
type numbered struct {
	of       *numbers
	state    game.State
	counter  game.Counter
	follower game.Follower
	unmover  game.Unmover
	safe     game.SafeLister // the state's ability to see ends ahead, see safeLister
	list     []game.Move
	buf      []uint64
	checks   *contract.Numbers // only to audit
	n        uint64            // number of the current position
}

func (w *numbered) guards() (game.Game, game.State, func() game.State) {
	return w.of.game, w.state, func() game.State {
		s := w.of.game.Start()
		if !w.of.by.At(s, w.n) {
			return nil
		}
		return s
	}
}

// at visits a number; false if it has no position.
func (w *numbered) at(n uint64) (seat int, r game.Result, ok bool) {
	w.n = n
	if !w.of.by.At(w.state, n) {
		return 0, game.Drawn, false
	}
	return w.state.Seat(), w.state.Result(), true
}

// moves is the number of moves of the visited position, which is not finished.
func (w *numbered) moves() int {
	if w.counter != nil {
		return w.counter.CountMoves()
	}
	w.list = w.state.Moves(w.list[:0])
	return len(w.list)
}

// before appends the positions before the visited one, and after the positions after its moves.
func (w *numbered) before(buf []uint64) []uint64 {
	g := &w.of.graph
	if g.from == nil {
		return w.unmover.Before(buf)
	}
	for _, n := range g.before[g.from[w.n]:g.from[w.n+1]] {
		buf = append(buf, uint64(n))
	}
	return buf
}

func (w *numbered) after(buf []uint64) []uint64 {
	if w.follower != nil {
		return w.follower.After(buf)
	}
	w.list = w.state.Moves(w.list[:0])
	for _, m := range w.list {
		w.state.Make(m)
		buf = append(buf, w.of.by.Number(w.state))
		w.state.Unmake()
	}
	return buf
}

// movesOf goes to a number, and returns the numbers after its moves, none if it has no position or
// is over. They are good until the next call.
func (w *numbered) movesOf(n uint64) ([]uint64, error) {
	if _, result, ok := w.at(n); !ok || result != game.Ongoing {
		return nil, nil
	}
	w.buf = w.after(w.buf[:0])
	for _, to := range w.buf {
		if to >= w.of.n {
			return nil, fmt.Errorf("a move leads from position %d to number %d, there are %d", n, to, w.of.n)
		}
	}
	return w.buf, checkMoves(n, len(w.buf))
}

// check returns an error if the visited position has another number than n.
func (w *numbered) check(n uint64) error {
	if back := w.of.by.Number(w.state); back != n {
		return fmt.Errorf("position %s has the numbers %d and %d", w.state, n, back)
	}
	return nil
}

// audit checks a sample of positions, or all if they are few, see [contract.Numbers].
func (s *numbers) audit(ctx context.Context, threads int) error {
	step := max(s.n/sampled, 1) | 1
	workers := s.workers(threads)
	for _, w := range workers {
		w.checks = contract.NewNumbers(s.game, game.State.Make, game.State.Unmake)
	}
	if err := workers[0].checks.Check(s.game.Start()); err != nil {
		return fmt.Errorf("the start: %w", err)
	}
	return parallel(ctx, workers, int(s.n/step/some)+1, func(w *numbered) asker { return w }, func(w *numbered, i int) error {
		for k := range uint64(some) {
			n := (uint64(i)*some + k) * step
			if n >= s.n {
				return nil
			}
			if err := w.audit(n); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *numbered) audit(n uint64) error {
	_, result, ok := w.at(n)
	if !ok {
		return nil
	}
	if err := w.check(n); err != nil {
		return err
	}
	if result == game.Ongoing {
		if err := checkMoves(w.state, len(w.state.Moves(nil))); err != nil {
			return err
		}
	}
	return w.checks.Check(w.state)
}
