package retro

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/solve/table"
)

const (
	// MaxSeats is the largest number of seats.
	MaxSeats = 6
	// MaxDistance is the longest forced win in plies, as in a table. A game with a longer
	// one is refused when it is found.
	MaxDistance = table.MaxDistance
	// MaxNumbers bounds the numbers of a [game.Numberer].
	MaxNumbers = 1 << 40
)

// Method is where the positions before a position come from.
type Method string

// The methods.
const (
	Unmoves Method = "unmoves" // the game lists them, see [game.Unmover]
	Graph   Method = "graph"   // all moves are listed and kept
	Stages  Method = "stages"  // they are in the stage before, see [game.Ender] and [game.KeySetter]
)

// Options say what a solve may take. The zero value of each field is its default.
type Options struct {
	// Threads is how many work; default as many as Go may use. The result does not
	// depend on it.
	Threads int
	// Memory bounds what the solver takes, in bytes; default no bound. Where planes of
	// numbered positions need more they are in files of Work.
	Memory uint64
	// Method, if not empty, is the one to take: Unmoves or Graph for a game with numbers, Graph
	// or Stages for one without.
	Method Method
	// Work is a directory: a solve that ended early goes on from the last complete ply
	// that is there. Default none. Checkpoints take a tenth of the time at most. A graph is
	// listed anew.
	Work string
	// Reachable counts what memory [Solution.Reachable] takes into the plan.
	Reachable bool
	// Progress, if not nil, is called now and then, one call at a time. Yield, if not nil, is
	// called by every goroutine every few milliseconds; it may block, to let others work.
	Progress func(Progress)
	Yield    func()

	resident uint64 // of planes in files, however much memory there is; 0 says nothing
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
	// Bytes is a forecast of the memory, and Files what stands in files of [Options.Work], 0
	// where memory is enough. For games without numbers Bytes is the memory allowed, and Limit
	// about how many positions there is room for in it. Least is the memory without which
	// a solve is refused, by files where there is a directory. Nothing else is a limit: what
	// fits the memory allowed is solved, whatever the forecast.
	Bytes, Files, Limit, Least uint64

	room     int    // messages to a block under way
	resident uint64 // of planes in files
}

const (
	// BytesPerPosition is about what a position that is found by its key takes, with some 9
	// moves and a key of a word. It is a forecast: what is taken is counted.
	BytesPerPosition = 160
	// other is memory for what has no size of its own: Go collects no garbage below 4 MiB.
	other = 4 << 20
	// leastResident is the least of planes in files that is in memory at once.
	leastResident = 1 << 20
)

// NewPlan says what Solve will take. It lists the moves of some positions, at most a few
// thousand.
func NewPlan(g game.Game, o Options) (p Plan, err error) {
	defer game.Guard(&err, g, nil)
	p, _, err = newPlan(g, o)
	return p, wrap(g, err)
}

// wrap names the game in an error that does not.
func wrap(g game.Game, err error) error {
	if _, fault := errors.AsType[*game.Fault](err); fault || err == nil {
		return err
	}
	return fmt.Errorf("retro: %s: %w", g.ID(), err)
}

func newPlan(g game.Game, o Options) (Plan, *numbers, error) {
	p := Plan{Layers: 1 << (g.Seats() - 1), Method: Graph, room: bucket}
	if g.Seats() > MaxSeats {
		return p, nil, fmt.Errorf("%d seats: at most %d are possible", g.Seats(), MaxSeats)
	}
	if g.Seats() == 2 {
		p.Layers = 1 // all seats together are not asked for
	}
	if game.NumbererOf(g) == nil {
		if _, ok := g.Start().(game.Keyer); !ok {
			return p, nil, errors.New("its positions have neither numbers nor keys: implement game.Numberer or game.Keyer")
		}
		switch staged := hasStages(g); {
		case o.Method == Stages && !staged:
			return p, nil, errors.New("it has no stages (game.Ender, game.KeySetter)")
		case o.Method != Graph && staged:
			return p, nil, p.stages(g, o)
		}
		p.Bytes, p.Limit = o.Memory, o.Memory/BytesPerPosition
		if o.Memory == 0 {
			p.Limit = 1<<32 - 2
		}
		return p, nil, nil
	}
	n, err := newNumbers(g)
	if err != nil {
		return p, nil, err
	}
	p.Numbers = n.n
	least := uint64(p.Layers) * n.n // without what some games need
	planes := least + least/8
	switch _, unmoves := g.Start().(game.Unmover); {
	case o.Method == Unmoves && !unmoves:
		return p, nil, errors.New("its states list no moves backwards (game.Unmover)")
	case o.Method != Graph && unmoves:
		p.Method = Unmoves
	case n.n >= 1<<32-1:
		return p, nil, fmt.Errorf("%d numbers and no moves backwards (game.Unmover): a graph has less than 1<<32", n.n)
	default:
		least += n.n * 7
		planes += n.n*7 + 4*(n.moves+n.moves/8) // they are counted at some positions
	}
	if o.Reachable {
		least += n.n / 4
		planes += n.n / 4
	}
	p.place(n, planes, least, o)
	if p.Files == 0 && o.Memory > 0 && p.Least > o.Memory {
		return p, n, &MemoryError{What: fmt.Sprintf("%d numbers of positions", n.n), Bytes: p.Least, Allowed: o.Memory, numbered: true, files: o.Work != ""}
	}
	return p, n, nil
}

// place says what of a plan is in memory and what in files, for planes of so many bytes, of
// which no game needs less than least.
func (p *Plan) place(n *numbers, planes, least uint64, o Options) {
	threads, blocks := uint64(o.threads()), newRanges(n.n)
	// What a thread has of its own, and of planes in files between two looks at the budget.
	own := func(room int) uint64 { return uint64(blocks.count*room) * 4 }
	touched := func(room int) uint64 {
		block := uint64(1) << blocks.bits
		if p.Method == Graph {
			return 8*block + min(uint64(room)/2*host.PageSize, 4*n.moves/uint64(blocks.count))
		}
		return block + min(uint64(room)*host.PageSize, block)
	}
	p.room = bucket
	whole := planes + threads*own(bucket) + other
	for o.Memory > 0 && whole > o.Memory && p.room > leastBucket {
		p.room /= 2
		whole = planes + threads*own(p.room) + other
	}
	p.Bytes, p.Least = whole, least+threads*own(leastBucket)+other
	if o.Work != "" && host.HasScratch {
		p.Least = min(p.Least, threads*(own(leastBucket)+touched(leastBucket))+other+leastResident)
	}
	switch {
	case o.resident > 0: // for tests
		p.room, p.resident, p.Files = leastBucket, o.resident, planes
	case o.Memory > 0 && whole > o.Memory && o.Memory >= p.Least && o.Work != "" && host.HasScratch:
		// The more messages come together, the fewer pages come and go.
		p.room = leastBucket
		for p.room < mostBucket && 2*threads*(own(2*p.room)+touched(2*p.room)) < o.Memory-other {
			p.room *= 2
		}
		p.resident = o.Memory - other - threads*(own(p.room)+touched(p.room))
		p.Bytes, p.Files = o.Memory, planes
	}
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
	blocks    ranges
	room      int
	space     *planes
	layers    []*layer
	stages    *stages // of a game with stages; source, layers and space are others'
	positions uint64
	threads   int
	// Method is the one that was taken, and Resumed says that a checkpoint was gone on
	// with.
	Method  Method
	Resumed bool
}

// Close gives files and memory back where planes were in files; else there is nothing to
// do. The solution must not be used any more.
func (s *Solution) Close() {
	if s.space.Close(); s.stages != nil {
		s.stages.close()
	}
}

// source is positions by their numbers.
type source interface {
	size() uint64
	// number returns the number of a position, and false where it has none.
	number(s game.State) (uint64, bool)
	// worker returns what one goroutine works with.
	worker() worker
	// weight bounds the bytes of planes that a pass over a block touches.
	weight(block int) int
	// walk calls yield with a state at each position until it returns false.
	walk(yield func(game.State) bool)
}

// worker goes to positions by their numbers. It belongs to one goroutine.
type worker interface {
	asker
	// at goes to a number; false where there is no position.
	at(n uint64) (seat int, r game.Result, ok bool)
	// moves is the number of moves of the position gone to, which is not finished.
	moves() int
	// before appends the positions before it.
	before(buf []uint64) []uint64
	// check returns what is wrong with how the game numbers the position gone to.
	check(n uint64) error
}

// Solve solves a game completely. The error says what of the contract a game breaks, where
// the solver notices.
func Solve(ctx context.Context, g game.Game, o Options) (*Solution, error) {
	s, err := solveGame(ctx, g, o)
	if ctx.Err() == nil {
		err = wrap(g, err)
	}
	return s, err
}

func solveGame(ctx context.Context, g game.Game, o Options) (_ *Solution, err error) {
	defer game.Guard(&err, g, nil)
	plan, n, err := newPlan(g, o)
	if err != nil {
		return nil, err
	}
	if err := checkWork(g, o); err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	s := &Solution{game: g, Method: plan.Method, room: plan.room, threads: o.threads(), space: &planes{Space: new(host.Space), allowed: o.Memory}}
	if n != nil {
		s.space.used = other
	}
	if plan.Files > 0 {
		s.space = &planes{Space: host.NewSpace(o.Work, int64(plan.resident)), files: true}
	}
	err = s.solve(ctx, plan, n, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Solution) solve(ctx context.Context, plan Plan, n *numbers, o Options) (err error) {
	if plan.Method == Stages {
		return s.solveStages(ctx, plan, o)
	}
	var mails []*mail
	if n != nil {
		if mails, err = s.mails(o, n.n); err != nil {
			return err
		}
	}
	listing := 0.0 // share of the work
	switch {
	case n == nil:
		listing = 0.7
		s.source, err = explore(ctx, s.game, s.space, o.threads(), plan.Layers, func(met uint64) {
			o.Yield()
			o.Progress(Progress{Layers: plan.Layers, Decided: met})
		})
	case plan.Method == Graph:
		listing = 0.5
		if err = n.audit(ctx, o.threads()); err == nil {
			s.source, err = newGraph(ctx, n, s.space, mails, o, func(done float64) { o.Progress(Progress{Layers: plan.Layers, Share: listing * done}) })
		}
	default:
		s.source, err = n, n.audit(ctx, o.threads())
	}
	if err != nil {
		return err
	}
	s.blocks = newRanges(s.source.size())
	if mails == nil {
		if mails, err = s.mails(o, s.source.size()); err != nil {
			return err
		}
	}
	if err := s.space.room(uint64(plan.Layers) * s.source.size()); err != nil {
		return err
	}
	saved := openWork(s.game, s.source, o, plan.Method)
	for i, set := range table.Sets(plan.Layers) { // the single seat first, all seats last
		l, err := newLayer(s.space, s.source.size(), s.game.Seats(), uint8(set))
		if err != nil {
			return err
		}
		r := &run{source: s.source, layer: l, blocks: s.blocks, mails: mails, yield: o.Yield}
		share := func(done float64) float64 { return listing + (1-listing)*(float64(i)+done)/float64(plan.Layers) }
		r.report = func(ply int, decided uint64, done float64) {
			o.Progress(Progress{Layer: i + 1, Layers: plan.Layers, Ply: ply, Decided: decided, Share: share(done)})
		}
		resumed, err := saved.load(i, r)
		if err != nil {
			return err
		}
		s.Resumed = s.Resumed || resumed
		r.save = func(now, final bool) error { return saved.save(i, r, now, final) }
		if err := r.solve(ctx); err != nil {
			return err
		}
		s.positions = r.positions
		s.layers = append(s.layers, l)
	}
	return nil
}

// mails returns mail for all goroutines, to so many numbers.
func (s *Solution) mails(o Options, numbers uint64) ([]*mail, error) {
	threads, blocks := o.threads(), newRanges(numbers).count
	if err := s.space.take("messages", uint64(threads*blocks*s.room)*4); err != nil {
		return nil, err
	}
	return newMails(threads, blocks, s.room), nil
}

// Positions is the number of positions solved: those with a number, or one of each class
// of symmetric ones that the start leads to, finished ones included.
func (s *Solution) Positions() uint64 { return s.positions }

// Value returns the value of a position to the seat to move, alone against all others, and
// the plies until the game is over, 0 for a draw. It returns false if the position is not
// among those solved.
func (s *Solution) Value(at game.State) (v game.Value, plies int, ok bool) {
	return s.Forced(at, 1<<at.Seat())
}

// Forced returns the value of a position to a set of seats that play together, bit i for
// seat i, as Value does. All seats together win as fast as they can end the game; with two
// seats that is not known, and they get a draw.
func (s *Solution) Forced(at game.State, seats uint8) (v game.Value, plies int, ok bool) {
	if s.stages != nil {
		return s.stages.forced(at, seats)
	}
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
	c.Draws += b.Draws
	for d, n := range b.WinsIn {
		c.add(true, d, n)
	}
	for d, n := range b.LossesIn {
		c.add(false, d, n)
	}
}

// Mover counts positions by their value to the seat to move alone.
func (s *Solution) Mover(ctx context.Context) (Count, error) {
	if s.game.Seats() != 2 || s.stages != nil {
		return s.count(ctx, func(seat int) uint8 { return 1 << seat }, nil)
	}
	// Which of two seats moves makes no difference.
	var c Count
	var codes [2][256]uint64
	l := s.layers[0]
	for b := range s.blocks.count {
		from, to := s.blocks.bounds(b)
		s.space.Charge(int(to-from) + int(to-from)/8)
		for n, code := range l.cells[from:to] {
			codes[l.isOdd(from+uint64(n))][code]++
		}
	}
	for d := range 255 {
		for odd := range uint8(2) {
			if n := codes[odd][d+1]; n > 0 {
				c.add(l.last(0, d)^odd == 0, d, n)
			}
		}
	}
	for n, code := range l.far {
		if code > 0 {
			c.add(l.last(0, int(code)-1)^l.isOdd(uint64(n)) == 0, int(code)-1, 1)
		}
	}
	c.Draws = s.positions - c.Wins - c.Losses
	return c, ctx.Err()
}

// Set counts positions by their value to a set of seats.
func (s *Solution) Set(ctx context.Context, seats uint8) (Count, error) {
	return s.count(ctx, func(int) uint8 { return seats }, nil)
}

// count counts positions by their value to the set of seats that set returns for the seat
// to move. If only is not nil, it counts those with a bit there.
func (s *Solution) count(ctx context.Context, set func(seat int) uint8, only []uint64) (all Count, err error) {
	if s.stages != nil {
		return s.stages.count(set), nil
	}
	var mu sync.Mutex
	workers := make([]worker, s.threads)
	for i := range workers {
		workers[i] = s.source.worker()
	}
	err = parallel(ctx, workers, s.blocks.count, func(w worker) asker { return w }, func(w worker, b int) error {
		var c Count
		from, to := s.blocks.bounds(b)
		s.space.Charge(s.source.weight(b) + 2*int(to-from))
		for n := from; n < to; n++ {
			if only != nil && only[n/64]>>(n%64)&1 == 0 {
				continue
			}
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
	})
	return all, err
}
