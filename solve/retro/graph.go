package retro

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"perfectplay/game"
	"perfectplay/internal/host"
)

// positions are a numbered set of positions.
type positions interface {
	size() uint64
	// number returns the number of a position, false if it has none.
	number(s game.State) (uint64, bool)
	// walk calls yield with a state at each position until it returns false.
	walk(yield func(game.State) bool) error
}

// graph holds positions, and for each position the list of the positions before it.
type graph struct {
	positions
	game   game.Game
	space  *planes
	blocks ranges
	what   []byte   // seat, result plus 2, and a bit that says that the number has a position
	degree []uint16 // number of moves
	base   []uint64 // by block: index in pred of the list of its first position
	// By position: start of its list in pred, relative to base; the next entry is the end of the
	// list.
	from []uint32
	pred []uint32
}

func (g *graph) number(s game.State) (uint64, bool) {
	n, ok := g.positions.number(s)
	return n, ok && g.what[n] != 0
}

func (g *graph) worker() worker { return &visitor{graph: g} }

func (g *graph) weight(block int) int {
	from, to := g.blocks.bounds(block)
	return int(to-from) * 7 // visitor.before adds the bytes of pred that it reads
}

// what describes a position in graph.what.
func what(seat int, r game.Result) byte { return byte(seat)<<5 | byte(r+2)<<1 | 1 }

// emptyGraph returns a graph without moves.
func emptyGraph(game game.Game, of positions, space *planes) (*graph, error) {
	g := &graph{positions: of, game: game, space: space, blocks: newRanges(of.size())}
	var errs [3]error
	g.what, errs[0] = plane[byte](space, "positions", of.size())
	g.degree, errs[1] = plane[uint16](space, "positions", of.size())
	g.from, errs[2] = plane[uint32](space, "positions", of.size())
	return g, cmp.Or(errs[:]...)
}

// index turns the counts of moves to positions into the ends of their lists in pred. Entering moves
// turns ends into starts.
func (g *graph) index() (err error) {
	g.base = make([]uint64, g.blocks.count+1)
	for b := range g.blocks.count {
		sum := uint32(0)
		from, to := g.blocks.bounds(b)
		g.space.Charge(4 * int(to-from))
		for n := from; n < to; n++ {
			sum += g.from[n]
			g.from[n] = sum
		}
		g.base[b+1] = g.base[b] + uint64(sum)
	}
	m := g.base[g.blocks.count]
	g.pred, err = plane[uint32](g.space, fmt.Sprintf("%d moves", m), m)
	return err
}

// enter records a move.
func (g *graph) enter(to, from uint32) {
	g.from[to]--
	g.pred[g.base[to>>g.blocks.bits]+uint64(g.from[to])] = from
}

// visitor is a worker on a graph.
type visitor struct {
	*graph
	n    uint64
	part uint64 // part of pred that was read last
}

func (v *visitor) at(n uint64) (seat int, r game.Result, ok bool) {
	v.n = n
	d := v.what[n]
	return int(d >> 5), game.Result(d>>1&15) - 2, d != 0
}

func (v *visitor) moves() int { return int(v.degree[v.n]) }

func (v *visitor) before(buf []uint64) []uint64 {
	b := v.n >> v.blocks.bits
	begin, end := v.base[b]+uint64(v.from[v.n]), v.base[b+1]
	if next := v.n + 1; next>>v.blocks.bits == b && next < v.size() {
		end = v.base[b] + uint64(v.from[next])
	}
	for _, p := range v.pred[begin:end] {
		buf = append(buf, uint64(p))
	}
	if part := end * 4 / around; part != v.part {
		v.part = part
		v.space.Charge(around + int(end-begin)*4)
	}
	return buf
}

// around is the number of bytes that a page fault brings in.
const around = 16 * host.PageSize

func (v *visitor) guards() (game.Game, game.State, func() game.State) {
	return v.game, nil, nil
}

// check returns nil: the numbering was checked when the graph was made.
func (v *visitor) check(uint64) error { return nil }

// lister is the state of a goroutine that lists moves.
type lister struct {
	w    *numbered
	buf  []uint64
	mail *mail // first pass: targets within a block; second pass: each followed by its origin
	err  error // error of mail.deliver
}

// newGraph lists the moves of all numbers twice: to count the moves to each position, then to store
// them.
func newGraph(ctx context.Context, s *numbers, space *planes, mails []*mail, o Options, report func(done float64)) (*graph, error) {
	g, err := emptyGraph(s.game, s, space)
	if err == nil {
		err = g.list(ctx, s, mails, o, true, report)
	}
	if err == nil {
		err = g.index()
	}
	if err == nil {
		err = g.list(ctx, s, mails, o, false, report)
	}
	return g, err
}

// list lists all moves, to count or to enter them.
func (g *graph) list(ctx context.Context, s *numbers, mails []*mail, o Options, first bool, report func(done float64)) error {
	locks := make([]sync.Mutex, g.blocks.count)
	listers := make([]*lister, len(mails))
	for i := range listers {
		l := &lister{w: s.newWorker(), mail: mails[i]}
		l.mail.clear()
		l.mail.deliver = func(block int, messages []uint32) {
			locks[block].Lock()
			defer locks[block].Unlock()
			base := uint32(block) << g.blocks.bits
			if first {
				g.space.Charge(min(len(messages)*host.PageSize, 4<<g.blocks.bits))
				for _, to := range messages {
					g.from[base+to]++
				}
				return
			}
			g.space.Charge(len(messages) * host.PageSize)
			// Messages are pairs in the second pass, since room is even.
			for i := 0; i < len(messages); i += 2 {
				to, from := base+messages[i], messages[i+1]
				if g.what[to] == 0 {
					l.err = fmt.Errorf("a move leads from position %d to number %d, which is no position's", from, to)
					return
				}
				g.enter(to, from)
			}
		}
		listers[i] = l
	}
	var done atomic.Int64
	var moves atomic.Uint64
	var mu sync.Mutex
	err := parallel(ctx, listers, g.blocks.count, func(l *lister) asker { return l.w }, func(l *lister, b int) error {
		o.Pause()
		from, to := g.blocks.bounds(b)
		g.space.Charge(3 * int(to-from))
		for n := from; n < to; n++ {
			if err := g.listOne(l, n, first); err != nil {
				return err
			}
		}
		if first { // report too many moves as early as possible
			for _, d := range g.degree[from:to] {
				moves.Add(uint64(d))
			}
			if err := g.space.room(4 * moves.Load()); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		share := float64(done.Add(1)) / float64(2*g.blocks.count)
		if !first {
			share += 0.5
		}
		report(share)
		return l.err
	})
	for _, l := range listers {
		if err != nil {
			break
		}
		l.mail.empty()
		err = l.err
	}
	return err
}

// listOne lists the moves of a number.
func (g *graph) listOne(l *lister, n uint64, first bool) error {
	seat, result, ok := l.w.at(n)
	if !ok {
		return nil
	}
	if first {
		g.what[n] = what(seat, result)
		if err := l.w.check(n); err != nil {
			return err
		}
	}
	if result != game.Ongoing {
		return nil
	}
	l.buf = l.w.after(l.buf[:0])
	if len(l.buf) == 0 || len(l.buf) > wideMax {
		return checkMoves(n, len(l.buf))
	} else if !first && len(l.buf) != int(g.degree[n]) {
		return fmt.Errorf("position %d has %d moves, it had %d", n, len(l.buf), g.degree[n])
	}
	g.degree[n] = uint16(len(l.buf))
	within := uint64(1)<<g.blocks.bits - 1
	for _, to := range l.buf {
		if to >= g.size() {
			return fmt.Errorf("a move leads from position %d to number %d, there are %d", n, to, g.size())
		}
		block := int(to >> g.blocks.bits)
		full := l.mail.put(block, uint32(to&within))
		if !first {
			full = l.mail.put(block, uint32(n))
		}
		if full {
			l.mail.hand(block)
		}
	}
	return nil
}
