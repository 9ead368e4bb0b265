package solve

import (
	"slices"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Max^n (Luckhardt and Irani, AAAI 1986): every seat plays for itself. An outcome is a winner
// and a distance, or a draw. A seat prefers its own win, the sooner the better; then a draw;
// then another seat's win, the later the better. Of equal moves it takes the first in order of
// generation.
//
// # The horizon does not matter
//
// Let o(p, d) be the outcome of position p with d plies left, open horizons being draws. Claim:
// either o(p, d) is a draw for all d, or there are a winner s and an n such that o(p, d) is a
// draw for d < n and (s, n) for d ≥ n.
//
// Proof by induction over d of: (a) if o(p, d) is decided, o(p, d+1) = o(p, d); (b) if o(p, d)
// is a draw and o(p, d+1) decided, its distance is d+1. Both are clear for finished positions
// and d = 0. Else let P move. By induction the decided moves of p stay the same with one ply
// more, and newly decided ones have distance d+1 from p.
//
//  1. o(p, d) is a win of P in n ≤ d: new wins of P take longer, so the best moves are the
//     same.
//  2. o(p, d) is a loss: all moves are decided, and none changes.
//  3. o(p, d) is a draw and o(p, d+1) a win of P: the win is new, at distance d+1.
//  4. o(p, d) is a draw and o(p, d+1) a loss: some drawn move became decided, at d+1, which is
//     the longest loss possible. ∎
//
// So the table holds either (s, n), or for each seat a number of plies within which it does not
// win; nothing in it depends on a remaining depth.
//
// # Scores
//
// The score of an outcome for a seat counts the plies left at the end of the game plus one, as
// in facts.go, negated if another seat wins: larger is better for every seat.
//
// # Pruning
//
// After Korf (1991), Sturtevant and Korf (AAAI 2000) and Sturtevant (2003). Scores of different
// seats have no constant sum, but at most one seat has more than a draw:
//
//   - immediate: no move beats a win as soon as the bound on the seat's own turns allows, or a
//     draw if the seat cannot win;
//   - shallow: let seat s make the move to a position. The search leaves the position as soon as
//     its mover has a score with which s gets no more here than elsewhere. If the mover has a draw,
//     the others get at most a draw; if it has a win, at most that loss; if it has a loss, no
//     sooner win;
//   - last branch: let s make the move to a position whose moves but the last give s no more than
//     it has elsewhere. The search leaves the position after the last move as soon as its mover has
//     a draw: neither that draw nor a win of this mover is more for s;
//   - threat: some moves may be the only ones after which the next seat does not win at once. All
//     other moves count as one move, the worst, because no loss is sooner.
//
// A pruned result says only that a seat gets no more than a threshold, and is stored as that.

// endless is infinite in an outlook.
const endless = 1<<10 - 1

// A payload of the table holds an outlook and a move: 16 bits for the move, and one bit that tells
// the two forms of an outlook apart. The first form has the winner and the distance, the second a
// number of plies for each seat in equal shares of the bits left.
const (
	hintBits    = 16
	hintMask    = 1<<hintBits - 1
	openAt      = hintBits // set while the outcome is open
	winnerAt    = openAt + 1
	winAt       = winnerAt + 3
	overAt      = openAt + 1
	outlookBits = 57 // bits that the table leaves to its callers
)

// outlook is knowledge about a position under maxn: the outcome, or for each seat a number of
// plies within which it does not win.
type outlook struct {
	decided  bool
	winner   int
	distance int
	over     [maxSeats]int
}

// overWidth is the number of bits for a seat's plies in a payload. The largest number stands for
// endless, other numbers are capped below it (with six seats at 62 plies), which is true but
// says less.
func overWidth(seats int) int { return min(10, (outlookBits-overAt)/seats) }

// hint packs a move into hintBits bits; a longer move becomes NoMove.
func hint(m game.Move) uint64 {
	if m == game.Pass || m < game.NoMove&hintMask {
		return uint64(m) & hintMask
	}
	return uint64(game.NoMove & hintMask)
}

func hinted(p table.Payload) game.Move {
	m := game.Move(p.A & hintMask)
	if m >= game.NoMove&hintMask {
		m |= game.NoMove &^ hintMask
	}
	return m
}

// pack encodes an outlook and a move in the key's frame. Seats count from the mover, since
// positions of one key may have the seats exchanged.
func (o *outlook) pack(m game.Move, mover, seats int) table.Payload {
	a := hint(m)
	if o.decided {
		winner := o.winner - mover
		if winner < 0 {
			winner += seats
		}
		return table.Payload{A: a | uint64(winner)<<winnerAt | uint64(o.distance)<<winAt}
	}
	width := overWidth(seats)
	most := 1<<width - 1
	at, s := overAt, mover
	a |= 1 << openAt
	for range seats {
		over := o.over[s]
		if over >= endless {
			over = most
		} else {
			over = min(over, most-1)
		}
		a |= uint64(over) << at
		at += width
		if s++; s == seats {
			s = 0
		}
	}
	return table.Payload{A: a}
}

func (o *outlook) unpack(p table.Payload, mover, seats int) {
	if p.A>>openAt&1 == 0 {
		o.decided = true
		o.distance = int(p.A >> winAt)
		if o.winner = int(p.A>>winnerAt&7) + mover; o.winner >= seats {
			o.winner -= seats
		}
		return
	}
	width := overWidth(seats)
	most := 1<<width - 1
	bits, s := p.A>>overAt, mover
	for range seats {
		over := int(bits) & most
		if over == most {
			over = endless
		}
		o.over[s] = max(o.over[s], over)
		bits >>= width
		if s++; s == seats {
			s = 0
		}
	}
}

// mergeOutlooks returns the function that combines two payloads of one position.
func mergeOutlooks(seats int) func(old, new table.Payload) table.Payload {
	return func(old, new table.Payload) table.Payload {
		m := hinted(new)
		if m == game.NoMove {
			m = hinted(old)
		}
		var o outlook
		o.unpack(old, 0, seats)
		o.unpack(new, 0, seats)
		return o.pack(m, 0, seats)
	}
}

// outcomeScore is the score of an outcome for a seat: left is the plies left plus one; a
// negative winner means a draw.
func outcomeScore(seat, winner, left int) int {
	switch {
	case winner < 0:
		return 0
	case winner == seat:
		return left
	}
	return -left
}

// asker is a question about a position: which outcomes matter to the positions above.
type asker struct {
	seat  int // the seat that moved here, or −1 if everything matters
	score int // the seat asks whether it gets more than this score
	// last says that the last move of the position above led here. Then only a win of the seat only
	// matters.
	last bool
	only int
}

var everything = asker{seat: -1}

// most is the best score that a seat may still have with d plies left.
func (o *outlook) most(seat, d int) int { return max(0, d-o.over[seat]) }

// maxn returns the outcome of the current position with d plies left: winner (−1: draw) and
// plies left plus one. If not exact, it says only that the asking seat gets at most ask.score.
// The result is void if w.stopped.
func (w *worker) maxn(d int, ask asker) (winner, left int, exact bool) {
	return w.maxnVisit(d, ask, nil)
}

// asksMaxN is an iteration of maxn.
func asksMaxN(depth int) func(*worker) answer {
	return func(w *worker) answer {
		winner, left, exact := w.maxn(depth, everything)
		return answer{a: winner, b: left, exact: exact}
	}
}

// maxnVisit is maxn; s, if not nil, is the table's entry for the position.
func (w *worker) maxnVisit(d int, ask asker, s *seen) (winner, left int, exact bool) {
	if !w.enter() {
		return -1, 0, false
	}
	if r := w.state.Result(); r != game.Ongoing {
		w.counts.Terminals++
		if r < 0 {
			return -1, 0, true
		}
		return int(r), d + 1, true
	}
	if d <= 0 {
		w.horizon = true
		return -1, 0, true
	}
	mover := w.state.Seat()
	var o outlook
	if w.racer != nil {
		if ask.seat >= 0 && ask.score >= 0 {
			o.over[ask.seat] = w.outlookOver(ask.seat, mover)
			if o.most(ask.seat, d) <= ask.score {
				w.horizon = w.horizon || o.over[ask.seat] < endless
				return -1, 0, false
			}
		}
		for s := range w.seats {
			o.over[s] = w.outlookOver(s, mover)
		}
		if w.nobody(&o, d) {
			return -1, 0, true
		}
	}
	f := w.at()
	best, m := game.NoMove, game.NoMove
	met, start := w.horizon, w.counts.Nodes
	f.question = question{d: d, seat: mover, ask: ask}
	for asked := false; ; asked = true {
		w.horizon = met
		if w.tab != nil && d > w.shallow {
			if p, ok := w.look(f, s, asked); ok {
				best = w.actual(hinted(p), f.sym)
				o.unpack(p, mover, w.seats)
				if winner, left, exact, ok = w.outcome(&o, d, ask); ok {
					return winner, left, exact
				}
			}
			s = nil
		}
		w.horizon = false
		if winner, left, exact, m = w.maxnMoves(f, &o, mover, d, ask, best); !w.stopped {
			break
		}
		if !w.resumes() {
			return -1, 0, false
		}
	}
	w.horizon = w.horizon && !(exact && winner >= 0) // more plies change no winner, see above
	if w.tab != nil && d > w.shallow {
		if exact {
			w.learnOutcome(&o, winner, left, d)
		}
		w.store(f, o.pack(w.canonical(m, f.sym), mover, w.seats), w.counts.Nodes-start+1)
	}
	w.horizon = w.horizon || met
	return winner, left, exact
}

// outcome reports whether an outlook answers a question about a position with d plies left, and
// the answer, as maxn returns it. It sets w.horizon if more plies may change the answer.
func (w *worker) outcome(o *outlook, d int, ask asker) (winner, left int, exact, ok bool) {
	switch {
	case o.decided && o.distance <= d:
		return o.winner, d + 1 - o.distance, true, true
	case o.decided:
		w.horizon = true
		return -1, 0, true, true
	case w.nobody(o, d):
		return -1, 0, true, true
	case ask.seat >= 0 && o.most(ask.seat, d) <= ask.score:
		w.horizon = w.horizon || o.over[ask.seat] < endless
		return -1, 0, false, true
	}
	return -1, 0, false, false
}

// foreseeOutcome looks up the position after a move without making it; seat mover is to move
// there with d plies left. It reports whether the table answers the question.
func (w *worker) foreseeOutcome(s *seen, mover, d int, ask asker) (winner, left int, exact, ok bool) {
	if s.payload, s.known = w.recall(s.address); !s.known {
		return -1, 0, false, false
	}
	var o outlook
	o.unpack(s.payload, mover, w.seats)
	return w.outcome(&o, d, ask)
}

// outlookOver is raceOver as an outlook stores it: large bounds are capped below endless.
func (w *worker) outlookOver(seat, mover int) int {
	if over := w.raceOver(seat, mover); over < infinite {
		return min(over, endless-1)
	}
	return endless
}

// nobody reports whether no seat can win within d plies. It sets w.horizon if more plies may
// change that.
func (w *worker) nobody(o *outlook, d int) bool {
	least := endless
	for s := range w.seats {
		least = min(least, o.over[s])
	}
	if least < d {
		return false
	}
	w.horizon = w.horizon || least < endless
	return true
}

func (w *worker) learnOutcome(o *outlook, winner, left, d int) {
	if winner >= 0 {
		o.decided, o.winner, o.distance = true, winner, d+1-left
		return
	}
	for s := range w.seats {
		if w.horizon {
			o.over[s] = max(o.over[s], d)
		} else {
			o.over[s] = endless
		}
	}
}

// maxnMoves searches the moves of a position. If the result is not exact, it is added to o.
func (w *worker) maxnMoves(f *frame, o *outlook, mover, d int, ask asker, first game.Move) (winner, left int, exact bool, best game.Move) {
	most := o.most(mover, d)
	best = first
	const none = -1 << 30
	top, topPlace := none, -1 // the mover's best score and the move's place
	winner = -1
	after := mover + 1
	if after == w.seats {
		after = 0
	}
	it := w.iterate(f, d, first, most == d, -1)
	defer it.end(w)
	if d > 1 && o.over[after] == 1 && w.threats != nil && w.others(o, mover, after) && it.listAgainst(w) {
		// Any other move loses at once, and nothing is worse.
		top, winner, left, best = 1-d, after, d-1, game.NoMove
		if ask.seat >= 0 && ask.seat != mover {
			if v := leaves(top, o.most(ask.seat, d)); v <= ask.score {
				w.counts.Cutoffs++
				w.learnAtMost(o, ask.seat, v, d)
				return -1, 0, false, best
			}
		}
	}
	for it.next(w) {
		sub := everything
		if top > none {
			sub.seat, sub.score = mover, top
			if top < 0 && it.place < topPlace {
				sub.score--
			}
		}
		if w.pruning && it.last() && ask.seat >= 0 && ask.seat != mover && ask.score >= 0 &&
			(top == none || outcomeScore(ask.seat, winner, left) <= ask.score) {
			sub.last, sub.only = true, ask.seat
		}
		var s *seen
		var cw, cl int
		ok, answered := false, false
		if it.address != nil {
			s = &w.seen
			s.address = it.address
			cw, cl, ok, answered = w.foreseeOutcome(s, after, d-1, sub)
		}
		if !answered {
			if it.putOff(w) {
				continue
			}
			w.play(it.move)
			cw, cl, ok = w.maxnVisit(d-1, sub, s)
			w.back()
		}
		it.done()
		if w.stopped {
			return -1, 0, false, best
		}
		if !ok {
			if sub.last {
				// After any result of this move the asking seat gets at most its threshold.
				w.counts.Cutoffs++
				w.learnAtMost(o, ask.seat, ask.score, d)
				return -1, 0, false, best
			}
			continue
		}
		v := outcomeScore(mover, cw, cl)
		better := v > top
		if better || v == top && it.place < topPlace {
			top, topPlace, best = v, it.place, it.move
			winner, left = cw, cl
		}
		if top >= most && top >= 0 {
			if top == 0 && o.over[mover] < endless {
				w.horizon = true
			}
			w.counts.Cutoffs++
			w.reward(f, mover, it.move, d)
			return winner, left, true, best
		}
		if w.denied(f, o, it.move, mover, top, d, ask) {
			return -1, 0, false, best
		}
		switch {
		case better && top >= 0:
			// Only a sooner win is better: slower moves are left out.
			it.within(w, w.turnsLeft(1<<mover, mover, d-top))
		// Of equal losses the first in order counts, so list the moves.
		case top < 0 && topPlace < 0:
			it.listAll(w)
			topPlace = slices.Index(it.moves, best)
		}
	}
	w.horizon = w.horizon || top == 0 && !it.all
	return winner, left, true, best
}

// denied reports whether the mover's best score, reached by a move, answers the question: it
// leaves the asking seat no more than its threshold, or, at a last move, it is no loss while
// only another seat's win matters. It adds the most that this seat gets to o. An asking seat
// that cannot win within d plies has been answered before, so here a loss of the mover leaves it
// more than a draw.
func (w *worker) denied(f *frame, o *outlook, move game.Move, mover, top, d int, ask asker) bool {
	if ask.seat >= 0 && ask.seat != mover {
		if v := leaves(top, o.most(ask.seat, d)); v <= ask.score {
			w.counts.Cutoffs++
			w.reward(f, mover, move, d)
			w.learnAtMost(o, ask.seat, v, d)
			return true
		}
	}
	if ask.last && mover != ask.only && top >= 0 {
		w.counts.Cutoffs++
		w.learnAtMost(o, ask.only, -top, d)
		return true
	}
	return false
}

// others reports whether only the mover and the next seat can win within two plies.
func (w *worker) others(o *outlook, mover, after int) bool {
	for s := range w.seats {
		if s != mover && s != after && o.over[s] < 2 {
			return false
		}
	}
	return true
}

// leaves returns an upper bound on the score of another seat if the mover has score top. most is
// the upper bound without the mover's score.
func leaves(top, most int) int {
	if top >= 0 {
		return -top
	}
	return min(-top, most)
}

// learnAtMost adds to o that the score of a seat is at most v. If v is less than a draw, another
// seat wins at every horizon.
func (w *worker) learnAtMost(o *outlook, seat, v, d int) {
	switch {
	case v > 0:
		o.over[seat] = max(o.over[seat], d-v)
	case v == 0 && w.horizon:
		o.over[seat] = max(o.over[seat], d)
	default:
		o.over[seat] = endless
		w.horizon = false
	}
}
