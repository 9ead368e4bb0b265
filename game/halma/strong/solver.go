package strong

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game/halma"
	"perfectplay/internal/host"
	"perfectplay/solve/frame"
)

// The types common to all solvers. This package ignores the options Named and Method. With enough
// memory a solve writes its state to Work every Interval, when the context is cancelled, and at the
// end. With less it works on files there, pass by pass: see [Tiles]. After saving the result call
// [State.Remove].
type (
	Options  = frame.Options
	Plan     = frame.Plan
	Progress = frame.Progress
	Counts   = frame.Counts
)

// valuesAlone says that the solve is for values, without distances and files.
func valuesAlone(o Options) bool { return !o.Distances && o.Work == "" }

// solver is a solve in memory under way.
type solver struct {
	*layout
	Options
	tiles   *Tiles // directory of the solve, nil without one
	workers []*worker
	// The table has wins in the lower half of a word, and in the upper half
	//
	//	with seen         decided positions; those not in seen are new since the last work on
	//	                  the row
	//	byRow             losses; new losses are in both halves. due says that there are new wins
	//	else              new positions; an old loss and an undecided position have the same bits
	//
	// A new loss sets marks[0] in a word, shifted to its column, a new win marks[1].
	table grid
	byRow bool
	marks [2]uint64
	// known and seen are bits for each row and column. known are the positions against the row's
	// army that are decided or illegal, at the column of their mover's army. Without seen, known
	// tells losses from draws. With byRow there is no known: see block.
	known, seen []uint64
	due         []atomic.Uint32 // for each row the bits dueLoss and dueWin

	// With distances, fresh are the positions decided by the ply before, and seen are all positions
	// decided so far. byPly counts wins and losses by distance, mirror images included.
	fresh []uint64
	now   []bool  // rows with fresh positions
	won   []bool  // rows with fresh wins
	dist  []uint8 // plies to the end of each place
	byPly [2][256]atomic.Uint64

	decided atomic.Uint64 // number of places decided
	illegal atomic.Uint64 // number of illegal positions, mirror images included
	work    atomic.Uint64 // work done, in the units of share
	level   int           // number of the current pass
	told    float64
	kept    *tileWorker // reads and writes the state in files
	resumed bool
}

// worker is the memory of one goroutine of a solve.
type worker struct {
	hand
	*row
	places []place
	ahead  uint64
	block  *block // used only to solve values in a square layout
}

// Bits of due: the row has new losses, or new wins.
const (
	dueLoss = 1 << iota
	dueWin
)

// Solve finds the value of every position of a two-army game, and with Distances the plies to its
// end. The error says why the game cannot be solved this way, or is the context's.
func Solve(ctx context.Context, t *halma.TwoArmy, o Options) (*Solution, error) {
	distances := o.Distances
	if o.Work != "" {
		if err := endRemoval(o.Work); err != nil {
			return nil, err
		}
		// A solve for distances gives values, too.
		if have, err := readHead(o.Work); err == nil {
			o.Distances = o.Distances || have.Distances
		}
	}
	plan, err := newPlan(t, o)
	if err == nil {
		err = plan.Check(o)
	}
	if err != nil {
		return nil, fmt.Errorf("strong: %s: %w", t.ID, err)
	}
	l, err := newLayout(t, valuesAlone(o))
	switch {
	case err != nil:
		return nil, err
	case o.Work != "":
		return solveIn(ctx, l, plan, o, distances)
	}
	return solveLayout(ctx, l, o, nil)
}

func solveLayout(ctx context.Context, l *layout, o Options, tiles *Tiles) (*Solution, error) {
	s := newSolver(l, o)
	s.tiles = tiles
	s.makePlanes()
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.solution(), nil
}

func newSolver(l *layout, o Options) *solver {
	s := &solver{layout: l, Options: o, due: make([]atomic.Uint32, l.rows), marks: [2]uint64{1 << 32, 1<<32 | 1}}
	if l.square && valuesAlone(o) {
		s.byRow, s.marks = true, [2]uint64{1<<32 | 1, 1}
	}
	for range o.Workers() {
		h := l.kernel.newHand()
		w := &worker{hand: h, row: h.scratch()}
		w.wins, w.losses = make([]uint32, 0, l.cols), make([]uint32, 0, l.cols)
		if s.byRow {
			w.block = newBlock(l)
		}
		s.workers = append(s.workers, w)
	}
	return s
}

// makePlanes allocates the memory that grows with the number of positions.
func (s *solver) makePlanes() {
	size := s.rows * s.words
	s.table = newGrid(s.layout)
	if s.Distances {
		s.fresh, s.now, s.won = make([]uint64, size), make([]bool, s.rows), make([]bool, s.rows)
		s.dist = make([]uint8, 64*size)
	}
	if s.Distances || s.tiles != nil {
		s.seen = make([]uint64, size)
	}
	if !s.byRow {
		s.known = make([]uint64, size)
	}
}

// run makes passes until nothing changes.
func (s *solver) run(ctx context.Context) error {
	if s.tiles != nil {
		final, err := s.restore(ctx)
		if err != nil {
			return err
		}
		s.resumed = s.level > 0
		if final {
			s.tell(1)
			return nil
		}
	}
	if !s.resumed {
		if err := s.pass(ctx, s.markTerminal); err != nil {
			return err
		}
	}
	saved := time.Now()
	for again := true; again; {
		before := s.decided.Load()
		s.level++
		if s.Distances && s.level > maxPly {
			return fmt.Errorf("strong: %s: a distance of more than %d plies does not fit a byte", s.spec.ID, maxPly)
		}
		err := s.makePass(ctx)
		if err != nil && (s.tiles == nil || ctx.Err() == nil) {
			return err
		}
		again = err != nil || s.decided.Load() != before
		if s.tiles != nil && (ctx.Err() != nil || !again || time.Since(saved) >= s.Interval) {
			if err := s.save(); err != nil {
				return err
			}
			saved = time.Now()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	s.tell(1)
	return nil
}

// makePass does a pass. The state is consistent after each row; with distances, only after a whole
// pass. If the state is to be saved, a pass with distances is not cut short.
func (s *solver) makePass(ctx context.Context) error {
	if s.Distances {
		if s.tiles != nil {
			ctx = context.WithoutCancel(ctx)
		}
		if err := s.sweep(ctx); err != nil {
			return err
		}
	}
	return s.pass(ctx, s.visit)
}

// pass calls do for all rows, from the rows nearest the goal to the rows nearest home. Positions
// found from a row are in rows farther from the goal, which come later in the same pass.
func (s *solver) pass(ctx context.Context, do func(w *worker, row int)) error {
	var mu sync.Mutex
	blocks := (s.rows + blockRows - 1) / blockRows
	return host.Parallel(ctx, s.workers, blocks, func(w *worker, i int) error {
		if s.goalLast {
			i = blocks - 1 - i
		}
		if w.block != nil {
			w.block.at = -1
		}
		from, to := i*blockRows, min((i+1)*blockRows, s.rows)
		for j := range to - from {
			switch {
			case ctx.Err() != nil:
			case s.goalLast:
				do(w, to-1-j)
			default:
				do(w, from+j)
			}
		}
		s.Pause()
		if s.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			s.tell(s.share())
		}
		return nil
	})
}

// tell reports the progress of the solve; never concurrently.
func (s *solver) tell(share float64) {
	s.told = max(s.told, share)
	s.Tell(Progress{Step: 1, Steps: 1, Pass: s.level, Decided: s.decided.Load(), Share: s.told})
}

func (s *solver) markTerminal(w *worker, i int) {
	if !s.byRow {
		w.overBefore(i, s.knownOf(i))
	}
	marked, illegal := uint64(0), uint64(0)
	w.terminal(i, func(c int, state state) {
		word, mark := s.table.word(i, c), uint64(1)
		switch state {
		case isIllegal:
			illegal++
		case isWon:
			mark = s.marks[1]
			marked++
		case isLost:
			mark = s.marks[0]
			marked++
		}
		*word |= mark << (c & 31)
	})
	if marked > 0 {
		s.due[i].Store(dueLoss | dueWin)
	}
	s.work.Add(uint64(unitTerminal * float64(s.partials)))
	s.decided.Add(marked)
	s.illegal.Add(s.weight(i) * illegal)
}

func (s *solver) knownOf(i int) []uint64 { return s.known[i*s.words : (i+1)*s.words] }

// visit enters into the table the positions that follow from the row's new positions. With
// distances, only the positions that the pass before decided are new.
func (s *solver) visit(w *worker, i int) {
	due := uint32(0)
	switch {
	case s.Distances && !s.now[i] || !s.Distances && s.due[i].Load() == 0:
		return
	case !s.Distances: // clear due before reading the row: a later change sets due again
		due = s.due[i].Swap(0)
	}
	if s.Distances && !s.won[i] { // only propagation of wins needs all wins of the row
		copy(w.newLoss, s.fresh[i*s.words:])
		clear(w.newWin)
	} else {
		s.load(w, i)
	}
	if s.byRow {
		w.known, w.anew = s.knownBefore(w.block, i), due&dueWin != 0
	} else {
		w.known = s.knownOf(i)
	}
	w.propagate(i)
	s.work.Add(w.looked)
	s.decided.Add(s.enter(w))
}

// load reads the wins of a row and takes its new positions.
func (s *solver) load(w *worker, i int) {
	from, height, block := i%blockRows, s.table.height(i), s.table.blocks[i/blockRows]
	for j := range w.win {
		at := i*s.words + j
		lower, upper := &block[from], &block[from+height]
		from += 2 * height
		var low, high uint64
		if s.seen == nil {
			low, high = s.takeNew(lower), s.takeNew(upper)
		} else {
			low, high = atomic.LoadUint64(lower), atomic.LoadUint64(upper)
		}
		win, fresh := low&half|high<<32, low>>32|high&^half
		switch {
		case s.byRow: // fresh holds all losses; new losses have bits in both halves
			win, fresh = win&^fresh, win&fresh
		case s.Distances:
			// Remove the illegal positions, which are kept as wins but never decided.
			win &^= fresh &^ s.seen[at]
			fresh = s.fresh[at]
		case s.seen != nil:
			fresh, s.seen[at] = fresh&^s.seen[at], fresh
		}
		w.win[j], w.newWin[j], w.newLoss[j] = win, fresh&win, fresh&^win
	}
}

const maxPly = 255

// sweep sets fresh to the positions that the pass before decided, and enters their distance.
func (s *solver) sweep(ctx context.Context) error {
	return s.pass(ctx, func(_ *worker, i int) {
		s.now[i] = s.due[i].Load() != 0
		if !s.now[i] {
			return
		}
		s.due[i].Store(0)
		wins, losses := 0, 0
		for j := range s.words {
			win, decided := s.table.halves(i, j)
			at := i*s.words + j
			fresh := decided &^ s.seen[at]
			if s.fresh[at] = fresh; fresh == 0 {
				continue
			}
			s.seen[at] |= fresh
			for x := fresh; x != 0; x &= x - 1 {
				s.dist[64*at+bits.TrailingZeros64(x)] = uint8(s.level - 1)
			}
			wins += bits.OnesCount64(fresh & win)
			losses += bits.OnesCount64(fresh &^ win)
		}
		s.won[i] = wins > 0
		s.byPly[0][s.level-1].Add(s.weight(i) * uint64(wins))
		s.byPly[1][s.level-1].Add(s.weight(i) * uint64(losses))
	})
}

// fetched is the number of columns entered at once.
const fetched = 64

// enter enters into the table the positions found from a row, and returns how many are new.
func (s *solver) enter(w *worker) (n uint64) {
	table, due, alone := &s.table, s.due, len(s.workers) == 1
	var words [fetched]*uint64
	for win, columns := range [2][]uint32{w.losses, w.wins} {
		mark, flag := s.marks[win], uint32(dueLoss)<<win
		for len(columns) > 0 {
			m := min(len(columns), fetched)
			w.places = w.before(columns[:m], w.places[:0])
			columns = columns[m:]
			// All words are fetched before the first is changed. In a square layout one column
			// holds them all, and fetching gains nothing.
			for i, p := range w.places {
				word := table.word(int(p.row), int(p.col))
				if words[i&(fetched-1)] = word; !s.square {
					w.ahead += atomic.LoadUint64(word)
				}
			}
			for i, p := range w.places {
				word := words[i&(fetched-1)]
				for col := p.col; ; col = p.image {
					bit := mark << (col & 31)
					// If the bit is set, the position is known as a win already.
					if atomic.LoadUint64(word)&bit&half == 0 {
						if alone {
							*word |= bit
						} else {
							atomic.OrUint64(word, bit)
						}
						n++
						if due := &due[p.row]; due.Load()&flag == 0 {
							due.Or(flag)
						}
					}
					if col == p.image {
						break
					}
					word = table.word(int(p.row), int(p.image))
				}
			}
		}
	}
	return n
}

// takeNew returns a word of the table and clears its new positions there.
func (s *solver) takeNew(word *uint64) uint64 {
	x := atomic.LoadUint64(word)
	take := x &^ half
	if s.byRow {
		take = x & (x >> 32)
	}
	switch {
	case take == 0:
	case len(s.workers) == 1:
		*word = x &^ take
	default:
		x = atomic.AndUint64(word, ^take)
	}
	return x
}
