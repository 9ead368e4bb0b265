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

// analysis is a question being answered: the facts so far about a position and its moves, and
// the sources still at work.
type analysis struct {
	*place
	s     *Service
	query Query
	// once ends the analysis as soon as all values are final, even if distances are missing. Then
	// nodes bound the work unless time does.
	once  bool
	begin time.Time
	moves []game.Move
	after []after // positions after the moves

	mu        sync.Mutex
	whole     fact
	facts     []fact // facts about the moves, in the order of the game
	force     []fact // facts about the seats, where there are more than two
	source    Source // source of the value of the position
	reached   int    // plies completed by a search
	line      []string
	search    Progress
	searching bool   // a search has begun
	seeking   bool   // a search for the winner of more than two seats has begun
	warning   string // for [Answer.Warning]
	err       error
	changed   chan struct{} // holds one element if something has changed since the last report
}

type after struct {
	name, position string
	result         game.Result
	trace          wing.Trace
}

const (
	mostNamed  = 128 << 10 // bytes of all positions after moves
	mostListed = 1 << 16   // moves of a position: ten times the most of any board here
)

func newAnalysis(s *Service, p *place, q Query, once bool) (*analysis, error) {
	switch {
	case q.Seconds > 0:
		q.Nodes = 0
	case once:
		q.Nodes = cmp.Or(q.Nodes, s.options.Nodes)
	}
	a := &analysis{place: p, s: s, query: q, once: once, begin: time.Now(), whole: unknown(), changed: make(chan struct{}, 1)}
	seat := p.State.Seat()
	if r := p.result; r != game.Ongoing {
		a.whole = ended(r, seat)
		a.source = byRules
		return a, nil
	}
	if a.moves = p.State.Moves(nil); len(a.moves) > mostListed {
		return nil, fmt.Errorf("explore: %s at %s: %d moves: at most %d are listed", p.game.ID(), q.Position, len(a.moves), mostListed)
	}
	if len(a.moves) == 0 {
		return nil, game.Stuck(p.game, p.State)
	}
	named := len(a.moves)*len(p.State.String()) <= mostNamed
	for _, m := range a.moves {
		next := after{name: p.State.MoveString(m), trace: p.wing.Trace(p.game, p.State, m)}
		p.State.Make(m)
		if next.result = p.State.Result(); named {
			next.position = p.State.String()
		}
		f := unknown()
		if next.result != game.Ongoing {
			f = ended(next.result, seat).before(false)
			if p.wing.Score != nil { // perfect play is for points, however many plies it takes
				f.Score, f.Distance = p.wing.Score(p.game, p.State, seat), -1
			}
		}
		p.State.Unmake()
		a.after, a.facts = append(a.after, next), append(a.facts, f)
	}
	if p.game.Seats() > 2 {
		a.force = slices.Repeat([]fact{unknown()}, p.game.Seats())
	}
	if p.wing.Score == nil { // of two wins at once one may bring more points
		a.conclude()
	}
	return a, nil
}

func (a *analysis) notify() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// fail records an error that no other source can mend.
func (a *analysis) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = cmp.Or(a.err, err)
	a.notify()
}

var (
	byRules  = Source{Kind: wing.ByRules, About: "the rules"}
	bySearch = Source{Kind: wing.BySearch, About: "bounded search"}
)

// learn adds facts from a source about the position, the seats and the moves; each may be nil.
func (a *analysis) learn(by Source, whole *fact, force, moves []fact) {
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
	if a.source.Kind == "" && a.whole.Value != game.Unknown {
		a.source = by
	}
	a.notify()
}

// conclude derives the value of the position from the values of its moves, and the other way round.
func (a *analysis) conclude() {
	if a.whole.Value == game.Loss { // every move loses
		for i := range a.facts {
			if f := &a.facts[i]; f.Value == game.Unknown {
				f.Value = game.Loss
			}
		}
	}
	// One winning move decides the position, and so do the values of all moves together.
	best, all := unknown(), true
	for _, f := range a.facts {
		switch {
		case f.Value == game.Unknown:
			all = false
		case best.Value == game.Unknown || f.compare(best) < 0:
			best = f
		}
	}
	if best.Value == game.Unknown {
		return
	}
	switch {
	case a.whole.Value == game.Unknown && (all || best.Value == game.Win):
		a.whole.Value, a.whole.Score = best.Value, best.Score
	case a.whole.Value != game.Unknown && (best.Value > a.whole.Value || all && best.Value < a.whole.Value):
		a.err = cmp.Or(a.err, fmt.Errorf("%s is a %v, and by its moves a %v: a book or a table is wrong; solve book verify and solve verify find the fault",
			a.State, a.whole.Value, best.Value))
	}
	if a.whole.Distance < 0 && a.whole.Value == best.Value && a.whole.Value != game.Draw && a.settled(best) {
		a.whole.Distance = best.Distance
	}
}

// statement is an answer about a position: a value, the moves in order, best first, and a line
// of best play. The value is that of the first move, and the line begins with it.
type statement struct {
	whole fact
	order []int // indices of the moves, best first
	line  []string
	force []fact
}

// stated composes all facts. A value of the position stays open until a move is known that
// achieves it.
func (a *analysis) stated() statement {
	st := statement{whole: a.whole, force: slices.Clone(a.force)}
	if len(a.moves) == 0 {
		return st
	}
	for i := range a.moves {
		st.order = append(st.order, i)
	}
	slices.SortStableFunc(st.order, func(i, j int) int { return a.facts[i].compare(a.facts[j]) })
	// Of equal moves, a move that begins the line comes first, then a move with the distance of the
	// position.
	first := slices.IndexFunc(st.order, func(i int) bool {
		return len(a.line) > 0 && a.after[i].name == a.line[0] && a.facts[i].carries(a.whole)
	})
	if first < 0 {
		first = slices.IndexFunc(st.order, func(i int) bool { return a.facts[i].carries(a.whole) })
	}
	if first > 0 {
		i := st.order[first]
		copy(st.order[1:], st.order[:first])
		st.order[0] = i
	}
	best := a.facts[st.order[0]]
	if best.Value != a.whole.Value || best.Value == game.Unknown {
		st.whole.Value, st.whole.Distance, st.whole.Score = game.Unknown, -1, nil
		return st
	}
	st.whole.Score = best.Score
	if st.whole.Distance != best.Distance {
		st.whole.Distance = -1
	}
	if st.line = []string{a.after[st.order[0]].name}; len(a.line) > 0 && a.line[0] == st.line[0] {
		st.line = slices.Clone(a.line)
	}
	if st.force != nil {
		mover := a.place.State.Seat()
		st.force[mover].Value, st.force[mover].Distance = st.whole.Value, st.whole.Distance
		for s := range st.force {
			if s != mover && st.whole.Value == game.Win { // s wins, so no other seat can force anything
				st.force[s].Value, st.force[s].Distance = game.Loss, st.whole.Distance
			}
		}
	}
	return st
}

// settled reports whether the best move has the distance of the position, so that no other move can
// be better.
func (a *analysis) settled(best fact) bool {
	if best.Distance < 0 {
		return false
	}
	for _, f := range a.facts {
		switch {
		case best.Value == game.Win && (f.Value == game.Unknown || f.Value == game.Win && f.Distance < 0) && f.bound+1 < best.Distance:
			return false
		case best.Value == game.Loss && f.Distance < 0:
			return false
		}
	}
	return true
}

func (a *analysis) seek(is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seeking && !is {
		a.notify()
	}
	a.seeking = is
}

// decided reports whether all requested values are known.
func (a *analysis) decided() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	enough := fact.precise
	if a.once {
		enough = func(f fact) bool { return f.Value != game.Unknown }
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

// The least and the longest time between two reports.
const (
	reportEvery = 100 * time.Millisecond
	tellEvery   = time.Second
)

// run asks the sources, searches for the rest, and reports until all is known or the context
// ends.
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
		a.safely(func() { a.work(working, limit) })
	}()
	// ended waits until all workers stop, unless the game is silent.
	ended := func() {
		stop()
		select {
		case <-over:
		case <-a.hush.Done():
		}
	}
	var last time.Time
	late := 0
	for {
		select {
		case <-a.changed:
		case <-time.After(tellEvery):
			if bounded.Err() != nil {
				if late++; late > patience { // the workers should have ended with their context
					a.hush.close()
				}
			}
		case <-a.hush.Done():
			return cmp.Or(ctx.Err(), a.silence(a.query.Position))
		case <-over:
			if a.err != nil {
				return a.err
			}
			a.done(ctx, bounded)
			return a.tell(report)
		}
		// A search bounded by nodes ends by itself: to end it here would make the answer depend
		// on time.
		if a.query.Nodes == 0 && a.finished() {
			ended()
			continue // the last report follows when the workers have stopped
		}
		if wait := reportEvery - time.Since(last); wait > 0 {
			select {
			case <-time.After(wait):
			case <-over:
				continue
			}
		}
		if err := a.tell(report); err != nil {
			ended()
			return err
		}
		last = time.Now()
	}
}

// safely calls f, and fails if the game panics.
func (a *analysis) safely(f func()) {
	if err := guarded(a.game, a.State, func() error { f(); return nil }); err != nil {
		a.fail(err)
	}
}

// prompt is [table.prompt] about the position.
func (a *analysis) prompt(f func() error) error { return a.table.prompt(a.query.Position, a.State, f) }

// now returns the answer by all facts so far.
func (a *analysis) now() (*Answer, error) {
	return prompted(a.table, a.query.Position, a.State, func() (*Answer, error) { return a.answer(), nil })
}

func (a *analysis) tell(report func(*Answer) error) error {
	r, err := a.now()
	if err != nil {
		return err
	}
	return report(r)
}

// done records why the analysis has ended.
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
	case a.query.Limit > 0 && a.reached >= a.query.Limit:
		p.Why = fmt.Sprintf("the limit of %d plies is reached", a.query.Limit)
	default:
		p.Why = "no source knows more"
	}
}
