package retro

import (
	"cmp"
	"context"
	"fmt"

	"perfectplay/game"
)

// mover lists the moves of positions by keys.
type mover struct {
	state game.State
	keyer game.Keyer
	next  game.NextKeyer // nil if the game lacks this ability
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
	return checkMoves(m.state, len(m.moves))
}

// checkMoves checks the number of moves of a position that is not finished. A position is a state or
// a number.
func checkMoves(position any, moves int) error {
	if moves == 0 {
		return fmt.Errorf("position %v has no moves, and the game is not over", position)
	} else if moves > wideMax {
		return fmt.Errorf("position %v has %d moves: at most %d are possible", position, moves, wideMax)
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
// leaves a position when all of its moves were tried. If none of its replies is open then, its
// value is known. Else it leads back to a position on the path, and waits on the stack of open
// positions. A position on the path that leads back no further forms a cycle with all positions
// above it on the stack. The explorer solves these together when it leaves the position, see
// [explorer.solve]. (This is Tarjan's algorithm.)
type explorer struct {
	*keyed
	mover
	samples
	o       Options
	work    *work
	resumed bool

	path  parts[waypoint]
	tries parts[try]    // untried moves of the positions on the path
	back  parts[uint32] // numbers of open positions that moves from the path lead to
	best  parts[int16]  // best replies of the positions on the path, by layer
	opens opens
	// By number of an open position: the clock at its entry. The list is empty until a position is
	// open.
	order parts[uint32]
	clock uint32 // number of positions entered

	keys   []uint64 // keys after the moves of a position
	hashes []uint64
	touch  uint64
}

// waypoint is a position on the path.
type waypoint struct {
	n uint32
	// since is the clock at the entry of the position. low is the clock at the entry of the
	// earliest position to which it leads back.
	since, low uint32
	move       game.Move // move that led to the position
	seat       uint8
	first      stackMarks
}

// stackMarks are the heights of the stacks when a position was entered.
type stackMarks struct{ tries, back, opens, edges int }

// try is a move to try, and the number of the position after it.
type try struct {
	move game.Move
	n    uint32
}

func newExplorer(g game.Game, layers int, o Options) *explorer {
	return &explorer{keyed: newKeyed(g, layers), mover: newMover(g), o: o, work: newWork(g, o, []any{Keys, layers})}
}

// explore finds the values of all positions reached from the start.
func (x *explorer) explore(ctx context.Context) (err error) {
	defer game.Guard(&err, x.keyed.game, x.state, func() game.State {
		s := x.keyed.game.Start()
		for i := 1; i < x.path.n; i++ {
			s.Make(x.path.at(i).move)
		}
		return s
	})
	if err = x.load(); err == nil {
		err = x.walk(ctx)
	}
	if err == nil {
		err = x.games(ctx)
	}
	// Keep a complete solution for the next run, too.
	if x.work.dir != "" && (err == nil || ctx.Err() != nil) {
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
		for l := range x.layers {
			x.decide(n, l, seat, x.final(l, seat, result))
		}
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

// expand looks up where the moves of the current position lead. It first touches the memory of all
// of them, so that reads overlap.
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

// lead records a move from the last position of the path to a position entered before.
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
	if x.order.n == 0 { // no order yet: only positions on the path are open
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

// take improves the best replies of the last position of the path by a reply with known values.
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

// leave removes the last position from the path, whose moves were all tried.
func (x *explorer) leave(at *waypoint) error {
	n, low, first := at.n, at.low, at.first
	alone := x.back.n == first.back && low == at.since
	for l := range x.layers {
		if best := *x.best.at(x.best.n - x.layers + l); alone {
			x.decide(n, l, int(at.seat), best)
		} else {
			x.opens.best.push(best)
		}
	}
	if !alone {
		x.opens.list.push(member{n, uint16(x.back.n - first.back), at.seat})
		for i := first.back; i < x.back.n; i++ {
			x.opens.edges.push(*x.back.at(i))
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

// fits returns an error if the memory in use plus more bytes exceeds the budget, or if numbers run
// out.
func (x *explorer) fits(more uint64) error {
	need := x.keyed.bytes() + x.path.bytes() + x.tries.bytes() + x.back.bytes() + x.best.bytes() + x.order.bytes() + x.opens.bytes() + x.samples.bytes + other + more
	if x.o.Memory > 0 && need > x.o.Memory {
		return &MemoryError{What: fmt.Sprintf("there are more than %d positions", x.n-1), Bytes: need, Allowed: x.o.Memory}
	} else if x.n+len(x.moves) >= mostKeyed {
		return fmt.Errorf("there are more than %d positions", x.n)
	}
	return nil
}

// first is the text of the first position met with a number.
func (x *explorer) first(n uint32) string {
	for at, s := range x.play() {
		if at == n {
			return s.String()
		}
	}
	return ""
}
