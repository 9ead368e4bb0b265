package prove

import (
	"math"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// searcher64 is one thread's depth-first search of the question: can the attacker
// complete a window before the defender does?
type searcher64 struct {
	l    *mnk.Lines64
	syms []*bitboard.Perm64
	t    *facts64
	cuts Cuts

	nodes    uint64
	hits     uint64
	byCut    [leafKinds]uint64
	noise    uint64 // if not 0, the state of a generator that perturbs the order of moves
	stop     *atomic.Bool
	shared   *atomic.Uint64 // nodes of all threads, updated now and then
	told     uint64         // nodes added to shared so far
	yield    func()         // called now and then, see Options
	reporter *reporter      // of all threads, nil without reports
	fresh    uint64         // new entries in the table since told
	limit    uint64         // nodes of all threads, 0 for no limit
	turnEnd  uint64         // nodes at which the search gives up its turn, 0 for never
	quit     bool           // the thread's turn is over: see turnEnd
	alone    bool           // the search is outside CanWin, so the table does not grow
	dear     uint64         // least nodes of a proof for the book; without a book the largest uint64

	lam  *lambda64 // nil without λ-search
	pair pairing64
	// analyses[ply] are the analyses for the attacker and for the defender.
	analyses [lastPly64 + 1][2]analysis64
	frames   [cells64 + 1]*frame64 // frames of the proof-number search
	branches [cells64 + 2]branch64 // branches by ply

	team    *team64              // nil on one thread
	levels  [cells64 + 8]level64 // branches that the thread is in, from the root
	depth   int                  // number of levels in use
	news    atomic.Bool          // a branch that the thread may work on has changed
	helpEnd uint64               // nodes at which the thread stops helping, 0 for never
}

// place64 is the key of a position, see key: its stones, with walls in both sets, and the side to
// move, 1 for the attacker. sym is the symmetry that leads from the position to its key.
type place64 struct {
	x, y bitboard.Set64
	side uint64
	sym  int
}

// key returns the position reduced by walls: a cell is a wall if none of its windows is open to a
// side whose stone could stand there.
func (s *searcher64) key(a, d bitboard.Set64, attack bool, va, vd *analysis64) place64 {
	k := place64{x: a, y: d}
	if attack {
		k.side = 1
	}
	if !s.cuts.NoWalls {
		live := a.And(va.cells).Or(d.And(vd.cells)).Or(va.cells.Or(vd.cells).AndNot(a.Or(d)))
		walls := s.l.Cells.AndNot(live)
		k.x, k.y = a.Or(walls), d.Or(walls)
	}
	if s.cuts.NoSymmetry || a.Or(d).Count() > s.cuts.SymmetryTo {
		return k
	}
	x0, y0 := k.x, k.y
	for i := 1; i < len(s.syms); i++ {
		u := s.syms[i].Apply(x0)
		if u.Compare(k.x) > 0 {
			continue
		}
		if w := s.syms[i].Apply(y0); u.Compare(k.x) < 0 || w.Compare(k.y) < 0 {
			k.x, k.y, k.sym = u, w, i
		}
	}
	return k
}

// load looks a position up and turns the entry back by the symmetry.
func (s *searcher64) load(k place64) (fact64, bool) {
	f, ok := s.t.load(k.x, k.y, k.side)
	if ok {
		s.hits++
		if k.sym != 0 {
			s.turned(&f, s.syms[mnk.Inverse(uint8(k.sym))])
		}
	}
	return f, ok
}

func (s *searcher64) store(k place64, f fact64, nodes uint64) {
	if k.sym != 0 {
		s.turned(&f, s.syms[k.sym])
	}
	if s.t.store(k.x, k.y, k.side, f, nodes) {
		s.fresh++
	}
}

// turned applies a symmetry to an entry.
func (s *searcher64) turned(f *fact64, p *bitboard.Perm64) {
	if f.verdict != open {
		f.word = p.Apply(f.word)
	}
	if f.verdict != limited && f.move != noMove64 {
		f.move = uint8(p.Apply(bitboard.Cell64(int(f.move))).Min() & mask64)
	}
}

// count counts a node and reports whether the search must end.
func (s *searcher64) count() bool {
	s.nodes++
	if more := s.nodes - s.told; more >= 1024 {
		all := s.shared.Add(more)
		s.told = s.nodes
		s.t.used.Add(s.fresh)
		s.fresh = 0
		if !s.alone && s.t.crowded() {
			s.stop.Store(true) // ends the search for now: CanWin lets the table grow
		}
		if !s.alone && s.reporter != nil && all%tellNodes < more {
			s.reporter.tell(s.shared, s.t.filled())
		}
		if s.limit > 0 && all > s.limit {
			s.stop.Store(true)
		}
		if s.yield != nil {
			s.yield()
		}
	}
	if s.turnEnd > 0 && s.nodes >= s.turnEnd {
		s.quit = true
	}
	return s.over()
}

// over reports whether the search must end without an answer.
func (s *searcher64) over() bool {
	return s.quit || s.stop.Load() || s.news.Load() && s.unwanted()
}

// scored rates cells by the windows of both sides through them, weighted by their stones.
// It fills order with n ratings, the cell in the low bits, unsorted: see best and sorted.
func (s *searcher64) scored(moves, a, d bitboard.Set64, turn uint64, va, vd *analysis64, order *[cells64]int32) (n int) {
	var score [cells64]int32
	free := s.l.Cells.AndNot(a.Or(d))
	v, stones := va, a
	for _, rate := range &ratings[turn] {
		for dir := range 4 {
			for w := v.open[dir]; !w.IsEmpty(); w = w.DropMin() {
				m := s.l.Window(dir, w.Min())
				g := rate[m.And(stones).Count()&7]
				for m = m.And(free); !m.IsEmpty(); m = m.DropMin() {
					score[m.Min()&mask64] += g
				}
			}
		}
		v, stones = vd, d
	}
	for x := moves; !x.IsEmpty(); x = x.DropMin() {
		c := x.Min() & mask64
		v := score[c] << 2
		if s.noise != 0 {
			s.noise ^= s.noise << 13
			s.noise ^= s.noise >> 7
			s.noise ^= s.noise << 17
			v += int32(s.noise & 15)
		}
		order[n&mask64] = min(v, mostRating64)<<cellBits64 | int32(c)
		n++
	}
	return n
}

// best64 moves the highest rating to the front. Few moves of most positions are looked at,
// so ratings are sorted only as far as they are used.
func best64(order []int32) int {
	top := 0
	for i, v := range order {
		if v > order[top] {
			top = i
		}
	}
	order[0], order[top] = order[top], order[0]
	return int(order[0] & mask64)
}

// look fills in both analyses.
func (s *searcher64) look(a, d bitboard.Set64, va, vd *analysis64) {
	va.analyse(s.l, a, d)
	vd.analyse(s.l, d, a)
	va.reach(s.l)
	vd.reach(s.l)
}

// leaf tries to decide a position without search. kind says what decides it: a threat, whose
// completing cells are in moves, a fork, or weights. If v is open, moves are the moves worth a
// search: with kind leafThreat the only move that stops a threat; else kind is leafKinds, and
// there are no moves if the attacker cannot stop the defender's forks. vd is not analysed if
// the attacker completes a window. Cells are complete if v is open with kind leafKinds.
func (s *searcher64) leaf(a, d bitboard.Set64, attack bool, va, vd *analysis64) (v verdict, kind int, moves bitboard.Set64) {
	v, kind, moves = s.decide(a, d, attack, va, vd)
	if v != open {
		s.byCut[kind]++
	}
	return v, kind, moves
}

func (s *searcher64) decide(a, d bitboard.Set64, attack bool, va, vd *analysis64) (v verdict, kind int, moves bitboard.Set64) {
	va.analyse(s.l, a, d)
	if attack && !va.threats.IsEmpty() {
		return won, leafThreat, va.threats
	}
	vd.analyse(s.l, d, a)
	if t := vd.threats; !t.IsEmpty() {
		if !attack || !t.DropMin().IsEmpty() {
			return refuted, leafThreat, t
		}
		return open, leafThreat, t
	}
	if t := va.threats; !t.IsEmpty() {
		if !t.DropMin().IsEmpty() {
			return won, leafThreat, t
		}
		return open, leafThreat, t
	}
	own, other, forked := va, vd, won
	if !attack {
		own, other, forked = vd, va, refuted
	}
	if !own.doubles.IsEmpty() && !s.cuts.NoForks {
		return forked, leafFork, bitboard.Set64{}
	}
	va.reach(s.l)
	if !s.cuts.NoWeight && va.weight < s.holdsBelow(attack) || va.weight == 0 {
		return refuted, leafWeight, bitboard.Set64{}
	}
	vd.reach(s.l)
	moves = va.cells.Or(vd.cells).AndNot(a.Or(d))
	if !other.doubles.IsEmpty() && !s.cuts.NoForks {
		moves = moves.And(other.answers().Or(own.pairs))
	}
	return open, leafKinds, moves
}

// search reports whether the attacker can complete a window first. The answer rests on the cells
// of the zone: a win stands whatever else the defender gets outside of it, a refutation whatever
// else the attacker gets (see doc.go). The result has no meaning once the search is stopped.
//
// left is the number of quiet moves that the attacker may make, or endless. A move is quiet
// if no threat, fork or λ-search decides it. A branch that runs out of them counts as
// refuted: sure says that no such branch was needed. Otherwise there is no proof, and the
// zone is a guess. A win is always sure.
func (s *searcher64) search(a, d bitboard.Set64, attack bool, ply, left int) (win bool, zone bitboard.Set64, sure bool) {
	if s.count() {
		return false, bitboard.Set64{}, false
	}
	free := s.l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	own, other := va, vd
	if !attack {
		own, other = vd, va
	}
	v, kind, must := s.leaf(a, d, attack, va, vd)
	switch {
	case v != open:
		return v == won, s.leafZone(a, d, attack, v, kind, must, va, vd), true
	case kind == leafThreat:
		na, nd := after64(a, d, must, attack)
		win, zone, sure = s.search(na, nd, !attack, ply+1, left)
		if zone = zone.Or(must); win != attack {
			// The deeper call did not change this ply's analyses.
			zone = own.guard(s.l, zone, free, 2, bitboard.Set64{})
		}
		return win, zone, sure
	}
	k := s.key(a, d, attack, va, vd)
	f, known := s.recall(k, a, free, ply, left, va)
	if known {
		return f.verdict == won, f.word, f.verdict.proof()
	}
	start := s.nodes
	if attack {
		if win, z, c := s.byThreats(a, d, va); win {
			s.store(k, fact64{verdict: won, move: uint8(c), word: z}, s.nodes-start)
			return true, z, true
		}
	}
	if !s.cuts.NoForks && !other.doubles.IsEmpty() {
		// The other side is about to make two threats at once.
		at, cells := other.fork()
		zone = own.guard(s.l, cells, free.AndNot(bitboard.Cell64(at)), 3, bitboard.Cell64(at))
	}
	allowed := left
	switch { // wins with few quiet moves are found before moves that need many are looked at
	case attack && left == 0:
		return false, va.started(s.l, a).And(free), false
	case !attack || left == endless:
	case f.verdict == limited:
		allowed = int(f.move) + 1
	default:
		allowed = 1
	}
	b := &s.branches[ply]
	for ; ; allowed++ {
		b.begin(a, d, attack, ply, allowed, must, zone, start)
		b.n = s.scored(must, a, d, k.side, va, vd, &b.order)
		if !attack {
			if f, ok := s.glance(b); ok {
				s.store(k, f, s.nodes-start)
				return false, f.word, true
			}
		}
		if !s.try(b) {
			return false, bitboard.Set64{}, false
		}
		if b.settled || b.sure || allowed == left {
			break
		}
	}
	win = b.settled == attack
	f = fact64{verdict: refuted, move: noMove64, word: b.zone}
	if b.settled {
		f.move = uint8(b.cell)
	}
	switch {
	case !b.sure:
		f.verdict, f.move = limited, uint8(left)
	case win:
		f.verdict = won
	}
	nodes := s.nodes - start
	s.store(k, f, nodes)
	if nodes >= s.dear && f.verdict.proof() {
		s.t.learn(a, d, attack, f, nodes)
	}
	return win, b.zone, b.sure
}

// recall answers from the table, or by a pairing, as search does. If known is false, f is the
// table's entry: limited with no quiet moves if there is none.
func (s *searcher64) recall(k place64, a, free bitboard.Set64, ply, left int, va *analysis64) (f fact64, known bool) {
	f, ok := s.load(k)
	if ok && (f.verdict.proof() || f.verdict == limited && left <= int(f.move)) {
		s.byCut[leafTable]++
		return f, true
	}
	z, ok := s.paired(a, free, k.side == 1, ply, va)
	if ok {
		f = fact64{verdict: refuted, move: noMove64, word: z}
		s.store(k, f, 1)
	}
	return f, ok
}

// glance looks at the best replies of the defender for one that holds without search.
func (s *searcher64) glance(b *branch64) (f fact64, ok bool) {
	for i := range min(b.n, glances) {
		c := best64(b.order[i:b.n])
		if z, ok := s.held(b.a, b.d.Or(bitboard.Cell64(c)), true, b.ply+1); ok {
			return fact64{verdict: refuted, move: uint8(c), word: z.Or(bitboard.Cell64(c))}, true
		}
	}
	return f, false
}

// byThreats looks for a λ-win of the side with stones w, to move.
func (s *searcher64) byThreats(w, l bitboard.Set64, vw *analysis64) (win bool, zone bitboard.Set64, move int) {
	if s.lam == nil || vw.pairs.IsEmpty() {
		return false, bitboard.Set64{}, -1
	}
	win, zone, move = s.lam.wins(w, l, lambdaNodes)
	s.nodes += s.lam.nodes
	if win {
		s.byCut[leafLambda]++
	}
	return win, zone, move
}

// holdsBelow returns the weight, 2^k times the potential of Erdős and Selfridge,
// below which the defender stops all windows.
func (s *searcher64) holdsBelow(attack bool) uint64 {
	switch {
	case attack:
		return 1 << (s.l.K - 1)
	case s.l.K > weightBits-1: // one window, whose weight never reaches 2^64
		return math.MaxUint64
	}
	return 1 << s.l.K
}

// paired looks for a pairing by which the defender holds, and returns its zone. It leaves
// out positions where a pairing is unlikely, but not at ply 0.
func (s *searcher64) paired(a, free bitboard.Set64, attack bool, ply int, va *analysis64) (zone bitboard.Set64, ok bool) {
	if s.cuts.NoPairing || free.Count() < s.cuts.PairingFrom || ply > 0 && va.weight >= 4<<s.l.K {
		return bitboard.Set64{}, false
	}
	if zone, ok = s.pair.cover(s.l, va, a, free, s.holdsBelow(attack)); ok {
		s.byCut[leafPairing]++
	}
	return zone, ok
}

// proved returns the move of the side to move that proves the answer to its question, which is
// known: a threat, a fork, the table's move, or a move that is known to hold without search. It is
// −1 if the table has lost it.
func (s *searcher64) proved(a, d bitboard.Set64, attack bool) int {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	own, other, v := va, vd, won
	if !attack {
		own, other, v = vd, va, refuted
	}
	switch {
	case !own.threats.IsEmpty():
		return own.threats.Min()
	case !other.threats.IsEmpty():
		return other.threats.Min()
	case !own.doubles.IsEmpty():
		return own.doubles.Min()
	}
	free := s.l.Cells.AndNot(a.Or(d))
	if f, ok := s.load(s.key(a, d, attack, va, vd)); ok && f.verdict == v && f.move != noMove64 && free.Has(int(f.move)) {
		return int(f.move)
	}
	for m := free; !attack && !m.IsEmpty(); m = m.DropMin() {
		if _, ok := s.held(a, d.Or(m.First()), true, 1); ok {
			return m.Min()
		}
	}
	return -1
}

// known returns the table's answer to a question, if it is a proof.
func (s *searcher64) known(a, d bitboard.Set64, attack bool) (f fact64, ok bool) {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	f, ok = s.load(s.key(a, d, attack, va, vd))
	return f, ok && f.verdict.proof()
}

// held reports whether a leaf, forced moves, the table or a pairing show that the attacker
// does not win, and returns the zone of the refutation.
func (s *searcher64) held(a, d bitboard.Set64, attack bool, ply int) (zone bitboard.Set64, ok bool) {
	s.nodes++
	free := s.l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, attack, va, vd)
	switch {
	case v == won:
		return bitboard.Set64{}, false
	case v == refuted:
		return s.leafZone(a, d, attack, v, kind, must, va, vd), true
	case kind == leafThreat:
		na, nd := after64(a, d, must, attack)
		zone, ok = s.held(na, nd, !attack, ply+1)
		if zone = zone.Or(must); attack {
			zone = va.guard(s.l, zone, free, 2, bitboard.Set64{})
		}
		return zone, ok
	}
	f, known := s.recall(s.key(a, d, attack, va, vd), a, free, ply, endless, va)
	return f.word, known && f.verdict == refuted
}

// leafZone returns the zone of a position that leaf decides.
func (s *searcher64) leafZone(a, d bitboard.Set64, attack bool, v verdict, kind int, must bitboard.Set64, va, vd *analysis64) bitboard.Set64 {
	free := s.l.Cells.AndNot(a.Or(d))
	winner, loser := vd, va
	if v == won {
		winner, loser = va, vd
	}
	switch {
	case kind == leafWeight:
		return va.cells.And(free)
	case kind == leafFork:
		at, cells := winner.fork()
		return loser.guard(s.l, cells, free.AndNot(bitboard.Cell64(at)), 2, bitboard.Cell64(at))
	case attack != (v == won): // two threats, of which one stone stops one
		rest := must.DropMin()
		return loser.guard(s.l, must.AndNot(rest).Or(rest.First()), free, 2, bitboard.Set64{})
	case attack:
		vd.analyse(s.l, d, a) // which leaf leaves out
	}
	return loser.guard(s.l, must.First(), free, 1, bitboard.Set64{})
}
