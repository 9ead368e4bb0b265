package equilibrium

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"perfectplay/game/domino"
	"perfectplay/internal/host"
	"perfectplay/rank"
)

// Solver finds an equilibrium of a game. It belongs to one goroutine.
type Solver struct {
	Game
	parts  []learner
	deals  uint64
	tables *tables // shared by all parts
}

// learner is a part with numbers in float32 or float64.
type learner interface {
	root() *Root
	iterations() int
	size() int // size is the number of numbers that the part stores.
	learn(ctx context.Context, until, threads int)
	bounds(threads int) Bounds
	judge(list []float64, threads int) (j Judgement, rest []float64)
	follow(list []float64) (rest []float64)
	advise(past []domino.Move, hand domino.Set, worths bool) ([]Advice, error)
	spotsWith(visit func(*Spot, []float64) error) error
	reached(visit func(spot *Spot, probabilities []float64, reach float64) error) error
	save(g Game, dir string) error
	load(g Game, dir string) error
}

// Bounds are an interval that contains the value of a game for the starter, in pips a deal. Low is
// the result of the starter's strategy against its best answer, High is the result of the second
// player's strategy against its best answer.
type Bounds struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Gap  float64 `json:"gap"` // High − Low
}

// Opening is the result for the deals that begin with one tile.
type Opening struct {
	Opener     string `json:"opener"`
	Deals      uint64 `json:"deals"`
	Iterations int    `json:"iterations"`
	Bounds
}

// Judgement evaluates a strategy for both seats against its best answers, in pips a deal for the
// starter. Gap is its largest loss in two deals, one from each seat.
type Judgement struct {
	Bounds
	Starting float64 // result of the strategy as the starter against the solver's strategy
	Second   float64 // result of the strategy as the second player against the solver's strategy
}

// Judge evaluates a strategy over all deals, by its weights from [Solver.List]; nil stands for the
// solver's own strategies.
func (s *Solver) Judge(list []float64, threads int) (all Judgement) {
	if list == nil {
		list, _ = s.List(func(*Root, *Spot, []float64) bool { return true })
	}
	for _, p := range s.parts {
		var j Judgement
		j, list = p.judge(list, threads)
		share := float64(p.root().Deals) / float64(s.deals)
		all.Low += share * j.Low
		all.High += share * j.High
		all.Starting += share * j.Starting
		all.Second += share * j.Second
	}
	all.Gap = all.High - all.Low
	return all
}

// List returns the weights that fill sets for all information sets, in the order of
// [Solver.Strategies]. They are proportional to the probabilities of the moves; fill finds those of
// the solver in place. ok is false if fill returned false, which ends the walk.
func (s *Solver) List(fill func(root *Root, spot *Spot, weights []float64) bool) (list []float64, ok bool) {
	errUnknown := errors.New("unknown")
	n := 0
	for _, p := range s.parts {
		n += p.size()
	}
	list = make([]float64, 0, n)
	err := s.Strategies(func(root *Root, spot *Spot, p []float64) error {
		if !fill(root, spot, p) {
			return errUnknown
		}
		list = append(list, p...)
		return nil
	})
	return list, err == nil
}

// Strategies visits all information sets, each with the probabilities of its moves.
func (s *Solver) Strategies(visit func(root *Root, spot *Spot, probabilities []float64) error) error {
	for _, p := range s.parts {
		if err := p.spotsWith(func(spot *Spot, w []float64) error { return visit(p.root(), spot, w) }); err != nil {
			return err
		}
	}
	return nil
}

// Decisions visits the information sets with two moves or more. It passes the probabilities of the
// moves, and the probability that a deal reaches the set if both seats play by their strategies.
func (s *Solver) Decisions(visit func(root *Root, spot *Spot, probabilities []float64, reach float64) error) error {
	for _, p := range s.parts {
		share := float64(p.root().Deals) / float64(s.deals)
		if err := p.reached(func(spot *Spot, w []float64, reach float64) error { return visit(p.root(), spot, w, share*reach) }); err != nil {
			return err
		}
	}
	return nil
}

// Follow replaces the average strategies by weights from [Solver.List].
func (s *Solver) Follow(list []float64) {
	for _, p := range s.parts {
		list = p.follow(list)
	}
}

// A game with at least double stored numbers stores them as float32 instead of float64, to save
// memory.
const double = 1 << 26

// MaxNumbers bounds the numbers of a game; see [Counts].
const MaxNumbers = 1 << 29

// Size returns the counts of a game and the bytes for solving it. Above MaxNumbers it stops, and
// both are lower bounds.
func (g Game) Size(threads int) (c Counts, bytes uint64) {
	for _, r := range g.Roots() {
		if c.Numbers <= MaxNumbers {
			c.add(r.State.Count(MaxNumbers - c.Numbers + 1))
		}
	}
	number := uint64(unsafe.Sizeof(float64(0)))
	if c.Stored >= double {
		number /= 2
	}
	bytes = 2*number*uint64(c.Stored) + uint64(unsafe.Sizeof(span{}))*uint64(c.States)*5/4
	hands := uint64(0) // length of the longest vector over hands
	for _, r := range g.Roots() {
		for seat, k := range r.State.Size {
			hands = max(hands, rank.Choose(r.State.Allowed[seat].Len(), int(k)))
		}
	}
	return c, bytes + uint64(threads)*(hands*8*64+1<<22) + 128*hands*16 + 16<<20
}

// New returns the solver of a game before the first iteration. Its strategies play all moves
// equally often.
func New(g Game) (*Solver, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	s := &Solver{Game: g, tables: new(tables)}
	var stored int64
	for _, r := range g.Roots() {
		stored += r.State.Count(1 << 62).Stored
		s.deals += r.Deals
	}
	if s.deals == 0 {
		return nil, errNoGame
	}
	for _, r := range g.Roots() {
		var p learner
		var err error
		if stored < double {
			p, err = newPart[float64](g.Rules, r, s.tables)
		} else {
			p, err = newPart[float32](g.Rules, r, s.tables)
		}
		if err != nil {
			return nil, err
		}
		s.parts = append(s.parts, p)
	}
	return s, nil
}

// MaxIterations bounds the iterations.
const MaxIterations = 1 << 22

// Options say when to stop.
type Options struct {
	Threads    int
	Iterations int             // most iterations of each opener, up to MaxIterations; 0: MaxIterations
	Gap        float64         // stop when each opener's bounds are at most this wide
	Save       func() error    // called after every round; may be nil
	Progress   func([]Opening) // bounds after every round; may be nil
}

// next is the iteration at which bounds are computed next. It depends on done alone, so that a
// resumed run ends where an uninterrupted run ends.
func next(done int) int {
	for c := 8; ; c += max(8, c/4/8*8) {
		if c > done {
			return c
		}
	}
}

// Run iterates until all bounds are narrow enough, and returns them by opener. Results depend
// neither on the number of threads nor on interruptions. If cancelled, it returns the bounds
// reached and the context's error.
func (s *Solver) Run(ctx context.Context, o Options) (list []Opening, err error) {
	if o.Iterations == 0 {
		o.Iterations = MaxIterations
	}
	list = make([]Opening, len(s.parts))
	closed := make([]bool, len(s.parts))
	todo := make([]int, len(s.parts))
	for i := range todo {
		todo[i] = i
	}
	s.each(todo, o.Threads, func(i, threads int) {
		list[i] = s.opening(s.parts[i], threads)
		closed[i] = list[i].Gap <= o.Gap || list[i].Iterations >= o.Iterations
	})
	for _, opening := range list {
		if !(opening.Low <= opening.High) {
			return nil, fmt.Errorf("equilibrium: %v %s: damaged: strategies have the bounds %v and %v", s.Game, opening.Opener, opening.Low, opening.High)
		}
	}
	for round := 0; slices.Contains(closed, false); round = next(round) {
		until := min(next(round), o.Iterations)
		todo = todo[:0]
		for i, p := range s.parts {
			if !closed[i] && p.iterations() < until {
				todo = append(todo, i)
			}
		}
		s.each(todo, o.Threads, func(i, threads int) {
			p := s.parts[i]
			p.learn(ctx, until, threads)
			list[i] = s.opening(p, threads)
			closed[i] = list[i].Gap <= o.Gap || list[i].Iterations == o.Iterations
		})
		switch {
		case ctx.Err() != nil:
			return list, ctx.Err()
		case len(todo) == 0:
			continue // an earlier run has completed this round
		}
		if o.Progress != nil {
			o.Progress(list)
		}
		if o.Save != nil {
			if err := o.Save(); err != nil {
				return list, err
			}
		}
	}
	return list, nil
}

// each calls work for parts, several at once. work receives the number of threads for its part.
func (s *Solver) each(parts []int, threads int, work func(i, threads int)) {
	divided, whole := s.share(parts, threads)
	for _, i := range divided {
		work(i, threads)
	}
	_ = host.Parallel(context.Background(), host.Threads(threads), len(whole), func(_ struct{}, n int) error {
		work(whole[n], 1)
		return nil
	})
}

// share splits parts into two lists. All threads together walk each divided part, since one thread
// alone would finish it last. One thread walks each whole part, the largest part first.
func (s *Solver) share(parts []int, threads int) (divided, whole []int) {
	size := func(i int) int { return s.parts[i].size() }
	whole = slices.Clone(parts)
	slices.SortStableFunc(whole, func(i, j int) int { return size(j) - size(i) })
	total := 0
	for _, i := range whole {
		total += size(i)
	}
	n := 0
	for ; n < len(whole) && size(whole[n])*threads > total; n++ {
		total -= size(whole[n])
	}
	return whole[:n], whole[n:]
}

func (s *Solver) opening(p learner, threads int) Opening {
	return Opening{p.root().Name, p.root().Deals, p.iterations(), p.bounds(threads)}
}

// Value returns the bounds of the whole game: the mean of the openings' bounds, weighted by deals.
func Value(list []Opening) (b Bounds) {
	deals := 0.0
	for _, o := range list {
		deals += float64(o.Deals)
	}
	for _, o := range list {
		share := float64(o.Deals) / deals
		b.Low += share * o.Low
		b.High += share * o.High
	}
	b.Gap = b.High - b.Low
	return b
}

// rounding bounds the rounding error of a best answer, in pips a deal: a deal has at most 28 plies
// with passes, and each rounds a product and two sums over the hands of a seat by 2⁻⁵³ of at most
// MaxScore.
func (p *part[S]) rounding() float64 {
	return 64 * float64(max(p.hands(0), p.hands(1))) / (1 << 53) * domino.MaxScore
}

func (p *part[S]) bounds(threads int) Bounds {
	low, high := -p.answer(1, p.sums, threads)-p.rounding(), p.answer(0, p.sums, threads)+p.rounding()
	return Bounds{low, high, high - low}
}

func (p *part[S]) root() *Root     { return &p.Root }
func (p *part[S]) iterations() int { return p.done }
func (p *part[S]) size() int       { return len(p.sums) }
