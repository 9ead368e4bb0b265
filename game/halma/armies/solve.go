package armies

import (
	"context"
	"fmt"
	"runtime"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
	"perfectplay/solve/frame"
)

// The types common to all solvers. This package ignores the options Distances, Reachable, Interval,
// Stripes and Method. Every complete ply is kept in Work, or without one in memory.
type (
	Options  = frame.Options
	Plan     = frame.Plan
	Progress = frame.Progress
)

// Solution holds the results that every coalition can force from every position. It is safe for
// concurrent use; see [Reader] for the answers.
type Solution struct {
	b      *board
	orbits []*orbit
	// Positions is the number of positions from the mover's side, for each kind of seat.
	Positions uint64
	// Resumed says that the solve began with plies from Work.
	Resumed bool
}

// orbit is a question with its answers, ply by ply, as each seat sees it.
type orbit struct {
	nodes   []node
	layouts []layout
	layers  []*layer
}

// MaxPlies is the longest game that a solution can hold.
const MaxPlies = 254

// Solve answers the questions of a game. The error says why the game cannot be solved this way, or
// is the context's. The caller closes the solution.
func Solve(ctx context.Context, t *halma.Armies, o Options) (*Solution, error) {
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	return b.solve(ctx, o)
}

func (b *board) solve(ctx context.Context, o Options) (_ *Solution, err error) {
	t := b.spec
	plan, err := b.plan(o)
	if err != nil {
		return nil, err
	}
	if err := plan.Check(o); err != nil {
		return nil, fmt.Errorf("armies: %s: %w", t.ID, err)
	}
	s := &Solution{b: b, Positions: plan.Positions}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	questions := b.questions(o.Named)
	most := 0.0
	for _, q := range questions {
		answers := float64(plan.Positions) / float64(b.period) * float64(len(b.orbit(q)))
		if q.Ours == q.Wins && int(q.Ours) != 1<<b.n-1 {
			answers /= 2 // a coalition and its opponents cannot both win a position
		}
		most += answers
	}
	space := new(host.Space)
	if plan.Files(o) {
		space = host.NewSpace(o.Work, int64(o.Memory-plan.InFiles)/2+leastTouched/2)
	}
	p := Progress{Steps: len(questions)}
	for i, q := range questions {
		p.Step = i + 1
		report := func(ply int, found uint64) {
			p.Pass, p.Decided = ply, p.Decided+found
			// This is about the share of the work, if no position is drawn and every win of a named
			// seat can be forced.
			p.Share = min(1, float64(p.Decided)/most)
			o.Tell(p)
		}
		if err := s.solve(ctx, q, o, space, report); err != nil {
			return nil, err
		}
		runtime.GC() // the planes of the question before the next one makes its own
	}
	return s, nil
}

// questions lists one question for each orbit that is solved.
func (b *board) questions(named bool) []Question {
	list := b.coalitions()
	if named {
		list = append(list, b.named()...)
	}
	return list
}

// solve answers one question at all its nodes. It leaves the space empty.
func (s *Solution) solve(ctx context.Context, q Question, o Options, space *host.Space, report func(ply int, found uint64)) error {
	b := s.b
	r := &orbit{nodes: b.orbit(q)}
	s.orbits = append(s.orbits, r)
	kept := &layers{dir: o.Work, job: job(b.spec), q: q}
	for _, at := range r.nodes {
		l := b.layout(at.kind)
		r.layouts, kept.groups = append(r.layouts, l), append(kept.groups, l.groups)
	}
	var err error
	if r.layers, err = kept.restore(); err != nil {
		return err
	}
	s.Resumed = s.Resumed || len(r.layers) > 0
	for ply, l := range r.layers {
		report(ply, l.total())
	}
	if r.complete() {
		return nil
	}
	defer space.Close()
	work, err := newSolver(b, r.nodes, o.Workers(), space)
	if err != nil {
		return err
	}
	work.pause = o.Pause
	if err := work.restore(ctx, r.layers); err != nil {
		return err
	}
	for !r.complete() {
		ply := len(r.layers)
		if ply > MaxPlies {
			return fmt.Errorf("armies: %s: a forced win of more than %d plies does not fit a byte", b.spec.ID, MaxPlies)
		}
		var before *layer
		if ply > 0 {
			before = r.layers[ply-1]
		}
		l, err := kept.put(ply, func(i int) ([][]byte, uint64, error) {
			report(ply, 0)
			chunks, n, err := work.ply(ctx, i, before)
			report(ply, n)
			return chunks, n, err
		})
		if err != nil {
			return err
		}
		r.layers = append(r.layers, l)
	}
	return nil
}

// complete reports whether all plies are known: the last one is empty.
func (r *orbit) complete() bool {
	n := len(r.layers)
	return n > 0 && r.layers[n-1].total() == 0
}

// restore adds the positions of layers to the planes.
func (s *solver) restore(ctx context.Context, layers []*layer) error {
	for i := range s.nodes {
		of := &s.layouts[i]
		err := host.Parallel(ctx, s.workers, of.groups, func(w *worker, group int) error {
			first, n := of.span(group)
			size := of.slabWords()
			yes := s.yes[i][first*size : (first+n)*size]
			s.space.Charge(8 * len(yes))
			for _, l := range layers {
				if err := w.packer.read(l, i, group, of, func(j int, x uint64) { yes[j] |= x }); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close releases the files of a solution. The solution must not be used afterwards.
func (s *Solution) Close() {
	for _, r := range s.orbits {
		for _, l := range r.layers {
			l.Close()
		}
	}
}
