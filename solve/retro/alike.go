package retro

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"perfectplay/game"
	"perfectplay/internal/contract"
)

// samples are positions to compare with others of the same key.
type samples struct {
	of    map[uint32]*sample
	bytes uint64
}

type sample struct {
	text string
	rank int // rank of the result, see [contract.Rank]
	left int // comparisons that are still to be made
}

const (
	mostSamples = 1 << 16
	compared    = 4 // number of positions of a key that are compared with its first position
)

// sampled says whether the position of a number is checked closely.
func (s *samples) sampled(n uint32) bool { return n < 1<<10 || n%64 == 0 }

// meet checks the current position, the first of its number, and keeps it as a sample.
func (x *explorer) meet(n uint32) error {
	var key, back [maxWords]uint64
	x.key(n, key[:])
	if x.keyer.Key(back[:x.words]); key != back {
		return fmt.Errorf("position %s has another key than the move to it said: the key depends on the way there, or NextKey is wrong", x.state)
	}
	if err := compare(x.game, x.state); err != nil || len(x.samples.of) == mostSamples {
		return err
	}
	if x.samples.of == nil {
		x.samples.of = map[uint32]*sample{}
	}
	text := x.state.String()
	x.samples.of[n] = &sample{text, contract.Rank(x.state, x.seats), compared}
	x.samples.bytes += uint64(len(text)) + 128
	return nil
}

// again compares a position with the sample of its number, if there is one.
func (x *explorer) again(s game.State, n uint32) error {
	of := x.samples.of[n]
	if of == nil {
		return nil
	}
	text := s.String()
	if text == of.text && contract.Rank(s, x.seats) == of.rank || of.left == 0 {
		return nil
	}
	of.left--
	return x.alike(s, of.text)
}

// unlike says that two positions share a key but differ.
func unlike(there, here, why string) error {
	return fmt.Errorf("positions %s and %s share a key, and are not alike: %s", there, here, why)
}

// alike compares a position with the text of the first position that has its number.
func (x *explorer) alike(s game.State, first string) error {
	other, err := x.game.Parse(first)
	if err != nil {
		return fmt.Errorf("position %s does not read back: %w", first, err)
	}
	if why := difference(x.game, other, s); why != "" {
		return unlike(first, s.String(), why)
	}
	return nil
}

// difference says how the results or the moves of two positions differ, and is empty if they do not.
func difference(g game.Game, first, second game.State) string {
	if seats := g.Seats(); contract.Rank(first, seats) != contract.Rank(second, seats) || seats != 2 && first.Seat() != second.Seat() {
		return fmt.Sprintf("the first is %s with seat %d to move, the second %s with seat %d", words(first.Result()), first.Seat(), words(second.Result()), second.Seat())
	}
	if a, b := len(first.Moves(nil)), len(second.Moves(nil)); a != b {
		return fmt.Sprintf("the first has %d moves, the second %d", a, b)
	}
	if move, same := contract.SameReplies(first, second, contract.Key); !same {
		return fmt.Sprintf("after %s the first has a key that no move of the second leads to", move)
	}
	return ""
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

// randomGames plays random games, at most 256 with the given number of positions in all. It calls
// look with each position.
func randomGames(ctx context.Context, g game.Game, positions uint64, look func(s game.State) error) (err error) {
	s := g.Start()
	defer game.Guard(&err, g, s)
	rng := rand.New(rand.NewPCG(1, 2))
	var moves []game.Move
	for games := 0; games < 256 && positions > 0 && ctx.Err() == nil; games++ {
		made := 0
		for ; positions > 0; positions-- {
			if err := look(s); err != nil {
				return err
			}
			if moves = s.Moves(moves[:0]); len(moves) == 0 {
				break
			}
			s.Make(moves[rng.IntN(len(moves))])
			made++
		}
		for range made {
			s.Unmake()
		}
	}
	return ctx.Err()
}

// played is the largest number of positions that random games visit.
const played = 1 << 14

// games plays random games. Each position reached must be among those found, and must have the
// value that follows from its replies. The solver visits only one position of each key, so with
// wrong keys it would miss the moves of the other positions.
func (x *explorer) games(ctx context.Context) error {
	before := uint32(0)
	return randomGames(ctx, x.game, played, func(s game.State) error {
		n, ok := x.number(s)
		if !ok {
			here := s.String()
			s.Unmake()
			return unlike(x.first(before), s.String(), "the second leads to "+here+", whose key nothing has that the first leads to")
		}
		before = n
		if err := x.again(s, n); err != nil {
			return err
		}
		if x.follows(s, n) {
			return nil
		}
		first := x.first(n)
		return cmp.Or(x.alike(s, first), unlike(first, s.String(), "their replies have other values"))
	})
}

// follows says whether the value of a position follows from the values of its replies. It ignores
// moves to keys that were not found.
func (x *explorer) follows(s game.State, n uint32) bool {
	seat, result := s.Seat(), s.Result()
	best := make([]int16, x.layers)
	for l := range best {
		if best[l] = unsolved; result != game.Ongoing {
			best[l] = x.final(l, seat, result)
		}
	}
	for _, m := range s.Moves(nil) {
		s.Make(m)
		to, ok := x.number(s)
		s.Unmake()
		for l := range best {
			if ok {
				best[l] = max(best[l], x.ahead(l, seat, x.score(to, l)))
			}
		}
	}
	for l := range best {
		if best[l] != x.score(n, l) {
			return false
		}
	}
	return true
}

// compare reads a position back from its text; both must have the same key, result and moves.
func compare(g game.Game, at game.State) error {
	text := at.String()
	s, err := g.Parse(text)
	if err != nil {
		return fmt.Errorf("position %s does not read back: %w", text, err)
	}
	if !contract.SameKey(s, at) {
		return fmt.Errorf("position %s has another key when it is read from its text: the key depends on the way there", text)
	}
	if s.Result() != at.Result() || s.Seat() != at.Seat() {
		return fmt.Errorf("position %s has result %d, and %d when it is read from its text, or another seat: the result depends on the way there", text, at.Result(), s.Result())
	}
	if s.Result() == game.Ongoing {
		if here, there := at.Moves(nil), s.Moves(nil); !slices.Equal(here, there) {
			return fmt.Errorf("position %s has %d moves, and %d when it is read from its text, or others: moves depend on the way there", text, len(here), len(there))
		}
	}
	return nil
}
