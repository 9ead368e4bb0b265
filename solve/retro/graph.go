package retro

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"perfectplay/game"
)

// graph is all positions, and for each those before it.
type graph struct {
	numbers *numbers // of a game that numbers positions itself, else nil
	keys    *keys    // else
	what    []byte   // seat, result and whether there is a position, see describe
	degree  []uint16 // moves
	from    []uint32 // before[from[n]:from[n+1]] are the positions before n
	pred    []uint32
}

// describe packs a position into a byte, which is not 0.
func describe(seat int, r game.Result) byte { return byte(seat)<<5 | byte(r+2)<<1 | 1 }

func (g *graph) size() uint64 { return uint64(len(g.what)) }

func (g *graph) number(s game.State) (uint64, bool) {
	if g.numbers != nil {
		n, ok := g.numbers.number(s)
		return n, ok && g.what[n] != 0
	}
	n, ok := g.keys.find(s)
	return uint64(n), ok
}

func (g *graph) worker() worker {
	v := &visitor{graph: g}
	if g.numbers != nil {
		v.numbered = g.numbers.newWorker()
	}
	return v
}

// visitor is a worker on a graph.
type visitor struct {
	*graph
	numbered *numbered
	n        uint64
}

func (v *visitor) at(n uint64) (seat int, r game.Result, ok bool) {
	v.n = n
	d := v.what[n]
	return int(d >> 5), game.Result(d>>1&15) - 2, d != 0
}

func (v *visitor) moves() int { return int(v.degree[v.n]) }

func (v *visitor) before(buf []uint64) []uint64 {
	for _, p := range v.pred[v.from[v.n]:v.from[v.n+1]] {
		buf = append(buf, uint64(p))
	}
	return buf
}

func (v *visitor) after(buf []uint64) []uint64 { panic("retro: a graph has no moves forwards") }

func (v *visitor) check(uint64) error { return nil } // was done when the graph was made

// newGraph lists the moves of all numbers twice: to count those to each position, and to
// put them there.
func newGraph(ctx context.Context, s *numbers, o Options, report func(done float64)) (*graph, error) {
	if s.n >= 1<<32-1 {
		return nil, fmt.Errorf("%d numbers: a graph has less than 1<<32", s.n)
	}
	g := &graph{numbers: s, what: make([]byte, s.n), degree: make([]uint16, s.n), from: make([]uint32, s.n+1)}
	blocks := newRanges(s.n)
	var moves, done atomic.Uint64
	var mu sync.Mutex
	list := func(first bool) error {
		return each(ctx, o.threads(), blocks.count, func() (func(b int) error, func()) {
			w := s.newWorker()
			var buf []uint64
			return func(b int) error {
				o.Yield()
				sum := uint64(0)
				for n, end := blocks.bounds(b); n < end; n++ {
					seat, result, ok := w.at(n)
					if !ok {
						continue
					}
					if first {
						g.what[n] = describe(seat, result)
						if err := w.check(n); err != nil {
							return err
						}
					}
					if result != game.Ongoing {
						continue
					}
					buf = w.after(buf[:0])
					if len(buf) > math.MaxUint16 || !first && len(buf) != int(g.degree[n]) {
						return fmt.Errorf("position %d has %d moves, which is too many, or it had %d", n, len(buf), g.degree[n])
					}
					g.degree[n] = uint16(len(buf))
					sum += uint64(len(buf))
					for _, to := range buf {
						switch {
						case to >= s.n:
							return fmt.Errorf("a move leads from position %d to number %d, there are %d", n, to, s.n)
						case first:
							atomic.AddUint32(&g.from[to], 1)
						case g.what[to] == 0:
							return fmt.Errorf("a move leads from position %d to number %d, which is no position's", n, to)
						default:
							g.pred[atomic.AddUint32(&g.from[to], ^uint32(0))] = uint32(n)
						}
					}
				}
				moves.Add(sum)
				mu.Lock()
				defer mu.Unlock()
				report(float64(done.Add(1)) / float64(2*blocks.count))
				return nil
			}, nil
		})
	}
	if err := list(true); err != nil {
		return nil, err
	}
	if m := moves.Load(); m >= 1<<32 || o.Memory > 0 && s.n*8+4*m > o.Memory {
		return nil, fmt.Errorf("%w: there are %d", errRoom, m)
	}
	g.pred = make([]uint32, moves.Load())
	sum := uint32(0)
	for n, c := range g.from { // ends of the lists, which filling makes their begins
		sum += c
		g.from[n] = sum
	}
	return g, list(false)
}

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
	seats int
	rules game.Game
	moves [][]move
	total uint64
}

// frame is a position on the way: its moves not yet made are a part of the list of moves.
type frame struct {
	n               uint32
	first, next, to int
}

// explore lists the positions that the start leads to, by their keys, and their moves.
func explore(ctx context.Context, rules game.Game, limit, memory uint64, layers int, met func(uint64)) (*graph, error) {
	x := &explorer{rules: rules, seats: rules.Seats(), state: rules.Start()}
	x.keyer = x.state.(game.Keyer)
	x.graph = &graph{keys: &keys{width: x.keyer.KeyWords(), table: make([]uint32, 1<<10)}}
	limit = min(limit, 1<<32-2)
	var list []game.Move
	var way []frame
	enter := func(n uint32) {
		first := len(list)
		list = x.state.Moves(list)
		way = append(way, frame{n, first, first, len(list)})
	}
	n, _, err := x.meet()
	if err != nil {
		return nil, err
	}
	if x.state.Result() == game.Ongoing {
		enter(n)
	}
	for steps := 0; len(way) > 0; steps++ {
		if steps%(1<<14) == 0 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			met(uint64(x.keys.count()))
		}
		f := &way[len(way)-1]
		if f.next == f.to {
			if f.to-f.first == 0 || f.to-f.first > math.MaxUint16 {
				return nil, fmt.Errorf("position %s has %d moves, and the game is not over", x.state, f.to-f.first)
			}
			x.degree[f.n] = uint16(f.to - f.first)
			list = list[:f.first]
			if way = way[:len(way)-1]; len(way) > 0 {
				x.state.Unmake()
			}
			continue
		}
		from, m := f.n, list[f.next]
		f.next++
		x.state.Make(m)
		to, fresh, err := x.meet()
		if err != nil {
			return nil, err
		}
		x.link(from, to)
		if have, need := uint64(x.keys.count()), x.bytes(len(way)+len(list), layers); have > limit || memory > 0 && need > memory {
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
		if w, ok := r.Winner(); ok && x.seats == 2 { // a symmetry may exchange the seats
			r, seat = game.Result((w+x.state.Seat()-seat+2)%2), x.state.Seat()
		} else if x.seats == 2 {
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
	for i, w := range key {
		if w != again[i] {
			return fmt.Errorf("position %s has another key when it is read from its text: the key depends on the way there", text)
		}
	}
	if s.Result() != x.state.Result() || s.Seat() != x.state.Seat() {
		return fmt.Errorf("position %s has result %d, and %d when it is read from its text: the result depends on the way there", text, x.state.Result(), s.Result())
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
	n := x.keys.count()
	x.from, x.pred = make([]uint32, n+1), make([]uint32, x.total)
	for _, c := range x.moves {
		for _, m := range c {
			x.from[m.to]++
		}
	}
	sum := uint32(0)
	for i, c := range x.from {
		sum += c
		x.from[i] = sum
	}
	for _, c := range x.moves {
		for _, m := range c {
			x.from[m.to]--
			x.pred[x.from[m.to]] = m.from
		}
	}
	x.moves = nil
}
