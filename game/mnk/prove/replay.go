package prove

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// The checker knows the rules and lists the windows by itself. It shares nothing with the
// searches: no analysis, no table, no set of windows.
//
// It follows a proof from a position to the ends of the games. P is the side that the proof
// speaks for, O the other one. The walk returns for every position a zone, a set of its
// empty cells, with this statement:
//
//	Let O have stones on any of the empty cells outside the zone. The proof's claim
//	still holds: O cannot complete a window first, or P can.
//
// Every zone has an empty cell of each window that O could still complete, so the stones
// outside complete none. Zones by kind of position, from the ends of the games up:
//
//   - P completes a window: the cell of its last stone, and an empty cell of each other
//     window open to O.
//   - A claim by pairs and weights: the pairs, and the empty cells of the windows left
//     to the weights.
//   - P puts a stone on c: c and the zone after it.
//   - P threatens to complete a window, O to move: O must stop that at once. The zone
//     after O's stone, if one stone can stop it; the cells that complete; and two empty
//     cells of each window open to O, who has one stone more before P completes.
//   - The proof says that P can make two threats at once and O has none, P to move: the
//     cells of these, and two of each window open to O without the stone of P.
//   - The same, O to move: the cells of these, and three of each such window. Then O has
//     to put a stone on one of these, or to threaten; the rest is as below.
//   - O to move: the zones after some stones of O, together. A stone x outside the zone
//     after c is refuted with c: by the statement the claim holds with stones on c and x,
//     and a stone less never helps O. So a stone is tried only if it is in all zones found
//     so far.
//
// An extra stone never harms its owner (strategy stealing), so neither does a turn that is
// passed. A cell whose windows are all closed to both sides serves for nothing else: it is
// written as a wall, a stone of both, and positions that differ in walls are one.

// Claim is the statement to check: that the attacker, a seat, can complete a window first
// (Win), or cannot.
type Claim struct {
	Attacker int
	Win      bool
}

// side is the seat that the claim speaks for.
func (c Claim) side() int {
	if c.Win {
		return c.Attacker
	}
	return 1 - c.Attacker
}

// Checked is the work of a check.
type Checked struct {
	Positions uint64 `json:"positions"` // positions not settled by the rules alone
	Claims    uint64 `json:"claims"`    // positions settled by pairs and weights
	Ends      uint64 `json:"terminals"` // finished games
}

// ErrRefuted says that a proof does not show its claim.
var ErrRefuted = errors.New("prove: the proof fails")

// sides are the stones on the board during the walk: the stones of P and of O. Walls are in both
// sets.
type sides struct{ p, o bitboard.Set128 }

// source is a proof. The walk calls it in the order of its own steps.
type source interface {
	// at returns the proof's step at a position that the rules alone do not settle. mine
	// says that P is to move; stones is the number of stones.
	at(s sides, mine bool, stones int) (step, error)
	// settled is called at a position that the rules settle: P wins at once, or the game is
	// a draw.
	settled() error
	// reply returns the next stone of O that the proof looks at, -1 if there is none. live
	// are the stones not yet refuted by another. order belongs to the position, and is
	// empty at its first reply.
	reply(s sides, live bitboard.Set128, order *[]int) (int, error)
	// found receives the zone and the work of the position last passed to at.
	found(s sides, mine bool, zone bitboard.Set128, work uint64) error
	// begin and end enclose a section: only references inside the section lead to positions of the
	// section.
	begin() error
	end() error
}

// step is a proof's step at a position.
type step struct {
	kind stepKind
	cell int             // cell of a stone or a fork
	list [][2]int        // pairs of a claim
	zone bitboard.Set128 // zone of a known position
	back uint64          // distance back to a known position in the list, at least 1
	sym  int             // symmetry from the known position to this, or to a section's picture
}

type stepKind uint8

const (
	stepStone   stepKind = iota // P to move: a stone
	stepClaim                   // pairs and weights suffice
	stepKnown                   // the position was met before, and has this zone
	stepFork                    // P makes two threats at once on cell, now or after O's stone
	stepReplies                 // O to move: stones of O follow
	stepSection                 // a section begins, in another picture of this position
)

// replay is one walk.
type replay struct {
	ctx     context.Context
	g       *mnk.Game
	claim   Claim
	windows []bitboard.Set128
	cells   bitboard.Set128
	perms   []*bitboard.Perm128 // the symmetries of the board, the identity first
	inverse []int
	source  source
	inside  bool // inside a section
	n       Checked
	told    func(Checked) // called now and then, if not nil
}

func newReplay(ctx context.Context, g *mnk.Game, claim Claim, from source) *replay {
	r := &replay{ctx: ctx, g: g, claim: claim, source: from, cells: bitboard.First128(g.Cells())}
	for _, w := range listWindows(g.Rows(), g.Cols(), g.K()) {
		var s bitboard.Set128
		for _, c := range w {
			s = s.With(c)
		}
		r.windows = append(r.windows, s)
	}
	r.listSymmetries()
	return r
}

// listSymmetries lists the permutations of the cells that keep the board, and the inverse
// of each.
func (r *replay) listSymmetries() {
	rows, cols := r.g.Rows(), r.g.Cols()
	var list []bitboard.Perm
	for i := range 8 {
		swap, down, right := i&4 != 0, i&2 != 0, i&1 != 0
		if swap && rows != cols {
			break
		}
		p := make(bitboard.Perm, rows*cols)
		for c := range p {
			y, x := c/cols, c%cols
			if down {
				y = rows - 1 - y
			}
			if right {
				x = cols - 1 - x
			}
			if swap {
				y, x = x, y
			}
			p[c] = uint8(y*cols + x)
		}
		list = append(list, p)
	}
	for i, p := range list {
		c, err := p.Compile128()
		if err != nil {
			panic(err) // never: it is a permutation
		}
		r.perms = append(r.perms, c)
		if i >= 4 { // with rows and columns exchanged, a mirror of rows undoes one of columns
			i = 4 | i&1<<1 | i>>1&1
		}
		r.inverse = append(r.inverse, i)
	}
}

// view describes a position by its windows.
type view struct {
	live       bitboard.Set128 // empty cells in windows open to anybody
	walls      bitboard.Set128 // cells in no open window
	mine, your bitboard.Set128 // empty cells where P, and O, complete a window
	pair       bitboard.Set128 // empty cells of windows that lack two stones of O
}

func (r *replay) look(at sides) (v view) {
	var in bitboard.Set128
	free := r.cells.AndNot(at.p.Or(at.o))
	for _, w := range r.windows {
		open, other := !w.Meets(at.o), !w.Meets(at.p)
		if !open && !other {
			continue
		}
		in = in.Or(w)
		left := w.And(free)
		switch left.Count() {
		case 1:
			if open {
				v.mine = v.mine.Or(left)
			}
			if other {
				v.your = v.your.Or(left)
			}
		case 2:
			if other {
				v.pair = v.pair.Or(left)
			}
		}
	}
	v.live, v.walls = free.And(in), r.cells.AndNot(in)
	return v
}

// canonical returns the smallest symmetric picture of a position, and the symmetry that
// leads there.
func (r *replay) canonical(at sides) (s sides, sym int) {
	s = at
	for i, p := range r.perms[1:] {
		x := p.Apply(at.p)
		if x.Compare(s.p) > 0 {
			continue
		}
		if y := p.Apply(at.o); x != s.p || y.Compare(s.o) < 0 {
			s, sym = sides{x, y}, i+1
		}
	}
	return s, sym
}

func (r *replay) fail(at sides, format string, args ...any) error {
	x, o := at.p, at.o
	if r.claim.side() == 1 {
		x, o = o, x
	}
	walls := x.And(o)
	return fmt.Errorf("%w: at %s: %s", ErrRefuted, r.g.Text(x, o.AndNot(walls)), fmt.Sprintf(format, args...))
}

// run walks from a position with the given number of stones.
func (r *replay) run(at sides, mine bool, stones int) error {
	for _, w := range r.windows {
		if w.AndNot(at.p).IsEmpty() || w.AndNot(at.o).IsEmpty() {
			return r.fail(at, "the game is over")
		}
	}
	_, err := r.walk(at, mine, stones)
	return ended(r.ctx, err)
}

// walk returns the zone of a position where nobody has completed a window.
func (r *replay) walk(at sides, mine bool, stones int) (zone bitboard.Set128, err error) {
	v := r.look(at)
	switch {
	case v.live.IsEmpty():
		r.n.Ends++
		if r.claim.Win {
			return zone, r.fail(at, "the game is a draw")
		}
		return zone, r.source.settled()
	case mine && !v.mine.IsEmpty():
		r.n.Ends++
		c := v.mine.First()
		return r.guard(sides{at.p.Or(c), at.o}, c, 1), r.source.settled()
	case !mine && !v.your.IsEmpty():
		return zone, r.fail(at, "%s completes a window", r.g.CellName(v.your.Min()))
	case mine && !v.your.IsEmpty():
		c := v.your.First()
		if v.your != c {
			return zone, r.fail(at, "two cells complete a window")
		}
		zone, err = r.walk(sides{at.p.Or(c), at.o}, false, stones+1)
		return zone.Or(c), err
	case !v.mine.IsEmpty():
		c := v.mine.First()
		if v.mine != c {
			r.n.Ends++
			return r.guard(at, v.mine, 2), r.source.settled()
		}
		if zone, err = r.walk(sides{at.p, at.o.Or(c)}, true, stones+1); err != nil {
			return zone, err
		}
		return r.guard(at, zone.Or(c), 2), nil
	}
	return r.asked(sides{at.p.Or(v.walls), at.o.Or(v.walls)}, &v, mine, stones)
}

// asked returns the zone of a position that the rules alone do not settle. The position is
// written with its walls.
func (r *replay) asked(at sides, v *view, mine bool, stones int) (zone bitboard.Set128, err error) {
	s, err := r.source.at(at, mine, stones)
	if err != nil || s.kind == stepKnown {
		return s.zone, err
	}
	if r.n.Positions%1024 == 0 {
		if r.told != nil {
			r.told(r.n)
		}
		if r.ctx.Err() != nil {
			return zone, r.ctx.Err()
		}
	}
	r.n.Positions++
	begun := r.n.Positions
	live := v.live
	switch s.kind {
	case stepSection:
		zone, err = r.section(at, mine, stones, s.sym)
	case stepClaim:
		zone, err = r.holds(at, mine, s.list)
	case stepStone:
		if !mine || !live.Has(s.cell) {
			return zone, r.fail(at, "cell %d cannot be played", s.cell)
		}
		zone, err = r.walk(sides{at.p.With(s.cell), at.o}, false, stones+1)
		zone = zone.With(s.cell)
	case stepFork:
		var fork bitboard.Set128
		if zone, fork, err = r.fork(at, s.cell, mine); err == nil && !mine {
			zone, err = r.attacked(at, live.And(fork.Or(v.pair)), live, zone, stones)
		}
	default:
		if mine {
			return zone, r.fail(at, "no answer")
		}
		zone, err = r.attacked(at, live, live, zone, stones)
	}
	if err != nil {
		return zone, err
	}
	return zone, r.source.found(at, mine, zone, r.n.Positions-begun)
}

// section walks through a section from the picture of a position under a symmetry.
func (r *replay) section(at sides, mine bool, stones, sym int) (zone bitboard.Set128, err error) {
	if r.inside {
		return zone, r.fail(at, "a section inside a section")
	}
	if err = r.source.begin(); err != nil {
		return zone, err
	}
	r.inside = true
	zone, err = r.walk(sides{r.perms[sym].Apply(at.p), r.perms[sym].Apply(at.o)}, mine, stones)
	r.inside = false
	if err == nil {
		err = r.source.end()
	}
	return r.perms[r.inverse[sym]].Apply(zone), err
}

// fork checks that P threatens to complete two windows after a stone on a cell, if neither
// side can complete one before. It returns the zone, and in fork the cell and the two
// smallest completing cells.
func (r *replay) fork(at sides, cell int, mine bool) (zone, fork bitboard.Set128, err error) {
	free := r.cells.AndNot(at.p.Or(at.o))
	if !free.Has(cell) {
		return zone, fork, r.fail(at, "cell %d cannot be played", cell)
	}
	after := sides{at.p.With(cell), at.o}
	for _, w := range r.windows {
		if left := w.AndNot(after.p); !w.Meets(at.o) && left.Count() == 1 {
			fork = fork.Or(left)
		}
	}
	if fork.Count() < 2 {
		return zone, fork, r.fail(at, "%s makes no two threats", r.g.CellName(cell))
	}
	two := fork.First()
	two = two.Or(fork.AndNot(two).First())
	fork = two.With(cell)
	n := 2
	if !mine {
		n = 3
	}
	return r.guard(after, fork, n), fork, nil
}

// attacked returns the zone of a position with O to move: zone together with the zones of the
// stones of O that the proof looks at. Each stone of must is one of these stones, or outside the
// zone of one of these stones.
func (r *replay) attacked(at sides, must, live, zone bitboard.Set128, stones int) (bitboard.Set128, error) {
	var order []int
	for {
		c, err := r.source.reply(at, must, &order)
		switch {
		case err != nil:
			return zone, err
		case c < 0 && !must.IsEmpty():
			return zone, r.fail(at, "no reply to %s", r.g.CellName(must.Min()))
		case c < 0:
			return zone, nil
		case !live.Has(c):
			return zone, r.fail(at, "cell %d cannot be played", c)
		}
		z, err := r.walk(sides{at.p, at.o.With(c)}, true, stones+1)
		if err != nil {
			return zone, err
		}
		zone = zone.Or(z)
		must = must.And(z).AndNot(bitboard.Cell128(c))
	}
}

// rated lists cells in the order in which stones of O are tried: by the sum of 4^stones
// over the windows through a cell that are open to P or to O.
func (r *replay) rated(at sides, cells bitboard.Set128) []int {
	var rating [128]uint64
	free := r.cells.AndNot(at.p.Or(at.o))
	for _, w := range r.windows {
		p, o := w.And(at.p).Count(), w.And(at.o).Count()
		if p > 0 && o > 0 {
			continue
		}
		v := uint64(1) << min(2*(p+o), 40)
		if p+o == 0 {
			v = 2 // open to both
		}
		for x := w.And(free); !x.IsEmpty(); x = x.DropMin() {
			rating[x.Min()&127] += v
		}
	}
	list := make([]int, 0, 128)
	for x := cells; !x.IsEmpty(); x = x.DropMin() {
		c := x.Min()
		i := len(list)
		list = append(list, c)
		for ; i > 0 && rating[list[i-1]&127] <= rating[c&127]; i-- {
			list[i] = list[i-1]
		}
		list[i] = c
	}
	return list
}

// guard adds cells to a zone until it has n empty cells of each window open to O.
func (r *replay) guard(at sides, zone bitboard.Set128, n int) bitboard.Set128 {
	free := r.cells.AndNot(at.p.Or(at.o))
	for _, w := range r.windows {
		if w.Meets(at.p) {
			continue
		}
		left := w.And(free)
		in := left.And(zone).Count()
		for x := left.AndNot(zone); in < n && !x.IsEmpty(); in++ {
			zone = zone.Or(x.First())
			x = x.DropMin()
		}
	}
	return zone
}

// holds checks a claim that P stops all windows, and returns its zone. Pairs are disjoint
// and empty. A window weighs 2 to the power of minus its empty cells outside the pairs; the
// windows open to O without a pair weigh less than 1/2 with O to move, less than 1 with P.
func (r *replay) holds(at sides, mine bool, pairs [][2]int) (zone bitboard.Set128, err error) {
	r.n.Claims++
	if r.claim.Win {
		return zone, r.fail(at, "a claim of pairs cannot show a win")
	}
	free := r.cells.AndNot(at.p.Or(at.o))
	var paired bitboard.Set128
	var of [128]uint8
	for i, p := range pairs {
		for _, c := range p {
			if c < 0 || c >= r.g.Cells() || !free.Has(c) {
				return zone, r.fail(at, "pair %v is not empty", p)
			}
			if paired.Has(c) {
				return zone, r.fail(at, "cell %s is in two pairs", r.g.CellName(c))
			}
			paired = paired.With(c)
			of[c&127] = uint8(i)
		}
	}
	zone = paired
	var high, low uint64 // 2^k times the weight
	k := uint(r.g.K())
	for _, w := range r.windows {
		if w.Meets(at.p) {
			continue
		}
		var seen bitboard.Set128
		hit := false
		for x := w.And(paired); !x.IsEmpty() && !hit; x = x.DropMin() {
			i := int(of[x.Min()&127])
			hit = seen.Has(i)
			seen = seen.With(i)
		}
		if hit {
			continue
		}
		left := w.And(free)
		zone = zone.Or(left)
		weight := bitboard.Cell128(int(k) - left.AndNot(paired).Count())
		var carry uint64
		low, carry = bits.Add64(low, weight.Lo, 0)
		high += weight.Hi + carry
	}
	limit := bitboard.Cell128(int(k))
	if !mine {
		limit = bitboard.Cell128(int(k) - 1)
	}
	if high > limit.Hi || high == limit.Hi && low >= limit.Lo {
		return zone, r.fail(at, "the windows without a pair weigh too much")
	}
	return zone, nil
}
