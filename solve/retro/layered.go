package retro

import (
	"context"
	"sync"

	"perfectplay/game"
	"perfectplay/internal/host"
	"perfectplay/solve/table"
)

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

// layered holds the values of numbered positions, layer by layer.
type layered struct {
	teams
	numbers   *numbers
	blocks    ranges
	room      int
	space     *planes
	list      []*layer
	positions uint64
	threads   int
	resumed   bool
}

func newLayered(t teams, n *numbers, plan plan, o Options) *layered {
	s := &layered{teams: t, numbers: n, blocks: newRanges(n.n), room: plan.room, threads: o.Workers(), space: &planes{Space: new(host.Space), allowed: o.Memory, used: other}}
	if plan.resident > 0 {
		s.space = &planes{Space: host.NewSpace(o.Work, int64(plan.resident)), files: true}
	}
	return s
}

// solve solves all layers.
func (s *layered) solve(ctx context.Context, plan plan, o Options) error {
	n := s.numbers
	if err := s.space.take("messages", uint64(s.threads*s.blocks.count*s.room)*4); err != nil {
		return err
	}
	mails := newMails(s.threads, s.blocks.count, s.room)
	err := n.audit(ctx, s.threads)
	listing := 0.0 // share of the work that lists the moves
	if err == nil && plan.Method == Graph {
		listing = 0.5
		err = n.link(ctx, s.space, s.threads, o, func(done float64) { o.Tell(Progress{Steps: plan.Steps, Share: listing * done}) })
	}
	if err == nil {
		err = s.space.room(uint64(plan.Steps) * n.n)
	}
	if err != nil {
		return err
	}
	// A third number, 0, as in files of earlier versions.
	saved := newWork(n.game, o, []any{plan.Method, n.n, uint32(0)})
	for i, set := range table.Sets(plan.Steps) { // the single seat first, all seats last
		l := &layer{set: uint8(set), seats: s.seats, side: s.side[i], space: s.space, size: n.n}
		if l.cells, err = plane[byte](s.space, "planes", n.n); err != nil {
			return err
		}
		r := &run{numbers: n, layer: l, blocks: s.blocks, mails: mails, yield: o.Pause}
		r.report = func(ply int, decided uint64, done float64) {
			o.Tell(Progress{Step: i + 1, Steps: plan.Steps, Pass: ply, Decided: decided, Share: listing + (1-listing)*(float64(i)+done)/float64(plan.Steps)})
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
	return nil
}

// forced implements [results].
func (s *layered) forced(at game.State, layer int) (score int16, ok bool, err error) {
	n, ok := s.numbers.number(at)
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
	err = parallel(ctx, s.numbers.workers(s.threads), s.blocks.count, func(w *numbered) asker { return w }, func(w *numbered, b int) error {
		var c Count
		from, to := s.blocks.bounds(b)
		s.space.Charge(2 * int(to-from))
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
	info.Numbers, info.Bits = s.numbers.n, 8
	for _, l := range s.list {
		for n := range l.size {
			if l.at(n) > table.LongDistance+1 {
				info.Bits = 16
				break
			}
		}
	}
	if numbering, err = table.Numbers(s.numbers.game); err != nil {
		return nil, from, err
	}
	workers := sync.Pool{New: func() any { return s.numbers.worker() }}
	first := uint64(numbering.Size().Largest)
	from.Fill = func(task int, codes [][]byte) (err error) {
		w := workers.Get().(*numbered)
		defer workers.Put(w)
		g, state, fresh := w.guards()
		defer game.Guard(&err, g, state, fresh)
		for n := uint64(task) * first; n < min(uint64(task+1)*first, info.Numbers); n++ {
			seat, ok := 0, true
			if info.Seats > 2 { // scores of two seats do not depend on the seat
				seat, _, ok = w.at(n)
			}
			for i, l := range s.list {
				score := int16(0)
				if ok {
					score = l.score(n, seat)
				}
				codes[i] = appendCode(codes[i], code(score), info.Bits)
			}
		}
		return nil
	}
	return numbering, from, nil
}

func (s *layered) walk(yield func(game.State) bool) error { return s.numbers.walk(yield) }

func (s *layered) close() { s.space.Close() }
