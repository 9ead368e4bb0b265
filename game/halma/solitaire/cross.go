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

// Options are the resources of a search.
type Options struct {
	Threads  int            // 0: one for each processor
	Memory   uint64         // bytes it may use; 0: 1 GiB
	Progress func(Progress) // called now and then, or nil
}

// Progress is the state of a search.
type Progress struct {
	Length     int // number of moves of the crossings searched for
	Depth      int // moves from home to the placements searched now
	Placements int // number of these placements
}

// Move is a turn from one cell to another.
type Move struct{ From, To int }

// Crossing is a shortest way of one army from home to goal, or what is known about it.
type Crossing struct {
	Moves  []Move // a shortest way, empty if it was not found
	Bound  int    // proved: no crossing has fewer moves
	Full   bool   // the search ended for lack of memory, at length Bound
	Rounds []Round
}

// Round is the search for crossings of one length.
type Round struct {
	Length int `json:"length"`
	// Home is the half from home to the middle; Goal is the other half, reversed and turned, so
	// that it begins at home, too.
	Home Half `json:"home"`
	Goal Half `json:"goal"`
}

// Half is a search from home.
type Half struct {
	Depth int `json:"plies"`
	// Least is the progress that the half must make, in lines summed over all pieces, and Most the
	// largest progress that it can make, −1 if that is below Least. A round that finds a crossing
	// may ask for more than necessary.
	Least int `json:"progress"`
	Most  int `json:"most"`
	// Levels[d] is the number of placements d moves from home from which the half can still make
	// the progress Least in time; mirror images count once.
	Levels []int `json:"levels"`
}

var errMemory = errors.New("solitaire: the placements do not fit the memory granted")

// budget holds a search's limits and its use of them.
type budget struct {
	threads     int
	limit, used int // number of keys in memory
	length      int
	progress    func(Progress)
}

func (o *budget) report(depth, placements int) {
	if o.progress != nil {
		o.progress(Progress{o.length, depth, placements})
	}
}

// keyBytes is the memory of a key, with its share of garbage.
const keyBytes = 12

// CrossMemory returns the least memory of [Cross]. Long crossings need more: see
// [Crossing.Full].
func CrossMemory(t *halma.TwoArmy, threads int) (uint64, error) {
	l, _, err := newLines(t)
	if err != nil {
		return 0, err
	}
	return leastTables*uint64(l.size) + keyBytes*uint64(threads)*5*run + 1<<20, nil
}

// Cross finds a shortest way for the first army of a game from its home to its goal with no
// other army on the board, and proves that there is no shorter one. The result is the same for
// any number of threads, and any sufficient memory. A cancelled search returns the bound proved
// so far, with the error.
func Cross(ctx context.Context, t *halma.TwoArmy, o Options) (*Crossing, error) {
	c, err := NewCrosser(t, o)
	if err != nil {
		return nil, err
	}
	return c.Cross(ctx, halma.SetOf(t.Home))
}

// Crosser finds shortest ways to the goal from one placement after the other. It belongs to one
// goroutine at a time.
//
// It searches in a game and in its dual, which exchanges the rules on leaving the goal and entering
// the home: a way from home to goal, reversed on the board after half a turn, is a way from home to
// goal in the dual.
type Crosser struct {
	forward, backward *search // both are the same search if the game is its own dual
	budget            budget
	// tables holds up to keep tables of distances, those that every round needs among them.
	tables map[int]*distances
	keep   uint64
}

// NewCrosser returns a Crosser for the first army of a game.
func NewCrosser(t *halma.TwoArmy, o Options) (*Crosser, error) {
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
	p := &Crosser{tables: map[int]*distances{}}
	if p.forward, err = newSearch(t); err != nil {
		return nil, err
	}
	if p.backward = p.forward; t.Limits != t.Limits.Dual() {
		dual := *t
		dual.Limits = t.Limits.Dual()
		if p.backward, err = newSearch(&dual); err != nil {
			return nil, err
		}
	}
	size := uint64(p.forward.lines.size)
	p.keep = max(leastTables, min(16, o.Memory/16/size))
	p.budget = budget{threads: o.Threads, limit: int((o.Memory - p.keep*size - 1<<20) / keyBytes), progress: o.Progress}
	return p, nil
}

// Cross finds a shortest way to the goal from a placement of all pieces on cells that are not
// closed.
func (p *Crosser) Cross(ctx context.Context, from bitboard.Set128) (*Crossing, error) {
	c := &Crossing{}
	l := p.forward.lines
	// Lines alone give a lower bound of the length.
	for c.Bound = l.bound(from, p.table(l.way)); c.Bound < never; c.Bound++ {
		done, err := p.round(ctx, c, from)
		if errors.Is(err, errMemory) {
			c.Full = true
			return c, nil
		}
		if err != nil || done {
			return c, err
		}
	}
	return nil, fmt.Errorf("solitaire: %s: no crossing within %d moves: that is as far as the search goes", p.forward.b.spec.ID, never-1)
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

// round looks for crossings of Bound moves, given that there are no shorter ones. The first half of
// the moves leads from home to a middle placement, whose image the other half reaches in the dual
// game. Their progress adds up to the whole way, so each half must make at least the whole less the
// most that the other half can make. That leaves few placements.
//
// It first looks for crossings where each half makes half the way. Often it finds one. Otherwise it
// learns the most progress that each half can make, if that is more than half the way.
func (p *Crosser) round(ctx context.Context, c *Crossing, from bitboard.Set128) (done bool, err error) {
	l := p.forward.lines
	way, made := l.way, l.sum(from)-l.home
	p.budget.length = c.Bound
	r := Round{Length: c.Bound}
	defer func() {
		if err == nil {
			c.Rounds = append(c.Rounds, r)
		}
	}()
	half := (way + made + 1) / 2
	found, err := p.meet(ctx, c, &r, from, half, way-half)
	if found || err != nil {
		return found, err
	}
	most, rest := max(r.Home.Most, half-1), max(r.Goal.Most, way-half-1)
	switch {
	case most+rest < way: // the halves do not meet
	case way-rest < half || way-most < way-half:
		found, err = p.meet(ctx, c, &r, from, way-rest, way-most)
	}
	return found, err
}

// meet looks for a crossing of two halves. The half from home must make a progress of at least
// least lines, the half from the goal at least rest lines.
func (p *Crosser) meet(ctx context.Context, c *Crossing, r *Round, from bitboard.Set128, least, rest int) (found bool, err error) {
	a, b := (r.Length+1)/2, r.Length/2
	home, err := p.forward.reachable(ctx, from, a, p.table(least), &p.budget)
	if err != nil {
		return false, err
	}
	defer home.release(&p.budget)
	goal := home
	if p.backward != p.forward || a != b || least != rest || from != p.forward.b.home {
		if goal, err = p.backward.reachable(ctx, p.backward.b.home, b, p.table(rest), &p.budget); err != nil {
			return false, err
		}
		defer goal.release(&p.budget)
	}
	r.Home = Half{Depth: a, Least: least, Most: home.most, Levels: home.sizes()}
	r.Goal = Half{Depth: b, Least: rest, Most: goal.most, Levels: goal.sizes()}
	if len(home.levels) <= a || len(goal.levels) <= b {
		return false, nil
	}
	ends := goal.levels[b]
	for _, key := range home.levels[a] {
		x := p.forward.b.sets.Unrank(key)
		if _, ok := slices.BinarySearch(ends, p.backward.b.key(permute(&p.forward.b.turned, x))); ok {
			c.Moves = p.path(from, x, home, goal)
			return true, nil
		}
	}
	return false, nil
}

// leastTables is the least number of tables of distances; more may take a sixteenth of the
// memory.
const leastTables = 3

// table returns the distances of histograms to a progress of least lines.
func (p *Crosser) table(least int) *distances {
	l := p.forward.lines
	if t, ok := p.tables[least]; ok {
		return t
	}
	half := (l.way + 1) / 2
	for other := range p.tables {
		if uint64(len(p.tables)) < p.keep {
			break
		}
		if other != half && other != l.way-half {
			delete(p.tables, other)
		}
	}
	t := l.distances(least)
	p.tables[least] = t
	return t
}

func (f *expansion) sizes() (n []int) {
	for _, level := range f.levels {
		n = append(n, len(level))
	}
	return n
}

// path returns the moves of a crossing from a placement through a middle.
func (p *Crosser) path(from, middle bitboard.Set128, home, goal *expansion) (moves []Move) {
	turned := &p.forward.b.turned
	first := walkBack(home, p.forward, p.backward, middle)
	second := walkBack(goal, p.backward, p.forward, permute(turned, middle))
	slices.Reverse(first)
	way := first
	for _, x := range second[1:] {
		way = append(way, permute(turned, x))
	}
	if way[0] != from { // the way belongs to the mirror image
		for i, x := range way {
			way[i] = permute(&p.forward.b.mirror, x)
		}
	}
	for i, x := range way[1:] {
		moves = append(moves, Move{way[i].AndNot(x).Min(), x.AndNot(way[i]).Min()})
	}
	return moves
}

// walkBack returns the placements on the way from x back to home. x belongs to the last level of a
// half in the game s. Reversed moves are moves of the dual game on the turned board.
func walkBack(f *expansion, s, dual *search, x bitboard.Set128) []bitboard.Set128 {
	way := []bitboard.Set128{x}
	w := dual.b.newGenerator()
	for d := len(f.levels) - 2; d >= 0; d-- {
		t := permute(&s.b.turned, x)
		w.place(t)
		found := false
	search:
		for _, from := range w.army {
			for _, to := range w.ends(from) {
				y := permute(&s.b.turned, t.Without(int(from)).With(int(to)))
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
