package thesis2025

import (
	"math"
	"runtime/debug"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// walk searches by any rules, with and without tables and ordering. It counts nodes at limit 0 that
// no table needs, and visits all others; by the rules base without devices see [walk.count]. The line
// being searched is a [path], not the stack: without a limit a line can pass through most boards.
type walk struct {
	*grid
	*watch
	*keys
	position
	Counts
	path
	visited *boards // nil without tables
	counting
	set   [7]bitboard.Set128 // holes of a seat's pieces
	key   [maxKeyWords]uint64
	gain  [7][places]int16 // score of a seat's piece on a place
	found []move           // moves of the node being entered
	list  [maxDestinations]place
	lift  rank.Lift
}

type move struct {
	score int16
	to    uint8 // target hole of the move
	piece uint8
}

// Scores of moves after which the mover, or another seat, has won.
const (
	winning = math.MaxInt16
	losing  = math.MinInt16
)

// newWalk returns a search that merges equal subtrees where that pays.
func newWalk(g *grid, w *watch) (*walk, error) {
	e := &walk{grid: g, watch: w, keys: newKeys(g), position: g.start}
	e.path.bytes = g.memory()
	if g.Tables {
		e.path.bytes = g.pathShare()
		var err error
		if e.visited, err = newBoards(e.width, g.ExpectBoards, g.memory()-e.path.bytes); err != nil {
			return nil, err
		}
	}
	if g.merges() {
		if err := e.mergeSubtrees(); err != nil {
			return nil, err
		}
	}
	for _, seat := range g.seats {
		e.occupy(seat, g.board.Camp(seat))
		for h, at := range g.at {
			e.gain[seat][at] = int16(1000 - distance(g.board, h, g.board.Apex(opposite[seat])))
		}
	}
	return e, nil
}

// free releases the memory before the next run takes its own.
func (e *walk) free() error {
	large := cap(e.frames) > 1<<16 || e.merge != nil
	if e.path, e.merge = (path{}), nil; large {
		debug.FreeOSMemory()
	}
	if e.visited == nil {
		return nil
	}
	return e.visited.free()
}

func (e *walk) occupy(seat int, x bitboard.Set128) {
	e.set[seat] = x
	e.rekey(seat, e.sets.Rank(x))
}

func (e *walk) rekey(seat int, rank uint64) {
	k, shift := &e.key[e.word[seat]], e.shift[seat]
	*k = *k&^(e.mask<<shift) | rank<<shift
}

func (e *walk) moved(seat int, from, to place) bitboard.Set128 {
	return e.set[seat].Without(int(e.hole[from&placeMask])).With(int(e.hole[to&placeMask]))
}

// frontier counts the nodes below a node at limit 1. This node and all its children are worth 0: if
// 0 closes the window, only the first child is searched, and it cuts; otherwise all are.
//
// With ordering and tables, moves to visited boards are dropped and no two moves lead to the same
// board. So the first child is the best move to a new board.
func (e *walk) frontier(seat int, closes bool) {
	e.found = e.found[:0]
	for piece := range e.Pieces {
		from := e.piece[seat][piece]
		for _, to := range e.position.generate(e.grid, seat, seat, piece, e.list[:0]) {
			m := move{to: e.hole[to&placeMask], piece: uint8(piece)}
			if e.Tables {
				m.score = e.rate(seat, piece, from, to)
			}
			e.found = append(e.found, m)
		}
	}
	list := e.found
	if !e.Tables {
		n := len(list)
		if closes && n > 0 {
			n = 1
			e.Cutoffs++
		}
		e.Nodes += uint64(n)
		return
	}
	old := e.key[e.word[seat]]
	for i := range list {
		if closes {
			bestFirst(list[i:])
		}
		m := list[i]
		e.rekey(seat, e.sets.Rank(e.moved(seat, e.piece[seat][m.piece], e.at[m.to])))
		if _, _, seen := e.visit(); seen {
			continue
		}
		e.Nodes++
		e.Stored++
		if closes {
			e.Cutoffs++
			break
		}
	}
	e.key[e.word[seat]] = old
}

func (e *walk) visit() (slot uint64, winner int, seen bool) {
	slot, winner, seen, err := e.visited.enter(e.key[:e.width])
	if err != nil {
		panic(stopped{err})
	}
	return slot, winner, seen
}

// generate fills e.found with the moves of a seat's pieces in the program's order. With ordering
// they have scores; with ordering and tables, moves to visited boards are dropped. rules is as in
// [position.generate].
func (e *walk) generate(seat, rules int) {
	e.found = e.found[:0]
	old := e.key[e.word[seat]]
	for piece := range e.Pieces {
		from := e.piece[seat][piece]
		list := e.position.generate(e.grid, seat, rules, piece, e.list[:0])
		if e.Ordering && e.Tables && len(list) > 0 {
			e.sets.Lift(&e.lift, e.set[seat].Without(int(e.hole[from])))
		}
		for _, to := range list {
			m := move{to: e.hole[to&placeMask], piece: uint8(piece)}
			if e.Ordering {
				if e.Tables {
					e.rekey(seat, e.lift.Rank(int(m.to)))
					if _, seen := e.visited.find(e.key[:e.width]); seen {
						continue
					}
				}
				if rules == seat {
					m.score = e.rate(seat, piece, from, to)
				} else {
					m.score = e.rateByPlaying(seat, piece, from, to)
				}
			}
			e.found = append(e.found, m)
		}
	}
	e.key[e.word[seat]] = old
}

// rate returns a score that orders moves as the program does: among moves that do not win, only the
// way of the moved piece counts.
func (e *walk) rate(seat, piece int, from, to place) int16 {
	if !e.moverWins {
		return e.rateByPlaying(seat, piece, from, to)
	}
	goal := uint8(opposite[seat])
	if e.tipAt[to&placeMask] == goal && e.tipAt[from&placeMask] != goal {
		if int(e.home[seat])+1 == e.Pieces || e.filled && int(e.full[goal])+1 == e.Pieces {
			return winning
		}
	}
	return e.gain[seat][to&placeMask] - e.gain[seat][from&placeMask]
}

// rateByPlaying is rate for a move after which any seat may have won.
func (e *walk) rateByPlaying(seat, piece int, from, to place) int16 {
	e.move(e.grid, seat, piece, to)
	winner := e.winner(seat)
	e.move(e.grid, seat, piece, from)
	switch winner {
	case 0:
		return e.gain[seat][to&placeMask] - e.gain[seat][from&placeMask]
	case seat:
		return winning
	}
	return losing
}

// winOrder is the order in which the program tests seats for a win.
var winOrder = [...]int{1, 2, 3, 6, 4, 5}

// winner returns the seat that has won after a move of the seat last, or 0. Two players can move by
// each other's rules.
func (e *walk) winner(last int) int {
	if e.moverWins && len(e.seats) != 2 {
		if e.won(e.grid, last) {
			return last
		}
		return 0
	}
	for _, seat := range winOrder {
		if e.won(e.grid, seat) {
			return seat
		}
	}
	return 0
}

// distance is the Euclidean distance of two holes in rows and doubled columns, rounded down.
func distance(b *halma.Board, h, g int) int {
	hr, hc := b.Place(h)
	gr, gc := b.Place(g)
	dr, dc := hr-gr, hc-gc
	d := 0
	for (d+1)*(d+1) <= dr*dr+dc*dc {
		d++
	}
	return d
}

func bestFirst(list []move) {
	best := 0
	for i := range list {
		if list[i].score > list[best].score {
			best = i
		}
	}
	m := list[best]
	copy(list[1:], list[:best])
	list[0] = m
}

// fruitless is the number of passes after which pieces and rules repeat: then nobody can move.
const fruitless = 6

// turn fills e.found with the moves of a node, and passes while there are none. Each pass costs a
// turn of the limit. It returns the owner of the pieces, the seat to move and the limit left; with
// no limit left the node is a draw.
func (e *walk) turn(seat, limit int) (owner, turn, left int) {
	owner, turn, left = seat, seat, limit
	e.generate(owner, turn)
	for passes := 1; len(e.found) == 0 && left > 0; passes++ {
		if passes == fruitless {
			return owner, turn, 0
		}
		turn = e.next[turn]
		owner = turn
		if len(e.seats) == 2 {
			owner = e.next[seat]
		}
		left--
		e.generate(owner, turn)
	}
	return owner, turn, left
}

func (e *walk) play(f *frame, m move) {
	seat := int(f.owner)
	f.piece, f.from, f.key = m.piece, e.piece[seat][m.piece], e.key[e.word[seat]]
	to := e.at[m.to]
	if e.Tables {
		e.occupy(seat, e.moved(seat, f.from, to))
	}
	e.move(e.grid, seat, int(m.piece), to)
}

func (e *walk) undo(f *frame) {
	seat := int(f.owner)
	to := e.piece[seat][f.piece]
	e.move(e.grid, seat, int(f.piece), f.from)
	if e.Tables {
		e.set[seat] = e.moved(seat, to, f.from)
		e.key[e.word[seat]] = f.key
	}
}

// enter counts a node after a move of the seat last. done reports that no search is needed, and v is
// its value: somebody has won, the limit is used up, or the board has been visited.
func (e *walk) enter(last, limit int) (v int32, done bool) {
	e.Nodes++
	var slot uint64
	if e.Tables {
		var seen bool
		var winner int
		if slot, winner, seen = e.visit(); seen {
			e.Hits++
			if winner == 0 {
				return open, true
			}
			return e.score(winner), true
		}
		e.Stored++
	}
	if limit == 0 {
		return 0, true
	}
	if w := e.winner(last); w != 0 {
		e.Terminals++
		if e.Tables {
			e.visited.setWinner(slot, w)
		}
		return e.score(w), true
	}
	return 0, false
}

// node enters a node after a move of the seat last. Either it is done with value v, or it pushes a
// frame with the moves to search.
func (e *walk) node(seat, last, limit int, alpha, beta int32) (v int32, done bool) {
	if v, done = e.enter(last, limit); done {
		return v, true
	}
	e.check(&e.Counts)
	if limit == 1 && (e.Ordering || !e.Tables) {
		e.frontier(seat, !e.maxn && closes(seat == 1, alpha, beta))
		return 0, true
	}
	owner, turn, left := e.turn(seat, limit)
	if left == 0 {
		return 0, true
	}
	f := frame{limit: left - 1, alpha: alpha, beta: beta, best: e.least, maximise: seat == 1, owner: uint8(owner), turn: uint8(turn)}
	if err := e.push(f, e.found); err != nil {
		panic(stopped{err})
	}
	return 0, false
}

// open is the result of a search for a visited board that was not won, and for a node whose
// children all have this result. It is no score.
const open = math.MinInt32

const maxDestinations = 128

// score returns the value of a win by a seat.
func (g *grid) score(winner int) int32 {
	switch {
	case g.maxn:
		return int32(winner)
	case g.paranoid:
		return int32(10 * winner)
	}
	return [...]int32{0, 1, -1}[winner]
}

// report returns the value that a node passes to its parent.
func (g *grid) report(best int32) int32 {
	if g.paranoid && best != open {
		return max(best, -best)
	}
	return best
}

// take enters the value of a child, which is not open, into its parent and reports a cutoff.
func (e *walk) take(f *frame, v int32) bool {
	if e.maxn {
		if v > 0 && f.best == 0 || v == int32(f.owner) {
			f.best = v
		}
		return f.best == int32(f.owner)
	}
	if e.paranoid && (v > 10 || v == 10 && f.maximise) {
		v = -v
	}
	switch {
	case f.maximise:
		f.best = max(f.best, v) // open is less than any value, so max ignores it
		f.alpha = max(f.alpha, f.best)
	case f.best == open || v < f.best:
		f.best = v
		f.beta = min(f.beta, v)
	}
	return f.beta <= f.alpha
}

// search returns the value of the node after a move of seat 1.
func (e *walk) search() int32 {
	root := len(e.frames)
	v, done := e.node(e.next[1], 1, e.turns(), math.MinInt32, math.MaxInt32)
	for {
		if done && len(e.frames) == root {
			return v
		}
		f := e.top()
		if done { // v is the value of a child of f
			e.undo(f)
			if v != open && e.take(f, v) {
				e.Cutoffs++
				f.left = 0
			}
		}
		if f.left == 0 {
			v, done = e.report(f.best), true
			e.pop()
			continue
		}
		list := e.rest(f)
		if e.Ordering {
			bestFirst(list)
		}
		f.left--
		e.play(f, list[0])
		v, done = e.node(e.next[f.turn], int(f.owner), f.limit, f.alpha, f.beta)
	}
}

func (e *walk) run(m opening) int {
	f := frame{owner: 1}
	e.play(&f, move{to: e.hole[m.to], piece: uint8(m.piece)})
	defer e.undo(&f)
	v := int32(0)
	if e.Config.counts() {
		v = e.count(e.next[1], 1, e.turns(), math.MinInt32, math.MaxInt32)
	} else {
		v = e.search()
	}
	return winnerOf(e.Algorithm, int(v))
}

// winnerOf returns the winner by a root's value, 0 for a draw.
func winnerOf(a Algorithm, v int) int {
	switch {
	case v == open:
		return 0
	case a == MaxN:
		return v
	case a == Paranoid:
		return v / 10
	}
	return [3]int{2, 0, 1}[v+1]
}
