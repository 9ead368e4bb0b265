package armies

import "math/bits"

// decided enters into dst, for the row of the others' armies, with which seat i
// meets its win condition, whoever else does. armies[i] is the army of the seat i
// turns later as it stands on the board, armies[0] any. It reports whether that is
// all armies, dst then being left alone.
func (b *board) decided(kind, i int, armies []uint64, blocked uint64, dst []uint64) (whole bool) {
	k := &b.kinds[kind]
	goal := b.goal[(kind+i)%b.n]
	if !b.spec.Filled {
		if i > 0 {
			return armies[i]&^goal == 0
		}
		for j, x := range k.inGoal {
			dst[j] |= x
		}
		return false
	}
	if i > 0 && armies[i]&goal == 0 {
		return false
	}
	need := goal &^ blocked
	switch {
	case need == 0:
		return i > 0 // with i = 0 none of the goal is its own
	case need&^k.moves.open != 0 || bits.OnesCount64(need) > b.k:
		return false
	}
	for j := range dst {
		x := ^uint64(0)
		for n := need; n != 0; n &= n - 1 {
			x &= k.with[bits.TrailingZeros64(n)][j]
		}
		dst[j] |= x
	}
	return false
}

// over enters into dst with which armies a position of a row is over. It reports
// whether that is all, dst then being left alone.
func (b *board) over(kind int, armies []uint64, blocked uint64, dst []uint64) (whole bool) {
	for i := range b.n {
		if b.decided(kind, i, armies, blocked, dst) {
			return true
		}
	}
	return false
}

// won enters into dst with which armies a position of a row is won by a seat of
// wins: of the seats that meet their condition the one that moved last has won,
// then the first in turn order. unclaimed and scratch are scratch rows.
func (b *board) won(at node, armies []uint64, blocked uint64, dst, unclaimed, scratch []uint64) {
	k := &b.kinds[at.kind]
	b.free(k, blocked, unclaimed)
	for step := range b.n {
		i := (step + b.n - 1) % b.n
		clear(scratch)
		whole := b.decided(at.kind, i, armies, blocked, scratch)
		for j := range dst {
			x := unclaimed[j]
			if !whole {
				x &= scratch[j]
			}
			unclaimed[j] &^= x
			if at.Wins>>i&1 != 0 {
				dst[j] |= x
			}
		}
	}
}

// free sets dst to the armies that leave the pieces blocked alone.
func (b *board) free(k *kind, blocked uint64, dst []uint64) {
	for j := range dst {
		dst[j] = ^uint64(0)
	}
	if extra := len(k.army) & 63; extra != 0 {
		dst[len(dst)-1] = 1<<extra - 1
	}
	for x := blocked & k.moves.open; x != 0; x &= x - 1 {
		for j, with := range k.with[bits.TrailingZeros64(x)] {
			dst[j] &^= with
		}
	}
}
