package solve

import (
	"math"

	"perfectplay/game"
	"perfectplay/internal/table"
)

const maxSeats = 6

type address struct {
	key  [table.MaxKeyWords]uint64
	hash uint64
	sym  uint8
}

// frame holds a worker's data on one ply of its current line.
type frame struct {
	address
	question
	killers [2]game.Move
	safe    bool // after every searched move the next seat has no win at once
}

type question struct {
	d           int // plies left
	seat        int // the seat to move
	alpha, beta int // the window, where there are two sides
	ask         asker
}

// worker is one goroutine of a search. Steady work allocates nothing.
type worker struct {
	sh       *shared
	id       int
	state    game.State
	keyer    game.Keyer        // nil without a table
	ahead    game.NextKeyer    // nil if states do not compute the keys after moves
	racer    game.Racer        // nil without bounds
	lister   game.RaceLister   // nil where all moves must be listed
	threats  game.ThreatLister // nil if states list no threats; used by max^n
	allies   game.AllyLister   // nil unless one seat plays against several
	safe     game.SafeLister   // nil if states list no safe moves, or the game is a race
	waits    [maxSeats]wait    // bounds by seat to move, if safe is not nil
	ender    game.Ender        // nil if the length of a game is unbounded
	orderer  game.Orderer      // nil without gain
	tester   game.MoveTester   // nil where moves must be listed to know which are legal
	finisher game.Finisher     // nil if only a made move shows whether it wins
	tab      *table.Table
	shallow  int // most plies left at which the table is not asked
	seats    int
	side     uint // the seats of the side whose win is searched, as bits
	hero     int  // see [Options]
	order    Ordering
	lead     uint   // shift of history in a sort key
	least    uint64 // least number of nodes of a proof that goes to the book

	places    int // pool.places of the position in play
	ply       int // plies from the root of the search
	frames    []frame
	moves     []game.Move // stack of move lists
	keys      []int64     // sort keys of moves, with the capacity of moves
	addresses []address   // addresses of the positions after moves, with the same capacity
	sole      address     // address of the position after a move tried before the list
	near      []bool      // by place in a list: whether the move stays in the race
	history   [maxSeats][]int16
	seen      seen    // entry of the position after the move about to be made
	chance    chances // chances for the list about to be made
	asking    asking
	pruning   bool // whether maxn prunes at last branches

	stopped bool // the search unwinds, and results are void
	upTo    int  // the ply where unwinding ends, −1 for the whole search
	horizon bool // the current subtree met its horizon
	ticks   int  // nodes until the next poll
	counts  Counts
	told    uint64 // nodes already reported
	filled  int64
}

// shallowPlies is the largest number of plies left at which a max^n search for four seats and
// more does not use the table: waiting for memory costs more there than searching again.
const shallowPlies = 6

// shallowSafe takes the place of shallowPlies for games that see wins ahead. In Connect Four on six
// columns of five, 5 instead of 3 saves a quarter of the time, for 23 % more nodes.
const shallowSafe = 5

const pollNodes = 1024

func newWorker(sh *shared, id int) *worker {
	w := &worker{sh: sh, id: id, seats: sh.game.Seats(), tab: sh.tab, hero: sh.plan.hero, order: sh.plan.ordering}
	w.moves = make([]game.Move, 0, 512)
	w.keys = make([]int64, 512)
	w.addresses = make([]address, 512)
	w.frames = make([]frame, 64)
	for seat := range w.seats {
		w.history[seat] = make([]int16, historySize)
	}
	w.side, w.pruning = 1<<w.hero, true
	w.ticks = sh.every
	if w.shallow = 1; sh.plan.algo == MaxN && w.seats > 3 && !sh.plan.eager {
		w.shallow = min(w.seats+1, shallowPlies)
	}
	if w.lead = placeBits + historyLead; sh.plan.algo == MaxN {
		w.lead = placeBits + historyLeadMaxN
	}
	if w.least = math.MaxUint64; sh.plan.Book != nil {
		w.least = sh.plan.BookNodes
	}
	return w
}

// place puts the worker at the position of a state, which it takes over.
func (w *worker) place(s game.State) {
	w.state = s
	w.keyer, w.ahead, w.racer, w.lister, w.threats, w.allies, w.safe, w.orderer = nil, nil, nil, nil, nil, nil, nil, nil
	if w.tab != nil {
		w.keyer = w.state.(game.Keyer)
		w.ahead, _ = w.state.(game.NextKeyer)
	}
	if !w.sh.plan.NoBound {
		w.racer, _ = w.state.(game.Racer)
		w.lister, _ = w.state.(game.RaceLister)
		if w.sh.plan.algo == MaxN && w.seats > 1 {
			w.threats, _ = w.state.(game.ThreatLister)
		}
		if w.sh.plan.algo != MaxN && w.seats > 2 {
			w.allies, _ = w.state.(game.AllyLister)
		}
	}
	if _, race := w.state.(game.RaceLister); !race && w.sh.plan.algo != MaxN && w.seats > 1 {
		if w.safe, _ = w.state.(game.SafeLister); w.safe != nil {
			for seat := range w.seats {
				w.waits[seat] = w.waitOf(seat)
			}
			if !w.sh.plan.eager {
				w.shallow = shallowSafe
			}
		}
	}
	w.ender, _ = w.state.(game.Ender)
	if w.sh.plan.ordering.Gain {
		w.orderer, _ = w.state.(game.Orderer)
	}
	w.tester, _ = w.state.(game.MoveTester)
	w.finisher, _ = w.state.(game.Finisher)
	w.ply = 0
	for i := range w.frames {
		w.frames[i].killers = [2]game.Move{game.NoMove, game.NoMove}
	}
}

// enter counts a node and now and then polls. It reports false if the search is unwinding.
func (w *worker) enter() bool {
	w.counts.Nodes++
	if w.ply > w.counts.MaxDepth {
		w.counts.MaxDepth = w.ply
	}
	if w.ticks--; w.ticks <= 0 || w.sh.over.Load() {
		w.poll()
	}
	return !w.stopped
}

func (w *worker) at() *frame {
	for w.ply >= len(w.frames) {
		grown := make([]frame, 2*len(w.frames))
		n := copy(grown, w.frames)
		for i := n; i < len(grown); i++ {
			grown[i].killers = [2]game.Move{game.NoMove, game.NoMove}
		}
		w.frames = grown
	}
	return &w.frames[w.ply]
}

func (w *worker) play(m game.Move) {
	w.state.Make(m)
	w.ply++
}

func (w *worker) back() {
	w.state.Unmake()
	w.ply--
}

// locate notes the current position's address in its frame, and prefetches its entry.
func (w *worker) locate(f *frame) {
	f.sym = w.keyer.Key(f.key[:])
	f.hash = w.tab.Hash(f.key[:])
	w.tab.Fetch(f.hash)
}

// look returns the table's entry for the current position: the one seen before the move here, if s
// is not nil. located says that the position's address is in its frame.
func (w *worker) look(f *frame, s *seen, located bool) (p table.Payload, ok bool) {
	if s != nil {
		f.address = *s.address
		return s.payload, s.known
	}
	if !located {
		w.locate(f)
	}
	return w.recall(&f.address)
}

func (w *worker) recall(a *address) (p table.Payload, ok bool) {
	if p, ok = w.tab.Probe(a.key[:], a.hash, 0); ok {
		w.counts.Hits++
	}
	return p, ok
}

// fetch prefetches the entry of the position after a move, and notes its address in v.
func (w *worker) fetch(m game.Move, v *address) {
	v.sym = w.ahead.NextKey(m, v.key[:])
	v.hash = w.tab.Hash(v.key[:])
	w.tab.Fetch(v.hash)
}

func (w *worker) actual(m game.Move, sym uint8) game.Move {
	if m == game.NoMove || sym == 0 {
		return m
	}
	return w.keyer.Actual(m, sym)
}

func (w *worker) canonical(m game.Move, sym uint8) game.Move {
	if m == game.NoMove || sym == 0 {
		return m
	}
	return w.keyer.Canonical(m, sym)
}

// store writes a payload for the current position, whose frame is f; nodes is its cost.
func (w *worker) store(f *frame, p table.Payload, nodes uint64) {
	w.counts.Stored++
	if nodes >= w.least {
		w.learn(f, p, nodes)
	}
	switch w.tab.Store(f.key[:], f.hash, p, table.Effort(nodes)) {
	case table.Filled:
		w.counts.Filled++
		w.filled++
	case table.Replaced:
		w.counts.Replaced++
	}
}

func onSide(side uint, seat int) bool { return side>>uint(seat)&1 != 0 }

// raceOver is the number of plies within which a seat cannot win, by the game's lower bound on
// its turns.
func (w *worker) raceOver(seat, mover int) int {
	turns := w.racer.TurnsToWin(seat)
	if turns <= 0 {
		return 0
	}
	if turns >= game.NeverWins {
		return infinite
	}
	wait := seat - mover
	if wait < 0 {
		wait += w.seats
	}
	return min(wait+(turns-1)*w.seats, infinite-1)
}

func (w *worker) pliesLeft() int {
	if w.ender == nil {
		return infinite
	}
	return min(w.ender.PliesLeft(), infinite)
}

// turnsLeft returns the most turns that the seat to move may need after its move if its side is to
// win within d − 1 plies from there. It is −1 if unknown: the game does not list such moves, or
// another seat of the side may win.
func (w *worker) turnsLeft(side uint, mover, d int) int {
	if w.lister == nil {
		return -1
	}
	if rest := side &^ (1 << uint(mover)); rest != 0 {
		after := mover + 1
		if after == w.seats {
			after = 0
		}
		// A turn of the mover lowers no bound of the others; at zero it may win for one of them.
		if w.sideOver(rest, after) < max(1, d-1) {
			return -1
		}
	}
	return (d - 1) / w.seats
}

// sideOver is the number of plies within which no seat of a side can win.
func (w *worker) sideOver(side uint, mover int) int {
	if w.racer == nil {
		return 0
	}
	over := infinite
	for seat := range w.seats {
		if onSide(side, seat) {
			if over = min(over, w.raceOver(seat, mover)); over == 0 {
				break
			}
		}
	}
	return over
}
