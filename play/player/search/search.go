package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/internal/host"
	"perfectplay/internal/table"
)

const maxSeats = 6

// Options configure a search.
type Options struct {
	// Evaluation makes an evaluation for each thread; nil if states evaluate themselves.
	Evaluation func(game.Game) wing.Evaluator
	Memory     int64 // bytes of the tables; 0 for 32 MiB
	Seed       uint64
	// Threads search at once; 0 for one. A search bounded by positions uses one, so that it
	// does not depend on how threads meet.
	Threads int
	// Now is the clock; nil for a [host.Watch].
	Now func() time.Time
}

// Limits bound a search. It looks at one position at least.
type Limits struct {
	Time      time.Duration // 0 for no bound
	Processor bool          // counts only time with a processor
	Nodes     int64         // moves made in the search; 0 for no bound
	Depth     int           // plies; 0 for no bound
}

// depth is the most plies of an iteration.
func (l Limits) depth() int { return min(cmp.Or(l.Depth, maxDepth), maxDepth) }

// Answer is the result of a search.
type Answer struct {
	Move game.Move
	// Value is the proved value for the seat to move: a win forced against all others, or a
	// loss; else unknown. Distance is a number of plies within which it is forced.
	Value    game.Value
	Distance int
	// Score is the standing of the seat to move in hundredths of a turn, or in the
	// game's own unit.
	Score int32
	Depth int // plies of the last whole iteration; playouts have none
	Nodes int64
	// Turns is the length of the plan that the move follows, 0 without one; Shortest says that
	// no plan is shorter.
	Turns    int
	Shortest bool
}

// Search chooses moves of one game. It belongs to one goroutine.
type Search struct {
	o       Options
	g       game.Game
	e       wing.Evaluator
	exact   bool // gain equals the change of costs
	seats   int
	pcg     rand.PCG // source of rng; kept here so that no two threads share a cache line
	rng     *rand.Rand
	table   *table.Table // nil for positions without keys
	tree    *tree
	helpers []*Search // the other threads, which share table and tree

	// The search under way:
	ctx      context.Context
	s        game.State
	key      game.Keyer
	finisher game.Finisher
	hero     int
	ply      int
	nodes    int64
	told     atomic.Int64 // number of nodes, for other threads to read
	filled   atomic.Int64 // number of empty slots of the table that the search filled
	limit    int64
	time     time.Duration
	elapsed  func() time.Duration
	stopped  bool
	frames   []*frame
	history  [maxSeats][1 << historyBits]int32
	deepest  Answer // answer of the last whole iteration of a helper
	settled  bool   // a helper has found that deeper searches change nothing
	fault    error  // the game's fault on a helper's goroutine
	path     []*node
	moves    []game.Move
	next     []candidate

	made []step // the moves chosen in this game, so that play does not go in circles
}

// step is a chosen move: the positions before and after it, as text.
type step struct{ from, to string }

// New returns a search.
func New(g game.Game, o Options) (*Search, error) {
	if g.Seats() > maxSeats {
		return nil, fmt.Errorf("search: %s has %d seats: at most %d", g.ID(), g.Seats(), maxSeats)
	}
	o.Memory, o.Threads = cmp.Or(o.Memory, 32<<20), max(o.Threads, 1)
	w := newThread(g, o, 0)
	w.judge()
	if w.seats > 2 {
		w.tree.most = int32(min(o.Memory/nodeBytes, math.MaxInt32/2))
	} else if k, ok := g.Start().(game.Keyer); ok {
		t, err := table.New(o.Memory, table.Config{Keys: k.KeyWords(), Payloads: 1, Merge: merge})
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		w.table = t
	}
	for i := 1; i < o.Threads && (w.seats > 2 || w.table != nil); i++ { // threads share a tree or a table
		h := newThread(g, o, uint64(i))
		h.table, h.tree = w.table, w.tree
		w.helpers = append(w.helpers, h)
	}
	return w, nil
}

// newThread returns the search of a thread without the shared parts and the evaluation.
func newThread(g game.Game, o Options, i uint64) *Search {
	w := &Search{o: o, g: g, seats: g.Seats(), exact: o.Evaluation != nil, tree: new(tree)}
	w.pcg.Seed(o.Seed, 0x5ea7c4+i)
	w.rng = rand.New(&w.pcg)
	return w
}

// judge makes the evaluation.
func (w *Search) judge() {
	if w.e = wing.Evaluator(plain{w.seats}); w.exact {
		w.e = w.o.Evaluation(w.g)
	}
}

// Close frees the memory.
func (w *Search) Close() error {
	if w.table == nil {
		return nil
	}
	return w.table.Close()
}

// Best chooses one of the legal moves, at least one, of an undecided position. It leaves the
// state as it was. When the context ends it returns soon, with the best move so far.
func (w *Search) Best(ctx context.Context, s game.State, moves []game.Move, l Limits) Answer {
	if len(moves) == 1 {
		return Answer{Move: moves[0]}
	}
	w.begin(ctx, s, l)
	moves = slices.Clone(moves)
	if m, ok := w.wins(moves); ok {
		return Answer{Move: m, Value: game.Win, Distance: 1, Nodes: w.nodes}
	}
	moves, complete := w.fresh(s, moves)
	w.rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	gains := map[game.Move]int32{}
	for _, m := range moves {
		gains[m] = w.e.Gain(w.s, m)
	}
	slices.SortStableFunc(moves, func(a, b game.Move) int { return cmp.Compare(gains[b], gains[a]) })
	plan, shortest := w.e.Finish(s, int(cmp.Or(l.Nodes/2, 1<<16)))
	var a Answer
	if w.seats > 2 {
		a = w.monteCarlo(moves)
	} else {
		a = w.deepen(moves, l)
	}
	a.Nodes = w.visited()
	if a.Value == game.Loss && !complete {
		a.Value, a.Distance = game.Unknown, 0
	}
	if a.Value == game.Unknown && len(plan) > 0 && slices.Contains(moves, plan[0]) {
		a.Move, a.Turns, a.Shortest = plan[0], len(plan), shortest
	}
	w.remember(s, a.Move)
	return a
}

// place gives the search a copy of a state.
func (w *Search) place(s game.State) {
	w.s = s.Clone()
	w.key, _ = w.s.(game.Keyer)
	w.finisher, _ = w.s.(game.Finisher)
}

func (w *Search) begin(ctx context.Context, s game.State, l Limits) {
	w.place(s)
	w.ctx, w.hero, w.ply, w.nodes, w.stopped = ctx, s.Seat(), 0, 0, false
	w.told.Store(0)
	w.deepest, w.settled, w.fault = Answer{}, false, nil
	w.limit, w.time, w.elapsed = l.Nodes, l.Time, host.NewWatch(l.Processor).Elapsed
	if w.o.Now != nil {
		begin := w.o.Now()
		w.elapsed = func() time.Duration { return w.o.Now().Sub(begin) }
	}
	for seat := range w.history {
		for i := range w.history[seat] {
			w.history[seat][i] /= 4
		}
	}
	for _, h := range w.team() {
		h.begin(ctx, s, Limits{})
	}
}

// team are the helpers of the search under way.
func (w *Search) team() []*Search {
	if w.limit > 0 {
		return nil
	}
	return w.helpers
}

// together runs work on the caller's goroutine and help on the goroutines of the team, and returns
// when all have ended. work reports whether the team has to end, too. A panic of the game on a
// helper's goroutine becomes the caller's.
func (w *Search) together(work func() (end bool), help func(h *Search, i int)) {
	var wait sync.WaitGroup
	ctx, cancel := context.WithCancel(w.ctx)
	defer func() {
		cancel()
		wait.Wait()
	}()
	for i, h := range w.team() {
		h.ctx, h.stopped = ctx, false
		wait.Go(func() { h.guarded(func() { help(h, i) }) })
	}
	if work() {
		cancel()
	}
	wait.Wait()
	for _, h := range w.team() {
		if h.fault != nil {
			panic(h.fault)
		}
	}
}

// guarded runs work on a helper's goroutine. It copies the state and makes the evaluation there,
// so that no two processors write to the same cache line.
func (w *Search) guarded(work func()) {
	defer game.Guard(&w.fault, w.g, w.s)
	w.place(w.s)
	if w.e == nil {
		w.judge()
	}
	work()
	w.told.Store(w.nodes)
}

// visited is the number of positions visited by all threads, without the last few positions of
// threads at work.
func (w *Search) visited() int64 {
	n := w.nodes
	for _, h := range w.team() {
		n += h.told.Load()
	}
	return n
}

func (w *Search) wins(moves []game.Move) (game.Move, bool) {
	for _, m := range moves {
		w.s.Make(m)
		w.nodes++
		winner, ok := w.s.Result().Winner()
		w.s.Unmake()
		if ok && winner == w.hero {
			return m, true
		}
	}
	return game.NoMove, false
}

// fresh returns the moves without those to positions of earlier choices, as long as others are
// left.
func (w *Search) fresh(s game.State, moves []game.Move) (list []game.Move, complete bool) {
	if len(w.made) == 0 {
		return moves, true
	}
	from := s.String()
	for _, m := range moves {
		to := w.after(m)
		if !slices.ContainsFunc(w.made, func(c step) bool {
			return c.to == to && c.from != from || c.to == to && w.made[len(w.made)-1].from != from
		}) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return moves, true
	}
	return list, len(list) == len(moves)
}

// after is the position after a move, as text.
func (w *Search) after(m game.Move) string {
	w.s.Make(m)
	defer w.s.Unmake()
	return w.s.String()
}

// remember records a choice. A repeated question replaces its first answer.
func (w *Search) remember(s game.State, m game.Move) {
	const most = 64 // choices
	c := step{s.String(), w.after(m)}
	if n := len(w.made); n > 0 && w.made[n-1].from == c.from {
		w.made = w.made[:n-1]
	}
	if w.made = append(w.made, c); len(w.made) > most {
		w.made = w.made[1:]
	}
}

// play makes a move of the search, unless its limits are reached.
func (w *Search) play(m game.Move) {
	w.s.Make(m)
	w.ply++
	w.nodes++
	switch {
	case w.limit > 0 && w.nodes >= w.limit:
		w.stopped = true
	case w.nodes&63 == 0:
		w.told.Store(w.nodes)
		w.stopped = w.stopped || w.ctx.Err() != nil || w.time > 0 && w.elapsed() >= w.time
	}
}

func (w *Search) back() {
	w.s.Unmake()
	w.ply--
}

// plain is a [wing.Evaluator] that asks states themselves.
type plain struct{ seats int }

func (e plain) Costs(s game.State, dst []int32) {
	j, ok := s.(game.Evaluator)
	for seat := range e.seats {
		dst[seat] = 0
		if ok {
			dst[seat] = -j.Evaluate(seat) / 2
		}
	}
}

func (plain) Gain(s game.State, m game.Move) int32 {
	if o, ok := s.(game.Orderer); ok && m != game.Pass {
		return o.Gain(m)
	}
	return 0
}

func (plain) Finish(game.State, int) ([]game.Move, bool) { return nil, false }

// standing is the lead of a seat over the others, of whom the best counts as much as all
// together; a seat alone is compared with its goal.
func standing(costs []int32, seat int) int32 {
	switch len(costs) {
	case 1:
		return -costs[seat]
	case 2:
		return costs[1-seat] - costs[seat]
	}
	best, sum := int32(1<<30), int32(0)
	for s, c := range costs {
		if s != seat {
			best, sum = min(best, c), sum+c
		}
	}
	return (best+sum/int32(len(costs)-1))/2 - costs[seat]
}
