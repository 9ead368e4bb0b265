package explore

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve"
)

// asking asks an oracle about a position, in a round.
type asking func(o wing.Oracle, s game.State, round int) (wing.Worth, error)

// The bounds of the first round of prove; each further round doubles them.
const (
	firstTime  = 50 * time.Millisecond
	firstNodes = 1 << 15
)

// prove asks a slow source about the position and each move, in rounds, until all are answered, the
// context ends, or the query's nodes are spent. Nodes bound each question; without them time does,
// and from the second round on prove also stops when enough is closed.
func (a *analysis) prove(ctx context.Context, src *wing.Source, enough <-chan struct{}) {
	nodes, spent := a.query.Nodes, uint64(0)
	stop := func(round int) bool {
		select {
		case <-enough:
			return round > 0
		default:
			return ctx.Err() != nil || nodes > 0 && spent >= nodes
		}
	}
	ask := func(o wing.Oracle, s game.State, round int) (wing.Worth, error) {
		if nodes == 0 {
			limited, cancel := context.WithTimeout(ctx, firstTime<<round)
			defer cancel()
			w, err := o.Worth(limited, s)
			if limited.Err() != nil && (err != nil || w.Value == game.Unknown) {
				return wing.Worth{}, ctx.Err()
			}
			return w, err
		}
		b, ok := o.(wing.Bounded)
		if !ok || spent >= nodes {
			return wing.Worth{}, nil
		}
		w, taken, err := b.WorthWithin(ctx, s, min(firstNodes, nodes)<<round)
		spent += taken
		return w, err
	}
	open := []int{-1} // the position itself, then the moves
	for i := range a.moves {
		open = append(open, i)
	}
	for round := 0; len(open) > 0; round++ {
		var left []int
		for len(open) > 0 {
			if stop(round) {
				return
			}
			n, again := a.questions(ctx, src, open, round, ask)
			if n == 0 {
				return
			}
			open, left = open[n:], append(left, again...)
		}
		open = left
	}
}

// threads is the number of threads to use: one if nodes bound the work, since the order in
// which threads meet would change the answer.
func (a *analysis) threads(bounded bool) int {
	if bounded {
		return 1
	}
	return a.s.options.Threads
}

// questions asks a slow source about the moves in list, where −1 stands for the position. It stops
// early if others have waited long enough. asked is the number of questions, 0 if the source cannot
// answer. open lists the moves left open.
func (a *analysis) questions(ctx context.Context, src *wing.Source, list []int, round int, ask asking) (asked int, open []int) {
	const long = 200 * time.Millisecond
	e, err := a.use(ctx, src)
	if err != nil {
		return 0, nil
	}
	defer a.s.sources.put(e)
	select {
	case e.asking <- struct{}{}:
	case <-ctx.Done():
		return 0, nil
	}
	defer func() { <-e.asking }()
	turn, err := a.s.threads.begin(ctx, a.s.options.Threads, a.hush)
	if err != nil {
		return 0, nil
	}
	defer turn.end()
	e.turn = turn
	for begin := time.Now(); asked < len(list) && (asked == 0 || time.Since(begin) < long); asked++ {
		answered, err := a.question(describe(*src), e.oracle, list[asked], round, ask)
		if err != nil {
			return 0, nil
		}
		if !answered {
			open = append(open, list[asked])
		}
		turn.yield()
	}
	return asked, open
}

// question asks about one move, or about the position if move is −1, and reports whether the
// question is answered. An error means that the source will answer nothing.
func (a *analysis) question(by Source, o wing.Oracle, move, round int, ask asking) (bool, error) {
	a.mu.Lock()
	known := a.whole
	if move >= 0 {
		known = a.facts[move]
	}
	a.mu.Unlock()
	if known.Value != game.Unknown {
		return true, nil
	}
	s := a.State.Clone()
	if move >= 0 {
		s.Make(a.moves[move])
	}
	w, err := ask(o, s, round)
	if errors.Is(err, wing.ErrNever) {
		return true, nil
	}
	if err != nil || w.Value == game.Unknown {
		return false, err
	}
	f, moves := factOf(w), slices.Repeat([]fact{unknown()}, len(a.moves))
	if move < 0 {
		if len(w.Line) > 0 {
			if i := slices.Index(a.moves, w.Line[0]); i >= 0 {
				moves[i] = f
			}
		}
		a.learn(by, &f, nil, moves)
		return true, nil
	}
	moves[move] = f.before(s.Seat() != a.State.Seat())
	a.learn(by, nil, nil, moves)
	return true, nil
}

// share is the time after which a search first makes way for others that wait for its room.
const share = 2 * time.Second

// deepen searches until all is decided, the query's limit is reached or the context ends: for
// values and distances, or by max^n for the winner. To a limit it searches each move completely
// before the next, otherwise all moves step by step. While others wait for room it makes way
// and starts over later.
func (a *analysis) deepen(ctx context.Context, algo solve.Algo) {
	s, limit, rooms := a.s, a.query.Limit, a.s.rooms
	if a.once {
		rooms = s.quick
	}
	if algo == solve.MaxN {
		limit = min(limit, solve.MaxLimitMaxN)
	}
	bound := a.query.Nodes
	if a.query.Limit > 0 {
		bound = 0 // the plies bound the search
	}
	nodes := bound
	for mine := share; ; mine *= 2 {
		a.waits(true)
		if rooms.enter(ctx, 1) != nil {
			return
		}
		turn, err := s.threads.begin(ctx, s.options.Threads, a.hush)
		if err != nil {
			rooms.Release(1)
			return
		}
		a.waits(false)
		book := solve.Book(nil)
		if b := a.book(); b != nil && algo != solve.MaxN {
			book = b
		}
		searching, cancel := context.WithCancel(ctx)
		entered, late := time.Now(), false
		makesWay := func() bool { // never under a bound on nodes: the answer would depend on others
			return bound == 0 && rooms.waiting.Load() > 0 && time.Since(entered) > mine
		}
		report, err := solve.Run(searching, a.game, a.State.Clone(), solve.Options{
			Algo: algo, Limit: limit, Nodes: nodes, Threads: a.threads(bound > 0), Memory: s.room - searchBytes, Yield: turn.yield, Book: book,
			Deeper: func(r *solve.Report) bool {
				a.searched(r)
				late = late || makesWay()
				return !late && !(a.query.Nodes > 0 && a.finished())
			},
			Progress: func(p solve.Progress) {
				if algo != solve.MaxN {
					a.progress(p)
				}
				if makesWay() {
					cancel()
				}
			},
		})
		cancel()
		turn.end()
		rooms.Release(1)
		if err != nil {
			a.fail(err)
			return
		}
		a.searched(report)
		more := nodes > 0 && nodes == bound
		if err := a.prompt(func() error {
			more = more && a.nearEnd(report.Limit)
			return nil
		}); err != nil {
			a.fail(err)
			return
		}
		if ctx.Err() != nil || !report.Interrupted || bound > 0 && !more || a.finished() {
			return
		}
		if more {
			nodes *= endShare
		}
	}
}

// A search whose nodes run out within endPlies of the end of the game gets endShare times as
// many: the last plies have few positions and decide all that is open.
const (
	endPlies = 6
	endShare = 4
)

// nearEnd reports whether the game ends soon after the plies already searched: by its own bound
// on the plies left, else in random play.
func (a *analysis) nearEnd(reached int) bool {
	if e, ok := a.State.(game.Ender); ok {
		return e.PliesLeft() <= reached+endPlies
	}
	const games = 8
	s, rng := a.State.Clone(), rand.New(rand.NewPCG(1, 2))
	var moves []game.Move
	for range games {
		plies := 0
		for ; s.Result() == game.Ongoing; plies++ {
			if plies > reached+endPlies {
				return false
			}
			moves = s.Moves(moves[:0])
			s.Make(moves[rng.IntN(len(moves))])
		}
		for range plies {
			s.Unmake()
		}
	}
	return true
}

func (a *analysis) waits(is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.searching, a.search.Waiting = true, is
	a.notify()
}

func (a *analysis) progress(p solve.Progress) {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := &a.search
	d.Depth, d.Fraction, d.Nodes = p.Iteration, p.Fraction, p.Nodes
	if sec := p.Elapsed.Seconds(); sec > 0 {
		d.Rate = float64(p.Nodes) / sec
	}
	a.notify()
}

func (a *analysis) searched(r *solve.Report) {
	from := func(s *solve.Search) fact {
		f := unknown()
		if r.Algo == solve.MaxN {
			if s.Value != game.Unknown {
				f.winner = s.Winner
			}
			return f
		}
		if f.Value = s.Value; s.Value == game.Win || s.Value == game.Loss {
			f.Distance = s.Distance
		}
		if n := s.NotWithin(); n > 0 {
			f.bound = n
		}
		return f
	}
	whole := from(&r.Whole)
	var moves []fact
	for i := range r.Openings {
		moves = append(moves, from(&r.Openings[i]))
	}
	// The first move of the line achieves the value of the position.
	if len(r.Line) > 0 {
		if i := slices.IndexFunc(a.after, func(m after) bool { return m.name == r.Line[0] }); i >= 0 {
			if moves == nil {
				moves = slices.Repeat([]fact{unknown()}, len(a.moves))
			}
			moves[i].Value, moves[i].Distance, moves[i].winner = whole.Value, whole.Distance, whole.winner
		}
	}
	a.mu.Lock()
	if r.Algo != solve.MaxN {
		if a.reached = max(a.reached, r.Whole.Reached); r.Whole.Value == game.Draw {
			deepest := r.Whole.MaxDepth // no line of the game is longer
			for i := range r.Openings {
				deepest = max(deepest, r.Openings[i].MaxDepth)
			}
			a.reached = min(a.reached, max(deepest, 1))
		}
		if len(r.Line) > 0 && len(a.line) == 0 {
			a.line = slices.Clone(r.Line)
		}
		d := &a.search
		d.Depth, d.Nodes = r.Limit, max(d.Nodes, r.Total.Nodes)
	}
	a.mu.Unlock()
	a.learn(bySearch, &whole, nil, moves)
}
