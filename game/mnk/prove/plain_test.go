package prove

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// plain follows a strategy by the rules of package mnk alone, without zones or memory.
type plain struct {
	ctx     context.Context
	claim   Claim
	s       Strategy
	seen    map[[4]uint64]bool               // nil: no position is remembered
	replies func(s mnk.Position) []game.Move // the other side's moves to try
	windows [][]int
	cells   int
	n       Checked
}

func newPlain(ctx context.Context, g *mnk.Game, claim Claim, s Strategy) *plain {
	return &plain{ctx: ctx, claim: claim, s: s, windows: listWindows(g.Rows(), g.Cols(), g.K()), cells: g.Cells()}
}

func (c *plain) fail(s mnk.Position, format string, args ...any) error {
	return fmt.Errorf("%w: at %s: %s", ErrRefuted, s, fmt.Sprintf(format, args...))
}

// walk follows the strategy from a position to the ends of the games.
func (c *plain) walk(s mnk.Position) error {
	if r := s.Result(); r != game.Ongoing {
		c.n.Ends++
		if w, _ := r.Winner(); (r >= 0 && w == c.claim.Attacker) != c.claim.Win {
			return c.fail(s, "the game ends with result %d", r)
		}
		return nil
	}
	if c.seen != nil {
		var key [4]uint64
		s.Key(key[:])
		if c.seen[key] {
			return nil
		}
		c.seen[key] = true
	}
	c.n.Positions++
	if c.n.Positions%1024 == 1 && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	x, o := s.Stones()
	a, ok := c.s.Answer(x, o, s.Seat())
	if ok && a.Move < 0 {
		c.n.Claims++
		return c.holds(s, a.Pairs)
	}
	if s.Seat() == c.claim.side() {
		if !ok {
			return c.fail(s, "no answer")
		}
		if err := c.play(s, a.Move); err != nil {
			return err
		}
		defer s.Unmake()
		return c.walk(s)
	}
	for _, m := range c.replies(s) {
		s.Make(m)
		err := c.walk(s)
		s.Unmake()
		if err != nil {
			return err
		}
	}
	return nil
}

// play makes a strategy's move if it is legal.
func (c *plain) play(s mnk.Position, cell int) error {
	for _, m := range s.Moves(nil) {
		if int(m) == cell {
			s.Make(m)
			return nil
		}
	}
	return c.fail(s, "cell %d cannot be played", cell)
}

// holds checks a claim that the defender stops all windows. Pairs are disjoint and empty. A
// window weighs 2 to the power of minus its empty cells outside the pairs; the windows
// without a pair and without a defender's stone weigh less than 1/2 with the attacker to
// move, less than 1 with the defender.
func (c *plain) holds(s mnk.Position, pairs [][2]int) error {
	if c.claim.Win {
		return c.fail(s, "a claim of pairs cannot show a win")
	}
	stone := func(seat, cell int) bool { return int(s.At(cell)) == seat+1 }
	paired := map[int]int{}
	for i, p := range pairs {
		for _, cell := range p {
			if cell < 0 || cell >= c.cells || stone(0, cell) || stone(1, cell) {
				return c.fail(s, "pair %v is not empty", p)
			}
			if _, twice := paired[cell]; twice || p[0] == p[1] {
				return c.fail(s, "cell %d is in two pairs", cell)
			}
			paired[cell] = i
		}
	}
	sum, one := new(big.Rat), big.NewInt(1)
	for _, w := range c.windows {
		hit, left := false, uint(0)
		count := map[int]int{}
		for _, cell := range w {
			switch i, ok := paired[cell]; {
			case stone(1-c.claim.Attacker, cell):
				hit = true
			case ok:
				count[i]++
				hit = hit || count[i] == 2
			case !stone(c.claim.Attacker, cell):
				left++
			}
		}
		if !hit {
			sum.Add(sum, new(big.Rat).SetFrac(one, new(big.Int).Lsh(one, left)))
		}
	}
	limit := big.NewRat(1, 1)
	if s.Seat() == c.claim.Attacker {
		limit = big.NewRat(1, 2)
	}
	if sum.Cmp(limit) >= 0 {
		return c.fail(s, "the windows weigh %v, want less than %v", sum, limit)
	}
	return nil
}

// sample plays games of the strategy against random moves (often next to stones), and
// checks each game by the rules of package mnk.
func sample(ctx context.Context, g *mnk.Game, claim Claim, strategy Strategy, games int, rng *rand.Rand) (Checked, error) {
	c := newPlain(ctx, g, claim, strategy)
	c.replies = func(s mnk.Position) []game.Move {
		moves := s.Moves(nil)
		i := rng.IntN(len(moves))
		for range rng.IntN(5) {
			if j := rng.IntN(len(moves)); s.Gain(moves[j]) > s.Gain(moves[i]) {
				i = j
			}
		}
		return moves[i : i+1]
	}
	var err error
	for i := 0; i < games && err == nil; i++ {
		if err = ctx.Err(); err == nil {
			err = c.walk(g.Start().(mnk.Position))
		}
	}
	return c.n, ended(ctx, err)
}
