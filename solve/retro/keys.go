package retro

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"perfectplay/game"
)

// keys numbers positions in the order of discovery.
type keys struct {
	width int        // words of a key
	words [][]uint64 // keys by number, keyChunk of them together: they are never moved
	n     uint32
	table []uint32 // number + 1 by hash, 0 for none; its size is a power of two
}

const keyChunk = 1 << 14

func (k *keys) count() int { return int(k.n) }

func (k *keys) key(n uint32) []uint64 {
	return k.words[n/keyChunk][int(n%keyChunk)*k.width:][:k.width]
}

// bytes is the memory in use and for the next key.
func (k *keys) bytes() uint64 {
	chunks, table := uint64(len(k.words)), uint64(len(k.table))
	if k.n%keyChunk == 0 {
		chunks++
	}
	if uint64(k.n+1)*2 > table {
		table *= 3 // the new table beside the old one
	}
	return chunks*keyChunk*uint64(8*k.width) + 4*table
}

// hash mixes a key.
func hash(key []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range key {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// place is the index of a key in the table, or of the free entry for it.
func (k *keys) place(key []uint64) int {
	mask := len(k.table) - 1
	for i := int(hash(key)) & mask; ; i = (i + 1) & mask {
		n := k.table[i]
		if n == 0 {
			return i
		}
		same := true
		for j, w := range k.key(n - 1) {
			same = same && key[j] == w
		}
		if same {
			return i
		}
	}
}

func (k *keys) find(s game.State) (uint32, bool) {
	keyer, ok := s.(game.Keyer)
	if !ok || keyer.KeyWords() != k.width {
		return 0, false
	}
	var key [6]uint64
	keyer.Key(key[:k.width])
	n := k.table[k.place(key[:k.width])]
	return n - 1, n != 0
}

// add returns the number of a key, and whether it is new.
func (k *keys) add(key []uint64) (n uint32, fresh bool) {
	i := k.place(key)
	if k.table[i] != 0 {
		return k.table[i] - 1, false
	}
	n = k.n
	if n%keyChunk == 0 {
		k.words = append(k.words, make([]uint64, keyChunk*k.width))
	}
	k.n++
	copy(k.key(n), key)
	k.table[i] = n + 1
	if k.count()*2 > len(k.table) {
		k.table = make([]uint32, 2*len(k.table))
		for old := range uint32(k.count()) {
			k.table[k.place(k.key(old))] = old + 1
		}
	}
	return n, true
}

// move is a move of the graph.
type move struct{ from, to uint32 }

// chunk is the number of moves allocated together.
const chunk = 1 << 16

// explorer walks depth-first through all positions reached from the start, with one state.
type explorer struct {
	*graph
	state game.State
	keyer game.Keyer
	moves [][]move
	total uint64
	list  []game.Move // of the positions on the path
	way   []waypoint
	met   []uint64 // a bit for each number met if the keys are complete, else nil
	samples
}

// waypoint is a position on the path; its untried moves are a part of the list of moves.
type waypoint struct {
	n               uint32
	first, next, to int
}

func newExplorer(rules game.Game, space *planes) *explorer {
	x := &explorer{state: rules.Start()}
	x.keyer = x.state.(game.Keyer)
	x.graph = &graph{game: rules, space: space, keys: &keys{width: x.keyer.KeyWords(), table: make([]uint32, 1<<10)}}
	return x
}

// explore lists the positions reached from the start, by their keys, and their moves.
func explore(ctx context.Context, rules game.Game, space *planes, threads, layers int, met func(uint64)) (_ *graph, err error) {
	x := newExplorer(rules, space)
	defer game.Guard(&err, rules, x.state, x.replay)
	steps := 0
	err = x.walk(func(from *waypoint, n uint32, fresh bool) error {
		if steps++; steps%(1<<10) == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			met(uint64(x.keys.count()))
		}
		if from != nil {
			x.link(from.n, n)
		}
		if need := x.bytes(threads, layers); space.allowed > 0 && need > space.allowed {
			return &MemoryError{What: fmt.Sprintf("there are more than %d positions", x.keys.count()-1), Bytes: need, Allowed: space.allowed}
		} else if x.keys.n == math.MaxUint32-1 {
			return fmt.Errorf("there are more than %d positions", x.keys.n)
		}
		return x.meet(n, fresh)
	}, func(f *waypoint) error {
		moves := f.to - f.first
		if moves == 0 {
			return fmt.Errorf("position %s has no moves, and the game is not over", x.state)
		} else if moves > wideMax {
			return fmt.Errorf("position %s has %d moves: at most %d are possible", x.state, moves, wideMax)
		}
		x.degree[f.n] = uint16(moves)
		return nil
	})
	if err == nil {
		err = x.play(ctx)
	}
	var unlike *unlikeError
	if errors.As(err, &unlike) {
		unlike.there = cmp.Or(unlike.there, x.first(ctx, unlike.n))
	}
	if err != nil {
		return nil, err
	}
	x.finish()
	return x.graph, space.take("positions", x.graph.bytes())
}

// walk calls arrive at the start and at each position that a move leads to, with the position
// before, and leave after all moves of a position. It makes the moves of the first position met of
// a key.
func (x *explorer) walk(arrive func(from *waypoint, n uint32, fresh bool) error, leave func(f *waypoint) error) error {
	var above *waypoint
	for {
		n, fresh := x.number()
		if err := arrive(above, n, fresh); err != nil {
			return err
		}
		if fresh && x.state.Result() == game.Ongoing {
			first := len(x.list)
			x.list = x.state.Moves(x.list)
			x.way = append(x.way, waypoint{n, first, first, len(x.list)})
		} else if len(x.way) > 0 {
			x.state.Unmake()
		}
		for {
			if len(x.way) == 0 {
				return nil
			}
			above = &x.way[len(x.way)-1]
			if above.next < above.to {
				break
			}
			if err := leave(above); err != nil {
				return err
			}
			x.list = x.list[:above.first]
			if x.way = x.way[:len(x.way)-1]; len(x.way) > 0 {
				x.state.Unmake()
			}
		}
		above.next++
		x.state.Make(x.list[above.next-1])
	}
}

// replay returns a new state at the last listed position of the path.
func (x *explorer) replay() game.State {
	s := x.game.Start()
	for _, f := range x.way[:max(len(x.way)-1, 0)] {
		s.Make(x.list[f.next-1])
	}
	return s
}

// first walks once more to find the text of the first position with a number.
func (x *explorer) first(ctx context.Context, n uint32) (text string) {
	again := newExplorer(x.game, x.space)
	found := errors.New("found")
	steps := 0
	_ = again.walk(func(_ *waypoint, at uint32, _ bool) error {
		if at == n {
			text = again.state.String()
			return found
		}
		if steps++; steps%(1<<10) == 0 {
			return ctx.Err()
		}
		return nil
	}, func(*waypoint) error { return nil })
	return text
}

// bytes is the memory in use and for the lists of positions before.
func (x *explorer) bytes(threads, layers int) uint64 {
	n := uint64(x.keys.count())
	perPosition := n*uint64(2*3+4+layers) + uint64(threads)*(n>>leastBits+1)*bucket*4
	return x.keys.bytes() + perPosition + x.total*12 + uint64(len(x.way))*64 + uint64(len(x.list))*9 + x.samples.bytes
}

// number returns the number of the current position, and whether it is new.
func (x *explorer) number() (n uint32, fresh bool) {
	if x.met != nil {
		n, _ = x.keys.find(x.state)
		word, bit := &x.met[n/64], uint64(1)<<(n%64)
		fresh = *word&bit == 0
		*word |= bit
		return n, fresh
	}
	var key [6]uint64
	x.keyer.Key(key[:x.keys.width])
	return x.keys.add(key[:x.keys.width])
}

// meet records a new position; a known one must equal the record.
func (x *explorer) meet(n uint32, fresh bool) error {
	what := describe(x.state.Seat(), x.state.Result())
	if fresh {
		x.what, x.degree = append(x.what, what), append(x.degree, 0)
		if n >= 1<<10 && n%64 != 0 {
			return nil
		}
		if err := compare(x.game, x.state); err != nil {
			return err
		}
		x.samples.add(n, x.state.String())
		return nil
	}
	return x.again(x.state, n)
}

// again compares a position with the first one of its number.
func (x *explorer) again(s game.State, n uint32) error {
	if old := x.what[n]; old != describe(s.Seat(), s.Result()) {
		seat, r := int(old>>5), game.Result(old>>1&15)-2
		if w, ok := r.Winner(); ok && x.game.Seats() == 2 { // a symmetry may exchange the seats
			r, seat = game.Result((w+s.Seat()-seat+2)%2), s.Seat()
		} else if x.game.Seats() == 2 {
			seat = s.Seat()
		}
		if r != s.Result() || seat != s.Seat() {
			return &unlikeError{n: n, here: s.String(), why: fmt.Sprintf("the first is %s with seat %d to move, the second %s with seat %d", words(r), seat, words(s.Result()), s.Seat())}
		}
	}
	if n < 1<<10 || n%64 == 0 {
		if text := s.String(); x.samples.wants(n, text) {
			return x.alike(s, n)
		}
	}
	return nil
}

// compare reads a position from its text: its properties must not depend on the way.
func compare(g game.Game, at game.State) error {
	text := at.String()
	s, err := g.Parse(text)
	if err != nil {
		return fmt.Errorf("position %s does not read back: %w", text, err)
	}
	if !sameKey(s, at) {
		return fmt.Errorf("position %s has another key when it is read from its text: the key depends on the way there", text)
	}
	if s.Result() != at.Result() || s.Seat() != at.Seat() {
		return fmt.Errorf("position %s has result %d, and %d when it is read from its text, or another seat: the result depends on the way there", text, at.Result(), s.Result())
	}
	if s.Result() == game.Ongoing {
		if here, there := at.Moves(nil), s.Moves(nil); !slices.Equal(here, there) {
			return fmt.Errorf("position %s has %d moves, and %d when it is read from its text, or others: moves depend on the way there", text, len(here), len(there))
		}
	}
	return nil
}

func (x *explorer) link(from, to uint32) {
	if x.total%chunk == 0 {
		x.moves = append(x.moves, make([]move, 0, chunk))
	}
	last := &x.moves[len(x.moves)-1]
	*last = append(*last, move{from, to})
	x.total++
}

// finish lists the positions before each position.
func (x *explorer) finish() {
	x.from, x.pred = make([]uint32, x.keys.count()), make([]uint32, x.total)
	for _, c := range x.moves {
		for _, m := range c {
			x.from[m.to]++
		}
	}
	x.index()
	for _, c := range x.moves {
		for _, m := range c {
			x.enter(m.to, m.from)
		}
	}
	x.moves = nil
}
