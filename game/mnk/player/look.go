package player

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"perfectplay/game/mnk"
	"perfectplay/internal/host"
)

// View is the search's estimate of an undecided position, never a proof.
type View struct {
	// Share is the standing of the player to move, from 0 (lost) to 1 (won).
	Share float64
	// Cells are the cells looked at, the best first. Shares has, for each of them, the standing of
	// the player to move after a stone on the cell.
	Cells  []int
	Shares []float64
	// Line is a likely continuation.
	Line  []int
	Depth int
	Nodes uint64
	// Complete are the cells on which each player completes a line.
	Complete [2][]int
	// Wins is a cell with which the player to move wins by threats, −1 if none was found.
	Wins int
	// Meets are the only cells with which the player to move can meet the opponent's chain
	// of fours; nil if there is no such chain.
	Meets []int
}

// looked is the number of cells looked at.
const looked = 16

// Look estimates an undecided position, deeper and deeper, until the limits are reached,
// the context ends or nothing is left to look at. The state comes back unchanged.
func Look(ctx context.Context, g *mnk.Game, s *mnk.Plain, o Options, l Limits, report func(*View)) error {
	q, err := newSearch(g, o.Memory, o.Threads)
	if err != nil {
		return err
	}
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	t := &turn{ctx: ctx, watch: host.NewWatch(false), use: l.Time, limit: l.Positions}
	if t.use == 0 {
		t.use = endless
	}
	stop := context.AfterFunc(ctx, func() { t.stop.Store(true) })
	defer stop()
	q.look(t, s, l.Depth, report)
	return q.close()
}

func (s *search) look(t *turn, at *mnk.Plain, depth int, report func(*View)) {
	f, me := s.f, at.Seat()
	f.follow(at)
	s.stop, s.over, s.nodes, s.limit, s.ended = t.passed, false, 0, t.limit, &t.stop
	base := View{Wins: -1}
	for p := range 2 {
		base.Complete[p] = cells(f.complete[p].list)
	}
	if own := f.complete[me].list; len(own) > 0 {
		base.Wins = int(slices.Min(own))
		s.show(base, []rootMove{{int32(base.Wins), mate - 1}}, 1, report)
		return
	}
	s.open(me)
	if foes := f.complete[1-me].list; len(foes) > 0 {
		s.root = s.root[:0]
		for _, c := range foes {
			s.root = append(s.root, rootMove{c: c})
		}
	} else {
		if b, won := s.decide(me, firstRoom); won {
			base.Wins = int(b.c)
			s.show(base, []rootMove{{b.c, mate - 3}}, 1, report)
			return
		}
		if _, lost := s.chain(1-me, firstRoom, true); lost {
			base.Meets = cells(s.th.zone)
		}
	}
	root := slices.Clone(s.root[:min(len(s.root), looked)])
	next := slices.Clone(root)
	most := min(deepest, f.cells-f.n)
	if depth > 0 {
		most = min(most, depth)
	}
	s.gather()
	for d := 1; d <= most; d++ {
		s.grow()
		var taken atomic.Int64
		share := func(s *search) (over bool) {
			for i := taken.Add(1) - 1; i < int64(len(root)) && !s.over; i = taken.Add(1) - 1 {
				s.f.put(root[i].c, me)
				next[i] = rootMove{root[i].c, -s.value(1-me, d-1, 1, -infinite, infinite)}
				s.f.take()
			}
			return s.over
		}
		s.together(func() bool { return share(s) }, func(h *search, _ int) { share(h) })
		if s.over || t.stop.Load() {
			return
		}
		slices.SortStableFunc(next, func(a, b rootMove) int { return cmp.Compare(b.v, a.v) })
		copy(root, next)
		s.show(base, root, d, report)
		if root[0].v >= decided || root[0].v <= -decided {
			return
		}
	}
}

// cells are the numbers of a list, in order.
func cells(list []int32) (out []int) {
	for _, c := range list {
		out = append(out, int(c))
	}
	slices.Sort(out)
	return out
}

// show reports the values of the root's moves, the best first.
func (s *search) show(v View, root []rootMove, depth int, report func(*View)) {
	f := s.f
	scale := float64(f.total[0]+f.total[1]) + float64(4*weight(f.k, max(f.k-2, 1)))
	const steep = 3
	for _, m := range root {
		share := 1 / (1 + math.Exp(-steep*float64(m.v)/scale))
		switch {
		case m.v >= decided:
			share = 1
		case m.v <= -decided:
			share = 0
		}
		v.Cells, v.Shares = append(v.Cells, int(m.c)), append(v.Shares, share)
	}
	v.Share, v.Depth, v.Nodes = v.Shares[0], depth, s.visited()
	me := f.n % 2
	p := me
	for c := root[0].c; ; {
		v.Line = append(v.Line, int(c))
		f.put(c, p)
		p = 1 - p
		if f.won(1-p) || f.n == f.cells || len(v.Line) >= depth {
			break
		}
		a, ok := s.th.probe(s.th.tag(kindValue, p))
		c = int32(a >> moveShift & (1<<13 - 1))
		switch {
		case len(f.complete[p].list) > 0:
			c = f.complete[p].list[0]
		case len(f.complete[1-p].list) > 0:
			c = f.complete[1-p].list[0]
		case !ok || int(c) >= f.cells || f.cell[c] != 0:
			c = -1
		}
		if c < 0 {
			break
		}
	}
	for range v.Line {
		f.take()
	}
	report(&v)
}
