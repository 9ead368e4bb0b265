// Package contract has checks of the contract of package game that its conformance suite and the
// solver of whole games share.
package contract

import (
	"fmt"
	"slices"

	"perfectplay/game"
)

const (
	some = 64      // number of moves of a position that are checked
	few  = 1 << 12 // most numbers of a game whose replies are all compared
)

// Numbers checks the numbers of a game's positions. It belongs to one goroutine.
type Numbers struct {
	game  game.Game
	by    game.Numberer
	seats int
	other game.State // visits other positions
	make  func(s game.State, m game.Move)
	back  func(s game.State)
}

// NewNumbers returns a check of a game that numbers its positions. It makes moves by make and takes
// them back by back.
func NewNumbers(g game.Game, move func(s game.State, m game.Move), back func(s game.State)) *Numbers {
	return &Numbers{g, game.NumbererOf(g), g.Seats(), g.Start(), move, back}
}

// Check checks a position: its number must be that of an equal position, as must those of the positions
// after its moves, and moves backwards must be the forward moves reversed. Of many moves it checks
// some.
func (c *Numbers) Check(s game.State) error {
	n := c.by.Number(s)
	if err := c.same("", s, n, false); err != nil {
		return err
	}
	var after []uint64
	var err error
	if s.Result() == game.Ongoing {
		after, err = c.moves(s, n)
	}
	unmover, unmoves := s.(game.Unmover)
	if err != nil || !unmoves || game.Ending(s, c.seats) >= 0 {
		return err
	}
	return c.before(s, n, after, unmover.Before(nil))
}

// moves checks the moves of a position, and some of the positions after them. It returns the numbers
// that the moves lead to.
func (c *Numbers) moves(s game.State, n uint64) (after []uint64, err error) {
	moves := s.Moves(nil)
	if counter, ok := s.(game.Counter); ok && counter.CountMoves() != len(moves) {
		return nil, fmt.Errorf("position %s has %d moves, and CountMoves says %d", s, len(moves), counter.CountMoves())
	}
	step := len(moves)/some + 1
	for i, m := range moves {
		name := ""
		if i%step == 0 {
			name = s.MoveString(m)
		}
		c.make(s, m)
		to := c.by.Number(s)
		after = append(after, to)
		if i%step == 0 {
			// Comparing all replies costs as much as all other checks.
			replies := c.by.Numbers() <= few && len(moves) <= some/4 || i == int(n)%len(moves)/step*step
			err = c.same(name, s, to, replies)
		}
		if c.back(s); err != nil {
			return nil, err
		}
	}
	if back := c.by.Number(s); back != n {
		return nil, fmt.Errorf("after its moves were made and taken back position %d has the number %d", n, back)
	}
	if f, ok := s.(game.Follower); ok && !slices.Equal(f.After(nil), after) {
		return nil, fmt.Errorf("the moves of %s lead to %v, and After says %v", s, after, f.After(nil))
	}
	return after, nil
}

// same compares a position, after the move name if there is one, with the position of its number.
func (c *Numbers) same(name string, s game.State, n uint64, replies bool) error {
	lead := func() string {
		if name == "" {
			return "its number"
		}
		return fmt.Sprintf("move %s leads to %s, whose number", name, s)
	}
	there := c.other
	switch {
	case n >= c.by.Numbers():
		return fmt.Errorf("%s is %d, there are %d", lead(), n, c.by.Numbers())
	case !c.by.At(there, n):
		return fmt.Errorf("%s %d is no position's", lead(), n)
	case c.by.Number(there) != n:
		return fmt.Errorf("%s %d is that of %s, which has the number %d", lead(), n, there, c.by.Number(there))
	case c.seats > 2 && there.Seat() != s.Seat():
		return fmt.Errorf("%s %d is that of %s, where seat %d is to move, not seat %d", lead(), n, there, there.Seat(), s.Seat())
	case endAlike(s, there, c.seats):
	case !SameKey(s, there):
		return fmt.Errorf("%s %d is that of %s, which has another key", lead(), n, there)
	case Rank(there, c.seats) != Rank(s, c.seats):
		return fmt.Errorf("%s %d is that of %s of the result %d, not %d: the result depends on the way there", lead(), n, there, there.Result(), s.Result())
	case s.Result() != game.Ongoing:
	case len(s.Moves(nil)) != len(there.Moves(nil)):
		return fmt.Errorf("%s %d is that of %s with %d moves, not %d: moves depend on the way there", lead(), n, there, len(there.Moves(nil)), len(s.Moves(nil)))
	case replies:
		if move, same := SameReplies(s, there, c.by.Number); !same {
			return fmt.Errorf("%s %d is that of %s, and they are not alike: after %s the first has a number that no move of the second leads to", lead(), n, there, move)
		}
	}
	return nil
}

// before checks that each move from or to a position is found from both of its ends.
func (c *Numbers) before(s game.State, n uint64, after, before []uint64) error {
	there := c.other
	for i, to := range after {
		if i%(len(after)/some+1) != 0 || !c.by.At(there, to) || game.Ending(there, c.seats) >= 0 {
			continue
		}
		if want, says := count(after, to), count(there.(game.Unmover).Before(nil), n); want != says {
			return fmt.Errorf("%d moves, one of them %s, lead from %s to %s, and Before knows %d", want, s.MoveString(s.Moves(nil)[i]), s, there, says)
		}
	}
	for i, from := range before {
		if from >= c.by.Numbers() {
			return fmt.Errorf("before position %s is number %d, there are %d", s, from, c.by.Numbers())
		}
		if i%(len(before)/some+1) != 0 || !c.by.At(there, from) || there.Result() != game.Ongoing || game.Ending(there, c.seats) >= 0 {
			continue
		}
		if leads, says := count(c.after(there), n), count(before, from); leads != says {
			return fmt.Errorf("%d moves lead from %s to %s, and Before knows %d", leads, there, s, says)
		}
	}
	return nil
}

// after lists the numbers after the moves of a position.
func (c *Numbers) after(s game.State) (list []uint64) {
	if f, ok := s.(game.Follower); ok {
		return f.After(nil)
	}
	for _, m := range s.Moves(nil) {
		c.make(s, m)
		list = append(list, c.by.Number(s))
		c.back(s)
	}
	return list
}

// count counts a number in a list.
func count(list []uint64, n uint64) (c int) {
	for _, m := range list {
		if m == n {
			c++
		}
	}
	return c
}
