package player

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"perfectplay/game/mnk"
	"perfectplay/internal/table"
)

// search chooses moves by looking ahead: forced moves first, then alpha-beta near the
// stones by the weights of windows, with principal variations, a transposition table,
// reductions of late moves, a quiescence search at the leaves and, if the other side
// threatens a chain of fours, only the moves that disturb it. It allocates nothing once its
// buffers have grown. It belongs to one goroutine.
//
// Helpers search the same position on other threads, as deep or a ply deeper, and share the
// table.
type search struct {
	f     *field
	t     *table.Table
	th    *threats
	nodes uint64
	held  atomic.Int64 // number of entries in the table, estimated
	stop  func(positions uint64) bool
	over  bool
	veto  []bool // cells not to play at the root, if not nil
	limit uint64 // most positions of a move, see share; 0 for no limit
	bufs  [deepest + 2][]cellWorth
	root  []rootMove
	quiet int // plies of the quiescence search

	helpers []*search     // searches of the other threads
	ended   *atomic.Bool  // set to end the helpers; may be nil
	best    found         // result of a helper's last complete iteration
	met     atomic.Uint64 // positions visited by a helper
}

// rootMove is a move of the position asked about.
type rootMove struct {
	c int32
	v int64
}

const (
	deepest   = 62 // largest depth of an iteration, in plies
	wide      = 40 // moves at the root
	narrow    = 10 // least moves at any depth
	lateFrom  = 3  // later moves are searched one ply less deep
	laterFrom = 8  // later moves are searched two plies less deep

	quietPlies = 2 // plies of the quiescence search, without answers to fours
	quietWidth = 8 // moves of the quiescence search if no threat has to be met

	mate     = int64(1) << 29
	decided  = mate - 1<<12
	infinite = int64(1) << 30
)

// The budgets of the searches for chains of fours, in positions.
const (
	roomLeaf  = 24
	roomInner = 120
	shortRoom = 20_000 // positions of the search for the shortest chain, once a chain is found
)

// The fields of a payload of an alpha-beta entry: value, bound, depth, move.
const (
	valueBits  = 31
	boundShift = 31
	depthShift = 33
	moveShift  = 40
	exact      = 1
	lower      = 2
	upper      = 3
)

// newSearch returns a search with a table of memory bytes, for the given number of threads.
func newSearch(g *mnk.Game, memory int64, threads int) (*search, error) {
	t, err := table.New(max(memory, table.MinBytes), table.Config{Keys: 2, Payloads: 1, Tag: kindMask, Merge: newer})
	if err != nil {
		return nil, fmt.Errorf("player: %w", err)
	}
	one := func() *search {
		s := &search{f: newField(g, 2), t: t, quiet: quietPlies}
		s.th = newThreats(s.f, t)
		return s
	}
	s := one()
	for range threads - 1 {
		s.helpers = append(s.helpers, one())
	}
	return s, nil
}

// newer keeps the new entry, unless it is a failure of a shorter search for threats.
func newer(old, new table.Payload) table.Payload {
	if kind := new.A & kindMask; kind >= kindThreat<<1 && old.A>>moveShift&63 > new.A>>moveShift&63 {
		return old
	}
	return new
}

func (s *search) close() error { return s.t.Close() }

// spent reports whether the search is to end, and counts a position.
func (s *search) spent() bool {
	s.nodes++
	s.over = s.over || s.stop(1)
	return s.over
}

// chain is [threats.chain] with a budget of positions, which it counts.
func (s *search) chain(p int, room int64, zone bool) (first int32, won bool) {
	s.th.room, s.th.collect = room, zone
	before := s.th.nodes
	first, won = s.th.chain(p)
	s.count(before)
	return first, won
}

// count adds the positions that the search for threats has visited since its counter was
// before.
func (s *search) count(before uint64) {
	n := s.th.nodes - before
	s.nodes += n
	s.held.Add(int64(n))
	s.over = s.over || s.stop(n)
}

// threaten looks for a win of p, who is to move, by threats: first with no quiet threat, then with
// at most one, and so on, within a budget of positions. quiet is the number of quiet threats in the
// win.
func (s *search) threaten(p int, room int64) (first int32, quiet int, won bool) {
	before := s.th.nodes
	s.th.room = room
	for ; quiet <= quiets && s.th.room > 0 && !s.over; quiet++ {
		if first, won = s.th.threaten(p, quiet, 0); won {
			break
		}
	}
	s.count(before)
	return first, quiet, won
}

// decide looks for a win of p, to move, by threats. If fours alone win, it takes a shortest
// chain of them, and b.plies bounds the plies to the win.
func (s *search) decide(p int, room int64) (b found, won bool) {
	first, quiet, won := s.threaten(p, room)
	b = found{c: first, v: mate, won: true}
	if !won || quiet > 0 {
		return b, won
	}
	before := s.th.nodes
	s.th.room = shortRoom
	if c, fours, ok := s.th.shortest(p); ok {
		b.c, b.plies = c, 2*fours+1
	}
	s.count(before)
	return b, true
}

// width is the number of moves looked at with ply plies left.
func width(ply int) int { return max(narrow, 22-2*ply) }

// moves returns, in the buffer of a ply, at most width cells for player p to look at: the cell
// first, and then the best. All are near stones; on an empty board there is only one.
func (s *search) moves(p, ply, width int, first int32) []cellWorth {
	f := s.f
	buf := s.bufs[ply][:0]
	for _, c := range f.front.list {
		if f.cell[c] == 0 {
			v := f.weigh(p, c)
			if c == first {
				v += infinite
			}
			buf = insert(buf, cellWorth{c, v}, width)
		}
	}
	for i := 0; len(buf) == 0 && i < len(f.order); i++ {
		if c := f.order[i]; f.cell[c] == 0 {
			buf = append(buf, cellWorth{c, 0})
		}
	}
	s.bufs[ply] = buf
	return buf
}

// evaluate judges a quiet position for player p, who is to move.
func (s *search) evaluate(p int) int64 {
	v := s.f.total[p]*5/4 - s.f.total[1-p]
	return max(min(v, decided-1), 1-decided)
}

// value returns the value for player p, to move, by a search of depth plies and a quiescence
// search below it, which has depths of 0 and less.
func (s *search) value(p, depth, ply int, alpha, beta int64) int64 {
	f := s.f
	if s.spent() {
		return 0
	}
	switch {
	case f.won(1 - p):
		return int64(ply) - mate
	case f.n == f.cells:
		return 0
	case len(f.complete[p].list) > 0:
		return mate - int64(ply) - 1
	case len(f.complete[1-p].list) > 1:
		return int64(ply) + 2 - mate
	case ply >= deepest:
		return s.evaluate(p)
	case len(f.complete[1-p].list) == 1:
		f.put(f.complete[1-p].list[0], p)
		v := -s.value(1-p, depth, ply+1, -beta, -alpha)
		f.take()
		return v
	}
	if depth <= 0 {
		return s.quiesce(p, depth, ply, alpha, beta)
	}
	first := int32(-1)
	if v, m, enough := s.probe(p, depth, ply, alpha, beta); enough {
		return v
	} else {
		first = m
	}
	if _, won := s.chain(p, roomInner, false); won {
		return mate - int64(ply) - 3
	}
	moves := s.replies(p, ply, first)
	window, best, top := alpha, -infinite, int32(-1)
	for i, m := range moves {
		less := 0
		if depth >= 2 && i >= lateFrom {
			if less = 1; i >= laterFrom && depth >= 4 {
				less = 2
			}
		}
		f.put(m.c, p)
		var v int64
		if i > 0 {
			if v = -s.value(1-p, depth-1-less, ply+1, -alpha-1, -alpha); v > alpha && (less > 0 || v < beta) && !s.over {
				v = -s.value(1-p, depth-1, ply+1, -beta, -alpha)
			}
		} else {
			v = -s.value(1-p, depth-1, ply+1, -beta, -alpha)
		}
		f.take()
		if s.over {
			return 0
		}
		if v > best {
			best, top = v, m.c
		}
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	s.remember(p, depth, ply, best, window, beta, top)
	return best
}

// quiesce continues the search below the last ply, in a position that is not over and in
// which nobody completes a window next. If the other side would win by a chain of fours
// when p passed, it tries the moves that disturb the chain. Otherwise it takes the
// evaluation, or a better move that makes a four or an open three.
func (s *search) quiesce(p, depth, ply int, alpha, beta int64) int64 {
	f := s.f
	if _, won := s.chain(p, roomLeaf, false); won {
		return mate - int64(ply) - 3
	}
	if depth <= -s.quiet {
		return s.evaluate(p)
	}
	best, buf := -infinite, s.bufs[ply][:0]
	if _, lost := s.chain(1-p, roomLeaf, true); lost {
		buf = s.th.disturbers(p, buf)
	} else {
		if best = s.evaluate(p); best >= beta {
			return best
		}
		alpha = max(alpha, best)
		for _, c := range f.front.list {
			if two, three := f.lacks(p, c); f.cell[c] == 0 && (two > 0 || three > 1) {
				buf = insert(buf, cellWorth{c, f.weigh(p, c)}, quietWidth)
			}
		}
	}
	s.bufs[ply] = buf
	for _, m := range buf {
		f.put(m.c, p)
		v := -s.value(1-p, depth-1, ply+1, -beta, -alpha)
		f.take()
		if s.over {
			return 0
		}
		best = max(best, v)
		if alpha = max(alpha, v); alpha >= beta {
			break
		}
	}
	return best
}

// replies returns the moves to look at. If the other side would win by a chain of fours when p
// passed, they are the moves that disturb the chain.
func (s *search) replies(p, ply int, first int32) []cellWorth {
	if _, lost := s.chain(1-p, roomInner, true); !lost {
		return s.moves(p, ply, width(ply), first)
	}
	buf := s.th.disturbers(p, s.bufs[ply][:0])
	for i, m := range buf {
		if m.c == first {
			copy(buf[1:i+1], buf[:i])
			buf[0] = m
		}
	}
	s.bufs[ply] = buf
	return buf
}

// probe looks the position up in the table. It returns a value that decides the search in the
// window, or a move to try first.
func (s *search) probe(p, depth, ply int, alpha, beta int64) (v int64, first int32, enough bool) {
	a, ok := s.th.probe(s.th.tag(kindValue, p))
	if !ok {
		return 0, -1, false
	}
	v = int64(a&(1<<valueBits-1)) - infinite
	bound := a >> boundShift & 3
	switch {
	case v >= decided:
		v -= int64(ply)
	case v <= -decided:
		v += int64(ply)
	}
	enough = int(a>>depthShift&127) >= depth && (bound == exact || bound == lower && v >= beta || bound == upper && v <= alpha)
	return v, int32(a >> moveShift & (1<<13 - 1)), enough
}

func (s *search) remember(p, depth, ply int, v, alpha, beta int64, m int32) {
	bound := uint64(exact)
	switch {
	case v >= beta:
		bound = lower
	case v <= alpha:
		bound = upper
	}
	switch {
	case v >= decided:
		v += int64(ply)
	case v <= -decided:
		v -= int64(ply)
	}
	s.th.store(s.th.tag(kindValue, p), uint64(v+infinite)|bound<<boundShift|uint64(depth)<<depthShift|uint64(m)<<moveShift, depth)
}

type found struct {
	c     int32
	v     int64
	depth int  // plies of the last complete iteration
	won   bool // the win is by threats
	plies int  // plies within which such a win comes, 0 if unknown
}

// note describes in a few words how a move was found.
func (b *found) note(nodes uint64) string {
	switch {
	case b.won && b.plies > 0:
		return fmt.Sprintf("wins by threats, within %d plies", b.plies)
	case b.won:
		return "wins by threats"
	case b.v >= decided:
		return "wins as far as it looked" // not against all replies
	case b.v <= -decided:
		return "loses as far as it looked"
	}
	return fmt.Sprintf("estimate, %d plies deep, %d positions", b.depth, nodes)
}

// choose searches deeper and deeper for player p, to move in an undecided position in which
// neither side completes a window at once, until stop reports true or it has looked most
// plies ahead. It calls tell with each better cell.
func (s *search) choose(p, most int, stop func(positions uint64) bool, tell func(b *found)) {
	s.stop, s.over, s.nodes = stop, false, 0
	s.grow()
	s.open(p)
	if len(s.root) == 0 {
		return
	}
	best := found{c: s.root[0].c}
	tell(&best)
	if b, won := s.decide(p, s.share(firstRoom)); won && s.allowed(b.c) {
		tell(&b)
		return
	}
	s.gather()
	most = min(most, deepest, s.f.cells-s.f.n)
	for d, more := 1, true; d <= most && more && !s.over; {
		s.grow()
		from := d
		s.together(func() bool {
			for first := true; d <= most && more && !s.over && (first || !s.crowded()); d++ {
				more, first = s.deepen(p, d, &best, tell), false
			}
			return true
		}, func(h *search, i int) { h.ahead(p, from+1-i%2, most) })
	}
	if s.limit == 0 { // adds the positions of the helpers
		tell(s.deepest(&best))
	}
}

// deepen searches one ply deeper, and then for threats once more. It reports false if no deeper
// search is necessary or possible.
func (s *search) deepen(p, d int, best *found, tell func(b *found)) bool {
	before := s.nodes
	if !s.iterate(p, d, best, tell) {
		return false
	}
	best.depth = d
	tell(best)
	if best.v >= decided || s.rootDecided() {
		return false
	}
	if b, won := s.decide(p, int64(s.nodes-before)/4); won && s.allowed(b.c) {
		*best = b
		tell(best)
		return false
	}
	return true
}

// share returns the budget room, at most an eighth of the limit of positions.
func (s *search) share(room int64) int64 {
	if s.limit > 0 {
		room = min(room, int64(s.limit/8))
	}
	return room
}

// grow gives the table more of its memory as it fills, while no helper works.
func (s *search) grow() {
	for s.crowded() && s.t.GrowWith(1+len(s.helpers)) {
	}
}

// crowded reports whether the table fills and has more memory.
func (s *search) crowded() bool {
	held := s.held.Load()
	for _, h := range s.helpers {
		held += h.held.Load()
	}
	return held > s.t.Slots()/2 && s.t.CanGrow()
}

func (s *search) allowed(c int32) bool { return s.veto == nil || !s.veto[c] }

// open lists the moves of the root.
func (s *search) open(p int) {
	s.root = s.root[:0]
	n := wide
	if s.veto != nil {
		n = s.f.cells
	}
	list := s.moves(p, 0, n, -1)
	if _, lost := s.chain(1-p, s.share(firstRoom), true); lost {
		list = s.replies(p, 0, -1)
	}
	for _, m := range list {
		if s.allowed(m.c) {
			s.root = append(s.root, rootMove{c: m.c})
		}
	}
	for i := 0; len(s.root) == 0 && i < len(s.f.order); i++ {
		if c := s.f.order[i]; s.f.cell[c] == 0 && s.allowed(c) {
			s.root = append(s.root, rootMove{c: c})
		}
	}
}

// rootDecided says that all moves of the root but one lose.
func (s *search) rootDecided() bool {
	return len(s.root) > 1 && s.root[1].v <= -decided
}

// iterate searches all moves of the root one ply deeper, and then tests whether the best of
// them loses to threats; if so it continues with the next. It reports whether it was
// completed.
func (s *search) iterate(p, d int, best *found, tell func(b *found)) bool {
	begin, refuted := s.nodes, int64(0)
	s.quiet = quietPlies
	if d == 1 { // even a small budget must complete the first depth
		s.quiet = 0
	}
	for {
		alpha, top := -infinite, 0
		for i := range s.root {
			m := &s.root[i]
			if m.v <= -decided { // this move and all moves behind it lose
				break
			}
			s.f.put(m.c, p)
			v := -infinite
			if i > 0 {
				v = -s.value(1-p, d-1, 1, -alpha-1, -alpha)
			}
			if (i == 0 || v > alpha) && !s.over {
				v = -s.value(1-p, d-1, 1, -infinite, -alpha)
			}
			s.f.take()
			if s.over {
				return false
			}
			if m.v = v; v > alpha {
				if alpha, top = v, i; i > 0 && v > -decided {
					best.c, best.v = m.c, v
					tell(best)
				}
			}
		}
		s.first(top)
		best.c, best.v = s.root[0].c, s.root[0].v
		if best.v <= -decided || best.v >= decided {
			return true
		}
		s.f.put(best.c, p)
		_, quiet, lost := s.threaten(1-p, max(s.share(500), int64(s.nodes-begin)/4))
		s.f.take()
		if s.over || !lost {
			return !s.over
		}
		// A loss by more quiet threats is harder to see and so better; equal losses keep their
		// order.
		refuted++
		s.root[0].v = 64*int64(quiet+1) - refuted - mate
		s.sort()
	}
}

// first moves one of the root's moves to the front, and lost moves to the end.
func (s *search) first(top int) {
	m := s.root[top]
	copy(s.root[1:top+1], s.root[:top])
	s.root[0] = m
	s.sort()
}

// sort puts lost moves behind the others, the latest loss first, and keeps the order
// otherwise.
func (s *search) sort() {
	slices.SortStableFunc(s.root, func(a, b rootMove) int { return cmp.Compare(min(b.v, 1-decided), min(a.v, 1-decided)) })
}
