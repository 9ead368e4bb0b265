package equilibrium

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"perfectplay/game/domino"
)

// program is a linear program in sequence form (Koller, Megiddo and von Stengel 1996) whose
// solution is an equilibrium. A sequence is a list of one seat's moves; a strategy gives it the
// product of their probabilities. The program maximizes the starter's guaranteed result:
//
//	v(J) − Σ v(J') over J' after σ − Σ x(τ)·A(τ,σ)  ≤  A(∅,σ)   for each sequence σ of the second seat, last of J
//	Σ x(σ) over σ of I − x(τ)                       ≤  0, or 1  for each set I of the starter, after τ
//
// A holds the scores of the deals at the ends of sequences, plus the pips of the set: positive
// scores allow inequalities and v ≥ 0. The program starts at x = v = 0. Its dual is the program of
// the second seat.
type program struct {
	rules Rules
	sets  [2][]programSet
	size  [2]int          // sequences, the empty one first
	pay   []map[int]int64 // rows of A, by sequence of the second seat
	shift int64
}

// programSet is an information set with a choice of moves.
type programSet struct {
	key          string
	after        int // number of the sequence that leads to the set
	first, moves int // number of the set's first sequence; count of its moves
}

// MaxExact is the largest size of a tableau, in numbers.
const MaxExact = 4_000_000

func newProgram(g Game, root Root) *program {
	p := &program{rules: g.Rules, size: [2]int{1, 1}, pay: []map[int]int64{{}}, shift: int64(g.All().Pips())}
	var start [2]map[domino.Set]int
	for seat := range start {
		start[seat] = map[domino.Set]int{}
		for h := range root.State.Allowed[seat].Subsets(int(root.State.Size[seat])) {
			start[seat][h] = 0
		}
	}
	p.walk(root.State, "", start)
	return p
}

// walk adds the tree below a state. at holds, by seat and hand, the sequence that leads to the
// state.
func (p *program) walk(s State, past string, at [2]map[domino.Set]int) {
	me := s.Mover & 1
	if s.Size[0] == 0 || s.Size[1] == 0 {
		p.end(at)
		return
	}
	fits := s.fits()
	stuck := at
	stuck[me] = map[domino.Set]int{}
	type step struct {
		state State
		past  string
		at    [2]map[domino.Set]int
	}
	next := map[domino.Move]*step{}
	var order []domino.Move // the keys of next, in a fixed order
	for _, h := range slices.Sorted(maps.Keys(at[me])) {
		sequence := at[me][h]
		if h&fits == 0 {
			stuck[me][h] = sequence
			continue
		}
		moves := legal(domino.Position{Hands: [2]domino.Set{h, h}, Left: s.Left, Right: s.Right})
		if s.Size[me] == 1 {
			moves = moves[:1] // the last tile ends the deal at either end
		}
		first := p.size[me]
		if len(moves) > 1 {
			p.sets[me] = append(p.sets[me], programSet{PlanKey(h, past), sequence, first, len(moves)})
			p.size[me] += len(moves)
			if me == domino.Second {
				for range moves {
					p.pay = append(p.pay, map[int]int64{})
				}
			}
		}
		for i, m := range moves {
			n := next[m]
			if n == nil {
				n = &step{state: s.Play(m), past: past + " " + s.MoveText(m)}
				n.at[me], n.at[me^1] = map[domino.Set]int{}, map[domino.Set]int{}
				for g, q := range at[me^1] {
					if !g.Has(m.Tile()) {
						n.at[me^1][g] = q
					}
				}
				next[m], order = n, append(order, m)
			}
			if n.at[me][h.Without(m.Tile())] = sequence; len(moves) > 1 {
				n.at[me][h.Without(m.Tile())] = first + i
			}
		}
	}
	for _, m := range order {
		p.walk(next[m].state, next[m].past, next[m].at)
	}
	switch {
	case len(stuck[me]) == 0:
	case s.Passed:
		p.end(stuck)
	default:
		p.walk(s.Play(domino.Passed), past+" pass", stuck)
	}
}

func (p *program) end(at [2]map[domino.Set]int) {
	for a, x := range at[0] {
		for b, y := range at[1] {
			if a&b == 0 {
				p.pay[y][x] += int64(p.rules.score(a.Pips(), b.Pips())) + p.shift
			}
		}
	}
}

// rows returns the rows of the program: sequences of the second seat, then sets of the starter.
// Columns are v of the empty sequence and of the second seat's sets, then x without the empty
// sequence.
func (p *program) rows() (rows []map[int]int64, bounds []int64, columns int) {
	v := 1 + len(p.sets[1])
	for _, pay := range p.pay {
		row := map[int]int64{}
		for x, a := range pay {
			if x > 0 {
				row[v+x-1] = -a
			}
		}
		rows, bounds = append(rows, row), append(bounds, pay[0])
	}
	rows[0][0] = 1
	for i, set := range p.sets[1] {
		rows[set.after][1+i] = -1
		for m := range set.moves {
			rows[set.first+m][1+i] = 1
		}
	}
	for _, set := range p.sets[0] {
		row, bound := map[int]int64{}, int64(1)
		if set.after > 0 {
			row[v+set.after-1], bound = -1, 0
		}
		for m := range set.moves {
			row[v+set.first+m-1] = 1
		}
		rows, bounds = append(rows, row), append(bounds, bound)
	}
	return rows, bounds, v + p.size[0] - 1
}

// ErrLarge refuses games too large for an exact solution.
var ErrLarge = errors.New("too large")

var errSimplex = errors.New("equilibrium: the simplex method did not find the exact solution")

// simplex maximizes the first column's variable subject to rows ≤ bounds, in float64. It adds a
// little to the bounds to break ties, and returns the basic columns and the tight rows.
func simplex(rows []map[int]int64, bounds []int64, columns int) (basic, tight []int, err error) {
	r := rand.New(rand.NewPCG(1, 1))
	width := columns + 1
	tableau := make([][]float64, len(rows)+1) // the last one is the objective
	base := make([]int, len(rows))            // basic variable of a row; columns+i is the slack of row i
	free := make([]int, columns)              // variable of a column
	for i := range tableau {
		tableau[i] = make([]float64, width)
		if i < len(rows) {
			for c, a := range rows[i] {
				tableau[i][c] = float64(a)
			}
			tableau[i][columns], base[i] = float64(bounds[i])+1e-5*(1+r.Float64()), columns+i
		}
	}
	for c := range free {
		free[c] = c
	}
	cost := tableau[len(rows)]
	cost[0] = -1
	for range 100 * (len(rows) + columns) {
		enter := 0
		for c, v := range cost[:columns] {
			if v < cost[enter] {
				enter = c
			}
		}
		if cost[enter] > -1e-9 {
			for _, b := range base {
				if b < columns {
					basic = append(basic, b)
				}
			}
			for _, b := range free {
				if b >= columns {
					tight = append(tight, b-columns)
				}
			}
			return basic, tight, nil
		}
		leave, least := -1, 0.0
		for i, row := range tableau[:len(rows)] {
			if row[enter] > 1e-9 {
				if ratio := row[columns] / row[enter]; leave < 0 || ratio < least {
					leave, least = i, ratio
				}
			}
		}
		if leave < 0 {
			break
		}
		pivot(tableau, leave, enter)
		base[leave], free[enter] = free[enter], base[leave]
	}
	return nil, nil, errSimplex
}

// pivot makes a column's variable basic in a row.
func pivot(tableau [][]float64, r, c int) {
	row := tableau[r]
	scale := 1 / row[c]
	var at []int
	for j, v := range row {
		if v != 0 {
			row[j] = v * scale
			at = append(at, j)
		}
	}
	row[c] = scale
	for i, other := range tableau {
		f := other[c]
		if i == r || f == 0 {
			continue
		}
		for _, j := range at {
			other[j] -= f * row[j]
		}
		other[c] = -f * scale
	}
}

// solveExactly solves n linear equations with n unknowns by elimination, the shortest row first. It
// destroys its arguments.
func solveExactly(rows []map[int]*big.Rat, right []*big.Rat) (solution []*big.Rat, err error) {
	n := len(rows)
	var order, at []int
	done := make([]bool, n)
	for range n {
		r := -1
		for i := range rows {
			if !done[i] && (r < 0 || len(rows[i]) < len(rows[r])) {
				r = i
			}
		}
		if len(rows[r]) == 0 {
			return nil, errSimplex
		}
		c, least := -1, n+1 // column found in the fewest rows, and their number
		for j := range rows[r] {
			count := 0
			for i := range rows {
				if _, ok := rows[i][j]; ok && !done[i] {
					count++
				}
			}
			if count < least || count == least && j < c {
				c, least = j, count
			}
		}
		done[r] = true
		order, at = append(order, r), append(at, c)
		inverse := new(big.Rat).Inv(rows[r][c])
		for i, row := range rows {
			a, ok := row[c]
			if done[i] || !ok {
				continue
			}
			f := new(big.Rat).Mul(a, inverse)
			for j, v := range rows[r] {
				t := new(big.Rat).Mul(f, v)
				if old, ok := row[j]; ok {
					t.Sub(old, t)
				} else {
					t.Neg(t)
				}
				if row[j] = t; t.Sign() == 0 {
					delete(row, j)
				}
			}
			right[i].Sub(right[i], f.Mul(f, right[r]))
		}
	}
	solution = make([]*big.Rat, n)
	for k := n - 1; k >= 0; k-- {
		row, sum := rows[order[k]], new(big.Rat).Set(right[order[k]])
		for j, v := range row {
			if j != at[k] {
				sum.Sub(sum, new(big.Rat).Mul(v, solution[j]))
			}
		}
		solution[at[k]] = sum.Quo(sum, row[at[k]])
	}
	return solution, nil
}

// Solve returns the exact value of a root for the starter, in pips a deal, and an equilibrium. It
// checks that both strategies reach the value against their best answers.
func (g Game) Solve(root Root) (value *big.Rat, plan Plan, err error) {
	const most = 2000 // most deals; more make the program too large
	if root.Deals > most {
		return nil, nil, fmt.Errorf("equilibrium: %v %s: %w: %d deals: exact solutions have at most %d", g, root.Name, ErrLarge, root.Deals, most)
	}
	p := newProgram(g, root)
	rows, bounds, columns := p.rows()
	if n := len(rows) * columns; n > MaxExact {
		return nil, nil, fmt.Errorf("equilibrium: %v %s: %w: a tableau of %d numbers: exact solutions have at most %d", g, root.Name, ErrLarge, n, MaxExact)
	}
	basic, tight, err := simplex(rows, bounds, columns)
	if err != nil {
		return nil, nil, err
	}
	// The basis gives equations for x and v, and their transpose gives equations for the duals.
	primal, dual := make([]map[int]*big.Rat, len(tight)), make([]map[int]*big.Rat, len(basic))
	right, cost := make([]*big.Rat, len(tight)), make([]*big.Rat, len(basic))
	for j, c := range basic {
		dual[j], cost[j] = map[int]*big.Rat{}, new(big.Rat)
		if c == 0 {
			cost[j].SetInt64(1)
		}
	}
	for i, r := range tight {
		primal[i], right[i] = map[int]*big.Rat{}, big.NewRat(bounds[r], 1)
		for j, c := range basic {
			if a := rows[r][c]; a != 0 {
				primal[i][j], dual[j][i] = big.NewRat(a, 1), big.NewRat(a, 1)
			}
		}
	}
	x, err := solveExactly(primal, right)
	if err != nil {
		return nil, nil, err
	}
	y, err := solveExactly(dual, cost)
	if err != nil {
		return nil, nil, err
	}
	// made[seat] holds the probability of each sequence under the seat's strategy.
	var made [2][]*big.Rat
	for seat, n := range p.size {
		made[seat] = slices.Repeat([]*big.Rat{new(big.Rat)}, n)
	}
	for j, c := range basic {
		if c > len(p.sets[1]) {
			made[0][c-len(p.sets[1])] = x[j]
		}
	}
	for i, r := range tight {
		if r < p.size[1] {
			made[1][r] = y[i]
		}
	}
	plan = Plan{}
	for seat, sets := range p.sets {
		for _, set := range sets {
			sum := new(big.Rat)
			for _, m := range made[seat][set.first : set.first+set.moves] {
				sum.Add(sum, m)
			}
			if sum.Sign() == 0 {
				continue
			}
			for _, m := range made[seat][set.first : set.first+set.moves] {
				plan[set.key] = append(plan[set.key], new(big.Rat).Quo(m, sum))
			}
		}
	}
	low, high, err := g.Rules.exact(root, plan)
	if err != nil {
		return nil, nil, err
	}
	if low.Cmp(high) != 0 {
		return nil, nil, fmt.Errorf("%w: %v is between %v and %v", errSimplex, root.Name, low, high)
	}
	return low, plan, nil
}
