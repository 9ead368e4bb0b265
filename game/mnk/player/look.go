package player

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/game/mnk"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
)

// looked is the number of cells looked at.
const looked = 16

// Look estimates an undecided position, see [wing.Wing].
func Look(ctx context.Context, of game.Game, s game.State, r wing.Resources, l wing.Limits, report func(*wing.Outlook)) error {
	g := of.(*mnk.Game)
	at, err := plain(g, s)
	if err != nil {
		return err
	}
	q, err := newSearch(g, r.Memory, r.Threads)
	if err != nil {
		return err
	}
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	t := &turn{ctx: ctx, watch: host.NewWatch(false), use: cmp.Or(l.Time, endless)}
	stop := context.AfterFunc(ctx, func() { t.stop.Store(true) })
	defer stop()
	q.look(t, at, l.Depth, report)
	return q.close()
}

func (s *search) look(t *turn, at *mnk.Plain, depth int, report func(*wing.Outlook)) {
	f, me := s.f, at.Seat()
	f.follow(at)
	s.stop, s.over, s.nodes, s.limit, s.ended = t.passed, false, 0, t.limit, &t.stop
	var threats []wing.Threat
	threat := func(seat int, list []int32, text string) {
		if len(list) > 0 {
			threats = append(threats, wing.Threat{Seat: seat, Cells: cells(list), Text: text})
		}
	}
	for p := range 2 {
		threat(p, f.complete[p].list, "completes a line")
	}
	if own := f.complete[me].list; len(own) > 0 {
		s.show(threats, []rootMove{{slices.Min(own), mate - 1}}, 1, report)
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
			threat(me, []int32{b.c}, "wins by threats")
			s.show(threats, []rootMove{{b.c, mate - 3}}, 1, report)
			return
		}
		if _, lost := s.chain(1-me, firstRoom, true); lost {
			threat(1-me, s.th.zone, "threatens to win")
		}
	}
	root := slices.Clone(s.root[:min(len(s.root), looked)])
	next := slices.Clone(root)
	most := min(deepest, f.cells-f.n, cmp.Or(depth, deepest))
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
		s.show(threats, root, d, report)
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
func (s *search) show(threats []wing.Threat, root []rootMove, depth int, report func(*wing.Outlook)) {
	f := s.f
	o := &wing.Outlook{Seats: make([]wing.Estimate, 2), Depth: depth, Nodes: int64(s.visited()), Threats: threats}
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
		o.Moves, o.Estimates = append(o.Moves, game.Move(m.c)), append(o.Estimates, wing.Estimate{Share: share})
	}
	me := f.n % 2
	o.Seats[me], o.Seats[1-me].Share = o.Estimates[0], 1-o.Estimates[0].Share
	p := me
	for c := root[0].c; ; {
		o.Line = append(o.Line, game.Move(c))
		f.put(c, p)
		p = 1 - p
		if f.won(1-p) || f.n == f.cells || len(o.Line) >= depth {
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
	for range o.Line {
		f.take()
	}
	report(o)
}
