package strong

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
	"perfectplay/rank"
)

// Options say how to solve.
type Options struct {
	// Distances asks for the number of plies to the end besides the value.
	Distances bool
	// Reachable plans the memory of [Solution.Reachable] in: without it, that comes
	// on top.
	Reachable bool
	// Threads is the number of goroutines that work, all processors if 0. It
	// changes the time, never the result.
	Threads int
	// Memory bounds the resident memory in bytes; 0 means no bound. A table that
	// does not fit is kept in files in the directory Scratch, and refused where that
	// is empty. See [Plan].
	Memory  uint64
	Scratch string
	// Checkpoint, if not empty, is a directory for this solve alone. Every
	// Interval, at the end of a pass, when the context is cancelled, and when all
	// is decided, what is known is written there; a solve of the same game goes on
	// from it, with the same result, and one of another is refused, see [Saved].
	// Whoever has saved the result calls [RemoveCheckpoint].
	Checkpoint string
	Interval   time.Duration
	// Yield, if not nil, is called by every thread between blocks of rows; it may
	// block, to let others work.
	Yield func()
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
}

// Solution holds the value of every position of a two-army game, and distances if
// they were asked for. It is immutable and safe for concurrent use.
type Solution struct {
	l *layout
	// A bit for each row and column. Illegal positions are wins that are not
	// meant: see rowState.
	win, loss plane
	dist      *plies // of what is won or lost; nil without distances
	counts    Counts
	space     *host.Space
	// Passes is the number of passes over the table. In solves without distances
	// it may depend on the number of threads.
	Passes int
	// Resumed says that the solve went on from a checkpoint: not all passes are of
	// this run.
	Resumed bool
}

// plane is one bit for each row and column. The 64 columns of a word stand
// together for all rows: the word of a row and 64·j+… columns is at j·gap + row.
// So 64 neighbouring columns are one run of memory, and 64 neighbouring rows are
// runs of half a kilobyte.
type plane []uint64

// solver is a solve under way.
type solver struct {
	*layout
	space   *host.Space
	byPly   bool // with distances: each pass is one ply
	threads int

	// Two bits a position: neither where it is undecided. The frontier is the
	// losses that are not yet propagated. Where byPly it is a plane of its own;
	// else its positions have both bits: the loss is set before the win, and the
	// win is read before the loss.
	win, loss plane
	frontier  plane
	// nextWin and nextLoss are what a ply decides, invisible to it. Only where
	// byPly.
	nextWin, nextLoss plane
	dist              *plies // nil unless byPly
	level             int
	newLoss, newWin   []atomic.Bool // rows with losses in the frontier, or with wins since they were last propagated
	// dueLoss and dueWin are, where byPly, what the ply before left in newLoss and
	// newWin.
	dueLoss, dueWin []bool
	illegal         uint64     // illegal positions, weighted
	mustPass        [][]uint32 // by row: columns of positions without a legal turn, whose pass leads there
	unscanned       []bool     // by row: mustPass may lack some, since the solver goes on from a checkpoint
	decided         atomic.Uint64
	work            atomic.Uint64 // looks at partial armies, see [solver.share]
	places          uint64        // see [Plan]
	resumed         bool
}

// Solve solves a two-army game. The error says why the game cannot be solved
// this way, or is the context's.
func Solve(ctx context.Context, t *halma.TwoArmy, o Options) (*Solution, error) {
	plan, err := NewPlan(t, o)
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 && o.Memory < plan.Least {
		return nil, fmt.Errorf("strong: %s: %d bytes of memory: at least %d are needed", t.ID, o.Memory, plan.Least)
	}
	if o.Memory > 0 && o.Memory < plan.Bytes && o.Scratch == "" {
		return nil, fmt.Errorf("strong: %s: %d bytes of memory: %d are needed, as no directory for scratch files is named", t.ID, o.Memory, plan.Bytes)
	}
	if o.Checkpoint != "" {
		if _, err := Saved(o.Checkpoint, t, o.Distances); err != nil {
			return nil, err
		}
	}
	l, err := newLayout(t)
	if err != nil {
		return nil, err
	}
	return solveLayout(ctx, l, plan, o)
}

// solveLayout solves the game of a layout, as is planned.
func solveLayout(ctx context.Context, l *layout, plan Plan, o Options) (*Solution, error) {
	s := newSolver(l, o)
	s.space, s.places = new(host.Space), plan.Places
	if o.Memory > 0 && o.Memory < plan.Bytes {
		s.space = host.NewSpace(o.Scratch, int64(o.Memory-plan.Least)/2+leastTouched/4)
	}
	if err := s.makePlanes(); err != nil {
		s.space.Close()
		return nil, err
	}
	if err := s.run(ctx, o); err != nil {
		s.space.Close()
		return nil, err
	}
	r := &Solution{l: l, win: s.win, loss: s.loss, dist: s.dist, space: s.space, Passes: s.level, Resumed: s.resumed}
	var err error
	r.counts, err = s.count()
	return r, err
}

// newSolver returns a solver without planes.
func newSolver(l *layout, o Options) *solver {
	s := &solver{layout: l, byPly: o.Distances, threads: o.Threads}
	if s.threads <= 0 {
		s.threads = runtime.GOMAXPROCS(0)
	}
	s.newLoss, s.newWin = make([]atomic.Bool, l.reps), make([]atomic.Bool, l.reps)
	s.mustPass, s.unscanned = make([][]uint32, l.reps), make([]bool, l.reps)
	return s
}

// makePlanes allocates what grows with the number of positions.
func (s *solver) makePlanes() (err error) {
	size := s.gap * s.words
	planes := []*plane{&s.win, &s.loss}
	if s.byPly {
		planes = append(planes, &s.frontier, &s.nextWin, &s.nextLoss)
		s.dueLoss, s.dueWin = make([]bool, s.reps), make([]bool, s.reps)
		s.dist = &plies{size: size}
	}
	for _, p := range planes {
		if *p, err = s.space.Words(size); err != nil {
			return err
		}
	}
	return nil
}

// run makes passes until nothing changes.
func (s *solver) run(ctx context.Context, o Options) error {
	workers := make([]*worker, s.threads)
	for i := range workers {
		workers[i] = newWorker(s)
	}
	blocks := s.gap / 64
	var progressMu sync.Mutex
	told := 0.0
	tell := func(share float64) {
		if o.Progress == nil {
			return
		}
		progressMu.Lock()
		defer progressMu.Unlock()
		told = max(told, share)
		o.Progress(Progress{s.level, told, s.decided.Load()})
	}
	pass := func(ctx context.Context, do func(w *worker, block int)) error {
		var next atomic.Int64
		var wait sync.WaitGroup
		for _, w := range workers {
			wait.Go(func() {
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= blocks {
						return
					}
					if o.Yield != nil {
						o.Yield()
					}
					do(w, i)
					tell(s.share())
				}
			})
		}
		wait.Wait()
		return ctx.Err()
	}
	if o.Checkpoint != "" {
		var err error
		if s.resumed, err = s.restore(ctx, o.Checkpoint); err != nil {
			return err
		}
	}
	if !s.resumed {
		if err := pass(ctx, (*worker).markTerminal); err != nil {
			return err
		}
		for _, w := range workers {
			s.illegal += w.illegal
		}
		s.level = 1
	}
	// What is known is consistent after each block, but with distances only
	// after a whole pass, which is then brought to its end.
	passCtx := ctx
	if s.byPly && o.Checkpoint != "" {
		passCtx = context.WithoutCancel(ctx)
	}
	saved, savedLevel := time.Now(), 0
	if s.resumed {
		savedLevel = s.level
	}
	for ; ; s.level++ {
		if ctx.Err() != nil || o.Checkpoint != "" && time.Since(saved) >= o.Interval {
			if o.Checkpoint != "" {
				if err := s.save(o.Checkpoint); err != nil {
					return err
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			saved, savedLevel = time.Now(), s.level
		}
		if s.level > 255 && s.byPly {
			return fmt.Errorf("strong: %s: a distance of more than 255 plies does not fit a byte", s.spec.ID)
		}
		before := s.decided.Load()
		if s.byPly {
			if err := s.dist.grow(s.space, s.level); err != nil {
				return err
			}
			for i := range s.dueWin {
				s.dueLoss[i] = s.newLoss[i].Swap(false)
				s.dueWin[i] = s.newWin[i].Swap(false) || s.level == 1
			}
		}
		if err := pass(passCtx, (*worker).propagate); err != nil {
			if s.byPly || o.Checkpoint == "" {
				return err
			}
			continue // to the checkpoint
		}
		if s.decided.Load() == before {
			// All is decided, but not yet where the caller wants it: what is saved
			// leaves at most this pass to be done again.
			tell(1)
			if o.Checkpoint == "" || s.level == savedLevel {
				return nil
			}
			return s.save(o.Checkpoint)
		}
		if s.byPly {
			s.frontier, s.nextLoss = s.nextLoss, s.frontier
			if err := pass(passCtx, (*worker).merge); err != nil {
				return err
			}
		}
	}
}

// count counts the positions by value.
func (s *solver) count() (c Counts, err error) {
	n := s.subsets.N()
	placements, err := rank.Placements(n, s.k, s.k)
	if err != nil {
		return c, err
	}
	c.Illegal = s.illegal
	c.Wins = s.weigh(s.win) - s.illegal
	c.Losses = s.weigh(s.loss)
	c.Draws = placements - c.Illegal - c.Wins - c.Losses
	return c, nil
}

// weigh counts the positions of a plane, mirror images included.
func (s *solver) weigh(p plane) (n uint64) {
	for j := range s.words {
		tile := p[j*s.gap : (j+1)*s.gap]
		s.space.Charge(8 * s.gap)
		for _, x := range tile {
			n += 2 * uint64(bits.OnesCount64(x))
		}
		// In symmetric rows columns from pairs on are their own mirror images.
		for row := s.pairs; row < s.reps; row++ {
			n -= uint64(bits.OnesCount64(tile[row] >> max(s.pairs-j*64, 0)))
		}
	}
	return n
}
