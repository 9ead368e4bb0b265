package strong

import (
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/rank"
	"perfectplay/solve/frame"
)

// Solution holds the value of every position of a two-army game, and distances if wanted. It is
// safe for concurrent use.
type Solution struct {
	l *layout
	// The lower half of a word of the table has the wins, including illegal positions. The upper
	// half has the decided positions or the losses; it is unused if known has the decided and
	// illegal positions. See solver.
	table grid
	known []uint64
	dist  []uint8        // plies to the end of each place; nil without distances
	tiles *tilesSolution // set instead of table and dist if the solution is in files
	count frame.Count
	// Passes is the number of passes over the table.
	Passes int
	// Resumed says that the solve continued from its directory.
	Resumed bool
}

func (s *solver) solution() *Solution {
	r := &Solution{l: s.layout, table: s.table, dist: s.dist, Passes: s.level, Resumed: s.resumed}
	if s.seen == nil {
		r.known = s.known
	}
	var wins, losses uint64
	for i := range s.rows {
		var won, lost int
		for j := range 2 * s.words {
			x := *s.table.word(i, 32*j)
			won += bits.OnesCount64(x & half)
			lost += bits.OnesCount64(x >> 32 &^ x)
		}
		wins += s.weight(i) * uint64(won)
		if r.known != nil {
			for _, x := range s.knownOf(i) {
				lost += bits.OnesCount64(x)
			}
		}
		losses += s.weight(i) * uint64(lost)
	}
	if r.known != nil {
		losses -= wins
	}
	for d := 0; s.Distances && d < s.level; d++ {
		r.count.Add(true, d, s.byPly[0][d].Load())
		r.count.Add(false, d, s.byPly[1][d].Load())
	}
	r.count.Counts = Counts{Wins: wins - s.illegal.Load(), Losses: losses, Illegal: s.illegal.Load()}
	r.count.Draws = s.positions() - r.count.Positions()
	return r
}

// Counts returns the number of positions of each value.
func (r *Solution) Counts() Counts { return r.count.Counts }

// HasDistances says whether the solve was for distances.
func (r *Solution) HasDistances() bool { return r.dist != nil || r.tiles != nil && r.tiles.distances }

// Tiles returns the files of the solution, nil if it is in memory.
func (r *Solution) Tiles() *Tiles {
	if r.tiles == nil {
		return nil
	}
	return r.tiles.t
}

// Err returns the first error with which [Solution.Value] failed to read a file.
func (r *Solution) Err() error {
	if r.tiles == nil {
		return nil
	}
	r.tiles.mu.Lock()
	defer r.tiles.mu.Unlock()
	return r.tiles.err
}

// Count returns the numbers of positions by value and distance, mirror images included.
func (r *Solution) Count() frame.Count { return r.count }

// Value returns the value of a position to its mover and, if the solve was for distances, the plies
// to the end, 0 for draws. The armies are from the mover's side, see [halma.Sides]: bit c is cell
// c. The value is Unknown for an illegal position, and if its file cannot be read: see Err.
func (r *Solution) Value(mover, other bitboard.Set128) (game.Value, int) {
	row, col := r.l.kernel.place(mover, other)
	if r.tiles != nil {
		return r.tiles.value(row, col)
	}
	x := *r.table.word(row, col) >> (col & 31)
	is := x&isWin | x>>32&1*isDecided
	if r.known != nil {
		row, col := r.l.kernel.back(row, col)
		is |= r.known[row*r.l.words+col>>6] >> (col & 63) & 1 * isDecided
	}
	if r.l.mayBeIllegal && r.l.kernel.illegal(row, col) {
		is |= isOut
	}
	return valueOf(is, r.dist, 64*row*r.l.words+col)
}

// The bits that describe a place. Illegal places are kept as wins.
const (
	isWin     = 1
	isDecided = 2
	isOut     = 4
)

var worth = [8]game.Value{game.Draw, game.Win, game.Loss, game.Win, game.Unknown, game.Unknown, game.Unknown, game.Unknown}

// valueOf is the value of a place by its bits, with its distance from a list that may be nil.
func valueOf(is uint64, dist []uint8, at int) (game.Value, int) {
	value := worth[is&7]
	if dist == nil || value != game.Win && value != game.Loss {
		return value, 0
	}
	return value, int(dist[at])
}

// rowReader reads a solution row by row. It belongs to one goroutine.
type rowReader struct {
	r                  *Solution
	l                  *layout
	hand               hand
	row                int
	win, lost, illegal []uint64   // bits of the current row
	dist               []uint8    // distances from the row on; nil without distances
	number             [128]uint8 // column number of each free cell, in ascending order
	found              []uint32
	// asked and places are scratch space of findLost.
	asked  []uint32
	places []place
}

func (r *Solution) rowReader(h hand) *rowReader {
	w := &rowReader{r: r, l: r.l, hand: h, row: -1}
	for _, columns := range []*[]uint64{&w.win, &w.lost, &w.illegal} {
		*columns = make([]uint64, r.l.words)
	}
	return w
}

// face prepares for the row of a mover's army and for the free cells beside the army.
func (w *rowReader) face(mover, free bitboard.Set128) (row int) {
	row, flip := w.l.kernel.find(mover)
	w.l.kernel.numbers(row, flip, free, w.number[:0])
	return row
}

// columns returns the columns of the next count other armies in rank order, from set x of free-cell
// numbers on, and the set after them. They are valid until the next call.
func (w *rowReader) columns(x bitboard.Set128, count int) ([]uint32, bitboard.Set128) {
	w.found = w.found[:0]
	others := w.l.others
	if x.Hi == 0 && w.l.n <= 64 {
		next := x.Lo
		for range count {
			set := uint64(0)
			for x := next; x != 0; x &= x - 1 {
				set |= 1 << (w.number[bits.TrailingZeros64(x)] & 63)
			}
			w.found = append(w.found, uint32(w.l.columnAt(others.Rank64(set))))
			next = rank.Next64(next)
		}
		return w.found, bitboard.Set128{Lo: next}
	}
	for range count {
		var set bitboard.Set128
		for f := range x.Cells() {
			set = set.With(int(w.number[f]))
		}
		w.found = append(w.found, uint32(w.l.columnAt(others.Rank(set))))
		x = rank.Next128(x)
	}
	return w.found, x
}

// seek reads a row, from the table in memory or from a tile.
func (w *rowReader) seek(row int) error {
	l := w.l
	if row == w.row {
		return nil // the last call has read this row
	}
	w.row = -1
	if t := w.r.tiles; t != nil {
		at, err := t.load(row)
		if err != nil {
			return err
		}
		copy(w.win, t.w.s.win[at:])
		copy(w.lost, t.w.s.loss[at:])
		if t.distances {
			w.dist = t.w.s.dist[64*at:]
		}
	} else {
		for i := range w.win {
			w.win[i], w.lost[i] = w.r.table.halves(row, i)
		}
		if w.r.dist != nil {
			w.dist = w.r.dist[64*row*l.words:]
		}
	}
	w.row = row
	if l.mayBeIllegal {
		clear(w.illegal)
		w.hand.terminal(row, func(c int, state state) {
			if state == isIllegal {
				w.illegal[c>>6] |= 1 << (c & 63)
			}
		})
	}
	if w.r.known != nil {
		w.findLost()
	}
	return nil
}

// findLost finds the positions of the row that are known and not won.
func (w *rowReader) findLost() {
	l := w.r.l
	w.asked = w.asked[:0]
	for i, x := range w.win {
		for x = ^x & l.columnMask(i); x != 0; x &= x - 1 {
			w.asked = append(w.asked, uint32(i<<6|bits.TrailingZeros64(x)))
		}
	}
	w.hand.turnTo(w.row)
	for columns := w.asked; len(columns) > 0; {
		n := min(len(columns), fetched)
		w.places = w.hand.before(columns[:n], w.places[:0])
		for i, p := range w.places {
			c := columns[i]
			w.lost[c>>6] |= w.r.known[int(p.row)*l.words+int(p.col>>6)] >> (p.col & 63) & 1 << (c & 63)
		}
		columns = columns[n:]
	}
}

func (w *rowReader) is(col int) uint64 {
	word, bit := col>>6, col&63
	return w.win[word]>>bit&1*isWin | w.lost[word]>>bit&1*isDecided | w.illegal[word]>>bit&1*isOut
}

func (w *rowReader) at(col int) (game.Value, int) { return valueOf(w.is(col), w.dist, col) }
