package tight

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"perfectplay/bitboard"
	"perfectplay/game"
	"perfectplay/game/halma"
	"perfectplay/game/halma/strong"
	"perfectplay/game/halma/tablebase"
	"perfectplay/rank"
)

// Solution holds the value of every position of a two-army game. It is immutable and
// safe for concurrent use.
type Solution struct {
	l *layout
	// table has a word for each row and 32 columns (see at32): wins in the lower half,
	// illegal positions among them, in the upper what is decided, or losses alone.
	table  []uint64
	counts strong.Counts
	passes int
}

func (s *solver) solution() *Solution {
	r := &Solution{l: s.layout, table: s.table, passes: s.level}
	var wins, losses uint64
	for i := range s.rows {
		var won, lost int
		for at := i; at < len(s.table); at += s.rows {
			x := s.table[at]
			won += bits.OnesCount64(x & half)
			lost += bits.OnesCount64(x >> 32 &^ x)
		}
		wins += s.weight(i) * uint64(won)
		losses += s.weight(i) * uint64(lost)
	}
	r.counts = strong.Counts{Wins: wins - s.illegal.Load(), Losses: losses, Illegal: s.illegal.Load()}
	r.counts.Draws = s.positions() - r.counts.Positions()
	return r
}

// positions is the number of all positions, mirror images included.
func (l *layout) positions() uint64 { return l.armies.Size() * l.others.Size() }

// Counts returns how many positions have each value.
func (r *Solution) Counts() strong.Counts { return r.counts }

// HasDistances says whether the solve was for distances: it never is.
func (r *Solution) HasDistances() bool { return false }

// Histogram returns how many positions are won and lost at each distance: nothing is
// known of it.
func (r *Solution) Histogram() (wins, losses []uint64) { return nil, nil }

// Passes is the number of passes over the table. It may depend on the number of
// threads.
func (r *Solution) Passes() int { return r.passes }

// Value returns the value of a position to its mover, and 0. The armies are from the
// mover's side, as halma.Sides returns them: on at most 64 cells, of the right size,
// without overlap. An illegal position has value Unknown.
func (r *Solution) Value(mover, other bitboard.Set128) (game.Value, int) {
	w := rowReader{Solution: r}
	row := w.face(mover.Lo)
	col := w.column(other.Lo)
	return w.value(r.table[r.l.at32(row, col)]>>(col&31), other.Lo), 0
}

// rowReader looks up the positions of one mover's army after another. It belongs to
// one goroutine.
type rowReader struct {
	*Solution
	mover, free uint64 // as bits
	flip        bool
	row         []uint64 // of the mover's army, by 32 columns
}

// face goes to a mover's army, bit c being cell c, and returns its row.
func (w *rowReader) face(mover uint64) (row int) {
	l := w.l
	w.mover = l.b.fromCells(mover)
	at := l.rowOf[l.rankOf(w.mover)]
	row, w.flip = int(at>>1), at&1 != 0
	w.free = l.b.open &^ l.army[row]
	return row
}

// seek goes to the positions of a mover's army. All of them are read at once, since the
// words of a row lie far apart.
func (w *rowReader) seek(mover uint64) {
	row := w.face(mover)
	w.row = w.row[:0]
	for at := row; at < len(w.table); at += w.l.rows {
		w.row = append(w.row, w.table[at])
	}
}

// column returns the column of the other army; bit c is cell c.
func (w *rowReader) column(other uint64) int {
	army := w.l.b.fromCells(other)
	if w.flip {
		army = w.l.b.flip(army)
	}
	return int(w.l.others.Rank64(bitboard.Extract64(army, w.free)))
}

// at returns the value of the position with the other army.
func (w *rowReader) at(other uint64) game.Value {
	col := w.column(other)
	return w.value(w.row[col>>5]>>(col&31), other)
}

// value returns the value that bits of the table, moved to the lowest place, say of the
// position with the other army.
func (w *rowReader) value(x, other uint64) game.Value {
	switch {
	case x&1 != 0:
		if w.l.b.illegal(w.mover, w.l.b.fromCells(other)) {
			return game.Unknown // kept as a win
		}
		return game.Win
	case x>>32&1 != 0:
		return game.Loss
	}
	return game.Draw
}

// Save writes a solved game to a table file, with the same bytes as strong.Save.
// program names the version that solved it. progress, if not nil, is called now and
// then with the share that is written, also concurrently.
func Save(ctx context.Context, name string, t *halma.TwoArmy, s *Solution, program string, threads int, progress func(done float64)) (tablebase.Info, error) {
	info, numbering, err := tablebase.NewInfo(t, false, program)
	if err != nil {
		return info, err
	}
	c := s.Counts()
	info.Wins, info.Losses, info.Draws, info.Illegal = c.Wins, c.Losses, c.Draws, c.Illegal
	readers := sync.Pool{New: func() any { return &rowReader{Solution: s} }}
	return tablebase.Write(ctx, name, info, threads, func(from uint64, codes []byte) {
		if progress != nil {
			progress(float64(from) / float64(info.Positions))
		}
		w := readers.Get().(*rowReader)
		defer readers.Put(w)
		last := uint64(0) // no army is empty
		// Boards here have at most 64 cells: the sets are one word.
		numbering.Walk(from, len(codes), func(i int, mover, other bitboard.Set128) {
			if mover.Lo != last {
				w.seek(mover.Lo)
				last = mover.Lo
			}
			codes[i] = tablebase.Code(w.at(other.Lo), 0, false)
		})
	})
}

// Plan is what a solve will take, known beforehand.
type Plan struct {
	Positions uint64 // from the mover's side, mirror images included
	Places    uint64 // of the table: of a position and its mirror image mostly one
	Bytes     uint64 // of memory at most
	Least     uint64 // of memory at least, where a solve takes longer
}

// NewPlan says what solving a game takes, without doing it. The error is the one
// that [Solve] would give.
func NewPlan(t *halma.TwoArmy, n int) (p Plan, err error) {
	if _, err := newBoard(t); err != nil {
		return p, err
	}
	return newPlan(t, threads(n))
}

// newPlan is NewPlan, also of boards that do not fit a word.
func newPlan(t *halma.TwoArmy, threads int) (p Plan, err error) {
	cells, k := t.Cells-len(t.Closed), t.Pieces
	if p.Positions, err = rank.Placements(cells, k, k); err != nil {
		return p, err
	}
	armies, err := rank.Binomial(cells, k)
	if err != nil {
		return p, err
	}
	if armies > maxArmies {
		return p, tooMany(t, armies)
	}
	cols := p.Positions / armies
	rows := armies
	if t.Mirror != nil {
		rows = (armies + symmetricArmies(t)) / 2
	}
	p.Places = rows * cols
	partial := cols * uint64(k) / uint64(cells-2*k+1)
	plane := rows * ((cols + 63) / 64) * 8
	tables := armies*(8+8) + rows*(8+1+4) + cols*(8+4*uint64(k)) + partial*(8+4*uint64(cells-2*k+1))
	worker := partial*(8+8+4+4) + cols*(4+4+1) + backBytes
	sets := uint64(cells-k) * (cols + partial) / 8 // see slicing
	tables += sets
	worker += sets
	p.Least = 2*plane + tables + uint64(threads)*worker + 16<<20
	p.Bytes = p.Least + 2*plane
	return p, nil
}

// symmetricArmies counts the armies that are their own mirror image.
func symmetricArmies(t *halma.TwoArmy) (sum uint64) {
	pairs, singles := 0, 0
	for c, image := range t.Mirror {
		switch {
		case slices.Contains(t.Closed, c):
		case int(image) == c:
			singles++
		case int(image) > c:
			pairs++
		}
	}
	for two := 0; 2*two <= t.Pieces; two++ {
		x, errX := rank.Binomial(pairs, two)
		y, errY := rank.Binomial(singles, t.Pieces-2*two)
		if errX == nil && errY == nil {
			sum += x * y
		}
	}
	return sum
}
