package prove

import (
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/bitboard"
)

// branch64 is an inner position whose moves are being searched. Its thread owns it; once it
// is shared, the lock of the team guards the fields that change.
type branch64 struct {
	a, d      bitboard.Set64
	must      bitboard.Set64 // moves in the zones of all moves refuted so far
	zone      bitboard.Set64 // union of these zones, or the zone of the result
	order     [cells64]int32
	n, next   int // number of ratings, and of ratings taken
	failed    int // moves searched that do not decide
	ply       int
	left      int // quiet moves left to the attacker, see searcher.search
	attack    bool
	settled   bool // the move cell has decided the branch, or the search has given up
	sure      bool // no move's search ran out of quiet moves
	cell      int
	before    uint64 // nodes of the thread when it began the branch
	shared    bool
	up        *branch64 // the shared branch below which the thread works, or nil
	elsewhere int       // moves that other threads search
}

// begin makes b the position at a ply, with its first moves and zone; the caller sets order
// and n.
func (b *branch64) begin(a, d bitboard.Set64, attack bool, ply, left int, must, zone bitboard.Set64, nodes uint64) {
	b.a, b.d, b.attack, b.ply, b.left, b.must, b.zone, b.before = a, d, attack, ply, left, must, zone, nodes
	b.next, b.failed, b.settled, b.sure = 0, 0, false, true
}

// take returns the best move that is not yet taken, −1 if there is none.
func (b *branch64) take() int {
	for !b.settled && b.next < b.n {
		c := best64(b.order[b.next:b.n])
		b.next++
		if b.must.Has(c) {
			return c
		}
	}
	return -1
}

// waits reports whether there is a move to take.
func (b *branch64) waits() bool {
	for _, v := range b.order[b.next:b.n] {
		if b.must.Has(int(v & mask64)) {
			return !b.settled
		}
	}
	return false
}

// note enters the result of a move.
func (b *branch64) note(c int, win bool, zone bitboard.Set64, sure bool, cuts *Cuts) {
	if win == b.attack {
		b.settled, b.cell, b.zone, b.sure = true, c, zone.Or(bitboard.Cell64(c)), sure
		return
	}
	b.failed++
	b.sure = b.sure && sure
	b.zone = b.zone.Or(zone)
	if !cuts.NoZone {
		b.must = b.must.And(zone)
	}
}

// level64 is a branch that a thread is in, and the move that it searches there, −1 for none.
type level64 struct {
	b    *branch64
	cell int
	own  bool // the branch is the thread's own; false for one where it helps
}

// team64 holds the threads of a question.
type team64 struct {
	mu   sync.Mutex
	wake sync.Cond
	pool []*searcher64
	idle atomic.Int32 // threads without a move
	open []*branch64  // shared branches
	over bool         // the first thread is done
}

func newTeam64(pool []*searcher64) *team64 {
	c := &team64{pool: pool, open: make([]*branch64, 0, 64*len(pool))}
	c.wake.L = &c.mu
	return c
}

// changed lets all threads check whether their work is still wanted.
func (c *team64) changed() {
	for _, s := range c.pool {
		s.news.Store(true)
	}
	c.wake.Broadcast()
}

// finish ends the work of helping threads.
func (c *team64) finish() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.wake.Broadcast()
}

// take returns the branch nearest to the root that has a move for a thread, and takes the
// move. If under is not nil only branches below it count.
func (c *team64) take(under *branch64) (b *branch64, cell int) {
	for _, o := range c.open {
		if (b == nil || o.ply < b.ply) && o.waits() && o.below(under) {
			b = o
		}
	}
	if b == nil {
		return nil, -1
	}
	b.elsewhere++
	return b, b.take()
}

// below reports whether b is searched as part of another branch.
func (b *branch64) below(under *branch64) bool {
	if under == nil {
		return true
	}
	for b = b.up; b != nil; b = b.up {
		if b == under {
			return true
		}
	}
	return false
}

// try searches the moves of a branch, best first, until one decides it. known is false
// if the search has to end.
func (s *searcher64) try(b *branch64) (known bool) {
	at := s.depth
	s.levels[at] = level64{b, -1, true}
	s.depth++
	for known = true; known; {
		if s.team != nil && s.team.idle.Load() > 0 {
			s.offer()
		}
		var c int
		if b.shared {
			s.team.mu.Lock()
			c = b.take()
			s.levels[at].cell = c
			s.team.mu.Unlock()
		} else {
			c = b.take()
			s.levels[at].cell = c
		}
		if c < 0 {
			break
		}
		win, zone, sure := s.after(b, c)
		switch {
		case b.shared:
			known = s.report(at, c, win, zone, sure)
		case s.over():
			known = false
		default:
			b.note(c, win, zone, sure, &s.cuts)
		}
	}
	if b.shared {
		known = s.join(at, known)
	}
	s.depth = at
	return known
}

// after searches the position after a move of a branch.
func (s *searcher64) after(b *branch64, c int) (win bool, zone bitboard.Set64, sure bool) {
	left := b.left
	if b.attack && left != endless {
		left--
	}
	a, d := after64(b.a, b.d, bitboard.Cell64(c), b.attack)
	return s.search(a, d, !b.attack, b.ply+1, left)
}

// after64 returns the stones after one more of the side to move.
func after64(a, d, stone bitboard.Set64, attack bool) (bitboard.Set64, bitboard.Set64) {
	if attack {
		return a.Or(stone), d
	}
	return a, d.Or(stone)
}

// offer shares the branch nearest to the root that promises work. A branch of the attacker
// goes first: if its first moves fail, nearly all others are needed.
func (s *searcher64) offer() {
	for _, attack := range [2]bool{true, false} {
		var up *branch64
		for i := range s.depth {
			l := &s.levels[i]
			b := l.b
			if l.own && !b.shared && b.attack == attack && b.failed >= shareFailed && s.nodes-b.before >= shareNodes && b.waits() {
				s.share(i, up)
				return
			}
			if !l.own || b.shared {
				up = b
			}
		}
	}
}

// share offers the moves of the branch at a level to other threads.
func (s *searcher64) share(at int, up *branch64) {
	c := s.team
	c.mu.Lock()
	b := s.levels[at].b
	b.shared, b.up, b.elsewhere = true, up, 0
	for i := at + 1; i < s.depth; i++ {
		if l := &s.levels[i]; l.own && l.b.shared {
			l.b.up = b
			break
		}
	}
	c.open = append(c.open, b)
	c.mu.Unlock()
	c.wake.Broadcast()
}

// report notes the result of a move of the shared branch at a level, if it is still wanted.
// known is false if the search has to end before.
func (s *searcher64) report(at, c int, win bool, zone bitboard.Set64, sure bool) (known bool) {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	b := s.levels[at].b
	s.levels[at].cell = -1
	if s.ended(at) {
		return false
	}
	if !b.settled && b.must.Has(c) {
		b.note(c, win, zone, sure, &s.cuts)
		s.team.changed()
	}
	return true
}

// ended reports whether the search ends, or the thread's work above a level is no longer
// wanted. The team is locked.
func (s *searcher64) ended(at int) bool {
	if s.quit || s.stop.Load() {
		return true
	}
	for i := range at {
		l := &s.levels[i]
		if (!l.own || l.b.shared) && (l.b.settled || l.cell >= 0 && !l.b.must.Has(l.cell)) {
			return true
		}
	}
	return false
}

// unwanted is ended without the lock, for a thread that has been asked to check.
func (s *searcher64) unwanted() bool {
	s.news.Store(false)
	s.team.mu.Lock()
	no := s.ended(s.depth)
	s.team.mu.Unlock()
	if no {
		s.news.Store(true)
	}
	return no
}

// join ends the sharing of the branch at a level: the thread helps below it until no other
// thread works on it.
func (s *searcher64) join(at int, known bool) bool {
	c, b := s.team, s.levels[at].b
	c.mu.Lock()
	if !known {
		b.settled = true
		c.changed()
	}
	s.levels[at].cell = -1
	s.help(b, at)
	known = known && !s.ended(at)
	b.shared = false
	i := slices.Index(c.open, b)
	c.open = slices.Delete(c.open, i, i+1)
	c.mu.Unlock()
	return known
}

// assist helps until the question is answered or the thread's turn is over; more says that
// another turn may come.
func (s *searcher64) assist() (more bool) {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	s.help(nil, 0)
	return !s.team.over && !s.stop.Load()
}

// help searches moves that other threads offer. Below a branch, at a level, it ends when no
// other thread works on that branch; without a branch, when the question is answered or the
// thread's turn is over. The team is locked before and after.
func (s *searcher64) help(under *branch64, at int) {
	c := s.team
	for {
		switch {
		case under == nil && (c.over || s.stop.Load() || s.helpEnd > 0 && s.nodes >= s.helpEnd):
			return
		case under != nil && under.elsewhere == 0:
			return
		case under != nil && !under.settled && s.ended(at):
			under.settled = true
			c.changed()
		}
		if under == nil || !under.settled {
			if b, cell := c.take(under); b != nil {
				s.serve(b, cell)
				continue
			}
		}
		c.idle.Add(1)
		c.wake.Wait()
		c.idle.Add(-1)
	}
}

// serve searches a move of another thread's branch. The team is locked before and after.
func (s *searcher64) serve(b *branch64, cell int) {
	at := s.depth
	s.levels[at] = level64{b, cell, false}
	s.depth++
	s.team.mu.Unlock()
	win, zone, sure := s.after(b, cell)
	s.team.mu.Lock()
	s.depth = at
	if !s.ended(at) && !b.settled && b.must.Has(cell) {
		b.note(cell, win, zone, sure, &s.cuts)
	}
	b.elsewhere--
	s.team.changed()
}
