package solve

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Threads work on the same search at once and share the table, after ABDADA
// (Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal 19(1),
// 1996): a thread puts off moves that another thread is searching just now, and
// comes back to them when it has done the others; by then the table mostly knows
// them. Moves that the table answers are neither marked nor put off. Who searches what is kept apart from the table, in a small array of
// hashes. A wrong or lost entry there costs time only.
//
// A mark is of the position after the move, not of the move: two threads at different
// positions often come to the same ones. And who searches below a position that
// another thread has answered meanwhile gives that up at its next poll.

// busySize is the number of moves marked as being searched.
const busySize = 1 << 12

// shareDepth is the number of plies left from which moves are put off.
const shareDepth = 6

// busySlot keeps marks of different threads off each other's cache lines.
type busySlot struct {
	tag atomic.Uint64
	_   [56]byte
}

// shared is what the workers of a run share.
type shared struct {
	game game.Game
	plan *plan
	tab  *table.Table
	busy []busySlot

	every    int         // nodes between two polls
	active   int         // workers of the current iteration
	over     atomic.Bool // the current iteration has its answer
	canceled atomic.Bool // the context is done
	deadline time.Time   // of the current search, zero for none; set between iterations

	gate    sync.RWMutex // held for reading by who works, for writing to grow the table
	growing atomic.Bool
	filled  atomic.Int64 // slots filled, for growth

	started  time.Time
	nodes    atomic.Uint64 // of finished iterations and what workers reported since
	rootDone atomic.Int64  // moves of the first position done by worker 0
	rootAll  atomic.Int64
	progress Progress // what does not change during an iteration
	meter    meter    // changed between iterations, and by worker 0
	lastTold time.Time
}

// late reports whether the current search has used up its time. Workers ask only
// when they poll, so even a search without time begins.
func (sh *shared) late() bool { return !sh.deadline.IsZero() && time.Now().After(sh.deadline) }

// poll unwinds the search if the iteration is over or the run stopped, lets the
// table grow, and reports progress when it is due.
func (w *worker) poll() {
	sh := w.sh
	sh.nodes.Add(uint64(sh.every - w.ticks))
	w.ticks = sh.every
	if sh.over.Load() || sh.canceled.Load() || sh.late() {
		w.stopped, w.upTo = true, -1
		return
	}
	if w.tab != nil {
		w.room()
		w.giveUp()
	}
	if yield := sh.plan.Yield; yield != nil {
		yield()
	}
	if w.id == 0 && sh.plan.Progress != nil && time.Since(sh.lastTold) >= 100*time.Millisecond {
		w.tell()
	}
}

// giveUp unwinds the search to the position nearest to the root whose question the
// table answers by now, if there is one: another thread was faster there. A search
// that is back there asks the table, and goes on if the answer has been overwritten.
func (w *worker) giveUp() {
	for ply := range w.ply {
		f := &w.frames[ply]
		if !w.shares(f.d) {
			return
		}
		if p, ok := w.tab.Probe(f.key[:], f.hash, 0); ok && w.answers(p, &f.question) {
			w.stopped, w.upTo = true, ply
			return
		}
	}
}

// answers reports whether a payload answers a question about its position.
func (w *worker) answers(p table.Payload, q *question) (ok bool) {
	horizon := w.horizon
	if w.sh.plan.algo == MaxN {
		var o outlook
		o.unpack(p, q.seat, w.seats)
		_, _, _, ok = w.outcome(&o, q.d, q.ask)
	} else {
		b, _ := unpack(p)
		_, ok = w.decided(b, q.d, q.alpha, q.beta)
	}
	w.horizon = horizon
	return ok
}

// resumes reports whether an unwinding search goes on at the current position.
func (w *worker) resumes() bool {
	if w.upTo != w.ply {
		return false
	}
	w.stopped, w.horizon = false, false
	return true
}

// room lets the table grow when half of it is filled: one worker does it, with as many
// threads as there are workers, while the others wait at their next poll.
func (w *worker) room() {
	sh := w.sh
	if w.filled > 0 {
		if n := sh.filled.Add(w.filled); w.tab.CanGrow() && 2*n > w.tab.Slots() && sh.growing.CompareAndSwap(false, true) {
			sh.gate.RUnlock()
			sh.gate.Lock()
			for w.tab.CanGrow() && 2*n > w.tab.Slots() {
				w.tab.GrowWith(sh.active)
			}
			sh.growing.Store(false)
			sh.gate.Unlock()
			sh.gate.RLock()
		}
		w.filled = 0
	}
	if sh.growing.Load() {
		sh.gate.RUnlock()
		sh.gate.RLock()
	}
}

// tell reports progress.
func (w *worker) tell() {
	sh := w.sh
	sh.lastTold = time.Now()
	p := sh.progress
	p.Nodes = sh.nodes.Load()
	p.Elapsed = time.Since(sh.started)
	if all := sh.rootAll.Load(); all > 0 {
		p.Fraction = float64(sh.rootDone.Load()) / float64(all)
	}
	p.Share = sh.meter.done(p.Fraction)
	if w.tab != nil {
		p.TableFill = float64(sh.filled.Load()) / float64(w.tab.Slots())
	}
	sh.plan.Progress(p)
}

// iterator walks the moves of a position, best first, those that are put off last. The moves are listed when they are needed: often the
// table's move or a killer cuts off before.
type iterator struct {
	move    game.Move // the current move
	address *address  // the position after it in the table, nil where that is not looked up
	place   int       // its place in order of generation, −1 before moves are listed

	f       *frame
	d       int // plies left
	first   game.Move
	early   early
	wins    bool // a win at once is worth looking for
	turns   int  // the most that the mover may need after its move, or −1
	all     bool // the list leaves out no move for being too slow
	against bool // it lists only moves that meet a threat
	mark    int  // of the list on the worker's stack, −1 before there is one
	moves   []game.Move
	keys    []int64

	i, put  int // moves of the list tried; of these, put off
	picked  int // keys in their final places
	again   bool
	share   bool
	fetch   bool // the positions after the moves ask the table
	marked  *busySlot
	markTag uint64
}

// early is the moves tried before the others are listed.
type early struct {
	tried [3]game.Move
	n     int
	asked int // sources asked: the table, then killers
}

func (e *early) has(m game.Move) bool {
	for _, t := range e.tried[:e.n] {
		if m == t {
			return true
		}
	}
	return false
}

// iterate returns an iterator over the moves of the position in frame f, with d
// plies left: first, if there is one, before all others. wins says
// that a win at once is worth looking for; turns, if not negative, is the most turns
// that the mover may still need after its move, others are of no interest. After each
// next, done must be called unless putOff put the move off, and end after all.
func (w *worker) iterate(f *frame, d int, first game.Move, wins bool, turns int) iterator {
	return iterator{f: f, d: d, first: first, wins: wins, turns: turns, mark: -1, place: -1, fetch: d > w.shallow+1 && w.ahead != nil, share: w.shares(d)}
}

// shares reports whether moves of a position with d plies left are put off where
// other threads search them.
func (w *worker) shares(d int) bool {
	return w.sh.active > 1 && d > w.shallow && (d >= shareDepth || w.sh.plan.eager) && w.tab != nil
}

// list lists the moves.
func (it *iterator) list(w *worker) {
	it.moves, it.keys, it.mark, it.all = w.list(it.f, it.first, &it.early, it.wins, it.turns)
	it.share = it.share && len(it.moves) > 1
}

// listAgainst lists only moves that meet a threat of the next seat to win at once, and
// reports whether there is one. After all others that seat wins with its next turn.
func (it *iterator) listAgainst(w *worker) (threat bool) {
	mark := len(w.moves)
	if w.moves, it.all, threat = w.threats.MovesAgainst(w.moves, it.turns); !threat {
		return false
	}
	it.mark, it.against = mark, true
	it.moves, it.keys = w.rankAll(it.f, it.first, &it.early, it.wins && w.order.Wins, mark)
	it.share = it.share && len(it.moves) > 1
	return true
}

// listAll lists the moves unless they are listed. The current move must be taken back.
func (it *iterator) listAll(w *worker) {
	if it.mark < 0 {
		it.list(w)
		it.address = nil
	}
}

// next advances to the next move.
func (it *iterator) next(w *worker) bool {
	if it.mark < 0 {
		if it.nextEarly(w) {
			return true
		}
		it.listAll(w)
	}
	if w.ply == 0 && w.id == 0 {
		w.sh.rootAll.Store(int64(len(it.moves)))
		w.sh.rootDone.Store(int64(len(it.moves) - len(it.keys) + it.i - it.put))
	}
	if !it.again && it.i < len(it.keys) {
		it.pick(w, it.window())
		key := it.keys[it.i]
		it.i++
		if it.place = place(key); it.fetch {
			it.address = &w.addresses[it.mark+it.i-1]
		}
		it.move = it.moves[it.place]
		return true
	}
	if !it.again {
		it.again = true
		it.i = 0
	}
	if it.i < it.put {
		it.place = place(it.keys[it.i])
		it.move = it.moves[it.place]
		if it.fetch {
			it.address = &w.addresses[it.mark+it.i]
			w.fetch(it.move, it.address)
		}
		it.i++
		return true
	}
	return false
}

// nextEarly advances to a move that needs no list: the table's, then killers that are
// legal here. Where few moves are of interest there is none.
func (it *iterator) nextEarly(w *worker) bool {
	if it.turns >= 0 {
		return false // the list is short, and the table loads what its first moves lead to at once
	}
	e := &it.early
	for e.asked <= len(it.f.killers) {
		m := it.first
		if e.asked++; e.asked == 1 {
			if m == game.NoMove || !w.order.Table {
				continue
			}
		} else {
			if w.tester == nil || !w.order.Killers {
				return false
			}
			m = it.f.killers[e.asked-2]
			if m == game.NoMove || m == game.Pass || e.has(m) || !w.tester.IsLegal(m) {
				continue
			}
		}
		e.tried[e.n] = m
		e.n++
		if it.move = m; it.fetch {
			it.address = &w.sole
			w.fetch(m, it.address)
		}
		return true
	}
	return false
}

// putOff reports whether another thread is searching the current move: then it comes
// again after all others. If not, the move is marked as being searched, until done.
// The first move of a position is searched by whoever comes there, and so is what
// comes again.
func (it *iterator) putOff(w *worker) bool {
	first := it.early.n+it.i == 1
	if !it.share || it.again || first {
		return false
	}
	tag := it.f.hash ^ uint64(it.move)*0x9e3779b97f4a7c15
	if it.address != nil {
		tag = it.address.hash
	}
	tag = (tag + uint64(it.d)) * 0xd6e8feb86659fd93
	slot := &w.sh.busy[tag>>(64-12)]
	if slot.tag.Load() != tag {
		slot.tag.Store(tag)
		it.marked, it.markTag = slot, tag
		return false
	}
	if it.mark < 0 {
		it.early.n-- // it will be in the list
	} else {
		it.keys[it.put] = it.keys[it.i-1]
		it.put++
	}
	return true
}

// window is the number of keys to be in place before the next move is tried: the
// table loads what their moves lead to meanwhile.
func (it *iterator) window() int {
	switch {
	case !it.fetch:
		return it.i + 1
	case it.i < pickedAlone && it.turns < 0:
		return pickedAlone
	}
	return it.i + windowAhead
}

// windowAhead is the number of moves, the next one included, whose positions the
// table loads ahead.
const windowAhead = 6

// pick puts the first n keys in their places, and lets the table load what their
// moves lead to.
func (it *iterator) pick(w *worker, n int) {
	for n = min(n, len(it.keys)); it.picked < n; it.picked++ {
		key := pick(it.keys, it.picked)
		if it.fetch {
			w.fetch(it.moves[place(key)], &w.addresses[it.mark+it.picked])
		}
	}
}

// within leaves out moves not tried yet after which the mover needs more than turns,
// unless that is negative. The current move must be taken back.
func (it *iterator) within(w *worker, turns int) {
	if turns < 0 {
		return
	}
	if it.mark < 0 {
		it.turns = turns
		return
	}
	from := len(w.moves)
	in, all := w.lister.MovesWithin(w.moves, turns) // in the order of it.moves
	w.moves, in = in[:from], in[from:]
	if all {
		return
	}
	if len(w.near) < len(it.moves) {
		w.near = make([]bool, cap(w.keys))
	}
	for i, m := range it.moves {
		if it.against {
			w.near[i] = slices.Contains(in, m)
		} else if w.near[i] = len(in) > 0 && in[0] == m; w.near[i] {
			in = in[1:]
		}
	}
	far := func(key int64) bool { return !w.near[place(key)] }
	if it.all = false; it.again {
		it.put = it.i + len(slices.DeleteFunc(it.keys[it.i:it.put], far))
		return
	}
	it.put = len(slices.DeleteFunc(it.keys[:it.put], far))
	it.keys = it.keys[:it.i+len(slices.DeleteFunc(it.keys[it.i:], far))]
	it.picked = it.i
}

// last reports whether the current move is the last one of a list.
func (it *iterator) last() bool {
	if it.mark < 0 {
		return false
	}
	if it.again {
		return it.i == it.put
	}
	return it.i == len(it.keys) && it.put == 0
}

// done ends the search of the current move.
func (it *iterator) done() {
	if it.marked != nil {
		it.marked.tag.CompareAndSwap(it.markTag, 0)
		it.marked = nil
	}
}

// end takes the list off the worker's stack.
func (it *iterator) end(w *worker) {
	if it.mark >= 0 {
		w.drop(it.mark)
	}
}

// answer is the result of an iteration, in the terms of its engine.
type answer struct {
	a, b    int
	exact   bool
	horizon bool
}

// pool is the workers of a run.
type pool struct {
	sh      *shared
	workers []*worker
	total   Counts // of the run
}

func newPool(ctx context.Context, g game.Game, p *plan, root game.State) (*pool, func() bool, error) {
	sh := &shared{game: g, plan: p, busy: make([]busySlot, busySize), every: pollNodes, started: time.Now()}
	if p.eager {
		sh.every = 5
	}
	if k, ok := root.(game.Keyer); ok && !p.NoTable {
		merge := mergeBounds
		if p.algo == MaxN {
			merge = mergeOutlooks(g.Seats())
		}
		var err error
		if sh.tab, err = table.New(p.Memory, table.Config{Keys: k.KeyWords(), Payloads: 1, Merge: merge}); err != nil {
			return nil, nil, err
		}
	}
	c := &pool{sh: sh}
	for i := range p.Threads {
		if i > 0 && sh.tab == nil {
			break // without a table there is nothing to share
		}
		c.workers = append(c.workers, newWorker(sh, i, root))
	}
	stop := context.AfterFunc(ctx, func() { sh.canceled.Store(true) })
	return c, stop, nil
}

// place puts all workers at a position.
func (c *pool) place(s game.State) {
	for _, w := range c.workers {
		w.place(s)
	}
}

// aloneBelow is the size in nodes of an iteration that one thread does alone,
// judged by those before.
const aloneBelow = 2000

// run lets the workers do one iteration and returns the answer of the first to
// finish; false if the run was cancelled or the time ran out before. All answers
// are the same but for the note on the horizon. Counts are added to counts; last
// is the size of an iteration that this one may compare with.
func (c *pool) run(counts *Counts, last uint64, f func(w *worker) answer) (ans answer, nodes uint64, ok bool) {
	sh := c.sh
	workers := c.workers
	if last < aloneBelow && !sh.plan.eager {
		workers = workers[:1]
	}
	sh.active = len(workers)
	sh.over.Store(false)
	before := sh.nodes.Load()
	work := func(w *worker) {
		sh.gate.RLock()
		defer sh.gate.RUnlock()
		w.stopped, w.horizon, w.ply, w.ticks = false, false, 0, sh.every
		w.moves = w.moves[:0]
		got := f(w)
		if w.stopped {
			return
		}
		got.horizon = w.horizon
		if sh.over.CompareAndSwap(false, true) {
			ans, ok = got, true
		}
	}
	if sh.canceled.Load() {
		return ans, 0, false
	}
	var wait sync.WaitGroup
	for _, w := range workers[1:] {
		wait.Go(func() { work(w) })
	}
	work(workers[0])
	wait.Wait()
	for _, w := range workers {
		nodes += w.counts.Nodes
		counts.Add(&w.counts)
		c.total.Add(&w.counts)
		w.counts = Counts{}
		w.moves = w.moves[:0]
	}
	sh.nodes.Store(before + nodes)
	return ans, nodes, ok
}
