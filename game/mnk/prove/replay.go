package prove

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// The checker knows the rules and lists the windows by itself. It shares nothing with
// the searches: no analysis, no table, no set of windows.
//
// It follows a proof from a position to the ends of the games. P is the side that the
// proof speaks for, O the other one. Every position of the walk comes back with a zone,
// a set of its empty cells, and with this statement:
//
//	Let O have stones on any of the empty cells outside the zone. The proof's claim
//	still holds: O cannot complete a window first, or P can.
//
// It is found from the ends of the games up. Everywhere the zone has an empty cell of
// each window that O could still complete, so that the stones outside complete none.
//
//   - P completes a window: the cell of its last stone, and an empty cell of each other
//     window open to O.
//   - A claim by pairs and weights: the pairs, and the empty cells of the windows left
//     to the weights.
//   - P puts a stone on c: c and the zone after it.
//   - P threatens to complete a window, O to move: as O must stop that at once, the zone
//     after the stone that does, if one can, the cells that complete, and two empty cells
//     of each window open to O, who has one stone more before P completes.
//   - P can make two threats at once and O has none, P to move: the cells of these, and two
//     of each window open to O without the stone of P.
//   - The same, O to move: the cells of these, and three of each such window. Then O has
//     to put a stone on one of these, or to threaten; what follows is as below.
//   - O to move: the zones after some stones of O, together. A stone x outside the zone
//     after c is refuted with c: by the statement the claim holds with stones on c and x,
//     and a stone less never helps O. So a stone is tried only if it is in all zones found
//     so far.
//
// An extra stone never harms its owner (strategy stealing), so neither does a turn that
// is passed. A cell through which no window is open to anybody serves for nothing else:
// it is written as a wall, a stone of both, and positions that differ in walls are one.

// A Claim is what is to be checked: that the attacker, a seat, can complete a
// window first (Win), or that he cannot.
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

// Checked is how much work a check was.
type Checked struct {
	Positions uint64 `json:"positions"` // whose answers were looked at
	Claims    uint64 `json:"claims"`    // of these, settled by pairs and weights
	Ends      uint64 `json:"terminals"` // finished games
}

// ErrRefuted says that a proof does not show what it should.
var ErrRefuted = errors.New("prove: the proof fails")

// sides are what stands on the board for the walk: the stones of P and of O, walls in
// both.
type sides struct{ p, o bitboard.Set128 }

// source has the answers of a proof, in the order in which the walk asks for them.
type source interface {
	// next answers at a position with so many stones. mine says that P is to move; then
	// there is an answer, else only perhaps a claim.
	next(at sides, mine bool, stones int) (a Answer, ok bool, err error)
	// begin is called where memory of positions begins anew, and returns for how many
	// there is room: 2^bits. end is called where that is left.
	begin(at sides) (bits int, err error)
	end() error
}

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
	seen    *memory
	memory  uint64 // bytes that positions may take
	divided int    // memory begins anew after this many stones, 0: nowhere
	n       Checked
	told    func(Checked) // called now and then, if not nil
}

func newReplay(ctx context.Context, g *mnk.Game, claim Claim, from source) *replay {
	r := &replay{ctx: ctx, g: g, claim: claim, source: from, cells: bitboard.First128(g.Cells()), memory: 1 << 62}
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

// listSymmetries lists the permutations of the cells that keep the board, and which of
// them undoes each.
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
	for _, p := range list {
		c, err := p.Compile128()
		if err != nil {
			panic(err) // never: it is a permutation
		}
		r.perms = append(r.perms, c)
		for j, q := range list {
			undone := true
			for c := range p {
				undone = undone && int(q[p[c]]) == c
			}
			if undone {
				r.inverse = append(r.inverse, j)
				break
			}
		}
	}
}

// view is what the windows say about a position.
type view struct {
	live       bitboard.Set128 // empty cells in windows open to anybody
	walls      bitboard.Set128 // cells in no open window
	mine, your bitboard.Set128 // empty cells where P, and O, complete a window
	// fork are a cell and two cells that complete windows of P after a stone there, the
	// first such cell; nothing if there is none.
	fork bitboard.Set128
	at   int             // the first of these
	pair bitboard.Set128 // empty cells of windows that lack two stones of O
}

func (r *replay) look(at sides) (v view) {
	var in bitboard.Set128
	var two [32]bitboard.Set128 // what windows of P lack, of some that lack two stones
	n := 0
	free := r.cells.AndNot(at.p.Or(at.o))
	for _, w := range r.windows {
		open, other := w.And(at.o).IsEmpty(), w.And(at.p).IsEmpty()
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
			if open && n < len(two) {
				two[n] = left
				n++
			}
		}
	}
	for i, x := range two[:n] {
		for _, y := range two[:i] {
			if both := x.And(y); x != y && !both.IsEmpty() && (v.fork.IsEmpty() || both.Min() < v.at) {
				v.fork, v.at = x.Or(y), both.Min()
			}
		}
	}
	v.live, v.walls = free.And(in), r.cells.AndNot(in)
	return v
}

// canonical returns the smallest symmetric picture of a position with its walls, and
// the symmetry that leads there.
func (r *replay) canonical(at sides, walls bitboard.Set128) (s sides, sym int) {
	at = sides{at.p.Or(walls), at.o.Or(walls)}
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

// run walks from a position with so many stones.
func (r *replay) run(at sides, mine bool, stones int) error {
	for _, w := range r.windows {
		if w.AndNot(at.p).IsEmpty() || w.AndNot(at.o).IsEmpty() {
			return r.fail(at, "the game is over")
		}
	}
	at, _ = r.canonical(at, r.look(at).walls)
	_, err := r.section(at, mine, stones)
	return ended(r.ctx, err)
}

// section walks from a canonical position where memory begins anew.
func (r *replay) section(at sides, mine bool, stones int) (zone bitboard.Set128, err error) {
	bits, err := r.source.begin(at)
	if err != nil {
		return zone, err
	}
	before := r.seen
	if r.seen, err = newMemory(r.g, bits, r.memory); err != nil {
		return zone, err
	}
	if zone, err = r.walk(at, mine, stones); err == nil {
		err = r.source.end()
	}
	r.seen = before
	return zone, err
}

// divide is walk where a section begins, unless this one was met before.
func (r *replay) divide(at sides, mine bool, stones int) (zone bitboard.Set128, err error) {
	s, sym := r.canonical(at, r.look(at).walls)
	zone, ok := r.seen.get(s, mine)
	if !ok {
		begun := r.n.Positions
		if zone, err = r.section(s, mine, stones); err != nil {
			return zone, err
		}
		r.seen.put(s, mine, zone, r.n.Positions-begun)
	}
	return r.perms[r.inverse[sym]].Apply(zone), nil
}

// after is walk after a stone of O, or of P.
func (r *replay) after(at sides, mine bool, stones int) (zone bitboard.Set128, err error) {
	if stones == r.divided {
		return r.divide(at, mine, stones)
	}
	return r.walk(at, mine, stones)
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
		return zone, nil
	case mine && !v.mine.IsEmpty():
		r.n.Ends++
		c := v.mine.First()
		return r.guard(sides{at.p.Or(c), at.o}, c, 1), nil
	case !mine && !v.your.IsEmpty():
		return zone, r.fail(at, "%s completes a window", r.g.CellName(v.your.Min()))
	case mine && !v.your.IsEmpty():
		c := v.your.First()
		if v.your != c {
			return zone, r.fail(at, "two cells complete a window")
		}
		zone, err = r.after(sides{at.p.Or(c), at.o}, false, stones+1)
		return zone.Or(c), err
	case !v.mine.IsEmpty():
		zone = v.mine
		if c := v.mine.First(); v.mine == c {
			if zone, err = r.after(sides{at.p, at.o.Or(c)}, true, stones+1); err != nil {
				return zone, err
			}
			zone = zone.Or(c)
		}
		return r.guard(at, zone, 2), nil
	}
	if !v.fork.IsEmpty() {
		n, after := 2, sides{at.p.With(v.at), at.o}
		if !mine {
			n = 3
		}
		zone = r.guard(after, v.fork, n)
		if mine {
			r.n.Ends++
			return zone, nil
		}
	}
	s, sym := r.canonical(at, v.walls)
	if zone, ok := r.seen.get(s, mine); ok {
		return r.perms[r.inverse[sym]].Apply(zone), nil
	}
	if !v.fork.IsEmpty() {
		v.live = v.live.And(v.fork.Or(v.pair))
	}
	at = sides{at.p.Or(v.walls), at.o.Or(v.walls)}
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
	if mine {
		zone, err = r.answered(at, v.live, stones)
	} else {
		zone, err = r.attacked(at, v.live, zone, stones)
	}
	if err != nil {
		return zone, err
	}
	r.seen.put(s, mine, r.perms[sym].Apply(zone), r.n.Positions-begun)
	return zone, nil
}

// answered returns the zone of a position with P to move: after its answer, or of a
// claim.
func (r *replay) answered(at sides, live bitboard.Set128, stones int) (zone bitboard.Set128, err error) {
	a, ok, err := r.source.next(at, true, stones)
	switch {
	case err != nil:
		return zone, err
	case !ok:
		return zone, r.fail(at, "no answer")
	case a.Move < 0:
		return r.holds(at, true, a.Pairs)
	case !live.Has(a.Move):
		return zone, r.fail(at, "cell %d cannot be played", a.Move)
	}
	c := bitboard.Cell128(a.Move)
	zone, err = r.after(sides{at.p.Or(c), at.o}, false, stones+1)
	return zone.Or(c), err
}

// attacked returns the zone of a position with O to move: of a claim, or that for what
// is not live together with those of the stones of O that are not refuted with others.
func (r *replay) attacked(at sides, live, zone bitboard.Set128, stones int) (bitboard.Set128, error) {
	a, ok, err := r.source.next(at, false, stones)
	switch {
	case err != nil:
		return zone, err
	case ok && a.Move < 0:
		return r.holds(at, false, a.Pairs)
	case ok:
		if zone, err = r.walk(at, true, stones); err != nil {
			return zone, err
		}
		live = live.And(zone)
	}
	for _, c := range r.rated(at, live) {
		if !live.Has(c) {
			continue
		}
		z, err := r.after(sides{at.p, at.o.With(c)}, true, stones+1)
		if err != nil {
			return zone, err
		}
		zone = zone.Or(z)
		live = live.And(z)
	}
	return zone, nil
}

// rated lists cells in the order in which stones of O are tried: by the sum over the
// windows through a cell that are open to P, or to O, of 4^stones in them. The order is
// part of what a certificate means.
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

// guard adds cells to a zone until it has n empty ones of each window open to O.
func (r *replay) guard(at sides, zone bitboard.Set128, n int) bitboard.Set128 {
	free := r.cells.AndNot(at.p.Or(at.o))
	for _, w := range r.windows {
		if !w.And(at.p).IsEmpty() {
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

// holds checks a claim that P stops all windows, and returns its zone: pairs are
// disjoint and empty, and the windows open to O that hold no pair weigh less than 1/2
// with O to move, or 1 with P, where a window weighs 2 to the power of minus its empty
// cells outside the pairs.
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
	var high, low uint64 // the weight, 2^k times
	k := uint(r.g.K())
	for _, w := range r.windows {
		if !w.And(at.p).IsEmpty() {
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
