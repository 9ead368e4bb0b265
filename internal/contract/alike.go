package contract

import "perfectplay/game"

// Rank is the result of a position for the seat to move: the winner's distance in seats, or the
// result itself without a winner.
func Rank(s game.State, seats int) int {
	r := s.Result()
	if w, ok := r.Winner(); ok {
		return (w - s.Seat() + seats) % seats
	}
	return int(r)
}

// endAlike says whether positions may share a number because they end alike, see [game.Ending].
func endAlike(a, b game.State, seats int) bool {
	end := game.Ending(a, seats)
	return end >= 0 && end == game.Ending(b, seats) && Rank(a, seats) == Rank(b, seats)
}

// Key is the key of a position of a [game.Keyer], with zeros behind it.
func Key(s game.State) (key [6]uint64) {
	k := s.(game.Keyer)
	k.Key(key[:k.KeyWords()])
	return key
}

// SameKey says whether positions have the same key, or have no keys.
func SameKey(a, b game.State) bool {
	_, ok := a.(game.Keyer)
	return !ok || Key(a) == Key(b)
}

// SameReplies compares the replies of two positions by a property. If the replies differ it returns
// a move of the first position whose reply has no equal among the replies of the second.
func SameReplies[K comparable](a, b game.State, of func(game.State) K) (move string, same bool) {
	left := map[K]int{}
	for _, m := range b.Moves(nil) {
		b.Make(m)
		left[of(b)]++
		b.Unmake()
	}
	for _, m := range a.Moves(nil) {
		move = a.MoveString(m)
		a.Make(m)
		to := of(a)
		a.Unmake()
		if left[to]--; left[to] < 0 {
			return move, false
		}
	}
	return "", true
}
