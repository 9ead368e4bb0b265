package equilibrium

import (
	"perfectplay/bitboard"
	"perfectplay/game/domino"
)

// pips returns the pips of all hands of k tiles of a set.
func (w *walker[V, S]) pips(set domino.Set, k int) []V {
	number := w.take(set.Len())[:0]
	for rest := set; rest != 0; rest = rest.DropMin() {
		number = append(number, V(rest.Min().Pips()))
	}
	return spread(w.take(peak(len(number), k)), number, k)
}

// onto converts numbers by tile of from into numbers by tile of set. Tiles that from lacks get 0.
func (w *walker[V, S]) onto(set, from domino.Set, number []V) []V {
	list := w.take(set.Len())[:0]
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
	if s.Mover == w.me {
		k := int(s.Size[you])
		left := w.take(peak(theirs.Len(), k))
		total := V(0)
		for h, p := range w.pips(theirs, k) {
			left[h] = p * reach[h]
			total += left[h]
		}
		sum := w.take(theirs.Len())
		gather(sum, left, k)
		for rest := s.moves(); rest != 0; rest = rest.DropMin() {
			t, v := rest.Min(), total
			if theirs.Has(t) {
				v -= sum[at(theirs, t)]
			}
			out[at(mine, t)] = v
		}
		if canPass {
			worth := w.take(len(stuck.hands))
			w.after(&stuck, reach, worth)
			for c, h := range stuck.hands {
				out[h] = worth[c]
			}
		}
		return
	}
	if moves := s.moves(); moves != 0 {
		playing := w.take(theirs.Len())
		clear(playing)
		total := V(0)
		for rest := moves; rest != 0; rest = rest.DropMin() {
			i := at(theirs, rest.Min())
			playing[i] = reach[i]
			total += reach[i]
		}
		k := int(s.Size[w.me])
		meet := spread(w.take(peak(mine.Len(), k)), w.onto(mine, theirs, playing), k)
		for h, p := range w.pips(mine, k) {
			out[h] = -p * (total - meet[h])
		}
	}
	if canPass {
		worth := w.take(len(out))
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
	pips := w.take(len(reach))
	for h, p := range w.pips(theirs, l) {
		pips[h] = p * reach[h]
	}
	w.disjoint(mine, theirs, k, l, pips, out)
	hands := w.take(len(out))
	w.disjoint(mine, theirs, k, l, reach, hands)
	for h, p := range w.pips(mine, k) {
		out[h] -= p * hands[h]
	}
	w.release(vectors)
}

// disjoint fills out, for each hand of k tiles of mine, with the sum of v over the hands of l tiles
// of theirs that share no tile with the hand.
func (w *walker[V, S]) disjoint(mine, theirs domino.Set, k, l int, v, out []V) {
	total := V(0)
	for _, x := range v {
		total += x
	}
	switch {
	case l == 1:
		meet := spread(w.take(peak(mine.Len(), k)), w.onto(mine, theirs, v), k)
		for h, x := range meet {
			out[h] = total - x
		}
	case k == 1:
		lost := w.take(peak(theirs.Len(), l))
		copy(lost, v)
		sum := w.take(theirs.Len())
		gather(sum, lost, l)
		for i, x := range w.onto(mine, theirs, sum) {
			out[i] = total - x
		}
	default:
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
			w.release(vectors)
		}
	}
}

// blockedPairs does the work of blocked by OpenSpiel's rules, one pair of hands at a time.
func blockedPairs[V real](mine, theirs domino.Set, k, l int, reach, out []V) {
	for h, a := 0, domino.Set(1)<<k-1; h < len(out); h, a = h+1, a.Next() {
		own := domino.Set(bitboard.Deposit64(uint64(a), uint64(mine)))
		out[h] = 0
		for g, b := 0, domino.Set(1)<<l-1; g < len(reach); g, b = g+1, b.Next() {
			if other := domino.Set(bitboard.Deposit64(uint64(b), uint64(theirs))); other&own == 0 {
				out[h] += reach[g] * V(OpenSpiel.score(own.Pips(), other.Pips()))
			}
		}
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
		e := &list[i]
		left := s.Allowed[w.me].Without(e.tile)
		gone := r[e.tile&31]
		R := all - gone
		for _, ends := range e.ends[:e.ways] {
			fit := domino.WithNumber(int(ends[0])) | domino.WithNumber(int(ends[1]))
			F, fitPips := byNumber[ends[0]], pipsBy[ends[0]]
			if ends[0] != ends[1] {
				both := domino.NewTile(int(ends[0]), int(ends[1]))
				F += byNumber[ends[1]] - r[both&31]
				fitPips += pipsBy[ends[1]] - r[both&31]*V(both.Pips())
			}
			without := pips - fitPips
			if fit.Has(e.tile) {
				F -= gone
			} else {
				without -= gone * V(e.tile.Pips())
			}
			c := 0
			for rest := left; rest != 0; rest = rest.DropMin() {
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
}

// pairsStuckOwn fills out for own hands of two tiles that cannot play.
func (w *walker[V, S]) pairsStuckOwn(s *State, stuck *passing, reach, out []V) {
	theirs, mine := s.Allowed[w.me^1], stuck.next.Allowed[w.me]
	fits := s.fits()
	all, without := V(0), V(0)
	c := 0
	for rest := theirs; rest != 0; rest = rest.DropMin() {
		t := rest.Min()
		all += reach[c]
		if !fits.Has(t) {
			without += reach[c] * V(t.Pips())
		}
		c++
	}
	r := w.onto(mine, theirs, reach)
	pips := w.pips(mine, 1)
	c = 0
	for j := range r {
		for i := range j {
			out[stuck.hands[c]] = without - r[i]*pips[i] - r[j]*pips[j] - (pips[i]+pips[j])*(all-r[i]-r[j])
			c++
		}
	}
}

// pairsOther adds to out the values of the own tile after the other seat has played one of its two
// tiles.
func (w *walker[V, S]) pairsOther(s *State, list []edge, from int, scale, even, out []V) {
	mine := s.Allowed[w.me]
	theirs := s.Allowed[w.me^1]
	var r [32]V // reach by tile
	block := w.weights[from:]
	for i := range list {
		e := &list[i]
		left := theirs.Without(e.tile)
		r[e.tile&31] = 0
		for _, ends := range e.ends[:e.ways] {
			fit := domino.WithNumber(int(ends[0])) | domino.WithNumber(int(ends[1]))
			all, pips, without := V(0), V(0), V(0)
			rest := left
			for c, h := range e.with {
				v := V(block[c]) * scale[h]
				if even != nil {
					v += even[h] * scale[h]
				}
				t := rest.Min()
				rest = rest.DropMin()
				r[t&31] = v
				p := v * V(t.Pips())
				all += v
				pips += p
				if !fit.Has(t) {
					without += p
				}
				if w.sums != nil && w.pass != combine {
					w.sums[from+c] += S(w.gain * v)
				}
			}
			from, block = from+len(e.with), block[len(e.with):]
			if all == 0 {
				continue
			}
			c := 0
			for rest := mine; rest != 0; rest = rest.DropMin() {
				u := rest.Min()
				switch {
				case u == e.tile:
				case fit.Has(u):
					out[c] += pips - r[u&31]*V(u.Pips())
				default:
					out[c] += without - V(u.Pips())*all
				}
				c++
			}
		}
	}
}

// pairsStuckOther adds to out the values of the own tile against hands of two tiles that cannot
// play.
func (w *walker[V, S]) pairsStuckOther(s *State, stuck *passing, reach, out []V) {
	mine, theirs := s.Allowed[w.me], stuck.next.Allowed[w.me^1]
	fits := s.fits()
	number := w.pips(theirs, 1)
	hands, pips := w.take(len(number)), w.take(len(number)) // sums over the hands with each tile
	clear(hands)
	clear(pips)
	all, total := V(0), V(0)
	c := 0
	for j := range number {
		for i := range j {
			v := reach[stuck.hands[c]]
			p := v * (number[i] + number[j])
			all += v
			total += p
			hands[i] += v
			hands[j] += v
			pips[i] += p
			pips[j] += p
			c++
		}
	}
	c = 0
	for rest := mine; rest != 0; rest = rest.DropMin() {
		u := rest.Min()
		switch {
		case fits.Has(u):
			out[c] += total
		case theirs.Has(u):
			i := at(theirs, u)
			out[c] += total - pips[i] - V(u.Pips())*(all-hands[i])
		default:
			out[c] += total - V(u.Pips())*all
		}
		c++
	}
}
