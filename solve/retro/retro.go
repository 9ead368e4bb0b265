package retro

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

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
	Unmoves frame.Method = "unmoves" // the game lists moves backwards, see [game.Unmover]
	Graph   frame.Method = "graph"   // all moves are listed, and kept in memory
	// Positions are found by their keys, from the start, depth first.
	Keys frame.Method = "keys"
	// Positions are found by their keys, by the plies left, see [game.Ender] and [game.KeySetter].
	Stages frame.Method = "stages"
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

// plan forecasts a solve. The solve itself counts the memory it allocates, and may succeed against
// the forecast. For games without numbers Bytes is the memory allowed.
type plan struct {
	frame.Plan
	room     int    // number of messages that may wait for a block
	resident uint64 // bytes of planes in files to keep in memory
}

const (
	// bytesPerPosition forecasts the memory for a position found by its key, with some 9 moves, that
	// play can return to.
	bytesPerPosition = 160
	other            = 4 << 20 // memory for all small things: Go collects no garbage below 4 MiB
	leastResident    = 1 << 20 // least memory for planes in files
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
		p.Steps = 1 // two seats together are not solved
	}
	if game.NumbererOf(g) == nil {
		if _, ok := g.Start().(game.Keyer); !ok {
			return p, nil, errors.New("its positions have neither numbers nor keys: implement game.Numberer or game.Keyer")
		}
		switch staged := hasStages(g); {
		case o.Method == Stages && !staged:
			return p, nil, errors.New("it has no stages (game.Ender, game.KeySetter)")
		case o.Method != Keys && staged:
			return p, nil, p.stages(g, o)
		}
		p.Method = Keys
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
	least := uint64(p.Steps) * n.n // bytes without the planes that only few games need
	planes := least + least/8
	switch _, unmoves := g.Start().(game.Unmover); {
	case o.Method == Stages || o.Method == Keys:
		return p, nil, fmt.Errorf("it numbers its positions, so the method %s is not for it", o.Method)
	case o.Method == Unmoves && !unmoves:
		return p, nil, errors.New("its states list no moves backwards (game.Unmover)")
	case o.Method != Graph && unmoves:
		p.Method = Unmoves
	case n.n >= 1<<32-1:
		return p, nil, fmt.Errorf("%d numbers and no moves backwards (game.Unmover): a graph has less than 1<<32", n.n)
	default:
		least += n.n * 4
		planes += n.n*4 + 4*(n.moves+n.moves/8) // the moves were counted at a sample of positions
	}
	if o.Reachable {
		least += n.n / 4
		planes += n.n / 4
	}
	p.place(n, planes, least, o)
	return p, n, p.Check(o)
}

// place divides planes between memory and files. All together they have planes bytes; a game may
// need only least of them.
func (p *plan) place(n *numbers, planes, least uint64, o Options) {
	threads, blocks := uint64(o.Workers()), newRanges(n.n)
	// Memory of a thread: its messages, and what it touches in files between two looks at the budget.
	own := func(room int) uint64 { return uint64(blocks.count*room) * 4 }
	touched := func(room int) uint64 {
		block := uint64(1) << blocks.bits
		return block + min(uint64(room)*host.PageSize, block)
	}
	p.room = bucket
	whole := planes + threads*own(bucket) + other
	for o.Memory > 0 && whole > o.Memory && p.room > leastBucket {
		p.room /= 2
		whole = planes + threads*own(p.room) + other
	}
	p.Bytes, p.Least = whole, least+threads*own(leastBucket)+other
	if p.InFiles = p.Least; host.HasScratch && p.Method == Unmoves {
		p.Disk = planes
		p.InFiles = min(p.Least, threads*(own(leastBucket)+touched(leastBucket))+other+leastResident)
	}
	switch {
	case !p.Files(o):
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
	teams
	results
	game      game.Game
	positions uint64
	threads   int
	damage    atomic.Pointer[error]
	// Method is the method used, and Resumed says that the solve continued from a checkpoint.
	Method  Method
	Resumed bool
}

// Close releases the files and memory of planes or stages in files. Do not use the solution
// afterwards.
func (s *Solution) Close() { s.close() }

// Err returns the first error of [Solution.Value], [Solution.Forced], [Solution.All] and
// [Solution.Line] in reading the solve's files, or nil.
func (s *Solution) Err() error {
	if err := s.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// check keeps the first error.
func (s *Solution) check(err error) {
	if err = wrap(s.game, err); err != nil {
		s.damage.CompareAndSwap(nil, &err)
	}
}

// Solve solves a game completely. If it notices that the game breaks its contract, the error says
// where.
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
	if o.Work != "" { // refuse a directory of other rules before the work begins
		if _, err := State(o.Work, g).Saved(); err != nil {
			return nil, err
		}
	}
	s := &Solution{teams: newTeams(g.Seats(), plan.Steps), game: g, Method: plan.Method, threads: o.Workers()}
	switch plan.Method {
	case Stages:
		stages := newStages(g, o, plan.Steps)
		s.results, err = stages, stages.run(ctx)
		s.positions, s.Resumed = stages.met, stages.resumed
	case Keys:
		x := newExplorer(g, plan.Steps, o)
		s.results, err = x.keyed, x.explore(ctx)
		s.positions, s.Resumed = uint64(x.n), x.resumed
	default:
		l := newLayered(s.teams, n, plan, o)
		s.results, err = l, l.solve(ctx, plan, o)
		s.positions, s.Resumed = l.positions, l.resumed
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Positions is the number of positions solved, finished positions included: all positions with a
// number, or all that are reached from the start. Of these, symmetric positions count as one.
func (s *Solution) Positions() uint64 { return s.positions }

// Value returns the value of a position to the seat to move, alone against all others, and the
// plies until the game is over, 0 for a draw. It returns false if the position was not solved, or
// cannot be read, see [Solution.Err].
func (s *Solution) Value(at game.State) (v game.Value, plies int, ok bool) {
	return s.Forced(at, 1<<at.Seat())
}

// Forced is Value for a set of seats that play together, bit i for seat i. All seats together win
// by ending the game as fast as possible; with two seats that is not solved, and the value is a draw.
func (s *Solution) Forced(at game.State, seats uint8) (v game.Value, plies int, ok bool) {
	score, ok, err := s.forced(at, s.layer(seats))
	if s.check(err); !ok {
		return game.Unknown, 0, false
	}
	if v, plies = worth(score); seats>>at.Seat()&1 == 0 {
		v = v.Negate()
	}
	return v, plies, true
}

// Mover counts positions by their value to the seat to move alone.
func (s *Solution) Mover(ctx context.Context) (Count, error) { return s.count(ctx, alone) }

// alone is the set of a seat.
func alone(seat int) uint8 { return 1 << seat }

// Set counts positions by their value to a set of seats.
func (s *Solution) Set(ctx context.Context, seats uint8) (Count, error) {
	return s.count(ctx, func(int) uint8 { return seats })
}

// All ranges over the solved positions, each once, with one state that moves from one to the next:
// leave it unchanged, or clone it. Numbered positions come in the order of their numbers; others
// come in the order of play from the start, or of their stages; each class of symmetric positions
// comes once. All ends early if a file is damaged, see [Solution.Err].
func (s *Solution) All() iter.Seq[game.State] {
	return func(yield func(game.State) bool) { s.check(s.walk(yield)) }
}

// Line returns best play from a position to the end of the game. The seat to move plays against all
// others; the winning side hurries, the other delays. Of equal moves Line takes the first. It
// returns nil for a draw, and for a position not solved. It leaves the state at its position.
func (s *Solution) Line(at game.State) (line []game.Move) {
	seats := uint8(1) << at.Seat()
	value, plies, _ := s.Forced(at, seats)
	for ; plies > 0; plies-- {
		moves := at.Moves(nil)
		best := slices.IndexFunc(moves, func(m game.Move) bool {
			at.Make(m)
			defer at.Unmake()
			v, d, _ := s.Forced(at, seats)
			return v == value && d == plies-1
		})
		if best < 0 {
			break // the files of the solve were damaged meanwhile
		}
		line = append(line, moves[best])
		at.Make(moves[best])
	}
	for range line {
		at.Unmake()
	}
	if plies > 0 {
		return nil
	}
	return line
}
