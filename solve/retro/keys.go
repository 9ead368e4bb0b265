package retro

import (
	"context"
	"fmt"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/host"
)

// keys numbers positions as they are met.
type keys struct {
	width int      // words of a key
	words []uint64 // keys by number
	table []uint32 // number + 1 by hash, 0 for none; its size is a power of two
}

func (k *keys) count() int { return len(k.words) / k.width }

func (k *keys) key(n uint32) []uint64 { return k.words[int(n)*k.width:][:k.width] }

// hash mixes a key.
func hash(key []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range key {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// place is where a key is in the table, or should be.
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
	n = uint32(k.count())
	k.words = append(k.words, key...)
	k.table[i] = n + 1
	if k.count()*2 > len(k.table) {
		k.table = make([]uint32, 2*len(k.table))
		for old := range uint32(k.count()) {
			k.table[k.place(k.key(old))] = old + 1
		}
	}
	return n, true
}

// move is one in the graph.
type move struct{ from, to uint32 }

// chunk is how many moves are allocated at once.
const chunk = 1 << 16

// explorer walks through all that the start leads to, deep first, with one state.
type explorer struct {
	*graph
	state game.State
	keyer game.Keyer
	rules game.Game
	moves [][]move
	total uint64
	list  []game.Move // of the positions on the way
	way   []frame
}

// frame is a position on the way: its moves not yet made are a part of the list of moves.
type frame struct {
	n               uint32
	first, next, to int
}

// explore lists the positions that the start leads to, by their keys, and their moves.
func explore(ctx context.Context, rules game.Game, limit, memory uint64, layers int, met func(uint64)) (_ *graph, err error) {
	x := &explorer{rules: rules, state: rules.Start()}
	defer game.Guard(&err, rules, x.state, x.replay)
	x.keyer = x.state.(game.Keyer)
	x.graph = &graph{game: rules, space: new(host.Space), keys: &keys{width: x.keyer.KeyWords(), table: make([]uint32, 1<<10)}}
	limit = min(limit, 1<<32-2)
	enter := func(n uint32) {
		first := len(x.list)
		x.list = x.state.Moves(x.list)
		x.way = append(x.way, frame{n, first, first, len(x.list)})
	}
	n, _, err := x.meet()
	if err != nil {
		return nil, err
	}
	if x.state.Result() == game.Ongoing {
		enter(n)
	}
	for steps := 0; len(x.way) > 0; steps++ {
		if steps%(1<<14) == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			met(uint64(x.keys.count()))
		}
		f := &x.way[len(x.way)-1]
		if f.next == f.to {
			if moves := f.to - f.first; moves == 0 {
				return nil, fmt.Errorf("position %s has no moves, and the game is not over", x.state)
			} else if moves > wideMax {
				return nil, fmt.Errorf("position %s has %d moves: at most %d are possible", x.state, moves, wideMax)
			}
			x.degree[f.n] = uint16(f.to - f.first)
			x.list = x.list[:f.first]
			if x.way = x.way[:len(x.way)-1]; len(x.way) > 0 {
				x.state.Unmake()
			}
			continue
		}
		from, m := f.n, x.list[f.next]
		f.next++
		x.state.Make(m)
		to, fresh, err := x.meet()
		if err != nil {
			return nil, err
		}
		x.link(from, to)
		if have, need := uint64(x.keys.count()), x.bytes(len(x.way)+len(x.list), layers); have > limit || memory > 0 && need > memory {
			return nil, fmt.Errorf("more than %d positions can be reached: %d bytes of memory have no room for more", have-1, memory)
		}
		if fresh && x.state.Result() == game.Ongoing {
			enter(to)
		} else {
			x.state.Unmake()
		}
	}
	x.finish()
	return x.graph, nil
}

// replay returns a new state at the last position on the way that was listed.
func (x *explorer) replay() game.State {
	s := x.rules.Start()
	for _, f := range x.way[:max(len(x.way)-1, 0)] {
		s.Make(x.list[f.next-1])
	}
	return s
}

// bytes is what is taken, and will be when the positions before each are listed.
func (x *explorer) bytes(stack, layers int) uint64 {
	k := x.keys
	perPosition := uint64(cap(k.words)*8+len(k.table)*6) + uint64(k.count())*uint64(2*3+4+layers)
	return perPosition + x.total*12 + uint64(stack)*64
}

// meet returns the number of the position at hand. A position that has been met must be
// like then.
func (x *explorer) meet() (n uint32, fresh bool, err error) {
	var key [6]uint64
	x.keyer.Key(key[:x.keys.width])
	n, fresh = x.keys.add(key[:x.keys.width])
	what := describe(x.state.Seat(), x.state.Result())
	if fresh {
		x.what, x.degree = append(x.what, what), append(x.degree, 0)
		if n < 1<<10 || n%64 == 0 {
			err = x.compare(key[:x.keys.width])
		}
		return n, true, err
	}
	if old := x.what[n]; old != what {
		seat, r := int(old>>5), game.Result(old>>1&15)-2
		if w, ok := r.Winner(); ok && x.rules.Seats() == 2 { // a symmetry may exchange the seats
			r, seat = game.Result((w+x.state.Seat()-seat+2)%2), x.state.Seat()
		} else if x.rules.Seats() == 2 {
			seat = x.state.Seat()
		}
		if r != x.state.Result() || seat != x.state.Seat() {
			return 0, false, fmt.Errorf("position %s shares its key with one of another result or seat to move: result %d and seat %d, that has %d and %d",
				x.state, x.state.Result(), x.state.Seat(), r, seat)
		}
	}
	if d := int(x.degree[n]); d > 0 && x.total%64 == 0 {
		if moves := len(x.state.Moves(nil)); moves != d {
			return 0, false, fmt.Errorf("position %s has %d moves, and shares its key with one that has %d", x.state, moves, d)
		}
	}
	return n, false, nil
}

// compare reads the position at hand from its text: what it is must not depend on the way.
func (x *explorer) compare(key []uint64) error {
	text := x.state.String()
	s, err := x.rules.Parse(text)
	if err != nil {
		return fmt.Errorf("position %s does not read back: %w", text, err)
	}
	var again [6]uint64
	s.(game.Keyer).Key(again[:x.keys.width])
	if !slices.Equal(key, again[:x.keys.width]) {
		return fmt.Errorf("position %s has another key when it is read from its text: the key depends on the way there", text)
	}
	if s.Result() != x.state.Result() || s.Seat() != x.state.Seat() {
		return fmt.Errorf("position %s has result %d, and %d when it is read from its text: the result depends on the way there", text, x.state.Result(), s.Result())
	}
	if s.Result() == game.Ongoing {
		if here, there := x.state.Moves(nil), s.Moves(nil); !slices.Equal(here, there) {
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

// finish lists the positions before each.
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
