package solve

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"perfectplay/game"
	"perfectplay/internal/table"
)

// Threads search the same position at once and share the table, after ABDADA (Weill, "The ABDADA
// distributed minimax search algorithm", ICCA Journal 19(1), 1996). A thread marks the position
// after the move that it searches. Other threads put off moves to marked positions and return to
// them after the others; by then the table mostly knows them. Marks lie in a small array of
// hashes outside the table; a wrong or lost mark costs only time.
//
// One thread begins an iteration, and the others join it after some nodes, since most iterations
// are small. A thread that searches below a position that another thread has answered leaves it
// at its next poll.

const busySize = 1 << 12

// shareDepth is the least number of plies left at which moves are put off.
const shareDepth = 6

// busySlot is a mark on a cache line of its own.
type busySlot struct {
	tag atomic.Uint64
	_   [56]byte
}

type shared struct {
	game game.Game
	plan *plan
	tab  *table.Table
	busy []busySlot

	every    int         // nodes between two polls
	alone    int         // nodes of an iteration before the first poll, where others may join
	joined   atomic.Bool // all workers take part in the current iteration
	join     func()      // lets the other workers join, nil if none is left; for the first worker
	over     atomic.Bool // the current iteration has its answer
	canceled atomic.Bool // the context is done
	deadline time.Time   // end of the current search, zero for none; set between iterations
	most     uint64      // most nodes of the run, 0 for no limit; set between iterations

	gate    sync.RWMutex // held for reading by working threads, for writing to grow the table
	growing atomic.Bool
	filled  atomic.Int64 // slots filled, for growth

	started time.Time
	// Number of nodes of finished iterations, and of nodes that workers have reported since.
	nodes    atomic.Uint64
	rootDone atomic.Int64 // moves of the first position done by worker 0
	rootAll  atomic.Int64
	progress Progress // the fields that stay constant during an iteration
	meter    meter    // changed between iterations, and by worker 0
	lastTold time.Time

	failing sync.Mutex
	failed  error // the first panic of the game
}

func (sh *shared) fail(err error) {
	sh.failing.Lock()
	defer sh.failing.Unlock()
	if sh.failed == nil {
		sh.failed = err
	}
	sh.canceled.Store(true)
}

// late reports whether the current search has used up its time.
func (sh *shared) late() bool { return !sh.deadline.IsZero() && time.Now().After(sh.deadline) }

// spent reports whether the run has used up its nodes.
func (sh *shared) spent() bool { return sh.most > 0 && sh.nodes.Load() > sh.most }

// poll unwinds the search if the iteration is over or the run stopped, lets the table grow, and
// reports progress.
func (w *worker) poll() {
	sh := w.sh
	sh.nodes.Add(w.counts.Nodes - w.told)
	w.ticks, w.told = sh.every, w.counts.Nodes
	if sh.over.Load() || sh.canceled.Load() || sh.late() || sh.spent() {
		w.stopped, w.upTo = true, -1
		return
	}
	if w.id == 0 && sh.join != nil {
		sh.join()
		sh.join = nil
	}
	if w.tab != nil {
		w.room()
		if sh.joined.Load() {
			w.giveUp()
		}
	}
	if yield := sh.plan.Yield; yield != nil {
		yield()
	}
	if w.id == 0 && sh.plan.Progress != nil && time.Since(sh.lastTold) >= 100*time.Millisecond {
		w.tell()
	}
}

// giveUp unwinds the search to the position nearest to the root whose question another thread
// has answered in the table, if there is one. If the answer is overwritten by then, the search
// continues from there.
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

// resumes reports whether an unwinding search continues at the current position.
func (w *worker) resumes() bool {
	if w.upTo != w.ply {
		return false
	}
	w.stopped, w.horizon = false, false
	return true
}

// room grows the table when it is half full: one worker does it, with a thread for each worker,
// while the others wait at their next poll.
func (w *worker) room() {
	sh := w.sh
	if w.filled > 0 {
		if n := sh.filled.Add(w.filled); w.tab.CanGrow() && 2*n > w.tab.Slots() && sh.growing.CompareAndSwap(false, true) {
			sh.gate.RUnlock()
			sh.gate.Lock()
			for w.tab.CanGrow() && 2*n > w.tab.Slots() {
				w.tab.GrowWith(sh.plan.Threads)
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
	sh.plan.Progress(p)
}

// answer is the result of an iteration; each engine has its own meaning of a and b.
type answer struct {
	a, b    int
	exact   bool
	horizon bool
}

type pool struct {
	sh      *shared
	workers []*worker
	total   Counts // statistics of the run

	root   game.State // the position to search
	places int        // number of positions so far
	copies sync.Mutex // held while root is copied
}

func newPool(ctx context.Context, g game.Game, p *plan, root game.State) (*pool, func() bool, error) {
	sh := &shared{game: g, plan: p, busy: make([]busySlot, busySize), every: pollNodes, alone: aloneFor, most: p.Nodes, started: time.Now()}
	if p.eager {
		sh.every, sh.alone = 5, 1
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
		c.workers = append(c.workers, newWorker(sh, i))
	}
	c.place(root)
	stop := context.AfterFunc(ctx, func() { sh.canceled.Store(true) })
	return c, stop, nil
}

// place sends all workers to a position: the first now, the others when they join. The state
// must not change until the next call.
func (c *pool) place(s game.State) {
	c.root, c.places = s, c.places+1
	c.follow(c.workers[0])
}

// follow sends a worker to the pool's position. Each worker copies the state on its own
// goroutine: adjacent copies would share cache lines.
func (c *pool) follow(w *worker) {
	if w.places != c.places {
		w.place(c.copy())
		w.places = c.places
	}
}

func (c *pool) copy() game.State {
	c.copies.Lock()
	defer c.copies.Unlock()
	return c.root.Clone()
}

// asked calls f with a worker. A panic of the game becomes an error.
func (c *pool) asked(w *worker, f func(w *worker) answer) (got answer, err error) {
	defer game.Guard(&err, c.sh.game, w.state, c.copy)
	c.follow(w)
	return f(w), nil
}

// aloneFor is the number of nodes of an iteration before the other threads join the first.
const aloneFor = 256

// run lets the workers do one iteration and returns the first answer; false if the run was
// stopped before. All answers agree, except in their horizon. It adds the workers' counts to
// counts.
func (c *pool) run(counts *Counts, f func(w *worker) answer) (ans answer, nodes uint64, ok bool) {
	sh := c.sh
	sh.over.Store(false)
	sh.joined.Store(false)
	before := sh.nodes.Load()
	work := func(w *worker) {
		sh.gate.RLock()
		defer sh.gate.RUnlock()
		w.stopped, w.horizon, w.ply, w.ticks = false, false, 0, sh.every
		if w.moves = w.moves[:0]; w.id == 0 && sh.join != nil {
			w.ticks = sh.alone
		}
		got, err := c.asked(w, f)
		if err != nil {
			sh.fail(err)
		}
		if w.stopped || err != nil {
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
	if sh.join = nil; len(c.workers) > 1 {
		sh.join = func() {
			sh.joined.Store(true)
			for _, w := range c.workers[1:] {
				wait.Go(func() { work(w) })
			}
		}
	}
	work(c.workers[0])
	wait.Wait()
	for _, w := range c.workers {
		nodes += w.counts.Nodes
		counts.Add(&w.counts)
		c.total.Add(&w.counts)
		w.counts, w.told = Counts{}, 0
		w.moves = w.moves[:0]
	}
	sh.nodes.Store(before + nodes)
	return ans, nodes, ok
}
