package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
)

const (
	lookEvery = 100 * time.Millisecond // least time between two reports of playouts
	seldom    = 0.02                   // least visits for an estimate, relative to the most visited move
	trusted   = 16                     // least number of visits of a move in a line
)

// Look reports on an undecided position, at once and ever deeper, until the limits are reached
// or the context ends. Unlike [Search.Best] it searches every move with an open window, so each
// has an estimate, not a bound. It leaves the state as it was. It reports nothing without an
// evaluation.
func (w *Search) Look(ctx context.Context, s game.State, l Limits, report func(*wing.Outlook)) {
	if _, judges := s.(game.Evaluator); !judges && !w.exact {
		return
	}
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	w.begin(ctx, s, l)
	moves := s.Moves(nil)
	values := make([]int32, len(moves))
	for i, m := range moves {
		w.play(m)
		if winner, ok := w.s.Result().Winner(); ok && winner == w.hero {
			values[i] = mate - 1
		} else {
			values[i] = w.standing(w.frame(), true)
		}
		w.back()
	}
	sortByValue(moves, values)
	w.report(moves, values, 0, report)
	switch {
	case w.seats > 2:
		w.lookByPlayouts(report)
	case values[0] < decided:
		w.lookAhead(moves, values, l, report)
	}
}

// lookAhead searches all moves ever deeper.
func (w *Search) lookAhead(moves []game.Move, values []int32, l Limits, report func(*wing.Outlook)) {
	most := l.depth()
	next := make([]int32, len(moves))
	for d := 1; d <= most; d++ {
		w.grow()
		var taken atomic.Int64
		share := func(s *Search) (stopped bool) {
			for i := taken.Add(1) - 1; i < int64(len(moves)) && !s.stopped; i = taken.Add(1) - 1 {
				next[i] = s.reply(moves[i], d, -infinite, infinite, true)
			}
			return s.stopped
		}
		w.together(func() bool { return share(w) }, func(h *Search, _ int) { share(h) })
		if w.stopped || w.ctx.Err() != nil {
			return
		}
		copy(values, next)
		sortByValue(moves, values)
		w.report(moves, values, d, report)
		if values[0] >= decided || values[0] <= -decided {
			return
		}
	}
}

// report converts the values of moves to an outlook, best first.
func (w *Search) report(moves []game.Move, values []int32, depth int, report func(*wing.Outlook)) {
	o := &wing.Outlook{Moves: slices.Clone(moves), Depth: depth, Nodes: w.visited(), Seats: w.standings()}
	for _, v := range values {
		share := 1 / (1 + math.Exp(-float64(v)/temper))
		if w.seats == 1 {
			share = 0
		}
		o.Estimates = append(o.Estimates, w.estimate(share, v))
	}
	if w.seats == 2 { // the standing after the best move counts, not that on the board
		o.Seats[w.hero], o.Seats[1-w.hero] = o.Estimates[0], w.estimate(1-o.Estimates[0].Share, -values[0])
	}
	o.Line = w.line(moves[0], max(depth, 1))
	report(o)
}

func (w *Search) standings() (list []wing.Estimate) {
	var share [maxSeats]float32
	var costs [maxSeats]int32
	w.expect(&share)
	w.e.Costs(w.s, costs[:w.seats])
	for seat := range w.seats {
		list = append(list, w.estimate(float64(share[seat]), standing(costs[:w.seats], seat)))
	}
	return list
}

// estimate is the estimate of a share and a standing in hundredths of a turn.
func (w *Search) estimate(share float64, standing int32) wing.Estimate {
	turns := float64(standing) / 100
	switch {
	case !w.exact:
		return wing.Estimate{Share: share}
	case w.seats == 1:
		turns = -turns
	}
	return wing.Estimate{Share: share, Turns: &turns}
}

// line follows the table's moves from the first one.
func (w *Search) line(first game.Move, most int) (line []game.Move) {
	var f frame
	for m := first; ; {
		w.s.Make(m)
		line = append(line, m)
		if w.table == nil || len(line) >= most || w.s.Result() != game.Ongoing {
			break
		}
		_, next, _ := w.probe(&f, 0, -infinite, infinite)
		if next == game.NoMove || !slices.Contains(w.s.Moves(nil), next) {
			break
		}
		m = next
	}
	for range line {
		w.s.Unmake()
	}
	return line
}

// lookByPlayouts grows a tree and reports the estimates of its moves.
func (w *Search) lookByPlayouts(report func(*wing.Outlook)) {
	w.replant()
	tell := func() {
		if o := w.shown(); o != nil {
			report(o)
		}
	}
	last := w.elapsed()
	w.playouts(func(n int) bool {
		if n%64 == 0 && w.elapsed()-last >= lookEvery {
			tell()
			last = w.elapsed()
		}
		return true
	})
	tell()
}

// shown returns the outlook by the moves with enough visits; nil without such moves. Wins come
// first and losses last; the other moves are ordered by their share.
func (w *Search) shown() *wing.Outlook {
	children := w.tree.root.kids()
	most := int32(0)
	for i := range children {
		most = max(most, children[i].visits.Load())
	}
	type sight struct {
		*node
		visits, share, rank float64
	}
	var seen []sight
	for i := range children {
		c := sight{node: &children[i], visits: float64(children[i].visits.Load())}
		winner := c.winner()
		if c.visits == 0 || c.visits < seldom*float64(most) && winner == undecided {
			continue
		}
		c.share = float64(c.shares()) / c.visits
		switch winner {
		case w.hero:
			c.rank = math.Inf(1)
		case undecided, tied:
			c.rank = c.share
		default:
			c.rank = -1 / float64(c.plies()+1)
		}
		seen = append(seen, c)
	}
	if len(seen) == 0 {
		return nil
	}
	slices.SortStableFunc(seen, func(a, b sight) int { return cmp.Compare(b.rank, a.rank) })
	o := &wing.Outlook{Nodes: w.visited(), Seats: w.standings()}
	for _, c := range seen {
		o.Moves = append(o.Moves, c.move)
		o.Estimates = append(o.Estimates, wing.Estimate{Share: c.share})
	}
	for n := seen[0].node; n != nil; {
		o.Line = append(o.Line, n.move)
		children = n.kids()
		n = nil
		for i := range children {
			if v := children[i].visits.Load(); v >= trusted && (n == nil || v > n.visits.Load()) {
				n = &children[i]
			}
		}
	}
	return o
}
