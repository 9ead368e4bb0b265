package equilibrium

import (
	"perfectplay/game/domino"
)

// pips returns the pips of all hands of k tiles of a set.
func (w *walker[V, S]) pips(set domino.Set, k int) []V {
	number := w.vectors.take(set.Len())[:0]
	for rest := set; rest != 0; rest = rest.DropMin() {
		number = append(number, V(rest.Min().Pips()))
	}
	return spread(w.vectors.take(peak(len(number), k)), number, k)
}

// onto converts numbers by tile of from into numbers by tile of set. Tiles that from lacks get 0.
func (w *walker[V, S]) onto(set, from domino.Set, number []V) []V {
	list := w.vectors.take(set.Len())[:0]
	for rest := set; rest != 0; rest = rest.DropMin() {
		v := V(0)
		if t := rest.Min(); from.Has(t) {
			v = number[at(from, t)]
		}
		list = append(list, v)
	}
	return list
}

// single does the work of visit for a mover with one tile. Playing this tile ends the deal.
func (w *walker[V, S]) single(s *State, reach, out []V) {
	w.state++
	stuck, canPass := w.passes(s)
	you := w.me ^ 1
	mine, theirs := s.Allowed[w.me], s.Allowed[you]
	clear(out)
	moves := s.moves()
	if s.Mover == w.me {
		l := int(s.Size[you])
		left := w.vectors.take(len(reach))
		for h, p := range w.pips(theirs, l) {
			left[h] = p * reach[h]
		}
		worth := w.vectors.take(moves.Len())
		w.disjoint(moves, theirs, 1, l, left, worth)
		for c, rest := 0, moves; rest != 0; c, rest = c+1, rest.DropMin() {
			out[at(mine, rest.Min())] = worth[c]
		}
		if canPass {
			worth := w.vectors.take(len(stuck.hands))
			w.after(&stuck, reach, worth)
			for c, h := range stuck.hands {
				out[h] = worth[c]
			}
		}
		return
	}
	if moves != 0 {
		playing := w.vectors.take(theirs.Len())
		clear(playing)
		for rest := moves; rest != 0; rest = rest.DropMin() {
			i := at(theirs, rest.Min())
			playing[i] = reach[i]
		}
		k := int(s.Size[w.me])
		w.disjoint(mine, theirs, k, 1, playing, out)
		for h, p := range w.pips(mine, k) {
			out[h] *= -p
		}
	}
	if canPass {
		worth := w.vectors.take(len(out))
		w.after(&stuck, w.pick(reach, stuck.hands), worth)
		for h, v := range worth {
			out[h] += v
		}
	}
}

// blocked fills out with the values of the own hands if neither seat can play.
func (w *walker[V, S]) blocked(s *State, reach, out []V) {
	vectors := w.vectors
	mine, theirs := s.Allowed[w.me], s.Allowed[w.me^1]
	k, l := int(s.Size[w.me]), int(s.Size[w.me^1])
	if w.rules == OpenSpiel {
		blockedPairs(mine, theirs, k, l, reach, out)
		return
	}
	pips := w.vectors.take(len(reach))
	for h, p := range w.pips(theirs, l) {
		pips[h] = p * reach[h]
	}
	w.disjoint(mine, theirs, k, l, pips, out)
	hands := w.vectors.take(len(out))
	w.disjoint(mine, theirs, k, l, reach, hands)
	for h, p := range w.pips(mine, k) {
		out[h] -= p * hands[h]
	}
	w.vectors.release(vectors)
}

// disjoint fills out, for each hand of k tiles of mine, with the sum of v over the hands of l tiles
// of theirs that share no tile with the hand.
func (w *walker[V, S]) disjoint(mine, theirs domino.Set, k, l int, v, out []V) {
	total := V(0)
	for _, x := range v {
		total += x
	}
	switch {
	case k == 0:
		out[0] = total
		return
	case l == 1: // a sum over tiles instead of hands
		for h, x := range spread(w.vectors.take(peak(mine.Len(), k)), w.onto(mine, theirs, v), k) {
			out[h] = total - x
		}
		return
	}
	// Hands with the highest tile t: the other seat's hands lack t.
	for rest := mine; rest.Len() >= k; {
		t := rest.Max()
		rest = rest.Without(t)
		from, n := int(binomial[k][rest.Len()]), int(binomial[k-1][rest.Len()])
		block, vectors := out[from:from+n], w.vectors
		switch {
		case !theirs.Has(t):
			w.disjoint(rest, theirs, k-1, l, v, block)
		case theirs.Len() == l:
			clear(block)
		default:
			without := w.hands[l][theirs.Len()].without[at(theirs, t)]
			w.disjoint(rest, theirs.Without(t), k-1, l, w.pick(v, without), block)
		}
		w.vectors.release(vectors)
	}
}

// blockedPairs does the work of blocked by OpenSpiel's rules, one pair of hands at a time.
func blockedPairs[V real](mine, theirs domino.Set, k, l int, reach, out []V) {
	clear(out)
	h := 0
	for own := range mine.Subsets(k) {
		g := 0
		for other := range theirs.Subsets(l) {
			if other&own == 0 {
				out[h] += reach[g] * V(OpenSpiel.score(own.Pips(), other.Pips()))
			}
			g++
		}
		h++
	}
}

// score is the score of a deal for a seat, by the pips left in its own hand and in the other hand.
func (r Rules) score(own, other int) int {
	switch {
	case r == Study:
		return other - own
	case own < other:
		return other
	case own > other:
		return -own
	}
	return 0
}

// By the study's rules, deals in which the mover has two tiles and the other seat one are evaluated
// in closed form. After the mover has played one tile, the other seat wins if its tile fits, else
// the mover if its last tile fits; else the deal is blocked. Neither seat has a choice. With r(u)
// as the reach of the other seat's tile u, R their sum, and F the tiles that fit the new ends, the
// mover's last tile t is worth
//
//	Σ r(u)·pips(u) over u not in F  −  pips(t)·(R, or Σ r(u) over u in F but t if t is in F)
//
// With reaches of the mover's tile t, the other seat's tile u is worth
//
//	u in F: Σ r(t)·pips(t) over t but u;   otherwise: Σ r(t)·pips(t) over t not in F  −  pips(u)·R.
//
// Pairs of the same tile add nothing, since both their pips and their reach are equal.

// pairsOwn fills worth with the values of the moves of the own seat, which has two tiles.
func (w *walker[V, S]) pairsOwn(s *State, list []edge, reach, worth []V) {
	theirs := s.Allowed[w.me^1]
	var r [32]V                            // reach by tile
	var byNumber, pipsBy [domino.Numbers]V // sums over the tiles with a number
	all, pips := V(0), V(0)
	c := 0
	for rest := theirs; rest != 0; rest = rest.DropMin() {
		t := rest.Min()
		v := reach[c]
		c++
		r[t&31] = v
		p := v * V(t.Pips())
		all += v
		pips += p
		x, y := t.Low(), t.High()
		byNumber[x] += v
		pipsBy[x] += p
		if x != y {
			byNumber[y] += v
			pipsBy[y] += p
		}
	}
	for i := range list {
		tile, next := list[i].move.Tile(), &list[i].next
		gone := r[tile&31]
		R := all - gone
		fit := next.fits()
		F, fitPips := byNumber[next.Left], pipsBy[next.Left]
		if next.Left != next.Right {
			both := domino.NewTile(int(next.Left), int(next.Right))
			F += byNumber[next.Right] - r[both&31]
			fitPips += pipsBy[next.Right] - r[both&31]*V(both.Pips())
		}
		without := pips - fitPips
		if fit.Has(tile) {
			F -= gone
		} else {
			without -= gone * V(tile.Pips())
		}
		c := 0
		for rest := next.Allowed[w.me]; rest != 0; rest = rest.DropMin() {
			t := rest.Min()
			lose := R
			if fit.Has(t) {
				lose = F - r[t&31]
			}
			worth[c] = without - V(t.Pips())*lose
			c++
		}
		worth = worth[c:]
	}
}

// pairsOther adds to out the values of the own tile after the other seat has played one of its two
// tiles.
func (w *walker[V, S]) pairsOther(s *State, list []edge, shares, out []V) {
	var r [32]V // reach by tile
	for i := range list {
		e := &list[i]
		r[e.move.Tile()&31] = 0
		fit := e.next.fits()
		all, pips, without := V(0), V(0), V(0)
		rest := e.next.Allowed[w.me^1]
		for _, v := range shares[:len(e.with)] {
			t := rest.Min()
			rest = rest.DropMin()
			r[t&31] = v
			p := v * V(t.Pips())
			all += v
			pips += p
			if !fit.Has(t) {
				without += p
			}
		}
		shares = shares[len(e.with):]
		if all == 0 {
			continue
		}
		c := 0
		for rest := s.Allowed[w.me]; rest != 0; rest = rest.DropMin() {
			u := rest.Min()
			switch {
			case u == e.move.Tile():
			case fit.Has(u):
				out[c] += pips - r[u&31]*V(u.Pips())
			default:
				out[c] += without - V(u.Pips())*all
			}
			c++
		}
	}
}
