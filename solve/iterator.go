package solve

import (
	"slices"

	"perfectplay/game"
)

// iterator walks the moves of a position, best first; moves that another thread is searching
// come last. It lists the moves as late as possible: often the table's move or a killer cuts off
// before.
type iterator struct {
	move    game.Move // the current move
	address *address  // table address of the position after the move; nil if it is not looked up
	place   int       // the move's place in order of generation, −1 before moves are listed

	f       *frame
	d       int // plies left
	first   game.Move
	early   early
	wins    bool // whether to look for a win at once
	turns   int  // most turns of the mover after its move, or −1
	all     bool // the list leaves out no move for being too slow
	against bool // the list has only moves that meet a threat
	safe    int  // mark of the caller's list of safe moves on the worker's stack, or −1
	mark    int  // start of the list on the worker's stack, −1 before moves are listed
	moves   []game.Move
	keys    []int64

	i, put  int // number of moves of the list tried, and number of these put off
	picked  int // keys in their final places
	again   bool
	share   bool
	fetch   bool // the table loads the positions after the moves
	fetched bool // the addresses of all positions after the moves are known
	marked  *busySlot
	markTag uint64
}

type early struct {
	tried [3]game.Move
	n     int
	asked int // number of sources asked: the table, then killers
}

func (e *early) has(m game.Move) bool {
	for _, t := range e.tried[:e.n] {
		if m == t {
			return true
		}
	}
	return false
}

// iterate returns an iterator over the moves of the position in frame f, with d plies left;
// first, unless NoMove, comes before all others. wins says that a win at once is worth looking
// for. turns, if not negative, is the most turns that the mover may need after its move; slower
// moves may be left out. After each next, call done unless putOff put the move off; at last call
// end.
func (w *worker) iterate(f *frame, d int, first game.Move, wins bool, turns int) iterator {
	return iterator{f: f, d: d, first: first, wins: wins, turns: turns, safe: -1, mark: -1, place: -1, fetch: d > w.shallow+1 && w.ahead != nil, share: w.shares(d)}
}

// shares reports whether moves of a position with d plies left are put off while other threads
// search them.
func (w *worker) shares(d int) bool {
	return d > w.shallow && (d >= shareDepth || w.sh.plan.eager) && w.tab != nil
}

// rank takes the moves on the worker's stack from mark on as the list.
func (it *iterator) rank(w *worker, mark int, wins bool) {
	it.mark = mark
	it.moves, it.keys = w.rankAll(it.f, it.first, &it.early, wins, mark)
	it.share = it.share && len(it.moves) > 1
}

// list lists the moves in order of generation; slow ones may be left out.
func (it *iterator) list(w *worker) {
	mark, seat := len(w.moves), w.state.Seat()
	wins := it.wins && w.order.Wins
	it.all = true
	switch {
	case it.safe >= 0:
		mark, wins = it.safe, false
	case it.turns < 0:
		if w.moves = w.state.Moves(w.moves); len(w.moves) == mark {
			panic(game.Stuck(w.sh.game, w.state))
		}
	case wins && it.turns > 0:
		// With a win at once no other move matters.
		w.moves, _ = w.lister.MovesWithin(w.moves, 0)
		win := slices.IndexFunc(w.moves[mark:], func(m game.Move) bool { return w.wins(m, seat) })
		if wins = false; win >= 0 {
			w.moves = append(w.moves[:mark], w.moves[mark+win])
			break
		}
		w.moves = w.moves[:mark]
		fallthrough
	default:
		w.moves, it.all = w.lister.MovesWithin(w.moves, it.turns)
	}
	it.rank(w, mark, wins)
}

// listAgainst lists only moves that meet a threat of the next seat to win at once, and reports
// whether there is a threat. After any other move the next seat wins with its next turn.
func (it *iterator) listAgainst(w *worker) (threat bool) {
	mark := len(w.moves)
	if w.moves, it.all, threat = w.threats.MovesAgainst(w.moves, it.turns); !threat {
		return false
	}
	it.against = true
	it.rank(w, mark, it.wins && w.order.Wins)
	return true
}

// listHelping lists only moves that keep the mover in its race or help an ally to stay in its
// own.
func (it *iterator) listHelping(w *worker, turns int) {
	mark, c := len(w.moves), &w.chance
	w.moves, it.all = w.allies.MovesHelping(w.moves, turns, c.list[:c.n], w.hero, c.before)
	it.rank(w, mark, it.wins && w.order.Wins)
}

// listAll lists the moves unless they are listed already. The current move must be taken back.
func (it *iterator) listAll(w *worker) {
	if it.mark < 0 {
		it.list(w)
		it.address = nil
	}
}

func (it *iterator) next(w *worker) bool {
	if it.mark < 0 {
		if it.nextEarly(w) {
			return true
		}
		it.listAll(w)
	}
	if w.ply == 0 && w.id == 0 {
		w.sh.rootAll.Store(int64(len(it.moves)))
		w.sh.rootDone.Store(int64(len(it.moves) - len(it.keys) + it.i - it.put))
	}
	if !it.again && it.i < len(it.keys) {
		it.pick(w, it.window())
		key := it.keys[it.i]
		it.i++
		if it.place = place(key); it.fetch {
			it.address = &w.addresses[it.mark+it.place]
		}
		it.move = it.moves[it.place]
		return true
	}
	if !it.again {
		it.again = true
		it.i = 0
	}
	if it.i < it.put {
		it.place = place(it.keys[it.i])
		it.move = it.moves[it.place]
		if it.fetch {
			it.address = &w.addresses[it.mark+it.place]
			w.tab.Fetch(it.address.hash)
		}
		it.i++
		return true
	}
	return false
}

// nextEarly advances to a move that needs no ranked list: the table's, then legal killers.
func (it *iterator) nextEarly(w *worker) bool {
	if it.turns >= 0 {
		return false // the list is short, and the table loads its first positions at once
	}
	e := &it.early
	for e.asked <= len(it.f.killers) {
		m := it.first
		if e.asked++; e.asked == 1 {
			if m == game.NoMove || !w.order.Table {
				continue
			}
		} else {
			if w.tester == nil && it.safe < 0 || !w.order.Killers {
				return false
			}
			m = it.f.killers[e.asked-2]
			if m == game.NoMove || m == game.Pass || e.has(m) || it.safe < 0 && !w.tester.IsLegal(m) {
				continue
			}
		}
		at := -1
		if it.safe >= 0 {
			if at = slices.Index(w.moves[it.safe:], m); at < 0 {
				continue
			}
		}
		e.tried[e.n] = m
		e.n++
		switch it.move = m; {
		case !it.fetch:
		case it.fetched:
			it.address = &w.addresses[it.safe+at]
		default:
			it.address = &w.sole
			w.fetch(m, it.address)
		}
		return true
	}
	return false
}

// putOff reports whether another thread is searching the current move, which then comes again
// after all others; else it marks the move until done. The first move of a position and a move
// that comes again are always searched.
func (it *iterator) putOff(w *worker) bool {
	first := it.early.n+it.i == 1
	if !it.share || it.again || first || !w.sh.joined.Load() {
		return false
	}
	tag := it.f.hash ^ uint64(it.move)*0x9e3779b97f4a7c15
	if it.address != nil {
		tag = it.address.hash
	}
	tag = (tag + uint64(it.d)) * 0xd6e8feb86659fd93
	slot := &w.sh.busy[tag>>(64-12)]
	if slot.tag.Load() != tag {
		slot.tag.Store(tag)
		it.marked, it.markTag = slot, tag
		return false
	}
	if it.mark < 0 {
		it.early.n-- // the list will contain the move
	} else {
		it.keys[it.put] = it.keys[it.i-1]
		it.put++
	}
	return true
}

// window is the number of keys to sort before the next move is tried, so that the table loads
// their positions meanwhile.
func (it *iterator) window() int {
	switch {
	case !it.fetch:
		return it.i + 1
	case it.i < pickedAlone && it.turns < 0:
		return pickedAlone
	}
	return it.i + windowAhead
}

// known looks up the positions after all moves and reports the first that cuts off. The current
// move must be taken back.
func (it *iterator) known(w *worker, same bool, d, alpha, beta int) (score int, ok bool) {
	mark, moves := it.safe, w.moves[max(0, it.safe):]
	if mark < 0 {
		it.listAll(w)
		mark, moves = it.mark, it.moves
	}
	w.reserve(len(w.moves))
	addresses := w.addresses[mark:][:len(moves)]
	horizon := w.horizon
	for ahead := 0; it.i < len(moves); it.i++ {
		at := it.i
		if it.mark >= 0 {
			it.pick(w, it.window())
			at = place(it.keys[at])
		} else {
			for ; ahead < min(at+windowAhead, len(moves)); ahead++ {
				w.fetch(moves[ahead], &addresses[ahead])
			}
		}
		w.seen.address = &addresses[at]
		if score, ok = w.foresee(&w.seen, same, d, alpha, beta); ok && score >= beta {
			it.move = moves[at]
			return score, true
		}
		w.horizon = horizon
	}
	it.i, it.fetched = 0, true
	return 0, false
}

// windowAhead is the number of moves, the next one included, whose positions the table loads
// ahead.
const windowAhead = 6

// pick puts the first n keys in their places, and lets the table load the positions after their
// moves.
func (it *iterator) pick(w *worker, n int) {
	for n = min(n, len(it.keys)); it.picked < n; it.picked++ {
		key := pick(it.keys, it.picked)
		if it.fetch && !it.fetched {
			w.fetch(it.moves[place(key)], &w.addresses[it.mark+place(key)])
		}
	}
}

// within drops untried moves after which the mover needs more turns than the number turns. If turns
// is negative, it drops no move. The current move must be taken back.
func (it *iterator) within(w *worker, turns int) {
	if turns < 0 {
		return
	}
	if it.mark < 0 {
		it.turns = turns
		return
	}
	from := len(w.moves)
	in, all := w.lister.MovesWithin(w.moves, turns) // in has the moves in the order of it.moves
	w.moves, in = in[:from], in[from:]
	if all {
		return
	}
	if len(w.near) < len(it.moves) {
		w.near = make([]bool, cap(w.keys))
	}
	for i, m := range it.moves {
		if it.against {
			w.near[i] = slices.Contains(in, m)
		} else if w.near[i] = len(in) > 0 && in[0] == m; w.near[i] {
			in = in[1:]
		}
	}
	far := func(key int64) bool { return !w.near[place(key)] }
	if it.all = false; it.again {
		it.put = it.i + len(slices.DeleteFunc(it.keys[it.i:it.put], far))
		return
	}
	it.put = len(slices.DeleteFunc(it.keys[:it.put], far))
	it.keys = it.keys[:it.i+len(slices.DeleteFunc(it.keys[it.i:], far))]
	it.picked = it.i
}

func (it *iterator) last() bool {
	if it.mark < 0 {
		return false
	}
	if it.again {
		return it.i == it.put
	}
	return it.i == len(it.keys) && it.put == 0
}

func (it *iterator) done() {
	if it.marked != nil {
		it.marked.tag.CompareAndSwap(it.markTag, 0)
		it.marked = nil
	}
}

// end takes the list off the worker's stack, unless it is the caller's.
func (it *iterator) end(w *worker) {
	if it.mark >= 0 && it.safe < 0 {
		w.drop(it.mark)
	}
}

// askDepth is the least number of plies left at which all moves are looked up before one is
// searched.
const askDepth = 5

// asking counts the positions at which all moves were looked up, and the positions at which such a
// move cut off.
type asking struct{ asked, found, skipped uint64 }

// worth reports whether to look up all moves: always while one position of 128 cuts off, else
// now and then, to see whether that has changed.
func (a *asking) worth() bool {
	if a.asked >= 256 && a.found*128 < a.asked {
		if a.skipped++; a.skipped%16 != 0 {
			return false
		}
	}
	if a.asked++; a.asked == 1<<12 {
		a.asked, a.found = a.asked/2, a.found/2 // recent questions count more
	}
	return true
}
