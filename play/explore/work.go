package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
	"perfectplay/solve"
	tables "perfectplay/solve/table"
)

const (
	// mostMaxN bounds the positions of a game for which Ask looks for the winner among more than
	// two: all stars of 13 holes.
	mostMaxN = 1e7
	// lookOn bounds the search for the winner once all values are known and nodes do not bound
	// it: where play may be endless, that search may never end.
	lookOn = time.Second
)

// small reports whether a game is known to have fewer than mostMaxN positions.
func (a *analysis) small() bool {
	if a.wing.Positions != nil {
		return a.wing.Positions(a.game) < mostMaxN
	}
	by := game.NumbererOf(a.game)
	return by != nil && by.Numbers() < mostMaxN
}

// work asks all sources. It returns when everything is known, or when the context ends.
func (a *analysis) work(ctx context.Context, limit time.Duration) {
	defer a.seek(false)
	if a.result != game.Ongoing {
		return
	}
	many := a.game.Seats() > 2 && (!a.once && a.query.Nodes == 0 || a.small())
	a.seek(many)
	asking := ctx
	if limit > 0 { // most of the time is for sources that are being made
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeout(ctx, limit*3/4)
		defer cancel()
	}
	var slow *wing.Source
	for i := range a.sources {
		src := &a.sources[i]
		if src.Slow {
			slow = src
			continue
		}
		if err := a.ask(asking, src); err != nil {
			a.fail(err)
			return
		}
		if a.decided() {
			break
		}
	}
	if many && a.decided() && !a.small() {
		many = false // the winner will not be found soon
		a.seek(false)
	}
	if a.book() != nil && !a.decided() {
		if err := a.prompt(a.recall); err != nil {
			a.fail(err)
			return
		}
	}
	a.mu.Lock()
	scored := a.whole.Score != nil
	a.mu.Unlock()
	if scored || ctx.Err() != nil {
		return // a search for values would contradict play for points
	}
	if a.query.Nodes > 0 {
		if slow != nil {
			a.prove(ctx, slow, nil)
		}
		if !a.decided() {
			a.deepen(ctx, solve.DefaultAlgo(a.game))
		}
		if many {
			a.deepen(ctx, solve.MaxN)
		}
		return
	}
	enough := make(chan struct{}) // closed when the search has reached its limit
	if a.once && slow != nil {
		a.prove(asking, slow, enough)
		if !a.decided() {
			a.deepen(ctx, solve.DefaultAlgo(a.game))
		}
		return
	}
	seeking, stopSeeking := context.WithCancel(ctx)
	defer stopSeeking()
	var all sync.WaitGroup
	defer all.Wait()
	if slow != nil {
		all.Go(func() { a.safely(func() { a.prove(ctx, slow, enough) }) })
	}
	if many {
		all.Go(func() {
			a.safely(func() { a.deepen(seeking, solve.MaxN) })
			a.seek(false)
		})
	}
	if !a.decided() {
		a.safely(func() { a.deepen(ctx, solve.DefaultAlgo(a.game)) })
	}
	close(enough)
	if a.decided() {
		time.AfterFunc(lookOn, stopSeeking)
	}
}

// use opens a source, or waits until it is open.
func (a *analysis) use(ctx context.Context, src *wing.Source) (*kept, error) {
	s := a.s
	key := a.game.ID() + "\x00" + a.game.Rules() + "\x00" + string(src.Kind) + "\x00" + src.Name
	bounded := src.Slow && a.query.Nodes > 0
	if bounded { // work bounded by nodes must not depend on time
		key += "\x00nodes"
	}
	return s.sources.get(ctx, key, *src, func(ctx context.Context, e *kept) (wing.Oracle, error) {
		r := wing.Resources{Memory: max(src.Memory, src.Making), Threads: a.threads(bounded), Yield: func() {
			if e.turn != nil {
				e.turn.yield()
			}
		}}
		if s.options.Proved != nil {
			r.Proved = s.options.Proved(a.game)
		}
		open := func() (wing.Oracle, error) {
			return a.opening(a.query.Position, func() (wing.Oracle, error) { return src.Open(ctx, r) })
		}
		if src.Making == 0 || src.Slow || src.Kind == wing.ByTable {
			return open() // opening takes no work worth a turn of the threads
		}
		turn, err := s.threads.begin(ctx, s.options.Threads, a.hush)
		if err != nil {
			return nil, err
		}
		defer turn.end()
		e.turn = turn
		return open()
	})
}

// warn reports why a table does not answer, unless it lacks the position, or how the game
// contradicts itself. It reports nothing if the question has ended.
func (a *analysis) warn(ctx context.Context, src *wing.Source, err error) {
	var why contradiction
	switch {
	case ctx.Err() != nil || errors.Is(err, tables.ErrUnknown):
		return
	case errors.As(err, &why):
		a.mu.Lock()
		a.warning = why.Error()
		a.mu.Unlock()
	case src.Kind == wing.ByTable:
		err = fmt.Errorf("%s does not answer: %w", src.Name, err)
	default:
		return
	}
	if a.s.options.Warn != nil {
		a.s.options.Warn(err)
	}
}

// ask asks a fast source. The error says that the source contradicts itself; a source without
// an answer leaves things open.
func (a *analysis) ask(ctx context.Context, src *wing.Source) error {
	e, err := a.use(ctx, src)
	if err != nil {
		a.warn(ctx, src, err)
		return nil
	}
	defer a.s.sources.put(e)
	return a.prompt(func() error { return a.askOpen(ctx, src, e) })
}

func (a *analysis) askOpen(ctx context.Context, src *wing.Source, e *kept) error {
	seats := a.game.Seats()
	worth := func(s game.State, seat int) (fact, error) {
		a.beat() // a sign of life: hundreds of moves together may take long
		w, err := wing.WorthTo(ctx, e.oracle, s, seat)
		return factOf(w), err
	}
	s := a.State.Clone()
	mover := s.Seat()
	whole, err := worth(s, mover)
	if err != nil {
		a.warn(ctx, src, err)
		return nil
	}
	moves := slices.Clone(a.facts)
	best, known := unknown(), true
	for i, m := range a.moves {
		if a.after[i].result == game.Ongoing {
			s.Make(m)
			f, err := worth(s, mover)
			s.Unmake()
			if err != nil {
				known = false
				continue
			}
			moves[i] = f.before(false)
		}
		if i == 0 || moves[i].compare(best) < 0 {
			best = moves[i]
		}
	}
	if known && (best.Value != whole.Value || best.Distance != whole.Distance && best.Distance >= 0 && whole.Distance >= 0) {
		return fmt.Errorf("%s %s contradicts itself at %s: %v in %d, by its moves %v in %d: run solve verify",
			src.Kind, src.Name, a.State, whole.Value, whole.Distance, best.Value, best.Distance)
	}
	var force []fact
	if seats > 2 {
		for seat := range seats {
			f, err := worth(s, seat)
			if err != nil {
				f = unknown()
			}
			force = append(force, f)
		}
	}
	a.learn(describe(*src), &whole, force, moves)
	line := a.follow(worth, whole)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.line = line
	return nil
}

// book is the book, nil for games that it cannot hold: positions without keys, and play for
// points.
func (a *analysis) book() Book {
	if _, keys := a.State.(game.Keyer); !keys || a.wing.Score != nil {
		return nil
	}
	return a.s.options.Book
}

func (a *analysis) recall() error {
	states, of := []game.State{a.State.Clone()}, []int{-1}
	for i, m := range a.moves {
		if a.after[i].result == game.Ongoing {
			s := a.State.Clone()
			s.Make(m)
			states, of = append(states, s), append(of, i)
		}
	}
	mover := a.State.Seat()
	found, known, err := a.book().Look(a.game, mover, states)
	if err != nil {
		return err
	}
	whole, moves := unknown(), slices.Clone(a.facts)
	for i, f := range found {
		switch {
		case !known[i]:
		case i == 0:
			whole = recalled(f)
		default:
			r := recalled(f).before(states[i].Seat() != mover)
			r.bound++
			moves[of[i]] = r
		}
	}
	a.learn(Source{Kind: wing.ByBook, About: "proved before, in the book"}, &whole, nil, moves)
	return nil
}

// recalled converts a fact of the book.
func recalled(f solve.Fact) fact {
	r := unknown()
	var by int
	if r.Value, r.bound, by = f.Value(); r.Value != game.Unknown && r.bound+1 == by {
		r.Distance = by
	}
	return r
}

// follow returns best play by a fast source, as long as it knows the way to an end. Of equal
// moves it takes the first.
func (a *analysis) follow(worth func(s game.State, seat int) (fact, error), whole fact) (line []string) {
	if a.game.Seats() > 2 || !whole.precise() || whole.Value == game.Draw && whole.Score == nil || whole.Score != nil && a.wing.Score == nil {
		return nil
	}
	s := a.State.Clone()
	want := whole // the position's value: a move that keeps this value is best
	var moves []game.Move
	for s.Result() == game.Ongoing && len(line) < solve.MaxLimit {
		seat, best, first := s.Seat(), unknown(), game.NoMove
		moves = s.Moves(moves[:0])
		for _, m := range moves {
			s.Make(m)
			var f fact
			var err error
			if r := s.Result(); r != game.Ongoing {
				f = ended(r, seat)
				if whole.Score != nil {
					f.Score, f.Distance = a.wing.Score(a.game, s, seat), -1
				}
			} else {
				f, err = worth(s, seat)
			}
			s.Unmake()
			if err != nil {
				return line
			}
			if first == game.NoMove || f.compare(best) < 0 {
				best, first = f, m
			}
			if whole.Score == nil && f.Value == want.Value && f.Distance == want.Distance-1 {
				break
			}
		}
		line = append(line, s.MoveString(first))
		s.Make(first)
		want = best
		if s.Seat() != seat {
			want.Value = want.Value.Negate()
		}
	}
	return line
}
