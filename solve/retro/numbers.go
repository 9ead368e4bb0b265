package retro

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
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
	// Number of moves of a position that are checked; also the count of numbers in a task.
	some    = 64
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
	n        uint64 // number of the current position
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

// audit checks a sample of positions, or all if they are few: each move must lead to the position
// that its number has, and moves backwards must be the forward moves reversed.
func (s *numbers) audit(ctx context.Context, threads int) error {
	start := s.game.Start()
	if n := s.by.Number(start); n >= s.n {
		return fmt.Errorf("the start has the number %d, there are %d", n, s.n)
	} else if at := s.game.Start(); !s.by.At(at, n) || rank(at, s.game.Seats()) != rank(start, s.game.Seats()) || !sameKey(at, start) {
		return fmt.Errorf("the start has the number %d, which is not its own", n)
	}
	step := max(s.n/sampled, 1) | 1
	pairs := make([][2]*numbered, threads)
	for i := range pairs {
		pairs[i] = [2]*numbered{s.worker(), s.worker()}
	}
	return parallel(ctx, pairs, int(s.n/step/some)+1, func(p [2]*numbered) asker { return p[0] }, func(p [2]*numbered, i int) error {
		for k := range uint64(some) {
			n := (uint64(i)*some + k) * step
			if n >= s.n {
				return nil
			}
			if err := p[0].audit(n, p[1]); err != nil {
				return err
			}
		}
		return nil
	})
}

// rank is the result of a position for the seat to move: the winner's distance in seats, or the
// result itself without a winner.
func rank(s game.State, seats int) int {
	r := s.Result()
	if w, ok := r.Winner(); ok {
		return (w - s.Seat() + seats) % seats
	}
	return int(r)
}

// endAlike says whether positions may share a number because they end alike, see [game.Ending].
func endAlike(a, b game.State, seats int) bool {
	end := game.Ending(a, seats)
	return end >= 0 && end == game.Ending(b, seats) && rank(a, seats) == rank(b, seats)
}

// sameKey says whether positions have the same key, or have no keys.
func sameKey(a, b game.State) bool {
	_, ok := a.(game.Keyer)
	return !ok || keyOf(a) == keyOf(b)
}

// audit checks the position of a number. other visits its neighbours.
func (w *numbered) audit(n uint64, other *numbered) error {
	_, result, ok := w.at(n)
	if !ok {
		return nil
	}
	if err := w.check(n); err != nil {
		return err
	}
	var after []uint64
	if result == game.Ongoing {
		var err error
		if after, err = w.auditMoves(n, other); err != nil {
			return err
		}
	}
	if w.unmover == nil || game.Ending(w.state, w.of.game.Seats()) >= 0 {
		return nil
	}
	return w.auditBefore(n, other, after)
}

// auditMoves checks the moves of the visited position, and some of the positions after them. It
// returns the numbers that the moves lead to.
func (w *numbered) auditMoves(n uint64, other *numbered) (after []uint64, err error) {
	s := w.state
	moves := s.Moves(nil)
	if err := checkMoves(s, len(moves)); err != nil {
		return nil, err
	} else if w.moves() != len(moves) {
		return nil, fmt.Errorf("position %s has %d moves, and CountMoves says %d", s, len(moves), w.moves())
	}
	step := len(moves)/some + 1
	for i, m := range moves {
		name := ""
		if i%step == 0 {
			name = s.MoveString(m)
		}
		s.Make(m)
		to := w.of.by.Number(s)
		after = append(after, to)
		if i%step == 0 {
			// Comparing all replies costs as much as all other checks.
			replies := w.of.n <= sampled/4 && len(moves) <= some/4 || i == int(n)%len(moves)/step*step
			if err := w.auditReply(name, to, other, replies); err != nil {
				return nil, err
			}
		}
		s.Unmake()
	}
	if back := w.of.by.Number(s); back != n {
		return nil, fmt.Errorf("after its moves were made and taken back position %d has the number %d", n, back)
	}
	if w.follower != nil && !slices.Equal(w.follower.After(nil), after) {
		return nil, fmt.Errorf("the moves of %s lead to %v, and After says %v", s, after, w.follower.After(nil))
	}
	return after, nil
}

// auditReply compares the current position, after the move name, with the position of its number.
func (w *numbered) auditReply(name string, to uint64, other *numbered, replies bool) error {
	s, seats := w.state, w.of.game.Seats()
	if to >= w.of.n {
		return fmt.Errorf("move %s leads to number %d, there are %d", name, to, w.of.n)
	}
	_, _, ok := other.at(to)
	switch {
	case !ok:
		return fmt.Errorf("move %s leads to number %d, which is no position's", name, to)
	case seats > 2 && other.state.Seat() != s.Seat():
		return fmt.Errorf("move %s leads to seat %d, the position of its number %d has seat %d to move", name, s.Seat(), to, other.state.Seat())
	case endAlike(s, other.state, seats):
	case !sameKey(s, other.state):
		return fmt.Errorf("move %s leads to %s, whose number %d is that of %s, which has another key", name, s, to, other.state)
	case rank(other.state, seats) != rank(s, seats):
		return fmt.Errorf("the result of %s depends on the way there: after %s it is %d, at its number %d it is %d", s, name, s.Result(), to, other.state.Result())
	case s.Result() != game.Ongoing:
	case len(s.Moves(nil)) != len(other.state.Moves(nil)):
		return fmt.Errorf("the moves of %s depend on the way there: after %s there are %d, at its number %d there are %d", s, name, len(s.Moves(nil)), to, len(other.state.Moves(nil)))
	case replies:
		if move, same := sameReplies(s, other.state, w.of.by.Number); !same {
			return fmt.Errorf("after %s there is %s, at its number %d there is %s, and they are not alike: after %s the first has a number that no move of the second leads to", name, s, to, other.state, move)
		}
	}
	return nil
}

// auditBefore checks that each move from or to the visited position is found from both of its ends.
func (w *numbered) auditBefore(n uint64, other *numbered, after []uint64) error {
	s, seats := w.state, w.of.game.Seats()
	for i, to := range after {
		if i%(len(after)/some+1) != 0 {
			continue
		}
		if other.at(to); game.Ending(other.state, seats) < 0 && count(other.before(nil), n) != count(after, to) {
			return fmt.Errorf("%d moves lead from %s to %s, and Before knows %d", count(after, to), s, other.state, count(other.before(nil), n))
		}
	}
	before := w.before(nil)
	for i, from := range before {
		if from >= w.of.n {
			return fmt.Errorf("before position %s is number %d, there are %d", s, from, w.of.n)
		}
		if i%(len(before)/some+1) != 0 {
			continue
		}
		if _, result, ok := other.at(from); ok && result == game.Ongoing && game.Ending(other.state, seats) < 0 && count(other.after(nil), n) != count(before, from) {
			return fmt.Errorf("%d moves lead from %s to %s, and Before knows %d", count(other.after(nil), n), other.state, s, count(before, from))
		}
	}
	return nil
}

// count counts a number in a list.
func count(list []uint64, n uint64) (c int) {
	for _, m := range list {
		if m == n {
			c++
		}
	}
	return c
}
