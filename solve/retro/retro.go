package retro

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"perfectplay/game"
)

const (
	// MaxSeats is the largest number of seats.
	MaxSeats = 6
	// MaxDistance is the longest forced win in plies. A game with a longer one is refused
	// when it is found.
	MaxDistance = 252
	// MaxNumbers bounds the numbers of a [game.Numberer].
	MaxNumbers = 1 << 40
)

// Method is where the positions before a position come from.
type Method string

// The methods.
const (
	Unmoves Method = "unmoves" // the game lists them, see [game.Unmover]
	Graph   Method = "graph"   // all moves are kept in memory
	Passes  Method = "passes"  // nowhere: all open positions list their moves once a ply
)

// Options say what a solve may take. The zero value of each field is its default.
type Options struct {
	// Threads is how many work; default as many as Go may use. The result does not
	// depend on it.
	Threads int
	// Memory bounds what the solver takes, in bytes; default no bound.
	Memory uint64
	// Method, if not empty, is the one to take for a game with numbers.
	Method Method
	// Work is a directory for checkpoints: a solve that ended early goes on from the last
	// complete ply that is there. Default none. They take a tenth of the time at most.
	Work string
	// Progress, if not nil, is called now and then, one call at a time. Yield, if not nil, is
	// called by every goroutine every few milliseconds; it may block, to let others work.
	Progress func(Progress)
	Yield    func()
}

// Progress is how far a solve has come.
type Progress struct {
	Layer, Layers int     // the layer under way, from 1; 0 while positions are listed
	Ply           int     // under way
	Decided       uint64  // positions of this layer
	Share         float64 // of all the work, 0…1, estimated
}

// Plan is what a solve takes.
type Plan struct {
	// Numbers is how many numbers positions have; 0 where they are found by their keys.
	Numbers uint64
	Method  Method
	Layers  int
	// Bytes is the memory at most. For games without numbers it is the memory allowed,
	// and Limit the number of positions that there is room for in it.
	Bytes, Limit uint64
}

// BytesPerPosition bounds what a position that is found by its key takes, with some 12
// moves. Where there are more moves, fewer positions fit.
const BytesPerPosition = 400

// NewPlan says what Solve will take. It lists the moves of some positions, at most a few
// thousand.
func NewPlan(g game.Game, o Options) (Plan, error) {
	p, _, err := newPlan(g, o)
	if err != nil {
		return p, fmt.Errorf("retro: %s: %w", g.ID(), err)
	}
	return p, nil
}

func newPlan(g game.Game, o Options) (Plan, *numbers, error) {
	p := Plan{Layers: 1 << (g.Seats() - 1)}
	if g.Seats() > MaxSeats {
		return p, nil, fmt.Errorf("%d seats: at most %d are possible", g.Seats(), MaxSeats)
	}
	if g.Seats() == 2 {
		p.Layers = 1 // all seats together are not asked for
	}
	if _, ok := g.(game.Numberer); !ok {
		if _, ok := g.Start().(game.Keyer); !ok {
			return p, nil, errors.New("its positions have neither numbers nor keys: implement game.Numberer or game.Keyer")
		}
		p.Method, p.Bytes, p.Limit = Graph, o.Memory, o.Memory/BytesPerPosition
		if o.Memory == 0 {
			p.Limit = 1<<32 - 2
		}
		return p, nil, nil
	}
	n, err := newNumbers(g)
	if err != nil {
		return p, nil, err
	}
	p.Numbers = n.size()
	threads := o.threads()
	planes := uint64(p.Layers)*(p.Numbers+p.Numbers/8) + uint64(threads)*uint64(newRanges(p.Numbers).count)*bucket*4 + 1<<20
	graph := 2*(p.Numbers*7+4*n.moves) + planes // the moves of a sample may be off by a factor
	_, unmoves := g.Start().(game.Unmover)
	switch {
	case o.Method == Unmoves && !unmoves:
		return p, nil, errors.New("its states list no moves backwards (game.Unmover)")
	case o.Method != "":
		p.Method = o.Method
	case unmoves:
		p.Method = Unmoves
	case n.moves < 1<<31 && (o.Memory == 0 || graph <= o.Memory):
		p.Method = Graph
	default:
		p.Method = Passes
	}
	p.Bytes = planes
	if p.Method == Graph {
		p.Bytes = graph
	}
	if o.Memory > 0 && p.Bytes > o.Memory {
		return p, n, fmt.Errorf("%d numbers of positions take %d bytes of memory, %d are allowed", p.Numbers, p.Bytes, o.Memory)
	}
	return p, n, nil
}

func (o *Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Solution is what every set of seats can force from every position. It is immutable and
// safe for concurrent use.
type Solution struct {
	game      game.Game
	source    source
	layers    []*layer
	positions uint64
	// Method is the one that was taken, and Resumed says that a checkpoint was gone on
	// with.
	Method  Method
	Resumed bool
}

// source is positions by their numbers.
type source interface {
	size() uint64
	// number returns the number of a position, and false where it has none.
	number(s game.State) (uint64, bool)
	// worker returns what one goroutine works with.
	worker() worker
}

// worker goes to positions by their numbers. It belongs to one goroutine.
type worker interface {
	// at goes to a number; false where there is no position.
	at(n uint64) (seat int, r game.Result, ok bool)
	// moves is the number of moves of the position gone to, which is not finished.
	moves() int
	// before appends the positions before it, after those that its moves lead to.
	before(buf []uint64) []uint64
	after(buf []uint64) []uint64
	// check returns what is wrong with how the game numbers the position gone to.
	check(n uint64) error
}

// Solve solves a game completely. The error says what of the contract a game breaks, where
// the solver notices.
func Solve(ctx context.Context, g game.Game, o Options) (*Solution, error) {
	s, err := solveGame(ctx, g, o)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("retro: %s: %w", g.ID(), err)
	}
	return s, err
}

func solveGame(ctx context.Context, g game.Game, o Options) (*Solution, error) {
	plan, n, err := newPlan(g, o)
	if err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	s := &Solution{game: g, Method: plan.Method}
	listing := 0.0 // share of the work
	if n != nil {
		s.source = n
		if err := n.audit(ctx, o.threads()); err != nil {
			return nil, err
		}
		if plan.Method == Graph {
			listing = 0.5
			graph, err := newGraph(ctx, n, o, func(done float64) { o.Progress(Progress{Layers: plan.Layers, Share: listing * done}) })
			if err != nil {
				return nil, err
			}
			s.source = graph
		}
	} else {
		listing = 0.7
		if s.source, err = explore(ctx, g, plan.Limit, o.Memory, plan.Layers, func(met uint64) {
			o.Yield()
			o.Progress(Progress{Layers: plan.Layers, Decided: met})
		}); err != nil {
			return nil, err
		}
	}
	saved, err := openWork(g, s.source, o)
	if err != nil {
		return nil, err
	}
	for i, sets := range layerSets(g.Seats()) {
		r := &run{source: s.source, layer: newLayer(s.source.size(), g.Seats(), sets), blocks: newRanges(s.source.size()), threads: o.threads(), yield: o.Yield, method: plan.Method, memory: o.Memory, bytes: plan.Bytes}
		share := func(done float64) float64 { return listing + (1-listing)*(float64(i)+done)/float64(plan.Layers) }
		r.report = func(ply int, decided uint64, done float64) {
			o.Progress(Progress{Layer: i + 1, Layers: plan.Layers, Ply: ply, Decided: decided, Share: share(done)})
		}
		resumed, err := saved.load(i, r)
		if err != nil {
			return nil, err
		}
		s.Resumed = s.Resumed || resumed
		r.save = func(now, final bool) error { return saved.save(i, r, now, final) }
		if err := r.solve(ctx); err != nil {
			return nil, err
		}
		s.positions = r.positions
		r.layer.wide = nil
		s.layers = append(s.layers, r.layer)
	}
	return s, nil
}

// layerSets lists the first set of seats of each layer: those with seat 0, the single seat
// first and all seats last; with two seats one is enough.
func layerSets(seats int) (list []uint8) {
	for set := uint8(1); set < 1<<seats; set += 2 {
		list = append(list, set)
	}
	if seats == 2 {
		return list[:1]
	}
	return list
}

// Positions is the number of positions solved: those with a number, or one of each class
// of symmetric ones that the start leads to, finished ones included.
func (s *Solution) Positions() uint64 { return s.positions }

// Start returns what a set of seats can force from the start, as Value does.
func (s *Solution) Start(seats uint8) (game.Value, int) {
	v, d, _ := s.Value(s.game.Start(), seats)
	return v, d
}

// Value returns what a set of seats can force from a position, bit i for seat i, and the
// plies until the game is over, 0 for a draw. All seats together win as fast as they can
// end the game; with two seats that is not known and a draw. It returns false where the
// position is not among those solved.
func (s *Solution) Value(at game.State, seats uint8) (v game.Value, distance int, ok bool) {
	n, ok := s.source.number(at)
	if !ok {
		return game.Unknown, 0, false
	}
	l := s.layer(seats)
	if l == nil {
		return game.Draw, 0, true
	}
	winner, d, decided := l.outcome(n, at.Seat())
	switch {
	case !decided:
		return game.Draw, 0, true
	case winner == 0 == (seats == l.set):
		return game.Win, d, true
	}
	return game.Loss, d, true
}

// layer is that of a set of seats, nil where there is none: all of two seats.
func (s *Solution) layer(seats uint8) *layer {
	if seats&1 == 0 {
		seats ^= s.layers[0].set | s.layers[0].others()
	}
	if i := int(seats >> 1); i < len(s.layers) {
		return s.layers[i]
	}
	return nil
}

// Count is how many positions have a value for a set of seats, over those with any seat to
// move, or for the seat to move.
type Count struct {
	Wins, Losses, Draws uint64
	WinsIn, LossesIn    []uint64 // by plies to the end; their lengths are the least
}

func (c *Count) add(win bool, d int, n uint64) {
	in, sum := &c.LossesIn, &c.Losses
	if win {
		in, sum = &c.WinsIn, &c.Wins
	}
	for len(*in) <= d {
		*in = append(*in, 0)
	}
	(*in)[d] += n
	*sum += n
}

// plus adds counts of other positions.
func (c *Count) plus(b Count) {
	c.Wins, c.Losses, c.Draws = c.Wins+b.Wins, c.Losses+b.Losses, c.Draws+b.Draws
	for i, in := range []*[]uint64{&c.WinsIn, &c.LossesIn} {
		from := [][]uint64{b.WinsIn, b.LossesIn}[i]
		for len(*in) < len(from) {
			*in = append(*in, 0)
		}
		for d, n := range from {
			(*in)[d] += n
		}
	}
}

// Mover counts positions by what they are worth to the seat to move alone.
func (s *Solution) Mover(ctx context.Context, threads int) (Count, error) {
	if s.game.Seats() != 2 {
		return s.count(ctx, threads, func(seat int) uint8 { return 1 << seat })
	}
	// Which of two seats moves makes no difference.
	var c Count
	var codes [2][256]uint64
	for n, code := range s.layers[0].cells {
		codes[s.layers[0].isOdd(uint64(n))][code]++
	}
	for d := range MaxDistance + 1 {
		for odd := range uint8(2) {
			if n := codes[odd][d+1]; n > 0 {
				c.add(s.layers[0].last(0, d)^odd == 0, d, n)
			}
		}
	}
	c.Draws = s.positions - c.Wins - c.Losses
	return c, ctx.Err()
}

// Set counts positions by what they are worth to a set of seats.
func (s *Solution) Set(ctx context.Context, threads int, seats uint8) (Count, error) {
	return s.count(ctx, threads, func(int) uint8 { return seats })
}

func (s *Solution) count(ctx context.Context, threads int, set func(seat int) uint8) (all Count, err error) {
	blocks := newRanges(s.source.size())
	var mu sync.Mutex
	err = each(ctx, threads, blocks.count, func() (func(b int) error, func()) {
		w := s.source.worker()
		return func(b int) error {
			var c Count
			for n, end := blocks.bounds(b); n < end; n++ {
				seat, _, ok := w.at(n)
				if !ok {
					continue
				}
				seats := set(seat)
				if l := s.layer(seats); l == nil {
					c.Draws++
				} else if winner, d, decided := l.outcome(n, seat); decided {
					c.add(winner == 0 == (seats == l.set), d, 1)
				} else {
					c.Draws++
				}
			}
			mu.Lock()
			all.plus(c)
			mu.Unlock()
			return nil
		}, nil
	})
	return all, err
}

// each does tasks 0…n−1 on some goroutines, each with what begin returns to it, until one
// fails or the context ends. end, if not nil, follows a goroutine's last task.
func each(ctx context.Context, threads, n int, begin func() (do func(i int) error, end func())) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, n) {
		all.Go(func() {
			do, end := begin()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					if end != nil {
						end()
					}
					return
				}
				if err := do(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// blocks divides numbers.
type ranges struct {
	size  uint64
	bits  int // of a number within a block
	count int
}

// A block's cells fit the second cache; there are at most mostBlocks of them, so that the
// buckets of a worker do, too, unless there are billions of numbers.
const (
	leastBits  = 16
	mostBlocks = 1 << 11
)

func newRanges(size uint64) ranges {
	b := max(leastBits, bits.Len64(size/mostBlocks))
	return ranges{size, b, int((size + 1<<b - 1) >> b)}
}

func (b ranges) bounds(i int) (from, to uint64) {
	return uint64(i) << b.bits, min(uint64(i+1)<<b.bits, b.size)
}
