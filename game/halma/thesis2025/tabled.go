package thesis2025

import (
	"math"

	"perfectplay/game/halma"
)

// tabled searches the models with the set of visited boards: Tables,
// SpecialRules and MoveOrdering. Every node is visited: each enters a board.
type tabled struct {
	*grid
	*watch
	*keys
	position
	Counts
	algorithm         Algorithm
	limit             int
	paranoid, ordered bool
	visited           *boards
	set               [7][2]uint64 // holes of a seat
	key               [maxKeyWords]uint64
	gain              [7][places]int16 // score of a piece on a place
	moves             []orderedMove    // of the nodes being searched, from the root down
	list              [maxDestinations]place
}

// orderedMove is a move with its score.
type orderedMove struct {
	score int32
	to    place
	piece uint8
}

// outOfMemory is what a search panics with when the set is full.
type outOfMemory struct{ error }

func newTabled(g *grid, c Config, w *watch) (*tabled, error) {
	e := &tabled{
		grid: g, watch: w, keys: newKeys(g), position: g.start,
		algorithm: c.Algorithm, limit: c.Limit, paranoid: c.Algorithm == Paranoid, ordered: c.Model == MoveOrdering,
	}
	memory := c.MemoryBytes
	if memory == 0 {
		memory = DefaultMemory
	}
	var err error
	if e.visited, err = newBoards(e.width, c.ExpectBoards, memory); err != nil {
		return nil, err
	}
	for _, seat := range g.seats {
		for _, at := range e.piece[seat][:g.pieces] {
			e.flip(seat, at)
		}
		e.key[e.word[seat]] += e.rank(e.set[seat][0], e.set[seat][1]) << e.shift[seat]
		for h, at := range g.at {
			e.gain[seat][at] = int16(1000 - distance(g.board, h, g.board.Apex(opposite[seat])))
		}
	}
	return e, nil
}

// flip adds a place to a seat's holes, or takes it away.
func (e *tabled) flip(seat int, at place) {
	h := e.hole[at&placeMask]
	e.set[seat][h>>6&1] ^= 1 << (h & 63)
}

// rankMoved is the rank of a seat's holes after one of its pieces moves.
func (e *tabled) rankMoved(seat int, from, to place) uint64 {
	set := e.set[seat]
	a, b := e.hole[from&placeMask], e.hole[to&placeMask]
	set[a>>6&1] ^= 1 << (a & 63)
	set[b>>6&1] ^= 1 << (b & 63)
	return e.rank(set[0], set[1])
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
	for piece := range e.pieces {
		from := e.piece[seat][piece]
		for _, to := range e.position.generate(e.grid, seat, seat, piece, e.list[:0]) {
			e.moves = append(e.moves, orderedMove{to: to, piece: uint8(piece), score: e.score(seat, from, to)})
		}
	}
	list := e.moves[base:]
	word := e.word[seat]
	old := e.key[word]
	rest := old - e.rank(e.set[seat][0], e.set[seat][1])<<e.shift[seat]
	for len(list) > 0 {
		m := list[0]
		if closes {
			best := 0
			for i := range list {
				if list[i].score > list[best].score {
					best = i
				}
			}
			m = list[best]
			copy(list[best:], list[best+1:])
			list = list[:len(list)-1]
		} else {
			list = list[1:]
		}
		e.key[word] = rest + e.rankMoved(seat, e.piece[seat][m.piece], m.to)<<e.shift[seat]
		_, _, seen, err := e.visited.enter(e.key[:e.width])
		if err != nil {
			panic(outOfMemory{err})
		}
		if seen {
			continue
		}
		e.Nodes++
		e.Stored++
		if closes {
			e.Cutoffs++
			break
		}
	}
	e.key[word] = old
	e.moves = e.moves[:base]
}

// generate appends the moves of a seat's pieces to e.moves, in the order of the
// search, and returns their number. With ordering, moves to visited boards are
// left out. The rules are a seat's, the same but after a second pass of two
// players.
func (e *tabled) generate(seat, rules int) int {
	base := len(e.moves)
	word := e.word[seat]
	old := e.key[word]
	rest := old - e.rank(e.set[seat][0], e.set[seat][1])<<e.shift[seat]
	for piece := range e.pieces {
		from := e.piece[seat][piece]
		list := e.position.generate(e.grid, seat, rules, piece, e.list[:0])
		for _, to := range list {
			e.moves = append(e.moves, orderedMove{to: to, piece: uint8(piece)})
		}
		if !e.ordered {
			continue
		}
		// Score and drop.
		fresh := e.moves[:len(e.moves)-len(list)]
		for _, to := range list {
			e.key[word] = rest + e.rankMoved(seat, from, to)<<e.shift[seat]
			if !e.visited.has(e.key[:e.width]) {
				score := e.score(seat, from, to)
				if rules != seat {
					score = e.scoreByForeignRules(seat, piece, from, to)
				}
				fresh = append(fresh, orderedMove{to: to, piece: uint8(piece), score: score})
			}
		}
		e.key[word] = old
		e.moves = fresh
	}
	list := e.moves[base:]
	if e.ordered {
		sortMoves(list)
	}
	return len(list)
}

// score orders the moves of a position as [reference.score] does: all scores
// of a position that do not win share the pieces that stay. No move by a seat's
// own rules wins for another seat (see [position.won]).
func (e *tabled) score(seat int, from, to place) int32 {
	goal := uint8(opposite[seat])
	if e.tipAt[to&placeMask] == goal && e.tipAt[from&placeMask] != goal {
		if int(e.inTip[seat][goal])+1 == e.pieces || int(e.full[goal])+1 == e.pieces {
			return math.MaxInt32
		}
	}
	return int32(e.gain[seat][to&placeMask]) - int32(e.gain[seat][from&placeMask])
}

// scoreByForeignRules is score for a move by another seat's rules, which can win
// for either player.
func (e *tabled) scoreByForeignRules(seat, piece int, from, to place) int32 {
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

// sortMoves sorts by falling score, stably. Lists are short.
func sortMoves(list []orderedMove) {
	for i := 1; i < len(list); i++ {
		m := list[i]
		j := i
		for ; j > 0 && list[j-1].score < m.score; j-- {
			list[j] = list[j-1]
		}
		list[j] = m
	}
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
	word := e.word[seat]
	from, key = e.piece[seat][m.piece], e.key[word]
	rest := key - e.rank(e.set[seat][0], e.set[seat][1])<<e.shift[seat]
	e.flip(seat, from)
	e.flip(seat, m.to)
	e.key[word] = rest + e.rank(e.set[seat][0], e.set[seat][1])<<e.shift[seat]
	e.move(e.grid, seat, int(m.piece), m.to)
	return from, key
}

func (e *tabled) undo(seat int, m orderedMove, from place, key uint64) {
	e.move(e.grid, seat, int(m.piece), from)
	e.flip(seat, from)
	e.flip(seat, m.to)
	e.key[e.word[seat]] = key
}

// enter is [reference.enter]; last is the seat that moved last.
func (e *tabled) enter(last, limit int) (winner int, done bool) {
	e.Nodes++
	slot, w, seen, err := e.visited.enter(e.key[:e.width])
	if err != nil {
		panic(outOfMemory{err})
	}
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
		switch {
		case w == open:
			return open
		case e.paranoid:
			return 10 * w
		}
		return [3]int{0, 1, -1}[w]
	}
	e.check(&e.Counts)
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
		m := e.moves[base+i]
		from, key := e.play(seat, m)
		v := e.bounded(e.next[turn], seat, limit-1, alpha, beta)
		e.undo(seat, m, from, key)
		if v == open {
			continue
		}
		if e.paranoid && (v > 10 || v == 10 && maximise) {
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
			e.Cutoffs++
			break
		}
	}
	e.moves = e.moves[:base]
	if e.paranoid && best != open {
		return max(best, -best)
	}
	return best
}

// maxn is [reference.maxn].
func (e *tabled) maxn(seat, last, limit int) int {
	if w, done := e.enter(last, limit); done {
		return w
	}
	e.check(&e.Counts)
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
		m := e.moves[base+i]
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
	if e.algorithm == MaxN {
		return e.maxn(seat, 1, e.limit)
	}
	return winnerOf(e.algorithm, e.bounded(seat, 1, e.limit, math.MinInt32, math.MaxInt32))
}
