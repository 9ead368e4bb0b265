package player

import (
	"context"
	"fmt"
	"time"

	"perfectplay/game/mnk"
	"perfectplay/game/mnk/prove"
)

// perfect is our player. On boards of at most 64 cells it asks the prover, in
// this order and as far as the budget goes: can I win; does the opponent fail to
// win, and which cells keep it so; which cells lose by a proof found quickly.
// What is left open is decided by the local search.
type perfect struct {
	g     *mnk.Game
	f     *field
	l     local
	p     *prove.Prover
	pairs *Plane // for k ≥ 9
	note  string
}

func newPerfect(g *mnk.Game, o Options) (Player, error) {
	q := &perfect{g: g, f: newField(g)}
	q.l.f = q.f
	if g.Lines() != nil {
		p, err := prove.New(g, prove.Options{Memory: o.Memory, Threads: o.Threads})
		if err != nil {
			return nil, fmt.Errorf("player: %w", err)
		}
		q.p = p
	} else if g.K() >= PlaneK {
		q.pairs = NewPlane()
	}
	return q, nil
}

func (q *perfect) Name() string { return "perfect" }
func (q *perfect) Note() string { return q.note }

// Move implements Player. It keeps a fifth of the budget, and at least 50 ms if
// there is as much, in reserve.
func (q *perfect) Move(ctx context.Context, s *mnk.Plain, budget time.Duration) int {
	start := time.Now()
	use := budget - max(budget/5, min(50*time.Millisecond, budget/2))
	at := func(share float64) time.Time { return start.Add(time.Duration(float64(use) * share)) }
	f, me := q.f, s.Seat()
	f.follow(s)
	if c, _ := f.completes(me); c >= 0 {
		q.note = "completes a line"
		return int(c)
	}
	if c, more := f.completes(1 - me); c >= 0 {
		q.note = "blocks a line"
		if more {
			q.note = "is lost"
		}
		return int(c)
	}
	switch {
	case q.p != nil:
		return q.proved(ctx, s, me, at)
	case q.pairs != nil:
		// A free pair that the opponent has broken into is completed at once.
		if len(f.stack) > 0 {
			if c, ok := q.mate(s, me); ok {
				q.note = "answers in a pair"
				return c
			}
		}
	}
	return q.searched(ctx, me, nil, at(1))
}

// mate returns the cell that completes the pair of a stone of the opponent
// whose other cell is empty.
func (q *perfect) mate(s *mnk.Plain, me int) (int, bool) {
	cols := q.g.Cols()
	for c := range q.g.Cells() {
		if int(s.At(c)) != 2-me {
			continue
		}
		r, k := q.pairs.Partner(c/cols, c%cols)
		if r >= 0 && r < q.g.Rows() && k >= 0 && k < cols && s.At(r*cols+k) == 0 {
			return r*cols + k, true
		}
	}
	return 0, false
}

// searched is the local search until a moment.
func (q *perfect) searched(ctx context.Context, me int, veto []bool, until time.Time) int {
	q.l.veto = veto
	q.l.nodes = 0
	c, v, d := q.l.choose(me, 40, func() bool { return ctx.Err() != nil || !time.Now().Before(until) })
	q.note = fmt.Sprintf("searched %d plies, %d nodes", d, q.l.nodes)
	if v > winScore/2 {
		q.note = "sees a win"
	}
	return int(c)
}

// proved asks the prover.
func (q *perfect) proved(ctx context.Context, s *mnk.Plain, me int, at func(float64) time.Time) int {
	var set [2]uint64
	for c := range q.g.Cells() {
		if p := s.At(c); p != 0 {
			set[p-1] |= 1 << c
		}
	}
	ask := func(x, o uint64, seat, attacker int, share float64) prove.Result {
		c, cancel := context.WithDeadline(ctx, at(share))
		defer cancel()
		return q.p.CanWin(c, x, o, seat, attacker)
	}
	after := func(c int) (x, o uint64) {
		t := set
		t[me] |= 1 << c
		return t[0], t[1]
	}
	if r := ask(set[0], set[1], me, me, 0.3); r.Known && r.Won && r.Move >= 0 {
		q.note = "proved a win"
		return r.Move
	}
	hold := ask(set[0], set[1], me, 1-me, 0.6)
	veto := make([]bool, q.g.Cells())
	q.l.veto = nil
	kept := append([]scoredCell(nil), q.l.moves(me, 0, q.g.Cells())...)
	switch {
	case hold.Known && !hold.Won:
		// A draw at least. Take the best-looking cell that keeps it.
		for i, m := range kept {
			x, o := after(int(m.c))
			if r := ask(x, o, 1-me, 1-me, 0.6+0.35*float64(i+1)/float64(len(kept))); r.Known && !r.Won {
				q.note = "proved that the opponent cannot win"
				return int(m.c)
			}
		}
	case hold.Known:
		q.note = "is lost"
		return q.searched(ctx, me, nil, at(1))
	}
	// Rule out cells that lose by a proof found quickly.
	left := 0
	for i, m := range kept {
		if i >= 24 {
			veto[m.c] = true
			continue
		}
		x, o := after(int(m.c))
		r := ask(x, o, 1-me, 1-me, 0.6+0.2*float64(i+1)/float64(min(len(kept), 24)))
		if r.Known && !r.Won {
			q.note = "proved that the opponent cannot win"
			return int(m.c)
		}
		if veto[m.c] = r.Known && r.Won; !veto[m.c] {
			left++
		}
	}
	if left == 0 {
		veto = nil
	}
	return q.searched(ctx, me, veto, at(1))
}
