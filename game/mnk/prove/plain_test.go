package prove

import (
	"context"
	"fmt"
	"math/rand/v2"

	"perfectplay/game"
	"perfectplay/game/mnk"
)

// plain follows a strategy by the rules of package mnk, without zones or memory. Claims of pairs and
// weights are checked by the checker, which TestCheckersAgree compares with another one.
type plain struct {
	ctx     context.Context
	claim   Claim
	s       Strategy
	board   *replay
	seen    map[[4]uint64]bool               // nil: no position is remembered
	replies func(s mnk.Position) []game.Move // the other side's moves to try
	n       Checked
}

func newPlain(ctx context.Context, g *mnk.Game, claim Claim, s Strategy) *plain {
	return &plain{ctx: ctx, claim: claim, s: s, board: newReplay(ctx, g, claim, nil)}
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
		_, err := c.board.holds(sidesOf(c.claim, x, o), s.Seat() == c.claim.side(), a.Pairs)
		return err
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
