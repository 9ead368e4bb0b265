package thesis2025

import (
	"math"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
	"perfectplay/rank"
)

// tabled searches the models with the set of visited boards: Tables,
// SpecialRules and MoveOrdering. Every node is visited: each enters a board.
type tabled struct {
	*grid
	*watch
	*keys
	position
	Counts
	ordered bool
	visited *boards
	set     [7]bitboard.Set128 // holes of a seat
	key     [maxKeyWords]uint64
	gain    [7][places]int16 // score of a piece on a place
	moves   []orderedMove    // of the nodes being searched, from the root down
	list    [maxDestinations]place
	lift    rank.Lift
}

// orderedMove is a move with its score.
type orderedMove struct {
	score int32
	to    place
	piece uint8
}

func newTabled(g *grid, w *watch) (engine, error) {
	e := &tabled{grid: g, watch: w, keys: newKeys(g), position: g.start, ordered: g.Model == MoveOrdering}
	var err error
	if e.visited, err = newBoards(e.width, g.ExpectBoards, g.memory()); err != nil {
		return nil, err
	}
	for _, seat := range g.seats {
		e.occupy(seat, g.board.Camp(seat))
		for h, at := range g.at {
			e.gain[seat][at] = int16(1000 - distance(g.board, h, g.board.Apex(opposite[seat])))
		}
	}
	return e, nil
}

func (e *tabled) free() error { return e.visited.free() }

// occupy sets a seat's holes.
func (e *tabled) occupy(seat int, x bitboard.Set128) {
	e.set[seat] = x
	e.rekey(seat, e.sets.Rank(x))
}

// rekey puts the rank of a seat's holes into the key.
func (e *tabled) rekey(seat int, rank uint64) {
	k, shift := &e.key[e.word[seat]], e.shift[seat]
	*k = *k&^(e.mask<<shift) | rank<<shift
}

// moved is a seat's holes after a move.
func (e *tabled) moved(seat int, from, to place) bitboard.Set128 {
	return e.set[seat].Without(int(e.hole[from&placeMask])).With(int(e.hole[to&placeMask]))
}

// frontier searches below a node at limit 1 of model MoveOrdering, whose
// children are at limit 0: each is worth 0, and none has been visited, since
// moves to visited boards are dropped and no two moves lead to one board. So if
// 0 closes the window the best fresh move is the only one searched, and it
// cuts; otherwise all fresh ones are, in whatever order. Looking boards up as
// moves are taken comes to the same as before: only these moves' boards are
// entered meanwhile. Without a fresh move the turn passes, and the limit is used
// up. The node is worth 0 in every case.
func (e *tabled) frontier(seat int, closes bool) {
	base := len(e.moves)
	for piece := range e.Pieces {
		from := e.piece[seat][piece]
		for _, to := range e.position.generate(e.grid, seat, seat, piece, e.list[:0]) {
			e.moves = append(e.moves, orderedMove{to: to, piece: uint8(piece), score: e.rate(seat, from, to)})
		}
	}
	list, old := e.moves[base:], e.key[e.word[seat]]
	for i := range list {
		if closes {
			bestFirst(list[i:])
		}
		e.rekey(seat, e.sets.Rank(e.moved(seat, e.piece[seat][list[i].piece], list[i].to)))
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
	e.moves = e.moves[:base]
}

// visit enters the board into the set.
func (e *tabled) visit() (slot uint64, winner int, seen bool) {
	slot, winner, seen, err := e.visited.enter(e.key[:e.width])
	if err != nil {
		panic(stopped{err})
	}
	return slot, winner, seen
}

// generate appends the moves of a seat's pieces to e.moves, in the order of the
// search, and returns their number. With ordering, moves to visited boards are
// left out. The rules are a seat's, the same but after a second pass of two
// players.
func (e *tabled) generate(seat, rules int) int {
	base, old := len(e.moves), e.key[e.word[seat]]
	for piece := range e.Pieces {
		from := e.piece[seat][piece]
		list := e.position.generate(e.grid, seat, rules, piece, e.list[:0])
		if e.ordered && len(list) > 0 {
			e.sets.Lift(&e.lift, e.set[seat].Without(int(e.hole[from])))
		}
		for _, to := range list {
			m := orderedMove{to: to, piece: uint8(piece)}
			if e.ordered {
				e.rekey(seat, e.lift.Rank(int(e.hole[to&placeMask])))
				if _, seen := e.visited.find(e.key[:e.width]); seen {
					continue
				}
				m.score = e.rate(seat, from, to)
				if rules != seat {
					m.score = e.rateByForeignRules(seat, piece, from, to)
				}
			}
			e.moves = append(e.moves, m)
		}
	}
	e.key[e.word[seat]] = old
	return len(e.moves) - base
}

// rate orders the moves of a position as [reference.score] does: all scores
// of a position that do not win share the pieces that stay. No move by a seat's
// own rules wins for another seat (see [position.won]).
func (e *tabled) rate(seat int, from, to place) int32 {
	goal := uint8(opposite[seat])
	if e.tipAt[to&placeMask] == goal && e.tipAt[from&placeMask] != goal {
		if int(e.inTip[seat][goal])+1 == e.Pieces || int(e.full[goal])+1 == e.Pieces {
			return math.MaxInt32
		}
	}
	return int32(e.gain[seat][to&placeMask]) - int32(e.gain[seat][from&placeMask])
}

// rateByForeignRules is rate for a move by another seat's rules, which can win
// for either player.
func (e *tabled) rateByForeignRules(seat, piece int, from, to place) int32 {
	e.move(e.grid, seat, piece, to)
	winner := e.winner(seat)
	e.move(e.grid, seat, piece, from)
	switch winner {
	case 0:
		return int32(e.gain[seat][to&placeMask]) - int32(e.gain[seat][from&placeMask])
	case seat:
		return math.MaxInt32
	}
	return math.MinInt32
}

// winner is [reference.winner]. With more than two players it can only be the
// seat that moved last.
func (e *tabled) winner(last int) int {
	if len(e.seats) > 2 {
		if e.won(e.grid, last) {
			return last
		}
		return 0
	}
	for seat := 1; seat <= 2; seat++ {
		if e.won(e.grid, seat) {
			return seat
		}
	}
	return 0
}

// distance is the Euclidean distance of two holes in rows and doubled columns,
// rounded down.
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

// pick returns move i of those before end, the best of them with ordering.
func (e *tabled) pick(i, end int) orderedMove {
	if e.ordered {
		bestFirst(e.moves[i:end])
	}
	return e.moves[i]
}

// bestFirst moves the first of the best moves to the front.
func bestFirst(list []orderedMove) {
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

// turn is [reference.turn]; the moves are on top of e.moves, n in number.
func (e *tabled) turn(seat, limit int) (n, owner, turn, left int) {
	owner, turn, left = seat, seat, limit
	n = e.generate(owner, turn)
	for n == 0 && left > 0 {
		turn = e.next[turn]
		owner = turn
		if len(e.seats) == 2 {
			owner = e.next[seat]
		}
		left--
		n = e.generate(owner, turn)
	}
	return n, owner, turn, left
}

// play makes a move and returns what undo needs.
func (e *tabled) play(seat int, m orderedMove) (from place, key uint64) {
	from, key = e.piece[seat][m.piece], e.key[e.word[seat]]
	e.occupy(seat, e.moved(seat, from, m.to))
	e.move(e.grid, seat, int(m.piece), m.to)
	return from, key
}

func (e *tabled) undo(seat int, m orderedMove, from place, key uint64) {
	e.move(e.grid, seat, int(m.piece), from)
	e.set[seat] = e.moved(seat, m.to, from)
	e.key[e.word[seat]] = key
}

// enter is [reference.enter]; last is the seat that moved last.
func (e *tabled) enter(last, limit int) (winner int, done bool) {
	e.Nodes++
	slot, w, seen := e.visit()
	if seen {
		e.Hits++
		if w == 0 {
			w = open
		}
		return w, true
	}
	e.Stored++
	if limit == 0 {
		return 0, true
	}
	if w := e.winner(last); w != 0 {
		e.Terminals++
		e.visited.setWinner(slot, w)
		return w, true
	}
	return 0, false
}

// bounded is [reference.bounded].
func (e *tabled) bounded(seat, last, limit, alpha, beta int) int {
	if w, done := e.enter(last, limit); done {
		if w == open {
			return open
		}
		return e.score(w)
	}
	e.check()
	maximise := seat == 1
	if e.ordered && limit == 1 {
		e.frontier(seat, closes(maximise, alpha, beta))
		return 0
	}
	base := len(e.moves)
	n, seat, turn, limit := e.turn(seat, limit)
	best := open
	if limit == 0 {
		best, n = 0, 0
	}
	for i := range n {
		m := e.pick(base+i, base+n)
		from, key := e.play(seat, m)
		v := e.bounded(e.next[turn], seat, limit-1, alpha, beta)
		e.undo(seat, m, from, key)
		if v == open {
			continue
		}
		best, alpha, beta = fold(e.paranoid, maximise, v, best, alpha, beta)
		if beta <= alpha {
			e.Cutoffs++
			break
		}
	}
	e.moves = e.moves[:base]
	return e.report(best)
}

// maxn is [reference.maxn].
func (e *tabled) maxn(seat, last, limit int) int {
	if w, done := e.enter(last, limit); done {
		return w
	}
	e.check()
	if e.ordered && limit == 1 {
		e.frontier(seat, false)
		return 0
	}
	base := len(e.moves)
	n, seat, _, limit := e.turn(seat, limit) // the owner: more than two players
	if limit == 0 {
		n = 0
	}
	best := 0
	for i := range n {
		m := e.pick(base+i, base+n)
		from, key := e.play(seat, m)
		w := e.maxn(e.next[seat], seat, limit-1)
		e.undo(seat, m, from, key)
		if w > 0 && best == 0 || w == seat {
			best = w
		}
		if best == seat {
			e.Cutoffs++
			break
		}
	}
	e.moves = e.moves[:base]
	return best
}

// run searches after an opening, with an empty set, and returns the winner.
func (e *tabled) run(m opening) int {
	first := orderedMove{piece: uint8(m.piece), to: m.to}
	from, key := e.play(1, first)
	defer e.undo(1, first, from, key)
	seat := e.next[1]
	if e.Algorithm == MaxN {
		return e.maxn(seat, 1, e.Limit)
	}
	return winnerOf(e.Algorithm, e.bounded(seat, 1, e.Limit, math.MinInt32, math.MaxInt32))
}
