package retro

import (
	"context"
	"fmt"
	"math/rand/v2"

	"perfectplay/game"
)

// samples holds positions to compare others of the same key with.
type samples struct {
	of    map[uint32]*sample
	bytes uint64
}

type sample struct {
	text string
	left int // comparisons left
}

const (
	mostSamples = 1 << 16
	// compared is the number of positions of a key that are compared with its first one.
	compared = 4
)

// add takes a position as a sample, up to mostSamples.
func (s *samples) add(n uint32, text string) {
	if s.of == nil {
		s.of = map[uint32]*sample{}
	}
	if len(s.of) < mostSamples {
		s.of[n] = &sample{text, compared}
		s.bytes += uint64(len(text)) + 128
	}
}

// wants says whether to compare a position with the sample of its number.
func (s *samples) wants(n uint32, text string) bool {
	of := s.of[n]
	if of == nil || of.left == 0 || of.text == text {
		return false
	}
	of.left--
	return true
}

// unlikeError says that two positions share a key but differ.
type unlikeError struct {
	n                uint32
	here, there, why string
}

func (e *unlikeError) Error() string {
	return fmt.Sprintf("positions %s and %s share a key, and are not alike: %s", e.there, e.here, e.why)
}

// words describes a result.
func words(r game.Result) string {
	w, won := r.Winner()
	switch {
	case won:
		return fmt.Sprintf("a win of seat %d", w)
	case r == game.Drawn:
		return "a draw"
	}
	return "open"
}

// alike compares the current position with the sample of its number: their moves must lead to
// positions of the same keys.
func (x *explorer) alike(s game.State, n uint32) error {
	there := x.samples.of[n].text
	other, err := x.game.Parse(there)
	if err != nil {
		return fmt.Errorf("position %s does not read back: %w", there, err)
	}
	if why := difference(other, s); why != "" {
		return &unlikeError{n: n, here: s.String(), there: there, why: why}
	}
	return nil
}

// difference says how the moves of two positions differ, and is empty if they do not.
func difference(first, second game.State) string {
	if a, b := len(first.Moves(nil)), len(second.Moves(nil)); a != b {
		return fmt.Sprintf("the first has %d moves, the second %d", a, b)
	}
	if move, same := parts(first, second, keyOf); !same {
		return fmt.Sprintf("after %s the first has a key that no move of the second leads to", move)
	}
	return ""
}

// The number of random games of [explorer.play], and the limit of their positions in all.
const (
	played     = 256
	playedMost = 1 << 14
)

// play plays random games, without regard to positions already found. Each position reached must be
// among the positions found, and equal the first one of its key. The walk continues from only one
// of two positions with a key, so where keys are wrong it never sees the moves of the other.
func (x *explorer) play(ctx context.Context) (err error) {
	s := x.game.Start()
	defer game.Guard(&err, x.game, s)
	rng := rand.New(rand.NewPCG(1, 2))
	var moves []game.Move
	for games, left := 0, playedMost; games < played && left > 0 && ctx.Err() == nil; games++ {
		made, before := 0, uint32(0)
		for ; left > 0; left-- {
			n, ok := x.keys.find(s)
			if !ok {
				here := s.String()
				s.Unmake()
				return &unlikeError{n: before, here: s.String(), why: "the second leads to " + here + ", whose key nothing has that the first leads to"}
			}
			if err := x.again(s, n); err != nil {
				return err
			}
			if moves = s.Moves(moves[:0]); len(moves) != int(x.degree[n]) {
				return &unlikeError{n: n, here: s.String(), why: fmt.Sprintf("the first has %d moves, the second %d", x.degree[n], len(moves))}
			}
			if len(moves) == 0 {
				break
			}
			before = n
			s.Make(moves[rng.IntN(len(moves))])
			made++
		}
		for range made {
			s.Unmake()
		}
	}
	return nil
}

// parts compares the positions after the moves of two positions by a property of. If they differ it
// returns a move of the first whose property no move of the second has.
func parts[K comparable](a, b game.State, of func(game.State) K) (move string, same bool) {
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

// keyOf returns the key of a position.
func keyOf(s game.State) (key [6]uint64) {
	k := s.(game.Keyer)
	k.Key(key[:k.KeyWords()])
	return key
}
