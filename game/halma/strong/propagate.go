package strong

import (
	"math/bits"
	"sync/atomic"

	"perfectplay/internal/host"
)

// worker is the scratch space of one goroutine.
type worker struct {
	*solver
	// By partial army, in words, the cells of the piece in the hand: after a turn to
	// a cell of won or lost the position is won or lost for the opponent; from a cell
	// of safe every turn leads to a position won for the opponent.
	won, lost, safe []uint64
	touched         []uint64 // a bit for each word of lost: those that are not empty have it
	candidates      []uint32 // partial armies whose safe is not empty
	// By column, a bit for each row of the block: positions decided before or now, and
	// those decided now.
	known, wins, losses []uint64
	// A bit for each column: positions that lead to what is lost in a row; those of the row
	// that it does not win.
	reached, open []uint64
	// The rows of a block, one after the other, and one with its mirror images.
	rowWin, rowFrontier, unfolded []uint64
	illegal                       uint64
	work                          uint64 // not yet told to the solver
}

func newWorker(s *solver) *worker {
	w := &worker{solver: s}
	n := s.handWords
	w.won, w.lost, w.safe = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	w.known, w.wins, w.losses = make([]uint64, s.cols), make([]uint64, s.cols), make([]uint64, s.cols)
	w.rowWin, w.rowFrontier = make([]uint64, 64*s.words), make([]uint64, 64*s.words)
	w.unfolded, w.reached, w.open = make([]uint64, s.words), make([]uint64, s.words), make([]uint64, s.words)
	w.touched = make([]uint64, (n+63)/64)
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

// weight is how many positions a place stands for: itself and its mirror image.
func (l *layout) weight(row, col int) uint64 {
	if row < l.pairs || col < l.pairs {
		return 2
	}
	return 1
}

// markTerminal marks the positions of 64 rows that are over or illegal.
func (w *worker) markTerminal(block int) {
	w.solver.work.Add(uint64(unitTerminal * float64(64*w.partials())))
	w.terminal(block, func(row, col int, state rowState) {
		at, bit := w.at64(row, col), uint64(1)<<(col&63)
		switch state {
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
			if w.byPly {
				w.frontier[at] |= bit
			} else {
				w.win[at] |= bit
			}
			w.newLoss[row].Store(true)
			w.decided.Add(1)
		}
	})
	if !w.byPly {
		for row := block * 64; row < min(block*64+64, w.reps); row++ {
			w.newWin[row].Store(true) // those that cannot move at all are found in the first pass
		}
	}
}

// terminal calls do for the places of 64 rows whose positions are over or
// illegal.
func (s *solver) terminal(block int, do func(row, col int, state rowState)) {
	for row := block * 64; row < min(block*64+64, s.reps); row++ {
		s.space.Charge(3 * s.words * host.PageSize / 64)
		s.kernel.terminal(row, func(col int, state rowState) { do(row, col, state) })
	}
}

// propagate decides what follows from the positions of 64 rows for the positions
// one turn before, which stand in the 64 columns of the same numbers.
func (w *worker) propagate(block int) {
	first, last := block*64, min(block*64+64, w.reps)
	due := false
	for row := first; row < last && !due; row++ {
		if w.byPly {
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
		if w.byPly {
			lost[row-first], won[row-first] = w.dueLoss[row], w.dueWin[row]
		} else {
			lost[row-first], won[row-first] = testAndClear(&w.newLoss[row]), testAndClear(&w.newWin[row])
		}
	}
	// A page for each run of the rows, which 8 blocks share, and the columns.
	w.space.Charge(2*w.words*host.PageSize/8 + 6*w.gap*8)
	w.load(block, &lost)
	for row := first; row < last; row++ {
		if lost[row-first] || won[row-first] {
			w.row(row, lost[row-first], won[row-first])
		}
	}
	w.store(block)
	w.solver.work.Add(w.work)
	w.work = 0
}

// testAndClear clears a flag and returns what it was.
func testAndClear(flag *atomic.Bool) bool { return flag.Load() && flag.Swap(false) }

// set sets a flag.
func set(flag *atomic.Bool) {
	if !flag.Load() {
		flag.Store(true)
	}
}

// load copies the rows of a block, and what is decided in its columns. It takes
// from the frontier the losses of the rows in lost; other rows may get some at this
// moment, and are flagged after that.
func (w *worker) load(block int, lost *[64]bool) {
	win, frontier := w.rowWin, w.rowFrontier
	for j := range w.words {
		from := j*w.gap + block*64
		w.space.FaultIn(&w.win[from])
		if w.byPly {
			w.space.FaultIn(&w.frontier[from])
			for i := range 64 {
				win[i*w.words+j], frontier[i*w.words+j] = w.win[from+i], w.frontier[from+i]
				w.frontier[from+i] = 0
			}
			continue
		}
		w.space.FaultIn(&w.loss[from])
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
			frontier[i*w.words+j] = y
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

// store writes what the block has decided to the table.
func (w *worker) store(block int) {
	w.decided.Add(uint64(w.storeColumns(block, 0, w.reps) + w.storeColumns(block+w.gap/64, w.gap, w.cols)))
}

// storeColumns is store for columns from first to last, which are rows of the table
// whose words are in one tile.
func (w *worker) storeColumns(tile, first, last int) (n int) {
	for c := first; c < last; c++ {
		wins, losses := w.wins[c], w.losses[c]
		if wins|losses == 0 {
			continue
		}
		row := c - first
		at := tile*w.gap + row
		w.wins[c], w.losses[c] = 0, 0
		n += bits.OnesCount64(wins) + bits.OnesCount64(losses)
		if w.byPly {
			w.nextWin[at], w.nextLoss[at] = wins, losses
		} else {
			if losses != 0 {
				atomic.OrUint64(&w.loss[at], losses)
			}
			atomic.OrUint64(&w.win[at], wins|losses)
		}
		if losses != 0 {
			set(&w.newLoss[row])
		}
		if wins != 0 {
			set(&w.newWin[row])
		}
	}
	return n
}

// merge makes the results of a ply visible.
func (w *worker) merge(block int) {
	size, blocks := len(w.win), w.gap/64
	w.space.Charge((4 + bits.OnesCount(uint(w.level))) * 8 * size / blocks)
	for i := size / blocks * block; i < size/blocks*(block+1); i++ {
		wins, losses := w.nextWin[i], w.frontier[i]
		w.nextWin[i], w.nextLoss[i] = 0, 0
		if wins|losses == 0 {
			continue
		}
		w.win[i] |= wins
		w.loss[i] |= losses
		w.dist.add(i, wins|losses, w.level)
	}
}

// row decides what follows from the positions of a row.
func (w *worker) row(row int, lost, won bool) {
	bit := uint64(1) << (row & 63)
	if lost {
		w.propagateLosses(row, bit)
	}
	if won || w.unscanned[row] {
		w.propagateWins(row, bit)
		w.unscanned[row] = false
	}
	for _, c := range w.mustPass[row] {
		w.pass(row, int(c), bit)
	}
}

// decide records the value of the position in column c for a row of the block, if
// none is known; list is w.wins or w.losses.
func (w *worker) decide(c uint32, bit uint64, list []uint64) {
	known := w.known[c]
	list[c] |= bit &^ known
	w.known[c] = known | bit
}

// propagateLosses decides as won the positions that lead to a loss of the
// frontier in a row.
func (w *worker) propagateLosses(row int, bit uint64) {
	columns := w.rowFrontier[row&63*w.words : (row&63+1)*w.words]
	if row >= w.pairs {
		columns = w.unfold(columns)
	}
	lost, touched, lifts := w.lost, w.touched, w.lifts
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			for _, lift := range lifts.of(i*64 + bits.TrailingZeros64(x)) {
				r := lift >> 6
				lost[r] |= 1 << (lift & 63)
				touched[r>>6] |= 1 << (r & 63)
			}
		}
	}
	for _, x := range touched {
		w.work += uint64(bits.OnesCount64(x))
	}
	w.kernel.decideWins(w, row)
	for i, x := range w.reached {
		w.reached[i] = 0
		for ; x != 0; x &= x - 1 {
			w.decide(uint32(i<<6|bits.TrailingZeros64(x)), bit, w.wins)
		}
	}
}

// propagateWins decides as lost the positions all of whose turns lead to won
// positions of a row.
func (w *worker) propagateWins(row int, bit uint64) {
	columns := w.rowWin[row&63*w.words : (row&63+1)*w.words]
	if row >= w.pairs {
		columns = w.unfold(columns)
	}
	w.scatter(columns, row)
	w.work += uint64(w.partials())
	w.kernel.decideLosses(w, row, bit)
}

// scatter writes a row's columns to won, by partial army: those in columns are in it; or
// those that are positions and not in columns are not in it but all else is, if
// that is less to write.
func (w *worker) scatter(columns []uint64, row int) {
	n, rest := 0, 0
	w.kernel.positions(row, w.open)
	for i, x := range columns {
		n += bits.OnesCount64(x)
		w.open[i] &^= x
		rest += bits.OnesCount64(w.open[i])
	}
	won, fill := w.won, uint64(0)
	if rest < n {
		columns, fill = w.open, ^fill
	}
	for i := range won {
		won[i] = fill
	}
	lifts := w.lifts
	if w.k == 3 {
		for i, x := range columns {
			for ; x != 0; x &= x - 1 {
				c := i*64 + bits.TrailingZeros64(x)
				l := (*[3]uint32)(lifts.all[3*c:])
				won[l[0]>>6] ^= 1 << (l[0] & 63)
				won[l[1]>>6] ^= 1 << (l[1] & 63)
				won[l[2]>>6] ^= 1 << (l[2] & 63)
			}
		}
		return
	}
	for i, x := range columns {
		for ; x != 0; x &= x - 1 {
			for _, lift := range lifts.of(i*64 + bits.TrailingZeros64(x)) {
				won[lift>>6] ^= 1 << (lift & 63)
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

// addMustPass records a position without a legal turn whose pass leads into a row.
func (w *worker) addMustPass(row int, c uint32) {
	for _, known := range w.mustPass[row] {
		if known == c {
			return
		}
	}
	w.mustPass[row] = append(w.mustPass[row], c)
}

// pass decides a position without a legal turn by the one after the pass. That
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
	// In this order: see solver. A loss that is found meanwhile has both bits.
	win := atomic.LoadUint64(&w.win[at])&mask != 0
	loss := atomic.LoadUint64(&w.loss[at])&mask != 0
	switch {
	case w.kernel.illegal(row, c):
	case loss:
		w.decide(uint32(c), bit, w.wins)
	case win:
		w.decide(uint32(c), bit, w.losses)
	}
}
