package retro

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"perfectplay/game"
)

// mover lists the moves of positions by keys.
type mover struct {
	state game.State
	keyer game.Keyer
	next  game.NextKeyer // nil if the game has none
	width int            // words of a key
	moves []game.Move
}

func newMover(g game.Game) mover {
	m := mover{state: g.Start()}
	m.keyer = m.state.(game.Keyer)
	m.next, _ = m.state.(game.NextKeyer)
	m.width = m.keyer.KeyWords()
	return m
}

// listMoves lists the moves of the current position, which is not finished.
func (m *mover) listMoves() error {
	m.moves = m.state.Moves(m.moves[:0])
	if n := len(m.moves); n == 0 {
		return fmt.Errorf("position %s has no moves, and the game is not over", m.state)
	} else if n > wideMax {
		return fmt.Errorf("position %s has %d moves: at most %d are possible", m.state, n, wideMax)
	}
	return nil
}

// replyKeys appends the key after each of the listed moves.
func (m *mover) replyKeys(keys []uint64) []uint64 {
	n := len(keys)
	keys = append(keys, make([]uint64, len(m.moves)*m.width)...)
	for _, move := range m.moves {
		to := keys[n : n+m.width]
		if m.next != nil {
			m.next.NextKey(move, to)
		} else {
			m.state.Make(move)
			m.keyer.Key(to)
			m.state.Unmake()
		}
		n += m.width
	}
	return keys
}

// explorer walks through all positions reached from the start, depth first, with one state. It
// leaves a position when the positions after all of its moves are known; then its own value is, or
// it waits on the stack of open positions for one on the path that it leads back to. Such a one
// and all above it on the stack lead to each other: see [explorer.solve].
type explorer struct {
	*keyed
	mover
	samples
	o       Options
	work    *work
	resumed bool

	path  parts[waypoint]
	tries parts[try]    // untried moves of the positions on the path
	back  parts[uint32] // moves of these to open positions, by number
	best  parts[int16]  // best replies of these, by layer
	opens opens
	order parts[uint32] // of open positions by number: when they were entered; empty until a move leads to one
	clock uint32        // positions entered

	keys   []uint64 // after the moves of a position
	hashes []uint64
	touch  uint64
}

// waypoint is a position on the path.
type waypoint struct {
	n          uint32
	since, low uint32    // when it was entered, and the earliest position that it leads back to
	move       game.Move // to it
	seat       uint8
	first      stackMarks
}

// stackMarks is where a position's own begin on the stacks.
type stackMarks struct{ tries, back, opens, edges int }

// try is a move to try, and where it leads.
type try struct {
	move game.Move
	n    uint32
}

func newExplorer(g game.Game, layers int, o Options) *explorer {
	return &explorer{keyed: newKeyed(g, layers), mover: newMover(g), o: o, work: openWork(g, o, []any{Keys, layers})}
}

// explore finds the values of all positions reached from the start.
func (x *explorer) explore(ctx context.Context) (err error) {
	defer game.Guard(&err, x.keyed.game, x.state, x.replay)
	if err = x.load(); err == nil {
		err = x.walk(ctx)
	}
	if err == nil {
		err = x.games(ctx)
	}
	if unlike, ok := errors.AsType[*unlikeError](err); ok && unlike.there == "" {
		unlike.there = x.first(unlike.n)
	}
	if x.work != nil && (err == nil || ctx.Err() != nil) { // a whole solution stays for the next run
		err = cmp.Or(x.save(), err)
	}
	return err
}

// walk walks from the start.
func (x *explorer) walk(ctx context.Context) error {
	var key [maxWords]uint64
	x.keyer.Key(key[:x.words])
	n := x.add(key[:x.words], hash(key[:x.words]))
	if x.known(n) {
		return nil
	}
	if err := x.arrive(n, 0); err != nil {
		return err
	}
	for x.path.n > 0 {
		at := x.path.at(x.path.n - 1)
		if x.tries.n == at.first.tries {
			if err := x.leave(at); err != nil {
				return err
			}
			continue
		}
		t := *x.tries.at(x.tries.n - 1)
		x.tries.n--
		if x.codes(t.n)[0] != unmet {
			if err := x.lead(at, t.n, t.move); err != nil {
				return err
			}
			continue
		}
		if x.clock%(1<<10) == 0 {
			x.o.Pause()
			x.o.Tell(Progress{Steps: x.layers, Decided: uint64(x.n)})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if x.work.due() {
				if err := x.save(); err != nil {
					return err
				}
			}
		}
		x.state.Make(t.move)
		if err := x.arrive(t.n, t.move); err != nil {
			return err
		}
	}
	return nil
}

// arrive enters the current position, to which a move has led for the first time.
func (x *explorer) arrive(n uint32, move game.Move) error {
	if x.sampled(n) {
		if err := x.meet(n); err != nil {
			return err
		}
	}
	seat := x.state.Seat()
	if result := x.state.Result(); result != game.Ongoing {
		var scores [1 << (MaxSeats - 1)]int16
		for l := range x.layers {
			scores[l] = x.final(l, seat, result)
		}
		x.decide(n, seat, scores[:x.layers])
		x.clock++
		if x.path.n > 0 {
			x.state.Unmake()
			return x.take(x.path.at(x.path.n-1), n)
		}
		return nil
	}
	if err := x.listMoves(); err != nil {
		return err
	}
	if err := x.fits(0); err != nil {
		return err
	}
	x.codes(n)[0] = met
	x.path.push(waypoint{n: n, since: x.clock, low: x.clock, move: move, seat: uint8(seat), first: stackMarks{x.tries.n, x.back.n, x.opens.list.n, x.opens.edges.n}})
	if x.order.n > 0 {
		x.order.grow(x.n)
		*x.order.at(int(n)) = x.clock
	}
	x.clock++
	for range x.layers {
		x.best.push(unsolved)
	}
	return x.expand(x.path.at(x.path.n - 1))
}

// expand looks up where the moves of the current position lead. It asks for all before it looks at
// one, so that many reads of memory are under way at once.
func (x *explorer) expand(at *waypoint) error {
	x.keys, x.hashes = x.replyKeys(x.keys[:0]), x.hashes[:0]
	touch := uint64(0)
	for k := 0; k < len(x.keys); k += x.words {
		h := hash(x.keys[k : k+x.words])
		x.hashes = append(x.hashes, h)
		if s := &x.slots[h>>(64-slotBits)]; len(s.list) > 0 {
			touch += uint64(s.list[s.first(h)])
		}
	}
	for _, h := range x.hashes {
		if s := &x.slots[h>>(64-slotBits)]; len(s.list) > 0 {
			if e, mask := s.list[s.first(h)], uint32(1)<<s.bits-1; e != 0 && e&^mask == uint32(h>>32)<<s.bits {
				touch += uint64(x.record(e&mask - 1)[0])
			}
		}
	}
	x.touch += touch
	for i := len(x.moves) - 1; i >= 0; i-- { // the first move is tried first
		n := x.add(x.keys[i*x.words:][:x.words], x.hashes[i])
		if x.codes(n)[0] == unmet {
			x.tries.push(try{x.moves[i], n})
		} else if err := x.lead(at, n, x.moves[i]); err != nil {
			return err
		}
	}
	return nil
}

// lead takes note of a move from the last position of the path to one that was entered before.
func (x *explorer) lead(at *waypoint, n uint32, move game.Move) error {
	if x.sampled(n) {
		x.state.Make(move)
		err := x.again(x.state, n)
		x.state.Unmake()
		if err != nil {
			return err
		}
	}
	if x.known(n) {
		return x.take(at, n)
	}
	if x.order.n == 0 { // only the path is open
		x.order.grow(x.n)
		for i := range x.path.n {
			at := x.path.at(i)
			*x.order.at(int(at.n)) = at.since
		}
	}
	at.low = min(at.low, *x.order.at(int(n)))
	x.back.push(n)
	return nil
}

// take takes the known value of a reply to a position on the path.
func (x *explorer) take(at *waypoint, n uint32) error {
	best := x.best.n - x.layers
	for l := range x.layers {
		score := x.score(n, l)
		if score == 1 || score == -1 {
			return errTooLong
		}
		b := x.best.at(best + l)
		*b = max(*b, x.ahead(l, int(at.seat), score))
	}
	return nil
}

var errTooLong = fmt.Errorf("a forced win takes more than %d plies", MaxDistance)

// leave leaves the last position of the path: all of its moves were tried.
func (x *explorer) leave(at *waypoint) error {
	n, low, first := at.n, at.low, at.first
	switch {
	case x.back.n == first.back && low == at.since:
		var scores [1 << (MaxSeats - 1)]int16
		for l := range x.layers {
			scores[l] = *x.best.at(x.best.n - x.layers + l)
		}
		x.decide(n, int(at.seat), scores[:x.layers])
	default:
		x.opens.list.push(member{n, uint16(x.back.n - first.back), at.seat})
		for i := first.back; i < x.back.n; i++ {
			x.opens.edges.push(*x.back.at(i))
		}
		for l := range x.layers {
			x.opens.best.push(*x.best.at(x.best.n - x.layers + l))
		}
		if low == at.since {
			if err := x.solve(first.opens, first.edges); err != nil {
				return err
			}
		}
	}
	x.back.cut(first.back)
	x.best.cut(x.best.n - x.layers)
	x.path.cut(x.path.n - 1)
	if x.path.n == 0 {
		return nil
	}
	x.state.Unmake()
	above := x.path.at(x.path.n - 1)
	if low == at.since {
		return x.take(above, n)
	}
	above.low = min(above.low, low)
	x.back.push(n)
	return nil
}

// fits returns an error if the memory in use and more bytes exceed the budget, or the positions the
// numbers.
func (x *explorer) fits(more uint64) error {
	need := x.keyed.bytes() + x.path.bytes() + x.tries.bytes() + x.back.bytes() + x.best.bytes() + x.order.bytes() + x.opens.bytes() + x.samples.bytes + other + more
	if x.o.Memory > 0 && need > x.o.Memory {
		return &MemoryError{What: fmt.Sprintf("there are more than %d positions", x.n-1), Bytes: need, Allowed: x.o.Memory}
	} else if x.n+len(x.moves) >= mostKeyed {
		return fmt.Errorf("there are more than %d positions", x.n)
	}
	return nil
}

// replay returns a new state at the last position of the path.
func (x *explorer) replay() game.State {
	s := x.game.Start()
	for i := 1; i < x.path.n; i++ {
		s.Make(x.path.at(i).move)
	}
	return s
}

// first is the text of the position of a number that was entered.
func (x *explorer) first(n uint32) string {
	for at, s := range x.play() {
		if at == n {
			return s.String()
		}
	}
	return ""
}
