package solve

import (
	"slices"

	"perfectplay/game"
)

// Move ordering. The table's move and killers come before anything is listed; then a move that
// wins at once; then the others by sort keys. Equal moves stay in order of generation. The first
// few are picked one by one, since most positions need no more; then the rest is sorted.

// A key is a move's rank negated, so the best move has the least key. From the highest bits down
// it consists of: the table's move, a win, killers, the sum of gain and history, and the place
// in order of generation.
const (
	placeBits   = 20
	historyMax  = 1 << 12
	gainUnit    = historyMax << placeBits
	gainBound   = 1<<24 - 1
	killerKey   = int64(1) << 58
	winKey      = int64(1) << 59
	tableKey    = int64(1) << 60
	placeMask   = 1<<placeBits - 1
	historyBits = 14
	historySize = 1 << historyBits
)

// Bits by which history is shifted relative to gain: at 12 a unit of history would weigh as much as
// a unit of gain. Under max^n gain decides among moves of little history.
const (
	historyLead     = 8
	historyLeadMaxN = 11
)

// pickedAlone is the number of moves picked before the rest is sorted.
const pickedAlone = 3

// place is the place of a key's move in order of generation.
func place(key int64) int { return int(key & placeMask) }

// spot is a move's index in the history tables. Moves of 14 bits, such as those between 128
// cells, have an index each.
func spot(m game.Move) uint32 { return uint32(m) & (historySize - 1) }

// rankAll returns the moves on the worker's stack from mark on with their sort keys; drop removes
// them. Moves already tried get no key. wins is as for iterate.
func (w *worker) rankAll(f *frame, first game.Move, tried *early, wins bool, mark int) (moves []game.Move, keys []int64) {
	seat := w.state.Seat()
	moves = w.moves[mark:]
	w.reserve(len(w.moves))
	keys = w.keys[mark:mark]
	alone := len(moves) == tried.n+1
	for i, m := range moves {
		var k int64
		switch {
		case tried.n > 0 && tried.has(m):
			continue
		case alone: // needs no rank
		case m == first && w.order.Table:
			k = tableKey
		case wins && w.wins(m, seat):
			k, wins = winKey, false
		default:
			k = w.rank(f, m, seat)
		}
		keys = append(keys, int64(i)-k)
	}
	return moves, keys
}

// reserve makes room for the keys and the addresses of n moves on the worker's stack.
func (w *worker) reserve(n int) {
	if n > len(w.keys) {
		w.keys = slices.Grow(w.keys, n-len(w.keys))
		w.keys = w.keys[:cap(w.keys)]
		w.addresses = append(w.addresses, make([]address, len(w.keys)-len(w.addresses))...)
	}
}

// rank is a move's rank by gain, killers and history; seat makes the move.
func (w *worker) rank(f *frame, m game.Move, seat int) (k int64) {
	if w.order.Gain && w.orderer != nil && m != game.Pass {
		k = int64(max(-gainBound, min(gainBound, w.orderer.Gain(m)))) * gainUnit
	}
	if w.order.History {
		k += int64(w.history[seat][spot(m)]) << w.lead
	}
	if w.order.Killers {
		if m == f.killers[0] {
			k += killerKey
		} else if m == f.killers[1] {
			k += killerKey / 2
		}
	}
	return k
}

func (w *worker) wins(m game.Move, seat int) bool {
	if w.finisher != nil {
		return w.finisher.Wins(m)
	}
	w.state.Make(m)
	r := w.state.Result()
	w.state.Unmake()
	return int(r) == seat
}

func (w *worker) drop(mark int) { w.moves = w.moves[:mark] }

// pick moves the best of keys[i:] to i and returns it. Call it with ascending i from 0 on.
func pick(keys []int64, i int) int64 {
	switch {
	case i < pickedAlone:
		best := i
		for j := i + 1; j < len(keys); j++ {
			if keys[j] < keys[best] {
				best = j
			}
		}
		keys[i], keys[best] = keys[best], keys[i]
	case i == pickedAlone:
		slices.Sort(keys[i:])
	}
	return keys[i]
}

func (w *worker) reward(f *frame, seat int, m game.Move, d int) {
	if w.order.Killers && f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if w.order.History {
		h := w.history[seat]
		p := &h[spot(m)]
		if *p += int16(min(d, 64)); *p >= historyMax {
			for i := range h {
				h[i] /= 2
			}
		}
	}
}
