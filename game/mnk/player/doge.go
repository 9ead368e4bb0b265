package player

import (
	"cmp"
	"slices"

	"perfectplay/game/mnk"
)

// doge follows the report on the SufferingDoge player: alpha-beta to depth 9
// over a beam of the best max(1+levels left, 5) cells next to stones, ranked by
// the longest line through the cell that can still grow to k, then by whether
// the cell is critical, then by the sum of the lines in the four directions.
// The evaluation sums powers of the lengths of lines, alike for both players:
// 5^e for lines that can grow at one end only, 10^e for those that can at both,
// −1 for a line that cannot reach k. Depth grows from 1 so that there is always
// a move in time.
type doge struct {
	f     *field
	g     *mnk.Game
	stop  func() bool
	over  bool
	nodes uint64
	bufs  [16][]dogeCell
}

type dogeCell struct {
	c            int32
	longest, sum int
	critical     bool
}

const (
	dogeDepth = 9
	dogeWin   = int64(1) << 50
)

func newDoge(g *mnk.Game) *doge { return &doge{g: g, f: newField(g, 1)} }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rank judges an empty cell for both players.
func (d *doge) rank(c int32) dogeCell {
	m := dogeCell{c: c}
	r, q := int(c)/d.g.Cols(), int(c)%d.g.Cols()
	for p := range 2 {
		for _, w := range mnk.Directions() {
			a, ra := d.f.run(r, q, w[0], w[1], p)
			b, rb := d.f.run(r, q, -w[0], -w[1], p)
			if a+b+1+ra+rb < d.g.K() {
				continue
			}
			m.longest = max(m.longest, a+b+1)
			m.sum += a + b + 1
			m.critical = m.critical || a+b+1 >= d.g.K()-1
		}
	}
	return m
}

// moves returns the beam with the given number of levels left.
func (d *doge) moves(levels int) []dogeCell {
	buf := d.bufs[levels][:0]
	for _, c := range d.f.front.list {
		if d.f.cell[c] == 0 {
			buf = append(buf, d.rank(c))
		}
	}
	if len(buf) == 0 {
		for _, c := range d.f.order {
			if d.f.cell[c] == 0 {
				buf = append(buf, dogeCell{c: c})
				break
			}
		}
	}
	d.bufs[levels] = buf
	slices.SortFunc(buf, func(a, b dogeCell) int {
		return cmp.Or(b.longest-a.longest, btoi(b.critical)-btoi(a.critical), b.sum-a.sum, int(a.c-b.c))
	})
	return buf[:min(len(buf), max(1+levels, 5))]
}

// evaluate sums over maximal lines of both players, seen by p.
func (d *doge) evaluate(p int) (sum int64) {
	rows, cols, k := d.g.Rows(), d.g.Cols(), d.g.K()
	for _, c := range d.f.stack {
		owner := int(d.f.cell[c]) - 1
		r, q := int(c)/cols, int(c)%cols
		for _, w := range mnk.Directions() {
			// Each line is counted once, from its first stone.
			if rr, cc := r-w[0], q-w[1]; rr >= 0 && cc >= 0 && cc < cols && rr < rows && d.f.cell[rr*cols+cc] == int8(owner+1) {
				continue
			}
			a, ra := d.f.run(r, q, w[0], w[1], owner)
			_, rb := d.f.run(r, q, -w[0], -w[1], owner)
			length := a + 1
			v := int64(-1)
			if length+ra+rb >= k {
				v = 1
				base := int64(5)
				if ra > 0 && rb > 0 {
					base = 10
				}
				for range min(length, 12) {
					v *= base
				}
			}
			if owner == p {
				sum += v
			} else {
				sum -= v
			}
		}
	}
	return sum
}

// search returns the value for p, who is to move.
func (d *doge) search(p, levels int, alpha, beta int64) int64 {
	d.nodes++
	d.over = d.over || d.stop()
	switch {
	case d.over:
		return 0
	case d.f.won(1 - p):
		return -dogeWin - int64(levels)
	case d.f.n == d.f.cells:
		return 0
	case levels == 0:
		return d.evaluate(p)
	}
	for _, m := range d.moves(levels) {
		d.f.put(m.c, p)
		v := -d.search(1-p, levels-1, -beta, -alpha)
		d.f.take()
		if d.over {
			return 0
		}
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	return alpha
}

// choose searches one level, then two, and so on. The result of an interrupted level is dropped.
func (d *doge) choose(t *turn, s *mnk.Plain) {
	d.f.follow(s)
	d.stop, d.over, d.nodes = t.over, false, 0
	p := s.Seat()
	for levels := 1; levels <= min(dogeDepth, d.f.cells-d.f.n); levels++ {
		moves := d.moves(levels)
		if levels == 1 {
			t.propose(int(moves[0].c), "depth 0")
		}
		alpha, top := -4*dogeWin, int32(-1)
		for _, m := range moves {
			d.f.put(m.c, p)
			v := -d.search(1-p, levels-1, -4*dogeWin, -alpha)
			d.f.take()
			if d.over {
				return
			}
			if v > alpha {
				alpha, top = v, m.c
			}
		}
		t.propose(int(top), "depth %d, %d nodes", levels, d.nodes)
	}
}
