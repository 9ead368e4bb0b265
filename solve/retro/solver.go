package retro

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/rank"
)

// Options say how to solve.
type Options struct {
	// Distances asks for the number of plies to the end besides the value.
	Distances bool
	// Threads is the number of goroutines that work, all processors if 0. It
	// changes the time, never the result.
	Threads int
	// Memory bounds the resident memory in bytes; 0 means no bound. A table that
	// does not fit is kept in files in the directory Scratch. See [Plan].
	Memory  uint64
	Scratch string
	// Checkpoint, if not empty, is a directory. Every Interval, at the end of a
	// pass, and when the context is cancelled, what is known is written there; a
	// solve of the same game that is asked to Resume goes on from it, or begins
	// anew where there is none. The result is the same. Whoever has saved the
	// result calls RemoveCheckpoint.
	Checkpoint string
	Interval   time.Duration
	Resume     bool
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
}

// Progress is how far a solve has come.
type Progress struct {
	Pass    int     // from 1; with distances the number of plies under way
	Share   float64 // of the pass, 0…1
	Decided uint64  // positions decided in earlier passes, mirror images once
}

// Solved holds the value of every position of a two-army game, and distances if
// they were asked for. It is immutable and safe for concurrent use.
type Solved struct {
	l *layout
	// A bit for each row and column. Illegal positions are wins that are not
	// meant: see rowState.
	win, loss plane
	// dist has a byte for each row and column: plies to the end of what is won
	// or lost.
	dist   []uint8
	counts Counts
	space  *space
	// Passes is the number of passes over the table. In solves without distances
	// it may depend on the number of threads.
	Passes int
}

// plane is one bit for each row and column. The 64 columns of a word stand
// together for all rows: the word of a row and 64·j+… columns is at j·gap + row.
// So 64 neighbouring columns are one run of memory, and 64 neighbouring rows are
// runs of half a kilobyte.
type plane []uint64

// solver is a solve under way.
type solver struct {
	*layout
	space   *space
	strict  bool
	threads int
	turned  []uint64 // army of a column, seen from the other side; all ones in the gap

	// Two bits a position: neither where it is undecided. Where not strict, both
	// are set in a fresh loss, one that is not yet followed up; the loss is set
	// before the win and the win is read before the loss.
	win, loss plane
	fresh     plane // fresh losses, where strict
	// nextWin and nextLoss are what a level decides, invisible to it. Only where
	// strict.
	nextWin, nextLoss plane
	dist              []uint8
	level             int
	newLoss, newWin   []atomic.Bool // rows that have fresh losses, or wins since the last look
	// dueLoss and dueWin are, where strict, what the level before left in newLoss
	// and newWin.
	dueLoss, dueWin []bool
	illegal         uint64     // illegal positions, weighted
	stuck           [][]uint32 // by row: columns of positions from which only a pass leads there
	decided         atomic.Uint64
}

// Solve solves a two-army game. The error says why the game cannot be solved
// this way, or is the context's.
func Solve(ctx context.Context, t *game.TwoArmy, o Options) (*Solved, error) {
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	l, err := newLayout(b)
	if err != nil {
		return nil, err
	}
	s := newSolver(l, o)
	plan, err := NewPlan(t, o)
	if err != nil {
		return nil, err
	}
	s.space = new(space)
	if o.Memory > 0 && o.Memory < plan.Bytes {
		if o.Memory < plan.Least {
			return nil, fmt.Errorf("retro: %s: %d bytes of memory: at least %d are needed", t.ID, o.Memory, plan.Least)
		}
		s.space.dir, s.space.budget = cmp.Or(o.Scratch, os.TempDir()), int64(o.Memory-plan.Least)/2+leastTouched/4
	}
	if err := s.makePlanes(); err != nil {
		s.space.close()
		return nil, err
	}
	if err := s.run(ctx, o); err != nil {
		s.space.close()
		return nil, err
	}
	r := &Solved{l: l, win: s.win, loss: s.loss, dist: s.dist, space: s.space, Passes: s.level}
	r.counts, err = s.count()
	return r, err
}

// newSolver returns a solver without planes.
func newSolver(l *layout, o Options) *solver {
	s := &solver{layout: l, strict: o.Distances, threads: o.Threads}
	if s.threads <= 0 {
		s.threads = runtime.GOMAXPROCS(0)
	}
	s.newLoss, s.newWin = make([]atomic.Bool, l.reps), make([]atomic.Bool, l.reps)
	s.stuck = make([][]uint32, l.reps)
	s.turned = make([]uint64, l.cols)
	for c, a := range l.army {
		s.turned[c] = ^uint64(0)
		if a != 0 {
			s.turned[c] = l.b.turn(a)
		}
	}
	return s
}

// makePlanes allocates what grows with the number of positions.
func (s *solver) makePlanes() (err error) {
	size := s.gap * s.words
	planes := []*plane{&s.win, &s.loss}
	if s.strict {
		planes = append(planes, &s.fresh, &s.nextWin, &s.nextLoss)
		s.dueLoss, s.dueWin = make([]bool, s.reps), make([]bool, s.reps)
		if s.dist, err = s.space.bytes(64 * size); err != nil {
			return err
		}
	}
	for _, p := range planes {
		if *p, err = s.space.plane(size); err != nil {
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
	var telling sync.Mutex
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
					if o.Progress != nil {
						telling.Lock()
						o.Progress(Progress{s.level, float64(i) / float64(blocks), s.decided.Load()})
						telling.Unlock()
					}
					do(w, i)
				}
			})
		}
		wait.Wait()
		return ctx.Err()
	}
	resumed := false
	if o.Checkpoint != "" && o.Resume {
		var err error
		if resumed, err = s.restore(o.Checkpoint); err != nil {
			return err
		}
	}
	if !resumed {
		if err := pass(ctx, (*worker).begin); err != nil {
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
	if s.strict && o.Checkpoint != "" {
		passCtx = context.WithoutCancel(ctx)
	}
	saved := time.Now()
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
			saved = time.Now()
		}
		if s.level > 255 && s.strict {
			return fmt.Errorf("retro: %s: a distance of more than 255 plies does not fit a byte", s.b.spec.ID)
		}
		before := s.decided.Load()
		if s.strict {
			for i := range s.dueWin {
				s.dueLoss[i] = s.newLoss[i].Swap(false)
				s.dueWin[i] = s.newWin[i].Swap(false) || s.level == 1
			}
		}
		if err := pass(passCtx, (*worker).block); err != nil {
			if s.strict || o.Checkpoint == "" {
				return err
			}
			continue // to the checkpoint
		}
		if s.decided.Load() == before {
			return nil
		}
		if s.strict {
			s.fresh, s.nextLoss = s.nextLoss, s.fresh
			if err := pass(passCtx, (*worker).merge); err != nil {
				return err
			}
		}
	}
}

// worker is the scratch space of one goroutine.
type worker struct {
	*solver
	// By army with a piece in the hand: what a piece put down leads to. won and
	// lost are successors, safe the cells from which no turn leads to a position
	// that is not won for the opponent.
	won, lost, safe []uint64
	touched         []uint32
	alive           []uint32 // armies beside the other army
	// By column, a bit for each row of the block: positions decided before, and
	// those decided now.
	known, wins, losses []uint64
	found               []uint32 // columns with something decided now
	// The rows of a block, one after the other, and one with its mirror images.
	rowWin, rowFresh, unfolded []uint64
	illegal                    uint64
}

func newWorker(s *solver) *worker {
	w := &worker{solver: s}
	n := len(s.stays)
	w.won, w.lost, w.safe = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	w.known, w.wins, w.losses = make([]uint64, s.cols), make([]uint64, s.cols), make([]uint64, s.cols)
	w.rowWin, w.rowFresh = make([]uint64, 64*s.words), make([]uint64, 64*s.words)
	w.unfolded = make([]uint64, s.words)
	return w
}

// rowState says what the rules say about a position without looking ahead.
type rowState uint8

const (
	ongoing rowState = iota
	isWon
	isLost
	// isIllegal positions are kept as wins: no turn leads to them, as no turn to
	// a position won for the opponent ever helps.
	isIllegal
)

// state judges a position from the mover's side.
func (b *board) state(mover, other uint64) rowState {
	switch {
	case b.illegal(mover, other):
		return isIllegal
	case b.lost(mover, other):
		return isLost
	case b.won(mover, other):
		return isWon
	}
	return ongoing
}

// weight is how many positions a place stands for: itself and its mirror image.
func (l *layout) weight(row, col int) uint64 {
	if row < l.pairs || col < l.pairs {
		return 2
	}
	return 1
}

// begin marks the positions of 64 rows that are over or illegal.
func (w *worker) begin(block int) {
	b := w.b
	for row := block * 64; row < min(block*64+64, w.reps); row++ {
		mover := w.army[row]
		cols := w.cols
		w.space.touch(3 * w.words * pageSize / 64)
		if row >= w.pairs {
			cols = w.reps
		}
		// A position can be over only if the other army covers what the mover's
		// leaves open of a camp; blockades are looked for everywhere.
		home, goal := b.home&^mover, b.goal&^mover
		whole := len(b.spec.Blockades) > 0
		if !b.spec.Filled {
			home, goal = b.home, 0
			whole = whole || mover&^b.goal == 0 || len(b.spec.Home) > w.k
			if mover&^b.goal != 0 {
				goal = ^uint64(0)
			}
		}
		for col, other := range w.turned[:cols] {
			if !whole && home&^other != 0 && goal&^other != 0 || mover&other != 0 {
				continue
			}
			at, bit := w.at64(row, col), uint64(1)<<(col&63)
			switch b.state(mover, other) {
			case isIllegal:
				w.illegal += w.weight(row, col)
				w.win[at] |= bit
				w.newWin[row].Store(true)
			case isWon:
				w.win[at] |= bit
				w.newWin[row].Store(true)
				w.decided.Add(1)
			case isLost:
				w.loss[at] |= bit
				if w.strict {
					w.fresh[at] |= bit
				} else {
					w.win[at] |= bit
				}
				w.newLoss[row].Store(true)
				w.decided.Add(1)
			}
		}
		if !w.strict {
			w.newWin[row].Store(true) // those that cannot move at all are found at the first look
		}
	}
}

// block works through 64 rows: what their positions say about the positions of
// the turn before, which stand in 64 neighbouring columns.
func (w *worker) block(block int) {
	first, last := block*64, min(block*64+64, w.reps)
	due := false
	for row := first; row < last && !due; row++ {
		if w.strict {
			due = w.dueLoss[row] || w.dueWin[row]
		} else {
			due = w.newLoss[row].Load() || w.newWin[row].Load()
		}
	}
	if !due {
		return
	}
	var lost, won [64]bool
	for row := first; row < last; row++ {
		if w.strict {
			lost[row-first], won[row-first] = w.dueLoss[row], w.dueWin[row]
		} else {
			lost[row-first], won[row-first] = take(&w.newLoss[row]), take(&w.newWin[row])
		}
	}
	// A page for each run of the rows, which 8 blocks share, and the columns.
	w.space.touch(2*w.words*pageSize/8 + 6*w.gap*8)
	w.load(block, &lost)
	for row := first; row < last; row++ {
		if lost[row-first] || won[row-first] {
			w.row(row, lost[row-first], won[row-first])
		}
	}
	w.store(block)
}

// take clears a flag and returns what it was.
func take(flag *atomic.Bool) bool { return flag.Load() && flag.Swap(false) }

// raise sets a flag.
func raise(flag *atomic.Bool) {
	if !flag.Load() {
		flag.Store(true)
	}
}

// load fetches the rows of a block and what is known of its columns. It takes
// the fresh losses of those rows that are said to have some; others may get
// theirs at this moment and be told afterwards.
func (w *worker) load(block int, lost *[64]bool) {
	win, fresh := w.rowWin, w.rowFresh
	for j := range w.words {
		from := j*w.gap + block*64
		w.space.bring(&w.win[from])
		if w.strict {
			w.space.bring(&w.fresh[from])
			for i := range 64 {
				win[i*w.words+j], fresh[i*w.words+j] = w.win[from+i], w.fresh[from+i]
				w.fresh[from+i] = 0
			}
			continue
		}
		w.space.bring(&w.loss[from])
		tileWin, tileLoss := w.win[from:from+64], w.loss[from:from+64]
		for i := range 64 {
			x := atomic.LoadUint64(&tileWin[i])
			y := x & atomic.LoadUint64(&tileLoss[i])
			win[i*w.words+j] = x &^ y
			if !lost[i] {
				y = 0
			}
			if y != 0 {
				atomic.AndUint64(&tileWin[i], ^y)
			}
			fresh[i*w.words+j] = y
		}
	}
	from := block * w.gap
	for c := range w.reps {
		w.known[c] = atomic.LoadUint64(&w.win[from+c]) | atomic.LoadUint64(&w.loss[from+c])
	}
	// Mirror images of rows that are symmetric stand elsewhere.
	elsewhere := ^uint64(0)
	if n := w.pairs - block*64; n >= 64 {
		elsewhere = 0
	} else if n > 0 {
		elsewhere <<= uint(n)
	}
	for c := w.gap; c < w.cols; c++ {
		w.known[c] = elsewhere
	}
	if elsewhere != ^uint64(0) {
		from := (block+w.gap/64)*w.gap - w.gap
		for c := w.gap; c < w.cols; c++ {
			w.known[c] |= atomic.LoadUint64(&w.win[from+c]) | atomic.LoadUint64(&w.loss[from+c])
		}
	}
}

// store adds what was found out to the table.
func (w *worker) store(block int) {
	var n int
	if w.strict {
		w.space.touch(64 * len(w.found))
	}
	for _, c := range w.found {
		row, word := int(c), block
		if row >= w.gap {
			row, word = row-w.gap, block+w.gap/64
		}
		at := word*w.gap + row
		wins, losses := w.wins[c], w.losses[c]
		w.wins[c], w.losses[c] = 0, 0
		n += bits.OnesCount64(wins) + bits.OnesCount64(losses)
		if w.strict {
			w.nextWin[at], w.nextLoss[at] = wins, losses
			d := w.dist[at*64 : at*64+64]
			for x := wins | losses; x != 0; x &= x - 1 {
				d[bits.TrailingZeros64(x)] = uint8(w.level)
			}
		} else {
			if losses != 0 {
				atomic.OrUint64(&w.loss[at], losses)
			}
			atomic.OrUint64(&w.win[at], wins|losses)
		}
		if losses != 0 {
			raise(&w.newLoss[row])
		}
		if wins != 0 {
			raise(&w.newWin[row])
		}
	}
	w.found = w.found[:0]
	w.decided.Add(uint64(n))
}

// merge makes the results of a level visible.
func (w *worker) merge(block int) {
	size, blocks := len(w.win), w.gap/64
	w.space.touch(4 * 8 * size / blocks)
	for i := size / blocks * block; i < size/blocks*(block+1); i++ {
		w.win[i] |= w.nextWin[i]
		w.loss[i] |= w.fresh[i]
		w.nextWin[i], w.nextLoss[i] = 0, 0
	}
}

// row finds the positions that are decided by those of a row.
func (w *worker) row(row int, lost, won bool) {
	other := w.turned[row]
	bit := uint64(1) << (row & 63)
	if lost {
		w.followLosses(row, other, bit)
	}
	if won {
		w.followWins(row, other, bit)
	}
	for _, c := range w.stuck[row] {
		w.pass(row, int(c), bit)
	}
}

// decide notes the value of the position in a column for a row of the block.
func (w *worker) decide(c uint32, bit uint64, list []uint64) {
	w.known[c] |= bit
	if w.wins[c]|w.losses[c] == 0 {
		w.found = append(w.found, c)
	}
	list[c] |= bit
}

// followLosses finds the positions that lead to the fresh losses of a row.
func (w *worker) followLosses(row int, other, bit uint64) {
	touched := w.touched[:0]
	columns := w.rowFresh[row&63*w.words : (row&63+1)*w.words]
	if row >= w.pairs {
		columns = w.unfold(columns)
	}
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			c := i*64 + bits.TrailingZeros64(x)
			for _, lift := range w.liftsOf(c) {
				r := lift >> 6
				if w.lost[r] == 0 {
					touched = append(touched, r)
				}
				w.lost[r] |= 1 << (lift & 63)
			}
		}
	}
	w.touched = touched
	b := w.b
	for _, r := range touched {
		e := b.edges(w.stays[r] | other)
		near := b.reachRuled(&e, w.lost[r]) & b.rest
		w.lost[r] = 0
		columns := w.column[int(r)*b.span : int(r+1)*b.span]
		for ; near != 0; near &= near - 1 {
			c := columns[bits.TrailingZeros64(near)]
			if w.known[c]&bit == 0 {
				w.decide(c, bit, w.wins)
			}
		}
	}
}

// followWins finds the positions all of whose turns lead to won positions of a
// row.
func (w *worker) followWins(row int, other, bit uint64) {
	b := w.b
	columns := w.rowWin[row&63*w.words : (row&63+1)*w.words]
	if row >= w.pairs {
		columns = w.unfold(columns)
	}
	w.spread(columns)
	alive := w.alive[:0]
	for r, stays := range w.stays {
		if stays&other != 0 {
			w.safe[r] = 0
			continue
		}
		e := b.edges(stays | other)
		may := e.empty & b.rest
		safe := may &^ b.reachRuled(&e, may&^w.won[r])
		w.safe[r] = safe
		if safe != 0 {
			alive = append(alive, uint32(r))
		}
	}
	w.alive = alive
	for _, r := range alive {
		// Each army once: with its highest piece in the hand.
		safe := w.safe[r] &^ (1<<bits.Len64(w.stays[r]) - 1)
		columns := w.column[int(r)*b.span : int(r+1)*b.span]
	next:
		for ; safe != 0; safe &= safe - 1 {
			c := columns[bits.TrailingZeros64(safe)]
			if w.known[c]&bit != 0 {
				continue
			}
			for _, lift := range w.liftsOf(int(c)) {
				if w.safe[lift>>6]>>(lift&63)&1 == 0 {
					continue next
				}
			}
			if b.mobile(w.army[c], other) {
				w.decide(c, bit, w.losses)
			} else {
				w.addStuck(row, c)
			}
		}
	}
}

// spread writes a row's columns to won, the word of each army with a piece in
// the hand.
func (w *worker) spread(columns []uint64) {
	clear(w.won)
	won := w.won
	if w.k == 3 {
		for i, x := range columns {
			for ; x != 0; x &= x - 1 {
				c := i*64 + bits.TrailingZeros64(x)
				l := (*[3]uint32)(w.lifts[3*c:])
				won[l[0]>>6] |= 1 << (l[0] & 63)
				won[l[1]>>6] |= 1 << (l[1] & 63)
				won[l[2]>>6] |= 1 << (l[2] & 63)
			}
		}
		return
	}
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			for _, lift := range w.liftsOf(i*64 + bits.TrailingZeros64(x)) {
				won[lift>>6] |= 1 << (lift & 63)
			}
		}
	}
}

// unfold adds to the columns of a symmetric row the mirror images that are not
// kept for it.
func (w *worker) unfold(columns []uint64) []uint64 {
	copy(w.unfolded, columns)
	clear(w.unfolded[w.gap/64:])
	for i := 0; i*64 < w.pairs; i++ {
		x := columns[i]
		if left := w.pairs - i*64; left < 64 {
			x &= 1<<left - 1
		}
		w.unfolded[w.gap/64+i] = x
	}
	return w.unfolded
}

// addStuck notes a position from which only a pass leads into a row.
func (w *worker) addStuck(row int, c uint32) {
	for _, known := range w.stuck[row] {
		if known == c {
			return
		}
	}
	w.stuck[row] = append(w.stuck[row], c)
}

// pass judges a position without a legal turn by the one after the pass. That
// has the same armies, so it stands in the same column.
func (w *worker) pass(row, c int, bit uint64) {
	if w.known[c]&bit != 0 {
		return
	}
	after := c
	if row >= w.pairs && after >= w.gap {
		after -= w.gap
	}
	at, mask := w.at64(row, after), uint64(1)<<(after&63)
	switch {
	case w.b.illegal(w.army[row], w.turned[c]):
	case atomic.LoadUint64(&w.loss[at])&mask != 0:
		w.decide(uint32(c), bit, w.wins)
	case atomic.LoadUint64(&w.win[at])&mask != 0:
		w.decide(uint32(c), bit, w.losses)
	}
}

// mobile says whether the mover has a legal turn.
func (b *board) mobile(mover, other uint64) bool {
	empty := b.cells &^ (mover | other)
	if b.free && b.step(mover)&empty != 0 {
		risky := len(b.spec.Blockades) > 0
		if b.spec.MoverWonIllegal {
			open := b.home & empty
			risky = risky || open&(open-1) == 0
		}
		if !risky {
			return true
		}
	}
	for x := mover; x != 0; x &= x - 1 {
		piece := x & -x
		e := b.edges(mover&^piece | other)
		for to := e.empty & b.rest &^ piece; to != 0; to &= to - 1 {
			cell := to & -to
			if b.reachRuled(&e, cell)&piece != 0 && !b.illegal(b.turn(other), b.turn(mover&^piece|cell)) {
				return true
			}
		}
	}
	return false
}

// count counts the positions by value.
func (s *solver) count() (c Counts, err error) {
	n := s.subsets.N()
	placements, err := rank.NewArmies(n, s.k, s.k)
	if err != nil {
		return c, err
	}
	c.Illegal = s.illegal
	c.Wins = s.weigh(s.win) - s.illegal
	c.Losses = s.weigh(s.loss)
	c.Draws = placements.Size() - c.Illegal - c.Wins - c.Losses
	return c, nil
}

// weigh counts the positions of a plane, mirror images included.
func (s *solver) weigh(p plane) (n uint64) {
	for j := range s.words {
		tile := p[j*s.gap : (j+1)*s.gap]
		s.space.touch(8 * s.gap)
		for _, x := range tile {
			n += 2 * uint64(bits.OnesCount64(x))
		}
		// In symmetric rows columns from pairs on are their own mirror images.
		for row := s.pairs; row < s.reps; row++ {
			x := tile[row]
			if from := s.pairs - j*64; from > 0 {
				x = x >> uint(min(from, 63)) >> uint(min(from, 64)-min(from, 63))
			}
			n -= uint64(bits.OnesCount64(x))
		}
	}
	return n
}
