package solve

import (
	"context"
	"fmt"
	"time"

	"perfectplay/game"
)

// Run searches a position, which it does not change. If the context is cancelled or the time is
// up it returns the results so far with Interrupted set, and no error. A panic of the game is
// returned as a [game.Fault].
func Run(ctx context.Context, g game.Game, s game.State, o Options) (_ *Report, err error) {
	defer game.Guard(&err, g, s)
	begin := time.Now()
	p, err := o.plan(g, s)
	if err != nil {
		return nil, err
	}
	if s.Result() != game.Ongoing {
		return nil, fmt.Errorf("%w: position: the game is over", ErrOptions)
	}
	c, stop, err := newPool(ctx, g, p, s)
	if err != nil {
		return nil, err
	}
	defer stop()
	if c.sh.tab != nil {
		defer c.sh.tab.Close()
	}
	recalled, err := c.recall(p)
	if err != nil {
		return nil, err
	}
	r := &run{plan: p, ctx: ctx, game: g, root: s.Clone(), pool: c, begin: begin, rehearseAt: rehearseFrom}
	if p.eager {
		r.rehearseAt = 64
	}
	if p.ordering.Learn && !p.Direct {
		r.orderings = orderings(p.ordering, s)
		for _, w := range c.workers {
			w.order = r.orderings[0]
		}
	}
	r.report.Game, r.report.Algo, r.report.Limit, r.report.Hero = g, p.algo, p.Limit, p.hero
	if p.algo == MaxN {
		r.report.Hero = -1
	}
	r.report.Threads, r.report.Recalled = len(c.workers), recalled
	r.all()
	if c.sh.failed != nil {
		return nil, c.sh.failed
	}
	rep := &r.report
	rep.Interrupted = r.unfinished()
	rep.Total = c.total
	rep.Elapsed = time.Since(begin)
	if c.sh.tab != nil {
		rep.Table = c.sh.tab.Stats()
	}
	return rep, nil
}

// run is one call of Run.
type run struct {
	*plan
	ctx     context.Context
	game    game.Game
	root    game.State
	pool    *pool
	begin   time.Time
	report  Report
	cutLine bool // the line was not finished
	stopped bool // stopped before all was final, without a limit
	endless bool // a run without a limit: Limit is only the horizon of the current round

	orderings  []Ordering // orderings to compare; the current one is the first
	rehearseAt uint64     // nodes of the run before the next comparison
	costs      []uint64   // by depth: most nodes of any iteration
	depth      int        // depth of the current iteration
}

// verdict is a value for the hero, or under maxn for the root's mover; distances count from the
// position searched.
type verdict struct {
	value    game.Value
	winner   int // winning seat under maxn
	distance int
	reached  int
	cut      bool // stopped before the limit
}

type job struct {
	*Search
	weight int // its share of the time, relative to other jobs
	// over has, for the side to move after the opening and for the other side, the plies within
	// which it has no forced win.
	over *[2]int
}

func (r *run) all() {
	moves := r.root.Moves(nil)
	whole := &r.report.Whole
	var jobs []job
	if r.Scope != OpeningsOnly {
		whole.Move, whole.Winner = game.NoMove, -1
		jobs = append(jobs, job{whole, len(moves), new([2]int)})
	}
	if r.Scope != WholeOnly {
		r.report.Openings = make([]Search, len(moves))
		for i, m := range moves {
			opening := &r.report.Openings[i]
			opening.Opening, opening.Move, opening.Name, opening.Winner = i+1, m, r.root.MoveString(m), -1
			jobs = append(jobs, job{opening, 1, new([2]int)})
		}
	}
	r.pool.sh.progress = Progress{Searches: 1 + len(r.report.Openings), Limit: r.Limit}
	r.pool.sh.meter = meter{limit: r.Limit, growth: usualGrowth}
	for _, j := range jobs {
		r.pool.sh.meter.weights += float64(j.weight)
	}
	if r.Limit > 0 {
		for again := true; again; {
			again = r.round(jobs)
		}
	} else {
		r.deepen(jobs)
	}
	switch {
	case r.Scope == OpeningsOnly:
		*whole = r.combine()
	case r.Scope == Both && whole.Value == game.Unknown:
		// The openings may be decided although the search of the whole ran out of time.
		combined := r.combine()
		whole.Value, whole.Winner, whole.Distance = combined.Value, combined.Winner, combined.Distance
		whole.Reached, whole.done = max(whole.Reached, combined.Reached), whole.done || combined.done || combined.Value != game.Unknown
	}
	for i := range r.report.Openings {
		if op := &r.report.Openings[i]; whole.Value != game.Unknown && op.Value == whole.Value &&
			op.Distance == whole.Distance && op.Winner == whole.Winner {
			whole.Move = op.Move
			break
		}
	}
	r.pool.sh.deadline = r.end()
	if !r.NoLine && r.report.Line == nil {
		r.line()
	}
	if whole.Move == game.NoMove && len(r.report.Line) > 0 {
		whole.Move, _ = r.root.ParseMove(r.report.Line[0])
	}
	if whole.Move != game.NoMove {
		whole.Name = r.root.MoveString(whole.Move)
	}
}

// deepen runs all searches with growing limits, in step, until all are final, the time is up or
// the run is cancelled.
func (r *run) deepen(jobs []job) {
	sh := r.pool.sh
	sh.deadline, r.endless = r.end(), true
	for r.Limit < r.algo.deepest() {
		r.Limit++
		sh.progress.Limit = r.Limit
		open := false
		for _, j := range jobs {
			if j.Value != game.Unknown {
				continue
			}
			sh.progress.Search, sh.progress.Move = j.Opening, j.Name
			r.search(j)
			if !j.done {
				r.report.Limit, r.stopped = r.Limit, true
				return
			}
			open = open || j.Value == game.Unknown
			if r.Deeper != nil && j.Value != game.Unknown {
				if j.Opening == 0 && !r.NoLine {
					r.line()
				}
				if r.stopped = !r.Deeper(&r.report); r.stopped {
					return
				}
			}
		}
		r.report.Limit = r.Limit
		if !open {
			return
		}
		if r.Deeper != nil && !r.Deeper(&r.report) {
			r.stopped = true
			return
		}
	}
}

// round runs all unfinished searches, each within its share of the time left. It reports whether
// another round makes sense: some ended early, and others can use their time.
func (r *run) round(jobs []job) (again bool) {
	weights := 0
	var open []job
	for _, j := range jobs {
		if !j.done {
			open = append(open, j)
			weights += j.weight
		}
	}
	sh, done := r.pool.sh, 0
	for _, j := range open {
		sh.progress.Search, sh.progress.Move = j.Opening, j.Name
		sh.meter.search(j.weight)
		if r.Time > 0 {
			now := time.Now()
			left := max(0, r.end().Sub(now))
			sh.deadline = now.Add(time.Duration(float64(left) * float64(j.weight) / float64(weights)))
		}
		weights -= j.weight
		r.search(j)
		sh.meter.finish(j.done)
		if j.done {
			done++
		}
		if r.Deeper != nil {
			if j.Opening == 0 && j.Value != game.Unknown && !r.NoLine {
				sh.deadline = r.end()
				r.line() // report a value together with the line that proves it
			}
			if r.stopped = !r.Deeper(&r.report); r.stopped {
				return false
			}
		}
	}
	return r.Time > 0 && done > 0 && done < len(open) && !sh.canceled.Load() && time.Until(r.end()) > r.Time/100
}

// end is the time at which the run must stop, zero if there is no limit.
func (r *run) end() time.Time {
	if r.Time <= 0 {
		return time.Time{}
	}
	return r.begin.Add(r.Time)
}

func (r *run) unfinished() bool {
	open := r.cutLine || r.stopped || !r.report.Whole.done
	for i := range r.report.Openings {
		open = open || !r.report.Openings[i].done
	}
	return open
}

func (r *run) search(j job) {
	begin := time.Now()
	s, before, at := j.Search, 0, r.root.Clone()
	if s.Move != game.NoMove {
		before = 1
		at.Make(s.Move)
	}
	var v verdict
	if res := at.Result(); res != game.Ongoing || r.nobodyWins(at) {
		v = r.finished(res)
		v.reached = r.Limit - before
		s.Counts = Counts{Nodes: 1, Terminals: 1}
		r.pool.total.Add(&s.Counts)
	} else {
		r.pool.place(at)
		s.Counts.MaxDepth -= before
		v = r.solve(j, at, r.Limit-before, before)
	}
	s.Counts.MaxDepth += before
	s.Value, s.Winner, s.done = v.value, v.winner, !v.cut
	s.Reached = max(s.Reached, v.reached+before)
	if v.value == game.Win || v.value == game.Loss {
		s.Distance = v.distance + before
	}
	s.Elapsed += time.Since(begin)
}

// finished is the verdict on a game that is over, or in which nobody can win any more.
func (r *run) finished(res game.Result) verdict {
	v := verdict{value: game.Draw, winner: -1}
	seat, won := res.Winner()
	hero := r.hero
	if r.algo == MaxN {
		hero = r.root.Seat()
		if won {
			v.winner = seat
		}
	}
	switch {
	case won && seat == hero:
		v.value = game.Win
	case won && r.algo != Proof:
		v.value = game.Loss
	}
	return v
}

// solve finds the verdict within limit plies on an unfinished position that is before plies from
// the root.
func (r *run) solve(j job, at game.State, limit, before int) verdict {
	switch {
	case limit <= 0:
		return verdict{winner: -1}
	case r.algo == MaxN:
		return r.solveMaxN(at, limit, &j.Counts, before, max(0, j.Reached-before))
	}
	return r.solveSides(j, at, limit, before)
}

// iteration prepares an iteration; the iteration before it took last nodes.
func (r *run) iteration(at game.State, counts *Counts, depth, before int, last uint64) {
	for len(r.costs) <= depth {
		r.costs = append(r.costs, 0)
	}
	r.costs[r.depth] = max(r.costs[r.depth], last)
	r.depth = depth
	r.rehearse(at, counts)
	sh := r.pool.sh
	sh.progress.Iteration = depth + before
	sh.meter.iteration(depth+before, last)
	sh.rootDone.Store(0)
	sh.rootAll.Store(0)
}

// solveSides deepens alpha-beta until the value is decided. Each iteration asks whether one of
// the two sides can force a win within depth plies. Most wins come with the winner's own ply, so
// it asks about a side at depths whose last ply is that side's, and at the limit. With three seats
// and more the single seat's question costs little, so it follows each of the allies'. Proof asks
// about the hero alone.
func (r *run) solveSides(j job, at game.State, limit, before int) verdict {
	w := r.pool.workers[0]
	mover := at.Seat()
	left := infinite
	if e, ok := at.(game.Ender); ok {
		left = e.PliesLeft()
	}
	b, over := w.race(mover, -1, 1).within(left), j.over
	over[0], over[1] = max(over[0], b.winOver), max(over[1], b.lossOver)
	if r.algo == Proof { // nobody asks about the others
		others := 0
		if onSide(w.side, mover) {
			others = 1
		}
		over[others] = infinite
	}
	v := verdict{winner: -1}
	var last uint64 // nodes of the last iteration
	for v.value == game.Unknown {
		side, depth := r.next(over, mover, limit, left)
		if depth > limit {
			break
		}
		r.iteration(at, &j.Counts, depth, before, last)
		alpha, beta := 0, depth-over[0]
		if side == 1 {
			alpha, beta = over[1]-depth, 0
		}
		ans, nodes, ok := r.pool.run(&j.Counts, func(w *worker) answer {
			return answer{a: w.search(depth, alpha, beta)}
		})
		if !ok {
			v.cut, v.reached = true, min(over[0], over[1])
			return v
		}
		last = nodes
		switch {
		case side == 0 && ans.a > 0:
			v.value, v.distance = game.Win, depth+1-ans.a
		case side == 1 && ans.a < 0:
			v.value, v.distance = game.Loss, depth+1+ans.a
		case ans.horizon:
			over[side] = depth
		default:
			over[side] = infinite
		}
	}
	if v.value == game.Unknown && r.drawn(at, min(over[0], over[1]), limit) {
		v.value = game.Draw
	}
	if v.reached = limit; v.value == game.Unknown {
		v.reached = min(over[0], over[1], limit)
	}
	if !onSide(w.side, mover) {
		v.value = v.value.Negate()
	}
	return v
}

// next chooses the next question of solveSides: a side, 0 for the mover's, and a depth greater
// than the over plies within which it has no forced win. The game ends within left plies. A
// depth above limit means that no question is left.
func (r *run) next(over *[2]int, mover, limit, left int) (side, depth int) {
	seats, with := r.pool.sh.game.Seats(), r.pool.workers[0].side
	last, most := !r.endless || left <= limit, min(limit, left)
	depth = limit + 1
	for i, o := range over {
		ours := onSide(with, mover) == (i == 0)
		d := min(o+1, most+1)
		for d <= most && onSide(with, (mover+d-1)%seats) != ours || d < most && r.Direct {
			d++
		}
		if d > most && o < most && (last || ours && seats > 2 && over[1-i] >= most) {
			d = most
		}
		if d <= most && d < depth {
			side, depth = i, d
		}
	}
	return side, depth
}

func (r *run) solveMaxN(at game.State, limit int, counts *Counts, before, done int) verdict {
	v := verdict{winner: -1, reached: min(done, limit)}
	var last uint64
	for depth := done + 1; depth <= limit; depth++ {
		if r.Direct {
			depth = limit
		}
		r.iteration(at, counts, depth, before, last)
		ans, nodes, ok := r.pool.run(counts, asksMaxN(depth))
		if !ok {
			v.cut = true
			return v
		}
		last = nodes
		v.reached = depth
		if ans.a >= 0 {
			v.winner, v.distance, v.value = ans.a, depth+1-ans.b, game.Loss
			if ans.a == r.root.Seat() {
				v.value = game.Win
			}
			break
		}
		if !ans.horizon {
			v.reached = infinite
			break
		}
	}
	if v.value == game.Unknown && r.drawn(at, v.reached, limit) {
		v.value = game.Draw
	}
	v.reached = min(v.reached, limit)
	if v.value != game.Unknown {
		v.reached = limit
	}
	return v
}

func (r *run) combine() Search {
	whole := Search{Move: game.NoMove, Winner: -1, Reached: r.Limit, done: true}
	ours := r.algo == MaxN || r.root.Seat() == r.hero
	rank := func(s *Search) int {
		v := 0
		switch s.Value {
		case game.Win:
			v = 2*MaxLimit - s.Distance
		case game.Loss:
			v = s.Distance - 2*MaxLimit
		}
		if !ours {
			v = -v
		}
		return v
	}
	best, reached, open := -1, r.Limit, false
	for i := range r.report.Openings {
		op := &r.report.Openings[i]
		reached = min(reached, op.Reached)
		whole.done = whole.done && op.done
		open = open || op.Value == game.Unknown
		if op.Value != game.Unknown && (best < 0 || rank(op) > rank(&r.report.Openings[best])) {
			best = i
		}
	}
	if best >= 0 {
		op := r.report.Openings[best]
		// A win of the mover's side that no open opening can beat decides the whole; else all
		// openings must be decided.
		if !open || rank(&op) > 0 && op.Distance <= reached+1 {
			whole.Value, whole.Winner, whole.Distance, whole.Move = op.Value, op.Winner, op.Distance, op.Move
		}
	}
	whole.Reached = reached
	return whole
}
