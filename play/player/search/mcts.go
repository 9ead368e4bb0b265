package search

import (
	"math"
	"slices"
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

// nodeBytes is the memory of a node, with what the collector has not freed yet.
const nodeBytes = 56

// node is a position of the tree, known by the move that leads to it. Threads share it without
// a lock: once it is in the tree, writes are atomic.
type node struct {
	move     game.Move
	prior    float32
	visits   atomic.Int32
	sum      atomic.Uint32 // sum of the shares won by the seat that made the move, a float32
	children atomic.Pointer[[]node]
	// proof is 0 without a proof. Else its high 16 bits hold one more than the seat that forces its
	// win, or than tied; its low 16 bits hold the plies.
	proof atomic.Uint32
}

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

// kids are the children of a node; nil before it has some.
func (n *node) kids() []node {
	if list := n.children.Load(); list != nil {
		return *list
	}
	return nil
}

// size is the number of nodes of a subtree to which nobody writes meanwhile.
func (n *node) size() int32 {
	sum := int32(1)
	for i := range n.kids() {
		sum += n.kids()[i].size()
	}
	return sum
}

// tree keeps the nodes of a search and of the last one. All threads grow it at once (lock-free,
// Enzenberger and Müller 2009).
type tree struct {
	root *node
	used atomic.Int32 // number of nodes
	most int32
	from game.State // position of the root
	hero int        // seat of the search
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
		for n := 1; !w.stopped && w.simulate() && after(n); n++ {
		}
		return true
	}, func(h *Search, _ int) {
		for !h.stopped && h.simulate() {
		}
	})
}

// replant makes the current position the root, keeps its part of the last tree, and gives it
// children.
func (w *Search) replant() {
	t, root := w.tree, new(node)
	if t.root != nil && (t.hero == w.hero || w.seats == 2) { // priors are for one hero
		if old := w.find(t.from.Clone(), t.root, w.s.String(), w.seats); old != nil {
			// A copy, so that the rest of the last tree can be freed.
			root.move, root.prior = old.move, old.prior
			root.visits.Store(old.visits.Load())
			root.sum.Store(old.sum.Load())
			root.proof.Store(old.proof.Load())
			root.children.Store(old.children.Load())
		}
	}
	t.root, t.from, t.hero = root, w.s.Clone(), w.hero
	t.used.Store(root.size())
	if len(root.kids()) == 0 && root.winner() == undecided {
		w.branch()
		t.most = max(t.most, 1+int32(len(w.next)))
		w.expand(root)
	}
}

// find looks for a position at most d plies below a node.
func (w *Search) find(s game.State, n *node, text string, d int) *node {
	if s.String() == text {
		return n
	}
	if d == 0 {
		return nil
	}
	kids := n.kids()
	for i := range kids {
		if kid := &kids[i]; kid.visits.Load() > 0 || kid.winner() != undecided {
			s.Make(kid.move)
			found := w.find(s, kid, text, d-1)
			s.Unmake()
			if found != nil {
				return found
			}
		}
	}
	return nil
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
func (w *Search) expand(n *node) {
	t, more := w.tree, int32(len(w.next))
	if n.children.Load() != nil {
		return
	}
	if t.used.Add(more) <= t.most {
		kids := make([]node, more)
		for i, c := range w.next {
			kids[i].move, kids[i].prior = c.move, c.prior
		}
		if n.children.CompareAndSwap(nil, &kids) {
			return
		}
	}
	t.used.Add(-more)
}

// simulate descends the tree, adds children to a leaf, plays on, and records the result on the
// way back. It reports whether the root is still open. A visit counts from the descent on, so
// that other threads prefer other moves.
func (w *Search) simulate() (open bool) {
	n := w.tree.root
	w.path = append(w.path[:0], n)
	for n.winner() == undecided && len(n.kids()) > 0 {
		next := w.sel(n)
		n.visits.Add(1)
		n = next
		w.play(n.move)
		w.path = append(w.path, n)
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
		w.expand(n)
		w.playout(&share)
	} else {
		w.won(winner, &share)
	}
	for i := len(w.path) - 1; i > 0; i-- {
		n, up := w.path[i], w.path[i-1]
		w.back()
		mover := w.s.Seat()
		n.add(share[mover])
		if n.winner() != undecided && up.winner() == undecided {
			if w.prove(up, mover, n); up.winner() != undecided {
				w.won(up.winner(), &share)
			}
		}
	}
	return w.tree.root.winner() == undecided
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
	children := n.kids()
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
func (w *Search) sel(n *node) *node {
	children := n.kids()
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
	return &children[found]
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
	root := w.tree.root
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
	children := root.kids()
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
