package search

import (
	"math"
	"slices"
	"sync"

	"perfectplay/game"
)

// The parameters of Monte Carlo tree search.
const (
	explore   = 1.2 // weight of what is not tried yet against what did well
	prior     = 45  // gain, in hundredths of a turn, that makes a move e times as likely
	theirs    = 15  // likewise for the others, where they are two or more
	temper    = 250 // costs, likewise, that make a win e times as likely
	tempo     = 100 // cost of being a whole round of turns later
	rounds    = 4   // from the root to the end of a playout
	careless  = 10  // percent of a playout's moves that are any
	reduction = 0.1 // of the mean, for moves that are not tried yet
)

// nodeBytes is the size of a node.
const nodeBytes = 28

// node is a position of the tree, known by the move that leads to it.
type node struct {
	move   game.Move
	child  int32 // first of its children, 0 for none
	n      uint16
	winner int8   // proved: the seat that forces its win, undecided or tied
	plies  uint16 // to the end of the game, where winner is proved
	visits int32
	sum    float32 // of the shares that the seat which made the move has won
	prior  float32
}

const (
	undecided = -1
	tied      = maxSeats // nobody can move any more
)

// tree keeps the nodes of a search and of the last one. All threads grow it: who holds the
// lock goes down or notes what came of it, and plays on without it.
type tree struct {
	sync.Mutex
	nodes []node
	most  int
	root  game.State // where nodes[0] stands
	hero  int        // whose search it was
}

// monteCarlo grows a tree until the limits are reached.
func (w *Search) monteCarlo(moves []game.Move) Answer {
	w.replant()
	endless := w.limit == 0 && w.time == 0 && w.ctx.Done() == nil
	w.playouts(func(int) (more bool) { return !endless })
	return w.chosen(moves)
}

// playouts grows the tree by all threads, as long as after one more of the first thread
// there are to be more.
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

// replant makes the current position the root, with what the last search knows of it, and
// gives it children.
func (w *Search) replant() {
	t := w.tree
	at := int32(-1)
	if t.root != nil && len(t.nodes) > 0 && (t.hero == w.hero || w.seats == 2) { // priors are the hero's
		at = w.find(t.root.Clone(), 0, w.s.String(), w.seats)
	}
	old := t.nodes
	t.nodes = make([]node, 0, 1024)
	t.root, t.hero = w.s.Clone(), w.hero
	if at < 0 {
		old, at = []node{{winner: undecided}}, 0
	}
	t.nodes = append(t.nodes, old[at])
	for i := 0; i < len(t.nodes); i++ {
		if n := &t.nodes[i]; n.child > 0 {
			first := n.child
			n.child = int32(len(t.nodes))
			t.nodes = append(t.nodes, old[first:first+int32(n.n)]...)
		}
	}
	if t.nodes[0].n == 0 && t.nodes[0].winner == undecided {
		w.branch()
		w.expand(0)
	}
}

// find looks for a position at most d plies behind a node.
func (w *Search) find(s game.State, at int32, text string, d int) int32 {
	if s.String() == text {
		return at
	}
	if d == 0 {
		return -1
	}
	n := w.tree.nodes[at]
	for c := n.child; c < n.child+int32(n.n); c++ {
		if child := &w.tree.nodes[c]; child.visits > 0 || child.winner != undecided {
			s.Make(child.move)
			found := w.find(s, c, text, d-1)
			s.Unmake()
			if found >= 0 {
				return found
			}
		}
	}
	return -1
}

// branch makes the children of the current position.
func (w *Search) branch() {
	w.moves, w.children = w.s.Moves(w.moves[:0]), w.children[:0]
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
		w.children = append(w.children, node{move: m, winner: undecided, prior: p})
	}
	for i := range w.children {
		w.children[i].prior /= sum
	}
}

// expand gives a node the children, if it has none and there is room.
func (w *Search) expand(at int32) {
	t := w.tree
	if t.nodes[at].n == 0 && (at == 0 || len(t.nodes)+len(w.children) <= t.most) {
		t.nodes[at].child, t.nodes[at].n = int32(len(t.nodes)), uint16(len(w.children))
		t.nodes = append(t.nodes, w.children...)
	}
}

// simulate goes down the tree, plays on for a while, adds to the tree, and notes on the way
// back what came of it. It reports whether the tree leaves the root open. A visit counts
// from the way down on: until it has a share, other threads rather go elsewhere.
func (w *Search) simulate() (open bool) {
	t := w.tree
	t.Lock()
	w.path = append(w.path[:0], 0)
	at := int32(0)
	for t.nodes[at].n > 0 && t.nodes[at].winner == undecided {
		next := w.sel(at)
		t.nodes[at].visits++
		at = next
		w.play(t.nodes[at].move)
		w.path = append(w.path, at)
	}
	t.nodes[at].visits++
	winner := t.nodes[at].winner
	t.Unlock()
	if winner == undecided {
		winner = w.over()
	}
	var share [maxSeats]float32
	if winner == undecided {
		w.branch()
		w.playout(&share)
	} else {
		w.won(winner, &share)
	}
	t.Lock()
	defer t.Unlock()
	if winner == undecided {
		w.expand(at)
	} else {
		t.nodes[at].winner = winner
	}
	for i := len(w.path) - 1; i > 0; i-- {
		n := &t.nodes[w.path[i]]
		w.back()
		mover := w.s.Seat()
		n.sum += share[mover]
		up := w.path[i-1]
		if n.winner != undecided && t.nodes[up].winner == undecided {
			if w.prove(up, mover, n); t.nodes[up].winner != undecided {
				w.won(t.nodes[up].winner, &share)
			}
		}
	}
	return t.nodes[0].winner == undecided
}

// over is who has won, tied where nobody has and the game is over, else undecided.
func (w *Search) over() int8 {
	r := w.s.Result()
	if r == game.Ongoing {
		return undecided
	}
	if seat, ok := r.Winner(); ok {
		return int8(seat)
	}
	return tied
}

// won writes the shares of a game that is decided.
func (w *Search) won(winner int8, share *[maxSeats]float32) {
	for seat := range w.seats {
		switch {
		case winner == tied:
			share[seat] = 1 / float32(w.seats)
		case seat == int(winner):
			share[seat] = 1
		default:
			share[seat] = 0
		}
	}
}

// prove passes a proof up to a node from one of its children: the mover takes a win of
// its own, and a win of another seat that no move prevents is its win.
func (w *Search) prove(at int32, mover int, child *node) {
	t := w.tree
	n := &t.nodes[at]
	if int(child.winner) == mover {
		n.winner, n.plies = child.winner, child.plies+1
		return
	}
	longest := uint16(0)
	for _, c := range t.nodes[n.child : n.child+int32(n.n)] {
		if c.winner != child.winner {
			return
		}
		longest = max(longest, c.plies)
	}
	n.winner, n.plies = child.winner, longest+1
}

// sel chooses a child: by the shares that its mover has won there and by its prior, as
// in PUCT (Rosin 2011). One that is proved to be another's win is for when nothing
// else is left.
func (w *Search) sel(at int32) int32 {
	t := w.tree
	n := &t.nodes[at]
	mover := int8(w.s.Seat())
	wide := explore * math.Sqrt(float64(n.visits+1)) // so that priors decide on the first
	mean := 0.0
	for _, c := range t.nodes[n.child : n.child+int32(n.n)] {
		mean += float64(c.sum)
	}
	mean = mean/float64(max(1, n.visits)) - reduction
	best, found := math.Inf(-1), n.child
	for c := n.child; c < n.child+int32(n.n); c++ {
		x := &t.nodes[c]
		if x.winner != undecided && x.winner != mover && x.winner != tied {
			if best < -1 { // of these, the one that was seen least
				if v := -2 - float64(x.visits); v > best {
					best, found = v, c
				}
			}
			continue
		}
		q := mean
		if x.visits > 0 {
			q = float64(x.sum) / float64(x.visits)
		}
		if v := q + wide*float64(x.prior)/float64(1+x.visits); v > best {
			best, found = v, c
		}
	}
	return found
}

// playout plays on, mostly by gain, and shares the win out by what it then costs each
// seat. It ends so many rounds from the root, or a round and what is missing to a whole
// one from a leaf that is deeper: then all have made as many turns.
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

// expect shares a win out by what it still costs each seat.
func (w *Search) expect(share *[maxSeats]float32) {
	var costs [maxSeats]int32
	w.e.Costs(w.s, costs[:w.seats])
	for k := 1; k < w.seats && w.exact; k++ { // who is to move later has farther to go
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

// chosen returns the child of the root to play: a win that is proved, the soonest; else
// the one visited most of those that are not proved to be another's, and where all are,
// the one that lasts longest.
func (w *Search) chosen(moves []game.Move) Answer {
	t := w.tree
	root := &t.nodes[0]
	a := Answer{Move: moves[0], Score: 0}
	rank := func(c *node) (band int, within float64) {
		switch {
		case int(c.winner) == w.hero:
			return 3, -float64(c.plies)
		case c.winner == undecided || c.winner == tied:
			return 2, float64(c.visits) + float64(c.prior)
		}
		return 1, float64(c.plies)
	}
	top, most := 0, 0.0
	for i := root.child; i < root.child+int32(root.n); i++ {
		c := &t.nodes[i]
		if int(c.winner) != w.hero && !slices.Contains(moves, c.move) {
			continue
		}
		if band, within := rank(c); band > top || band == top && within > most {
			top, most, a.Move = band, within, c.move
			if c.visits > 0 {
				a.Score = int32(1000 * c.sum / float32(c.visits))
			}
		}
	}
	switch {
	case root.winner == undecided || root.winner == tied:
	case int(root.winner) == w.hero:
		a.Value, a.Distance = game.Win, int(root.plies)
	default:
		a.Value, a.Distance = game.Loss, int(root.plies)
	}
	return a
}
