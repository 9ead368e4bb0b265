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

	nodes   uint64
	hits    uint64
	byCut   [leafKinds]uint64
	noise   uint64 // if not 0, the state of a generator that perturbs the order of moves
	stop    *atomic.Bool
	shared  *atomic.Uint64 // nodes of all threads, updated now and then
	told    uint64         // nodes added to shared so far
	yield   func()         // called now and then, see Options
	fresh   uint64         // new entries in the table since told
	limit   uint64         // nodes of all threads, 0 for no limit
	turnEnd uint64         // nodes at which the search gives up its turn, 0 for never
	quit    bool           // the thread's turn is over: see turnEnd
	alone   bool           // the search is outside CanWin, so the table does not grow
	dear    uint64         // least nodes of a proof for the book; without a book the largest uint64

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

// key returns the position reduced by walls, as two sets whose common cells are walls, and
// the symmetry applied. A cell is a wall if none of its windows is open to a side whose
// stone could stand there.
func (s *searcher64) key(a, d bitboard.Set64, va, vd *analysis64) (x, y bitboard.Set64, sym int) {
	x, y = a, d
	if !s.cuts.NoWalls {
		live := a.And(va.cells).Or(d.And(vd.cells)).Or(va.cells.Or(vd.cells).AndNot(a.Or(d)))
		walls := s.l.Cells.AndNot(live)
		x, y = a.Or(walls), d.Or(walls)
	}
	if s.cuts.NoSymmetry || a.Or(d).Count() > s.cuts.SymmetryTo {
		return x, y, 0
	}
	x0, y0 := x, y
	for i := 1; i < len(s.syms); i++ {
		u := s.syms[i].Apply(x0)
		if u.Compare(x) > 0 {
			continue
		}
		if w := s.syms[i].Apply(y0); u.Compare(x) < 0 || w.Compare(y) < 0 {
			x, y, sym = u, w, i
		}
	}
	return x, y, sym
}

// load looks a position up and turns the entry back by the symmetry.
func (s *searcher64) load(x, y bitboard.Set64, attack uint64, sym int) (fact64, bool) {
	f, ok := s.t.load(x, y, attack)
	if ok {
		s.hits++
		if sym != 0 {
			s.turned(&f, s.syms[mnk.Inverse(uint8(sym))])
		}
	}
	return f, ok
}

func (s *searcher64) store(x, y bitboard.Set64, attack uint64, sym int, f fact64, nodes uint64) {
	if sym != 0 {
		s.turned(&f, s.syms[sym])
	}
	if s.t.store(x, y, attack, f, nodes) {
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
	if s.nodes-s.told >= 1024 {
		s.shared.Add(s.nodes - s.told)
		s.told = s.nodes
		s.t.used.Add(s.fresh)
		s.fresh = 0
		if !s.alone && s.t.crowded() {
			s.stop.Store(true) // ends the search for now: CanWin lets the table grow
		}
		if s.limit > 0 && s.shared.Load() > s.limit {
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

// look fills in both analyses without the weights.
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
// the attacker completes a window. Weights and cells are complete if v is open with kind
// leafKinds.
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
	va.weigh(s.l, a)
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

// attack reports whether the attacker, to move, can complete a window first. The answer
// rests on the cells of the zone: a win stands whatever else the defender gets outside of
// it, a refutation whatever else the attacker gets (see doc.go). The result has no meaning
// once the search is stopped.
//
// left is the number of quiet moves that the attacker may make, or endless. A move is quiet
// if no threat, fork or λ-search decides it. A branch that runs out of them counts as
// refuted: sure says that no such branch was needed. Otherwise there is no proof, and the
// zone is a guess.
func (s *searcher64) attack(a, d bitboard.Set64, ply, left int) (win bool, zone bitboard.Set64, sure bool) {
	if s.count() {
		return false, bitboard.Set64{}, false
	}
	l := s.l
	free := l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, true, va, vd)
	switch {
	case v == won && kind == leafThreat:
		vd.analyse(l, d, a)
		return true, vd.guard(l, must.First(), free, 1, bitboard.Set64{}), true
	case v == won:
		at, cells := va.fork()
		return true, vd.guard(l, cells, free.AndNot(bitboard.Cell64(at)), 2, bitboard.Cell64(at)), true
	case v == refuted:
		return false, s.spared(free, true, kind, must, va, vd), true
	case kind == leafThreat:
		if win, zone, sure = s.defend(a.Or(must), d, ply+1, left); win {
			return true, zone.Or(must), true
		}
		// The deeper call did not change this ply's analyses.
		return false, va.guard(l, zone.Or(must), free, 2, bitboard.Set64{}), sure
	}
	x, y, sym := s.key(a, d, va, vd)
	f, seen := s.load(x, y, 1, sym)
	if seen && (f.verdict.proof() || f.verdict == limited && left <= int(f.move)) {
		s.byCut[leafTable]++
		return f.verdict == won, f.word, f.verdict.proof()
	}
	start := s.nodes
	if z, ok := s.paired(a, free, true, ply, va); ok {
		s.store(x, y, 1, sym, fact64{verdict: refuted, move: noMove64, word: z}, 1)
		return false, z, true
	}
	if win, z, c := s.byThreats(a, d, va); win {
		s.store(x, y, 1, sym, fact64{verdict: won, move: uint8(c), word: z}, s.nodes-start)
		return true, z, true
	}
	if !s.cuts.NoForks && !vd.doubles.IsEmpty() {
		// The defender is about to make two threats at once.
		at, cells := vd.fork()
		zone = va.guard(l, cells, free.AndNot(bitboard.Cell64(at)), 3, bitboard.Cell64(at))
	}
	if left == 0 {
		return false, va.started(l, a).And(free), false
	}
	allowed := left
	switch { // wins with few quiet moves are found before moves that need many are looked at
	case left == endless:
	case seen && f.verdict == limited:
		allowed = int(f.move) + 1
	default:
		allowed = 1
	}
	b := &s.branches[ply]
	for {
		b.begin(a, d, true, ply, allowed, must, zone, start)
		b.n = s.scored(must, a, d, 1, va, vd, &b.order)
		if !s.try(b) {
			return false, bitboard.Set64{}, false
		}
		if b.settled || b.sure || allowed == left {
			break
		}
		allowed++
	}
	f = fact64{verdict: refuted, word: b.zone}
	switch {
	case b.settled:
		f.verdict, f.move = won, uint8(b.cell)
	case !b.sure:
		f.verdict, f.move = limited, uint8(left)
	}
	nodes := s.nodes - start
	s.store(x, y, 1, sym, f, nodes)
	if nodes >= s.dear && f.verdict.proof() {
		s.t.learn(a, d, true, f, nodes)
	}
	return b.settled, b.zone, b.settled || b.sure
}

// defend is attack with the defender to move.
func (s *searcher64) defend(a, d bitboard.Set64, ply, left int) (win bool, zone bitboard.Set64, sure bool) {
	if s.count() {
		return false, bitboard.Set64{}, false
	}
	l := s.l
	free := l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, false, va, vd)
	switch {
	case v == won:
		rest := must.DropMin()
		return true, vd.guard(l, must.AndNot(rest).Or(rest.First()), free, 2, bitboard.Set64{}), true
	case v == refuted:
		return false, s.spared(free, false, kind, must, va, vd), true
	case kind == leafThreat:
		if win, zone, sure = s.attack(a, d.Or(must), ply+1, left); win {
			return true, vd.guard(l, zone.Or(must), free, 2, bitboard.Set64{}), true
		}
		return false, zone.Or(must), sure
	}
	x, y, sym := s.key(a, d, va, vd)
	f, seen := s.load(x, y, 0, sym)
	if seen && (f.verdict.proof() || f.verdict == limited && left <= int(f.move)) {
		s.byCut[leafTable]++
		return f.verdict == won, f.word, f.verdict.proof()
	}
	start := s.nodes
	if z, ok := s.paired(a, free, false, ply, va); ok {
		s.store(x, y, 0, sym, fact64{verdict: refuted, move: noMove64, word: z}, 1)
		return false, z, true
	}
	if !s.cuts.NoForks && !va.doubles.IsEmpty() {
		// The attacker is about to make two threats at once.
		at, cells := va.fork()
		zone = vd.guard(l, cells, free.AndNot(bitboard.Cell64(at)), 3, bitboard.Cell64(at))
	}
	b := &s.branches[ply]
	b.begin(a, d, false, ply, left, must, zone, start)
	b.n = s.scored(must, a, d, 0, va, vd, &b.order)
	for i := range min(b.n, glances) {
		c := best64(b.order[i:b.n])
		if z, ok := s.held(a, d.Or(bitboard.Cell64(c)), true, ply+1); ok {
			z = z.Or(bitboard.Cell64(c))
			s.store(x, y, 0, sym, fact64{verdict: refuted, move: uint8(c), word: z}, s.nodes-start)
			return false, z, true
		}
	}
	if !s.try(b) {
		return false, bitboard.Set64{}, false
	}
	f = fact64{verdict: won, move: noMove64, word: b.zone}
	switch {
	case b.settled && b.sure:
		f.verdict, f.move = refuted, uint8(b.cell)
	case b.settled:
		f.verdict, f.move = limited, uint8(left)
	}
	nodes := s.nodes - start
	s.store(x, y, 0, sym, f, nodes)
	if nodes >= s.dear && f.verdict.proof() {
		s.t.learn(a, d, false, f, nodes)
	}
	return !b.settled, b.zone, !b.settled || b.sure
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

// winningMove returns the move that proves a won position with the attacker to move: a
// threat to complete, a fork, or the table's move; −1 if the table has lost it.
func (s *searcher64) winningMove(a, d bitboard.Set64) int {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	switch {
	case !va.threats.IsEmpty():
		return va.threats.Min()
	case !vd.threats.IsEmpty():
		return vd.threats.Min()
	case !va.doubles.IsEmpty() && !s.cuts.NoForks:
		return va.doubles.Min()
	}
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, 1, sym); ok && f.verdict == won {
		return int(f.move)
	}
	return -1
}

// holdingMove returns a move of the defender that keeps the attacker from winning, in a
// position where that is known to be possible: a threat, a fork, the table's move, or a
// move that is known to hold without a search; −1 if there is none.
func (s *searcher64) holdingMove(a, d bitboard.Set64) int {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	v, kind, moves := s.leaf(a, d, false, va, vd)
	switch {
	case kind == leafThreat:
		return moves.Min()
	case kind == leafFork && v == refuted:
		at, _ := vd.fork()
		return at
	}
	free := s.l.Cells.AndNot(a.Or(d))
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, 0, sym); ok && f.verdict == refuted && f.move != noMove64 && free.Has(int(f.move)) {
		return int(f.move)
	}
	for m := free; !m.IsEmpty(); m = m.DropMin() {
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
	x, y, sym := s.key(a, d, va, vd)
	f, ok = s.load(x, y, turn(attack), sym)
	return f, ok && f.verdict.proof()
}

// held reports whether a leaf, forced moves, the table or a pairing show that the attacker
// does not win, and returns the zone of the refutation.
func (s *searcher64) held(a, d bitboard.Set64, attack bool, ply int) (zone bitboard.Set64, ok bool) {
	s.nodes++
	l := s.l
	free := l.Cells.AndNot(a.Or(d))
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, attack, va, vd)
	switch {
	case v == won:
		return bitboard.Set64{}, false
	case v == refuted:
		return s.spared(free, attack, kind, must, va, vd), true
	case kind == leafThreat && attack:
		zone, ok = s.held(a.Or(must), d, false, ply+1)
		return va.guard(l, zone.Or(must), free, 2, bitboard.Set64{}), ok
	case kind == leafThreat:
		zone, ok = s.held(a, d.Or(must), true, ply+1)
		return zone.Or(must), ok
	}
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, turn(attack), sym); ok && f.verdict.proof() {
		s.byCut[leafTable]++
		return f.word, f.verdict == refuted
	}
	if zone, ok = s.paired(a, free, attack, ply, va); ok {
		s.store(x, y, turn(attack), sym, fact64{verdict: refuted, move: noMove64, word: zone}, 1)
	}
	return zone, ok
}

// spared returns the zone of a refutation found by leaf.
func (s *searcher64) spared(free bitboard.Set64, attack bool, kind int, must bitboard.Set64, va, vd *analysis64) bitboard.Set64 {
	switch {
	case kind == leafThreat && attack:
		rest := must.DropMin()
		return va.guard(s.l, must.AndNot(rest).Or(rest.First()), free, 2, bitboard.Set64{})
	case kind == leafThreat:
		return va.guard(s.l, must.First(), free, 1, bitboard.Set64{})
	case kind == leafFork:
		at, cells := vd.fork()
		return va.guard(s.l, cells, free.AndNot(bitboard.Cell64(at)), 2, bitboard.Cell64(at))
	}
	return va.cells.And(free)
}
