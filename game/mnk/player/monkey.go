package player

import (
	"fmt"
	"slices"

	"perfectplay/game/mnk"
	"perfectplay/internal/table"
)

// monkey follows the report on the MoNKey player: iterative deepening over best node
// search, a table of two entries a bucket (one kept by depth, one always replaced) under a
// hash that symmetric positions share, cells next to stones in spiral order from the
// centre, and an evaluation by alignments of k, k−1 and k−2 stones. Above 100 cells it
// looks one ply ahead.
//
// The report gives the weights 100, 80, 250, 10⁶ for the player's alignments and −1300,
// −2000, −5020, −10⁶ for the opponent's, and does not say which weight is for which
// alignment. This player takes them as k−2 open at both ends, k−1 open at one end, k−1 open
// at both, and k.
type monkey struct {
	f       *field
	numbers [2][]uint64 // random numbers of the first and the second player's stones
	hash    [8]uint64   // hash of the position's image under each symmetry
	me      int
	table   *monkeyTable
	stop    func() bool
	nodes   uint64
	over    bool
	// With scouting, value searches all moves but the first with null windows, and the better ones
	// again with the whole window.
	scouting bool
	bufs     [128][]int32
	future   []int32 // the cell after the end of each window, −1 if none
	past     []int32 // the cell before the beginning of each window, −1 if none
}

// monkeyTable holds bounds on the value of a position for the side to move, each searched to one
// depth for one player. Entries of deeper searches stay longer (TwoBig1). A key is the position's
// hash, the depth and the player.
type monkeyTable struct {
	t    *table.Table
	held int64
}

// monkeyBound is the number of bits of a bound in a payload.
const monkeyBound = 28

// newMonkeyTable returns a table within a budget of bytes, at least [table.MinBytes].
func newMonkeyTable(memory int64) (*monkeyTable, error) {
	t, err := table.New(max(memory, table.MinBytes), table.Config{Keys: 2, Payloads: 1, Recent: true, Merge: func(_, new table.Payload) table.Payload { return new }})
	return &monkeyTable{t: t}, err
}

func monkeyKey(hash uint64, depth, me int) [2]uint64 { return [2]uint64{hash, uint64(depth<<1 | me)} }

// load returns the bounds of a position at exactly this depth.
func (t *monkeyTable) load(hash uint64, depth, me int) (lower, upper int32, ok bool) {
	key := monkeyKey(hash, depth, me)
	p, ok := t.t.Probe(key[:], t.t.Hash(key[:]), 0)
	return int32(p.A>>monkeyBound) - monkeyInf, int32(p.A&(1<<monkeyBound-1)) - monkeyInf, ok
}

// store keeps bounds between −monkeyInf and monkeyInf; the upper one is above −monkeyInf.
func (t *monkeyTable) store(hash uint64, depth, me int, lower, upper int32) {
	key := monkeyKey(hash, depth, me)
	p := table.Payload{A: uint64(lower+monkeyInf)<<monkeyBound | uint64(upper+monkeyInf)}
	if t.t.Store(key[:], t.t.Hash(key[:]), p, min(depth, table.MaxEffort)) != table.Filled {
		return
	}
	if t.held++; t.held > t.t.Slots()/2 {
		t.t.Grow()
	}
}

var (
	monkeyOwn   = [4]int32{100, 80, 250, 1_000_000}
	monkeyOther = [4]int32{-1300, -2000, -5020, -1_000_000}
)

const monkeyInf = int32(1)<<(monkeyBound-1) - 1

func newMonkey(g *mnk.Game, memory int64) (*monkey, error) {
	t, err := newMonkeyTable(memory)
	if err != nil {
		return nil, fmt.Errorf("player: %w", err)
	}
	m := &monkey{f: newField(g, 1), table: t}
	x := uint64(0x9e3779b97f4a7c15) // fixed, so that hashes are equal in every run
	for p := range m.numbers {
		m.numbers[p] = make([]uint64, g.Cells())
		for c := range m.numbers[p] {
			m.numbers[p][c] = splitmix(&x)
		}
	}
	cell := func(r, c int) int32 {
		if r < 0 || r >= g.Rows() || c < 0 || c >= g.Cols() {
			return -1
		}
		return int32(r*g.Cols() + c)
	}
	for d, first := range g.Windows() { // numbered as in the field
		r, c, dir := first/g.Cols(), first%g.Cols(), mnk.Directions()[d]
		m.past = append(m.past, cell(r-dir[0], c-dir[1]))
		m.future = append(m.future, cell(r+g.K()*dir[0], c+g.K()*dir[1]))
	}
	return m, nil
}

// Close gives the table back.
func (m *monkey) Close() error { return m.table.t.Close() }

// evaluate sums the weights of alignments, seen by the player.
func (m *monkey) evaluate() int32 {
	f := m.f
	var sum int32
	for p := range 2 {
		w := &monkeyOther
		if p == m.me {
			w = &monkeyOwn
		}
		if f.open[p][f.k] > 0 {
			return w[3]
		}
		if f.k < 3 || f.open[p][f.k-1] == 0 && f.open[p][f.k-2] == 0 {
			continue
		}
		for i := range f.win {
			n := int(f.win[i].n[p])
			if n < f.k-2 || f.win[i].n[1-p] != 0 {
				continue
			}
			free := 0
			for _, c := range [2]int32{m.past[i], m.future[i]} {
				if c >= 0 && f.cell[c] == 0 {
					free++
				}
			}
			switch {
			case n == f.k-2 && free == 2:
				sum += w[0]
			case n == f.k-1 && free == 2:
				sum += w[2]
			case n == f.k-1 && free == 1:
				sum += w[1]
			}
		}
	}
	return sum
}

// relevant lists the empty cells next to stones in spiral order.
func (m *monkey) relevant(ply int) []int32 {
	buf := m.bufs[ply][:0]
	for _, c := range m.f.order {
		if m.f.cell[c] == 0 && (m.f.near[c] > 0 || m.f.n == 0) {
			buf = append(buf, c)
			if m.f.n == 0 {
				break
			}
		}
	}
	m.bufs[ply] = buf
	return buf
}

// value is a null- or full-window alpha-beta, seen by the side to move.
func (m *monkey) value(p, depth, ply int, alpha, beta int32) int32 {
	m.nodes++
	m.over = m.over || m.stop()
	if m.over {
		return 0
	}
	sign, scout := int32(1), m.scouting && beta-alpha > 1
	if p != m.me {
		sign = -1
	}
	f := m.f
	if depth == 0 || f.won(0) || f.won(1) {
		return sign * m.evaluate()
	}
	if f.n == f.cells {
		return 0
	}
	hash := slices.Min(m.hash[:len(m.f.g.Symmetries())])
	if lower, upper, ok := m.table.load(hash, depth, m.me); ok {
		switch {
		case lower >= beta:
			return lower
		case upper <= alpha, lower == upper:
			return upper
		}
		alpha, beta = max(alpha, lower), min(beta, upper)
	}
	best := -monkeyInf
	low := alpha
	for i, c := range m.relevant(ply) {
		m.make(c, p)
		v := -monkeyInf
		if scout && i > 0 {
			v = -m.value(1-p, depth-1, ply+1, -low-1, -low)
		}
		if !scout || i == 0 || v > low && v < beta {
			v = -m.value(1-p, depth-1, ply+1, -beta, -low)
		}
		m.undo()
		if m.over {
			return 0
		}
		best = max(best, v)
		if low = max(low, v); low >= beta {
			break
		}
	}
	lower, upper := -monkeyInf, monkeyInf
	if best > alpha {
		lower = best
	}
	if best < beta {
		upper = best
	}
	m.table.store(hash, depth, m.me, lower, upper)
	return best
}

func (m *monkey) make(c int32, p int) {
	m.f.put(c, p)
	m.toggle(c, p)
}

func (m *monkey) undo() {
	c := m.f.stack[len(m.f.stack)-1]
	m.toggle(c, int(m.f.cell[c]-1))
	m.f.take()
}

// toggle updates the hashes. They are equal for positions that are mirrors or rotations of each
// other, but for their order, and almost surely differ for others.
func (m *monkey) toggle(c int32, p int) {
	for i, image := range m.f.g.Symmetries() {
		m.hash[i] ^= m.numbers[p][image[c]]
	}
}

// follow sets the player to a position.
func (m *monkey) follow(s *mnk.Plain) {
	m.f.follow(s)
	m.me, m.hash = s.Seat(), [8]uint64{}
	for _, c := range m.f.stack {
		m.toggle(c, int(m.f.cell[c]-1))
	}
}

// choose searches one ply, then two, and so on; above 100 cells only one ply. The result of an
// interrupted depth is dropped.
func (m *monkey) choose(t *turn, s *mnk.Plain) {
	m.follow(s)
	m.nodes, m.over, m.stop = 0, false, t.over
	moves := m.relevant(0)
	t.propose(int(moves[0]), "depth 0")
	deepest := min(m.f.cells-m.f.n, len(m.bufs)-1)
	if m.f.cells > 100 {
		deepest = 1
	}
	for d := 1; d <= deepest; d++ {
		c, v, ok := m.bns(moves, d)
		if !ok {
			return
		}
		t.propose(int(c), "depth %d, %d nodes", d, m.nodes)
		if v >= monkeyOwn[3] || v <= monkeyOther[3] {
			return
		}
	}
}

// bns is best node search (Rutko, "Fuzzified tree search in real domain games",
// 2011): null-window tests at a guess count the moves that are better, until
// one is left.
func (m *monkey) bns(moves []int32, depth int) (cell int32, value int32, ok bool) {
	// The bounds are the known extremes of the evaluation, as in the report.
	alpha, beta := monkeyOther[3]-1, monkeyOwn[3]+1
	better := len(moves)
	cell = moves[0]
	for {
		// The guess divides the range in the ratio of the moves still better.
		span := int64(beta) - int64(alpha)
		guess := alpha + int32(span*int64(max(better-1, 1))/int64(max(better, 2)))
		guess = min(max(guess, alpha+1), beta)
		if alpha < 0 && beta > 0 && beta-alpha > 1_000_000 {
			guess = min(max(0, alpha+1), beta) // while either side may win, guess that neither does
		}
		n := 0
		node := int32(-1)
		for _, c := range moves {
			m.make(c, m.me)
			v := -m.value(1-m.me, depth-1, 1, -guess, -(guess - 1))
			m.undo()
			if m.over {
				return cell, 0, false
			}
			if v >= guess {
				if node < 0 {
					node = c
				}
				n++
			}
		}
		if n > 0 {
			alpha, better, cell = guess, n, node
		} else {
			beta = guess
		}
		if n == 1 || beta-alpha < 2 {
			return cell, alpha, true
		}
	}
}
