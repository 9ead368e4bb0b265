package retro

import (
	"context"
	"errors"
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

// explorer lists all positions reached from the start, depth first, with one state. Positions are
// numbered in the order in which moves to them are first seen.
type explorer struct {
	*keyed
	mover
	samples
	o     Options
	path  parts[waypoint]
	tries parts[try]    // untried moves of the positions on the path
	lists parts[uint32] // for each position with moves its number, their number, and where they lead

	keys   []uint64 // keys after the moves of a position
	hashes []uint64
	touch  uint64
}

// waypoint is a position on the path: the move that led to it, and the height of tries before its
// own moves.
type waypoint struct {
	move  game.Move
	tries int
}

// try is a move to try, and the number of the position after it.
type try struct {
	move game.Move
	n    uint32
}

func newExplorer(g game.Game, o Options) *explorer {
	return &explorer{keyed: newKeyed(g), mover: newMover(g), o: o}
}

// explore lists all positions and returns their graph.
func (x *explorer) explore(ctx context.Context, space *planes, report func(positions uint64)) (g *graph, err error) {
	defer game.Guard(&err, x.game, x.state, func() game.State {
		s := x.game.Start()
		for i := 1; i < x.path.n; i++ {
			s.Make(x.path.at(i).move)
		}
		return s
	})
	if err := x.list(ctx, report); err != nil {
		return nil, x.named(err)
	}
	x.path, x.tries = parts[waypoint]{}, parts[try]{}
	if err := space.take(fmt.Sprintf("%d positions", x.n), x.bytes()); err != nil {
		return nil, err
	}
	if g, err = emptyGraph(x.game, x.keyed, space); err != nil {
		return nil, err
	}
	for n := range uint32(x.n) {
		g.what[n] = *x.what(n)
	}
	x.follow(func(from, to uint32) { g.degree[from], g.from[to] = g.degree[from]+1, g.from[to]+1 })
	if err = g.index(); err == nil {
		x.follow(func(from, to uint32) { g.enter(to, from) })
	}
	space.give(x.lists.bytes())
	x.lists = parts[uint32]{}
	return g, err
}

// follow calls do for each move.
func (x *explorer) follow(do func(from, to uint32)) {
	for at := 0; at < x.lists.n; {
		from, moves := *x.lists.at(at), int(*x.lists.at(at + 1))
		for at += 2; moves > 0; moves-- {
			do(from, *x.lists.at(at))
			at++
		}
	}
}

// named completes an error about two positions with one key.
func (x *explorer) named(err error) error {
	if unlike, ok := errors.AsType[*unlikeError](err); ok && unlike.there == "" {
		unlike.there = x.first(unlike.n)
	}
	return err
}

// list walks from the start.
func (x *explorer) list(ctx context.Context, report func(positions uint64)) error {
	var key [maxWords]uint64
	x.keyer.Key(key[:x.words])
	if err := x.arrive(x.add(key[:x.words], hash(key[:x.words])), 0); err != nil {
		return err
	}
	for entered := 0; x.path.n > 0; {
		if x.tries.n == x.path.at(x.path.n-1).tries {
			if x.path.cut(x.path.n - 1); x.path.n > 0 {
				x.state.Unmake()
			}
			continue
		}
		t := *x.tries.at(x.tries.n - 1)
		x.tries.n--
		if *x.what(t.n) != 0 {
			if err := x.meetAgain(t.n, t.move); err != nil {
				return err
			}
			continue
		}
		if entered++; entered%(1<<10) == 1 {
			x.o.Pause()
			if report(uint64(x.n)); ctx.Err() != nil {
				return ctx.Err()
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
	result := x.state.Result()
	if *x.what(n) = what(x.state.Seat(), result); result != game.Ongoing {
		if x.path.n > 0 {
			x.state.Unmake()
		}
		return nil
	}
	if err := x.listMoves(); err != nil {
		return err
	}
	if err := x.fits(); err != nil {
		return err
	}
	x.path.push(waypoint{move, x.tries.n})
	return x.expand(n)
}

// expand looks up where the moves of the current position lead. It first touches the memory of all
// of them, so that reads overlap.
func (x *explorer) expand(n uint32) error {
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
	x.lists.push(n)
	x.lists.push(uint32(len(x.moves)))
	for i := len(x.moves) - 1; i >= 0; i-- { // the first move is tried first
		to := x.add(x.keys[i*x.words:][:x.words], x.hashes[i])
		x.lists.push(to)
		if *x.what(to) == 0 {
			x.tries.push(try{x.moves[i], to})
		} else if err := x.meetAgain(to, x.moves[i]); err != nil {
			return err
		}
	}
	return nil
}

// meetAgain compares the position after a move with the first position of its number, if that is a
// sample.
func (x *explorer) meetAgain(n uint32, move game.Move) error {
	if !x.sampled(n) {
		return nil
	}
	x.state.Make(move)
	defer x.state.Unmake()
	return x.again(x.state, n)
}

// bytes is the memory in use.
func (x *explorer) bytes() uint64 {
	return x.keyed.bytes() + x.path.bytes() + x.tries.bytes() + x.lists.bytes() + x.samples.bytes
}

// fits returns an error if the memory in use exceeds the budget, or if numbers run out.
func (x *explorer) fits() error {
	if need := x.bytes() + other; x.o.Memory > 0 && need > x.o.Memory {
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
