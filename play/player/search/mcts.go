package search

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"perfectplay/game"
)

// The parameters of Monte Carlo tree search.
const (
	explore   = 1.2 // weight of untried moves against successful ones
	prior     = 45  // gain, in hundredths of a turn, that makes a move e times as likely
	theirs    = 15  // replaces prior for moves of the other seats if there are two or more
	temper    = 250 // difference of costs that makes a win e times as likely
	tempo     = 100 // cost of being a whole round of turns later
	rounds    = 4   // least number of rounds of turns from the root to the end of a playout
	careless  = 10  // percent of random moves in a playout
	reduction = 0.1 // the value of an untried move is its node's mean less reduction
)

const nodeBytes = 28

// node is a position of the tree, known by the move that leads to it. Threads share it without
// a lock: once it is in the tree, writes are atomic.
type node struct {
	move   game.Move
	prior  float32
	child  atomic.Int32 // first of its children, 0 for none, pending while they are made
	n      uint16       // number of children; written before child
	visits atomic.Int32
	sum    atomic.Uint32 // sum of the shares won by the seat that made the move, a float32
	// proof is 0 without a proof. Else its high 16 bits hold one more than the seat that forces its
	// win, or than tied; its low 16 bits hold the plies.
	proof atomic.Uint32
}

const pending = -1

const (
	undecided = -1
	tied      = maxSeats // drawn
)

func (n *node) winner() int { return int(n.proof.Load()>>16) - 1 }

// plies is the number of plies to the end of the game if the winner is proved.
func (n *node) plies() int { return int(n.proof.Load() & 0xffff) }

// won records a proved winner and the plies. The first proof stays.
func (n *node) won(winner, plies int) {
	n.proof.CompareAndSwap(0, uint32(winner+1)<<16|uint32(min(plies, 0xffff)))
}

func (n *node) shares() float32 { return math.Float32frombits(n.sum.Load()) }

func (n *node) add(share float32) {
	for {
		old := n.sum.Load()
		if n.sum.CompareAndSwap(old, math.Float32bits(math.Float32frombits(old)+share)) {
			return
		}
	}
}

// copy copies a node that nobody writes to meanwhile.
func (n *node) copy(from *node) {
	n.move, n.prior, n.n = from.move, from.prior, from.n
	n.child.Store(from.child.Load())
	n.visits.Store(from.visits.Load())
	n.sum.Store(from.sum.Load())
	n.proof.Store(from.proof.Load())
}

// tree keeps the nodes of a search and of the last one. All threads grow it at once (lock-free,
// Enzenberger and Müller 2009) and hold the gate for reading. A thread that runs out of nodes
// waits until the others release the gate, and copies the nodes.
type tree struct {
	nodes   []node
	used    atomic.Int32
	most    int
	gate    sync.RWMutex
	growing atomic.Bool
	root    game.State // position of nodes[0]
	hero    int        // seat of the search
}

// children returns the children of a node; nil while they are being made.
func (t *tree) children(n *node) []node {
	first := n.child.Load()
	if first <= 0 {
		return nil
	}
	return t.nodes[first : first+int32(n.n)]
}

// take reserves n nodes and returns the first, or 0 if there is no room. The caller holds the
// gate; take may release it for a time.
func (t *tree) take(n int) int32 {
	for {
		used := t.used.Load()
		switch end := int(used) + n; {
		case end <= len(t.nodes):
			if t.used.CompareAndSwap(used, int32(end)) {
				return used
			}
		case end > t.most:
			return 0
		case t.growing.CompareAndSwap(false, true):
			t.gate.RUnlock()
			t.gate.Lock()
			more := make([]node, min(max(2*len(t.nodes), end), t.most))
			for i := range t.nodes {
				more[i].copy(&t.nodes[i])
			}
			t.nodes = more
			t.growing.Store(false)
			t.gate.Unlock()
			t.gate.RLock()
		default:
			t.pause()
		}
	}
}

// pause lets the tree grow if another thread waits for that.
func (t *tree) pause() {
	if t.growing.Load() {
		t.gate.RUnlock()
		t.gate.RLock()
	}
}

// monteCarlo grows a tree until the limits are reached.
func (w *Search) monteCarlo(moves []game.Move) Answer {
	w.replant()
	endless := w.limit == 0 && w.time == 0 && w.ctx.Done() == nil
	w.playouts(func(int) (more bool) { return !endless })
	return w.chosen(moves)
}

// playouts grows the tree by all threads, until after returns false; it is called after each
// playout of the first thread.
func (w *Search) playouts(after func(n int) (more bool)) {
	w.together(func() bool {
		w.tree.gate.RLock()
		defer w.tree.gate.RUnlock()
		for n := 1; !w.stopped && w.simulate() && after(n); n++ {
		}
		return true
	}, func(h *Search, _ int) {
		h.tree.gate.RLock()
		defer h.tree.gate.RUnlock()
		for !h.stopped && h.simulate() {
		}
	})
}

// replant makes the current position the root, keeps its part of the last tree, and gives it
// children.
func (w *Search) replant() {
	t := w.tree
	at := int32(-1)
	if t.root != nil && len(t.nodes) > 0 && (t.hero == w.hero || w.seats == 2) { // priors are for one hero
		at = w.find(t.root.Clone(), 0, w.s.String(), w.seats)
	}
	old := t.nodes
	t.nodes = make([]node, 1024)
	t.used.Store(1)
	t.root, t.hero = w.s.Clone(), w.hero
	t.gate.RLock()
	defer t.gate.RUnlock()
	if at >= 0 {
		t.nodes[0].copy(&old[at])
	}
	for i := int32(0); i < t.used.Load(); i++ {
		if first := t.nodes[i].child.Load(); first > 0 {
			n := int32(t.nodes[i].n)
			to := t.take(int(n))
			t.nodes[i].child.Store(to)
			for k := range n {
				t.nodes[to+k].copy(&old[first+k])
			}
		}
	}
	if root := &t.nodes[0]; root.n == 0 && root.winner() == undecided {
		w.branch()
		t.most = max(t.most, 1+len(w.next))
		w.expand(0)
	}
}

// find looks for a position at most d plies below a node.
func (w *Search) find(s game.State, at int32, text string, d int) int32 {
	if s.String() == text {
		return at
	}
	if d == 0 {
		return -1
	}
	first := w.tree.nodes[at].child.Load()
	for i, children := 0, w.tree.children(&w.tree.nodes[at]); i < len(children); i++ {
		if child := &children[i]; child.visits.Load() > 0 || child.winner() != undecided {
			s.Make(child.move)
			found := w.find(s, first+int32(i), text, d-1)
			s.Unmake()
			if found >= 0 {
				return found
			}
		}
	}
	return -1
}

type candidate struct {
	move  game.Move
	prior float32
}

func (w *Search) branch() {
	w.moves, w.next = w.s.Moves(w.moves[:0]), w.next[:0]
	best := int32(math.MinInt32)
	for _, m := range w.moves {
		best = max(best, w.e.Gain(w.s, m))
	}
	sum, like := float32(0), float64(prior)
	if w.seats > 2 && w.s.Seat() != w.hero {
		like = theirs
	}
	for _, m := range w.moves {
		p := float32(1)
		if w.exact {
			p = float32(math.Exp(float64(w.e.Gain(w.s, m)-best) / like))
		}
		sum += p
		w.next = append(w.next, candidate{m, p})
	}
	for i := range w.next {
		w.next[i].prior /= sum
	}
}

// expand gives a node its children, unless the node has children or there is no room.
func (w *Search) expand(at int32) {
	t := w.tree
	if !t.nodes[at].child.CompareAndSwap(0, pending) {
		return
	}
	first := t.take(len(w.next))
	n := &t.nodes[at]
	if first > 0 {
		for i, c := range w.next {
			t.nodes[first+int32(i)].move, t.nodes[first+int32(i)].prior = c.move, c.prior
		}
		n.n = uint16(len(w.next))
	}
	n.child.Store(first)
}

// simulate descends the tree, adds children to a leaf, plays on, and records the result on the
// way back. It reports whether the root is still open. A visit counts from the descent on, so
// that other threads prefer other moves.
func (w *Search) simulate() (open bool) {
	t := w.tree
	t.pause()
	w.path = append(w.path[:0], 0)
	at, n := int32(0), &t.nodes[0]
	for n.winner() == undecided && n.child.Load() > 0 {
		next := w.sel(n)
		n.visits.Add(1)
		at, n = next, &t.nodes[next]
		w.play(n.move)
		w.path = append(w.path, at)
	}
	n.visits.Add(1)
	winner := n.winner()
	if winner == undecided {
		if winner = w.over(); winner != undecided {
			n.won(winner, 0)
		}
	}
	var share [maxSeats]float32
	if winner == undecided {
		w.branch()
		w.expand(at)
		w.playout(&share)
	} else {
		w.won(winner, &share)
	}
	for i := len(w.path) - 1; i > 0; i-- {
		n, up := &t.nodes[w.path[i]], &t.nodes[w.path[i-1]]
		w.back()
		mover := w.s.Seat()
		n.add(share[mover])
		if n.winner() != undecided && up.winner() == undecided {
			if w.prove(up, mover, n); up.winner() != undecided {
				w.won(up.winner(), &share)
			}
		}
	}
	return t.nodes[0].winner() == undecided
}

// over is the winner, tied for a draw, undecided if the game goes on.
func (w *Search) over() int {
	r := w.s.Result()
	if r == game.Ongoing {
		return undecided
	}
	if seat, ok := r.Winner(); ok {
		return seat
	}
	return tied
}

// won writes the shares of a decided game.
func (w *Search) won(winner int, share *[maxSeats]float32) {
	for seat := range w.seats {
		switch {
		case winner == tied:
			share[seat] = 1 / float32(w.seats)
		case seat == winner:
			share[seat] = 1
		default:
			share[seat] = 0
		}
	}
}

// prove passes a proof from a child up to its node: the mover takes a win of its own; another
// seat wins if no move prevents it.
func (w *Search) prove(n *node, mover int, child *node) {
	winner := child.winner()
	if winner == mover {
		n.won(winner, child.plies()+1)
		return
	}
	longest := 0
	children := w.tree.children(n)
	for i := range children {
		c := &children[i]
		if c.winner() != winner {
			return
		}
		longest = max(longest, c.plies())
	}
	n.won(winner, longest+1)
}

// sel chooses a child by the shares that its mover won there and by its prior, as in PUCT
// (Rosin 2011). It takes a proved win of another seat only if nothing else is left.
func (w *Search) sel(n *node) int32 {
	children := w.tree.children(n)
	mover := w.s.Seat()
	visits := n.visits.Load()
	wide := explore * math.Sqrt(float64(visits+1)) // so that priors decide the first visit
	mean := 0.0
	for i := range children {
		mean += float64(children[i].shares())
	}
	mean = mean/float64(max(1, visits)) - reduction
	best, found := math.Inf(-1), 0
	for i := range children {
		x := &children[i]
		visits := x.visits.Load()
		if winner := x.winner(); winner != undecided && winner != mover && winner != tied {
			if best < -1 { // all moves so far lose: take the least visited
				if v := -2 - float64(visits); v > best {
					best, found = v, i
				}
			}
			continue
		}
		q := mean
		if visits > 0 {
			q = float64(x.shares()) / float64(visits)
		}
		if v := q + wide*float64(x.prior)/float64(1+visits); v > best {
			best, found = v, i
		}
	}
	return n.child.Load() + int32(found)
}

// playout plays on, mostly by gain, and shares the win out by each seat's remaining cost. It
// ends with a whole round of turns: at least rounds from the root, and one from the leaf.
func (w *Search) playout(share *[maxSeats]float32) {
	made := 0
	for ; (w.ply < rounds*w.seats || made < w.seats || w.ply%w.seats != 0) && !w.stopped; made++ {
		if made > 0 && w.s.Result() != game.Ongoing {
			break
		}
		w.moves = w.s.Moves(w.moves[:0])
		m := w.moves[w.rng.IntN(len(w.moves))]
		if w.exact && w.rng.IntN(100) >= careless {
			most := int32(math.MinInt32)
			for _, x := range w.moves {
				if w.finisher != nil && w.finisher.Wins(x) {
					m = x
					break
				}
				if gain := w.e.Gain(w.s, x); gain > most {
					most, m = gain, x
				}
			}
		}
		w.play(m)
	}
	if winner := w.over(); winner != undecided {
		w.won(winner, share)
	} else {
		w.expect(share)
	}
	for range made {
		w.back()
	}
}

// expect shares a win out by each seat's remaining cost.
func (w *Search) expect(share *[maxSeats]float32) {
	var costs [maxSeats]int32
	w.e.Costs(w.s, costs[:w.seats])
	for k := 1; k < w.seats && w.exact; k++ { // a seat that moves later has farther to go
		costs[(w.s.Seat()+k)%w.seats] += int32(tempo * k / w.seats)
	}
	least := slices.Min(costs[:w.seats])
	sum := float32(0)
	for seat := range w.seats {
		share[seat] = float32(math.Exp(-float64(costs[seat]-least) / temper))
		sum += share[seat]
	}
	if w.seats == 1 { // soon is better than late
		share[0] = 1 / (1 + float32(least)/(10*temper))
		sum = 1
	}
	for seat := range w.seats {
		share[seat] /= sum
	}
}

// chosen returns the child of the root to play: the soonest proved win; else the most visited child
// that is not a proved win of another seat; else the child that lasts longest.
func (w *Search) chosen(moves []game.Move) Answer {
	root := &w.tree.nodes[0]
	a := Answer{Move: moves[0]}
	rank := func(c *node) (band int, within float64) {
		switch c.winner() {
		case w.hero:
			return 3, -float64(c.plies())
		case undecided, tied:
			return 2, float64(c.visits.Load()) + float64(c.prior)
		}
		return 1, float64(c.plies())
	}
	top, most := 0, 0.0
	children := w.tree.children(root)
	for i := range children {
		c := &children[i]
		if c.winner() != w.hero && !slices.Contains(moves, c.move) {
			continue
		}
		if band, within := rank(c); band > top || band == top && within > most {
			top, most, a.Move = band, within, c.move
			if visits := c.visits.Load(); visits > 0 {
				a.Score = int32(1000 * c.shares() / float32(visits))
			}
		}
	}
	switch root.winner() {
	case undecided, tied:
	case w.hero:
		a.Value, a.Distance = game.Win, root.plies()
	default:
		a.Value, a.Distance = game.Loss, root.plies()
	}
	return a
}
