package solve

import (
	"context"
	"fmt"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Never is a number of plies within which nothing is forced: however many.
const Never = infinite

// Fact is what is proved of a position for the seat to move there. Let W be the
// number of plies within which its side can force a win and L the number within
// which the other side can, each Never if it cannot:
//
//	WinOver < W ≤ WinBy      LossOver < L ≤ LossBy
//
// With one seat or two the sides are the seats; with more, a fact is about a hero
// against all others. At most one of WinBy and LossBy is not Never, and where one
// is, the other side's "over" is Never.
type Fact struct {
	WinOver, WinBy, LossOver, LossBy int
	// Best is a move in the frame of the position's key, see [game.Keyer], or NoMove.
	Best game.Move
	// Nodes is the number of positions that the proof has visited.
	Nodes uint64
}

// bounds is the fact without move and cost.
func (f Fact) bounds() bounds { return bounds{f.WinOver, f.WinBy, f.LossOver, f.LossBy} }

// Valid reports whether a fact can hold of any position.
func (f Fact) Valid() bool {
	side := func(over, by, other int) bool {
		return 0 <= over && over <= Never && 0 < by && by <= Never && (over < by || over == Never && by == Never) &&
			(by == Never || other == Never)
	}
	return side(f.WinOver, f.WinBy, f.LossOver) && side(f.LossOver, f.LossBy, f.WinOver)
}

// And is what two facts about one position say together: not valid if they
// contradict each other.
func (f Fact) And(g Fact) Fact {
	b := f.bounds().and(g.bounds())
	both := Fact{b.winOver, b.winBy, b.lossOver, b.lossBy, f.Best, max(f.Nodes, g.Nodes)}
	if g.Best != game.NoMove {
		both.Best = g.Best
	}
	return both
}

// Says reports whether a fact says more than another one about the same position.
func (f Fact) Says(g Fact) bool { return f.And(g).bounds() != g.bounds() }

// Book is what searches have proved before and what they prove. It is safe for
// concurrent use.
type Book interface {
	// Facts calls f with each fact about a position of a game, for a hero where
	// there are more than two seats, and its key; f keeps neither.
	Facts(g game.Game, hero int, f func(key []uint64, fact Fact)) error
	// Learn adds a fact about the position of a state, whose key it is. The state
	// and the key belong to the caller.
	Learn(g game.Game, hero int, s game.State, key []uint64, fact Fact)
}

// recall stores what the book knows in the table. Entries that took more nodes stay
// longer there, so a small table keeps the dearest.
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

// learn writes the current position, whose frame is f, to the book.
func (w *worker) learn(f *frame, p table.Payload, nodes uint64) {
	b, m := unpack(p)
	w.sh.plan.Book.Learn(w.sh.game, w.hero, w.state, f.key[:w.keyer.KeyWords()],
		Fact{b.winOver, b.winBy, b.lossOver, b.lossBy, m, nodes})
}

// Check proves a fact about a position anew, by searches with a table of their own.
// It returns what is wrong with the fact, nil if it holds. Algo, Limit, Scope and
// Book of the options do not count; hero does with more than two seats. err is the
// context's, or says that the options make no sense.
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
		over, by, other int // other is the other side's by
	}{{"the seat to move", f.WinOver, f.WinBy, f.LossBy}, {"the other side", f.LossOver, f.LossBy, f.WinBy}} {
		if side.over == Never && side.other < Never {
			continue // the other side's win says it
		}
		limit := side.over
		if side.by < Never {
			limit = side.by
		}
		by, never, ok := c.force(i, limit)
		switch {
		case !ok:
			return nil, ctx.Err()
		case by < Never && by <= side.over:
			return fmt.Errorf("%s: %s forces a win in %d plies, not over %d", s, side.name, by, side.over), nil
		case by > side.by || by == Never && side.by < Never:
			return fmt.Errorf("%s: %s forces no win in %d plies", s, side.name, side.by), nil
		case side.over == Never && !never:
			return fmt.Errorf("%s: %s is not shown never to win", s, side.name), nil
		}
	}
	return nil, nil
}

// force finds the number of plies within which a side, 0 for that of the mover, can
// force a win, if that is no more than limit; never says that it cannot at all. ok
// is false if it was stopped.
func (c *pool) force(side, limit int) (by int, never, ok bool) {
	var counts Counts
	var last uint64
	for depth := 1; depth <= min(limit, MaxLimit); depth++ {
		ans, nodes, ok := c.run(&counts, last, func(w *worker) answer {
			if side == 0 {
				return answer{a: w.search(depth, 0, 1)}
			}
			return answer{a: -w.search(depth, -1, 0)}
		})
		switch last = nodes; {
		case !ok:
			return 0, false, false
		case ans.a > 0:
			return depth, false, true
		case !ans.horizon:
			return Never, true, true
		}
	}
	return Never, false, true
}
