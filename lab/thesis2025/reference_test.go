package thesis2025

import (
	"math"
	"slices"

	"perfectplay/game/halma"
)

// reference is the published program's search in its plainest form: a byte per hole, a list of
// pieces per seat, a Go map for the visited set, one call per node.
type reference struct {
	*halma.Board
	Config
	Counts
	seats   []int
	cell    []byte   // seat on a hole, 0 if empty
	pieces  [7][]int // holes of a seat's pieces; the index in a list identifies a piece
	visited map[string]int
}

// refMove moves a seat's piece with the given number.
type refMove struct{ piece, from, to int }

func newReference(c Config) *reference {
	board, seats, err := c.board()
	if err != nil {
		panic(err)
	}
	s := &reference{Board: board, Config: c, seats: seats, visited: map[string]int{}}
	s.cell = make([]byte, s.Cells())
	for _, seat := range s.seats {
		for h := range s.Camp(seat).Cells() {
			s.cell[h] = byte(seat)
			s.pieces[seat] = append(s.pieces[seat], h)
		}
	}
	return s
}

// passes tests the rules for every single hop, rests the rules for the first and last hole of a
// whole turn.
func (s *reference) passes(seat, from, to int) bool {
	r, goal := s.Rules, opposite[seat]
	switch {
	case r.StayInGoal && !r.GoalTransit && s.Tip(from) == goal && s.Tip(to) != goal:
		return false
	case r.StayOut && !r.HomeTransit && s.Tip(from) != seat && s.Tip(to) == seat:
		return false
	}
	return r.ClosedTransit || !s.closed(seat, to)
}

func (s *reference) rests(seat, from, to int) bool {
	r, goal := s.Rules, opposite[seat]
	switch {
	case r.StayInGoal && s.Tip(from) == goal && s.Tip(to) != goal:
		return false
	case r.StayOut && s.Tip(from) != seat && s.Tip(to) == seat:
		return false
	}
	return !s.closed(seat, to)
}

// closed reports whether a hole is in a tip where a seat's piece may not rest.
func (s *reference) closed(seat, h int) bool {
	tip := s.Tip(h)
	return s.Rules.TipsClosed && tip != 0 && tip != seat && tip != opposite[seat] &&
		!(s.Rules.AbsentTipsOpen && !slices.Contains(s.seats, tip))
}

// hoppable is the program's test for a piece to hop over. By its own rules pieces of seats
// 3 to 6 fail it, a defect in all its figures for three and more players.
func (s *reference) hoppable(h int) bool {
	if !s.own() {
		return s.cell[h] != 0
	}
	return s.cell[h] == 1 || s.cell[h] == 2
}

// destinations lists the destinations of a piece from a hole by a seat's rules: for each direction
// the step, or all holes that hops starting there reach, depth first, each once. The piece stays on
// the board. This changes nothing, because its own hole is never beside a hole that it reaches by
// hops.
func (s *reference) destinations(seat, from int) []int {
	var list []int
	start := from
	marked := map[int]bool{from: true}
	var hop func(from, over int, d halma.Dir)
	hop = func(from, over int, d halma.Dir) {
		to := s.Next(over, d)
		if to == off || s.cell[to] != 0 || marked[to] || !s.passes(seat, from, to) {
			return
		}
		marked[to] = true
		if s.rests(seat, start, to) {
			list = append(list, to)
		}
		for d := range halma.Dir(directions) {
			if over := s.Next(to, d); over != off && s.hoppable(over) {
				hop(to, over, d)
			}
		}
	}
	for d := range halma.Dir(directions) {
		n := s.Next(from, d)
		switch {
		case n == off:
		case s.cell[n] != 0:
			if s.hoppable(n) {
				hop(from, n, d)
			}
		case s.rests(seat, from, n):
			list = append(list, n)
		}
	}
	return list
}

func (s *reference) play(seat int, m refMove) {
	s.cell[m.from], s.cell[m.to] = 0, byte(seat)
	s.pieces[seat][m.piece] = m.to
}

func (s *reference) undo(seat int, m refMove) {
	s.cell[m.from], s.cell[m.to] = byte(seat), 0
	s.pieces[seat][m.piece] = m.from
}

// winner is the first seat, in the program's order, that has won, or 0.
func (s *reference) winner() int {
	for _, seat := range winOrder {
		own, full := 0, true
		for h := range s.Camp(opposite[seat]).Cells() {
			if int(s.cell[h]) == seat {
				own++
			}
			full = full && s.cell[h] != 0
		}
		if own > 0 && (own == s.Config.Pieces || s.Rules.Filled && full) {
			return seat
		}
	}
	return 0
}

// moves lists the moves of the owner's pieces in the order of the search, by the rules of a seat:
// the owner, or by a defect of the program another (see turn).
func (s *reference) moves(owner, rules int) []refMove {
	list := s.generate(owner, rules)
	if s.Ordering {
		list = s.order(owner, list)
	}
	return list
}

// generate lists the moves by piece and destination, before they are ordered.
func (s *reference) generate(owner, rules int) []refMove {
	var list []refMove
	for i, from := range s.pieces[owner] {
		for _, to := range s.destinations(rules, from) {
			list = append(list, refMove{i, from, to})
		}
	}
	return list
}

// order drops the moves to visited boards, even if they win, and sorts the others by falling score;
// moves of equal score keep their order.
func (s *reference) order(seat int, list []refMove) []refMove {
	type scored struct {
		refMove
		score int
	}
	var kept []scored
	for _, m := range list {
		s.play(seat, m)
		if _, seen := s.visited[string(s.cell)]; !seen {
			kept = append(kept, scored{m, s.score(seat)})
		}
		s.undo(seat, m)
	}
	slices.SortStableFunc(kept, func(a, b scored) int { return b.score - a.score })
	list = list[:0]
	for _, k := range kept {
		list = append(list, k.refMove)
	}
	return list
}

// off is a neighbour beyond the edge of the board.
const off = -1

// Scores of moves after which the mover, or another seat, has won.
const (
	winScore  = 1 << 30
	lossScore = -winScore
)

// score is the value of a board for the seat that has just moved: 1000 for each piece, less its
// distance to the outermost hole of the goal, rounded down.
func (s *reference) score(seat int) int {
	switch s.winner() {
	case 0:
	case seat:
		return winScore
	default:
		return lossScore
	}
	sum, apex := 0, s.Apex(opposite[seat])
	for _, h := range s.pieces[seat] {
		sum += 1000 - distance(s.Board, h, apex)
	}
	return sum
}

func (s *reference) after(seat int) int {
	i := slices.Index(s.seats, seat)
	return s.seats[(i+1)%len(s.seats)]
}

// enter counts a node. done reports that no search is needed. Then winner is the winner, 0 at the
// limit, or open for a visited board that was not won. The set of visited boards ignores the seat
// to move and the limit.
func (s *reference) enter(limit int) (winner int, done bool) {
	s.Nodes++
	if s.Tables {
		if w, seen := s.visited[string(s.cell)]; seen {
			s.Hits++
			if w == 0 {
				w = open
			}
			return w, true
		}
		s.visited[string(s.cell)] = 0
		s.Stored++
	}
	if limit == 0 {
		return 0, true
	}
	if w := s.winner(); w != 0 {
		s.Terminals++
		if s.Tables {
			s.visited[string(s.cell)] = w
		}
		return w, true
	}
	return 0, false
}

// turn finds the moves of a node, and passes while there are none. Every pass costs a turn of the
// limit; at limit 0 the node is a draw. Without a limit it is a draw when the same pieces have no
// move by the same rules again; there the program would pass for ever.
//
// With two players the program lists, at every pass, the moves of the pieces of the seat that was
// not to move at first. The seat to move alternates, and so do the rules. So after a second pass a
// seat plays the other's pieces by its own rules.
func (s *reference) turn(seat, limit int) (list []refMove, owner, turn, left int) {
	owner, turn, left = seat, seat, limit
	list = s.moves(owner, turn)
	asked := map[[2]int]bool{}
	for len(list) == 0 && left > 0 {
		if asked[[2]int{owner, turn}] && s.Limit == 0 {
			return nil, owner, turn, 0
		}
		asked[[2]int{owner, turn}] = true
		turn = s.after(turn)
		owner = turn
		if s.Players == 2 {
			owner = s.after(seat)
		}
		left--
		list = s.moves(owner, turn)
	}
	return list, owner, turn, left
}

// bounded is minimax and paranoid: fail-soft alpha-beta between seat 1, which maximises, and all
// others. It returns open or a score.
//
// In minimax a win of seat 1 is 1, a win of seat 2 is −1. In paranoid the win of a seat is ten
// times its number, and a node returns the absolute value of its score. A maximising parent counts
// any win as negative, even its own; a minimising one all but seat 1's. Among the others' wins the
// higher seat number is better for the minimising side.
func (s *reference) bounded(seat, limit, alpha, beta int) int {
	if w, done := s.enter(limit); done {
		switch {
		case w == open:
			return open
		case s.Algorithm == Paranoid:
			return 10 * w
		}
		return [3]int{0, 1, -1}[w]
	}
	maximise := seat == 1
	list, owner, turn, limit := s.turn(seat, limit)
	if limit == 0 {
		return 0
	}
	best := open
	for _, m := range list {
		s.play(owner, m)
		v := s.bounded(s.after(turn), limit-1, alpha, beta)
		s.undo(owner, m)
		if v == open {
			continue
		}
		if s.Algorithm == Paranoid && (v > 10 || v == 10 && maximise) {
			v = -v
		}
		if maximise {
			if best == open || v > best {
				best = v
			}
			alpha = max(alpha, best)
		} else {
			if best == open || v < best {
				best = v
			}
			beta = min(beta, best)
		}
		if beta <= alpha {
			s.Cutoffs++
			break
		}
	}
	if s.Algorithm == Paranoid && best != open {
		return max(best, -best)
	}
	return best
}

// maxn returns the winner of max^n with immediate pruning, 0 for a draw. The program skips drawn
// children and takes the first of the others, unless a later one wins for the mover. So it prefers
// a loss to a draw.
func (s *reference) maxn(seat, limit int) int {
	if w, done := s.enter(limit); done {
		return w
	}
	list, seat, _, limit := s.turn(seat, limit) // with more than two players the seat moves its own pieces
	if limit == 0 {
		return 0
	}
	best := 0
	for _, m := range list {
		s.play(seat, m)
		w := s.maxn(s.after(seat), limit-1)
		s.undo(seat, m)
		if w > 0 && best == 0 || w == seat {
			best = w
		}
		if best == seat {
			s.Cutoffs++
			break
		}
	}
	return best
}

// openings lists the opening moves, in the order of generation under every model.
func (s *reference) openings() []refMove { return s.generate(1, 1) }

// run searches after an opening move from the start position, with an empty
// visited set, and returns the winner.
func (s *reference) run(m refMove) int {
	clear(s.visited)
	s.Counts = Counts{}
	s.play(1, m)
	defer s.undo(1, m)
	if s.Algorithm == MaxN {
		return s.maxn(s.after(1), s.turns())
	}
	return winnerOf(s.Algorithm, s.bounded(s.after(1), s.turns(), math.MinInt32, math.MaxInt32))
}
