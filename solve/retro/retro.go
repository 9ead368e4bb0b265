package retro

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/solve/frame"
	"perfectplay/solve/table"
)

const (
	// MaxSeats is the largest number of seats.
	MaxSeats = 6
	// MaxDistance is the longest forced win in plies, as in a table. A longer one is an error when
	// found.
	MaxDistance = table.MaxDistance
	// MaxNumbers bounds the numbers of a [game.Numberer].
	MaxNumbers = 1 << 40
)

// The methods.
const (
	Unmoves frame.Method = "unmoves" // the game lists them, see [game.Unmover]
	Graph   frame.Method = "graph"   // all moves are listed and kept
	Stages  frame.Method = "stages"  // positions before are in the stage before, see [game.Ender] and [game.KeySetter]
)

// The types common to all solvers. This package ignores the options Interval, Distances, Named and
// Stripes. Checkpoints take a tenth of the time at most; a graph is listed anew.
type (
	Options     = frame.Options
	Plan        = frame.Plan
	Progress    = frame.Progress
	Method      = frame.Method
	Count       = frame.Count
	MemoryError = frame.MemoryError
)

// plan forecasts the memory of a solve. A solve that fits the memory runs, even against the
// forecast. For games without numbers Bytes is the memory allowed.
type plan struct {
	frame.Plan
	room     int    // pending messages for a block
	resident uint64 // bytes of planes in files to keep in memory
}

const (
	// bytesPerPosition forecasts the memory for a position found by its key, with some 9 moves and a
	// key of a word. The budget counts allocated memory.
	bytesPerPosition = 160
	// other is memory for everything small: Go collects no garbage below 4 MiB.
	other = 4 << 20
	// leastResident is the least memory for planes in files.
	leastResident = 1 << 20
)

// NewPlan forecasts a solve. It lists the moves of at most a few thousand positions.
func NewPlan(g game.Game, o Options) (_ Plan, err error) {
	defer game.Guard(&err, g, nil)
	p, _, err := newPlan(g, o)
	return p.Plan, wrap(g, err)
}

// wrap adds the game's name to an error that lacks it.
func wrap(g game.Game, err error) error {
	if _, fault := errors.AsType[*game.Fault](err); fault || err == nil {
		return err
	}
	return fmt.Errorf("retro: %s: %w", g.ID(), err)
}

func newPlan(g game.Game, o Options) (plan, *numbers, error) {
	p := plan{Plan: Plan{Steps: 1 << (g.Seats() - 1), Method: Graph}, room: bucket}
	if g.Seats() > MaxSeats {
		return p, nil, fmt.Errorf("%d seats: at most %d are possible", g.Seats(), MaxSeats)
	}
	if g.Seats() == 2 {
		p.Steps = 1 // all seats together are left out
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
		p.Bytes, p.Limit = o.Memory, o.Memory/bytesPerPosition
		if o.Memory == 0 {
			p.Limit = 1<<32 - 2
		}
		return p, nil, nil
	}
	n, err := newNumbers(g)
	if err != nil {
		return p, nil, err
	}
	p.Places = n.n
	least := uint64(p.Steps) * n.n // without planes that only some games need
	planes := least + least/8
	switch _, unmoves := g.Start().(game.Unmover); {
	case o.Method == Stages:
		return p, nil, errors.New("it numbers its positions, so it has no stages")
	case o.Method == Unmoves && !unmoves:
		return p, nil, errors.New("its states list no moves backwards (game.Unmover)")
	case o.Method != Graph && unmoves:
		p.Method = Unmoves
	case n.n >= 1<<32-1:
		return p, nil, fmt.Errorf("%d numbers and no moves backwards (game.Unmover): a graph has less than 1<<32", n.n)
	default:
		least += n.n * 7
		planes += n.n*7 + 4*(n.moves+n.moves/8) // counted at some positions
	}
	if o.Reachable {
		least += n.n / 4
		planes += n.n / 4
	}
	p.place(n, planes, least, o)
	return p, n, p.Check(o)
}

// place divides planes between memory and files. planes is their number of bytes, of which every
// game needs at least least.
func (p *plan) place(n *numbers, planes, least uint64, o Options) {
	threads, blocks := uint64(o.Workers()), newRanges(n.n)
	// Memory of a thread alone, and of planes in files between two looks at the budget.
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
	p.Bytes, p.Least, p.Disk = whole, least+threads*own(leastBucket)+other, planes
	if p.InFiles = p.Least; host.HasScratch {
		p.InFiles = min(p.Least, threads*(own(leastBucket)+touched(leastBucket))+other+leastResident)
	}
	switch {
	case !host.HasScratch || !p.Files(o):
	case o.Resident > 0:
		p.room, p.resident = leastBucket, o.Resident
	case o.Memory >= p.InFiles:
		// The more messages are delivered together, the fewer pages come and go.
		p.room = leastBucket
		for p.room < mostBucket && 2*threads*(own(2*p.room)+touched(2*p.room)) < o.Memory-other {
			p.room *= 2
		}
		p.resident = o.Memory - other - threads*(own(p.room)+touched(p.room))
	}
}

// Solution holds the results that every set of seats can force from every position. It is immutable
// and safe for concurrent use.
type Solution struct {
	game      game.Game
	source    source
	blocks    ranges
	room      int
	space     *planes
	layers    []*layer
	stages    *stages // of a game with stages, which has no source, layers and space
	positions uint64
	threads   int
	// Method is the method used, and Resumed says that the solve continued from a checkpoint.
	Method  Method
	Resumed bool
}

// Close releases files and memory if planes are in files; else it does nothing. Do not use the
// solution afterwards.
func (s *Solution) Close() {
	if s.space.Close(); s.stages != nil {
		s.stages.close()
	}
}

// source gives positions by their numbers.
type source interface {
	size() uint64
	// number returns the number of a position, false if it has none.
	number(s game.State) (uint64, bool)
	// worker returns a worker for one goroutine.
	worker() worker
	// weight bounds the bytes of planes that a pass over a block touches.
	weight(block int) int
	// walk calls yield with a state at each position until it returns false.
	walk(yield func(game.State) bool)
}

// worker visits positions by their numbers. It belongs to one goroutine.
type worker interface {
	asker
	// at visits a number; false if it has no position.
	at(n uint64) (seat int, r game.Result, ok bool)
	// moves is the number of moves of the visited position, which is not finished.
	moves() int
	// before appends the positions before it.
	before(buf []uint64) []uint64
	// check returns an error in the game's numbering of the visited position.
	check(n uint64) error
}

// Solve solves a game completely. An error names the part of the contract that a game breaks, as
// far as the solver notices.
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
	if o.Work != "" { // other rules are refused before the work
		if _, err := State(o.Work, g).Saved(); err != nil {
			return nil, err
		}
	}
	s := &Solution{game: g, Method: plan.Method, room: plan.room, threads: o.Workers(), space: &planes{Space: new(host.Space), allowed: o.Memory}}
	if n != nil {
		s.space.used = other
	}
	if plan.resident > 0 {
		s.space = &planes{Space: host.NewSpace(o.Work, int64(plan.resident)), files: true}
	}
	err = s.solve(ctx, plan, n, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Solution) solve(ctx context.Context, plan plan, n *numbers, o Options) (err error) {
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
		s.source, err = explore(ctx, s.game, s.space, o.Workers(), plan.Steps, func(met uint64) {
			o.Pause()
			o.Tell(Progress{Steps: plan.Steps, Decided: met})
		})
	case plan.Method == Graph:
		listing = 0.5
		if err = n.audit(ctx, o.Workers()); err == nil {
			s.source, err = newGraph(ctx, n, s.space, mails, o, func(done float64) { o.Tell(Progress{Steps: plan.Steps, Share: listing * done}) })
		}
	default:
		s.source, err = n, n.audit(ctx, o.Workers())
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
	if err := s.space.room(uint64(plan.Steps) * s.source.size()); err != nil {
		return err
	}
	saved := openWork(s.game, s.source, o, plan.Method)
	for i, set := range table.Sets(plan.Steps) { // the single seat first, all seats last
		l, err := newLayer(s.space, s.source.size(), s.game.Seats(), uint8(set))
		if err != nil {
			return err
		}
		r := &run{source: s.source, layer: l, blocks: s.blocks, mails: mails, yield: o.Pause}
		share := func(done float64) float64 { return listing + (1-listing)*(float64(i)+done)/float64(plan.Steps) }
		r.report = func(ply int, decided uint64, done float64) {
			o.Tell(Progress{Step: i + 1, Steps: plan.Steps, Pass: ply, Decided: decided, Share: share(done)})
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

// mails returns mail for all goroutines, to blocks of the given count of numbers.
func (s *Solution) mails(o Options, numbers uint64) ([]*mail, error) {
	threads, blocks := o.Workers(), newRanges(numbers).count
	if err := s.space.take("messages", uint64(threads*blocks*s.room)*4); err != nil {
		return nil, err
	}
	return newMails(threads, blocks, s.room), nil
}

// Positions is the number of positions solved, finished ones included: those with a number, or
// those reached from the start, one of each class of symmetric ones.
func (s *Solution) Positions() uint64 { return s.positions }

// Value returns the value of a position to the seat to move, alone against all others, and the
// plies until the game is over, 0 for a draw. It returns false if the position was not solved.
func (s *Solution) Value(at game.State) (v game.Value, plies int, ok bool) {
	return s.Forced(at, 1<<at.Seat())
}

// Forced is Value for a set of seats that play together, bit i for seat i. All seats together win
// as fast as they can end the game; with two seats that is unknown, and they get a draw.
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

// layer is the layer of a set of seats, nil for both of two seats.
func (s *Solution) layer(seats uint8) *layer {
	if seats&1 == 0 {
		seats ^= s.layers[0].set | s.layers[0].others()
	}
	if i := int(seats >> 1); i < len(s.layers) {
		return s.layers[i]
	}
	return nil
}

// Mover counts positions by their value to the seat to move alone.
func (s *Solution) Mover(ctx context.Context) (Count, error) {
	if s.game.Seats() != 2 || s.stages != nil {
		return s.count(ctx, func(seat int) uint8 { return 1 << seat }, nil)
	}
	// With two seats it makes no difference which of them moves.
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
				c.Add(l.last(0, d)^odd == 0, d, n)
			}
		}
	}
	for n, code := range l.far {
		if code > 0 {
			c.Add(l.last(0, int(code)-1)^l.isOdd(uint64(n)) == 0, int(code)-1, 1)
		}
	}
	c.Draws = s.positions - c.Wins - c.Losses
	return c, ctx.Err()
}

// Set counts positions by their value to a set of seats.
func (s *Solution) Set(ctx context.Context, seats uint8) (Count, error) {
	return s.count(ctx, func(int) uint8 { return seats }, nil)
}

// count counts positions by their value to the set of seats that set returns for the seat to move.
// If only is not nil, it counts those with a bit there.
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
				c.Add(winner == 0 == (seats == l.set), d, 1)
			} else {
				c.Draws++
			}
		}
		mu.Lock()
		all.Plus(c)
		mu.Unlock()
		return nil
	})
	return all, err
}
