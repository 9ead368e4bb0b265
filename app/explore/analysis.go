package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"perfectplay/game"
	"perfectplay/game/wing"
)

// analysis is a question being answered: what is known so far of a position and
// its moves, and those who find out more.
type analysis struct {
	*place
	s     *Service
	query Query
	// once: the first value that is final for all is the end; distances may be
	// missing.
	once  bool
	begin time.Time
	moves []game.Move
	after []after // the moves

	mu        sync.Mutex
	whole     fact
	facts     []fact // of the moves, in the order of the game
	force     []fact // of the seats, where there are more than two
	source    Source
	line      []string
	search    Progress
	searching bool // there is a search
	seeking   bool // one looks for the winner among more than two
	err       error
	changed   chan struct{} // has one element where something has changed since the last report
}

// after is what a move leads to.
type after struct {
	name, position string
	result         game.Result
	trace          wing.Trace
}

// mostNamed is how many bytes the positions after all moves may take: more, on boards of
// thousands of cells, is a megabyte that is written and sent for every question.
const mostNamed = 128 << 10

func newAnalysis(s *Service, p *place, q Query) *analysis {
	a := &analysis{place: p, s: s, query: q, begin: time.Now(), whole: unknown(), changed: make(chan struct{}, 1)}
	seat := p.state.Seat()
	if r := p.state.Result(); r != game.Ongoing {
		a.whole = ended(r, seat)
		a.source = Source{Kind: wing.ByRules, About: "the rules"}
		return a
	}
	a.source = Source{Kind: wing.BySearch, About: "bounded search"}
	a.moves = p.state.Moves(nil)
	named := len(a.moves)*len(p.state.String()) <= mostNamed
	for _, m := range a.moves {
		next := after{name: p.state.MoveString(m), trace: p.wing.Trace(p.game, p.state, m)}
		p.state.Make(m)
		if next.result = p.state.Result(); named {
			next.position = p.state.String()
		}
		f := unknown()
		if next.result != game.Ongoing {
			f = ended(next.result, seat)
			switch {
			case p.wing.Score != nil: // perfect play is for points, however long it takes
				f.score, f.distance = p.wing.Score(p.game, p.state, seat), -1
			case f.distance >= 0:
				f.distance++
			}
		}
		p.state.Unmake()
		a.after, a.facts = append(a.after, next), append(a.facts, f)
	}
	if p.game.Seats() > 2 {
		a.force = slices.Repeat([]fact{unknown()}, p.game.Seats())
	}
	return a
}

// notify says that something has changed.
func (a *analysis) notify() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// fail notes that something is wrong that no other source can make good.
func (a *analysis) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = cmp.Or(a.err, err)
	a.notify()
}

// learn adds facts: of the position, of the seats and of the moves, nil where
// there are none.
func (a *analysis) learn(whole *fact, force, moves []fact) {
	a.mu.Lock()
	defer a.mu.Unlock()
	add := func(to *fact, f fact) {
		joined, err := to.join(f)
		a.err = cmp.Or(a.err, err)
		*to = joined
	}
	if whole != nil {
		add(&a.whole, *whole)
	}
	for i, f := range force {
		add(&a.force[i], f)
	}
	for i, f := range moves {
		add(&a.facts[i], f)
	}
	a.conclude()
	a.concludeForce()
	a.notify()
}

// conclude derives what follows from what is known.
func (a *analysis) conclude() {
	// A move that wins decides the position, and the moves together do.
	best, all := unknown(), true
	for _, f := range a.facts {
		switch {
		case f.value == game.Unknown:
			all = false
		case best.value == game.Unknown || f.compare(best) < 0:
			best = f
		}
	}
	if best.value == game.Unknown {
		return
	}
	switch {
	case a.whole.value == game.Unknown && (all || best.value == game.Win):
		a.whole.value, a.whole.score = best.value, best.score
	case a.whole.value != game.Unknown && (best.value > a.whole.value || all && best.value < a.whole.value):
		a.err = cmp.Or(a.err, fmt.Errorf("%s is a %v, and by its moves a %v: a book or a table says what is not so; solve book verify and solve verify find it",
			a.state, a.whole.value, best.value))
	}
	if a.whole.distance < 0 && a.whole.value == best.value && a.whole.value != game.Draw && a.settled(best) {
		a.whole.distance = best.distance
	}
}

// concludeForce derives what the seats can force from what the mover can.
func (a *analysis) concludeForce() {
	if seats := a.force; seats != nil && a.whole.value != game.Unknown {
		mover := a.state.Seat()
		seats[mover].value, seats[mover].distance = a.whole.value, a.whole.distance
		if a.whole.value == game.Win { // so no other has anything to force
			for s := range seats {
				if s != mover {
					seats[s].value, seats[s].distance = game.Loss, a.whole.distance
				}
			}
		}
	}
}

// settled reports whether the distance of the best move is that of the position:
// no other move can be better.
func (a *analysis) settled(best fact) bool {
	if best.distance < 0 {
		return false
	}
	for _, f := range a.facts {
		switch {
		case best.value == game.Win && (f.value == game.Unknown || f.value == game.Win && f.distance < 0) && f.bound+1 < best.distance:
			return false
		case best.value == game.Loss && f.distance < 0:
			return false
		}
	}
	return true
}

// seek notes whether a search looks for the winner among more than two.
func (a *analysis) seek(is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seeking && !is {
		a.notify()
	}
	a.seeking = is
}

// decided reports whether all values that were asked for are known.
func (a *analysis) decided() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	enough := fact.precise
	if a.once {
		enough = func(f fact) bool { return f.value != game.Unknown }
	}
	done := enough(a.whole)
	for _, f := range a.facts {
		done = done && enough(f)
	}
	return done
}

// finished reports whether nothing is left to do.
func (a *analysis) finished() bool {
	done := a.decided()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err != nil || done && (!a.seeking || a.whole.winner >= 0)
}

// reportEvery is the least time between two reports but the last, and tellEvery
// the most.
const (
	reportEvery = 100 * time.Millisecond
	tellEvery   = time.Second
)

// run answers the question: it asks the sources, lets a search find out what they
// leave open, and reports until all is known or the context ends.
func (a *analysis) run(ctx context.Context, report func(*Answer) error) error {
	bounded := ctx
	limit := time.Duration(a.query.Seconds * float64(time.Second))
	cancel := func() {}
	if limit > 0 {
		bounded, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	working, stop := context.WithCancel(bounded)
	defer stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		a.work(working, limit)
	}()
	var last time.Time
	for {
		select {
		case <-a.changed:
		case <-time.After(tellEvery):
		case <-over:
			if a.err != nil {
				return a.err
			}
			a.done(ctx, bounded)
			return report(a.answer())
		}
		// What nodes bound ends by itself: how far a search comes beside this is chance.
		if a.nodes() == 0 && a.finished() {
			stop()
			<-over
			continue // to the last report
		}
		if wait := reportEvery - time.Since(last); wait > 0 {
			select {
			case <-time.After(wait):
			case <-over:
				continue
			}
		}
		if err := report(a.answer()); err != nil {
			stop()
			<-over
			return err
		}
		last = time.Now()
	}
}

// done notes why the analysis has ended.
func (a *analysis) done(ctx, bounded context.Context) {
	p := &a.search
	p.Done, p.Waiting = true, false
	switch {
	case a.finished():
		p.Why = "all is decided"
	case ctx.Err() != nil:
		p.Why = "stopped"
	case bounded.Err() != nil:
		p.Why = "the time is up"
	case a.query.Limit > 0 && a.source.Limit >= a.query.Limit:
		p.Why = fmt.Sprintf("the limit of %d plies is reached", a.query.Limit)
	default:
		p.Why = "no source knows more"
	}
}
