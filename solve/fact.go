package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Never is a distance greater than any number of plies.
const Never = infinite

// Fact is proved knowledge of a position, for the side to move. Let W be the least number of
// plies within which that side can force a win and L that of the other side, Never if it cannot:
//
//	WinOver < W ≤ WinBy      LossOver < L ≤ LossBy
//
// With one or two seats the sides are the seats; with more, one side is a hero and the other all
// other seats. At most one of WinBy and LossBy is below Never; then the other side's "over" is
// Never.
type Fact struct {
	WinOver, WinBy, LossOver, LossBy int
	// Best is a move in the frame of the position's key, see [game.Keyer], or NoMove.
	Best game.Move
	// Nodes is the number of positions that the proof visited.
	Nodes uint64
}

func (f Fact) bounds() bounds { return bounds{f.WinOver, f.WinBy, f.LossOver, f.LossBy} }

// Valid reports whether the numbers can hold for a position.
func (f Fact) Valid() bool {
	side := func(over, by, other int) bool {
		return 0 <= over && over <= Never && 0 < by && by <= Never && (over < by || over == Never && by == Never) &&
			(by == Never || other == Never)
	}
	return side(f.WinOver, f.WinBy, f.LossOver) && side(f.LossOver, f.LossBy, f.WinOver)
}

// Value is the value for the seat to move, decided in more than over and at most by plies.
// Unknown means that nobody can force a win within over plies.
func (f Fact) Value() (v game.Value, over, by int) {
	switch {
	case f.WinBy < Never:
		return game.Win, f.WinOver, f.WinBy
	case f.LossBy < Never:
		return game.Loss, f.LossOver, f.LossBy
	case f.WinOver == Never && f.LossOver == Never:
		return game.Draw, 0, Never
	}
	return game.Unknown, min(f.WinOver, f.LossOver), Never
}

// And combines two facts about one position. The result is invalid if they contradict each
// other.
func (f Fact) And(g Fact) Fact {
	b := f.bounds().and(g.bounds())
	both := Fact{b.winOver, b.winBy, b.lossOver, b.lossBy, f.Best, max(f.Nodes, g.Nodes)}
	if g.Best != game.NoMove {
		both.Best = g.Best
	}
	return both
}

// Says reports whether f adds to g, a fact about the same position.
func (f Fact) Says(g Fact) bool { return f.And(g).bounds() != g.bounds() }

// Book stores facts that searches have proved. It is safe for concurrent use.
type Book interface {
	// Facts calls f with the key and fact of each known position of a game; f keeps neither.
	// hero matters with more than two seats.
	Facts(g game.Game, hero int, f func(key []uint64, fact Fact)) error
	// Learn adds a fact about a position with its key. It keeps neither state nor key.
	Learn(g game.Game, hero int, s game.State, key []uint64, fact Fact)
}

// recall copies the book into the table. Entries that took more nodes stay longer, so a small
// table keeps the most costly ones.
func (c *pool) recall(p *plan) (facts uint64, err error) {
	sh := c.sh
	if p.Book == nil {
		return 0, nil
	}
	err = p.Book.Facts(sh.game, p.hero, func(key []uint64, f Fact) {
		facts++
		if sh.tab.Store(key, sh.tab.Hash(key), pack(f.bounds(), f.Best), table.Effort(f.Nodes)) == table.Filled {
			for n := sh.filled.Add(1); sh.tab.CanGrow() && 2*n > sh.tab.Slots(); {
				sh.tab.Grow()
			}
		}
	})
	return facts, err
}

// learn writes the current position to the book.
func (w *worker) learn(f *frame, p table.Payload, nodes uint64) {
	b, m := unpack(p)
	w.sh.plan.Book.Learn(w.sh.game, w.hero, w.state, f.key[:w.keyer.KeyWords()],
		Fact{b.winOver, b.winBy, b.lossOver, b.lossBy, m, nodes})
}

// Holds reports whether a fact agrees with a value for the side to move; plies is the distance
// of a win or a loss.
func (f Fact) Holds(v game.Value, plies int) bool {
	win, loss := Never, Never
	switch v {
	case game.Win:
		win = plies
	case game.Loss:
		loss = plies
	}
	in := func(over, plies, by int) bool { return (over < plies || plies == Never) && plies <= by }
	return in(f.WinOver, win, f.WinBy) && in(f.LossOver, loss, f.LossBy)
}

// ErrUndecided is wrapped by [Check] if it can neither prove nor refute a fact.
var ErrUndecided = errors.New("not decided")

// patience is the number of nodes after which Check stops trying to prove that a side never
// wins; a fact that took more nodes gets more.
const patience = 1 << 26

// Check proves a fact anew by searches with a table of their own. wrong says why the fact does
// not hold, nil if it does; it wraps [ErrUndecided] if the search gave up, which happens only to
// a fact that a side never wins. Algo, Limit, Scope and Book of the options are ignored; hero
// counts with more than two seats. err is the context's, or about bad options.
func Check(ctx context.Context, g game.Game, s game.State, hero int, f Fact, o Options) (wrong, err error) {
	if !f.Valid() {
		return fmt.Errorf("no position has these bounds: %+v", f), nil
	}
	if s.Result() != game.Ongoing {
		return fmt.Errorf("the game is over at %s", s), nil
	}
	o.Algo, o.Hero, o.Book = Paranoid, &hero, nil
	p, err := o.plan(g, s)
	if err != nil {
		return nil, err
	}
	c, stop, err := newPool(ctx, g, p, s)
	if err != nil {
		return nil, err
	}
	defer stop()
	if c.sh.tab != nil {
		defer c.sh.tab.Close()
	}
	for i, side := range [2]struct {
		name            string
		over, by, other int // bounds of this side; other is the value by of the other side
	}{{"the seat to move", f.WinOver, f.WinBy, f.LossBy}, {"the other side", f.LossOver, f.LossBy, f.WinBy}} {
		if side.over == Never {
			if side.other < Never {
				continue // follows from the other side's win
			}
			nodes := max(patience, 64*f.Nodes)
			if o.hasty {
				nodes = 1000
			}
			switch by, known := c.settle(i, false, MaxLimit, nodes); {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case !known:
				return fmt.Errorf("%s: that %s never wins is %w within %d nodes", s, side.name, ErrUndecided, c.total.Nodes), nil
			case by < Never:
				return fmt.Errorf("%s: %s can force a win", s, side.name), nil
			}
			continue
		}
		limit := side.over
		if side.by < Never {
			limit = side.by
		}
		by, ok := c.settle(i, true, limit, math.MaxUint64)
		switch {
		case !ok:
			return nil, ctx.Err()
		case by <= side.over:
			return fmt.Errorf("%s: %s forces a win in %d plies, not over %d", s, side.name, by, side.over), nil
		case by > side.by:
			return fmt.Errorf("%s: %s forces no win in %d plies", s, side.name, side.by), nil
		}
	}
	return nil, nil
}

// settle finds the least number of plies within which a side (0: the mover's) can force a win, Never
// if it cannot within limit plies. Unless alone is set it asks about both sides in turn, ever deeper: a
// win of one excludes a win of the other. known is false if the search was stopped, has visited the
// given nodes, or asked about both sides to the limit.
func (c *pool) settle(side int, alone bool, limit int, nodes uint64) (by int, known bool) {
	var counts [2]Counts
	var shut [2]bool // sides not to ask about: they never win
	shut[1-side] = alone
	for depth := 1; depth <= min(limit, MaxLimit); depth++ {
		for _, i := range [2]int{side, 1 - side} {
			if shut[i] {
				continue
			}
			won, final, ok := c.wins(i, depth, &counts[i])
			switch {
			case !ok:
				return 0, false
			case won && i == side:
				return depth, true
			case won, final && i == side:
				return Never, true
			case counts[0].Nodes+counts[1].Nodes > nodes:
				return 0, false
			}
			shut[i] = final
		}
	}
	return Never, alone
}

// wins finds out whether a side (0: the mover's) can force a win within depth plies; final means
// never. ok is false if the search was stopped.
func (c *pool) wins(side, depth int, counts *Counts) (won, final, ok bool) {
	ans, _, ok := c.run(counts, func(w *worker) answer {
		if side == 0 {
			return answer{a: w.search(depth, 0, 1)}
		}
		return answer{a: -w.search(depth, -1, 0)}
	})
	return ans.a > 0, !ans.horizon && ans.a <= 0, ok
}
