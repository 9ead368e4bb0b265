package solitaire

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"perfectplay/bitboard"
	"perfectplay/game/halma"
)

// Options are the means of a search.
type Options struct {
	Threads int    // 0: one a processor
	Memory  uint64 // bytes it may hold; 0: 1 GiB
	// Progress is called now and then, if set.
	Progress func(Progress)
}

// Progress is where a search is.
type Progress struct {
	Length     int // crossings of so many moves are being looked for
	Depth      int // moves from home that are being tried
	Placements int // to be moved on from there
}

// Move is a turn: from one cell to another, whatever way the hops took.
type Move struct{ From, To int }

// Crossing is a shortest way of one army from home to goal, or how much is known
// of it.
type Crossing struct {
	// Moves is a shortest way, empty if it was not found or there is none.
	Moves []Move
	// Bound is the proven least number of moves: no crossing is shorter.
	Bound int
	// Full says that the search ended for want of memory, at length Bound.
	Full bool
	// Rounds are the lengths that were tried.
	Rounds []Round
}

// Round is the search for crossings of one length.
type Round struct {
	Length int
	// Home is the half from home to the middle; Goal is the half from there,
	// seen backwards and turned, so that it begins at home, too.
	Home, Goal Half
}

// Half is a search from home.
type Half struct {
	Depth int // moves
	// Least is the progress that it must make, in lines summed over all pieces, and
	// Most what it can, −1 if that is less. A round that finds a crossing may have
	// asked for more than it had to.
	Least, Most int
	// Levels are the placements from which that is possible in time, by moves from
	// home, mirror images counted once.
	Levels []int
}

// errFull says that the placements need more memory than granted.
var errFull = errors.New("solitaire: the placements do not fit the memory granted")

// work is what a search may use, and uses.
type work struct {
	threads    int
	room, held int // keys
	length     int
	progress   func(Progress)
}

func (o *work) report(depth, placements int) {
	if o.progress != nil {
		o.progress(Progress{o.length, depth, placements})
	}
}

// perKey is the memory of a key, with its share of garbage.
const perKey = 12

// CrossMemory returns what [Cross] needs at least; more makes it find longer ways.
func CrossMemory(t *halma.TwoArmy, threads int) (uint64, error) {
	l, _, err := newLines(t)
	if err != nil {
		return 0, err
	}
	return 3*uint64(l.size) + perKey*uint64(threads)*5*run + 1<<20, nil
}

// Cross finds a shortest way for the first army of a game from its home to its
// goal with no other army on the board, and proves that there is no shorter one.
// It tries one length after the other, from a lower bound upwards. Result and
// figures are the same for any number of threads, and any memory that suffices.
// A search that is cancelled returns what it has proved, with the error.
func Cross(ctx context.Context, t *halma.TwoArmy, o Options) (*Crossing, error) {
	if len(t.Goal) != t.Pieces || len(t.Home) != t.Pieces {
		return nil, fmt.Errorf("solitaire: %s: camps of %d and %d cells for %d pieces", t.ID, len(t.Home), len(t.Goal), t.Pieces)
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	least, err := CrossMemory(t, o.Threads)
	if err != nil {
		return nil, err
	}
	if o.Memory < least {
		return nil, fmt.Errorf("solitaire: %s: %d bytes of memory: at least %d are needed", t.ID, o.Memory, least)
	}
	p, err := newPair(t)
	if err != nil {
		return nil, err
	}
	p.work = work{threads: o.Threads, room: int((o.Memory - 3*uint64(p.from.lines.size) - 1<<20) / perKey), progress: o.Progress}
	c := &Crossing{}
	l := p.from.lines
	// Lines alone bound the length from below.
	for c.Bound = l.bound(p.from.b.home, l.distances(l.way)); c.Bound < never; c.Bound++ {
		done, err := p.round(ctx, c)
		if errors.Is(err, errFull) {
			c.Full = true
			return c, nil
		}
		if err != nil || done {
			return c, err
		}
	}
	return nil, fmt.Errorf("solitaire: %s: no crossing within %d moves: that is as far as the search goes", t.ID, never-1)
}

// pair is the search in a game and in its dual: a way from home to goal walked
// backwards on the board turned by half is a way from home to goal in the game
// where the rules on leaving the goal and entering the home change places.
type pair struct {
	from, back *search // the same if the game is its own dual
	work       work
	// halves keeps the tables that every round asks for.
	halves map[int]*distances
}

func newPair(t *halma.TwoArmy) (*pair, error) {
	p := &pair{halves: map[int]*distances{}}
	var err error
	if p.from, err = newSearch(t); err != nil {
		return nil, err
	}
	if p.back = p.from; t.StayInGoal != t.StayOut {
		dual := *t
		dual.StayInGoal, dual.StayOut = t.StayOut, t.StayInGoal
		if p.back, err = newSearch(&dual); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func newSearch(t *halma.TwoArmy) (*search, error) {
	l, mirrored, err := newLines(t)
	if err != nil {
		return nil, err
	}
	if !mirrored {
		plain := *t
		plain.Mirror = nil
		t = &plain
	}
	b, err := newBoard(t)
	if err != nil {
		return nil, err
	}
	return &search{b, l}, nil
}

// round looks for crossings of Bound moves, none being shorter. Such a one has a
// middle: placements that the first half of the moves leads to from home, and
// the other half in the dual game to its image. Their progress adds up to the
// whole way. So with the most that one half can make the other must make the
// rest, which leaves few of all placements.
//
// It looks first where each half makes half the way. That finds the most that a
// half can make, if it is more, and often a crossing.
func (p *pair) round(ctx context.Context, c *Crossing) (done bool, err error) {
	way := p.from.lines.way
	p.work.length = c.Bound
	r := Round{Length: c.Bound}
	defer func() {
		if err == nil {
			c.Rounds = append(c.Rounds, r)
		}
	}()
	half := (way + 1) / 2
	found, err := p.meet(ctx, c, &r, half, way-half)
	if found || err != nil {
		return found, err
	}
	most, rest := max(r.Home.Most, half-1), max(r.Goal.Most, way-half-1)
	switch {
	case most+rest < way: // the halves do not meet
	case way-rest < half || way-most < way-half:
		found, err = p.meet(ctx, c, &r, way-rest, way-most)
	}
	return found, err
}

// meet looks for crossings whose halves make at least so much progress.
func (p *pair) meet(ctx context.Context, c *Crossing, r *Round, least, rest int) (found bool, err error) {
	a, b := (r.Length+1)/2, r.Length/2
	home, err := p.from.reachable(ctx, a, p.table(least), &p.work)
	if err != nil {
		return false, err
	}
	defer home.release(&p.work)
	goal := home
	if p.back != p.from || a != b || least != rest {
		if goal, err = p.back.reachable(ctx, b, p.table(rest), &p.work); err != nil {
			return false, err
		}
		defer goal.release(&p.work)
	}
	r.Home = Half{Depth: a, Least: least, Most: home.most, Levels: home.sizes()}
	r.Goal = Half{Depth: b, Least: rest, Most: goal.most, Levels: goal.sizes()}
	if len(home.levels) <= a || len(goal.levels) <= b {
		return false, nil
	}
	ends := goal.levels[b]
	for _, key := range home.levels[a] {
		x := p.from.b.sets.Unrank(key)
		if _, ok := slices.BinarySearch(ends, p.back.b.key(through(&p.from.b.turned, x))); ok {
			c.Moves = p.path(x, home, goal)
			return true, nil
		}
	}
	return false, nil
}

// table returns the distances to so much progress. It keeps those for half the
// way.
func (p *pair) table(least int) *distances {
	l := p.from.lines
	if t, ok := p.halves[least]; ok {
		return t
	}
	t := l.distances(least)
	if half := (l.way + 1) / 2; least == half || least == l.way-half {
		p.halves[least] = t
	}
	return t
}

// sizes counts the placements of a front.
func (f *front) sizes() (n []int) {
	for _, level := range f.levels {
		n = append(n, len(level))
	}
	return n
}

// path returns the moves of a crossing through a middle.
func (p *pair) path(middle bitboard.Set128, home, goal *front) (moves []Move) {
	turned := &p.from.b.turned
	first := walkBack(home, p.from, p.back, middle)
	second := walkBack(goal, p.back, p.from, through(turned, middle))
	slices.Reverse(first)
	way := first
	for _, x := range second[1:] {
		way = append(way, through(turned, x))
	}
	for i, x := range way[1:] {
		moves = append(moves, Move{way[i].AndNot(x).Min(), x.AndNot(way[i]).Min()})
	}
	return moves
}

// walkBack returns the placements from x, of the last level of a front of the
// game s, back to home. Moves backwards are moves of the dual game on the turned
// board.
func walkBack(f *front, s, dual *search, x bitboard.Set128) []bitboard.Set128 {
	way := []bitboard.Set128{x}
	w := dual.b.newWalker()
	for d := len(f.levels) - 2; d >= 0; d-- {
		t := through(&s.b.turned, x)
		w.place(t)
		found := false
	search:
		for _, from := range w.army {
			for _, to := range w.ends(from) {
				y := through(&s.b.turned, t.Without(int(from)).With(int(to)))
				if _, found = slices.BinarySearch(f.levels[d], s.b.key(y)); found {
					x = y
					break search
				}
			}
		}
		if !found {
			panic("solitaire: a placement has no way back home")
		}
		way = append(way, x)
	}
	return way
}
