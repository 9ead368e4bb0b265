package retro

import (
	"context"
	"slices"
	"sync"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/solve/table"
)

// source is a set of numbered positions with moves.
type source interface {
	positions
	// worker returns a worker for one goroutine.
	worker() worker
	// weight bounds the bytes of the source's planes that a pass over a block touches.
	weight(block int) int
}

// asker guards a goroutine's calls to a game.
type asker interface {
	// guards returns the arguments of [game.Guard].
	guards() (g game.Game, s game.State, fresh func() game.State)
}

// parallel is [host.Parallel] for functions that call a game.
func parallel[W any](ctx context.Context, workers []W, n int, by func(W) asker, do func(w W, i int) error) error {
	return host.Parallel(ctx, workers, n, func(w W, i int) (err error) {
		g, s, fresh := by(w).guards()
		defer game.Guard(&err, g, s, fresh)
		return do(w, i)
	})
}

// worker visits positions by their numbers. It belongs to one goroutine.
type worker interface {
	asker
	// at visits a number; false if it has no position.
	at(n uint64) (seat int, r game.Result, ok bool)
	// moves is the number of moves of the visited position, which is not finished.
	moves() int
	// before appends the positions before the visited one.
	before(buf []uint64) []uint64
	// check returns an error in the game's numbering of the visited position.
	check(n uint64) error
}

// layered holds the values of numbered positions, layer by layer.
type layered struct {
	teams
	game      game.Game
	source    source
	keyed     *keyed // nil if the game numbers its positions
	blocks    ranges
	room      int
	space     *planes
	list      []*layer
	positions uint64
	threads   int
	resumed   bool
}

func newLayered(t teams, g game.Game, plan plan, o Options) *layered {
	s := &layered{teams: t, game: g, room: plan.room, threads: o.Workers()}
	if plan.resident > 0 {
		s.space = &planes{Space: host.NewSpace(o.Work, int64(plan.resident)), files: true}
	} else {
		s.space = &planes{Space: new(host.Space), spill: host.HasScratch && plan.Method != Keys, allowed: o.Memory, used: other}
	}
	return s
}

// solve solves all layers.
func (s *layered) solve(ctx context.Context, plan plan, n *numbers, o Options) (err error) {
	listing := 0.0 // share of the work that lists the moves
	var x *explorer
	if plan.Method == Keys {
		x = newExplorer(s.game, o)
		s.keyed = x.keyed
		s.source, err = x.explore(ctx, s.space, func(n uint64) { o.Tell(Progress{Steps: plan.Steps, Decided: n}) })
	} else {
		s.source = n
	}
	if err != nil {
		return err
	}
	s.blocks = newRanges(s.source.size())
	if err := s.space.take("messages", uint64(s.threads*s.blocks.count*s.room)*4); err != nil {
		return err
	}
	mails := newMails(s.threads, s.blocks.count, s.room)
	if plan.Method != Keys {
		err = n.audit(ctx, s.threads)
	}
	if err == nil && plan.Method == Graph {
		listing = 0.5
		s.source, err = newGraph(ctx, n, s.space, mails, o, func(done float64) { o.Tell(Progress{Steps: plan.Steps, Share: listing * done}) })
	}
	if err == nil {
		err = s.space.room(uint64(plan.Steps) * s.blocks.size)
	}
	if err != nil {
		return err
	}
	// A third number, 0, as in files of earlier versions.
	saved := openWork(s.game, o, []any{plan.Method, s.blocks.size, uint32(0)})
	for i, set := range table.Sets(plan.Steps) { // the single seat first, all seats last
		l := &layer{set: uint8(set), seats: s.seats, side: s.side[i], space: s.space}
		if l.cells, err = plane[byte](s.space, "planes", s.blocks.size); err != nil {
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
		s.resumed = s.resumed || resumed
		r.save = func(now, final bool) error { return saved.save(i, r, now, final) }
		if err := r.solve(ctx); err != nil {
			return err
		}
		s.positions = r.positions
		s.list = append(s.list, l)
	}
	if x != nil {
		return x.games(ctx, s)
	}
	return nil
}

// forced implements [results].
func (s *layered) forced(at game.State, layer int) (score int16, ok bool, err error) {
	n, ok := s.source.number(at)
	if !ok || layer >= s.layers {
		return 0, ok, nil
	}
	return s.list[layer].score(n, at.Seat()), true, nil
}

// count implements [results].
func (s *layered) count(ctx context.Context, set func(seat int) uint8) (Count, error) {
	return s.some(ctx, set, nil)
}

// some counts positions by their value to the set of seats that set returns for the seat to move.
// If only is not nil, it counts only the positions whose bits are set in only.
func (s *layered) some(ctx context.Context, set func(seat int) uint8, only []uint64) (all Count, err error) {
	// With two seats, the value to the seat to move does not depend on which seat that is.
	alike := s.seats == 2 && set(0) != set(1)
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
			seat := 0
			if !alike {
				var ok bool
				if seat, _, ok = w.at(n); !ok {
					continue
				}
			}
			score := int16(0)
			if layer := s.layer(set(seat)); layer < s.layers {
				score = s.list[layer].score(n, seat)
			}
			addScore(&c, score, set(seat)>>seat&1 != 0, 1)
		}
		mu.Lock()
		all.Plus(c)
		mu.Unlock()
		return nil
	})
	if alike && only == nil {
		// Numbers without a position would count as draws.
		all.Draws = s.positions - all.Wins - all.Losses
	}
	return all, err
}

// contents implements [results].
func (s *layered) contents(info *table.Info) (numbering table.Numbering, from table.Contents, err error) {
	info.Numbers, info.Bits = s.source.size(), 8
	for _, l := range s.list {
		if l.far != nil || len(l.cells) > 0 && slices.Max(l.cells) > table.LongDistance+1 {
			info.Bits = 16
		}
	}
	var order []uint32 // numbers in the order of the table, nil for their own order
	if s.keyed == nil {
		numbering, err = table.Numbers(s.game)
	} else {
		info.Numbering, info.KeyWords = table.ByKeys, s.keyed.words
		numbering, order = table.Keys(info.Numbers), s.keyed.sorted()
	}
	if err != nil {
		return nil, from, err
	}
	workers := sync.Pool{New: func() any { return s.source.worker() }}
	first := uint64(numbering.Size().Largest)
	from.Keys = func(block int, keys []uint64) ([]uint64, error) {
		for _, n := range order[uint64(block)*first : min(uint64(block+1)*first, info.Numbers)] {
			at := len(keys)
			keys = slices.Grow(keys, s.keyed.words)[:at+s.keyed.words]
			s.keyed.key(n, keys[at:])
		}
		return keys, nil
	}
	from.Fill = func(task int, codes [][]byte) (err error) {
		w := workers.Get().(worker)
		defer workers.Put(w)
		g, state, fresh := w.guards()
		defer game.Guard(&err, g, state, fresh)
		for i := uint64(task) * first; i < min(uint64(task+1)*first, info.Numbers); i++ {
			n, seat, ok := i, 0, true
			if order != nil {
				n = uint64(order[i])
			}
			if info.Seats > 2 { // scores of two seats do not depend on the seat
				seat, _, ok = w.at(n)
			}
			for l, layer := range s.list {
				score := int16(0)
				if ok {
					score = layer.score(n, seat)
				}
				codes[l] = appendCode(codes[l], code(score), info.Bits)
			}
		}
		return nil
	}
	return numbering, from, nil
}

func (s *layered) walk(yield func(game.State) bool) error { return s.source.walk(yield) }

func (s *layered) close() { s.space.Close() }
