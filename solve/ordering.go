package solve

import "perfectplay/game"

// Move ordering. A list's sort keys are made from classes of sources, one above
// the other; equals stay in order of generation. The best move is
// picked when it is needed, since most positions need few.

// A key is, from the top: table move, killers, gain, history, and the complement
// of the place in order of generation.
const (
	placeBits   = 20
	historyMax  = 1 << 12
	gainUnit    = historyMax << placeBits
	gainBound   = 1<<24 - 1
	killerKey   = int64(1) << 58
	tableKey    = int64(1) << 60
	placeMask   = 1<<placeBits - 1
	historyBits = 12
	historySize = 1 << historyBits
	historyMul  = 0x9e3779b1
)

// place is the place in order of generation of the move that has this key.
func place(key int64) int { return int(placeMask - key&placeMask) }

// spot is a move's place in the history tables.
func spot(m game.Move) uint32 { return uint32(m) * historyMul >> (32 - historyBits) }

// list appends the moves of the current position to the worker's stack, with
// their sort keys, and returns both. drop takes the list off the stack again.
func (w *worker) list(f *frame, first game.Move) (moves []game.Move, keys []int64, mark int) {
	mark = len(w.moves)
	w.moves = w.state.Moves(w.moves)
	moves = w.moves[mark:]
	for len(w.keys) < len(w.moves) {
		w.keys = append(w.keys, 0)
	}
	keys = w.keys[mark:len(w.moves)]
	seat := w.state.Seat()
	for i, m := range moves {
		var k int64
		if w.orderer != nil && m != game.Pass {
			k = int64(max(-gainBound, min(gainBound, w.orderer.Gain(m)))) * gainUnit
		}
		if w.order.History {
			k += int64(w.history[seat][spot(m)]) << placeBits
		}
		if w.order.Killers {
			if m == f.killers[0] {
				k += killerKey
			} else if m == f.killers[1] {
				k += killerKey / 2
			}
		}
		if m == first && w.order.Table {
			k = tableKey
		}
		keys[i] = k&^placeMask | int64(placeMask-i)
	}
	return moves, keys, mark
}

func (w *worker) drop(mark int) {
	w.moves = w.moves[:mark]
	w.keys = w.keys[:mark]
}

// pick moves the best of moves[i:] to i.
func pick(moves []game.Move, keys []int64, i int) game.Move {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if keys[j] > keys[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	keys[i], keys[best] = keys[best], keys[i]
	return moves[i]
}

// reward remembers that a move cut off with d plies left.
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
