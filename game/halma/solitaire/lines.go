package solitaire

import (
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// lines divides the board into parallel lines across the way from home to goal. On histograms,
// the numbers of pieces on each line, moves become easier, never harder: a step leads to a line
// beside or stays, a hop leads two lines on over a line that holds another piece, and only a
// full line cannot be entered. So the moves that a histogram needs are a lower bound for its
// placements.
type lines struct {
	of     [128]uint8 // line of a cell, from 0
	count  int
	pieces int
	width  []uint8 // cells of each line
	home   int     // sum of the lines of the home camp's cells
	way    int     // sum of the lines of the goal's cells, less home
	// A histogram is numbered as the set of s_i+i in colexicographic order, s_0 ≤ s_1 ≤ … being
	// the lines of its pieces; term[i][s] is C(s+i, i+1).
	term [][]uint32
	size int
}

// maxLines bounds lines so that a set of them fits a word with room to shift.
const maxLines = 60

// newLines finds the lines along which the way is longest. The half turn must reverse them;
// mirrored is false if the mirror does not keep each of them.
func newLines(t *halma.TwoArmy) (l *lines, mirrored bool, err error) {
	// The rows, and the lines along the two slanted axes.
	for _, axis := range []func(p halma.Point) int{
		func(p halma.Point) int { return p.X + p.Y },
		func(p halma.Point) int { return p.Y },
		func(p halma.Point) int { return p.X },
	} {
		at := make([]int, t.Cells)
		for c, p := range t.At {
			at[c] = axis(p)
		}
		if found := measure(t, at); l == nil || found.way > l.way {
			l = found
		}
	}
	if l == nil || l.way == 0 {
		return nil, false, fmt.Errorf("solitaire: %s: no direction leads from home to goal", t.ID)
	}
	if l.count > maxLines {
		return nil, false, fmt.Errorf("solitaire: %s: %d lines of cells: at most %d", t.ID, l.count, maxLines)
	}
	mirrored = t.Mirror != nil
	for c := range t.Cells {
		if int(l.of[t.Turn[c]]) != l.count-1-int(l.of[c]) {
			return nil, false, fmt.Errorf("solitaire: %s: half a turn does not reverse the lines between home and goal", t.ID)
		}
		mirrored = mirrored && l.of[t.Mirror[c]] == l.of[c]
	}
	size, err := rank.Binomial(l.count+l.pieces-1, l.pieces)
	if err != nil || size >= 1<<31 {
		return nil, false, fmt.Errorf("solitaire: %s: too many ways for %d pieces on %d lines", t.ID, l.pieces, l.count)
	}
	l.size = int(size)
	l.term = make([][]uint32, l.pieces)
	for i := range l.term {
		l.term[i] = make([]uint32, l.count)
		for s := range l.term[i] {
			v, err := rank.Binomial(s+i, i+1)
			if err != nil {
				return nil, false, err
			}
			l.term[i][s] = uint32(v)
		}
	}
	return l, mirrored, nil
}

// measure makes lines of numbers, counted towards the goal.
func measure(t *halma.TwoArmy, at []int) *lines {
	l := &lines{pieces: t.Pieces}
	way := 0
	for i := range t.Pieces {
		way += at[t.Goal[i]] - at[t.Home[i]]
	}
	lo, hi := at[0], at[0]
	for _, v := range at {
		lo, hi = min(lo, v), max(hi, v)
	}
	l.count = hi - lo + 1
	l.width = make([]uint8, l.count)
	for c, v := range at {
		l.of[c] = uint8(v - lo)
		if way < 0 {
			l.of[c] = uint8(hi - v)
		}
		l.width[l.of[c]]++
	}
	l.way = max(way, -way)
	l.home = l.sum(halma.SetOf(t.Home))
	return l
}

func (l *lines) sum(x bitboard.Set128) (s int) {
	for c := range x.Cells() {
		s += int(l.of[c])
	}
	return s
}

type counts [maxLines]uint8

// insertion numbers the histograms that arise when a further piece joins all other pieces on any
// line.
type insertion struct {
	sum   [128]uint32
	below [maxLines]uint8 // number of other pieces on lower lines
}

// insert prepares in for the histogram n, which holds one piece less than the army.
func (l *lines) insert(in *insertion, n *counts) {
	first, j := uint32(0), 0
	for s := range l.count {
		in.below[s] = uint8(j)
		for range n[s] {
			high := l.term[j+1][s]
			first += high
			in.sum[j+1] = l.term[j][s] - high // modulo 2^32, as sums are
			j++
		}
	}
	in.sum[0] = first
	for i := 1; i <= j; i++ {
		in.sum[i] += in.sum[i-1]
	}
}

// number returns the number of the histogram with the further piece on line s.
func (l *lines) number(in *insertion, s int) uint32 {
	j := in.below[s]
	return in.sum[j&127] + l.term[j][s]
}

// reach returns the lines that a piece on line s can reach in one move. The piece hops over the
// lines in held, and cannot enter the lines in full.
func reach(s int, held, full uint64) uint64 {
	from := uint64(1) << s
	hopped := from
	for {
		up := hopped << 2 & (held << 1) &^ full
		down := hopped >> 2 & (held >> 1) &^ full
		if next := hopped | up | down; next != hopped {
			hopped = next
			continue
		}
		break
	}
	return (hopped | (from<<1|from>>1)&^full) &^ from
}

// never is larger than any number of moves in a table.
const never = 255

// distances has for each histogram the least number of moves to a progress of at least least lines,
// or never.
type distances struct {
	least int
	moves []uint8
}

// distances makes the table. Moves of histograms can be undone, so the search goes backwards
// from all histograms with enough progress.
func (l *lines) distances(least int) *distances {
	t := &distances{least, make([]uint8, l.size)}
	l.each(func(i int, s []uint8) {
		t.moves[i] = never
		progress := -l.home
		var n counts
		for _, v := range s {
			progress += int(v)
			if n[v]++; n[v] > l.width[v] {
				return
			}
		}
		if progress >= least {
			t.moves[i] = 0
		}
	})
	for d, more := uint8(0), true; more && d < never-1; d++ {
		more = false
		l.each(func(i int, s []uint8) {
			if t.moves[i] == d && l.spread(t.moves, s, d+1) {
				more = true
			}
		})
	}
	return t
}

func (l *lines) bound(x bitboard.Set128, t *distances) int {
	var n counts
	for c := range x.Cells() {
		n[l.of[c]]++
	}
	number := uint32(0)
	for v, i := 0, 0; v < l.count; v++ {
		for range n[v] {
			number += l.term[i][v]
			i++
		}
	}
	return int(t.moves[number])
}

// spread gives the distance d to all histograms that have none yet and are one move from the
// histogram of the pieces s. It reports whether there were any.
func (l *lines) spread(table []uint8, s []uint8, d uint8) (any bool) {
	var n counts
	for _, v := range s {
		n[v]++
	}
	held, full := uint64(0), ^uint64(0)<<l.count
	for v := range l.count {
		if n[v] > 0 {
			held |= 1 << v
		}
		if n[v] >= l.width[v] {
			full |= 1 << v
		}
	}
	var in insertion
	for from := held; from != 0; from &= from - 1 {
		v := bits.TrailingZeros64(from)
		n[v]--
		others := held
		if n[v] == 0 {
			others &^= 1 << v
		}
		l.insert(&in, &n)
		n[v]++
		for to := reach(v, others, full); to != 0; to &= to - 1 {
			if i := l.number(&in, bits.TrailingZeros64(to)); table[i] == never {
				table[i], any = d, true
			}
		}
	}
	return any
}

// each calls do with the number of every histogram and the lines of its pieces, from the lowest,
// also if a line would hold more pieces than it has cells.
func (l *lines) each(do func(i int, s []uint8)) {
	s := make([]uint8, l.pieces)
	for i := range l.size {
		do(i, s)
		for j := range s {
			if j+1 == len(s) || s[j] < s[j+1] {
				s[j]++
				clear(s[:j])
				break
			}
		}
	}
}
