package prove

import (
	"math"
	"math/bits"
	"sync/atomic"

	"perfectplay/bitboard"
	"perfectplay/game/mnk"
)

// Cuts switches off parts of the search. The zero value has all on. Results do
// not depend on it, only the work does.
type Cuts struct {
	NoWeight    bool // Erdős–Selfridge weights
	NoPairing   bool // pairing strategies
	NoZone      bool // relevance zones: all moves are looked at
	NoForks     bool // double threats one move ahead
	NoSymmetry  bool // rotations and mirrors
	NoWalls     bool // cells that matter to nobody are told apart
	NoLambda    bool // λ-search at inner positions of the zone search
	SymmetryTo  int  // most stones for which symmetries are tried; 0 is the default
	PairingFrom int  // least empty cells for which pairings are tried; 0 is the default
	LambdaOrder int  // highest order of λ-wins at inner positions; 0 is the default, 1
}

// cellBits is how many bits the number of a cell takes, and mostRating the highest
// rating that has room beside it in an int32.
const (
	cellBits   = 6
	mostRating = 1 << 24
)

// lastPly is more than any ply of a search: the place of analyses beside those of plies.
const lastPly = 65

// weightBits is the size of a weight.
const weightBits = 64

// lambdaNodes bounds the λ-search at an inner position.
const lambdaNodes = 100

// endless is the number of quiet moves of a search that does not count them. Every other
// number is at most that of the cells.
const endless = 1 << 10

// glances is how many replies of the defender are looked at without search before
// any of them is searched.
const glances = 12

// searcher is one thread's depth-first search of the question: can the attacker
// complete a window before the defender does?
type searcher struct {
	l    *mnk.Lines64
	syms []*bitboard.Perm64
	t    *facts
	cuts Cuts

	nodes   uint64
	hits    uint64
	byCut   [leafKinds]uint64
	noise   uint64 // nonzero: a generator that perturbs the order of moves
	stop    *atomic.Bool
	shared  *atomic.Uint64 // nodes of all threads, updated now and then
	told    uint64
	yield   func() // see Options
	fresh   uint64 // entries new to the table since told
	limit   uint64 // nodes of all threads, 0 for no limit
	turnEnd uint64 // nodes at which the search gives up its turn, 0 for never
	quit    bool   // it has
	alone   bool   // outside CanWin: nobody would let the table grow
	dear    uint64 // nodes of the least proof for the book; no proof has so many without one

	lam  *lambda // nil if there is no λ-search
	both bool    // λ-search for the defender too
	pair pairing
	// analyses[ply] are those of the attacker and the defender.
	analyses [lastPly + 1][2]analysis
	frames   [65]*frame // of the proof-number search
	branches [66]branch // by ply

	team    *team       // nil on one thread
	levels  [136]level  // the branches that the thread is in, from the root
	depth   int         // how many these are
	news    atomic.Bool // something that the thread may be at work on has changed
	helpEnd uint64      // nodes at which the thread stops helping, 0 for never
}

// The leaves that byCut counts.
const (
	leafThreat = iota
	leafFork
	leafWeight
	leafPairing
	leafTable
	leafLambda
	leafKinds
)

// key returns the walls-reduced position: two sets whose common cells are walls,
// and the symmetry applied. A cell through which no window is open to anybody
// whose stone could stand there is a wall, whatever stands on it.
func (s *searcher) key(a, d uint64, va, vd *analysis) (x, y uint64, sym int) {
	x, y = a, d
	if !s.cuts.NoWalls {
		live := a&va.cells | d&vd.cells | (va.cells|vd.cells)&^(a|d)
		walls := s.l.Cells &^ live
		x, y = a|walls, d|walls
	}
	if s.cuts.NoSymmetry || bits.OnesCount64(a|d) > s.cuts.SymmetryTo {
		return x, y, 0
	}
	x0, y0 := x, y
	for i := 1; i < len(s.syms); i++ {
		u := s.syms[i].Apply(x0)
		if u > x {
			continue
		}
		if w := s.syms[i].Apply(y0); u < x || w < y {
			x, y, sym = u, w, i
		}
	}
	return x, y, sym
}

// load looks a position up and turns what it finds back.
func (s *searcher) load(x, y uint64, attack uint64, sym int) (fact, bool) {
	f, ok := s.t.load(x, y, attack)
	if ok {
		s.hits++
		if sym != 0 {
			s.turned(&f, s.syms[mnk.Inverse(uint8(sym))])
		}
	}
	return f, ok
}

func (s *searcher) store(x, y uint64, attack uint64, sym int, f fact, nodes uint64) {
	if sym != 0 {
		s.turned(&f, s.syms[sym])
	}
	if s.t.store(x, y, attack, f, nodes) {
		s.fresh++
	}
}

// turned applies a symmetry to a fact.
func (s *searcher) turned(f *fact, p *bitboard.Perm64) {
	if f.verdict != open {
		f.word = p.Apply(f.word)
	}
	if f.verdict != limited && f.move != noMove {
		f.move = uint8(bits.TrailingZeros64(p.Apply(1<<f.move)) & 63)
	}
}

// count counts a node and reports whether the search must end.
func (s *searcher) count() bool {
	s.nodes++
	if s.nodes-s.told >= 1024 {
		s.shared.Add(s.nodes - s.told)
		s.told = s.nodes
		s.t.used.Add(s.fresh)
		s.fresh = 0
		if !s.alone && s.t.crowded() {
			s.stop.Store(true) // for the table to grow, see CanWin
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
func (s *searcher) over() bool {
	return s.quit || s.stop.Load() || s.news.Load() && s.unwanted()
}

// scored rates cells by what they bring: windows of both sides through them,
// weighted by the stones in them. It fills order with n ratings, the cell in the low
// bits, in no order: see best and sorted.
func (s *searcher) scored(moves, a, d uint64, turn uint64, va, vd *analysis, order *[64]int32) (n int) {
	var score [64]int32
	free := s.l.Cells &^ (a | d)
	rate := &ratings[turn]
	for dir := range 4 {
		for w := va.open[dir]; w != 0; w &= w - 1 {
			m := s.l.Window(dir, bits.TrailingZeros64(w))
			g := rate[0][bits.OnesCount64(m&a)&7]
			for m &= free; m != 0; m &= m - 1 {
				score[bits.TrailingZeros64(m)&63] += g
			}
		}
		for w := vd.open[dir]; w != 0; w &= w - 1 {
			m := s.l.Window(dir, bits.TrailingZeros64(w))
			g := rate[1][bits.OnesCount64(m&d)&7]
			for m &= free; m != 0; m &= m - 1 {
				score[bits.TrailingZeros64(m)&63] += g
			}
		}
	}
	for x := moves; x != 0; x &= x - 1 {
		c := bits.TrailingZeros64(x) & 63
		v := score[c] << 2
		if s.noise != 0 {
			s.noise ^= s.noise << 13
			s.noise ^= s.noise >> 7
			s.noise ^= s.noise << 17
			v += int32(s.noise & 15)
		}
		order[n&63] = min(v, mostRating)<<cellBits | int32(c)
		n++
	}
	return n
}

// best moves the highest rating to the front. Most positions need few moves
// looked at, so ratings are sorted no further than they are used.
func best(order []int32) int {
	top := 0
	for i, v := range order {
		if v > order[top] {
			top = i
		}
	}
	order[0], order[top] = order[top], order[0]
	return int(order[0] & 63)
}

// sorted puts all ratings in order, the highest first.
func sorted(order []int32) {
	for i, v := range order {
		for ; i > 0 && order[i-1] < v; i-- {
			order[i] = order[i-1]
		}
		order[i] = v
	}
}

// ratings[turn] are those of a window open to the attacker and of one open to the
// defender, by the stones in it. To the defender his own windows count twice.
var ratings = [2][2][8]int32{
	{{1, 3, 9, 27, 81, 243, 729, 2187}, {2, 6, 18, 54, 162, 486, 1458, 4374}},
	{{1, 4, 16, 64, 256, 1024, 4096, 4096}, {1, 4, 16, 64, 256, 1024, 4096, 4096}},
}

// look fills in both analyses but for the weights.
func (s *searcher) look(a, d uint64, va, vd *analysis) {
	va.analyse(s.l, a, d)
	vd.analyse(s.l, d, a)
	va.reach(s.l)
	vd.reach(s.l)
}

// leaf decides a position without search where it can: by windows to complete,
// by forks, by weights. v is open where it cannot; kind is then leafThreat if the
// only move is forced, else leafKinds, and moves are those worth a search: none
// if no move of the attacker stops the defender's forks. Of a refutation by
// threats, moves are the defender's cells to complete. va and vd are filled as
// far as they were needed: both but for weights and cells where v is not won, with
// them where the search goes on and nothing is forced.
func (s *searcher) leaf(a, d uint64, attack bool, va, vd *analysis) (v verdict, kind int, moves uint64) {
	v, kind, moves = s.decide(a, d, attack, va, vd)
	if v != open {
		s.byCut[kind]++
	}
	return v, kind, moves
}

func (s *searcher) decide(a, d uint64, attack bool, va, vd *analysis) (v verdict, kind int, moves uint64) {
	va.analyse(s.l, a, d)
	if attack && va.threats != 0 {
		return won, leafThreat, va.threats
	}
	vd.analyse(s.l, d, a)
	if t := vd.threats; t != 0 {
		if !attack || t&(t-1) != 0 {
			return refuted, leafThreat, t
		}
		return open, leafThreat, t
	}
	if t := va.threats; t != 0 {
		if t&(t-1) != 0 {
			return won, leafThreat, t
		}
		return open, leafThreat, t
	}
	own, other, forked := va, vd, won
	if !attack {
		own, other, forked = vd, va, refuted
	}
	if own.doubles != 0 && !s.cuts.NoForks {
		return forked, leafFork, 0
	}
	va.weigh(s.l, a)
	va.reach(s.l)
	if !s.cuts.NoWeight && va.weight < s.holdsBelow(attack) || va.weight == 0 {
		return refuted, leafWeight, 0
	}
	vd.reach(s.l)
	moves = (va.cells | vd.cells) &^ (a | d)
	if other.doubles != 0 && !s.cuts.NoForks {
		moves &= other.answers() | own.pairs
	}
	return open, leafKinds, moves
}

// attack reports whether the attacker, to move, can complete a window first. The
// answer rests on the cells of the zone: a win stands whatever else the defender gets
// outside of it, a refutation whatever else the attacker gets (see doc.go). The
// result has no meaning once the search is stopped.
//
// left is how many quiet moves the attacker may make, those that neither threats nor forks
// decide nor a λ-search, or endless. Where that ends a branch the search goes on as
// if it were refuted: sure says that no such branch was needed. Without it there is no
// proof, and the zone is a guess.
func (s *searcher) attack(a, d uint64, ply, left int) (win bool, zone uint64, sure bool) {
	if s.count() {
		return false, 0, false
	}
	l := s.l
	free := l.Cells &^ (a | d)
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, true, va, vd)
	switch {
	case v == won && kind == leafThreat:
		vd.analyse(l, d, a)
		return true, vd.guard(l, must&-must, free, 1, 0), true
	case v == won:
		at, cells := va.fork()
		return true, vd.guard(l, cells, free&^(1<<at), 2, 1<<at), true
	case v == refuted:
		return false, s.spared(free, true, kind, must, va, vd), true
	case kind == leafThreat:
		if win, zone, sure = s.defend(a|must, d, ply+1, left); win {
			return true, zone | must, true
		}
		// The deeper call left this ply's analyses alone.
		return false, va.guard(l, zone|must, free, 2, 0), sure
	}
	x, y, sym := s.key(a, d, va, vd)
	f, seen := s.load(x, y, 1, sym)
	if seen && (f.verdict.proof() || f.verdict == limited && left <= int(f.move)) {
		s.byCut[leafTable]++
		return f.verdict == won, f.word, f.verdict.proof()
	}
	start := s.nodes
	if z, ok := s.paired(a, free, true, va); ok {
		s.store(x, y, 1, sym, fact{verdict: refuted, move: noMove, word: z}, 1)
		return false, z, true
	}
	if win, z, c := s.byThreats(a, d, va); win {
		s.store(x, y, 1, sym, fact{verdict: won, move: uint8(c), word: z}, s.nodes-start)
		return true, z, true
	}
	if !s.cuts.NoForks && vd.doubles != 0 {
		// The defender is about to make two threats at once.
		at, cells := vd.fork()
		zone = va.guard(l, cells, free&^(1<<at), 3, 1<<at)
	}
	if left == 0 {
		return false, va.started(l, a) & free, false
	}
	allowed := left
	switch { // what wins with few quiet moves is found before what takes many is looked at
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
			return false, 0, false
		}
		if b.settled || b.sure || allowed == left {
			break
		}
		allowed++
	}
	f = fact{verdict: refuted, word: b.zone}
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
func (s *searcher) defend(a, d uint64, ply, left int) (win bool, zone uint64, sure bool) {
	if s.count() {
		return false, 0, false
	}
	l := s.l
	free := l.Cells &^ (a | d)
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, false, va, vd)
	switch {
	case v == won:
		rest := must & (must - 1)
		return true, vd.guard(l, must&^rest|rest&-rest, free, 2, 0), true
	case v == refuted:
		return false, s.spared(free, false, kind, must, va, vd), true
	case kind == leafThreat:
		if win, zone, sure = s.attack(a, d|must, ply+1, left); win {
			return true, vd.guard(l, zone|must, free, 2, 0), true
		}
		return false, zone | must, sure
	}
	x, y, sym := s.key(a, d, va, vd)
	f, seen := s.load(x, y, 0, sym)
	if seen && (f.verdict.proof() || f.verdict == limited && left <= int(f.move)) {
		s.byCut[leafTable]++
		return f.verdict == won, f.word, f.verdict.proof()
	}
	start := s.nodes
	if z, ok := s.paired(a, free, false, va); ok {
		s.store(x, y, 0, sym, fact{verdict: refuted, move: noMove, word: z}, 1)
		return false, z, true
	}
	if s.both {
		if win, z, c := s.byThreats(d, a, vd); win {
			s.store(x, y, 0, sym, fact{verdict: refuted, move: uint8(c), word: z}, s.nodes-start)
			return false, z, true
		}
	}
	if !s.cuts.NoForks && va.doubles != 0 {
		// The attacker is about to make two threats at once.
		at, cells := va.fork()
		zone = vd.guard(l, cells, free&^(1<<at), 3, 1<<at)
	}
	b := &s.branches[ply]
	b.begin(a, d, false, ply, left, must, zone, start)
	b.n = s.scored(must, a, d, 0, va, vd, &b.order)
	for i := range min(b.n, glances) {
		c := best(b.order[i:b.n])
		if z, ok := s.held(a, d|1<<c, true, ply+1); ok {
			z |= 1 << c
			s.store(x, y, 0, sym, fact{verdict: refuted, move: uint8(c), word: z}, s.nodes-start)
			return false, z, true
		}
	}
	if !s.try(b) {
		return false, 0, false
	}
	f = fact{verdict: won, move: noMove, word: b.zone}
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
func (s *searcher) byThreats(w, l uint64, vw *analysis) (win bool, zone uint64, move int) {
	if s.lam == nil || s.cuts.LambdaOrder == 1 && vw.pairs == 0 {
		return false, 0, -1
	}
	win, zone, move, _ = s.lam.wins(w, l, s.cuts.LambdaOrder, lambdaNodes)
	s.nodes += s.lam.nodes
	if win {
		s.byCut[leafLambda]++
	}
	return win, zone, move
}

// holdsBelow returns the weight, 2^k times the potential of Erdős and Selfridge,
// below which the defender stops all windows.
func (s *searcher) holdsBelow(attack bool) uint64 {
	switch {
	case attack:
		return 1 << (s.l.K - 1)
	case s.l.K > weightBits-1: // one window, which never weighs 2^64
		return math.MaxUint64
	}
	return 1 << s.l.K
}

// paired looks for a pairing by which the defender holds, where that is worth it,
// and returns its zone.
func (s *searcher) paired(a, free uint64, attack bool, va *analysis) (zone uint64, ok bool) {
	if s.cuts.NoPairing || bits.OnesCount64(free) < s.cuts.PairingFrom || va.weight >= 4<<s.l.K {
		return 0, false
	}
	if zone, ok = s.pair.cover(s.l, va, a, free, s.holdsBelow(attack)); ok {
		s.byCut[leafPairing]++
	}
	return zone, ok
}

// winningMove returns the move that a won position with the attacker to move
// was proved by: a threat to complete, a fork, or what the table holds; −1 if
// the table has lost it.
func (s *searcher) winningMove(a, d uint64) int {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	switch {
	case va.threats != 0:
		return bits.TrailingZeros64(va.threats)
	case vd.threats != 0:
		return bits.TrailingZeros64(vd.threats)
	case va.doubles != 0 && !s.cuts.NoForks:
		return bits.TrailingZeros64(va.doubles)
	}
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, 1, sym); ok && f.verdict == won {
		return int(f.move)
	}
	return -1
}

// holdingMove returns a move of the defender, who is to move in a position that
// the attacker cannot win, after which he still cannot: a threat, a fork, what the
// table holds, or one after which that is known without a search; −1 if there is
// none.
func (s *searcher) holdingMove(a, d uint64) int {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	v, kind, moves := s.leaf(a, d, false, va, vd)
	switch {
	case kind == leafThreat:
		return bits.TrailingZeros64(moves)
	case kind == leafFork && v == refuted:
		at, _ := vd.fork()
		return at
	}
	free := s.l.Cells &^ (a | d)
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, 0, sym); ok && f.verdict == refuted && f.move != noMove && free>>f.move&1 != 0 {
		return int(f.move)
	}
	for m := free; m != 0; m &= m - 1 {
		if _, ok := s.held(a, d|m&-m, true, 1); ok {
			return bits.TrailingZeros64(m)
		}
	}
	return -1
}

// known returns the answer to a question that the table has.
func (s *searcher) known(a, d uint64, attack bool) (f fact, ok bool) {
	va, vd := &s.analyses[0][0], &s.analyses[0][1]
	s.look(a, d, va, vd)
	x, y, sym := s.key(a, d, va, vd)
	f, ok = s.load(x, y, turn(attack), sym)
	return f, ok && f.verdict.proof()
}

// held reports whether the attacker is known not to win, and the zone of the
// refutation: by a leaf, along forced moves, by the table, or by a pairing.
func (s *searcher) held(a, d uint64, attack bool, ply int) (zone uint64, ok bool) {
	s.nodes++
	l := s.l
	free := l.Cells &^ (a | d)
	va, vd := &s.analyses[ply][0], &s.analyses[ply][1]
	v, kind, must := s.leaf(a, d, attack, va, vd)
	switch {
	case v == won:
		return 0, false
	case v == refuted:
		return s.spared(free, attack, kind, must, va, vd), true
	case kind == leafThreat && attack:
		zone, ok = s.held(a|must, d, false, ply+1)
		return va.guard(l, zone|must, free, 2, 0), ok
	case kind == leafThreat:
		zone, ok = s.held(a, d|must, true, ply+1)
		return zone | must, ok
	}
	x, y, sym := s.key(a, d, va, vd)
	if f, ok := s.load(x, y, turn(attack), sym); ok && f.verdict.proof() {
		s.byCut[leafTable]++
		return f.word, f.verdict == refuted
	}
	if zone, ok = s.paired(a, free, attack, va); ok {
		s.store(x, y, turn(attack), sym, fact{verdict: refuted, move: noMove, word: zone}, 1)
	}
	return zone, ok
}

// spared returns the zone of a refutation that leaf found.
func (s *searcher) spared(free uint64, attack bool, kind int, must uint64, va, vd *analysis) uint64 {
	switch {
	case kind == leafThreat && attack:
		rest := must & (must - 1)
		return va.guard(s.l, must&^rest|rest&-rest, free, 2, 0)
	case kind == leafThreat:
		return va.guard(s.l, must&-must, free, 1, 0)
	case kind == leafFork:
		at, cells := vd.fork()
		return va.guard(s.l, cells, free&^(1<<at), 2, 1<<at)
	}
	return va.cells & free
}

// turn is whose turn it is in the key of a position: 1 for the attacker's.
func turn(attack bool) uint64 {
	if attack {
		return 1
	}
	return 0
}
